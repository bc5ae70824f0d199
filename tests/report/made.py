"""A made-up results folder in the shape that the chapters write."""

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa

from tabia.tables import parquet, results
from tabia.tables.results import Figure, exact

BOOTSTRAP = "95% bootstrap by game, 1000 draws"
BINS = ("(1000,1200]", "(1200,1400]", "(1400,1600]", "(1600,1800]", "(800,1000]", "none")
PHASES = ("1-31", "32-63", "64-95", "96-127")
MODELS = {"mean": 2.1, "engine_depth8": 0.6, "lightgbm": 0.9, "ridge": 1.4}
RUNS = [
    (filter_, scenario, model)
    for filter_ in ("mate", "abs20")
    for scenario in (1, 2, 3)
    for model in MODELS
    if model != "engine_depth8" or scenario == 1
]


def make(root: Path, *, positions: int = 900, played_by: str = "engines") -> Path:
    """Write tables, predictions and a dataset below `root`/results; return that folder."""
    folder = root / "results"
    rng = np.random.default_rng(3)
    records(folder, played_by)
    _evaluation(folder, played_by, rng)
    _predictions(folder, positions, rng)
    return folder


def tables(folder: Path) -> list[Path]:
    return sorted((folder / "tables").glob("*.parquet"))


def predictions(folder: Path) -> list[Path]:
    return sorted((folder / "evaluation/predictions").rglob("*.parquet"))


def _write(folder: Path, name: str, keys: list[str], rows: list, title: str) -> None:
    table = results.table(keys, rows)
    results.write(table, folder / "tables" / f"{name}.parquet", title=title)


def records(folder: Path, played_by: str) -> None:
    """Write the tables of the records chapter."""

    def games(reason: str, metric: str, value: int, found: int) -> Figure:
        return exact(
            metric, value, unit="games", n_games=found, n_positions=None, played_by=played_by
        )

    fates = {"accepted": 812, "illegal_move": 3, "no_moves": 11, "variant": 1}
    rows = []
    for place in (("sample", "sample.pgn"), ("club", "club.pgn"), ("all sources", "all sources")):
        times = 2 if place[0] == "all sources" else 1
        found = times * sum(fates.values())
        rows.append(((*place, "found"), games("found", "games", found, found)))
        rows += [
            ((*place, reason), games(reason, "games", times * n, found))
            for reason, n in fates.items()
        ]
        rows.append(((*place, "rejected"), games("rejected", "rejected games", 15, found)))
        rows.append(((*place, "accepted"), games("accepted", "repeated games", 2, found)))
    _write(folder, "records_games", ["source", "file", "reason"], rows, "Games found")
    _write(
        folder,
        "records_elo_bins",
        ["elo_bin_by", "elo_bin", "split"],
        [
            (
                (whose, elo_bin, split),
                exact(
                    metric,
                    value * (1 if metric == "games" else 40),
                    unit=metric,
                    n_games=value,
                    n_positions=value * 40,
                    played_by=played_by,
                ),
            )
            for whose in ("first", "second", "both")
            for elo_bin, value in zip(BINS, (30, 80, 200, 120, 10, 55), strict=True)
            for split in ("train", "validation", "test")
            for metric in ("games", "positions")
        ],
        "Games and positions by Elo bin",
    )
    _write(folder, "records_leakage", ["split", "other_split", "what"], [], "Shared by splits")


def _evaluation(folder: Path, played_by: str, rng: np.random.Generator) -> None:
    def estimate(metric: str, value: float, half: float) -> Figure:
        unit = "pawns" if metric == "mae" else "1"
        ends = (value - half, value + half)
        return Figure(metric, unit, value, *ends, BOOTSTRAP, 203, 5210, played_by)

    steps = (
        ("sampled", None, None, 21100),
        ("rejected", None, None, 100),
        ("rejected", None, "engine_timeout", 100),
        ("labelled", None, None, 21000),
        ("after filter", "mate", None, 20300),
        ("after filter", "abs20", None, 19950),
    )
    _write(
        folder,
        "evaluation_positions",
        ["step", "filter", "reason", "split"],
        [
            (
                (step, filter_, reason, split),
                exact(
                    "positions",
                    int(n * share),
                    unit="positions",
                    n_games=int(n * share / 20),
                    n_positions=int(n * share),
                    played_by=played_by,
                ),
            )
            for step, filter_, reason, n in steps
            for split, share in (("all", 1), ("train", 0.5), ("validation", 0.25), ("test", 0.25))
        ],
        "Positions after each filter",
    )
    models, elo, phase, times = [], [], [], []
    for filter_, scenario, model in RUNS:
        error = MODELS[model] * (1 + 0.15 * scenario) * (1.3 if filter_ == "mate" else 1)
        for split in ("train", "validation", "test"):
            keys = (filter_, scenario, model, split, 1)
            models.append((keys, estimate("mae", error, 0.06)))
            models.append((keys, estimate("r2", 0.5, 0.1)))
        elo += [
            (
                (filter_, scenario, model, "test", 1, "both", b),
                estimate("mae", error * rng.uniform(0.8, 1.2), 0.15),
            )
            for b in BINS
            if b != "none"
        ]
        phase += [
            (
                (filter_, scenario, model, "test", 1, b),
                estimate("mae", error * rng.uniform(0.8, 1.2), 0.1),
            )
            for b in PHASES
        ]
        times.append(
            (
                (filter_, scenario, model, 1),
                Figure(
                    "training_time",
                    "s",
                    1.2,
                    1.1,
                    1.3,
                    "smallest and largest run",
                    203,
                    5210,
                    played_by,
                ),
            )
        )
    run = ["filter", "scenario", "model"]
    cell = [*run, "split", "n_seeds"]
    _write(folder, "evaluation_models", cell, models, "Errors of each model")
    _write(folder, "evaluation_by_elo", [*cell, "elo_bin_by", "elo_bin"], elo, "Errors by Elo bin")
    _write(folder, "evaluation_by_phase", [*cell, "phase"], phase, "Errors by phase")
    _write(folder, "evaluation_times", [*run, "n_seeds"], times, "Times")


def _predictions(folder: Path, positions: int, rng: np.random.Generator) -> None:
    ids = sorted(
        hashlib.blake2b(str(i).encode(), digest_size=16).digest() for i in range(positions)
    )
    target = rng.laplace(0, 3, positions)
    split = [("train", "train", "validation", "test")[i % 4] for i in range(positions)]
    game = pa.array([i // 10 for i in range(positions)], pa.uint64())
    fens = [f"8/8/8/8/{i % 8 + 1}p{i % 7}/8/8/8 w - -" for i in range(positions)]
    dataset = pa.table({"position_id": pa.array(ids, pa.binary(16)), "fen": fens, "split": split})
    parquet.write(dataset, folder / "evaluation/dataset.parquet")
    for filter_, scenario, model in RUNS:
        kept = np.flatnonzero(np.abs(target) <= (20 if filter_ == "mate" else 8))
        for seed in range(2 if model == "lightgbm" else 1):
            guess = target * 0.8 + rng.normal(0, MODELS[model], positions)
            table = pa.table(
                {
                    "position_id": pa.array(ids, pa.binary(16)).take(kept),
                    "game_id": game.take(kept),
                    "split": pa.array(split).take(kept),
                    "target": target[kept],
                    "predicted": guess[kept] if model != "mean" else np.zeros(len(kept)),
                }
            )
            path = folder / f"evaluation/predictions/{filter_}/{scenario}/{model}/{seed}.parquet"
            parquet.write(table, path)
