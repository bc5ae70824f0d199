"""Stage ``search.start``: the net of generation 0, with random weights."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from tabia.games.go_rules import rule_set
from tabia.learning.training import reproducible
from tabia.search.config import GoRules, Rules
from tabia.search.nets import folder
from tabia.search.nets.config import NetShape, architecture_of, search_shape
from tabia.search.nets.net import make
from tabia.tables.spec import Spec

__all__ = ["RULES", "run", "shape_of", "told_rules"]

RULES: TypeAdapter[Rules] = TypeAdapter(Rules)
"""Reads the rules of a spec."""


def shape_of(rules: Rules, history: int, *, liberties: bool = False) -> NetShape:
    """Return what the net of a learner reads."""
    size = rules.size if isinstance(rules, GoRules) else 19
    return search_shape(rules.game, history=history, size=size, liberties=liberties)


def told_rules(rules: Rules) -> dict[str, str | float]:
    """Return what a net's card tells of the rules that it learned by; nothing but for Go."""
    if not isinstance(rules, GoRules):
        return {}
    own = rule_set(rules.rules)
    return {"rules": own.name, "komi": own.komi if rules.komi is None else rules.komi}


def run(spec: Spec, *, net: Path) -> None:
    """Draw the weights.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules``, ``net`` (an architecture), ``history`` and
        ``liberties``; the wildcard is ``run``.
    net
        OUT: folder of the net.
    """
    rules = RULES.validate_python(spec.config["rules"])
    shape = shape_of(rules, spec.config["history"], liberties=spec.config["liberties"])
    with reproducible(int(spec.rng("start").integers(2**31)), threads=1):
        made = make(shape, architecture_of(spec.config["net"])).eval()
    told = {"run": spec.wildcards["run"], "generation": 0, "games": 0, **told_rules(rules)}
    folder.save(net, made, told)
