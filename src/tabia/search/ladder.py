"""Stage ``search.ladder``: one match of a generation's player, with an earlier one or a rival."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tabia.search.config import TRY_ALL, SearchSettings
from tabia.search.duel import (
    SLOTS,
    NetPlayer,
    Player,
    duel,
    duel_table,
    search_of,
    with_simulations,
)
from tabia.search.learning_config import LAST_OF, Ladder, Rival, gnugo_level
from tabia.search.nets import folder
from tabia.search.rivals import GnuGoPlayer, rival
from tabia.search.selfplay import evaluator_of
from tabia.search.start import RULES
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["REVISION", "players_of", "run"]

REVISION = 2
"""Raised when other games come out of the same configuration."""

_RIVAL: TypeAdapter[str] = TypeAdapter(Rival)


def players_of(pair: str) -> tuple[str, str]:
    """Return the two players of a match's name: a generation, then one before it or a rival.

    Rivals are those of :class:`Ladder` and ``last-of-LEARNER``.

    Raises
    ------
    ValueError
        If there is no such match.
    """
    first, _, second = pair.partition("-")
    earlier = first.isdecimal() and second.isdecimal() and int(second) < int(first)
    if not earlier and not (first.isdecimal() and _is_rival(second)):
        raise ValueError(
            f"{pair!r} names no match: a generation, -, and one before it or one of random,"
            " rollouts, gnugo-level-1"
        )
    return first, second


def _is_rival(name: str) -> bool:
    if name.startswith(LAST_OF):
        return True
    try:
        _RIVAL.validate_python(name)
    except ValidationError:
        return False
    return True


def run(spec: Spec, *, first: Path, second: Path | None, games: Path) -> None:
    """Play the match.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules``, ``search`` and ``second_search`` (``tree`` and
        ``move`` of the players) and ``ladder`` (games, simulations, opening and threads of
        :class:`Ladder`); wildcards are ``run`` and ``pair``.
    first, second
        IN: folders of the generations' nets; None for a rival.
    games
        OUT: `DUELS`; players are named ``generation N`` or by the rival's name.

    Raises
    ------
    ValueError
        If a net is missing or one too many is given.
    """
    names = players_of(spec.wildcards["pair"])
    has_net = names[1].isdecimal() or names[1].startswith(LAST_OF)
    if has_net == (second is None):
        wanted = "needs the folder of its net" if has_net else "has no net"
        raise ValueError(f"the second player of {spec.wildcards['pair']}, {names[1]}, {wanted}")
    rules = RULES.validate_python(spec.config["rules"])
    settings = Ladder.model_validate(spec.config["ladder"])
    searches = [
        search_of(spec.config[key], settings.simulations) for key in ("search", "second_search")
    ]
    other: Player
    slots = min(SLOTS, settings.games)
    seed = int(spec.rng("match", *names).integers(2**31))
    with ExitStack() as stack:
        progress = stack.enter_context(
            Progress(f"match {' '.join(spec.wildcards.values())}", settings.games, "games")
        )

        def searching(path: Path, search: SearchSettings) -> NetPlayer:
            net = folder.load(path).net
            evaluator = stack.enter_context(evaluator_of(net, settings.threads))
            return NetPlayer(rules, search, slots, net.shape.history, evaluator)

        one = searching(first, searches[0])
        if second is None:
            other = rival(names[1], rules, with_simulations(TRY_ALL, settings.simulations), slots)
        else:
            other = searching(second, searches[1])
        if isinstance(other, GnuGoPlayer):
            stack.callback(other.close)
        played = duel(
            one,
            other,
            settings.games // 2,
            seed=seed,
            opening=settings.opening,
            opener=None if gnugo_level(names[1]) is None else one,
            ended=lambda _: progress.advance(1),
        )
    shown = [
        f"generation {name}" if name.isdecimal() else name.replace(LAST_OF, "last of ")
        for name in names
    ]
    parquet.write(duel_table(shown[0], shown[1], played), games, spec=spec)
