"""Which pieces a xiangqi move attacks anew, and whether the attack is a chase by Asian rules.

A chase threatens to take something with the next move. What may be attacked freely is none: a pawn
that has not crossed the river, whatever king or pawn attack, a piece of the attacker's kind that
can take it in return (an offer), and a piece that can be taken back. Only a rook attacked by a
weaker piece is chased though protected; so is a horse or cannon attacked by an advisor or elephant.

Whether a piece can take, or take back, is decided by playing it: a pinned protector is none, nor is
one that would answer a discovered check wrongly, and a rook behind the captor is one. A check that
stood already is no reason why a capture should not count.

This module looks at one move; `tabia.games.xiangqi_referee` judges whole cycles. It is slow beside
the native rules and meant for the few positions that repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "LETTERS",
    "Attack",
    "Status",
    "attackers",
    "checkers",
    "legal_captures",
    "new_attacks",
    "square",
]

Status = Literal["unprotected", "stronger", "protected", "offer", "king", "pawn", "home_pawn"]
"""Why an attack is a chase (the first two) or none.

``unprotected``: nothing can take back. ``stronger``: worth more than its attacker, protected or
not. ``protected``: something can take back. ``offer``: of the attacker's kind, and can take it.
``king``, ``pawn``: the attacker is one. ``home_pawn``: a pawn that has not crossed the river.
"""

_CHASES = ("unprotected", "stronger")
_KING, _ADVISOR, _ELEPHANT, _HORSE, _ROOK, _CANNON, _PAWN = range(1, 8)
LETTERS = " KABNRCPkabnrcp"
"""FEN letters by piece code."""
# What a piece threatens although its victim is protected (AXF general rule 6 names horse and cannon
# against rook; advisor and elephant as Fairy-Stockfish has them).
_STRONGER = {
    _HORSE: {_ROOK},
    _CANNON: {_ROOK},
    _ADVISOR: {_ROOK, _CANNON, _HORSE},
    _ELEPHANT: {_ROOK, _CANNON, _HORSE},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A piece that a move newly threatens to take, or has newly left without protection.

    Attributes
    ----------
    attacker, victim
        FEN letters, capitals for Red.
    attacker_square, victim_square
        Where they stand after the move, such as ``e4``.
    roots
        Squares from which the victim's side could take back.
    status
        Why this is a chase or none.
    is_new
        Whether the attack began with this move; otherwise it stood before, and the move has only
        taken the victim's protection away.
    """

    attacker: str
    attacker_square: str
    victim: str
    victim_square: str
    roots: tuple[str, ...]
    status: Status
    is_new: bool

    @property
    def is_chase(self) -> bool:
        """Whether perpetual attacks of this kind are forbidden."""
        return self.status in _CHASES


def square(number: int) -> str:
    """Name of a square, ranks 0 to 9: 0 is ``a0``, 89 is ``i9``."""
    return f"{'abcdefghi'[number % 9]}{number // 9}"


def _kind(code: int) -> int:
    return code - 7 if code > 7 else code


def _on_board(file: int, rank: int) -> bool:
    return 0 <= file < 9 and 0 <= rank < 10


def _rays(origin: int) -> tuple[tuple[int, ...], ...]:
    rays = []
    for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        file, rank, ray = origin % 9 + df, origin // 9 + dr, []
        while _on_board(file, rank):
            ray.append(9 * rank + file)
            file, rank = file + df, rank + dr
        rays.append(tuple(ray))
    return tuple(rays)


def _steps(origin: int, offsets: Collection[tuple[int, int]]) -> Iterator[int]:
    for df, dr in offsets:
        if _on_board(origin % 9 + df, origin // 9 + dr):
            yield origin + 9 * dr + df


def _half(step: int) -> int:
    """Half of a step of two either way, nothing of a step of one."""
    return step // 2 if step % 2 == 0 else 0


def _in_palace(number: int, is_black: bool) -> bool:
    return 3 <= number % 9 <= 5 and (number >= 63 if is_black else number < 27)


_KNIGHT = [(f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(f) != abs(r)]
_DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
_RAYS = tuple(_rays(origin) for origin in range(90))
# [square]: pairs of a square from which a horse (elephant) reaches it, and what must be empty.
_HORSES = tuple(
    tuple(
        (start, start + _half(end % 9 - start % 9) + 9 * _half(end // 9 - start // 9))
        for start in _steps(end, _KNIGHT)
    )
    for end in range(90)
)
_ELEPHANTS = tuple(
    tuple(
        (start, (start + end) // 2)
        for start in _steps(end, [(2 * f, 2 * r) for f, r in _DIAGONAL])
        if (start < 45) == (end < 45)
    )
    for end in range(90)
)
_ADVISORS = tuple(tuple(_steps(end, _DIAGONAL)) for end in range(90))


def attackers(pieces: Sequence[int], target: int, is_black: bool) -> list[int]:
    """Squares of one side's pieces that could take on `target`, pins not considered; ascending.

    Parameters
    ----------
    pieces
        90 piece codes as of `Board.piece_codes`.
    target
        A square with a piece of the other side. The kings attack each other on an open file.
    is_black
        Whether Black's pieces are asked for.
    """
    base = 7 if is_black else 0
    found = []
    for ray in _RAYS[target]:
        has_mount = False
        for number in ray:
            code = pieces[number]
            if not code:
                continue
            if has_mount:
                if code == base + _CANNON:
                    found.append(number)
                break
            has_mount = True
            if _attacks_along(code - base, number, target, pieces, is_black):
                found.append(number)
    for number, leg in _HORSES[target]:
        if pieces[number] == base + _HORSE and not pieces[leg]:
            found.append(number)
    if (target >= 45) == is_black:
        for number, eye in _ELEPHANTS[target]:
            if pieces[number] == base + _ELEPHANT and not pieces[eye]:
                found.append(number)
    if _in_palace(target, is_black):
        found += [
            number
            for number in _ADVISORS[target]
            if pieces[number] == base + _ADVISOR and _in_palace(number, is_black)
        ]
    return sorted(found)


def _attacks_along(
    kind: int, number: int, target: int, pieces: Sequence[int], is_black: bool
) -> bool:
    """Whether the first piece on a line from the target takes there."""
    if kind == _ROOK:
        return True
    if kind == _KING:
        if _kind(pieces[target]) == _KING:
            return number % 9 == target % 9
        return abs(number - target) in (1, 9) and _in_palace(target, is_black)
    if kind == _PAWN:
        if target - number == (-9 if is_black else 9):
            return True
        return abs(target - number) == 1 and (number < 45) == is_black
    return False


def checkers(pieces: Sequence[int], is_black: bool) -> list[int]:
    """Squares of the pieces that attack a side's king."""
    return attackers(pieces, pieces.index(8 if is_black else 1), not is_black)


def legal_captures(pieces: Sequence[int], is_black: bool) -> set[tuple[int, int]]:
    """Pairs of squares, attacker and victim, that a side could take with if it were to move.

    A check that it stands in is no obstacle; exposing its king is. Kings are no victims.
    """
    standing = frozenset(checkers(pieces, is_black))
    pairs = set()
    for number, code in enumerate(pieces):
        if code and (code > 7) != is_black and _kind(code) != _KING:
            for attacker in attackers(pieces, number, is_black):
                if _played(pieces, attacker, number, standing) is not None:
                    pairs.add((attacker, number))
    return pairs


def _played(
    pieces: Sequence[int], start: int, end: int, standing: Collection[int]
) -> list[int] | None:
    """Pieces after a capture, or None if it exposes the king.

    `standing` are the squares of pieces that gave check already: a capture that leaves such a check
    as it is counts, except of the king itself.
    """
    after = list(pieces)
    after[end], after[start] = after[start], 0
    is_black = after[end] > 7
    attackers_left = checkers(after, is_black)
    if _kind(after[end]) != _KING:
        attackers_left = [number for number in attackers_left if number not in standing]
    return None if attackers_left else after


def _examine(pieces: Sequence[int], attacker: int, victim: int) -> tuple[Status, tuple[int, ...]]:
    """Status of a legal capture, and the squares from which it could be taken back."""
    kind, taken = _kind(pieces[attacker]), _kind(pieces[victim])
    victim_is_black = pieces[victim] > 7
    after = list(pieces)
    after[victim], after[attacker] = after[attacker], 0
    standing = frozenset(checkers(pieces, victim_is_black)) - {attacker}
    roots = tuple(
        number
        for number in attackers(after, victim, victim_is_black)
        if _played(after, number, victim, standing) is not None
    )
    if kind == _KING:
        return "king", roots
    if kind == _PAWN:
        return "pawn", roots
    if taken == _PAWN and (victim >= 45) == victim_is_black:
        return "home_pawn", roots
    if kind == taken and victim in attackers(pieces, attacker, victim_is_black):
        own_standing = frozenset(checkers(pieces, victim_is_black))
        if _played(pieces, victim, attacker, own_standing) is not None:
            return "offer", roots
    if taken in _STRONGER.get(kind, ()):
        return "stronger", roots
    return ("protected" if roots else "unprotected"), roots


def new_attacks(before: Sequence[int], start: int, end: int) -> list[Attack]:
    """What a move attacks anew, by the victim's square; also what it only leaves unprotected.

    Parameters
    ----------
    before
        90 piece codes before the move.
    start, end
        Squares of the move, which captures nothing.
    """
    after = list(before)
    after[end], after[start] = after[start], 0
    is_black = after[end] > 7
    old = legal_captures(before, is_black)
    found = []
    for attacker, victim in sorted(legal_captures(after, is_black), key=lambda pair: pair[::-1]):
        status, roots = _examine(after, attacker, victim)
        pair = (start if attacker == end else attacker, victim)
        is_new = pair not in old
        if not is_new and (status not in _CHASES or _examine(before, *pair)[0] in _CHASES):
            continue
        found.append(
            Attack(
                attacker=LETTERS[after[attacker]],
                attacker_square=square(attacker),
                victim=LETTERS[after[victim]],
                victim_square=square(victim),
                roots=tuple(map(square, roots)),
                status=status,
                is_new=is_new,
            )
        )
    return found
