"""One game of a match: two agents, an opening, the rules; faults are forfeits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tabia.games.contract import Outcome, Position
from tabia.match.agent import Agent, AgentFaultError, Analysis, Choice, FaultKind, Turn
from tabia.match.ground import Ground
from tabia.match.openings import Opening

__all__ = ["Forfeit", "PlayedGame", "play"]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game lost because an agent failed at its turn.

    Attributes
    ----------
    side
        0 for the first player, 1 for the second.
    kind, detail, transcript
        As of `tabia.match.agent.AgentFaultError`.
    """

    side: int
    kind: FaultKind
    detail: str
    transcript: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A finished game.

    Attributes
    ----------
    seeds
        Of the first and the second player.
    start_fen, opening_plies, moves
        The opening's moves are the first `opening_plies` of `moves`.
    result
        First player's view: 1, 0, -1.
    reason
        Why it ended: a word of the rules, ``resignation``, ``ply_cap``, or ``forfeit``.
    forfeit
        Who failed, and how; None in other games.
    evaluations
        What the agents thought, an entry a move, mover's view, as cutechess writes it
        (``+0.35/8``, ``+M5/12``); empty for moves without.
    """

    seeds: tuple[int, int]
    start_fen: str | None
    opening_plies: int
    moves: tuple[int, ...]
    result: Outcome
    reason: str
    forfeit: Forfeit | None = None
    evaluations: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Plain values that `from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> PlayedGame:
        """Game of the values that `as_json` gave, after a trip through JSON."""
        forfeit = values["forfeit"]
        if forfeit is not None:
            forfeit = Forfeit(**{**forfeit, "transcript": tuple(forfeit["transcript"])})
        lists = {name: tuple(values[name]) for name in ("seeds", "moves", "evaluations")}
        return cls(**{**values, **lists, "forfeit": forfeit})


def play(
    ground: Ground,
    agents: Sequence[Agent],
    opening: Opening,
    seeds: tuple[int, int],
    max_plies: int | None,
) -> PlayedGame:
    """Play a game to its end.

    Parameters
    ----------
    ground
        The game and its rules.
    agents
        First player and second player.
    opening
        Where it begins.
    seeds
        For the first and the second player.
    max_plies
        Plies, the opening's among them, after which a game is a draw, or in Go counted as it
        stands; None for no end.
    """
    position = ground.start(opening.start_fen)
    moves: list[int] = []
    evaluations: list[str] = []
    seen = Counter([position.key])
    forfeit: Forfeit | None = None

    def push(code: int) -> None:
        position.push(code)
        moves.append(code)
        seen[position.key] += 1

    def finished(result: Outcome, reason: str) -> PlayedGame:
        return PlayedGame(
            seeds=seeds,
            start_fen=opening.start_fen,
            opening_plies=len(opening.moves),
            moves=tuple(moves),
            result=result,
            reason=reason,
            forfeit=forfeit,
            evaluations=tuple(evaluations),
        )

    for code in opening.moves:
        push(code)
        evaluations.append("")
    side = 0
    try:
        for side, agent in enumerate(agents):
            agent.new_game(seeds[side])
        while (ending := ground.ending(position, seen[position.key])) is None:
            if max_plies is not None and len(moves) >= max_plies:
                return finished(ground.capped(position), "ply_cap")
            side = 0 if position.first_to_move else 1
            turn = Turn(position.copy(), opening.start_fen, tuple(moves))
            choice = agents[side].choose(turn)
            if choice.resigns:
                return finished(1 if side else -1, "resignation")
            _check(ground, position, choice)
            push(choice.move)
            evaluations.append(_evaluation(choice.analysis))
    except AgentFaultError as error:
        forfeit = Forfeit(side, error.kind, error.detail, error.transcript)
        return finished(1 if side else -1, "forfeit")
    return finished(ending.result, ending.reason)


def _check(ground: Ground, position: Position, choice: Choice) -> None:
    if choice.move in position.legal_moves():
        return
    try:
        move = ground.game.decode(choice.move)
    except (ValueError, OverflowError):
        move = f"code {choice.move}"
    raise AgentFaultError("illegal_move", f"{move} in {position.fen()}", choice.transcript)


def _evaluation(analysis: Analysis | None) -> str:
    if analysis is None or (analysis.score_cp is None and analysis.mate is None):
        return ""
    if analysis.mate is not None:
        score = f"{'+' if analysis.mate > 0 else '-'}M{abs(analysis.mate)}"
    else:
        score = f"{(analysis.score_cp or 0) / 100:+.2f}"
    return score if analysis.depth is None else f"{score}/{analysis.depth}"
