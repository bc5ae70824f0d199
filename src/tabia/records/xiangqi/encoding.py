"""Encodings of text records: which ones a file can have, the likeliest first.

Bytes alone do not tell Big5 from GB18030: nearly every Big5 text is also a valid GB18030 text, of
other characters. So a reader tries the encodings in this order until the moves can be read.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from functools import cache
from typing import Literal

__all__ = [
    "MOVE",
    "NEARLY",
    "Encoding",
    "decode",
    "encodings_of_part",
    "likely_encodings",
    "without_utf16",
]

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
_MOVES_THAT_TELL = 3  # one may come about by chance in another encoding
_CHARACTERS_A_MOVE = 4  # of a move in Chinese
_THREE_BYTES = "\u0800"  # in UTF-8 from here on; two bytes are also a character of GB18030 or Big5
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

    What is UTF-8 without an error is nothing else. Otherwise counts how many moves in Chinese the
    beginning of the text would have, and how many characters that are none or no common ones.

    Parameters
    ----------
    data
        The text.
    """
    if data.isascii() or _is_utf8(data):
        return ("utf-8",)
    doubts = _doubts(data)
    return tuple(sorted(_ORDER, key=lambda name: (doubts[name], _ORDER.index(name))))


def encodings_of_part(part: bytes, whole: tuple[Encoding, ...]) -> tuple[Encoding, ...]:
    """Encodings that a part of a text may have, which may be another than that of the whole.

    A part is often too short to tell by itself, as two names are. So the likeliest of the whole is
    kept unless another has more moves, or at least two strange characters less.

    Parameters
    ----------
    part
        Some of the text, of whole lines.
    whole
        What `likely_encodings` gives for all of it.
    """
    if part.isascii():
        return ("utf-8",)
    if _is_utf8(part) and (whole[0] == "utf-8" or max(part.decode()) >= _THREE_BYTES):
        return ("utf-8",)
    doubts = _doubts(part)

    def order(name: Encoding) -> tuple[int, int]:
        return doubts[name] + (name != whole[0]), (*whole, *_ORDER).index(name)

    return tuple(sorted(_ORDER, key=order))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _doubts(data: bytes) -> dict[Encoding, int]:
    """What speaks against each encoding: strange characters, less what its moves outweigh.

    Where the moves alone tell the likeliest, characters are not counted.
    """
    texts = {encoding: _decode_head(data[:_HEAD], encoding) for encoding in _ORDER}
    moves = {encoding: len(MOVE.findall(text)) for encoding, text in texts.items()}
    *_, second, most = sorted(moves.values())
    if most - second >= _MOVES_THAT_TELL:
        return {encoding: -number for encoding, number in moves.items()}
    return {
        encoding: _strange(text, encoding) - _CHARACTERS_A_MOVE * moves[encoding]
        for encoding, text in texts.items()
    }


def _decode_head(head: bytes, encoding: Encoding) -> str:
    decoder = codecs.getincrementaldecoder(_CODECS[encoding][0])("replace")
    return decoder.decode(head)  # a character that the head cuts in two is waited for


def _strange(text: str, encoding: Encoding) -> int:
    """Characters that are none, or none of those that most texts of an encoding consist of."""
    if encoding == "utf-8":
        return text.count("\N{REPLACEMENT CHARACTER}")
    common = _common(encoding)
    return sum(
        number
        for character, number in Counter(text).items()
        if not character.isascii() and character not in common
    )


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
