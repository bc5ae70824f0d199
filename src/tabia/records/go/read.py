"""SGF files to records: every game tree is a game with legal moves only, or a reject.

Moves are checked by the rules that all sets share: no play on a stone, no recapture of a ko at
once, and no suicide unless the record names rules that allow it. Longer repetitions are not
forbidden, since most rules end such a game in other ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tabia._native.go_board import Board, FenError, decode_vertex
from tabia._native.go_positions import replay
from tabia.records.go.encoding import to_utf8
from tabia.records.go.header import HANDICAP_POINTS, Header, allows_suicide, fields, player, text
from tabia.records.go.record import Record, Reject
from tabia.records.go.start import start_text
from tabia.records.go.trees import Node, Run, Tree, trees

__all__ = ["read"]

_PASS = 361
_SMALLEST, _LARGEST = 5, 19
_BLACK, _WHITE = ord("B"), ord("W")
_SETUP = {b"AB": 1, b"AW": 2, b"AE": 0}
_CLOCKS = (b"BL", b"WL")
_OFF = 0xFFFF  # a text that is no point
_A, _T = ord("a"), ord("t") - ord("a")


class _RejectError(Exception):
    """A record that is no game, with the reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(slots=True)
class _Line:
    """The main line of a tree as it stands in the file."""

    header: dict[bytes, bytes] = field(default_factory=dict)
    setup: list[tuple[int, list[bytes]]] = field(default_factory=list)
    player: str = ""
    colors: list[NDArray[np.uint8]] = field(default_factory=list)
    codes: list[NDArray[np.uint16]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)  # of moves that are no point
    comments: list[tuple[int, bytes]] = field(default_factory=list)
    moves: int = 0
    placed_at: int | None = None  # moves before stones that were placed within the game
    has_clocks: bool = False


def read(data: bytes, name: str = "") -> Iterator[Record | Reject]:
    """Yield the records of an SGF file.

    Parameters
    ----------
    data
        The file, unpacked.
    name
        Of the file; for messages only.
    """
    plain, encoding = to_utf8(data)
    found = False
    for tree in trees(plain):
        found = True
        if plain is data:
            offset = tree.offset
        else:
            offset = len(plain[: tree.offset].decode().encode(encoding))
        line = 1 + plain.count(b"\n", 0, tree.offset)
        yield _record(tree, encoding, offset, line)
    if not found and data.strip(b" \t\r\n\0\xef\xbb\xbf"):
        shown = " ".join(data[:200].decode("utf-8", "replace").split())[:60]
        yield Reject(
            reason="bad_file",
            detail=f"{name}: no game tree, (;…), in the file; it begins with {shown!r}",
        )


def _record(tree: Tree, encoding: str, offset: int, line: int) -> Record | Reject:
    main = _line(tree.nodes)
    moves: NDArray[np.uint16] = np.empty(0, np.uint16)
    start: str | None = None
    rules: str | None = None
    try:
        size = _size(main.header)
        known = fields(main.header, encoding)
        rules = known["rules"]
        colors = np.concatenate(main.colors) if main.colors else np.empty(0, np.uint8)
        codes = np.concatenate(main.codes) if main.codes else np.empty(0, np.uint16)
        fault = _first_fault(main, tree, codes, size)
        stones = _stones(main, size)
        placed = _placed(colors, codes)
        if placed:
            _place(stones, codes[:placed], 1 if colors[0] == _BLACK else 2)
            white_first = bool(colors[0] == _BLACK)
        elif len(colors):
            white_first = bool(colors[0] == _WHITE)
            if white_first and not main.setup and size == 19:
                points = HANDICAP_POINTS.get(known["handicap"] or 0, "").encode().split()
                stones = dict.fromkeys((_code(point, 19) for point in points), 1)
        else:
            white_first = main.player == "w" or (
                not main.player and bool(stones) and 2 not in stones.values()
            )
        codes, colors = codes[placed:], colors[placed:]
        again = 1 + np.flatnonzero(colors[1:] == colors[:-1])
        # Where one side moves twice, the other passed: some servers write no passes.
        moves = np.insert(codes, again, _PASS)
        if fault is not None:
            at = max(fault[0] - placed, 0)
            moves = moves[: at + int(np.searchsorted(again, at))]
        try:
            start = start_text(size, stones, white_to_move=white_first)
        except FenError as error:
            moves = moves[:0]
            raise _RejectError("bad_setup", str(error)) from error
        legal = _legal(moves, start, rules)
        if legal < len(moves):
            raise _RejectError("illegal_move", _why_illegal(moves, legal, start, rules))
        if fault is not None:
            raise _RejectError(*fault[1:])
    except _RejectError as error:
        return Reject(
            reason=error.reason,
            detail=error.detail,
            byte_offset=offset,
            line=line,
            legal_plies=_legal(moves, start, rules),
        )
    return Record(
        moves=moves.tolist(),
        board_size=size,
        start_fen=start,
        passes_added=len(again),
        encoding=encoding,
        byte_offset=offset,
        line=line,
        has_clocks=main.has_clocks,
        comments=_comments(main, encoding, placed, again),
        variations=tree.side_lines,
        **known,
    )


# -- the main line -------------------------------------------------------------------------


def _line(nodes: Iterable[Run | Node]) -> _Line:
    line = _Line()
    for node in nodes:
        if isinstance(node, Node):
            _node(line, node)
            continue
        grid = np.frombuffer(node.text, np.uint8).reshape(-1, 6)
        column, row = grid[:, 3].astype(np.uint16) - _A, grid[:, 4].astype(np.uint16) - _A
        codes = np.where(column == _T, _PASS, 19 * row + column).astype(np.uint16)
        # tt is a pass on all boards up to 19 lines; no point has one of its letters.
        for at in np.flatnonzero((column == _T) != (row == _T)).tolist():
            codes[at] = _OFF
            line.texts[line.moves + at] = bytes(grid[at, 3:5]).decode()
        line.colors.append(grid[:, 1])
        line.codes.append(codes)
        line.moves += len(grid)
    return line


def _node(line: _Line, node: Node) -> None:
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
        code = _code(values[0].strip(), 19) if len(values) == 1 else _OFF
        if code == _OFF:
            line.texts[line.moves] = "][".join(value.decode("utf-8", "replace") for value in values)
        line.colors.append(np.array([name[0]], np.uint8))
        line.codes.append(np.array([code], np.uint16))
        line.moves += 1
    if late and line.placed_at is None:
        line.placed_at = line.moves
    for name, values in node.properties:
        if name == b"C":
            line.comments.append((line.moves, values[0]))


def _code(value: bytes, size: int) -> int:
    """Return the code of a point or pass, `_OFF` if it is none."""
    if value in (b"", b"tt"):
        return _PASS
    if len(value) != 2:
        return _OFF
    column, row = value[0] - _A, value[1] - _A
    return 19 * row + column if 0 <= column < size and 0 <= row < size else _OFF


def _size(header: Header) -> int:
    game = header.get(b"GM", b"1").strip()
    if game not in (b"", b"1"):
        shown = game.decode("utf-8", "replace")
        raise _RejectError("unknown_variant", f"GM[{shown}] is another game; Go is GM[1]")
    value = header.get(b"SZ", b"19").decode("utf-8", "replace").strip()
    columns, _, rows = value.partition(":")
    if rows.strip() not in ("", columns.strip()):
        raise _RejectError("bad_size", f"SZ[{value}]: rectangles are not read; boards are squares")
    try:
        size = int(columns)
    except ValueError:
        size = 0
    if not _SMALLEST <= size <= _LARGEST:
        raise _RejectError("bad_size", f"SZ[{value}]: sizes are from {_SMALLEST} to {_LARGEST}")
    return size


def _first_fault(
    line: _Line, tree: Tree, codes: NDArray[np.uint16], size: int
) -> tuple[int, str, str] | None:
    """Return the first fault of the text: moves before it, reason and detail."""
    faults: list[tuple[int, str, str]] = []
    off = (codes != _PASS) & ((codes % 19 >= size) | (codes // 19 >= size))
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


# -- the start -----------------------------------------------------------------------------


def _stones(line: _Line, size: int) -> dict[int, int]:
    stones: dict[int, int] = {}
    for color, values in line.setup:
        for value in values:
            for code in _points(value.strip(), size):
                stones[code] = color
    return {code: color for code, color in stones.items() if color}


def _points(value: bytes, size: int) -> list[int]:
    """Return the points of a value of a setup: one, a rectangle ``aa:cc``, or none."""
    if not value:
        return []
    corners = [_code(part, size) for part in value.split(b":")]
    if len(corners) > 2 or any(code >= _PASS for code in corners):
        shown = value.decode("utf-8", "replace")
        raise _RejectError("bad_setup", f"[{shown}] is no point of a board of {size} lines")
    (top, left), (bottom, right) = divmod(corners[0], 19), divmod(corners[-1], 19)
    return [
        19 * row + column
        for row in range(min(top, bottom), max(top, bottom) + 1)
        for column in range(min(left, right), max(left, right) + 1)
    ]


def _placed(colors: NDArray[np.uint8], codes: NDArray[np.uint16]) -> int:
    """Return how many stones one side puts down before the other's first move, 0 for less than two.

    They are handicap written as moves, or the opening stones of old Chinese rules.
    """
    if len(colors) < 2 or colors[0] != colors[1]:
        return 0
    other = np.flatnonzero(colors != colors[0])
    n = int(other[0]) if len(other) else len(colors)
    return n if (codes[:n] < _PASS).all() else 0


def _place(stones: dict[int, int], codes: NDArray[np.uint16], color: int) -> None:
    for code in codes.tolist():
        if code in stones:
            raise _RejectError(
                "illegal_move", f"ply 1: a stone on {decode_vertex(code, 19)}, which has one"
            )
        stones[code] = color


# -- moves ---------------------------------------------------------------------------------


def _legal(moves: NDArray[np.uint16], start: str | None, rules: str | None) -> int:
    if not len(moves):
        return 0
    ends = np.array([0, len(moves)], np.int64)
    return int(replay(moves, ends, [start], ko="simple", allows_suicide=allows_suicide(rules))[0])


def _why_illegal(
    moves: NDArray[np.uint16], legal: int, start: str | None, rules: str | None
) -> str:
    board = Board(start, ko="simple", allows_suicide=allows_suicide(rules))
    for code in moves[:legal].tolist():
        board.push(code)
    code = int(moves[legal])
    side = "W" if board.white_to_move else "B"
    if board.color(code):
        why = "on a stone"
    elif board.ko_point == code:
        why = "retakes a ko at once"
    else:
        why = f"is suicide, which {rules or 'no'} rules {'forbid' if rules else 'allow here'}"
    point = chr(_A + code % 19) + chr(_A + code // 19)
    return f"ply {legal + 1}: {side}[{point}] ({decode_vertex(code, board.size)}) {why}"


def _comments(line: _Line, encoding: str, placed: int, again: NDArray[np.int64]) -> dict[int, str]:
    """Return the comments by plies played, which placed stones and added passes shift."""
    comments: dict[int, str] = {}
    for moves, value in line.comments:
        if not (comment := text(value, encoding)):
            continue
        at = max(moves - placed, 0)
        ply = at + int(np.searchsorted(again, at, side="left"))
        comments[ply] = f"{comments[ply]}\n{comment}" if ply in comments else comment
    return comments
