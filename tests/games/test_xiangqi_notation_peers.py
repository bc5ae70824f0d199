"""WXF against pyffish (Fairy-Stockfish): read all that it writes, and differ only as documented.

`TABIA_XIANGQI_POSITIONS` sets how many positions are compared; docs/xiangqi_notation.md tells of a
run with more of them. A call of pyffish takes one to two milliseconds.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tabia._native.xiangqi_board import Board, decode_move
from tabia.games.xiangqi_moves import FROM_TO
from tabia.games.xiangqi_notation import parse_move, read_moves, write_moves
from tests.games.xiangqi_play import XIANGQI, master_games

pyffish = pytest.importorskip("pyffish")

POSITIONS = int(os.environ.get("TABIA_XIANGQI_POSITIONS", "250"))

# Many of a kind on one file, for what random play from the standard start hardly reaches.
STARTS = [
    None,
    "3k1a3/2P6/2P1ba3/2P6/9/2B6/9/3A5/3R5/2BAKR3 w - - 0 1",
    "4k4/9/3P1P3/3P1P3/5P3/2p1p4/2p1p4/9/2p6/3K5 b - - 0 1",
    "2bak4/4r4/3a5/2n1r4/2b1n4/9/9/2CC5/4A4/3AK4 b - - 0 1",
    "3k5/9/4P4/4P4/4P4/2N1C4/2N1C4/9/9/4K4 w - - 0 1",
]


def wxf(fen: str, code: int) -> str:
    move = decode_move(code, first_rank=1)
    return pyffish.get_san("xiangqi", fen, move, False, pyffish.NOTATION_XIANGQI_WXF)


def positions() -> Iterator[Board]:
    rng = random.Random(41)
    while True:
        for start in STARTS:
            board = Board(start)
            for _ in range(60):
                codes = board.legal_moves()
                if not codes:
                    break
                yield board
                board.push(rng.choice(codes))


def can_go(piece: int, start: int, end: int) -> bool:
    """Whether a piece could make that step on an empty board, were it one of its kind's."""
    if not 0 <= end < 90:
        return False
    kind = (piece - 1) % 7
    if kind in (1, 2):  # advisor, elephant: in their palace, on their side
        return 90 * start + end in FROM_TO
    if kind == 6 and start // 9 == end // 9:  # pawn, sideways
        return start >= 45 if piece <= 7 else start < 45
    return True


def difference(board: Board, code: int) -> str | None:
    """Why the two write a move differently, if they should."""
    pieces = board.piece_codes()
    start, end = divmod(code, 90)
    piece = pieces[start]
    like = [pieces[file::9].count(piece) for file in range(9)]
    count, shared = like[start % 9], sum(n > 1 for n in like)
    if count == 2 and (shared == 1 or (piece - 1) % 7 != 6):
        other = next(s for s in range(start % 9, 90, 9) if pieces[s] == piece and s != start)
        return None if can_go(piece, other, other + end - start) else "file is enough"
    return "three pawns" if count == 3 and shared == 1 else None


def test_wxf_equals_pyffish_but_for_two_kinds_of_moves() -> None:
    rng = random.Random(43)
    kinds: Counter[str | None] = Counter()
    for _, board in zip(range(POSITIONS), positions(), strict=False):
        codes = board.legal_moves()
        shared = [code for code in codes if write_moves([code], board.fen())[0][1] in "+-"]
        code = rng.choice(shared or codes)
        theirs = wxf(board.fen(), code)
        assert parse_move(board, theirs) == code
        kind = difference(board, code)
        kinds[kind] += 1
        ours = write_moves([code], board.fen())[0]
        assert (ours == theirs) == (kind is None), (ours, theirs, board.fen())
        if kind == "file is enough":  # ours says front or rear in any case
            assert ours[0] == theirs[0]
            assert ours[1] in "+-"
            assert theirs[1].isdigit()
        elif kind == "three pawns":  # theirs has the number from the front and the file
            assert theirs[0] in "123"
            assert ours[0] == "P"
        assert ours[2:] == theirs[2:]
    assert kinds[None] > POSITIONS // 2
    assert kinds["file is enough"] > 5
    assert kinds["three pawns"] > 5


@pytest.mark.parametrize(
    ("fen", "move", "theirs", "ours"),
    [
        (STARTS[1], "d0e1", "A6+5", "A-+5"),
        (STARTS[1], "c0a2", "E7+9", "E-+9"),
        (STARTS[1], "c4a2", "E7-9", "E+-9"),
        (STARTS[4], "e6d6", "25=6", "P5=6"),
        (STARTS[4], "e7e8", "15+1", "P++1"),
        (STARTS[4], "c4d6", "H++6", "H++6"),
        (STARTS[2], "c4c3", "17+1", None),
        (STARTS[2], "e3d3", "15=4", "15=4"),
        (STARTS[2], "c3b3", "23=2", "23=2"),
    ],
)
def test_known_moves(fen: str, move: str, theirs: str, ours: str | None) -> None:
    code = next((c for c in Board(fen).legal_moves() if decode_move(c) == move), None)
    assert (code is None) == (ours is None)
    if code is not None:
        assert wxf(fen, code) == theirs
        assert write_moves([code], fen) == [ours]


@pytest.mark.shared
@pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}")
def test_real_games_written_by_pyffish_are_read() -> None:
    left = POSITIONS
    for game in master_games()[::97]:
        moves = [decode_move(code, first_rank=1) for code in game[:left]]
        notation = pyffish.NOTATION_XIANGQI_WXF
        texts = pyffish.get_san_moves("xiangqi", Board().fen(), moves, False, notation)
        result = read_moves(texts)
        assert result.codes == game[: len(moves)]
        assert (result.fault, result.notation) == (None, "wxf")
        left -= len(moves)
        if left <= 0:
            break
