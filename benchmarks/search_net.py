"""What search and encoding cost beside the network: 10x128, one core, leaves in batches.

    python benchmarks/search_net.py [--json] [--boards go9 go19 chess xiangqi] [--rounds 3]
                                    [--batches 8 16 32 64] [--simulations 128] [--history 8]

AlphaZero's plain net of 10 blocks of 128 filters, random weights, onnxruntime in float32 and in
8-bit integers, one thread. First the network alone finds its best batch size of those given: least
CPU seconds a position. Then as many games as that batch has rows search side by side from random
openings. Random answers bring each tree to half its simulations, uncounted; from there the network
answers, and CPU seconds a leaf are taken of

    network          the evaluator's calls
    select+encode    selection, moves played, ends of games tested, planes of the leaves
    expand           priors of the legal moves, backup

``share`` is the last two over the network's time in the same run: at most 15 % is the aim.
``ideal`` puts them over the network alone at its best batch size, measured in turn with the
searches. Medians of the rounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tabia.search.config import ChessRules, GoRules, Rules, SearchSettings, XiangqiRules
from tabia.search.evaluator import Evaluation
from tabia.search.nets.config import AlphaZero, search_shape
from tabia.search.nets.evaluators import NetEvaluator, OnnxEvaluator
from tabia.search.nets.inputs import split
from tabia.search.nets.net import make
from tabia.search.nets.onnx_file import export
from tabia.search.nets.quantise import quantise
from tabia.search.run import run
from tabia.search.trees import Trees

_BOARDS: dict[str, Rules] = {
    "go9": GoRules(size=9),
    "go19": GoRules(size=19),
    "chess": ChessRules(),
    "xiangqi": XiangqiRules(),
}
_OPENING = 10
_MOST_LEAVES = 1_000  # of one round

_LEAST_S = 0.3  # of the network alone

Planes = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--boards", nargs="+", choices=list(_BOARDS), default=list(_BOARDS))
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--batches", type=int, nargs="+", default=[8, 16, 32, 64])
    parser.add_argument("--simulations", type=int, default=128, help="of a search")
    parser.add_argument("--history", type=int, default=8, help="positions that the net sees")
    parser.add_argument("--leaves", type=int, default=_MOST_LEAVES, help="of a round, at most")
    options = parser.parse_args()
    report: dict[str, dict[str, dict[str, float]]] = {}
    if not options.json:
        print(f"{'':10}{'route':8}{'batch':>6}{'µs a leaf: network':>20}{'select+encode':>15}"
              f"{'expand':>9}{'share':>8}{'ideal':>8}")  # fmt: skip
    for board in options.boards:
        with tempfile.TemporaryDirectory() as scratch:
            report[board] = {}
            for route, evaluator, planes in _routes(board, options.history, Path(scratch)):
                found = _measured(board, evaluator, planes, options)
                report[board][route] = found
                if not options.json:
                    print(f"{board:10}{route:8}{found['batch']:6.0f}{found['network_us']:20.1f}"
                          f"{found['select_us']:15.2f}{found['expand_us']:9.2f}"
                          f"{found['share']:8.1%}{found['ideal']:8.1%}", flush=True)  # fmt: skip
    if options.json:
        print(json.dumps(report, indent=2))


def _routes(board: str, history: int, folder: Path) -> list[tuple[str, NetEvaluator, Planes]]:
    rules = _BOARDS[board]
    size = rules.size if isinstance(rules, GoRules) else 19
    shape = search_shape(rules.game, history=history, size=size)
    torch.manual_seed(0)
    net = make(shape, AlphaZero()).eval()
    plain, coarse = folder / "net.onnx", folder / "int8.onnx"
    export(net, plain)
    trees = _openings(rules, history, 64)
    planes = np.stack([trees.searcher.encode(slot) for slot in range(64)])
    quantise(plain, coarse, *split(planes, shape))
    return [("float32", OnnxEvaluator(plain), planes), ("int8", OnnxEvaluator(coarse), planes)]


def _openings(rules: Rules, history: int, slots: int) -> Trees:
    trees = Trees(rules, SearchSettings(), slots, history=history)
    rng = np.random.default_rng(1)
    for slot in range(slots):
        for _ in range(_OPENING):
            legal = trees.searcher.legal_moves(slot)
            if legal:
                trees.play(slot, int(rng.choice(legal)))
    return trees


def _measured(
    board: str, evaluator: NetEvaluator, planes: Planes, options: argparse.Namespace
) -> dict[str, float]:
    alone = {batch: _network(evaluator, planes, batch) for batch in options.batches}
    best = min(alone, key=lambda batch: alone[batch])
    trees = _openings(_BOARDS[board], options.history, best)
    simulations = options.simulations
    counted = min(simulations // 2, max(1, options.leaves // best))
    rounds = []
    for number in range(options.rounds):
        ideal = _network(evaluator, planes, best)
        select, network, expand = _search(trees, evaluator, best, simulations // 2, counted, number)
        rounds.append(
            {
                "network_us": network * 1e6,
                "select_us": select * 1e6,
                "expand_us": expand * 1e6,
                "share": (select + expand) / network,
                "ideal": (select + expand) / ideal,
            }
        )
    median = {name: statistics.median(turn[name] for turn in rounds) for name in rounds[0]}
    return {"batch": best, "simulations": simulations, "leaves": counted * best, **median}


def _network(evaluator: NetEvaluator, planes: Planes, batch: int) -> float:
    """Return CPU seconds a position, the first call left out."""
    rows = np.ascontiguousarray(np.resize(planes, (batch, *planes.shape[1:])))
    evaluator.evaluate(rows)
    begun, done = time.process_time(), 0
    while (spent := time.process_time() - begun) < _LEAST_S:
        evaluator.evaluate(rows)
        done += batch
    return spent / done


class _Random:
    """Answers that cost nothing."""

    def __init__(self, labels: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._logits = rng.normal(size=(256, labels)).astype(np.float32)
        self._values = rng.uniform(-1, 1, 256).astype(np.float32)
        self._rng = rng

    def evaluate(self, planes: Planes) -> Evaluation:
        rows = self._rng.integers(256, size=len(planes))
        return Evaluation(self._logits[rows], self._values[rows])


def _search(
    trees: Trees, evaluator: NetEvaluator, batch: int, before: int, counted: int, seed: int
) -> tuple[float, float, float]:
    """Return CPU seconds a leaf: selection and encoding, network, expansion and backup."""
    searcher = trees.searcher
    for slot in range(trees.slots):
        searcher.forget(slot)
        searcher.begin(slot, before, seed * trees.slots + slot)
    run(trees, _Random(searcher.labels, seed), batch=batch)
    for slot in range(trees.slots):
        searcher.begin(slot, counted, seed * trees.slots + slot)
    planes = np.empty((batch, *searcher.shape), np.float32)
    slot_of = np.empty(batch, np.int32)
    spent, leaves = [0.0, 0.0, 0.0], 0
    while True:
        marks = [time.process_time()]
        n = searcher.select(planes, slot_of)
        marks.append(time.process_time())
        if n == 0:
            break
        found = evaluator.evaluate(planes[:n])
        marks.append(time.process_time())
        searcher.expand(found.logits, found.values)
        marks.append(time.process_time())
        spent = [old + b - a for old, a, b in zip(spent, marks, marks[1:], strict=False)]
        leaves += n
    return spent[0] / leaves, spent[1] / leaves, spent[2] / leaves


if __name__ == "__main__":
    main()
