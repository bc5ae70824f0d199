"""Measures of all models of all games as result tables, and differences between models.

Models are compared on the same moves, draw by draw: in every bootstrap draw of games the measure of
one is taken from that of the other, and the interval is of these differences. A difference can be
clear though the intervals of the two models overlap.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia.imitation import ceiling
from tabia.imitation.bins import ALL_BINS, OWN, label
from tabia.imitation.config import ImitationScores
from tabia.imitation.models.modules import MODELS
from tabia.imitation.scores import REPEATED
from tabia.learning.bootstrap import UndefinedError, interval
from tabia.tables import parquet, results
from tabia.tables.results import Figure

__all__ = ["KEYS", "Score", "SummaryScoresError", "model_place", "read", "rows"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "models": ("game", "model", "trained_on", "tested_on"),
    "parts": ("game", "model", "group", "part"),
    "calibration": ("game", "model", "confidence"),
    "ceiling": (*ceiling.KEYS, "model"),
    "differences": ("game", "model", "against", "tested_on"),
}
"""Key columns of each table."""

_AGAINST = "xqsv"  # the paper's net: what the others are compared with
_COMPARED = {"top_1": "share", "nll": "nats"}

_Keyed = tuple[tuple[object, ...], Figure]


class SummaryScoresError(ValueError):
    """Scores that do not belong together."""

    exit_code = 3


@dataclass(frozen=True)
class Score:
    """One figure of one model, with its bootstrap draws, `[draws]`; none where by jackknife."""

    game: str
    model: str
    trained_on: str
    tested_on: str
    group: str | None
    part: str | None
    figure: Figure
    draws: NDArray[np.float64]


def model_place(model: str) -> tuple[int, str]:
    """Return where a model stands in tables; one that is not listed stands last."""
    names = list(MODELS)
    return names.index(model) if model in names else len(names), model


def read(paths: Sequence[Path], games: Sequence[str]) -> list[Score]:
    """Return the scores of all models, game by game, models in the order of tables.

    Raises
    ------
    SummaryScoresError
        If two files hold one model of one game, or a game is not among `games`.
    """
    found: dict[tuple[int, tuple[int, str]], list[Score]] = {}
    for path in paths:
        own = list(_scores(path))
        if not own:
            print(f"{path}: no scores", file=sys.stderr)
            continue
        game, model = own[0].game, own[0].model
        if game not in games:
            raise SummaryScoresError(f"{path}: of {game}, and the run has {', '.join(games)}")
        place = (games.index(game), model_place(model))
        if place in found:
            raise SummaryScoresError(f"{path}: scores of {model}, {game}, are given twice")
        found[place] = own
    return [score for place in sorted(found) for score in found[place]]


def _scores(path: Path) -> Iterator[Score]:
    table = parquet.read(path)
    lists = table["draws"].combine_chunks()
    # Not by to_pylist: a run has millions of draws.
    flat = lists.values.to_numpy(zero_copy_only=False)
    ends = lists.offsets.to_numpy()
    for number, row in enumerate(table.drop_columns("draws").to_pylist()):
        figure = Figure(**{name: row.pop(name) for name in results.FIGURE.names})
        yield Score(**row, figure=figure, draws=flat[ends[number] : ends[number + 1]])


def rows(
    scores: Sequence[Score],
    ceilings: Sequence[Path],
    settings: Mapping[str, Any],
    bins: Mapping[str, Sequence[str]],
) -> dict[str, list[_Keyed]]:
    """Return the rows of each table of :data:`KEYS`.

    Parameters
    ----------
    scores
        As :func:`read` gives them.
    settings
        Of each game: its :class:`ImitationScores` as plain values.
    bins
        Of each game: names in paths.

    Raises
    ------
    SummaryScoresError
        If models that are compared were not tested on the same moves.
    """
    found: dict[str, list[_Keyed]] = {name: [] for name in KEYS}
    for one in scores:
        own = (one.game, one.model)
        if one.group is None:
            found["models"].append(((*own, one.trained_on, one.tested_on), one.figure))
        elif one.group == "confidence":
            found["calibration"].append(((*own, one.part), one.figure))
        elif one.group != REPEATED:
            found["parts"].append(((*own, one.group, one.part), one.figure))
    tables = {row["game"]: row for path in ceilings for row in _ceilings(path)}
    for game in bins:
        found["ceiling"] += tables.get(game, {"rows": []})["rows"]
        found["ceiling"] += [
            ((game, one.tested_on, None, one.model), one.figure)
            for one in scores
            if one.game == game and one.group == REPEATED
        ]
        confidence = ImitationScores.model_validate(settings[game]).confidence
        own_scores = [one for one in scores if one.game == game and one.group is None]
        found["differences"] += _differences(own_scores, bins[game], confidence)
    return found


def _ceilings(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the game of a table of ceilings with its rows."""
    keyed: list[_Keyed] = []
    game = None
    for row in parquet.read(path).to_pylist():
        figure = Figure(**{name: row.pop(name) for name in results.FIGURE.names})
        game = row["game"]
        keyed.append(((*(row[key] for key in ceiling.KEYS), None), figure))
    if game is not None:
        yield {"game": game, "rows": keyed}


def _differences(
    scores: Sequence[Score], bins: Sequence[str], confidence: float
) -> Iterator[_Keyed]:
    """Yield what each model has more than the one that all are compared with."""
    models = list(dict.fromkeys(one.model for one in scores))
    if len(models) < 2:
        return
    against = _AGAINST if _AGAINST in models else models[0]
    cells = {
        (one.model, one.tested_on, one.figure.metric): one
        for one in scores
        if one.figure.metric in _COMPARED and _is_own(one)
    }
    for tested_on in (ALL_BINS, *map(label, bins)):
        for model in models:
            for metric in _COMPARED:
                own = cells.get((model, tested_on, metric))
                base = cells.get((against, tested_on, metric))
                if model == against or own is None or base is None:
                    continue
                figure = _difference(own, base, confidence)
                if figure is not None:
                    yield (own.game, model, against, tested_on), figure


def _is_own(one: Score) -> bool:
    """Return whether a model was tested on what it was trained for."""
    return one.trained_on in (one.tested_on, ALL_BINS, OWN)


def _difference(own: Score, base: Score, confidence: float) -> Figure | None:
    first, second = own.figure, base.figure
    if (first.n_games, first.n_positions, len(own.draws)) != (
        second.n_games,
        second.n_positions,
        len(base.draws),
    ):
        raise SummaryScoresError(
            f"{own.game}: {own.model} was tested on {first.n_positions} moves of {own.tested_on}"
            f" with {len(own.draws)} draws, {base.model} on {second.n_positions} with"
            f" {len(base.draws)}; score both again"
        )
    value = first.value - second.value
    try:
        lo, hi, method = interval(value, own.draws - base.draws, confidence, over="game")
    except UndefinedError as error:
        print(f"no difference of {own.model} in {own.tested_on}: {error}", file=sys.stderr)
        return None
    return Figure(
        metric=f"{first.metric}_difference",
        unit=first.unit,
        value=value,
        lo=lo,
        hi=hi,
        interval=f"{method}, paired",
        n_games=first.n_games,
        n_positions=first.n_positions,
        played_by=first.played_by,
    )
