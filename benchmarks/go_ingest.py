"""Reading Go records: games and moves a second of `tabia ingest`, beside sgfmill.

    python benchmarks/go_ingest.py [FILE…] [--json] [--rounds 3]

One run, the same games, one core, CPU seconds (user + system, children included). Rounds alternate
between the contestants; the median counts. Without FILE, `--games` games of 200 random moves on 19
lines are read. FILE is SGF, packed or not, or an archive of it.

What each contestant does to a game:

ours
    `tabia ingest FILE --out FOLDER`, the start of the program included: unpacks, finds the game,
    checks every move by the rules, and writes all columns to Parquet files on disk.
ours, in memory
    The reader alone, from the bytes of a file to a record in memory, every move checked.
sgfmill
    `sgfmill.sgf.Sgf_game.from_bytes` of the same bytes, then colour and point of each node of the
    main line. Moves are not checked by the rules. Files that it does not take are left out, and
    counted.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tabia._native.go_board import Board
from tabia.records.go.read import read
from tabia.records.go.record import Record
from tabia.records.go.write import write_sgf
from tabia.records.go_members import Reader

_PROGRAM = [sys.executable, "-c", "from tabia.app.cli import main; main()"]
_PLIES = 200

Contest = dict[str, tuple[int, int, Callable[[], object]]]
"""Games, moves and what reads them, by contestant."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Go games a second, from file to table.")
    parser.add_argument("files", nargs="*", type=Path, help="SGF, packed or not")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--games", type=int, default=2000, help="games, where no file is named")
    parser.add_argument("--slow-files", type=int, default=1000, help="files for sgfmill")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = options.files or _random(Path(folder), options.games)
        contest = _contest(Path(folder), files, options.slow_files)
        rates = _rates(contest, options.rounds)
    if options.json:
        print(json.dumps({"per_cpu_second": rates}, indent=2))
        return
    print(f"{'':18} {'games':>7} {'games/CPU s':>12} {'moves/CPU s':>12} {'ours is':>10}")
    for name, rate in rates.items():
        times = rates["ours"]["moves"] / rate["moves"]
        counts = f"{contest[name][0]:7,} {rate['games']:12,.0f} {rate['moves']:12,.0f}"
        print(f"{name:18} {counts} {times:9,.1f}x")


def _random(folder: Path, count: int) -> list[Path]:
    """Write games of random moves, a file each."""
    files = []
    for number in range(count):
        rng, board = random.Random(number), Board()
        for _ in range(_PLIES):
            board.push(rng.choice(board.legal_moves()[:-1]))
        record = Record(
            moves=board.moves(), first_name="A", second_name="B", first_rank="3d", komi=6.5
        )
        files.append(folder / f"{number}.sgf")
        files[-1].write_text(write_sgf(record), encoding="utf-8")
    return files


def _contest(folder: Path, files: Sequence[Path], slow_files: int) -> Contest:
    data = [content.data for file in files for content in Reader().contents(file)]
    found = [[one for one in read(part) if isinstance(one, Record)] for part in data]
    games = [one for part in found for one in part]
    moves = sum(len(game.moves) for game in games)
    contest: Contest = {
        "ours": (len(games), moves, lambda: _ingest(files, folder, len(games))),
        "ours, in memory": (len(games), moves, lambda: [list(read(part)) for part in data]),
    }
    if (sgf := _module("sgfmill.sgf")) is not None:
        taken = [
            (records[0], part)
            for records, part in zip(found[:slow_files], data, strict=False)
            if len(records) == 1 and _sgfmill_takes(sgf, part)
        ]
        print(f"sgfmill reads {len(taken):,} of {min(slow_files, len(data)):,}", file=sys.stderr)
        contest["sgfmill"] = (
            len(taken),
            sum(len(game.moves) - game.passes_added for game, _ in taken),
            lambda: [_sgfmill_moves(sgf, part) for _, part in taken],
        )
    return contest


def _ingest(files: Sequence[Path], folder: Path, count: int) -> None:
    done = subprocess.run(
        [*_PROGRAM, "ingest", *map(str, files), "--out", str(folder / "out"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    accepted = json.loads(done.stdout)["totals"]["go"]["accepted"]
    if accepted != count:
        raise RuntimeError(f"{accepted:,} games in place of {count:,}")


def _sgfmill_takes(sgf: Any, data: bytes) -> bool:
    try:
        _sgfmill_moves(sgf, data)
    except ValueError:
        return False
    return True


def _sgfmill_moves(sgf: Any, data: bytes) -> list[tuple[str | None, tuple[int, int] | None]]:
    return [node.get_move() for node in sgf.Sgf_game.from_bytes(data).get_main_sequence()]


def _module(name: str) -> Any:
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        print(f"{name} is not installed and left out", file=sys.stderr)
        return None
    return importlib.import_module(name)


def _rates(contest: Contest, rounds: int) -> dict[str, dict[str, float]]:
    seconds: dict[str, list[float]] = {name: [] for name in contest}
    names = list(contest)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = _cpu()
            contest[name][2]()
            seconds[name].append(max(_cpu() - start, 1e-3))
    return {
        name: {
            "games": round(games / statistics.median(seconds[name]), 1),
            "moves": round(moves / statistics.median(seconds[name])),
        }
        for name, (games, moves, _) in contest.items()
    }


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
