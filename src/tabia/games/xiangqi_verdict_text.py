"""A verdict on a xiangqi game in words, move by move over the cycle that ended it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tabia._native.xiangqi_board import Board
from tabia.games.xiangqi_chases import Attack
from tabia.games.xiangqi_cycles import Conduct, Cycle, CycleMove
from tabia.games.xiangqi_notation import write_moves
from tabia.games.xiangqi_referee import Verdict

__all__ = ["REASONS", "Named", "explain_text", "headline", "names"]

_PIECES = dict(
    zip("kabnrcp", ("king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"), strict=True)
)
_RESULTS = {1: "Red wins", 0: "draw", -1: "Black wins"}
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "checkmate": "checkmate",
        "no_move": "no legal move",
        "perpetual_check": "perpetual check",
        "perpetual_chase": "perpetual chase",
        "mutual_perpetual_check": "both sides check perpetually",
        "mutual_perpetual_chase": "both sides chase perpetually",
        "repetition": "repetition",
        "quiet": "too many plies without a capture",
        "ply_cap": "longest game allowed",
    }
)
"""What is said of each reason of a `Verdict`."""


class Named(NamedTuple):
    """A move as books name it.

    Attributes
    ----------
    round
        Its number, counted by Red's moves from the start's number on.
    wxf
        Its name, such as ``R8=9``.
    """

    round: int
    wxf: str


def names(moves: Sequence[int], start_fen: str | None = None) -> list[Named]:
    """Return the names of a game's moves, one a ply.

    Parameters
    ----------
    moves
        Codes, 90 * from + to, all legal.
    start_fen
        Start; None is the standard start.

    Raises
    ------
    IllegalMoveError, FenError
        If a move or the start is wrong.
    """
    board = Board(start_fen)
    first, black_first = board.fullmove_number, board.black_to_move
    return [
        Named(first + (ply + black_first) // 2, text)
        for ply, text in enumerate(write_moves(moves, start_fen))
    ]


def headline(verdict: Verdict | None) -> str:
    """Return result, reason and ply in a line: ``Black wins: perpetual check (ply 8)``."""
    if verdict is None:
        return "no end by the rules"
    return f"{_RESULTS[verdict.result]}: {REASONS[verdict.reason]} (ply {verdict.ply})"


def explain_text(verdict: Verdict | None, named: Sequence[Named] | None = None) -> str:
    """Return the headline, and if a repetition ended the game the repeated moves explained.

    Squares have ranks 0 to 9. Without a final newline.

    Parameters
    ----------
    verdict
        What `judge` gave.
    named
        `names` of the game, as far as the verdict goes: each repeated move is told with its round
        and in WXF beside its ply and squares. None leaves both out.
    """
    lines = [headline(verdict)]
    if verdict is not None and verdict.cycle is not None:
        lines += _cycle(verdict.cycle, named, with_chases=verdict.rules == "asian")
    return "\n".join(lines)


def _cycle(cycle: Cycle, named: Sequence[Named] | None, *, with_chases: bool) -> list[str]:
    *first, last = (str(ply) for ply in cycle.plies)
    return [
        f"  same position after plies {', '.join(first)} and {last}",
        *(f"  {_conduct(side, with_chases=with_chases)}" for side in (cycle.red, cycle.black)),
        *(f"  {_move(move, named, with_chases=with_chases)}" for move in cycle.moves),
    ]


def _conduct(conduct: Conduct, *, with_chases: bool) -> str:
    side = conduct.side.capitalize()
    if conduct.kind == "plain":
        return f"{side} does not give check{' or chase a piece' * with_chases} with every move"
    victims = " and ".join(map(_victim, conduct.victims))
    if conduct.kind == "check":
        return f"{side} gives check with every move" + (f" and chases {victims}" if victims else "")
    how = "" if conduct.kind == "chase" else ", or takes its protection away,"
    return f"{side} chases {victims}{how} with every move"


def _victim(text: str) -> str:
    letter, *squares = text.split()
    return f"the {_PIECES[letter.lower()]} on {' and '.join(squares)}"


def _move(move: CycleMove, named: Sequence[Named] | None, *, with_chases: bool) -> str:
    facts = [f"checks with the {_piece(check)}" for check in move.checks]
    facts += map(_attack, move.attacks)
    nothing = "no check, no new attack" if with_chases else "no check"
    piece = _PIECES[move.piece.lower()]
    told = f"{move.ply}. {move.side} {piece} {move.move}"
    if named is not None:
        number, wxf = named[move.ply - 1]
        dots = "." if move.side == "red" else "..."
        told = f"{number}{dots} {wxf} (ply {move.ply}, {move.side} {piece} {move.move})"
    return f"{told}: {'; '.join(facts) or nothing}"


def _piece(text: str) -> str:
    return f"{_PIECES[text[0].lower()]} on {text[1:]}"


def _attack(attack: Attack) -> str:
    victim = _piece(attack.victim + attack.victim_square)
    with_piece = f"with the {_piece(attack.attacker + attack.attacker_square)}"
    roots = ", ".join(attack.roots)
    protection = f"protected from {roots}" if roots else "unprotected"
    if not attack.is_new:
        return f"leaves the {victim} {protection} against the {with_piece[9:]}"
    if attack.is_chase:
        though = f"though {protection}, as the stronger piece" if roots else protection
        return f"chases the {victim} {with_piece}, {though}"
    why = {
        "protected": protection,
        "offer": "which can take in return: an offer",
        "king": "which a king may",
        "pawn": "which a pawn may",
        "home_pawn": "which has not crossed the river",
    }[attack.status]
    return f"attacks the {victim} {with_piece}, {why}"
