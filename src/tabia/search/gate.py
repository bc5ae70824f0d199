"""Stage ``search.gate``: the new net plays the best one so far, and takes over if it wins.

Both play the whole match, whoever is ahead, so the games are the same however they are run.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from tabia.search.duel import SLOTS, NetPlayer, duel, duel_table, search_of
from tabia.search.learning_config import Gate
from tabia.search.nets import folder
from tabia.search.selfplay import evaluator_of
from tabia.search.start import RULES
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["REVISION", "run"]

REVISION = 2
"""Raised when other games come out of the same configuration."""


def run(spec: Spec, *, candidate: Path, best: Path, games: Path, chosen: Path) -> None:
    """Play the match.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules``, ``search`` (``tree`` and ``move`` of both players),
        ``gate`` (:class:`Gate`) and ``threads``; wildcards are ``run`` and ``generation``.
    candidate, best
        IN: folders of the new net and of the best one so far.
    games
        OUT: `DUELS`, the candidate being the first player.
    chosen
        OUT: folder of the net that goes on.
    """
    rules = RULES.validate_python(spec.config["rules"])
    settings = Gate.model_validate(spec.config["gate"])
    search = search_of(spec.config["search"], settings.simulations)
    pairs = settings.games // 2
    slots = min(SLOTS, settings.games)
    nets = [folder.load(path) for path in (candidate, best)]
    generation = int(spec.wildcards["generation"])
    seed = int(spec.rng("gate", generation).integers(2**31))
    label = f"gate {spec.wildcards['run']} {generation}"
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(label, settings.games, "games"))
        players = [
            NetPlayer(
                rules,
                search,
                slots,
                saved.net.shape.history,
                stack.enter_context(evaluator_of(saved.net, spec.config["threads"])),
            )
            for saved in nets
        ]
        played = duel(players[0], players[1], pairs, seed=seed, ended=lambda _: progress.advance(1))
    score = sum(game.points for game in played) / len(played)
    winner = nets[0] if score > settings.score else nets[1]
    parquet.write(duel_table("candidate", "best", played), games, spec=spec)
    folder.save(chosen, winner.net, winner.provenance)
