"""SGF files to records: every game tree is a game with legal moves only, or a reject.

Moves are checked by the rules that all sets share: no play on a stone, no recapture of a ko at
once, and no suicide unless the record names rules that allow it. Longer repetitions are not
forbidden, since most rules end such a game in other ways.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tabia._native.go_board import Board, FenError, decode_vertex
from tabia._native.go_positions import replay
from tabia.records.go.encoding import to_utf8
from tabia.records.go.header import HANDICAP_POINTS, Header, allows_suicide, fields, text
from tabia.records.go.main_line import (
    BLACK,
    PASS,
    WHITE,
    MainLine,
    first_fault,
    main_line,
    point_code,
)
from tabia.records.go.record import Record, Reject
from tabia.records.go.start import start_text
from tabia.records.go.trees import Tree, trees

__all__ = ["read"]

_SMALLEST, _LARGEST = 5, 19


class _RejectError(Exception):
    """A record that is no game, with the reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


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
    passed, offset, line = 0, 0, 1
    for tree in trees(plain):
        found = True
        before = plain[passed : tree.offset]
        line += before.count(b"\n")
        if plain is data:
            offset = tree.offset
        else:
            offset += len(before.decode().encode(encoding, "replace"))
        passed = tree.offset
        yield _record(tree, encoding, offset, line)
    if not found and data.strip(b" \t\r\n\0\xef\xbb\xbf"):
        shown = " ".join(data[:200].decode("utf-8", "replace").split())[:60]
        yield Reject(
            reason="bad_file",
            detail=f"{name}: no game tree, (;…), in the file; it begins with {shown!r}",
        )


def _record(tree: Tree, encoding: str, offset: int, line: int) -> Record | Reject:
    main = main_line(tree.nodes)
    moves: NDArray[np.uint16] = np.empty(0, np.uint16)
    start: str | None = None
    rules: str | None = None
    try:
        size = _size(main.header)
        known = fields(main.header, encoding)
        rules = known["rules"]
        colors = np.concatenate(main.colors) if main.colors else np.empty(0, np.uint8)
        codes = np.concatenate(main.codes) if main.codes else np.empty(0, np.uint16)
        fault = first_fault(main, tree, codes, size)
        placed = _placed(colors, codes)
        stones, white_first = _begin(main, size, colors, codes[:placed], known["handicap"])
        codes, colors = codes[placed:], colors[placed:]
        again = 1 + np.flatnonzero(colors[1:] == colors[:-1])
        # Where one side moves twice, the other passed: some servers write no passes.
        moves = np.insert(codes, again, PASS) if len(again) else codes
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


# -- the start -----------------------------------------------------------------------------


def _begin(
    line: MainLine,
    size: int,
    colors: NDArray[np.uint8],
    placed: NDArray[np.uint16],
    handicap: int | None,
) -> tuple[dict[int, int], bool]:
    """Return the stones before the first move, and whether White makes it."""
    stones = _stones(line, size)
    if len(placed):
        color = 1 if colors[0] == BLACK else 2
        for code in placed.tolist():
            if code in stones:
                point = decode_vertex(code, 19)
                raise _RejectError("illegal_move", f"a stone on {point}, where one stands")
            stones[code] = color
        return stones, color == 1
    if len(colors):
        is_white = bool(colors[0] == WHITE)
        if is_white and not line.setup and size == 19:
            points = HANDICAP_POINTS.get(handicap or 0, "").encode().split()
            stones = dict.fromkeys((point_code(point, 19) for point in points), 1)
        return stones, is_white
    if line.player:
        return stones, line.player == "w"
    return stones, bool(stones) and 2 not in stones.values()


def _stones(line: MainLine, size: int) -> dict[int, int]:
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
    corners = [point_code(part, size) for part in value.split(b":")]
    if len(corners) > 2 or any(code >= PASS for code in corners):
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
    return n if (codes[:n] < PASS).all() else 0


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
    point = chr(97 + code % 19) + chr(97 + code // 19)
    return f"ply {legal + 1}: {side}[{point}] ({decode_vertex(code, board.size)}) {why}"


def _comments(
    line: MainLine, encoding: str, placed: int, again: NDArray[np.int64]
) -> dict[int, str]:
    """Return the comments by plies played, which placed stones and added passes shift."""
    comments: dict[int, str] = {}
    for moves, value in line.comments:
        if not (comment := text(value, encoding)):
            continue
        at = max(moves - placed, 0)
        ply = at + int(np.searchsorted(again, at, side="left"))
        comments[ply] = f"{comments[ply]}\n{comment}" if ply in comments else comment
    return comments
