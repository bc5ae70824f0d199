"""Where the boards of a page with DhtmlXQ tags lie, found in its bytes.

``[DhtmlXQ]`` or ``[DhtmlXQiFrame]`` begins a board and the same with a slash ends it. Tags outside
of such a pair are bare: they form boards too, of which one begins where a tag comes again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabia.records.xiangqi.encoding import Encoding, decode

__all__ = ["Board", "boards"]

# A value runs to the next mark of any kind: pages forget closing tags or misspell them.
_MARK = re.compile(rb"\[(/?)DhtmlXQ(?:iFrame|_(\w{1,40}))?\]", re.IGNORECASE)
_SCRIPT = re.compile(rb"\[0_\d{1,4}_0\][\d\s]*")
_OF_A_GAME = re.compile(
    "title|event|round|date|place|(?:red|black)(?:name|team|rating)?|timerule|endtype|result|open"
    r"|comment\d+|move_\d+_\d+_\d+"
)
_SHOWN = 60


@dataclass(slots=True)
class Board:
    """Tags of one board.

    Attributes
    ----------
    at
        Where it begins.
    tags
        Values by lower-case name, the first of each that says anything.
    fault
        What of the board contradicts itself.
    """

    at: int
    tags: dict[str, str] = field(default_factory=dict)
    fault: str | None = None

    def has(self, tag: str) -> bool:
        """Whether a tag says anything."""
        return bool(self.tags.get(tag, "").strip())

    @property
    def is_game(self) -> bool:
        """Whether the board is a game or claims to be one."""
        return any(
            tag in ("movelist", "binit") or _OF_A_GAME.fullmatch(tag)
            for tag in self.tags
            if self.has(tag)
        )


def boards(text: bytes, encoding: Encoding) -> Iterator[Board]:
    """Yield the boards that say anything of a game, in their order.

    The moves of a board may stand in a script behind its end.
    """
    board = Board(0)
    pair = ""  # "open" in one, "closed" behind one
    marks = list(_MARK.finditer(text))
    for mark, following in zip(marks, [*marks, None][1:], strict=True):
        is_end, tag = bool(mark[1]), (mark[2] or b"").decode("ascii", "replace").lower()
        if not tag:
            if is_end:
                pair = "closed" if pair else ""
                continue
            if board.is_game:
                yield board
            board, pair = Board(mark.start()), "open"
            continue
        if is_end:
            continue
        value = decode(text[mark.end() : following.start() if following else len(text)], encoding)
        if pair == "closed" and value.strip() and not _is_script(board, tag, value):
            if board.is_game:
                yield board
            board, pair = Board(mark.start()), ""
        if board.has(tag) and value.strip():
            if not pair:
                if board.is_game:
                    yield board
                board = Board(mark.start())
            elif tag in ("movelist", "binit"):
                _compare(board, tag, value)
        if not board.tags and not pair:
            board.at = mark.start()
        if not board.has(tag):
            board.tags[tag] = value
    if not board.has("movelist") and (match := _SCRIPT.search(text, board.at)):
        board.tags["movelist"] = match[0].decode("ascii")
    if board.is_game:
        yield board


def _is_script(board: Board, tag: str, value: str) -> bool:
    """Whether a tag behind a board gives its moves, for the first time or again."""
    return tag == "movelist" and (not board.has(tag) or board.tags[tag].strip() == value.strip())


def _compare(board: Board, tag: str, value: str) -> None:
    first = "".join(board.tags[tag].split())
    second = "".join(value.split())
    if first != second and board.fault is None:
        board.fault = (
            f"two of [DhtmlXQ_{tag}] between [DhtmlXQ] and [/DhtmlXQ], {first[:_SHOWN]!r} and "
            f"{second[:_SHOWN]!r}"
        )
