"""Real xiangqi games as starts and moves, and where they repeat; for machines that have some."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tabia._native.xiangqi_board import Board
from tabia.games.xiangqi_notation import read_moves
from tabia.games.xiangqi_referee import RuleSet, Verdict, judge
from tabia.records.opening import members
from tabia.records.xiangqi import pgn
from tabia.records.xiangqi.record import Record
from tests.games.test_shared_xiangqi import playok_games
from tests.games.xiangqi_play import XIANGQI, master_games

CCPD_STEP = 8

Game = tuple[str | None, tuple[int, ...]]


@cache
def real_games(name: str) -> list[Game]:
    """`master`, `playok`, or of every eighth file of CCPD each game once: `full`, `endings`."""
    if name == "master":
        return [(None, tuple(game)) for game in master_games()]
    if name == "playok":
        return [(None, tuple(read_moves(game).codes)) for game in playok_games()]
    return [game for game in _ccpd() if (game[0] is None) == (name == "full")]


@cache
def _ccpd() -> list[Game]:
    files = (
        member
        for member in members(XIANGQI / "ccpd_raw_big5_pgn.tar.zst", "c")
        if member.name.endswith(".pgn")
    )
    found: dict[Game, None] = {}
    for number, file in enumerate(files):
        if number % CCPD_STEP == 0:
            for one in pgn.read(b"".join(file.chunks), file.name):
                if isinstance(one, Record):
                    found[one.start_fen, tuple(one.moves)] = None
    return list(found)


def repetitions(name: str, rules: RuleSet) -> Iterator[tuple[str, list[int], Verdict]]:
    """Of each game that repeats: where the cycle starts, its moves, and the verdict."""
    for start, moves in real_games(name):
        verdict = judge(moves, start, rules=rules, quiet_plies=None)
        if verdict is None or verdict.cycle is None:
            continue
        first = verdict.cycle.plies[0]
        board = Board(start)
        for code in moves[:first]:
            board.push(code)
        yield f"{board.epd()} 0 1", list(moves[first : verdict.ply]), verdict
