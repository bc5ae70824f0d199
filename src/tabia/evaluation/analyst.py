"""An engine asked about positions at hand, as the labels were: same limits, same settings.

Nothing is stored. The engine that answers may be another than the one that labelled; what differs
is told by :func:`differences`, because a model trained on one engine's values is not made for
another's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from tabia.engines.config import Engine, Limit
from tabia.engines.errors import EngineError
from tabia.engines.label import REVISION
from tabia.engines.pool import Done, Failed, Pool
from tabia.engines.store import EngineIdentity
from tabia.engines.uci import Search

__all__ = ["Analyst", "Score", "differences", "settings_of_labels"]

_BY_CONTENT = re.compile(r".* sha256:[0-9a-f]{16}")  # a file that an option named


@dataclass(frozen=True)
class Score:
    """What an engine says of a position at one limit.

    Attributes
    ----------
    pawns
        White's view; None where the engine sees a mate, or failed.
    mate
        Moves to mate, positive if White mates; None if the engine sees none.
    move
        Best move, UCI.
    fault
        Why there is no score; empty if there is one.
    """

    pawns: float | None
    mate: int | None
    move: str | None
    fault: str = ""


class Analyst:
    """A running engine that values positions; use it in a ``with`` block.

    Parameters
    ----------
    engine
        The engine; see :func:`settings_of_labels`.

    Raises
    ------
    EngineNotFoundError, EngineStartError, EngineConfigError
        If the engine cannot be had.

    Attributes
    ----------
    given_up
        Why the engine is asked no more: it could not be restarted, or failed on everything.
        Empty while it is asked.
    """

    def __init__(self, engine: Engine) -> None:
        self._pool = Pool(engine)
        self.given_up = ""
        self.identity = EngineIdentity.of(self._pool.engine, REVISION)

    def __enter__(self) -> Analyst:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.close()

    def scores(self, fens: Sequence[str], limits: Sequence[Limit]) -> list[dict[Limit, Score]]:
        """Return the engine's score of every position at every limit.

        Parameters
        ----------
        fens
            Four-field FENs of positions with a legal move.

        Returns
        -------
        list of dict
            One a position, in order; a score that could not be had says why. Once the engine is
            given up, `given_up` is the fault of every score still wanted.
        """
        found: list[dict[Limit, Score]] = [{} for _ in fens]
        searches = [Search(fen, limit.text) for fen in fens for limit in limits]
        places = {
            id(search): (number // len(limits), limits[number % len(limits)])
            for number, search in enumerate(searches)
        }
        try:
            for outcomes in [] if self.given_up else self._pool.run(searches):
                for outcome in outcomes:
                    row, limit = places[id(outcome.search)]
                    found[row][limit] = _score(outcome)
        except EngineError as error:
            self.given_up = str(error)
        unknown = Score(None, None, None, self.given_up)
        return [{limit: scores.get(limit, unknown) for limit in limits} for scores in found]


def _score(outcome: Done | Failed) -> Score:
    if isinstance(outcome, Failed):
        return Score(None, None, None, str(outcome.error))
    said = outcome.analysis
    pawns = None if said.score_cp is None else said.score_cp / 100
    return Score(pawns, said.mate, said.move)


def settings_of_labels(labels: Mapping[str, str], command: str, limits: Sequence[Limit]) -> Engine:
    """Return an engine set as the one that labelled.

    Parameters
    ----------
    labels
        ``engine.options`` and so on, from the metadata of the labels or a model's configuration.
        What they do not name keeps its default. A file named in an option is not set: labels
        know it by its content only.
    command
        Program name or path.
    limits
        What it will be asked; a search by the clock must not be taken for hung.
    """
    options = {
        name: value
        for name, value in _options(labels).items()
        if not (isinstance(value, str) and _BY_CONTENT.fullmatch(value))
    }
    options.pop("Threads", None)
    known: dict[str, object] = {}
    for option, setting in (("Hash", "hash_mb"), ("MultiPV", "multipv")):
        if option in options:
            known[setting] = options.pop(option)
    longest_ms = max((limit.movetime_ms or 0 for limit in limits), default=0)
    return Engine.model_validate(
        known
        | {"command": command, "options": options, "timeout_s": max(600, 10 + longest_ms / 500)}
    )


def differences(labels: Mapping[str, str], engine: EngineIdentity) -> list[str]:
    """Return in words how an engine differs from the one that labelled; empty if it does not."""
    if not labels.get("engine.name"):
        return ["the labels do not name their engine"]
    found = []
    theirs = f"{labels['engine.name']} {labels.get('engine.version', '')}".strip()
    ours = f"{engine.name} {engine.version}".strip()
    if theirs != ours:
        found.append(f"the labels are by {theirs}, this is {ours}")
    elif (net := labels.get("engine.net", "")) != engine.net:
        found.append(f"the labels' network is {net or 'none'}, this one's {engine.net or 'none'}")
    options = _options(labels)
    for name in sorted(options.keys() | engine.options.keys()):
        then, now = options.get(name, "not set"), engine.options.get(name, "not set")
        if then != now:
            found.append(f"option {name} was {then} for the labels and is {now}")
    return found


def _options(labels: Mapping[str, str]) -> dict[str, str | int | bool]:
    return dict(json.loads(labels.get("engine.options", "{}")))
