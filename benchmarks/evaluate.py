"""The time of a prediction by a saved model, from a FEN to pawns, inputs included.

    python benchmarks/evaluate.py [--model DIR | --dataset FILE] [--fuzzy-sets 8] [--json]

Timed are, on middlegame positions of the bundled sample's games and on one core:

alone
    one FEN a call: microseconds by the clock, median and 99th percentile;
batch
    4,096 FENs a call: CPU microseconds a position, the best of `--repeat` tries, and what of them
    the model's inputs take;
explanation
    one position's, where the model gives any.

Without ``--model`` a radial basis function network is trained first, on the terms (scenario 3):
on a ``dataset.parquet`` of the evaluation chapter, or else on `--rows` positions of the sample with
made-up targets, which have no meaning but give a network of usual size. The paper (Kagkas et al.,
2023) gives 6.9 ms a prediction, without the making of inputs.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command line does

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabia._native.chess_pgn import parse
from tabia._native.chess_positions import boards_from_fens, expand, fens_from_boards
from tabia._native.chess_terms import COLUMNS, terms_from_boards
from tabia.evaluation import terms, train
from tabia.evaluation.dataset import DATASET
from tabia.evaluation.explain import Explainer
from tabia.evaluation.predictor import Predictor
from tabia.records.opening import members
from tabia.tables import parquet
from tabia.tables.ids import position_id
from tabia.tables.spec import Spec

_SAMPLE = Path("resources/sample/chess.pgn.zst")
_BATCH = 4096
_PAPER_MS = 6.9
_GOAL_ALONE_US, _GOAL_BATCH_US = 1000, 20


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="folder of a saved model of scenario 3")
    parser.add_argument("--dataset", type=Path, help="dataset.parquet to train on")
    parser.add_argument("--rows", type=int, default=20_000, help="positions to train on without it")
    parser.add_argument("--fuzzy-sets", type=int, default=8, help="of the network that is trained")
    parser.add_argument("--repeat", type=int, default=5, help="tries; the best counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    boards = _middlegames()
    with tempfile.TemporaryDirectory() as folder:
        model = options.model
        if model is None:
            dataset = options.dataset or _made_up(boards[: options.rows], Path(folder))
            model = _train(dataset, options.fuzzy_sets, Path(folder))
        result = _measure(model, fens_from_boards(boards), options.repeat)
    print(json.dumps(result, indent=2) if options.json else _text(result))


def _middlegames() -> npt.NDArray[np.uint8]:
    text = b"".join(chunk for member in members(_SAMPLE) for chunk in member.chunks)
    games = parse(text)
    count = len(games.ordinal)
    found = expand(games.moves, games.ply_offsets, [None] * count, np.zeros(count, np.uint8))
    legal = (found.phase > 0) & (found.phase < 128) & (found.flags == 0)
    return np.unique(found.board[legal], axis=0)


def _made_up(boards: npt.NDArray[np.uint8], folder: Path) -> Path:
    """Write a dataset whose targets are the difference of the sides' terms, with noise."""
    rng = np.random.default_rng(1)
    values = terms_from_boards(boards)
    half = len(COLUMNS) // 2
    apart = values[:, :half] - values[:, half:]
    target = (apart / (apart.std(axis=0) + 1)).mean(axis=1) * 20 + rng.normal(0, 0.5, len(boards))
    fens = fens_from_boards(boards)
    rows = [
        {
            "position_id": position_id(fen),
            "fen": fen,
            "board": board.tobytes(),
            "game_id": number,
            "split": ("train", "train", "validation", "test")[number % 4],
            "phase": 64,
            "ply": 0,
            "played_by": "engines",
            "input_1": 0.0,
            "input_2": 0.0,
            "input_3": 0.0,
            "target": float(target[number]),
            "is_mate": False,
            "keep_mate": True,
            "keep_abs20": True,
        }
        for number, (fen, board) in enumerate(zip(fens, boards, strict=True))
    ]
    path = folder / "dataset.parquet"
    parquet.write(pa.Table.from_pylist(rows, DATASET).sort_by("position_id"), path)
    return path


def _train(dataset: Path, fuzzy_sets: int, folder: Path) -> Path:
    terms.run(Spec("evaluation.terms", "bench"), sample=dataset, terms=folder / "terms.parquet")
    config = {
        "seed": 1,
        "model": "rbf",
        "inputs": ["terms"],
        "settings": {"fuzzy_sets": [fuzzy_sets, fuzzy_sets], "max_nodes": 4000},
        "any_threads": True,
        "splits": None,
        "labels": {"inputs": [2, 4, 8], "target": {"nodes": 1}},
    }
    wildcards = {"filter": "abs20", "scenario": "3", "model": "rbf", "seed": "0"}
    train.run(
        Spec("evaluation.train", "bench", wildcards, config),
        dataset=dataset,
        features={"terms": folder / "terms.parquet"},
        choice=None,
        model=folder / "model",
        predictions=folder / "predictions.parquet",
        times=folder / "times.parquet",
    )
    return folder / "model"


def _measure(folder: Path, fens: list[str], repeat: int) -> dict[str, Any]:
    start = time.perf_counter()
    predictor = Predictor.load(folder)
    load_s = time.perf_counter() - start
    chosen = [fens[i] for i in np.linspace(0, len(fens) - 1, _BATCH).astype(int)]
    predictor.predict(chosen)
    alone = []
    for fen in chosen:
        start = time.perf_counter()
        predictor.predict([fen])
        alone.append(time.perf_counter() - start)
    batch = _best(lambda: predictor.predict(chosen), repeat)
    inputs = _best(lambda: predictor.model_inputs(boards_from_fens(chosen)), repeat)
    explainer = Explainer(predictor)
    rows = predictor.model_inputs(boards_from_fens(chosen[:5]))
    explains = explainer.reasons(rows[0]) is not None
    explanation = _best(lambda: [explainer.reasons(row) for row in rows], repeat, 1) / len(rows)
    median, slow = (1e6 * float(x) for x in np.percentile(alone, [50, 99]))
    return {
        "model": predictor.config.run,
        "chosen": dict(predictor.model.facts),
        "inputs": len(predictor.config.inputs),
        "load_ms": round(1e3 * load_s, 1),
        "alone_us": round(median, 1),
        "alone_us_99": round(slow, 1),
        "alone_goal_us": _GOAL_ALONE_US,
        "batch_us": round(1e6 * batch / len(chosen), 2),
        "batch_inputs_us": round(1e6 * inputs / len(chosen), 2),
        "batch_goal_us": _GOAL_BATCH_US,
        "explanation_ms": round(1e3 * explanation, 1) if explains else None,
        "faster_than_paper_alone": round(1e3 * _PAPER_MS / median),
        "faster_than_paper_in_batch": round(_PAPER_MS * len(chosen) / (1e3 * batch)),
    }


def _cpu() -> float:
    times = os.times()
    return times.user + times.system


def _best(work: Callable[[], object], repeat: int, goes: int = 20) -> float:
    """Return the CPU seconds of a go in the fastest try; the clock counts in 10 ms."""
    seconds = []
    for _ in range(repeat):
        start = _cpu()
        for _ in range(goes):
            work()
        seconds.append((_cpu() - start) / goes)
    return min(seconds)


def _text(result: dict[str, Any]) -> str:
    chosen = ", ".join(f"{name} {value}" for name, value in result["chosen"].items())
    lines = [
        f"{result['model']}, {result['inputs']} inputs; {chosen}; loaded in {result['load_ms']} ms",
        f"alone: {result['alone_us']} µs from FEN (99 of 100 under {result['alone_us_99']};"
        f" goal {result['alone_goal_us']}), {result['faster_than_paper_alone']} x the paper",
        f"batch: {result['batch_us']} CPU µs a position from FEN (goal"
        f" {result['batch_goal_us']}), {result['batch_inputs_us']} of them for the inputs,"
        f" {result['faster_than_paper_in_batch']} x the paper",
    ]
    if result["explanation_ms"] is not None:
        lines.append(f"explanation: {result['explanation_ms']} CPU ms")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
