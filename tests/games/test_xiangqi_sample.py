"""The bundled xiangqi games end as their tags say, and the recipe ends games so."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import zstandard

from tabia._native.xiangqi_board import Board, encode_move
from tabia.app import sample_xiangqi
from tabia.games.xiangqi_referee import Referee
from tabia.records.xiangqi.pgn import read
from tabia.records.xiangqi.record import Record

SAMPLES = Path(__file__).resolve().parents[2] / "resources/sample"
MAX_PLIES = 240


def bundled(size: str) -> list[Record]:
    packed = (SAMPLES / f"{size}.pgn.zst").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(packed).read()
    records = list(read(text, f"{size}.pgn"))
    assert all(isinstance(record, Record) for record in records)
    return [record for record in records if isinstance(record, Record)]


@pytest.mark.parametrize(("size", "n_games"), [("xiangqi", 200), ("xiangqi-tiny", 16)])
def test_every_bundled_game_ends_as_its_tags_say(size: str, n_games: int) -> None:
    endings: Counter[str] = Counter()
    records = bundled(size)
    assert len(records) == n_games
    for record in records:
        referee = Referee(max_plies=MAX_PLIES)
        for code in record.moves:
            assert referee.verdict is None, (record.round, referee.ply)
            referee.push(code)
        verdict = referee.verdict
        if verdict is None:
            # Who resigns is to move.
            resigned = 1 if referee.board.black_to_move else -1
            expected = (resigned, "resigned")
        else:
            expected = (verdict.result, verdict.reason.replace("_", " "))
        assert (record.result, record.termination) == expected, record.round
        assert not record.result_conflict
        endings[expected[1]] += 1
    assert endings["checkmate"] > 0
    assert endings["resigned"] > n_games // 4


# -- the recipe ----------------------------------------------------------------------------


class Scripted:
    """A player with given moves, and given scores in its own view."""

    def __init__(self, moves: list[int], scores: list[int]) -> None:
        self.answers = iter(zip(moves, scores, strict=True))

    def search(self, board: Board, nodes: int) -> tuple[int, dict[int, int]]:
        code, score = next(self.answers)
        return code, {code: score}


SHUFFLE = ["a0a1", "a9a8", "i0i1", "i9i8", "a1a2", "a8a7", "i1i2", "i8i7", "h0g2", "h9g7"]
SHUFFLE += ["b0c2", "b9c7", "g0e2", "g9e7", "f0e1", "f9e8"]


def finish(moves: list[str], scores: list[int], start: str | None = None) -> tuple[object, int]:
    """What the recipe makes of moves, each scored in the mover's view; and plies played."""
    codes = [encode_move(move) for move in moves]
    referee = Referee(start, max_plies=len(moves))
    red = int(referee.board.black_to_move)
    players = [Scripted(codes[first::2], scores[first::2]) for first in (red, 1 - red)]
    return sample_xiangqi._finish(referee, players, 1, True), referee.ply  # type: ignore[arg-type]


def test_the_side_that_both_find_lost_resigns_on_its_turn() -> None:
    assert finish(SHUFFLE, [1000, -1000] * 8) == ((1, "resigned"), 5)
    assert finish(SHUFFLE, [-1000, 1000] * 8) == ((-1, "resigned"), 6)


def test_nobody_resigns_while_both_think_that_they_win() -> None:
    assert finish(SHUFFLE, [1000] * 16) == ((0, "ply cap"), 16)
    assert finish(SHUFFLE, [-1000] * 16) == ((0, "ply cap"), 16)


def test_plies_on_which_a_side_is_found_lost_are_counted_without_a_break() -> None:
    scores = [1000, -1000, 1000, -1000, 1000, -999] + [1000, -1000] * 5
    assert finish(SHUFFLE, scores) == ((1, "resigned"), 11)


def test_a_mate_is_a_checkmate_though_both_have_found_the_game_decided() -> None:
    start = "9/4k4/9/9/9/9/R8/1R7/9/3K5 b - - 0 1"
    moves = ["e8e9", "b2b7", "e9f9", "b7b8", "f9e9", "a3a9"]
    assert finish(moves, [-1000, 1000] * 3, start) == ((1, "checkmate"), 6)
