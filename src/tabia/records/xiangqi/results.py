"""The result of a record, of which its tag, its movetext and its last position may each tell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tabia._native.xiangqi_board import Board

__all__ = ["TOKENS", "Result", "Settled", "Source", "result_of", "result_of_word", "settled"]

Result = Literal[1, 0, -1] | None
"""Red's view; None = unknown."""

Source = Literal["tag", "movetext", "board"]
"""Where a result comes from: a tag or field, the token behind the moves, the rules."""


TOKENS = r"1-0|0-1|1/2-1/2|0\.5-0\.5|1/2|\*"
"""Pattern of the tokens that end a game, in ASCII."""

_RESULTS: dict[str, Result] = {
    **dict.fromkeys(("1-0", "w", "win", "red", "red win", "red wins"), 1),
    **dict.fromkeys(("0-1", "l", "loss", "black", "black win", "black wins"), -1),
    **dict.fromkeys(("1/2-1/2", "0.5-0.5", "1/2", "d", "draw"), 0),
}
# Who, and what became of them, of whom only the first move may be told: red, black, first, second.
_WORDS = re.compile(r"(红|黑)?([先后]手?|方|棋)?(胜|负|和|平)(?:利|棋|局|手|了)?")
_TRADITIONAL = str.maketrans("紅勝負後", "红胜负后")
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044", "-------/")
_LONGEST = 40


class Settled(NamedTuple):
    """A game's result, where it comes from, and whether the record's places disagree."""

    result: Result
    result_from: Source | None
    result_conflict: bool


def settled(
    tag: Result,
    codes: Sequence[int],
    start_fen: str | None,
    *,
    movetext: Result = None,
    unfinished: bool = False,
) -> Settled:
    """Return the result of a game.

    The tag is believed first, then the movetext. A last position without a legal move, where the
    rules decide that the side to move has lost, counts last: nothing recorded is overruled.

    Parameters
    ----------
    tag, movetext
        What the record says in its two places.
    codes, start_fen
        The game, all of whose moves are legal.
    unfinished
        Whether the record says that the game has no result (``*``), which an end on the board
        contradicts.
    """
    board = Board(start_fen)
    for code in codes:
        board.push(code)
    has_ended = not board.has_legal_move
    on_board: Result = None
    if has_ended:
        on_board = 1 if board.black_to_move else -1
    said: tuple[tuple[Source, Result], ...] = (
        ("tag", tag),
        ("movetext", movetext),
        ("board", on_board),
    )
    claims = [(source, result) for source, result in said if result is not None]
    conflict = len({result for _, result in claims}) > 1 or (unfinished and has_ended)
    source, result = claims[0] if claims else (None, None)
    return Settled(result, source, conflict)


def result_of(text: str | None) -> Result:
    """Return the result, from Red's view, of what tags and fields say; None = unknown.

    Read are ``1-0`` with any dash, ``1/2``, English words, and Chinese ones in either script:
    ``红先胜``, ``黑方負``, ``先和``, ``和棋``. Without a colour, the first player is Red.

    Parameters
    ----------
    text
        A number, a letter or words.
    """
    if text is None or len(text) > _LONGEST:
        return None
    word = unicodedata.normalize("NFKC", text).translate(_DASHES).translate(_TRADITIONAL)
    word = " ".join(word.lower().split())
    if word in _RESULTS:
        return _RESULTS[word]
    match = _WORDS.fullmatch(word)
    if match is None:
        return None
    colour, part, end = match.groups()
    if end in "和平":
        return 0
    if colour is None and (part is None or part[0] not in "先后"):
        return None  # who?
    is_red = colour == "红" if colour is not None else part[0] == "先"
    return 1 if is_red == (end == "胜") else -1


def result_of_word(word: str) -> Result:
    """Return the result that a word among moves gives; a lone 平 is a piece of a move there."""
    return None if word == "平" else result_of(word)
