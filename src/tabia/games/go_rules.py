"""Sets of rules of Go by name: ko, suicide, counting, komi, handicap. The only place that has them.

=============  ===========  =======  =========  =====  ========  ==========  ====================
name           ko           suicide  counts     komi   handicap  dead stones  neutral points
=============  ===========  =======  =========  =====  ========  ==========  ====================
tromp-taylor   positional   legal    area       7.5    0         stay         nobody's
chinese        positional   illegal  area       7.5    n         removed      nobody's
japanese       simple       illegal  territory  6.5    0         removed      nobody's
korean         simple       illegal  territory  6.5    0         removed      nobody's
aga            situational  illegal  area       7.5    n - 1     removed      nobody's
new-zealand    situational  legal    area       7      0         removed      nobody's
wmsg           positional   illegal  area       6.5    0         removed      nobody's
paper          positional   illegal  area       0      0         removed      divided equally
=============  ===========  =======  =========  =====  ========  ==========  ====================

Handicap: the points that White gets for n handicap stones (2 or more) beside komi. Sources and what
is left out stand in docs/go.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["RULE_SETS", "RuleSet", "rule_set", "rule_set_of_sgf"]

KoRule = Literal["simple", "positional", "situational"]
Scoring = Literal["area", "territory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """What a set of rules says of playing and counting.

    Attributes
    ----------
    name
        Key in `RULE_SETS`.
    ko
        simple: a ko is not retaken at once. positional: no play brings an earlier whole board back.
        situational: none does so with the same side to move.
    allows_suicide
        Whether a play may leave its own chain without liberty.
    scoring
        area: living stones and surrounded points. territory: surrounded points, but none of groups
        in seki, and prisoners and dead stones.
    komi
        White's points in an even game where nothing else is said.
    handicap
        What White gets for n handicap stones: none, all (n points), all_but_one (n - 1).
    removes_dead
        Whether dead stones go before counting; else they count as living.
    divides_neutral
        Whether neutral points count half for each side. It changes points, not who wins.
    source
        Where the rules stand.
    """

    name: str
    ko: KoRule
    allows_suicide: bool
    scoring: Scoring
    komi: float
    handicap: Literal["none", "all", "all_but_one"] = "none"
    removes_dead: bool = True
    divides_neutral: bool = False
    source: str

    def effective_komi(self, handicap: int = 0, komi: float | None = None) -> float:
        """White's points beforehand with `handicap` stones (0, or 2 and more).

        Parameters
        ----------
        handicap
            Handicap stones; fewer than 2 are none.
        komi
            Komi as agreed; None is the rules' own in an even game and 0.5 with handicap stones.
        """
        if handicap < 2:
            return self.komi if komi is None else komi
        extra = {"none": 0, "all": handicap, "all_but_one": handicap - 1}[self.handicap]
        return (0.5 if komi is None else komi) + extra


_SETS = (
    RuleSet(
        name="tromp-taylor",
        ko="positional",
        allows_suicide=True,
        scoring="area",
        komi=7.5,
        removes_dead=False,
        source="J. Tromp, The game of Go, tromp.github.io/go.html: the logical rules; they name no "
        "komi, 7.5 is the usual one of computer Go",
    ),
    RuleSet(
        name="chinese",
        ko="positional",
        allows_suicide=False,
        scoring="area",
        komi=7.5,
        handicap="all",
        source="Chinese Weiqi Association, Rules of Weiqi (2002): komi 3 3/4 of stones counted on "
        "one side",
    ),
    RuleSet(
        name="japanese",
        ko="simple",
        allows_suicide=False,
        scoring="territory",
        komi=6.5,
        source="Nihon Kiin and Kansai Kiin, The Japanese Rules of Go (1989); komi of 2002",
    ),
    RuleSet(
        name="korean",
        ko="simple",
        allows_suicide=False,
        scoring="territory",
        komi=6.5,
        source="Korea Baduk Association, Rules of Baduk; komi of 1998",
    ),
    RuleSet(
        name="aga",
        ko="situational",
        allows_suicide=False,
        scoring="area",
        komi=7.5,
        handicap="all_but_one",
        source="American Go Association, Official AGA Rules of Go (1991), area counting, which its "
        "pass stones make equal to its territory counting; komi of 2004",
    ),
    RuleSet(
        name="new-zealand",
        ko="situational",
        allows_suicide=True,
        scoring="area",
        komi=7.0,
        source="New Zealand Go Society, Rules of Go",
    ),
    RuleSet(
        name="wmsg",
        ko="positional",
        allows_suicide=False,
        scoring="area",
        komi=6.5,
        source="World Mind Sports Games 2008, Rules of Go (Weiqi), without its point for the side "
        "that does not pass first",
    ),
    RuleSet(
        name="paper",
        ko="positional",
        allows_suicide=False,
        scoring="area",
        komi=0.0,
        divides_neutral=True,
        source="P. Gao and Y. Yan, Intelligent Go Player (Cornell ECE 5725, 2019): dead stones "
        "removed, territory by flood, the zone between divided equally; it names no komi, and its "
        "ko rule is that of the rules it cites (wmsg)",
    ),
)

RULE_SETS: dict[str, RuleSet] = {rules.name: rules for rules in _SETS}
"""Every set of rules by its name."""

_ALIASES = {
    "tt": "tromp-taylor",
    "tromptaylor": "tromp-taylor",
    "cn": "chinese",
    "china": "chinese",
    "zh": "chinese",
    "jp": "japanese",
    "japan": "japanese",
    "kr": "korean",
    "korea": "korean",
    "bga": "aga",
    "french": "aga",
    "nz": "new-zealand",
    "newzealand": "new-zealand",
}


def rule_set(name: str) -> RuleSet:
    """Return the rules of a name in `RULE_SETS`; ValueError tells the known names."""
    if name not in RULE_SETS:
        raise ValueError(f"no rules {name!r}; known are {', '.join(RULE_SETS)}")
    return RULE_SETS[name]


def rule_set_of_sgf(text: str) -> RuleSet | None:
    """Return the rules that an SGF's RU names (`Japanese`, `AGA`, `NZ`), None if unknown.

    Ing's rules (`GOE`, `Ing`), whose ko rule is none of ours, are unknown.
    """
    key = text.strip().lower().replace("_", "-").replace(" rules", "").replace(" ", "-")
    return RULE_SETS.get(_ALIASES.get(key.replace("-", ""), key))
