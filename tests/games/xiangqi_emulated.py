"""What pyffish does otherwise than the referee's Asian rules, put into the latter.

Each kind patches the look at one move; `emulated_result` judges with some. Kinds are explained in
docs/xiangqi_referee.md.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from tabia.games import xiangqi_chases, xiangqi_cycles
from tabia.games.xiangqi_chases import Attack, Status
from tabia.games.xiangqi_referee import judge

KINDS = ("pinned protector", "protection taken away", "standing attack")

_new_attacks = xiangqi_chases.new_attacks
_legal_captures = xiangqi_chases.legal_captures
_examine = xiangqi_chases._examine
_ROOKS_AND_CANNONS = (5, 6, 12, 13)


def emulated_result(kinds: Collection[str], start_fen: str, codes: Sequence[int]) -> int | None:
    """Red's result of a game judged with some of `KINDS`; None if it goes on."""
    assert set(kinds) <= set(KINDS)
    with pytest.MonkeyPatch.context() as patch:
        if "pinned protector" in kinds:
            patch.setattr(xiangqi_chases, "_examine", _examine_without_lone_protectors)
        if "standing attack" in kinds:
            patch.setattr(xiangqi_cycles, "new_attacks", _begun_or_drawn_back)
        if "protection taken away" in kinds:
            attacks = xiangqi_cycles.new_attacks
            patch.setattr(
                xiangqi_cycles,
                "new_attacks",
                lambda *move: [attack for attack in attacks(*move) if attack.is_new],
            )
        verdict = judge(codes, start_fen, quiet_plies=None)
    return None if verdict is None else verdict.result


def _examine_without_lone_protectors(
    pieces: Sequence[int], attacker: int, victim: int
) -> tuple[Status, tuple[int, ...]]:
    """As there, but a piece alone of its side on the file of both kings protects nothing."""
    status, roots = _examine(pieces, attacker, victim)
    file = pieces.index(1) % 9
    if pieces.index(8) % 9 == file:
        is_black = pieces[victim] > 7
        own = [n for n in range(file, 90, 9) if pieces[n] and (pieces[n] > 7) == is_black]
        roots = tuple(root for root in roots if root not in own or len(own) > 2)
    return ("unprotected" if status == "protected" and not roots else status), roots


def _begun_or_drawn_back(before: Sequence[int], start: int, end: int) -> list[Attack]:
    """Attacks that a move begins, or goes on with from farther away on the same line."""

    def captures(pieces: Sequence[int], is_black: bool) -> set[tuple[int, int]]:
        pairs = _legal_captures(pieces, is_black)
        if pieces is before and before[start] in _ROOKS_AND_CANNONS:
            pairs = {pair for pair in pairs if pair[0] != start or not _away(start, end, pair[1])}
        return pairs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xiangqi_chases, "legal_captures", captures)
        return _new_attacks(before, start, end)


def _away(start: int, end: int, victim: int) -> bool:
    """Whether a move along the line to a victim makes the way longer."""
    is_line = start % 9 == end % 9 == victim % 9 or start // 9 == end // 9 == victim // 9
    return is_line and abs(end - victim) > abs(start - victim)
