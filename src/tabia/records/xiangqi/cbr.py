"""CBR, the records of CCBridge (象棋桥), version 2: one game, with side lines, each.

Texts are UTF-16LE at fixed offsets, the board is 90 bytes from Black's left rook on, and the moves
follow from byte 2214. Facts: published descriptions of the format, checked on real files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tabia.records.xiangqi.places import Place
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import Result
from tabia.records.xiangqi.sniffing import CBR_MAGIC
from tabia.records.xiangqi.squares import FileError, Sheet, TextField, clean, known

__all__ = ["read", "records"]

_HEADER = 2214
_VERSION_AT, _VERSION = 19, 2
_RESULT_AT, _SIDE_AT, _BOARD_AT = 2076, 2112, 2120
_RED, _BLACK = 0x10, 0x20
_LETTERS = "?RNBAKCP"
_IS_LAST, _HAS_SIBLING, _HAS_COMMENT = 0x01, 0x02, 0x04
_RESULTS: dict[int, Result] = {1: 1, 2: -1, 3: 0}
# Offsets and sizes in bytes.
_TEXTS: dict[TextField | Literal["title"], tuple[int, int]] = {
    "title": (180, 128),
    "event": (692, 64),
    "round": (756, 64),
    "date": (884, 64),
    "site": (948, 64),
    "time_control": (1012, 64),
    "first_name": (1076, 64),
    "second_name": (1300, 64),
    "termination": (2080, 32),
}


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the game of a CBR file, or what is wrong with it."""
    yield from records(data, name)


def records(data: bytes, name: str, byte_offset: int = 0) -> Iterator[Record | Reject]:
    """Yield the game of a CBR record, which in a library begins at `byte_offset`."""
    place = Place(byte_offset)
    try:
        sheet = _sheet(data)
    except FileError as error:
        yield place.reject("bad_file", f"{name}: {error}")
    else:
        yield from sheet.records(name, place)


def _sheet(data: bytes) -> Sheet:
    if data[:16] != CBR_MAGIC:
        raise FileError(f"a CBR record begins with {CBR_MAGIC!r}, not {data[:16]!r}")
    if len(data) < _HEADER + 4:
        raise FileError(f"{len(data)} bytes, a CBR record has at least {_HEADER + 4}; it is cut")
    if data[_VERSION_AT] != _VERSION:
        raise FileError(
            f"CBR version {data[_VERSION_AT]} is not known; save it as version {_VERSION}"
        )
    texts = {field: known(_text(data[at : at + size])) for field, (at, size) in _TEXTS.items()}
    squares, comments, side_lines, cut = _main_line(data)
    return Sheet(
        pieces=_pieces(data),
        black_to_move=data[_SIDE_AT] == 2,
        squares=squares,
        comments=comments,
        side_lines=side_lines,
        texts={
            **{field: text for field, text in texts.items() if field != "title"},
            "event": texts["event"] or texts["title"],
        },
        result=_RESULTS.get(data[_RESULT_AT]),
        encoding="utf-16-le",
        cut=cut,
    )


def _text(data: bytes) -> str:
    """Text before the first NUL; what lies behind it is no more than old memory."""
    return data[: len(data) & ~1].decode("utf-16-le", "replace").split("\0")[0]


def _square(index: int) -> int:
    """Square of an index that counts from Black's back rank; -1 where it is none."""
    return 9 * (9 - index // 9) + index % 9 if index < 90 else -1


def _pieces(data: bytes) -> dict[int, str]:
    pieces = {}
    for index, number in enumerate(data[_BOARD_AT : _BOARD_AT + 90]):
        side, kind = number & 0xF0, number & 0x0F
        if side in (_RED, _BLACK) and 1 <= kind < len(_LETTERS):
            letter = _LETTERS[kind]
            pieces[_square(index)] = letter if side == _RED else letter.lower()
        elif number:
            raise FileError(f"board byte {number:#04x} at {_BOARD_AT + index} is no piece")
    return pieces


def _main_line(
    data: bytes,
) -> tuple[list[tuple[int, int]], dict[int, str], int, str | None]:
    """Pairs of squares and comments of the first line, the number of others, and what is cut.

    A line ends with the move that is marked so, or at four zero bytes: programs that do not set
    the mark fill up with them.
    """
    squares: list[tuple[int, int]] = []
    comments: dict[int, str] = {}
    side_lines = 0
    flags, _, _, comment, at = _node(data, _HEADER)  # stands for the start
    comments[0] = comment
    while not flags & _IS_LAST:
        if data[at : at + 4] == bytes(4):
            return squares, comments, side_lines, None
        flags, origin, target, comment, at = _node(data, at)
        squares.append((_square(origin), _square(target)))
        comments[len(squares)] = comment
        side_lines += bool(flags & _HAS_SIBLING)
    # A side line cut short does not harm the main line, which is whole; the caller tells of it.
    waiting = side_lines
    try:
        while waiting:
            flags, _, _, _, at = _node(data, at)
            fork = bool(flags & _HAS_SIBLING)
            side_lines += fork
            waiting += fork - bool(flags & _IS_LAST)
    except FileError as error:
        return squares, comments, side_lines, str(error)
    return squares, comments, side_lines, None


def _node(data: bytes, at: int) -> tuple[int, int, int, str, int]:
    """Flags, origin, target and comment of the node at `at`, and where the next one begins."""
    if at + 4 > len(data):
        raise FileError(f"the moves break off at byte {len(data)}; the file is cut or damaged")
    flags, _, origin, target = data[at : at + 4]
    at += 4
    if not flags & _HAS_COMMENT:
        return flags, origin, target, "", at
    size = int.from_bytes(data[at : at + 4], "little")
    at += 4
    if at + size > len(data):
        raise FileError(f"a comment of {size} bytes at {at} passes the end, {len(data)}")
    return flags, origin, target, clean(_text(data[at : at + size])), at + size
