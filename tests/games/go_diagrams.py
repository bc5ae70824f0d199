"""Go boards drawn with letters."""

from __future__ import annotations

import re

from tabia._native.go_board import Board, encode_vertex


def fen_of(diagram: str, side: str = "b") -> str:
    """Text of a diagram: rows from the top, `.` empty, X black, O white, blanks left out."""
    rows = [line.replace(" ", "") for line in diagram.strip().splitlines()]
    packed = (re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{'/'.join(packed)} {side}"


def drawn(diagram: str, side: str = "b", **rules: object) -> Board:
    """Board of a diagram."""
    return Board(fen_of(diagram, side), **rules)  # type: ignore[arg-type]


def codes(board: Board, vertices: str) -> list[int]:
    """Codes of vertices with blanks between."""
    return [encode_vertex(vertex, board.size) for vertex in vertices.split()]


def play(board: Board, vertices: str) -> None:
    """Play vertices with blanks between."""
    for code in codes(board, vertices):
        board.push(code)
