"""Where the games of a PGN file, their tags and their movetexts are, found in its bytes.

A file may mix encodings, so it is cut into games before it is decoded. What stands in a comment or
a variation begins and ends nothing: ``{see 1-0`` before a line ``1. …}``, or a line of a comment
that looks like a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabia.records.xiangqi.encoding import decode, likely_encodings
from tabia.records.xiangqi.movetext import looks_like_move
from tabia.records.xiangqi.results import TOKENS

__all__ = ["Span", "Tag", "games"]

_BOM = b"\xef\xbb\xbf"
_BLANK = re.compile(rb"(?:\s|\xef\xbb\xbf)*+")
# Blanks, stops and dots of full width, in UTF-8, GB18030 and Big5.
_WIDE_BLANK = rb"(?:\xe3\x80\x80|\xa1[\xa1\x40])"
_STOP = rb"(?:\.|\xe3\x80\x81|\xef\xbc\x8e|\xa1[\xa2\x42\x44]|\xa3\xae)"
_DOTS = rb"(?:\.|\xe2\x80\xa6|\xa1[\xad\x4b])"
_ONE = rb"|".join(
    one + rb"(?<![^\s\]})\xbf]" + one + rb")"
    for one in (b"1", rb"\xef\xbc\x91", rb"\xa3\xb1", rb"\xa2\xb0")
)
_RESULT = TOKENS.encode() + rb"|1 - 0|0 - 1|1/2 - 1/2"
# What is not closed begins a header only if it is named as tags are.
_FIELDS = (
    rb"fen|setup|variant|game|event|site|date|round|red|black|white|result|format|red\w+|black\w+"
    rb"|white\w+|ecco|eco|opening|variation|timecontrol|termination|plycount|annotator"
)
# Each begins with a character, not with a condition, so that others are passed by fast.
_ALTERNATIVES = (
    rb"(?P<tag>\[[ \t]*(?P<name>[A-Za-z]\w*)[ \t]*\")",
    rb"(?P<broken>\[[ \t]*(?P<field>(?i:" + _FIELDS + rb"))\b[^\n]*)",
    rb"(?P<rule>[=\-_*~]{3,})",
    rb"(?P<one>(?:" + _ONE + rb")[ \t]*+" + _STOP + rb"(?![ \t]*" + _DOTS + rb"))",
    rb"(?P<result>(?:" + _RESULT + rb")(?!(?!" + _WIDE_BLANK + rb")[^\s{(;]))",
    rb"(?P<open>\()",
    rb"(?P<close>\))",
    rb";[^\n]*",
    rb"%(?<![^\n]%)[^\n]*",
)
# The second byte of a character may be a brace or a backslash in Big5 and GB18030.
_PAIR = rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"
_CLOSE = rb"(?P<close>\"[ \t]*\])"
# A comment in which another opens was not closed: what is in it may be games.
_UTF8 = re.compile(rb"|".join((*_ALTERNATIVES, rb"\{[^{}]*+\}")))
_TWO_BYTES = re.compile(
    rb"|".join((*_ALTERNATIVES, rb"\{(?:" + _PAIR + rb"|[^{}])*+\}", rb"(?:" + _PAIR + rb")++"))
)
# An escaped quote closes nothing, unless no other does: people end values with a backslash.
_UTF8_CLOSES = re.compile(rb"\\[\\\"]|" + _CLOSE)
_TWO_BYTES_CLOSES = re.compile(rb"(?:" + _PAIR + rb")++|\\[\\\"]|" + _CLOSE)
_CLOSES_SOMEHOW = re.compile(_CLOSE)
_CLOSES_LATER = re.compile(rb"\"[ \t\r]*\n?[ \t]*\]")
_OPENS = re.compile(rb"[ \t]*\[")
_BLANKS = re.compile(rb"(?:\xef\xbb\xbf|[ \t]|" + _WIDE_BLANK + rb")*+")
_LAST_OF_BLANKS = b" \t\xbf\x80\xa1\x40"
_INDENT = 200  # bytes
_LONGEST_WORD = 24
_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n\Z")
_TWO_FOLLOWS = re.compile(rb"\s*+(?:[^\s.]{1,20}\s{1,20}){1,2}2[ \t]*" + _STOP)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag.

    Attributes
    ----------
    name
        In small letters: some programs write ``[Fen``, some ``[event``.
    start, end
        Where its value stands, escapes and all.
    is_closed
        Whether it ends as a tag does. What follows on the name is the value otherwise.
    """

    name: str
    start: int
    end: int
    is_closed: bool


@dataclass(slots=True)
class Span:
    """Where a game is.

    Attributes
    ----------
    start
        Its first tag, or what stands before any.
    movetext, end
        Behind its tags, and behind its result, a rule of ``===`` or all that can be its own.
    tags
        In their order. What has none may be words, not a game.
    follows
        Whether it has no tags and stands behind the end of another game.
    """

    start: int
    movetext: int
    end: int = 0
    tags: list[Tag] = field(default_factory=list)
    follows: bool = False


def games(text: bytes, *, is_utf8: bool) -> Iterator[Span]:
    """Yield the games, and what stands between them and may be one.

    A result or a rule of ``===`` ends a game. A tag begins one if anything but tags stands before
    it, or if the game's first tag is repeated; so does a line with a move numbered 1, behind words,
    behind an empty line, or where the next number is 2.

    Parameters
    ----------
    text
        The file, UTF-16 as UTF-8.
    is_utf8
        Whether all or most of it is UTF-8, not characters of two bytes.
    """
    pattern = _UTF8 if is_utf8 else _TWO_BYTES
    closes = _Closes(text, _UTF8_CLOSES if is_utf8 else _TWO_BYTES_CLOSES)
    span = Span(0, 0)
    at = depth = 0
    begins = -1  # where text begins behind the tags, if that was asked
    has_one = False  # a move numbered 1 was seen
    while (match := pattern.search(text, at)) is not None:
        kind, here, at = match.lastgroup, match.start(), match.end()
        if kind is None:
            continue
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "tag" or kind == "broken":
            starts_line = _starts_line(text, here)
            if not starts_line and (depth or kind == "broken" or text[here - 1] not in b" \t\r]"):
                at = match.end("name") if kind == "tag" else match.end("field")
                continue
            if kind == "tag":
                name, value = match["name"], at
                end, behind = closes.of(at, over_lines=starts_line)
            else:
                name, value, end, behind = match["field"], match.end("field"), at, -at
            if behind < 0 and not starts_line:
                continue
            tag = Tag(name.decode("ascii", "replace").lower(), value, end, behind > 0)
            at = abs(behind)
            between = text[span.movetext : here]
            if between.strip().strip(_BOM) or _is_of_next(tag, span.tags, between):
                yield from _ended(text, span, here)
                span = Span(here, here)
            elif not span.tags:
                span = Span(here, here)
            span.tags.append(tag)
            span.movetext, begins, has_one, depth = at, -1, False, 0
        elif depth:
            continue
        elif kind == "one":
            if begins < 0:
                begins = _behind_blanks(text, span.movetext)
            comes_first = begins >= _behind_blanks(text, here)
            starts_line = _starts_line(text, here)
            if has_one or (span.tags and not comes_first and _is_move(text, begins)):
                is_next = starts_line and (
                    _BLANK_LINE.search(text, max(0, here - 80), here) is not None
                    or _TWO_FOLLOWS.match(text, at) is not None
                )
            else:
                is_next = starts_line and not comes_first and not span.tags
            if is_next:
                yield from _ended(text, span, here)
                span, begins = Span(here, here), -1
            has_one = has_one or comes_first or starts_line
        elif kind == "result" or _starts_line(text, here):
            yield from _ended(text, span, at)
            span, begins, has_one = Span(at, at, follows=True), -1, False
    yield from _ended(text, span, len(text))


def _is_move(text: bytes, at: int) -> bool:
    """Whether the word there is a move, in any encoding."""
    word = text[at : at + _LONGEST_WORD].split(None, 1)[0]
    return any(looks_like_move(decode(word, encoding)) for encoding in likely_encodings(word))


def _is_of_next(tag: Tag, tags: list[Tag], between: bytes) -> bool:
    """Whether a tag behind others is of a new game: the first again, or any behind a blank line."""
    if not tags or tag.name == tags[0].name:
        return bool(tags)
    return between.count(b"\n") > 1 and any(tag.name == other.name for other in tags)


def _starts_line(text: bytes, at: int) -> bool:
    """Whether only blanks stand before a position in its line, of which a few are looked at."""
    if not at or text[at - 1] == 0x0A:
        return True
    if text[at - 1] not in _LAST_OF_BLANKS:
        return False
    line = text.rfind(b"\n", max(0, at - _INDENT), at)
    return (line >= 0 or at <= _INDENT) and _BLANKS.fullmatch(text, line + 1, at) is not None


def _behind_blanks(text: bytes, at: int) -> int:
    match = _BLANK.match(text, at)
    return at if match is None else match.end()


def _ended(text: bytes, span: Span, end: int) -> Iterator[Span]:
    """Yield a span unless nothing is in it."""
    if not span.tags:
        span.start = span.movetext = _behind_blanks(text, span.start)
    if span.tags or span.start < end:
        span.end = end
        yield span


class _Closes:
    """Ends of tags, each line looked through once whatever is not closed on it.

    Parameters
    ----------
    text
        The file.
    pattern
        What closes a tag, as its group, and what is passed by.
    """

    def __init__(self, text: bytes, pattern: re.Pattern[bytes]) -> None:
        self._text, self._pattern = text, pattern
        self._line_end = -1
        self._has_proper = self._has_any = True

    def of(self, at: int, *, over_lines: bool) -> tuple[int, int]:
        """Return the end of a value, and where the text behind its tag begins, negative if open."""
        if at > self._line_end:
            self._line_end = self._end_of_line(at)
            self._has_proper = self._has_any = True
        if self._has_proper:
            for match in self._pattern.finditer(self._text, at, self._line_end):
                if match["close"] is not None:
                    return match.span("close")
            self._has_proper = False
        if self._has_any:
            if (found := _CLOSES_SOMEHOW.search(self._text, at, self._line_end)) is not None:
                return found.span()
            self._has_any = False
        if over_lines and _OPENS.match(self._text, self._line_end + 1) is None:
            end = self._end_of_line(self._line_end + 1)
            if (found := _CLOSES_LATER.search(self._text, at, end)) is not None:
                return found.span()
        return self._line_end, -self._line_end

    def _end_of_line(self, at: int) -> int:
        end = self._text.find(b"\n", at)
        return len(self._text) if end < 0 else end
