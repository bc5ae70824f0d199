"""Where the games of WXF text and their parts lie, found in its bytes.

A game is what stands between ``START{`` and ``}END`` and the fields before it; ``FORMAT WXF``
begins one too. All bytes belong to some draft, so that nothing is lost between two games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabia.records.xiangqi.sniffing import TAG_LINE, WXF_LINE

__all__ = ["Draft", "drafts"]

_MARK = re.compile(
    rb"(?P<format>"
    + WXF_LINE.pattern
    + rb")|\b(?P<open>START|COMMENT)[ \t]*\{|(?P<close>\}[ \t]*END\b)",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(slots=True)
class Draft:
    """What may be a game, or words between games.

    Attributes
    ----------
    at
        Where it begins.
    is_headed
        Whether it begins with ``FORMAT WXF``.
    head
        The pieces of text that are in no block, as (begin, end).
    moves
        What stands between ``START{`` and ``}END``; None without such a block.
    comments
        What stands in blocks of ``COMMENT{``.
    fault
        What is wrong where a block is never closed.
    is_over
        Whether the block of moves has come, closed or not.
    """

    at: int
    is_headed: bool = False
    head: list[tuple[int, int]] = field(default_factory=list)
    moves: tuple[int, int] | None = None
    comments: list[tuple[int, int]] = field(default_factory=list)
    fault: str | None = None
    is_over: bool = False


def drafts(text: bytes) -> Iterator[Draft]:
    """Yield the drafts of a text in their order.

    Fields behind a game's moves begin the next draft; a comment directly behind them does not.
    """
    draft = Draft(0)
    end = 0  # of what was given to a draft
    block = ""
    for match in [*_MARK.finditer(text), None]:
        at = len(text) if match is None else match.start()
        kind = None if match is None else match.lastgroup
        opens = match["open"].decode().upper() if match is not None and kind == "open" else ""
        if block:
            if opens == "COMMENT":
                continue  # a word in a comment on a move opens nothing
            if match is not None and kind == "close":
                _close(draft, block, end, at)
                block, end = "", match.end()
                continue
            end = _break_off(text, draft, block, end, at)
            block = ""
        if kind == "close":
            continue
        if end < at:
            if draft.is_over and (rest := text[end:at].lstrip()):
                yield draft
                end = at - len(rest)
                draft = Draft(end)
            draft.head.append((end, at))
        if kind == "format" or (opens == "START" and draft.is_over):
            yield draft
            draft = Draft(at, is_headed=kind == "format")
        block = opens
        end = at if match is None else match.end()
    yield draft


def _close(draft: Draft, block: str, start: int, end: int) -> None:
    if block == "START":
        draft.moves, draft.is_over = (start, end), True
    else:
        draft.comments.append((start, end))


def _break_off(text: bytes, draft: Draft, block: str, start: int, end: int) -> int:
    """Note a block that is not closed; return where what lies behind it begins."""
    if block == "COMMENT":
        brace = text.find(b"}", start, end)
        if brace >= 0:
            draft.comments.append((start, brace))
            return brace + 1
    draft.fault = draft.fault or f"{block}{{ is never closed by }}END"
    draft.is_over = draft.is_over or block == "START"
    tag = TAG_LINE.search(text, start, end)
    return end if tag is None else tag.start()
