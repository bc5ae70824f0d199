"""Encodings of text records: which ones a file can have, the likeliest first.

Bytes alone do not tell Big5 from GB18030: nearly every Big5 text is also a valid GB18030 text, of
other characters. So a reader tries the encodings in this order until the moves can be read.
"""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import Literal

__all__ = ["MOVE", "NEARLY", "Encoding", "decode", "likely_encodings", "without_utf16"]

Encoding = Literal["utf-8", "gb18030", "big5", "utf-16"]
"""What `Record.encoding` can be; pure ASCII counts as UTF-8."""

_PIECES = "帥帅將将仕士相象馬马傌㐷車车俥伡\uf902砲炮包兵卒"
_MARKS = "前中後后"
_DIGITS = "一二三四五六七八九1-9１-９"
_ACTIONS = "進进退平"
MOVE = re.compile(
    f"(?:[{_MARKS}{_DIGITS}]?[{_PIECES}][{_MARKS}{_DIGITS}]?"
    f"|[{_MARKS}{_DIGITS}][{_DIGITS}]|[{_DIGITS}][{_MARKS}])"
    f"[{_ACTIONS}][{_DIGITS}]"
)
"""What a move looks like in Chinese, with every character that `read_moves` takes."""

NEARLY = re.compile(
    f"[{_ACTIONS}][{_DIGITS}]|[{_DIGITS}][{_ACTIONS}]|[{_PIECES}][{_MARKS}{_DIGITS}]"
    rf"|[{_MARKS}][{_PIECES}]|(?<![A-Za-z0-9])[A-Ia-i][0-9]|[A-Za-z][0-9][-+=.][0-9]"
)
"""What remains of a damaged move, in Chinese, coordinates or WXF."""

_HEAD = 1 << 16
_ORDER: tuple[Encoding, ...] = ("utf-8", "gb18030", "big5")
# Windows' Big5 has the characters that Taiwan's programs write, Hong Kong's has more of them.
_CODECS = {"utf-8": ("utf-8",), "gb18030": ("gb18030",), "big5": ("cp950", "big5hkscs")}


def decode(data: bytes, encoding: Encoding) -> str:
    """Text of bytes; what the encoding does not have becomes U+FFFD."""
    for codec in _CODECS[encoding]:
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    return data.decode(_CODECS[encoding][0], "replace")


def likely_encodings(data: bytes) -> tuple[Encoding, ...]:
    """Encodings that a text without a byte order mark may have, the likeliest first.

    Encodings are ordered by how many moves in Chinese the beginning of the text would have, then
    by how many bytes would be no characters, then by the share of common characters.

    Parameters
    ----------
    data
        The text.
    """
    if data.isascii():
        return ("utf-8",)
    head = data[:_HEAD]
    texts = {encoding: _decode_head(head, encoding) for encoding in _ORDER}
    moves = {encoding: len(MOVE.findall(text)) for encoding, text in texts.items()}
    wrong = {encoding: text.count("\N{REPLACEMENT CHARACTER}") for encoding, text in texts.items()}
    if not any(moves.values()):
        common = {encoding: _common_share(texts[encoding], encoding) for encoding in _ORDER}
    else:
        common = dict.fromkeys(_ORDER, 0.0)
    return tuple(
        sorted(
            _ORDER,
            key=lambda name: (-moves[name], wrong[name], -common[name], _ORDER.index(name)),
        )
    )


def _decode_head(head: bytes, encoding: Encoding) -> str:
    decoder = codecs.getincrementaldecoder(_CODECS[encoding][0])("replace")
    return decoder.decode(head)  # a character that the head cuts in two is waited for


def _common_share(text: str, encoding: Encoding) -> float:
    foreign = [character for character in text if not character.isascii()]
    if encoding == "utf-8" or not foreign:
        return 1.0
    common = _common(encoding)
    return sum(character in common for character in foreign) / len(foreign)


@cache
def _common(encoding: Encoding) -> frozenset[str]:
    """Characters of the levels that hold the frequent ones, and punctuation."""
    if encoding == "big5":
        rows, cells = [*range(0xA1, 0xC7)], [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    else:
        rows, cells = [*range(0xA1, 0xA4), *range(0xB0, 0xD8)], [*range(0xA1, 0xFF)]
    codec = "big5" if encoding == "big5" else "gb2312"
    pairs = (bytes((row, cell)) for row in rows for cell in cells)
    return frozenset("".join(pair.decode(codec, "ignore") for pair in pairs))


def without_utf16(data: bytes) -> tuple[bytes, bool]:
    """UTF-16 as UTF-8, and whether it was; anything else as it is.

    Recognised by the byte order mark or, without one, by a leading ``[`` of two bytes.
    """
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(codec, "replace").encode(), True
    for start, codec in ((b"[\0", "utf-16-le"), (b"\0[", "utf-16-be")):
        if data.startswith(start):
            return data.decode(codec, "replace").encode(), True
    return data, False
