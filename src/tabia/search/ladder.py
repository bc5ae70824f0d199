"""Stage ``search.ladder``: one match of a generation's player, with an earlier one or a rival."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tabia.search.config import Budget, Rules, SearchSettings
from tabia.search.duel import NetPlayer, Player, RandomPlayer, RolloutPlayer, duel, duel_table
from tabia.search.learning_config import Ladder
from tabia.search.nets import folder
from tabia.search.selfplay import evaluator_of
from tabia.search.start import RULES
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["REVISION", "players_of", "run"]

REVISION = 1
"""Raised when other games come out of the same configuration."""

_SLOTS = 32

_RIVALS: dict[str, Callable[[Rules, SearchSettings, int], Player]] = {
    "random": lambda rules, _, slots: RandomPlayer(rules, slots),
    "rollouts": RolloutPlayer,
}


def players_of(pair: str) -> tuple[str, str]:
    """Return the two players of a match's name: a generation, then one before it or a rival.

    Raises
    ------
    ValueError
        If there is no such match.
    """
    first, _, second = pair.partition("-")
    earlier = first.isdecimal() and second.isdecimal() and int(second) < int(first)
    if not earlier and not (first.isdecimal() and second in _RIVALS):
        raise ValueError(
            f"{pair!r} names no match: a generation, -, and one before it or one of"
            f" {', '.join(_RIVALS)}"
        )
    return first, second


def run(spec: Spec, *, first: Path, second: Path | None, games: Path) -> None:
    """Play the match.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules`` and ``ladder`` (:class:`Ladder`, without its rivals);
        wildcards are ``run`` and ``pair``.
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
    rival = _RIVALS.get(names[1])
    if (rival is None) == (second is None):
        wanted = "needs the folder of its net" if rival is None else "has no net"
        raise ValueError(f"the second player of {spec.wildcards['pair']}, {names[1]}, {wanted}")
    rules = RULES.validate_python(spec.config["rules"])
    settings = Ladder.model_validate(spec.config["ladder"])
    search = SearchSettings(budget=Budget(simulations=settings.simulations))
    slots = min(_SLOTS, settings.games)
    seed = int(spec.rng("match", *names).integers(2**31))
    with ExitStack() as stack:
        progress = stack.enter_context(
            Progress(f"match {' '.join(spec.wildcards.values())}", settings.games, "games")
        )

        def searching(path: Path) -> Player:
            net = folder.load(path).net
            evaluator = stack.enter_context(evaluator_of(net, settings.threads))
            return NetPlayer(rules, search, slots, net.shape.history, evaluator)

        one = searching(first)
        other = searching(second) if second is not None else _RIVALS[names[1]](rules, search, slots)
        played = duel(
            one,
            other,
            settings.games // 2,
            seed=seed,
            opening=settings.opening,
            ended=lambda _: progress.advance(1),
        )
    shown = [f"generation {name}" if name.isdecimal() else name for name in names]
    parquet.write(duel_table(shown[0], shown[1], played), games, spec=spec)
