"""XQF, the files of XQStudio (象棋演播室), versions 1.0 to 1.8: one game, with side lines, each.

A header of 1,024 bytes is followed by the tree of moves. From version 11 (1.1) on the bytes of the
tree are shifted by a stream of 32 key bytes, and squares and lengths by keys of their own; all are
derived from the header. Facts: XQF.TXT by the program's author (version 1.0), XQFileRW.pas of
XQStudio and xqf2pgn of ElephantEye for the keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tabia.records.xiangqi.encoding import decode, likely_encodings
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import Result
from tabia.records.xiangqi.squares import PIECES, FileError, Sheet, TextField, clean, known

__all__ = ["read"]

_HEADER = 0x400
_PLAIN, _ROTATED, _NEWEST = 10, 12, 18  # last version without keys, first with turned pieces
_STREAM = b"[(C) Copyright Mr. Dong Shiwei.]"
_ROOT_SHIFT, _TARGET_SHIFT = 24, 32
_HAS_NEXT, _HAS_SIBLING, _HAS_COMMENT = 0x80, 0x40, 0x20
_RESULTS: dict[int, Result] = {1: 1, 2: -1, 3: 0, 4: 0}
# Offsets of texts with a byte of length in front, and the most that each can hold.
_TEXTS: dict[TextField | Literal["title"], tuple[int, int]] = {
    "title": (0x50, 63),
    "event": (0xD0, 63),
    "date": (0x110, 15),
    "site": (0x120, 15),
    "first_name": (0x130, 15),
    "second_name": (0x140, 15),
    "time_control": (0x150, 63),
}


@dataclass(frozen=True, slots=True)
class _Keys:
    """What is to be subtracted from pieces, origins, targets, lengths and the stream."""

    pieces: int = 0
    origin: int = 0
    target: int = 0
    length: int = 0
    stream: bytes = bytes(32)


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the game of an XQF file, or what is wrong with it."""
    try:
        sheet = _sheet(data)
    except FileError as error:
        yield Reject(reason="bad_file", detail=f"{name}: {error}")
    else:
        yield from sheet.records(name)


def _sheet(data: bytes) -> Sheet:
    if data[:2] != b"XQ":
        raise FileError(f"an XQF file begins with XQ, not {data[:2]!r}")
    if len(data) < _HEADER + 4:
        raise FileError(f"{len(data)} bytes, an XQF file has at least {_HEADER + 4}; it is cut")
    version = data[2]
    if version > _NEWEST:
        raise FileError(f"XQF version {version} is not known; save it as 1.8 ({_NEWEST}) or older")
    keys = _keys(data) if version > _PLAIN else _Keys()
    squares, comments, side_lines, cut = _main_line(data, keys, version)
    texts = {
        field: data[at + 1 : at + 1 + min(data[at], most)] for field, (at, most) in _TEXTS.items()
    }
    encoding = likely_encodings(b"\n".join([*texts.values(), *comments.values()]))[0]
    plain = {field: known(decode(text, encoding)) for field, text in texts.items()}
    return Sheet(
        pieces=_pieces(data, keys, version),
        black_to_move=data[0x32] == 1,
        squares=squares,
        comments={ply: clean(decode(text, encoding)) for ply, text in comments.items()},
        side_lines=side_lines,
        texts={
            **{field: text for field, text in plain.items() if field != "title"},
            "event": plain["event"] or plain["title"],
        },
        result=_RESULTS.get(data[0x33]),
        encoding=encoding,
        cut=cut,
    )


def _keys(data: bytes) -> _Keys:
    mask, ors, sums = data[3], data[8:12], data[12:16]
    if sum(sums) & 0xFF:
        raise FileError(f"its key bytes {sums.hex(' ')} do not sum up to 0 modulo 256")
    pieces = _factor(sums[1]) * sums[1] & 0xFF
    origin = _factor(sums[2]) * pieces & 0xFF
    key = bytes(ors[i] | (sums[i] & mask) for i in range(4))
    return _Keys(
        pieces=pieces,
        origin=origin,
        target=_factor(sums[3]) * origin & 0xFF,
        length=(sums[0] * 256 + sums[1]) % 32000 + 767,
        stream=bytes(_STREAM[i] & key[i % 4] for i in range(32)),
    )


def _factor(key: int) -> int:
    return 54 * key * key + 221


def _pieces(data: bytes, keys: _Keys, version: int) -> dict[int, str]:
    """Letters by square; a piece that is off the board has a number of 90 or more."""
    stored = [(number - keys.pieces) & 0xFF for number in data[16:48]]
    turn = keys.pieces + 1 if version >= _ROTATED else 0
    pieces: dict[int, str] = {}
    for i, number in enumerate(stored):
        if number < 90:
            slot = (i + turn) % 32
            letter = PIECES[slot % 16]
            square = _square(number)
            if square in pieces:
                raise FileError(f"two pieces stand on square {number} (10 * file + rank)")
            pieces[square] = letter if slot < 16 else letter.lower()
    return pieces


def _square(number: int) -> int:
    """Square of 10 * file + rank; -1 where it is none."""
    return 9 * (number % 10) + number // 10 if number < 90 else -1


def _main_line(
    data: bytes, keys: _Keys, version: int
) -> tuple[list[tuple[int, int]], dict[int, bytes], int, str | None]:
    """Pairs of squares and comments of the first line, the number of others, and what is cut.

    The tree is stored node, what follows it, then what could be played instead of it.
    """
    nodes = _Nodes(data, keys, version)
    squares: list[tuple[int, int]] = []
    comments: dict[int, bytes] = {}
    side_lines = 0
    for ply, (origin, target, flags, comment) in enumerate(nodes.walk()):
        if ply:  # the first node stands for the start
            squares.append((origin, target))
            side_lines += bool(flags & _HAS_SIBLING)
        if comment:
            comments[ply] = comment
        if not flags & _HAS_NEXT:
            break
    # A side line cut short does not harm the main line, which is whole; the caller tells of it.
    waiting = side_lines
    try:
        while waiting:
            _, _, flags, _ = nodes.next()
            fork = bool(flags & _HAS_SIBLING)
            side_lines += fork
            waiting += fork - (not flags & _HAS_NEXT)
    except FileError as error:
        return squares, comments, side_lines, str(error)
    return squares, comments, side_lines, None


class _Nodes:
    """Nodes of a tree, one after another."""

    def __init__(self, data: bytes, keys: _Keys, version: int) -> None:
        self._data = data
        self._keys = keys
        self._is_plain = version <= _PLAIN
        self._at = _HEADER

    def walk(self) -> Iterator[tuple[int, int, int, bytes]]:
        while True:
            yield self.next()

    def next(self) -> tuple[int, int, int, bytes]:
        """Origin, target, flags and comment of the next node."""
        start, target, tag, _ = self._take(4)
        if self._is_plain:
            flags = (_HAS_NEXT if tag & 0xF0 else 0) | (_HAS_SIBLING if tag & 0x0F else 0)
            flags |= _HAS_COMMENT
        else:
            flags = tag
        comment = b""
        if flags & _HAS_COMMENT:
            size = int.from_bytes(self._take(4), "little") - self._keys.length
            if size < 0:
                raise FileError(f"a comment before byte {self._at} has {size} bytes")
            comment = self._take(size)
        return (
            _square((start - _ROOT_SHIFT - self._keys.origin) & 0xFF),
            _square((target - _TARGET_SHIFT - self._keys.target) & 0xFF),
            flags,
            comment,
        )

    def _take(self, size: int) -> bytes:
        piece = self._data[self._at : self._at + size]
        if len(piece) < size:
            raise FileError(
                f"the moves break off at byte {len(self._data)}; the file is cut or damaged"
            )
        stream = self._keys.stream
        plain = bytes((byte - stream[i % 32]) & 0xFF for i, byte in enumerate(piece, self._at))
        self._at += size
        return plain
