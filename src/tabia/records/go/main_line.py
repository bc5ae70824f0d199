"""The main line of a game tree: its header, the stones placed, the moves, each as it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tabia.records.go.header import player
from tabia.records.go.trees import Node, Run, Tree

__all__ = [
    "BLACK",
    "NO_POINT",
    "PASS",
    "WHITE",
    "MainLine",
    "first_fault",
    "main_line",
    "point_code",
]

PASS = 361
"""Code of a pass."""
NO_POINT = 0xFFFF
"""Code of a text that is no point."""
BLACK, WHITE = ord("B"), ord("W")
"""Colours of moves, the letters of their properties."""

_SETUP = {b"AB": 1, b"AW": 2, b"AE": 0}
_CLOCKS = (b"BL", b"WL")
_A = ord("a")


def _summands(step: int, last: int) -> NDArray[np.uint16]:
    """Return what each of the letters a to t adds to a code, `[256]`; `last` is of t."""
    table = np.zeros(256, np.uint16)
    table[_A : _A + 19] = step * np.arange(19)
    table[_A + 19] = last
    return table


# tt is a pass on all boards up to 19 lines, and no point has one of its letters: the sum, modulo
# 2^16, is `PASS` for both and more for one.
_ROW = _summands(19, 40_000)
_COLUMN = _summands(1, PASS - 40_000 + (1 << 16))


@dataclass(slots=True)
class MainLine:
    """The main line of a tree as it stands in the file.

    Attributes
    ----------
    header
        First value of each property before the first move.
    setup
        Colour, 0 for none, and values of each property that places stones before the first move.
    player
        ``b`` or ``w`` where a ``PL`` before the first move names one.
    colors, codes
        Of the moves, in pieces: `BLACK` or `WHITE`, and 19 * row + column, `PASS` or `NO_POINT`.
    texts
        Of moves that are no point, by moves before them.
    comments
        Moves played before each, and its value.
    moves
        Number of moves.
    placed_at
        Moves before stones that were placed or taken off within the game, or None.
    has_clocks
        Whether time left is noted.
    """

    header: dict[bytes, bytes] = field(default_factory=dict)
    setup: list[tuple[int, list[bytes]]] = field(default_factory=list)
    player: str = ""
    colors: list[NDArray[np.uint8]] = field(default_factory=list)
    codes: list[NDArray[np.uint16]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    comments: list[tuple[int, bytes]] = field(default_factory=list)
    moves: int = 0
    placed_at: int | None = None
    has_clocks: bool = False


def main_line(nodes: Iterable[Run | Node]) -> MainLine:
    """Return the main line of a tree's nodes."""
    line = MainLine()
    for node in nodes:
        if isinstance(node, Node):
            _node(line, node)
            continue
        grid = np.frombuffer(node.text, np.uint8).reshape(-1, 6)
        codes = _COLUMN[grid[:, 3]] + _ROW[grid[:, 4]]
        if codes.max() > PASS:
            for at in np.flatnonzero(codes > PASS).tolist():
                codes[at] = NO_POINT
                line.texts[line.moves + at] = bytes(grid[at, 3:5]).decode()
        line.colors.append(grid[:, 1])
        line.codes.append(codes)
        line.moves += len(grid)
    return line


def _node(line: MainLine, node: Node) -> None:
    moves, late = [], False
    for name, values in node.properties:
        if name in (b"B", b"W"):
            moves.append((name, values))
        elif name in _SETUP:
            if line.moves:
                late = True
            else:
                line.setup.append((_SETUP[name], values))
        elif name == b"PL" and not line.moves:
            line.player = player(values[0])
        elif name in _CLOCKS:
            line.has_clocks = True
        elif name == b"C":
            continue
        elif not line.moves:
            line.header.setdefault(name, values[0])
    for name, values in moves:
        code = point_code(values[0].strip(), 19) if len(values) == 1 else NO_POINT
        if code == NO_POINT:
            line.texts[line.moves] = "][".join(value.decode("utf-8", "replace") for value in values)
        line.colors.append(np.array([name[0]], np.uint8))
        line.codes.append(np.array([code], np.uint16))
        line.moves += 1
    if late and line.placed_at is None:
        line.placed_at = line.moves
    for name, values in node.properties:
        if name == b"C":
            line.comments.append((line.moves, values[0]))


def point_code(value: bytes, size: int) -> int:
    """Return the code of a point or pass, `NO_POINT` if it is none."""
    if value in (b"", b"tt"):
        return PASS
    if len(value) != 2:
        return NO_POINT
    column, row = value[0] - _A, value[1] - _A
    return 19 * row + column if 0 <= column < size and 0 <= row < size else NO_POINT


def first_fault(
    line: MainLine, tree: Tree, codes: NDArray[np.uint16], size: int
) -> tuple[int, str, str] | None:
    """Return the first fault of the text: moves before it, reason and detail."""
    faults: list[tuple[int, str, str]] = []
    off = np.zeros(0, np.bool_)
    if size < 19 or line.texts:
        off = (codes != PASS) & ((codes % 19 >= size) | (codes // 19 >= size))
    if off.any():
        at = int(np.argmax(off))
        code = int(codes[at])
        shown = line.texts.get(at) or chr(_A + code % 19) + chr(_A + code // 19)
        detail = f"ply {at + 1}: [{shown}] is no point of a board of {size} lines"
        faults.append((at, "bad_move", detail))
    if line.placed_at is not None and line.placed_at < line.moves:
        detail = f"stones are placed or taken off behind ply {line.placed_at}, and moves follow"
        faults.append((line.placed_at, "bad_setup", detail))
    if tree.fault is not None:
        faults.append((line.moves, "bad_record", tree.fault))
    return min(faults, default=None)
