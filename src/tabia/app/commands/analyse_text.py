"""What ``tabia analyse`` prints, for people and for programs. docs/analyse.md has the schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia.app.commands.analyse_position import Asked
from tabia.app.commands.xiangqi_inputs import counted
from tabia.games.chess import ChessPosition
from tabia.games.xiangqi_notation import write_moves
from tabia.search.agent import SearchAgent
from tabia.search.analysis_report import MoveReport, PositionReport

__all__ = ["FORMAT", "as_json", "as_line", "as_text"]

FORMAT = 1
"""Version of the JSON; raised when a field changes its meaning or goes."""

_LONGEST_SHOWN = 8  # moves of a variation in the table


def as_json(agent: SearchAgent, asked: Asked, report: PositionReport) -> dict[str, Any]:
    """Return a report as plain values."""
    ground, decode = asked.ground, asked.ground.game.decode
    ownership = report.ownership_black
    return {
        "format": FORMAT,
        "agent": agent.spec,
        "name": _name(agent),
        **ground.as_json(),
        "start": asked.start,
        "played": [decode(code) for code in asked.moves],
        "fen": asked.position.fen(),
        "side_to_move": _side(asked, report),
        "final": report.is_final,
        "seconds": round(report.seconds, 3),
        "visits": report.visits,
        "value": report.value,
        "win_rate": report.win_rate,
        "score_lead": report.score_lead,
        "proven": _proven(report.solved, report.solved_plies),
        "result": report.outcome,
        "moves": [
            {
                "move": decode(move.code),
                "notation": _written(asked, move.variation[:1])[0],
                "visits": move.visits,
                "win_rate": move.win_rate,
                "q": move.q,
                "prior": move.prior,
                "score_lead": move.score_lead,
                "proven": _proven(move.solved, move.solved_plies),
                "pv": [decode(code) for code in move.variation],
            }
            for move in report.moves
        ],
        "ownership_black": None
        if ownership is None
        else [[round(float(point), 4) for point in row] for row in ownership],
    }


def _name(agent: SearchAgent) -> str:
    return f"search with {agent.source.name}"


def _proven(result: str | None, plies: int | None) -> dict[str, Any] | None:
    return None if result is None else {"result": result, "plies": plies}


def _side(asked: Asked, report: PositionReport) -> str:
    return asked.ground.sides[0 if report.first_to_move else 1]


def as_line(asked: Asked, report: PositionReport) -> str:
    """Return how far the search is, in a line."""
    line = f"{report.seconds:6.1f} s  {report.visits:>9,} visits  {_rate(report.win_rate)}"
    if report.moves:
        line += f"  {' '.join(_written(asked, report.moves[0].variation[:_LONGEST_SHOWN]))}"
    return line


def as_text(agent: SearchAgent, asked: Asked, report: PositionReport) -> str:
    """Return a report as a table."""
    return "\n".join(_lines(agent, asked, report))


def _lines(agent: SearchAgent, asked: Asked, report: PositionReport) -> Iterator[str]:
    ground = asked.ground
    where: str = ground.name
    if ground.name == "go":
        where += f" {ground.size}×{ground.size}, {ground.rules} rules, komi {ground.komi:g}"
    elif ground.rules:
        where += f", {ground.rules} rules"
    yield f"{_name(agent)}: {where}"
    yield (
        f"after {counted(report.ply, 'move')}, {_side(asked, report).capitalize()} to move:"
        f" {report.visits:,} visits in {report.seconds:.1f} s"
    )
    if report.outcome is not None:
        first, second = (side.capitalize() for side in ground.sides)
        won = {1: f"{first} has won", -1: f"{second} has won", 0: "drawn"}[report.outcome]
        yield f"the game is over: {won}"
        return
    facts = [f"win rate {_rate(report.win_rate)}"]
    if report.score_lead is not None:
        facts.append(f"score lead {report.score_lead:+.1f}")
    if report.solved is not None:
        plies = counted(report.solved_plies or 0, "ply", "plies")
        facts.append(f"proven {report.solved} in {plies}")
    yield ", ".join(facts)
    yield ""
    yield from _table(asked, report.moves)
    if report.ownership_black is not None:
        yield ""
        yield "ownership: X Black's, O White's, small if not quite, . open"
        yield from _drawn(report.ownership_black)


def _table(asked: Asked, moves: Sequence[MoveReport]) -> Iterator[str]:
    has_score = any(move.score_lead is not None for move in moves)
    score = f"{'score':>8}" if has_score else ""
    numbers = f"{'visits':>9}{'win rate':>10}{'Q':>8}{'prior':>9}{score}"
    yield f"{'move':<8}{numbers}  {'proven':<9}variation"
    for move in moves:
        written = _written(asked, move.variation[:_LONGEST_SHOWN])
        q = "–" if move.q is None else f"{move.q:+.3f}"
        lead = "–" if move.score_lead is None else f"{move.score_lead:+.1f}"
        proven = "" if move.solved is None else f"{move.solved} {move.solved_plies}"
        yield (
            f"{written[0]:<8}{move.visits:>9,}{_rate(move.win_rate):>10}{q:>8}"
            f"{100 * move.prior:>7.1f} %{f'{lead:>8}' if has_score else ''}  {proven:<9}"
            f"{' '.join(written)}"
        ).rstrip()


def _rate(win_rate: float | None) -> str:
    return "–" if win_rate is None else f"{100 * win_rate:.1f} %"


def _drawn(ownership: NDArray[np.float32]) -> Iterator[str]:
    for row in ownership:
        yield " ".join(_point(float(value)) for value in row)


def _point(value: float) -> str:
    if abs(value) < 1 / 3:
        return "."
    letter = "X" if value > 0 else "O"
    return letter if abs(value) >= 2 / 3 else letter.lower()


def _written(asked: Asked, codes: Sequence[int]) -> list[str]:
    """Return moves from the position on as people write them: SAN, WXF, or GTP's vertices."""
    if asked.ground.name == "xiangqi":
        return write_moves([*asked.moves, *codes], asked.start, "wxf")[len(asked.moves) :]
    if not isinstance(asked.position, ChessPosition):
        return [asked.ground.game.decode(code) for code in codes]
    position, texts = asked.position.copy(), []
    for code in codes:
        texts.append(position.san(code))
        position.push(code)
    return texts
