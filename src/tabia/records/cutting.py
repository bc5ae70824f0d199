"""A stream of PGN as blocks of whole games, so that no file is ever held in memory.

Blocks change nothing: whatever their size, the same games are found with the same ordinals,
byte offsets and lines. What cannot be read as PGN becomes a :class:`Fault`, which the readers
count as one found and rejected record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tabia._native import chess_pgn
from tabia.records.block import BLOCK_BYTES, CORRUPT_FILE, Block, Fault
from tabia.records.opening import CorruptFileError

__all__ = ["NOT_PGN", "blocks", "no_game"]

NOT_PGN = "not_pgn"
"""Reject reason: a file that holds no game records."""

# A stretch without any game boundary is cut here all the same: at the last blank line before a
# tag, or else anywhere. No game is so long, and rubbish must not fill the memory.
_LONGEST = 64 << 20
_HEAD = 4096
_TAGS_AFTER_BLANK = re.compile(rb"\n\r?\n(?=\[[A-Za-z])")
_FINISHED = re.compile(rb"(?:^|[\s})])(?:1-0|0-1|1/2-1/2|\*)\s*\Z")
_FOREIGN = (
    (b"\xff\xfe", "UTF-16 text; convert it to UTF-8"),
    (b"\xfe\xff", "UTF-16 text; convert it to UTF-8"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"\x04\x22\x4d\x18", "LZ4 data; unpack it first"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"%PDF-", "a PDF document"),
    (b"PAR1", "a Parquet file"),
)


def blocks(chunks: Iterator[bytes], size: int = BLOCK_BYTES) -> Iterator[Block | Fault]:
    """Cut a stream into blocks of whole games.

    Parameters
    ----------
    chunks
        Plain bytes, as :attr:`tabia.records.opening.Member.chunks`.
    size
        Bytes that a block has at most, unless one game is longer.
    """
    buffer = bytearray()
    offset, line, enough, sniffed = 0, 1, size, False

    def cut_at(end: int, lines: int) -> Block:
        nonlocal offset, line
        with memoryview(buffer) as view:
            block = Block(bytes(view[:end]), offset, line)
        del buffer[:end]
        offset += end
        line += lines
        return block

    while True:
        try:
            chunk = next(chunks, b"")
        except CorruptFileError as error:
            if sniffed or _foreign(buffer) is None:
                end, lines = _last_whole(buffer)
                if end:
                    yield cut_at(end, lines)
                yield Fault(CORRUPT_FILE, str(error), offset, line)
            else:
                yield Fault(CORRUPT_FILE, str(error), 0, 1)
            return
        buffer += chunk
        if not sniffed and (len(buffer) >= _HEAD or not chunk):
            if (detail := _foreign(buffer)) is not None:
                yield Fault(NOT_PGN, detail, 0, 1)
                return
            sniffed = True
        while sniffed and len(buffer) >= enough:
            end, lines = chess_pgn.safe_cut(memoryview(buffer)[:enough])
            if not end and enough >= _LONGEST:
                end, lines = _forced_cut(buffer, enough)
            if end:
                yield cut_at(end, lines)
                enough = size
            else:
                enough = min(2 * enough, max(_LONGEST, size))
        if not chunk:
            if buffer:
                yield cut_at(len(buffer), buffer.count(b"\n"))
            return


def no_game(head: bytes) -> Fault:
    """Return the fault of a file with text but no game; `head` is its beginning."""
    text = " ".join(head.decode("utf-8", "replace").split())
    return Fault(NOT_PGN, f"no game in the file; it begins with {text[:60]!r}", 0, 1)


def _foreign(buffer: bytes | bytearray) -> str | None:
    """Say what the file is if its first bytes cannot begin a PGN file."""
    head = bytes(buffer[:_HEAD])
    for magic, what in _FOREIGN:
        if head.startswith(magic):
            return what
    if b"\0" in head:
        return f"binary data; it begins with {head[:8].hex(' ')}"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if re.match(rb"<(?:!doctype|html|\?xml|!--)", text, re.IGNORECASE):
        return "HTML or XML, perhaps the page of a failed download"
    return None


def _last_whole(buffer: bytearray) -> tuple[int, int]:
    """Return where the last finished game ends in the readable part of a damaged file."""
    if _FINISHED.search(buffer, max(0, len(buffer) - 256)):
        return len(buffer), buffer.count(b"\n")
    return chess_pgn.safe_cut(buffer)


def _forced_cut(buffer: bytearray, limit: int) -> tuple[int, int]:
    end = limit
    for match in _TAGS_AFTER_BLANK.finditer(buffer, 0, limit):
        end = match.end()
    return end, buffer.count(b"\n", 0, end)
