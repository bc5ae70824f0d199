"""Ratings as text for people and as one JSON object."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tabia.app.commands.game_rows import GameRows
from tabia.app.commands.one_line import columns, one_line, padded
from tabia.match.ratings import PlayerRating, Ratings
from tabia.match.sprt import SequentialTest

__all__ = ["as_json", "as_text"]

_SIDES = {"chess": "White", "xiangqi": "Red", "go": "Black"}
_LISTED = 200  # players up to which JSON has every likelihood of superiority
_WIDEST = 40  # columns of a name


def as_text(
    found: Ratings, read: GameRows, test: SequentialTest | None, *, least: int, top: int
) -> str:
    """Return what people read, without a final newline.

    Parameters
    ----------
    least, top
        Games that a player needs to be shown, and how many players are, 0 for all.
    """
    games = sum(one.games for one in found.players) // 2
    lines = [f"{read.game}: {games:,} games of {len(found.players):,} players"]
    if left := [f"{why.replace('_', ' ')} {count:,}" for why, count in read.left_out.items()]:
        lines.append("left out: " + ", ".join(left))
    lines.append(found.method)
    if found.advantage is not None:
        side = _SIDES.get(read.game, "who moves first")
        lines.append(f"first move ({side}): {_with_ends(*found.advantage)} Elo")
    if found.draw_share is not None:
        value, low, high = found.draw_share
        lines.append(f"draws between equals: {value:.1%} [{low:.1%}, {high:.1%}]")
    lines += found.notes
    if len(found.groups) > 1:
        lines.append(
            f"{len(found.groups):,} groups of players without a game between them: Elos of"
            " different groups cannot be compared"
        )
    shown = [one for one in found.players if one.games >= least]
    cut = shown[: top or None]
    lines += ["", *_table(found, cut)]
    if sweeps := sum(one.is_sweep and not one.is_anchor for one in cut):
        what = "has" if sweeps == 1 else "have"
        lines.append(
            f"! {sweeps:,} {what} won all games or lost all: the prior alone keeps the Elo finite"
        )
    if hidden := len(found.players) - len(cut):
        lines.append(f"{hidden:,} players are not shown; --out FILE writes all, --top 0 shows all")
    if test is not None:
        lines += ["", _test_text(found, test)]
    return "\n".join(lines)


def as_json(found: Ratings, read: GameRows, test: SequentialTest | None) -> dict[str, Any]:
    """Return everything known as plain values; Elos are rounded to hundredths."""
    facts: dict[str, Any] = {
        "game": read.game,
        "records": read.found,
        "left_out": read.left_out,
        "games": sum(one.games for one in found.players) // 2,
        "method": found.method,
        "notes": list(found.notes),
        "first_move": _ends(found.advantage, 2),
        "draw_share": _ends(found.draw_share, 5),
        "groups": list(found.groups),
        "players": [
            {
                "player": one.name,
                "group": one.group + 1,
                "elo": round(one.elo, 2),
                "low": round(one.lo, 2),
                "high": round(one.hi, 2),
                "anchor": one.is_anchor,
                "games": one.games,
                "won": one.won,
                "drawn": one.drawn,
                "lost": one.lost,
                "los_over_next": None if los is None else round(los, 5),
            }
            for one, los in zip(found.players, _over_next(found, found.players), strict=True)
        ],
    }
    if len(found.players) <= _LISTED:
        facts["superiority"] = [
            [
                None if (los := found.superiority(one, other)) is None else round(los, 5)
                for other in found.players
            ]
            for one in found.players
        ]
    if test is not None:
        facts["sprt"] = {
            "player": _first(found).name,
            "elo0": test.elo0,
            "elo1": test.elo1,
            "llr": test.ratio,
            "lower": test.lower,
            "upper": test.upper,
            "accepted": test.verdict,
        }
    return facts


def _table(found: Ratings, shown: list[PlayerRating]) -> list[str]:
    many = len(found.groups) > 1
    heads = ["", *(["group"] if many else []), "player", "Elo", "interval", "games", "won", "drawn",
             "lost", "score", "LOS"]  # fmt: skip
    rows = []
    for rank, (one, los) in enumerate(zip(shown, _over_next(found, shown), strict=True), 1):
        interval = "given" if one.is_anchor else f"[{_whole(one.lo)}, {_whole(one.hi)}]"
        score = (one.won + one.drawn / 2) / one.games
        rows.append(
            [f"{rank}", *([f"{one.group + 1}"] if many else []), _name(one.name),
             f"{_whole(one.elo)}{'!' if one.is_sweep and not one.is_anchor else ''}", interval,
             f"{one.games:,}", f"{one.won:,}", f"{one.drawn:,}", f"{one.lost:,}", f"{score:.1%}",
             "" if los is None else _sure(los)]
        )  # fmt: skip
    name = heads.index("player")
    widths = [max(columns(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return [
        "  ".join(
            padded(cell, width) if i == name else " " * (width - columns(cell)) + cell
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heads, *rows]
    ]


def _over_next(
    found: Ratings, shown: list[PlayerRating] | tuple[PlayerRating, ...]
) -> list[float | None]:
    """How likely each is stronger than the one below."""
    below = [found.superiority(one, other) for one, other in pairwise(shown)]
    return [*below, None][: len(shown)]


def _first(found: Ratings) -> PlayerRating:
    return next(one for one in found.players if one.number == 0)


def _test_text(found: Ratings, test: SequentialTest) -> str:
    verdict = "go on" if test.verdict is None else f"{test.verdict} is accepted"
    return (
        f"SPRT of {_name(_first(found).name)}, elo0 {test.elo0:g}, elo1 {test.elo1:g}, by pairs:"
        f" LLR {test.ratio:.2f} in ({test.lower:.2f}, {test.upper:.2f}): {verdict}"
    )


def _name(name: str) -> str:
    name = one_line(name)
    return name if columns(name) <= _WIDEST else name[: _WIDEST // 2 - 1] + "…"


def _with_ends(value: float, low: float, high: float) -> str:
    return f"{_whole(value)} [{_whole(low)}, {_whole(high)}]"


def _whole(elo: float) -> str:
    return f"{round(elo):+d}"  # no -0


def _ends(three: tuple[float, float, float] | None, digits: int) -> dict[str, float] | None:
    if three is None:
        return None
    names = ("value", "low", "high")
    return {name: round(one, digits) for name, one in zip(names, three, strict=True)}


def _sure(los: float) -> str:
    """Percentage that is never rounded to certainty."""
    return "> 99.9%" if los > 0.999 else "< 0.1%" if los < 0.001 else f"{los:.1%}"
