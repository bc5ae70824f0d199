"""A made-up results folder in the shape that the chapters write."""

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa

from tabia.tables import parquet, results
from tabia.tables.results import Figure, exact
from tests.report import made_imitation, made_search

BOOTSTRAP = "95% bootstrap by game, 1000 draws"
BINS = ("(1000,1200]", "(1200,1400]", "(1400,1600]", "(1600,1800]", "(800,1000]", "none")
PHASES = ("1-31", "32-63", "64-95", "96-127")
VALUES = ("[0,0.5]", "(0.5,1]", "(1,2]", "over 20")
ERRORS = {
    "mean": 2.1,
    "engine_depth8": 0.6,
    "ridge_placement": 1.5,
    "ridge": 1.4,
    "lightgbm": 0.9,
    "rbf": 0.8,
    "mlp_lm": 0.85,
    "cnn_planes": 0.95,
    "mlp_bitmap": 0.92,
    "best": 0.7,
}
"""Made-up error of each model: ten of the chapter's, in its order."""
RUNS = [
    (filter_, scenario, model, split_by, 2 if model in ("lightgbm", "mlp_lm") else 1)
    for filter_ in ("mate", "abs20")
    for scenario in (1, 2, 3)
    for model in ERRORS
    for split_by in (("game", "position") if model in ("ridge", "rbf", "best") else ("game",))
    if model != "engine_depth8" or scenario == 1
]
"""Filter, scenario, model, what the split goes by, seeds."""
_RUN = ("filter", "scenario", "model", "split_by")
_CELL = (*_RUN, "split", "n_seeds")
KEYS = {
    "models": _CELL,
    "by_elo": (*_CELL, "elo_bin_by", "elo_bin"),
    "by_phase": (*_CELL, "phase"),
    "by_value": (*_CELL, "value_bin"),
    "choices": ("filter", "scenario", "model", "size", "chosen"),
    "sizes": (*_RUN, "n_seeds"),
    "times": (*_RUN, "n_seeds"),
}
"""Key columns of the evaluation tables."""
TITLES = {
    "models": "Errors of each model",
    "by_elo": "Errors by Elo bin",
    "by_phase": "Errors by phase",
    "by_value": "Errors by size of the target",
    "choices": "Sizes tried",
    "sizes": "Sizes",
    "times": "Times",
}


def make(root: Path, *, positions: int = 900, played_by: str = "engines") -> Path:
    """Write tables, predictions and a dataset below `root`/results; return that folder."""
    folder = root / "results"
    rng = np.random.default_rng(3)
    records(folder, played_by)
    _evaluation(folder, played_by, rng)
    made_imitation.write(folder, played_by)
    made_search.write(folder, played_by)
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
    for place in (
        ("chess", "sample", "sample.pgn"),
        ("chess", "club", "club.pgn"),
        ("chess", "all sources", "all sources"),
        ("xiangqi", "palace", "palace.pgn"),
        ("xiangqi", "all sources", "all sources"),
    ):
        times = 2 if place[:2] == ("chess", "all sources") else 1
        found = times * sum(fates.values())
        rows.append(((*place, "found"), games("found", "games", found, found)))
        rows += [
            ((*place, reason), games(reason, "games", times * n, found))
            for reason, n in fates.items()
        ]
        rows.append(((*place, "rejected"), games("rejected", "rejected games", 15, found)))
        rows.append(((*place, "accepted"), games("accepted", "repeated games", 2, found)))
    _write(folder, "records_games", ["game", "source", "file", "reason"], rows, "Games found")
    _write(
        folder,
        "records_elo_bins",
        ["game", "elo_bin_by", "elo_bin", "split"],
        [
            (
                (game, whose, elo_bin, split),
                exact(
                    metric,
                    value * (1 if metric == "games" else 40),
                    unit=metric,
                    n_games=value,
                    n_positions=value * 40,
                    played_by=played_by,
                ),
            )
            for game in ("chess", "xiangqi")
            for whose in ("first", "second", "both")
            for elo_bin, value in zip(BINS, (30, 80, 200, 120, 10, 55), strict=True)
            for split in ("train", "validation", "test")
            for metric in ("games", "positions")
        ],
        "Games and positions by Elo bin",
    )
    keys = ["game", "split", "other_split", "what"]
    _write(folder, "records_leakage", keys, [], "Shared by splits")


def _evaluation(folder: Path, played_by: str, rng: np.random.Generator) -> None:
    def estimate(metric: str, value: float, half: float) -> Figure:
        unit = "pawns" if metric.startswith(("mae", "rmse")) else "share"
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
    tables: dict[str, list] = {name: [] for name in KEYS}
    for run in RUNS:
        filter_, scenario, model, split_by, n_seeds = run
        error = ERRORS[model] * (1 + 0.15 * scenario) * (1.3 if filter_ == "mate" else 1)
        error *= 0.9 if split_by == "position" else 1
        for split in ("train", "validation", "test"):
            keys = (filter_, scenario, model, split_by, split, n_seeds)
            found = {"mae": (error, 0.06), "r2": (0.5, 0.1), "sign_agreement": (0.9, 0.05)}
            for metric, (value, half) in found.items():
                tables["models"].append((keys, estimate(metric, value, half)))
                if n_seeds > 1:
                    best = estimate(f"{metric}_best_seed", 0.97 * value, half)
                    tables["models"].append((keys, best))
        keys = (filter_, scenario, model, split_by, "test", n_seeds)
        for name, half, bins in (
            ("by_elo", 0.15, [("both", elo_bin) for elo_bin in BINS if elo_bin != "none"]),
            ("by_phase", 0.1, [(phase,) for phase in PHASES]),
            ("by_value", 0.05, [(value_bin,) for value_bin in VALUES]),
        ):
            for bin_ in bins:
                value = error * rng.uniform(0.8, 1.2)
                tables[name].append(((*keys, *bin_), estimate("mae", value, half)))
        keys = (filter_, scenario, model, split_by, n_seeds)
        for metric, unit, value in (
            ("training_time", "s", 1.2),
            ("prediction_time_in_batch", "µs per position", 3.4),
            ("prediction_time_alone", "µs per position", 56.7),
        ):
            ends = (value, 0.9 * value, 1.1 * value)
            method = "range over 3 measurements, value the median"
            time = Figure(metric, unit, *ends, method, 203, 5210, played_by)
            tables["times"].append((keys, time))
        counts = {"size": 34567, "inputs": 197, "parameters": 1234}
        counts |= {"nodes": 500, "fuzzy_sets": 12} if model == "rbf" else {}
        for metric, value in counts.items():
            tables["sizes"].append(
                (
                    keys,
                    exact(
                        metric,
                        value,
                        unit="bytes" if metric == "size" else "count",
                        n_games=203,
                        n_positions=5210,
                        played_by=played_by,
                    ),
                )
            )
    for size, error in (("6-3", 1.2), ("8-4", 1.1)):
        keys = ("mate", 3, "mlp_lm", size, size == "8-4")
        tables["choices"].append((keys, estimate("rmse", error, 0.1)))
    for name, keys in KEYS.items():
        _write(folder, f"evaluation_{name}", [*keys], tables[name], TITLES[name])


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
    for filter_, scenario, model, split_by, n_seeds in RUNS:
        kept = np.flatnonzero(np.abs(target) <= (20 if filter_ == "mate" else 8))
        run = model if split_by == "game" else f"{model}_by_position"
        for seed in range(n_seeds):
            guess = target * 0.8 + rng.normal(0, ERRORS[model], positions)
            table = pa.table(
                {
                    "position_id": pa.array(ids, pa.binary(16)).take(kept),
                    "game_id": game.take(kept),
                    "split": pa.array(split).take(kept),
                    "target": target[kept],
                    "predicted": guess[kept] if model != "mean" else np.zeros(len(kept)),
                }
            )
            path = folder / f"evaluation/predictions/{filter_}/{scenario}/{run}/{seed}.parquet"
            parquet.write(table, path)
