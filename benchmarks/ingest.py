"""Reading PGN: games a second from file to Parquet, beside three other readers.

    python benchmarks/ingest.py [FILE…] [--json]

One run, the same plain PGN file, one core, every reader in CPU seconds (user + system, children
included), the best of `--repeat` tries. Without FILE the bundled sample is read, repeated until
it is large enough to time.

What each reader does to a game:

ours
    `records.games`: finds the games, checks every move of the main line for legality, checks
    comments and variations for balance, and writes all columns to Parquet files on disk.
python-chess
    `chess.pgn.read_game`: builds the tree of moves with variations, all of them checked.
    Nothing is written. Too slow for all games: it reads the first `--slow-games`.
pgn-extract
    `pgn-extract -s -r`: checks the moves of every game. Nothing is written.
rust binding
    `rust_pgn_reader_python_binding.parse_games`, one thread: checks every move and fills arrays
    with the board before each; the games must be split into strings before, which is timed
    apart ("with split"). Nothing is written.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tabia.records import games as stage
from tabia.records.opening import members
from tabia.tables.spec import Spec

_DEFAULT = Path("resources/sample/chess.pgn.zst")
_ENOUGH = 24 << 20


def main() -> None:
    parser = argparse.ArgumentParser(description="Games a second from PGN, beside other readers.")
    parser.add_argument("files", nargs="*", type=Path, help="PGN files, packed or not")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--repeat", type=int, default=3, help="tries; the best counts")
    parser.add_argument("--slow-games", type=int, default=1500, help="games for python-chess")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = _run(options.files, Path(folder), options.repeat, options.slow_games)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print(_text(result))


def _run(files: list[Path], folder: Path, repeat: int, slow_games: int) -> dict[str, object]:
    text = b"".join(
        b"".join(member.chunks).strip() + b"\n\n"
        for file in files or [_DEFAULT]
        for member in members(file)
    )
    if not files:
        text *= _ENOUGH // len(text) + 1
    pgn = folder / "games.pgn"
    pgn.write_bytes(text)
    starts = text.count(b"[Event ")
    rates: dict[str, float] = {}
    found = _ours(pgn, folder)
    rates["ours"] = found / _best(lambda: _ours(pgn, folder), repeat)
    few = _first_games(text, slow_games)
    count = _python_chess(few)
    rates["python-chess"] = count / _best(lambda: _python_chess(few), min(repeat, 2))
    extract = shutil.which("pgn-extract") or shutil.which("/usr/games/pgn-extract")
    if extract:
        rates["pgn-extract"] = starts / _best(lambda: _pgn_extract(extract, pgn), repeat)
    else:
        print("pgn-extract is not installed and left out", file=sys.stderr)
    if importlib.util.find_spec("rust_pgn_reader_python_binding"):
        split = _split(text)
        rates["rust binding"] = len(split) / _best(lambda: _rust(split), repeat)
        rates["rust binding, with split"] = len(split) / _best(
            lambda: _rust(_split(pgn.read_bytes())), repeat
        )
    else:
        print("rust-pgn-reader-python-binding is not installed and left out", file=sys.stderr)
    return {
        "bytes": len(text),
        "games": found,
        "games_per_cpu_second": {name: round(rate) for name, rate in rates.items()},
        "ours_times": {name: round(rates["ours"] / rate, 2) for name, rate in rates.items()},
    }


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _best(work: Callable[[], object], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        start = _cpu()
        work()
        seconds.append(_cpu() - start)
    return max(min(seconds), 1e-3)


def _ours(pgn: Path, folder: Path) -> int:
    source = {"name": "benchmark", "game": "chess", "played_by": "people", "shards": 1}
    spec = Spec("records.games", "", {"source": "benchmark", "shard": "0"}, {"source": source})
    stderr, sys.stderr = sys.stderr, io.StringIO()
    try:
        stage.run(
            spec,
            files=[pgn],
            games=folder / "games.parquet",
            rejects=folder / "rejects.parquet",
            counts=folder / "counts.parquet",
        )
    finally:
        sys.stderr = stderr
    import pyarrow.parquet as pq

    return int(sum(pq.read_table(folder / "counts.parquet")["games"].to_pylist()))


def _first_games(text: bytes, games: int) -> str:
    end = -1
    for _ in range(games + 1):
        end = text.find(b"[Event ", end + 1)
        if end < 0:
            return text.decode("latin-1")
    return text[:end].decode("latin-1")


def _python_chess(text: str) -> int:
    import logging

    import chess.pgn

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    stream, games = io.StringIO(text), 0
    while chess.pgn.read_game(stream) is not None:
        games += 1
    return games


def _pgn_extract(program: str, pgn: Path) -> None:
    subprocess.run(
        [program, "-s", "-r", str(pgn)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )


def _split(text: bytes) -> list[str]:
    first, *rest = text.decode("latin-1").split("\n\n[Event ")
    return [first, *("[Event " + game for game in rest)]


def _rust(games: list[str]) -> None:
    import pyarrow as pa
    import rust_pgn_reader_python_binding as rust

    rust.parse_games(pa.chunked_array([pa.array(games)]), num_threads=1)


def _text(result: dict[str, object]) -> str:
    rates, times = result["games_per_cpu_second"], result["ours_times"]
    lines = [f"{result['games']:,} games, {result['bytes']:,} bytes; one core"]
    lines += [f"{'reader':26} {'games/CPU s':>12} {'ours is':>9}"]
    if isinstance(rates, dict) and isinstance(times, dict):
        lines += [f"{name:26} {rate:12,} {times[name]:8}x" for name, rate in rates.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    start = time.perf_counter()
    main()
    print(f"{time.perf_counter() - start:.0f} s in all", file=sys.stderr)
