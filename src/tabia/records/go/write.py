"""Go games as SGF FF[4], which is read back as the same game.

What is written: the fields of `Record`, its start, moves and comments. Side lines, time left at
moves and marks on the board are not kept by the reader, so they are not written.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabia._native.go_board import Board
from tabia.records.go.header import BLANKS
from tabia.records.go.record import Record
from tabia.records.go.results import write_result
from tabia.records.go.start import stones_of

__all__ = ["write_sgf"]

_PASS = 361
_MOVES_A_LINE = 10


def write_sgf(record: Record) -> str:
    """Return the game tree of one game, its last line ended; text in UTF-8."""
    board = Board(record.start_fen, size=record.board_size)
    white = board.white_to_move
    tree = "(;GM[1]FF[4]CA[UTF-8]AP[tabia]" + "".join(
        f"{name}[{_escaped(value)}]" for name, value in _header(record) if value
    )
    if record.start_fen is not None:
        for name, points in zip(("AB", "AW"), stones_of(board), strict=True):
            if points:
                tree += name + "".join(f"[{_point(code)}]" for code in points)
        tree += f"PL[{'W' if white else 'B'}]"
    tree += _comment(record, 0)
    for ply, code in enumerate(record.moves):
        mark = "\n;" if ply % _MOVES_A_LINE == 0 else ";"
        tree += f"{mark}{'W' if white else 'B'}[{_point(code)}]{_comment(record, ply + 1)}"
        white = not white
    return tree + ")\n"


def _header(record: Record) -> Iterator[tuple[str, str | None]]:
    main, _, overtime = (record.time_control or "").partition(", ")
    yield "SZ", str(record.board_size)
    yield "RU", record.rules
    # With a point, so that no program takes it for hundredths.
    yield "KM", None if record.komi is None else str(float(record.komi))
    yield "HA", None if record.handicap is None else str(record.handicap)
    yield "PB", record.first_name
    yield "BR", record.first_rank
    yield "PW", record.second_name
    yield "WR", record.second_rank
    yield "RE", write_result(record.result, record.termination)
    yield "DT", record.date
    yield "EV", record.event
    yield "RO", record.round
    yield "PC", record.site
    yield "TM", main
    yield "OT", overtime


def _comment(record: Record, ply: int) -> str:
    comment = record.comments.get(ply)
    return f"C[{_escaped(comment)}]" if comment else ""


def _point(code: int) -> str:
    return "" if code == _PASS else chr(97 + code % 19) + chr(97 + code // 19)


def _escaped(value: str) -> str:
    return BLANKS.sub(" ", value).replace("\\", "\\\\").replace("]", "\\]")
