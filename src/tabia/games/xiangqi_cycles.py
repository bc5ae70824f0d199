"""What both sides do in a cycle of xiangqi moves that brings a position back.

Each move is described, then each side by what all its moves have in common. Who wins is said by
`tabia.games.xiangqi_referee`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from tabia._native.xiangqi_board import Board, decode_move
from tabia.games.xiangqi_chases import LETTERS, Attack, checkers, new_attacks, square

__all__ = ["KINDS", "Conduct", "Cycle", "CycleMove", "Kind", "Side", "explain"]

Side = Literal["red", "black"]

Kind = Literal["plain", "unrooting", "chase", "check"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a side can do with every move, the least forbidden first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleMove:
    """One move of a cycle and what it does.

    Attributes
    ----------
    ply
        Its number in the game, 1 for the first.
    side, piece, move
        Who moved what: FEN letter, and squares with ranks 0 to 9 (``h2e2``).
    checks
        Pieces that give check after it: FEN letter and square, such as ``Rh9``.
    attacks
        What it attacks anew or leaves unprotected; empty where chases were not asked for.
    """

    ply: int
    side: Side
    piece: str
    move: str
    checks: tuple[str, ...]
    attacks: tuple[Attack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """What one side did with every move of a cycle.

    Attributes
    ----------
    side
        Whose conduct.
    kind
        ``check``: gave check. ``chase``: attacked one piece anew. ``unrooting``: did so, or took
        the protection of a piece that it attacked. ``plain``: none of these with every move.
    victims
        Pieces chased throughout, FEN letter and the squares of the attacks: ``c a5 b5``. Also
        given of a side that checks.
    """

    side: Side
    kind: Kind
    victims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """The moves between the first and the last time that a position came up.

    Attributes
    ----------
    plies
        How many moves had been played each time, ascending.
    moves
        Every move after the first of these, up to the last.
    red, black
        What each side did throughout.
    """

    plies: tuple[int, ...]
    moves: tuple[CycleMove, ...]
    red: Conduct
    black: Conduct


class _Record:
    """One side's moves so far: whether all gave check, and which pieces all of them chased."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.is_checking = True
        self.chased: dict[int, Kind] | None = None  # by the piece; None before the first move
        self.places: dict[int, list[str]] = {}

    def add(self, move: CycleMove, owner: Sequence[int]) -> None:
        self.is_checking &= bool(move.checks)
        now: dict[int, Kind] = {}
        for attack in move.attacks:
            if attack.is_chase:
                piece = owner[9 * int(attack.victim_square[1]) + ord(attack.victim_square[0]) - 97]
                kind: Kind = "chase" if attack.is_new else "unrooting"
                now[piece] = max(now.get(piece, "plain"), kind, key=KINDS.index)
                places = self.places.setdefault(piece, [attack.victim])
                if attack.victim_square not in places:
                    places.append(attack.victim_square)
        if self.chased is not None:
            now = {
                piece: min(kind, self.chased[piece], key=KINDS.index)
                for piece, kind in now.items()
                if piece in self.chased
            }
        self.chased = now

    def conduct(self) -> Conduct:
        chased = self.chased or {}
        worst: Kind = max(chased.values(), default=KINDS[0], key=KINDS.index)
        return Conduct(
            side=self.side,
            kind="check" if self.is_checking else worst,
            victims=tuple(
                " ".join(self.places[piece]) for piece, kind in chased.items() if kind == worst
            ),
        )


def explain(
    board: Board, codes: Sequence[int], plies: tuple[int, ...], *, with_attacks: bool = True
) -> Cycle:
    """Describe a cycle of moves.

    Parameters
    ----------
    board
        Where it begins. It is left as it is.
    codes
        Its moves, all legal, none a capture; both sides move.
    plies
        How many moves of the game had been played each time that the position came up.
    with_attacks
        Whether to look for chases, which takes about a tenth of a millisecond a move.
    """
    pieces = list(board.piece_codes())
    owner = list(range(90))  # the piece on each square, by the square where it began
    is_black = board.black_to_move
    records = (_Record("red"), _Record("black"))
    moves = []
    for offset, code in enumerate(codes):
        start, end = divmod(code, 90)
        attacks = tuple(new_attacks(pieces, start, end)) if with_attacks else ()
        letter = LETTERS[pieces[start]]
        pieces[end], pieces[start] = pieces[start], 0
        owner[end] = owner[start]
        record = records[is_black]
        move = CycleMove(
            ply=plies[0] + offset + 1,
            side=record.side,
            piece=letter,
            move=decode_move(code),
            checks=tuple(LETTERS[pieces[n]] + square(n) for n in checkers(pieces, not is_black)),
            attacks=attacks,
        )
        record.add(move, owner)
        moves.append(move)
        is_black = not is_black
    red, black = (record.conduct() for record in records)
    return Cycle(plies=plies, moves=tuple(moves), red=red, black=black)
