"""Training of the nets that imitate people: how much of the time goes into the nets themselves.

    python benchmarks/imitation_training.py [--samples FILE] [--net NAME…] [--steps 6] [--rounds 5]

Every net is made, and its rows are opened, by its own ``fit``; the training loop is the real one.
It runs once over rows that are expanded batch by batch, as in a run, and once over the same batches
made before and kept in memory, in alternation, in one process, on one thread. The ratio of both
speeds is the share that the data path leaves to the net: 100 % would be a data path that takes no
time. The ratio is the median over rounds; speeds are positions a CPU second, validation of one
batch included.

Positions come from the samples table of a run (``results/imitation/GAME/samples.parquet``), else
from random legal games of xiangqi, whose content does not matter to times.

Before the first step labels, planes or legal moves of all rows are looked up once: ``opened`` is
that time, and the making of the net, in seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command line does

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import torch
from torch import nn

from tabia._native import xiangqi_board
from tabia.imitation import label_nets
from tabia.imitation.models import one_net, resnet, xqsv
from tabia.imitation.models.config import RecurrentStructure, ResidualStructure
from tabia.imitation.policy import Lesson
from tabia.imitation.positions import Positions
from tabia.imitation.samples import expand
from tabia.learning.training import Batch, Loss, Plan, Rows, reproducible, train

_GAMES = 160
_PLIES = 80
_LEAST = 90.0  # per cent

Index = npt.NDArray[np.intp]


@dataclass(frozen=True)
class _Net:
    """How a net is trained: its module's `fit`, the module that calls the loop, the settings."""

    fit: Callable[[Lesson, Mapping[str, Any], int], object]
    caller: Any
    settings: Mapping[str, Any]
    structure: Mapping[str, Any] | None = None


def _nets() -> dict[str, _Net]:
    def recurrent(**own: Any) -> _Net:
        structure = RecurrentStructure.model_validate(own).model_dump()
        return _Net(xqsv.fit, label_nets, {}, structure)

    def residual(**own: Any) -> _Net:
        structure = ResidualStructure.model_validate(own).model_dump()
        return _Net(resnet.fit, label_nets, {}, structure)

    return {
        "xqsv, 128 units": recurrent(rnn_hidden=128),
        "xqsv, 512 units": recurrent(),
        "xqsv, LSTM, 128 units": recurrent(rnn="lstm", rnn_hidden=128),
        "xqsv, perfect memory, 128 units": recurrent(memory=None, rnn_hidden=128),
        "resnet": residual(),
        "resnet, one board, 16 filters": residual(memory=1, channels=16, blocks=1),
        "one_net": _Net(one_net.fit, one_net, {}),
        "one_net, bfloat16": _Net(one_net.fit, one_net, {"precision": "bfloat16"}),
    }


class _Caught(Exception):
    """Carries what a `fit` gave to the training loop."""

    def __init__(self, net: nn.Module, optimiser: Any, loss: Loss, rows: Rows, plan: Plan) -> None:
        self.net, self.optimiser, self.loss, self.rows, self.plan = net, optimiser, loss, rows, plan


def _caught(made: _Net, positions: Positions) -> _Caught:
    """Return what `fit` gives to the loop."""

    def catch(
        net: nn.Module, optimiser: Any, loss: Loss, rows: Rows, held: Rows, plan: Plan, *_: Any,
        **__: Any,
    ) -> NoReturn:  # fmt: skip
        raise _Caught(net, optimiser, loss, rows, plan)

    rows = np.arange(len(positions))
    settings = {"game": positions.game, "vocabulary": "from_to", **made.settings}
    try:
        with mock.patch.object(made.caller, "train", catch):
            made.fit(Lesson(positions, rows, rows[:1], made.structure), settings, 1)
    except _Caught as caught:
        return caught
    raise RuntimeError("fit did not reach the training loop")


@dataclass(frozen=True)
class _Expanded:
    """Some rows, expanded when they are asked for."""

    rows: Rows
    index: Index

    def __len__(self) -> int:
        return len(self.index)

    def take(self, index: Index) -> Batch:
        return self.rows.take(self.index[index])


class _Kept:
    """The same batches, in memory; they are given out in the order in which they were made."""

    def __init__(self, rows: _Expanded, batches: list[Index]) -> None:
        self._length = len(rows)
        self._batches = [rows.take(index) for index in batches]
        self._next = 0

    def __len__(self) -> int:
        return self._length

    def take(self, index: Index) -> Batch:
        batch = self._batches[self._next % len(self._batches)]
        self._next += 1
        return batch


def _measure(made: _Net, positions: Positions, steps: int, rounds: int) -> dict[str, float]:
    start = time.process_time()
    caught = _caught(made, positions)
    opened = time.process_time() - start
    batch = caught.plan.batch
    rng = np.random.default_rng(0)
    count = steps * batch
    chosen = np.sort(rng.choice(len(caught.rows), count, replace=count > len(caught.rows)))
    rows, held = _Expanded(caught.rows, chosen), _Expanded(caught.rows, chosen[:batch])
    # The loop shuffles by this generator; the kept batches are those that it will ask for.
    order = np.random.default_rng(1).permutation(count)
    kept = _Kept(rows, np.array_split(order, steps))
    kept_held = _Kept(held, [np.arange(batch)])

    def seconds(some: Rows, others: Rows) -> float:
        begin = time.process_time()
        with reproducible(1, threads=1):
            train(
                caught.net, caught.optimiser, caught.loss, some, others,
                Plan(1, batch, 1, caught.plan.clip), np.random.default_rng(1), label="benchmark",
            )  # fmt: skip
        return time.process_time() - begin

    seconds(rows, held)
    expanded: list[float] = []
    in_memory: list[float] = []
    for place in range(rounds):
        if place % 2:
            in_memory.append(seconds(kept, kept_held))
        expanded.append(seconds(rows, held))
        if not place % 2:
            in_memory.append(seconds(kept, kept_held))
    ratios = [100 * fast / slow for fast, slow in zip(in_memory, expanded, strict=True)]
    return {
        "ratio_percent": round(statistics.median(ratios), 1),
        "positions_a_cpu_second": round(count * rounds / sum(expanded)),
        "in_memory": round(count * rounds / sum(in_memory)),
        "parameters": sum(weight.numel() for weight in caught.net.parameters()),
        "opened_s": round(opened, 2),
    }


def _random_positions() -> Positions:
    """Random legal games of xiangqi, of 1 to 2 × 80 half-moves."""
    rng = np.random.default_rng(0)
    games: list[list[int]] = []
    for _ in range(_GAMES):
        board = xiangqi_board.Board()
        moves: list[int] = []
        length = int(rng.integers(1, 2 * _PLIES))
        while len(moves) < length and (legal := board.legal_moves()):
            moves.append(int(legal[rng.integers(len(legal))]))
            board.push(moves[-1])
        games.append(moves)
    count = len(games)
    table = pa.record_batch(
        {
            "game_id": pa.array(range(count), pa.uint64()),
            "split_hash": pa.array(range(count), pa.uint64()),
            "played_by": ["engines"] * count,
            "variant": ["standard"] * count,
            "start_fen": pa.nulls(count, pa.string()),
            "first_elo": pa.array([1200] * count, pa.int32()),
            "second_elo": pa.array([1300] * count, pa.int32()),
            "result": pa.array([0] * count, pa.int8()),
            "n_plies": pa.array(map(len, games), pa.int32()),
            "moves": pa.array(games, pa.list_(pa.uint16())),
        }
    )
    return Positions.of(expand(table, "xiangqi"), "random games")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    nets = _nets()
    parser.add_argument("--samples", type=Path, help="samples of a run; default: random games")
    parser.add_argument("--net", nargs="+", choices=list(nets), default=list(nets))
    parser.add_argument("--steps", type=int, default=6, help="batches a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    torch.set_num_threads(1)
    positions = Positions.read(options.samples) if options.samples else _random_positions()
    found = {
        name: _measure(nets[name], positions, options.steps, options.rounds) for name in options.net
    }
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{len(positions):,} positions of {positions.game}, one thread")
    print(
        f"{'net':34} {'ratio':>7} {'pos/CPU s':>10} {'in memory':>10} {'numbers':>10} {'opened':>7}"
    )
    for name, row in found.items():
        print(
            f"{name:34} {row['ratio_percent']:6.1f}% {row['positions_a_cpu_second']:10,}"
            f" {row['in_memory']:10,} {row['parameters']:10,} {row['opened_s']:6.2f}s"
        )
    least = min(row["ratio_percent"] for row in found.values())
    print(f"least ratio: {least:.1f} % ({'above' if least >= _LEAST else 'below'} {_LEAST:.0f} %)")


if __name__ == "__main__":
    main()
