"""Stage ``search.summary``: the chapter's result tables, of all learners of a run together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabia.match.elo import PAIR_SCORES, EloDifference, from_pairs
from tabia.search import summary_times
from tabia.search.ratings import ratings
from tabia.search.summary_selfplay import figures_of
from tabia.tables import parquet, results
from tabia.tables.results import Figure, exact
from tabia.tables.spec import Spec

__all__ = ["KEYS", "run"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "generations": ("learner", "player", "generation"),
    "matches": ("learner", "first", "second"),
    "selfplay": ("learner", "generation"),
    "times": summary_times.KEYS,
}
"""Key columns of each table, by its name without the chapter's."""

_TITLES = {
    "generations": "What each generation learned, and its strength",
    "matches": "Matches of generations with earlier ones and with players that learn nothing",
    "selfplay": "Games of each generation against itself",
    "times": "Time that each generation's games and training took",
}

_ONCE = "none: one number of one training, on the games held back from it"
_MEASURED = (("pretraining_loss", "loss", "loss"), ("pretraining_agreement", "share", "agreement"))
_PLAYED_BY = "engines"

_Keyed = tuple[tuple[object, ...], Figure]


def run(
    spec: Spec,
    *,
    games: Sequence[Path],
    positions: Sequence[Path],
    nets: Sequence[Path],
    matches: Sequence[Path],
    times: Sequence[Path],
    generations_table: Path,
    matches_table: Path,
    selfplay_table: Path,
    times_table: Path,
) -> None:
    """Write the result tables.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``bootstrap`` (draws), ``confidence``, ``simulations`` and
        ``rival_simulations`` (of the matches of generations and with others) and ``learners``: of
        each its ``generations``.
    games, positions
        IN: ``search/{learner}/selfplay/{generation}/{shard}/games.parquet`` and so on, in the same
        order.
    nets
        IN: folders ``search/{learner}/nets/{generation}``.
    matches
        IN: ``search/{learner}/matches/{pair}.parquet``.
    times
        IN: :data:`tabia.search.times.TIMES` of self-play and training.
    generations_table, matches_table, selfplay_table, times_table
        OUT: result tables.
    """
    rows: dict[str, list[_Keyed]] = {name: [] for name in KEYS}
    for learner in spec.config["learners"]:
        shards: dict[int, list[tuple[Path, Path]]] = {}
        for pair in zip(games, positions, strict=True):
            if pair[0].parents[3].name == learner:
                shards.setdefault(int(pair[0].parents[1].name), []).append(pair)
        for generation, own in sorted(shards.items()):
            figures = figures_of(spec, learner, generation, own)
            rows["selfplay"] += [((learner, generation), figure) for figure in figures]
        duels = [path for path in matches if path.parents[1].name == learner]
        folders = [path for path in nets if path.parents[1].name == learner]
        rows["generations"] += _trained(learner, folders)
        pairs = {}
        for path in duels:
            names, games_of_match = _match(path)
            found = list(_of_match(spec, games_of_match))
            pairs[names] = _counts(games_of_match)
            rows["matches"] += [((learner, *names), figure) for figure in found]
        rows["generations"] += _rated(spec, learner, pairs)
    paths = {
        "generations": generations_table,
        "matches": matches_table,
        "selfplay": selfplay_table,
        "times": times_table,
    }
    rows["times"] += summary_times.rows(list(spec.config["learners"]), times)
    for name, path in paths.items():
        results.write(results.table(KEYS[name], rows[name]), path, spec=spec, title=_TITLES[name])


# --- matches -----------------------------------------------------------------------------


def _match(path: Path) -> tuple[tuple[str, str], list[dict[str, Any]]]:
    """Players of a match, and its games."""
    rows = parquet.read(path).to_pylist()
    return (rows[0]["first"], rows[0]["second"]), rows


def _counts(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return numbers of pairs by the first player's points."""
    points: dict[int, float] = {}
    for row in rows:
        points[row["pair"]] = points.get(row["pair"], 0.0) + row["points"]
    counts = Counter(points.values())
    return [counts[score] for score in PAIR_SCORES]


def _by_margin(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game as the second player's own count has it."""
    margin = row["margin"]
    if margin is None:
        return dict(row)
    sign = (margin > 0) - (margin < 0)
    return {**row, "points": (1 + (sign if row["is_first"] else -sign)) / 2}


def _of_match(spec: Spec, rows: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    games, plies = len(rows), sum(row["n_plies"] for row in rows)
    confidence = spec.config["confidence"]
    among = rows[0]["second"].startswith("generation ")
    simulations = spec.config["simulations" if among else "rival_simulations"]
    found = from_pairs(_counts(rows), confidence)
    yield _counted("games", games, "count", games, plies)
    yield _counted("simulations", simulations, "count", games, plies)
    yield _of_pairs("score", "share", found.score, found.score_low, found.score_high, found, plies)
    if any(row["margin"] is not None for row in rows):
        other = from_pairs(_counts([_by_margin(row) for row in rows]), confidence)
        lo, hi = other.score_low, other.score_high
        yield _of_pairs("score_by_second", "share", other.score, lo, hi, other, plies)
    ends = found.elo, found.elo_low, found.elo_high
    if ends[0] is not None and ends[1] is not None and ends[2] is not None:
        yield _of_pairs("elo_difference", "Elo", ends[0], ends[1], ends[2], found, plies)


def _of_pairs(
    metric: str, unit: str, value: float, lo: float, hi: float, found: EloDifference, plies: int
) -> Figure:
    return Figure(
        metric=metric,
        unit=unit,
        value=value,
        lo=min(lo, value),
        hi=max(hi, value),
        interval=f"{found.level:.0%} pentanomial, by pair of games",
        n_games=2 * sum(found.pairs),
        n_positions=plies,
        played_by=_PLAYED_BY,
    )


def _counted(metric: str, value: float, unit: str, games: int, positions: int | None) -> Figure:
    return exact(
        metric, value, unit=unit, n_games=games, n_positions=positions, played_by=_PLAYED_BY
    )


# --- generations -------------------------------------------------------------------------


def _trained(learner: str, folders: Sequence[Path]) -> Iterator[_Keyed]:
    for path in sorted(folders, key=lambda path: int(path.name)):
        about = json.loads((path / "net.json").read_text(encoding="utf-8"))
        facts: Mapping[str, Any] = about["provenance"]
        keys = (learner, "net", int(path.name))
        learned, held = facts.get("games", 0), facts.get("held_games", 0)
        positions = facts.get("positions", 0)
        yield keys, _counted("parameters", about["parameters"], "count", learned, positions)
        yield keys, _counted("learned_games", learned, "count", learned, positions)
        yield keys, _counted("learned_positions", positions, "count", learned, positions)
        if "pretrained" in facts:
            yield from ((keys, figure) for figure in _pretrained(facts))
        if "loss" in facts:
            yield (
                keys,
                Figure(
                    metric="validation_loss",
                    unit="loss",
                    value=facts["loss"],
                    lo=facts["loss"],
                    hi=facts["loss"],
                    interval=_ONCE,
                    n_games=held,
                    n_positions=facts["held_positions"],
                    played_by=_PLAYED_BY,
                ),
            )


def _pretrained(facts: Mapping[str, Any]) -> Iterator[Figure]:
    """Yield what labels a learner that began with records, and how well generation 0 knows them."""
    learned, players = facts["pretrained_games"], facts["pretrained_by"]
    yield exact(
        "pretrained_games", learned, unit="count", n_games=learned, n_positions=None,
        played_by=players,
    )  # fmt: skip
    for metric, unit, key in _MEASURED if facts["generation"] == 0 else ():
        value = facts[f"pretrained_{key}"]
        yield Figure(
            metric=metric,
            unit=unit,
            value=value,
            lo=value,
            hi=value,
            interval=_ONCE,
            n_games=facts["pretrained_held_games"],
            n_positions=facts["pretrained_held_positions"],
            played_by=players,
        )


def _rated(
    spec: Spec, learner: str, pairs: Mapping[tuple[str, str], Sequence[int]]
) -> Iterator[_Keyed]:
    draws, confidence = spec.config["bootstrap"], spec.config["confidence"]
    if spec.config["rival_simulations"] != spec.config["simulations"]:
        # With other simulations a generation is another player, who has no match with the first.
        pairs = {names: tally for names, tally in pairs.items() if names[1].startswith("gener")}
    found = ratings(
        pairs,
        "generation 0",
        spec.rng("ratings"),
        draws=draws,
        confidence=confidence,
    )
    method = (
        f"{confidence:.0%} Bayesian bootstrap by pair of games, {draws} draws; one pair spread over"
        " the five scores added to each match"
    )
    for name, rating in found.items():
        if not rating.games:
            continue
        number = name.removeprefix("generation ")
        is_net = number != name
        figure = Figure(
            metric="elo",
            unit="Elo",
            value=rating.value,
            lo=rating.lo,
            hi=rating.hi,
            interval="generation 0 is 0 by definition" if rating.lo == rating.hi else method,
            n_games=rating.games,
            n_positions=None,
            played_by=_PLAYED_BY,
        )
        yield (learner, "net" if is_net else name, int(number) if is_net else None), figure
