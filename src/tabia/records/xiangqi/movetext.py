"""The movetext of a record: its moves as texts, its comments, and the result that ends it.

Which move a text names is not known here. Numbers of moves are skipped whatever they say, because
records of a black start, fragments and typing errors number as they like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tabia._native.xiangqi_board import Board
from tabia.games.xiangqi_notation import NotationError, ReadMoves, parse_move, read_moves
from tabia.records.xiangqi.encoding import MOVE, NEARLY
from tabia.records.xiangqi.results import TOKENS, Result, result_of, result_of_word
from tabia.records.xiangqi.squares import clean

__all__ = ["Movetext", "MovetextError", "legal_moves", "looks_like_move", "read_movetext"]

_TOKEN = re.compile(
    rf"""
      (?P<move> (?<![^\s]) [^\s{{}}();（]{{2}} [進进退平] [^\s{{}}();（*!?！？] (?![^\s]) )
    | (?P<comment> \{{[^}}]*(?P<closed>\}})? | （[^（）\n]{{0,400}}） )
    | (?P<line> ; [^\n]* | ^% [^\n]* )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<rule> ^[ \t\u3000]* [=\-_*~]{{3,}} )
    | (?P<nag> \$\d+ )
    | (?P<result> (?:{TOKENS}|1[ ]-[ ]0|0[ ]-[ ]1|1/2[ ]-[ ]1/2) (?![^\s{{(;]) )
    | (?P<number> (?<![^\s{{}}()]) (?P<digits>\d{{1,3}}) (?: [ ]*[.．。、…]+ | (?=\s) ) )
    | (?P<word> [^\s{{}}();（]+ | （ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_GLUED_RESULT = re.compile(rf"(?<=.)(?:{TOKENS})$")
_NUMBERS = re.compile(r"(?:\d{1,3}[.．。、…]+)*")
_LONGEST_MOVE = 7  # `h10-g10`
_ONE_MOVE = 5  # characters that a move can have in Chinese
_START = Board()
_NOTHING = re.compile(r"[.．。…·]+")
_DASHES = re.compile(r"[\-—–―－_]+")


class MovetextError(ValueError):
    """Movetext of which a part, once opened, is never closed.

    Attributes
    ----------
    found
        What was read before that part.
    """

    def __init__(self, message: str, found: Movetext) -> None:
        super().__init__(message)
        self.found = found


@dataclass(slots=True)
class Movetext:
    """What stands after the tags of a game.

    Attributes
    ----------
    text
        All of it.
    moves
        Texts of the moves.
    starts
        Where each of them begins in `text`.
    comments
        Texts by number of moves before them.
    token, result
        What ends the game, as written and from Red's view; None where nothing or ``*`` does.
    is_closed
        Whether a token or a rule ends the game, not the text.
    variations
        Number of side lines, which are skipped.
    first_number
        The number that stands before the first move; None where none does.
    rest
        What stands behind a result in words, which is not always the end of what was written.
    """

    text: str = ""
    moves: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    token: str | None = None
    result: Result = None
    is_closed: bool = False
    variations: int = 0
    first_number: int | None = None
    rest: str = ""

    def ends_before(self, ply: int) -> bool:
        """Whether what begins at a move's text is a trailer, not a move that cannot be read.

        It is one only where nothing else ends the game, it begins a line with a word longer than
        any move, and neither it nor anything behind it has a part that looks like one.
        """
        if self.is_closed or len(self.moves[ply]) <= _LONGEST_MOVE:
            return False
        start = self.starts[ply]
        before = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return not before.strip() and not any(NEARLY.search(text) for text in self.moves[ply:])


def read_movetext(text: str, *, black_begins: bool = False) -> Movetext:
    """Take movetext apart, up to its result, a rule of ``===`` or its end.

    Parameters
    ----------
    text
        The movetext.
    black_begins
        Whether Black moves first, so that dashes may stand for the move that Red has not. Dashes
        anywhere else are a move that cannot be read: nobody may pass.

    Raises
    ------
    MovetextError
        If a comment or a variation is never closed.
    """
    found = Movetext(text)
    moves, starts = found.moves, found.starts
    remarks: dict[int, list[str]] = {}
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "move" and not depth:  # nearly always, so first and fast
            moves.append(match[0])
            starts.append(match.start())
            continue
        if kind == "closed":
            kind = "comment"
        if kind == "comment" or kind == "line":
            if match[0].startswith("{") and not match["closed"]:
                raise MovetextError(f"the comment {match[0][:40]!r} is never closed", found)
            if depth == 0 and (remark := _remark(match[0])):
                remarks.setdefault(len(moves), []).append(remark)
        elif kind == "open":
            found.variations += depth == 0
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif depth:
            continue
        elif kind == "rule":
            found.is_closed = True
            break
        elif kind == "result":
            token = match[0].replace(" ", "")
            found.token, found.result = token, result_of(token)
            found.is_closed = True
            break
        elif kind == "number" and not moves and found.first_number is None:
            found.first_number = int(match["digits"])
        elif kind == "word":
            if black_begins and not moves and _DASHES.fullmatch(match[0]) is not None:
                black_begins = False
            elif _word(found, match[0], match.start()):
                found.is_closed = True
                found.rest = text[match.end() :]
                break
    if depth:
        raise MovetextError("a variation is opened by ( and never closed", found)
    found.comments = {ply: " ".join(texts) for ply, texts in remarks.items()}
    return found


def _remark(text: str) -> str:
    return clean(text[1:-1] if text[0] in "{（" else text[1:])


def _word(found: Movetext, word: str, start: int) -> bool:
    """Add the moves of a word; True when it ends the game."""
    if (match := _GLUED_RESULT.search(word)) is not None:
        found.token, found.result = match[0], result_of(match[0])
        word = word[: match.start()]
    elif not word.isascii() and (result := result_of_word(word)) is not None:
        found.token, found.result = word, result
        return True
    word = word.rstrip("!?！？")
    if word and _NOTHING.fullmatch(word) is None:
        pieces = [word]
        if len(word) > _ONE_MOVE and _NUMBERS.fullmatch(MOVE.sub("", word)) is not None:
            pieces = MOVE.findall(word)
        found.moves += pieces
        found.starts += [start] * len(pieces)
    return found.token is not None


def legal_moves(texts: list[str], start_fen: str | None) -> ReadMoves:
    """Read moves; coordinates count ranks from 1 where all moves are legal so and not from 0.

    Parameters
    ----------
    texts
        One a ply.
    start_fen
        Start; None is the standard start.
    """
    moves = read_moves(texts, start_fen)
    if moves.fault is not None and moves.notation in ("ucci", "iccs"):
        from_one = read_moves(texts, start_fen, "uci")
        if from_one.fault is None:
            return from_one
    return moves


def looks_like_move(text: str) -> bool:
    """Whether a text is a move in some notation, in whatever position it may be legal."""
    try:
        parse_move(_START, text)
    except NotationError as error:
        return error.reason != "bad_move"
    return True
