"""Reading xiangqi records: games and plies a second of `tabia ingest`, beside cchess and pyffish.

    python benchmarks/xiangqi_ingest.py [FILE…] [--json] [--rounds 3]

One run, the same games, one core, CPU seconds (user + system, children included). Rounds alternate
between the contestants; the median counts. Without FILE the bundled sample is read, repeated to
`--games` games. FILE may be packed and of any format that is read.

What each contestant does to a game:

ours
    `tabia ingest FILE --out FOLDER`, the start of the program included: finds the games in any
    format, checks every move by the rules, and writes all columns to Parquet files on disk.
ours, a game a file
    The same from PGN files of one game in coordinates, the files that cchess gets.
cchess
    `Game.read_from` of PGN files of one game in coordinates: a list of moves in memory. Moves are
    not checked by how pieces go. The first `--slow-games` games.
pyffish
    `get_fen` of a game whose moves are split and in UCI already: every move checked, the last
    position given. No file is read.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tabia._native.xiangqi_board import Board, decode_move
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.write import write_pgn
from tabia.records.xiangqi_members import Reader

_SAMPLE = Path("resources/sample/xiangqi.pgn.zst")
_PROGRAM = [sys.executable, "-c", "from tabia.app.cli import main; main()"]

Contest = dict[str, tuple[Sequence[Record], Callable[[], object]]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Xiangqi games a second, from file to table.")
    parser.add_argument("files", nargs="*", type=Path, help="records of any format, packed or not")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--games", type=int, default=4000, help="games, where no file is named")
    parser.add_argument("--slow-games", type=int, default=50, help="games for cchess")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = options.files or [_repeated(Path(folder), options.games)]
        games = _read(files)
        contest = _contest(Path(folder), files, games, options.slow_games)
        rates = _rates(contest, options.rounds)
    if options.json:
        counts = {"games": len(games), "plies": sum(len(game.moves) for game in games)}
        print(json.dumps(counts | {"per_cpu_second": rates}, indent=2))
        return
    print(f"{len(games):,} games, {sum(len(game.moves) for game in games):,} plies; one core")
    print(f"{'':24} {'games/CPU s':>12} {'plies/CPU s':>12} {'ours is':>10}")
    for name, rate in rates.items():
        times = rates["ours"]["plies"] / rate["plies"]
        print(f"{name:24} {rate['games']:12,.0f} {rate['plies']:12,.0f} {times:9,.1f}x")


def _repeated(folder: Path, count: int) -> Path:
    games = _read([_SAMPLE])
    file = folder / "sample.pgn"
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            out.write(write_pgn(games[number % len(games)], style="wxf"))
    return file


def _read(files: Sequence[Path]) -> list[Record]:
    reader = Reader()
    return [
        item
        for file in files
        for content in reader.contents(file)
        for item in reader.records(content)
        if isinstance(item, Record)
    ]


def _contest(
    folder: Path, files: Sequence[Path], games: Sequence[Record], slow_games: int
) -> Contest:
    single = []
    for number, game in enumerate(games[:1000]):
        single.append(folder / f"{number}.pgn")
        single[-1].write_text(write_pgn(game, style="iccs"), encoding="utf-8")
    contest: Contest = {
        "ours": (games, lambda: _ingest(files, folder, len(games))),
        "ours, a game a file": (games[:1000], lambda: _ingest(single, folder, len(single))),
    }
    if (cchess := _module("cchess")) is not None:
        read = [
            (game, file)
            for game, file in zip(games[:slow_games], single, strict=False)
            if _cchess_moves(cchess, file) == len(game.moves)
        ]
        print(f"cchess reads {len(read)} of {min(slow_games, len(games))} games", file=sys.stderr)
        contest["cchess"] = (
            [game for game, _ in read],
            lambda: [_cchess_moves(cchess, file) for _, file in read],
        )
    if (pyffish := _module("pyffish")) is not None:
        texts = [
            (
                game.start_fen or Board().fen(),
                [decode_move(code, first_rank=1) for code in game.moves],
            )
            for game in games
        ]
        contest["pyffish"] = (
            games,
            lambda: [pyffish.get_fen("xiangqi", fen, moves) for fen, moves in texts],
        )
    return contest


def _ingest(files: Sequence[Path], folder: Path, count: int) -> None:
    done = subprocess.run(
        [*_PROGRAM, "ingest", *map(str, files), "--out", str(folder / "out"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    accepted = json.loads(done.stdout)["totals"]["xiangqi"]["accepted"]
    if accepted != count:
        raise RuntimeError(f"{accepted:,} games in place of {count:,}")


def _cchess_moves(cchess: Any, file: Path) -> int:
    moves = cchess.Game.read_from(str(file)).dump_iccs_moves()
    return len(moves[0]) if moves else 0


def _module(name: str) -> Any:
    if importlib.util.find_spec(name) is None:
        print(f"{name} is not installed and left out", file=sys.stderr)
        return None
    return importlib.import_module(name)


def _rates(contest: Contest, rounds: int) -> dict[str, dict[str, float]]:
    seconds: dict[str, list[float]] = {name: [] for name in contest}
    names = list(contest)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = _cpu()
            contest[name][1]()
            seconds[name].append(max(_cpu() - start, 1e-3))
    return {
        name: {
            "games": round(len(games) / statistics.median(seconds[name]), 1),
            "plies": round(sum(len(g.moves) for g in games) / statistics.median(seconds[name])),
        }
        for name, (games, _) in contest.items()
    }


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
