"""Where the games of a PGN file begin and end, found in its bytes.

A file may mix encodings, so it is cut into games before it is decoded. What stands in a comment
begins nothing: ``{see 1-0`` before a line ``1. …}``, or a line of a comment that looks like a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tabia.records.xiangqi.results import TOKENS
from tabia.records.xiangqi.sniffing import TAG_LINE

__all__ = ["games"]

_BOM = b"\xef\xbb\xbf"
_TAG = rb"(?P<tag>" + TAG_LINE.pattern + rb")"
_NEXT = rb"(?P<next>(?:" + TOKENS.encode() + rb")[ \t]*\r?\n\s*(?=1[ \t]*\.))"
_LINE_COMMENT = rb"(?:^|(?<=\s));[^\n]*"
# A comment in which another opens was not closed: what is in it may be games.
_UTF8 = re.compile(
    rb"|".join((_TAG, _NEXT, rb"\{[^{}]*+\}", _LINE_COMMENT)),
    re.MULTILINE,
)
# The second byte of a character may be a brace in Big5 and GB18030.
_PAIR = rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"
_TWO_BYTES = re.compile(
    rb"|".join(
        (
            _TAG,
            _NEXT,
            rb"\{(?:" + _PAIR + rb"|[^{}])*+\}",
            _LINE_COMMENT,
            rb"(?:" + _PAIR + rb")++",
        )
    ),
    re.MULTILINE,
)


def games(text: bytes, *, is_utf8: bool) -> Iterator[tuple[int, int, int]]:
    """Yield where games, their movetexts and ends are.

    A tag begins a game if anything but tags stands before it, or if the game's first tag is
    repeated. What stands before the first tag is given as a game without tags; such games are told
    apart by their results, and begin with their movetext.

    Parameters
    ----------
    text
        The file, UTF-16 as UTF-8.
    is_utf8
        Whether all or most of it is UTF-8, not characters of two bytes.
    """
    start = end = 0
    first_name = None
    for match in (_UTF8 if is_utf8 else _TWO_BYTES).finditer(text):
        if match.lastgroup == "next":
            yield start, end, match.end()
            start = end = match.end()
            first_name = None
        elif match["tag"] is not None:
            between = text[end : match.start()].strip().strip(_BOM)
            if between or match[2] == first_name:
                yield start, end, match.start()
                first_name = None
            if first_name is None:
                start, first_name = match.start(), match[2]
            end = match.end()
    if text[start:].strip().strip(_BOM):
        yield start, end, len(text)
