"""Xiangqi's referee: games judged move by move, by each set of rules.

    python benchmarks/xiangqi_referee.py [FILE…] [--json] [--rounds 3]

One run, one core, CPU seconds; rounds alternate between the contestants, the median counts. FILE is
any file of games that `tabia convert` reads; without one, the bundled sample is judged, 200 games
of engines. No other program is measured: pyffish judges one position of a game a call, and
tests/games/test_xiangqi_referee_peers.py compares the verdicts.

Plies a second, up to the end of each game by the rules:

moves alone
    `Board.push`, which checks every move for legality.
none, simple, asian
    `judge` with these rules on repetition and the 60-move rule.

Also what the games came to, and milliseconds a cycle: what `asian` takes longer than `none` up to
the first position that comes up a third time, which is mostly the look at its cycle.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabia._native.xiangqi_board import Board
from tabia.games.xiangqi_referee import RULE_SETS, RuleSet, Verdict, judge
from tabia.records.opening import members
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.record import Record

_SAMPLE = Path(__file__).resolve().parents[1] / "resources/sample/xiangqi.pgn.zst"

Games = list[Record]


def main() -> None:
    parser = argparse.ArgumentParser(description="Xiangqi's referee by each set of rules.")
    parser.add_argument("files", nargs="*", type=Path, default=[_SAMPLE], help="files of games")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    options = parser.parse_args()
    games = [game for file in options.files for game in _read(file)]
    verdicts = {rules: _judge(games, rules) for rules in RULE_SETS}
    plies = sum(len(game.moves) for game in games)
    rates = _rates(games, verdicts, options.rounds)
    ms_per_cycle = _ms_per_cycle(games, verdicts["asian"], options.rounds)
    endings = {
        rules: Counter(verdict.reason if verdict else "goes on" for verdict in each)
        for rules, each in verdicts.items()
    }
    if options.json:
        counted = {"games": len(games), "plies": plies, "ms_per_cycle": ms_per_cycle}
        print(json.dumps({**counted, "plies_per_s": rates, "endings": endings}, indent=2))
        return
    print(f"{len(games):,} games, {plies:,} plies; one core")
    for name, rate in rates.items():
        print(f"{name:12} {rate:12,} plies/s")
    print(f"a cycle by asian rules: {ms_per_cycle} ms")
    for rules, counts in endings.items():
        print(f"{rules:12} {', '.join(f'{n} {reason}' for reason, n in counts.most_common())}")


def _read(file: Path) -> Games:
    return [
        one
        for member in members(file, file.name)
        for one in formats.read(b"".join(member.chunks), member.name)
        if isinstance(one, Record)
    ]


def _judge(games: Games, rules: RuleSet) -> list[Verdict | None]:
    return [judge(game.moves, game.start_fen, rules=rules) for game in games]


def _push(games: Games) -> None:
    for game in games:
        board = Board(game.start_fen)
        for code in game.moves:
            board.push(code)


def _rates(
    games: Games, verdicts: dict[RuleSet, list[Verdict | None]], rounds: int
) -> dict[str, int]:
    plies = {"moves alone": sum(len(game.moves) for game in games)}
    tasks: dict[str, Callable[[], object]] = {"moves alone": partial(_push, games)}
    for rules, each in verdicts.items():
        pairs = zip(games, each, strict=True)
        plies[rules] = sum(one.ply if one else len(game.moves) for game, one in pairs)
        tasks[rules] = partial(_judge, games, rules)
    return {name: round(plies[name] / seconds) for name, seconds in _medians(tasks, rounds).items()}


def _ms_per_cycle(games: Games, verdicts: list[Verdict | None], rounds: int) -> float | None:
    # Cut at the end, so that every set of rules sees the same moves.
    pairs = zip(games, verdicts, strict=True)
    cut = [(game.start_fen, game.moves[: one.ply]) for game, one in pairs if one and one.cycle]
    if not cut:
        return None

    def every(rules: RuleSet) -> None:
        for start, moves in cut:
            judge(moves, start, rules=rules)

    tasks: dict[str, Callable[[], object]] = {
        "asian": partial(every, "asian"),
        "none": partial(every, "none"),
    }
    seconds = _medians(tasks, rounds)
    return round(1000 * (seconds["asian"] - seconds["none"]) / len(cut), 2)


def _medians(tasks: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    names = list(tasks)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = time.process_time()
            tasks[name]()
            seconds[name].append(max(time.process_time() - start, 1e-4))
    return {name: statistics.median(each) for name, each in seconds.items()}


if __name__ == "__main__":
    main()
