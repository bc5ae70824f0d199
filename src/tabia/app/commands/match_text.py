"""A match as text for people and as one JSON object."""

from __future__ import annotations

import json
from typing import Any

from tabia.match.elo import PAIR_SCORES, EloDifference
from tabia.match.ground import Ground
from tabia.match.result import ForfeitedGame, Result, Tally
from tabia.match.run import Match

__all__ = ["as_json", "as_text"]

_AGENTS = "AB"


def as_text(match: Match, result: Result, openings: str) -> str:
    """Return what people read, without a final newline."""
    plan, elo = match.plan, result.elo
    first, second = (side.capitalize() for side in plan.ground.sides)
    games = f"{result.all.games:,} games"
    if match.stopped is not None:
        games += f" of {plan.games:,}"
    cap = "" if plan.max_plies is None else f", at most {plan.max_plies} plies"
    lines = [f"{_ground(plan.ground)}: {games} from {openings}{cap}, seed {plan.seed}"]
    for letter, spec, name in zip(_AGENTS, plan.agents, match.names, strict=True):
        lines.append(f"  {letter}  {spec}" + ("" if name == spec else f"  ({name})"))
    if elo is None:
        return "\n".join([*lines, "no pair of games was finished"])
    lines += ["", f"{'':12}{'games':>7}{'won':>7}{'drawn':>7}{'lost':>7}{'score':>9}"]
    for label, tally in (
        ("A", result.all),
        (f"A as {first}", result.as_first),
        (f"A as {second}", result.as_second),
    ):
        lines.append(
            f"{label:12}{tally.games:7,}{tally.won:7,}{tally.drawn:7,}{tally.lost:7,}"
            f"{tally.points / tally.games:9.1%}"
        )
    pairs = ", ".join(
        f"{score:g}: {count:,}" for score, count in zip(PAIR_SCORES, elo.pairs, strict=True)
    )
    lines += [
        "",
        f"Elo of A against B: {_elo_text(elo)}, LOS {_sure(elo.los)}",
        f"pairs by A's points: {pairs}",
        f"plies: {result.mean_plies:.0f} on average, {result.longest_plies} at most",
        "endings: "
        + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in result.endings.items()),
    ]
    lines += _warnings(match, result)
    for forfeit in result.forfeits:
        lines += ["", *_forfeit_text(match, forfeit)]
    return "\n".join(lines)


def as_json(match: Match, result: Result, openings: str) -> str:
    """Return everything known as one JSON object; scores are in A's view."""
    plan, elo = match.plan, result.elo
    facts: dict[str, Any] = {
        **plan.ground.as_json(),
        "agents": [
            {"agent": letter, "spec": spec, "name": name, "repeatable": repeatable}
            for letter, spec, name, repeatable in zip(
                _AGENTS, plan.agents, match.names, match.repeatable, strict=True
            )
        ],
        "seed": plan.seed,
        "openings": openings,
        "max_plies": plan.max_plies,
        "games_planned": plan.games,
        "games": result.all.games,
        "complete": match.stopped is None,
        "a": _tally_facts(result.all),
        "a_as_first": _tally_facts(result.as_first),
        "a_as_second": _tally_facts(result.as_second),
        "elo": None if elo is None else _elo_facts(elo),
        "endings": result.endings,
        "forfeits": [
            {
                "pair": item.pair,
                "game": item.number,
                "agent": _AGENTS[item.agent],
                "spec": plan.agents[item.agent],
                "ply": len(item.game.moves) + 1,
                "kind": item.game.forfeit.kind,
                "detail": item.game.forfeit.detail,
                "transcript": list(item.game.forfeit.transcript),
            }
            for item in result.forfeits
            if item.game.forfeit is not None
        ],
        "distinct_games": result.distinct,
        "mean_plies": result.mean_plies,
        "longest_plies": result.longest_plies,
        "results": [
            {
                "pair": number + 1,
                "game": i + 1,
                "first": _AGENTS[i],
                "result": game.result,
                "reason": game.reason,
                "plies": len(game.moves),
            }
            for number, pair in match.pairs.items()
            for i, game in enumerate(pair)
        ],
    }
    return json.dumps(facts, indent=1, ensure_ascii=False)


def _ground(ground: Ground) -> str:
    """``chess``, ``xiangqi, asian rules``, ``go on 9x9, chinese rules, komi 7``."""
    if ground.name == "chess":
        return "chess"
    if ground.name == "xiangqi":
        return f"xiangqi, {ground.rules} rules"
    return f"go on {ground.size}x{ground.size}, {ground.rules} rules, komi {ground.komi:g}"


def _tally_facts(tally: Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "points": tally.points,
    }


def _elo_facts(elo: EloDifference) -> dict[str, Any]:
    """Infinite differences and open bounds are null; the scores tell which way."""
    return {
        "difference": elo.elo,
        "low": elo.elo_low,
        "high": elo.elo_high,
        "level": elo.level,
        "score": elo.score,
        "score_low": elo.score_low,
        "score_high": elo.score_high,
        "los": elo.los,
        "pairs": {f"{score:g}": n for score, n in zip(PAIR_SCORES, elo.pairs, strict=True)},
    }


def _elo_text(elo: EloDifference) -> str:
    def bound(value: float | None, score: float) -> str:
        if value is None:
            return "+∞" if score > 0.5 else "-∞"
        return f"{value:+.0f}"

    low, high = bound(elo.elo_low, elo.score_low), bound(elo.elo_high, elo.score_high)
    return f"{bound(elo.elo, elo.score)} [{low}, {high}] ({elo.level:.0%}, by pairs)"


def _sure(los: float) -> str:
    """Percentage that is never rounded to certainty."""
    return "> 99.9%" if los > 0.999 else "< 0.1%" if los < 0.001 else f"{los:.1%}"


def _warnings(match: Match, result: Result) -> list[str]:
    lines = []
    if result.distinct < result.all.games:
        lines.append(
            f"{result.all.games - result.distinct:,} games repeat others move for move; the"
            " interval counts them as if they were new, and is too narrow"
        )
    loose = [letter for letter, fixed in zip(_AGENTS, match.repeatable, strict=True) if not fixed]
    if loose:
        lines.append(
            f"{' and '.join(loose)} will not play the same games again: the clock decides, or draws"
            " of the engine's own"
        )
    return lines


def _forfeit_text(match: Match, item: ForfeitedGame) -> list[str]:
    forfeit = item.game.forfeit
    if forfeit is None:
        return []
    side = match.plan.ground.sides[forfeit.side]
    return [
        f"forfeit: pair {item.pair}, game {item.number}, ply {len(item.game.moves) + 1}:"
        f" {_AGENTS[item.agent]} ({side}) {forfeit.kind.replace('_', ' ')}: {forfeit.detail}",
        *(f"    {line}" for line in forfeit.transcript),
    ]
