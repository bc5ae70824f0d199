"""Configuration of players that teach themselves. Standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tabia.games.go_rules import rule_set
from tabia.search.config import (
    Budget,
    GoRules,
    MoveChoice,
    Rules,
    SearchSettings,
    Temperature,
    TreeSettings,
)
from tabia.search.nets.config import Architecture, LossWeights, Small
from tabia.tables.settings import Settings

__all__ = [
    "LAST_OF",
    "RIVALS",
    "Gate",
    "Ladder",
    "Learner",
    "Learning",
    "Pretrain",
    "Resignation",
    "Rival",
    "Search",
    "SelfPlay",
    "gnugo_level",
]

RIVALS: tuple[str, ...] = ("random", "rollouts")
"""Players that learn nothing, by which a learner is measured where nothing else is said."""

_GNUGO = "gnugo-level-"
LAST_OF = "last-of-"
"""Begins the name of the last generation of another learner, as a rival."""


def gnugo_level(name: str) -> int | None:
    """Return the level of GNU Go that a rival's name says; None if it is another player's."""
    level = name.removeprefix(_GNUGO)
    return int(level) if level != name else None


Count = Annotated[int, Field(ge=1, le=10**9)]
Games = Annotated[int, Field(ge=4, le=100_000, multiple_of=2)]
Share = Annotated[float, Field(ge=0, le=1)]
Rival = Annotated[str, Field(pattern=r"^(random|rollouts|gnugo-level-([0-9]|1[0-9]|20))$")]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]


class Resignation(Settings):
    """When a player gives a game up, and how often it plays on to see whether that was right."""

    value: Annotated[float, Field(ge=-1, lt=0)] = -0.95
    """A player whose search gives it less than this resigns, -1 is lost."""
    searches: Annotated[int, Field(ge=1, le=1000)] = 3
    """So many of its searches in a row must say so."""
    played_on: Share = 0.1
    """Share of the games in which nobody resigns; they show how many resignations are mistakes."""
    play_out: Count | None = None
    """Simulations a move of the rest of a game that was resigned: it is played to its end without
    noise, its result is that of the end, and at Go its score and owners are known; nothing is
    learned from positions of the rest. null: the game ends at once, and tells no owners."""


class SelfPlay(Settings):
    """How the games of a generation are played."""

    games: Count = 256
    """Games a generation."""
    first_games: Count | None = None
    """Games of the first generation, of a net that knows nothing; each later one has twice as many
    until there are `games`. null: all have `games`."""
    shards: Annotated[int, Field(ge=1, le=10_000)] = 1
    """Jobs that they are shared among. Part of what decides the games' bytes."""
    chunk: Count = 64
    """Games that are kept together: a killed job plays at most one chunk again."""
    at_once: Annotated[int, Field(ge=1, le=4096)] = 32
    """Games played side by side, whose positions the net evaluates as one batch."""
    leaves: Annotated[int, Field(ge=1, le=256)] = 1
    """Leaves of one game in a batch."""
    search: SearchSettings = SearchSettings(
        tree=TreeSettings(),
        budget=Budget(simulations=128, fast_simulations=32, full_share=0.25),
        move=MoveChoice(
            schedule=(Temperature(temperature=1.0), Temperature(from_ply=12, temperature=0.25))
        ),
        noise=True,
    )
    """The search of both players."""
    resign: Resignation | None = Resignation()
    """Resignation; null: every game is played to its end."""
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Threads of the net; its sums depend on them."""
    precision: Literal["float32", "int8"] = "float32"
    """Numbers that the net computes in. `int8` is about twice as fast, and its games repeat on one
    kind of CPU only; gates and matches stay with float32."""

    @model_validator(mode="after")
    def _games_for_all(self) -> SelfPlay:
        if self.shards > self.games_of(1):
            raise ValueError(
                f"{self.shards} shards of {self.games_of(1)} games; some would have none"
            )
        return self

    def games_of(self, generation: int) -> int:
        """Return the games of a generation, 1 being the first that has any."""
        first = self.first_games or self.games
        return min(self.games, first << min(generation - 1, 40))


class Learning(Settings):
    """How a net learns from the last games."""

    window: Count = 4
    """Generations whose games it learns from."""
    passes: Annotated[int, Field(ge=1, le=1000)] = 2
    """Passes over their positions a generation."""
    batch: Count = 128
    """Positions a step."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.002
    """Step size of Adam."""
    held: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Share of the games that are not learned from, to measure the loss on."""
    symmetries: bool = True
    """Whether a position is shown in a random one of the game's symmetries."""
    surprise: Share = 0.5
    """Share of a position's weight that goes by how much the search changed the net's mind (policy
    surprise weighting, Wu 2019); 0: all weigh the same."""
    search_value: Share = 0.0
    """Share of the search's own value in the target of the value; the rest is the game's result."""
    weights: LossWeights = LossWeights()
    """What the parts of the loss count."""
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Threads; sums depend on them."""


class Pretrain(Settings):
    """Records that a net learns from before its first game against itself: moves and results."""

    source: Name
    """Name of a source of `records`, of the learner's game."""
    games: Count = 2000
    """Games of its split for training that are learned from, drawn by content; all, if fewer."""
    held: Annotated[float, Field(gt=0, le=1)] = 0.05
    """So many for each of them, at least one, are drawn from the split for validation, to measure
    the loss on."""
    size: Annotated[int, Field(ge=5, le=19)] = 19
    """Go: lines of the boards of these games; others are left out. Only the net `small` can learn
    on one board and play on another."""
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the positions of each game that are used, drawn by content."""
    passes: Annotated[int, Field(ge=1, le=1000)] = 1
    """Passes over the positions."""
    batch: Count = 128
    """Positions a step."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 0.002
    """Step size of Adam."""
    symmetries: bool = True
    """Whether a position is shown in a random one of the game's symmetries."""
    weights: LossWeights = LossWeights()
    """What the parts of the loss count; nobody knows ownership here."""
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Threads; sums depend on them."""


class Gate(Settings):
    """A match that a new net must win to take over."""

    games: Annotated[int, Field(ge=2, le=100_000, multiple_of=2)] = 100
    """Games against the best net so far, in pairs from one opening with colours exchanged."""
    simulations: Count = 64
    """Simulations a move."""
    score: Annotated[float, Field(gt=0, lt=1)] = 0.5
    """Points a game that it must have more of than this to be taken."""


class Learner(Settings):
    """One player that teaches itself."""

    rules: Rules
    """The game and when it ends."""
    net: Architecture = Small()
    """The net."""
    history: Annotated[int, Field(ge=1, le=16)] = 1
    """Positions that the net sees, the present one included."""
    liberties: bool = False
    """Go: whether the net is told which chains have one, two or three liberties."""
    generations: Annotated[int, Field(ge=0, le=100_000)] = 3
    """Generations of games and training. More of them repeat nothing."""
    targets: Literal["visits", "winner"] = "visits"
    """What the policy learns. `visits`: the shares of the search's visits (AlphaZero). `winner`:
    the Go player's scheme, the winner's moves, and for the loser another move than its own, drawn
    from the net's distribution."""
    selfplay: SelfPlay = SelfPlay()
    """Games."""
    learning: Learning = Learning()
    """Training."""
    gate: Gate | None = None
    """Gating; null: every new net takes over."""
    pretrain: Pretrain | None = None
    """Records that generation 0 has learned from; null: it has learned nothing."""

    @model_validator(mode="after")
    def _heads(self) -> Learner:
        net = self.net
        if isinstance(net, Small) and self.rules.game != "go" and (net.score or net.ownership):
            raise ValueError(f"net: score and ownership are for go, not for {self.rules.game}")
        if self.liberties and self.rules.game != "go":
            raise ValueError(f"liberties are for go, not for {self.rules.game}")
        return self

    @model_validator(mode="after")
    def _size_of_records(self) -> Learner:
        if self.pretrain is None or not isinstance(self.rules, GoRules):
            return self
        size, own = self.pretrain.size, self.rules.size
        if size != own and not isinstance(self.net, Small):
            raise ValueError(
                f"pretrain: size: {size}: the net {self.net.architecture} plays on the board that"
                f" it learned on, and this learner plays on {own} lines; take the net small, or"
                f" games on {own} lines"
            )
        return self


class Ladder(Settings):
    """Matches that show how strong generations are.

    Each plays earlier ones, and the last one the rivals.
    """

    games: Games = 100
    """Games a match, in pairs from one opening with colours exchanged."""
    simulations: Count = 64
    """Simulations a move, of both players."""
    opening: Annotated[int, Field(ge=0, le=1000)] = 4
    """Plies of an opening, drawn from the second player's priors, the first one's if the second
    is GNU Go."""
    before: Annotated[tuple[Count, ...], Field(min_length=1)] = (1,)
    """Each generation plays those that came so many before it."""
    start: bool = True
    """Whether each plays generation 0 besides."""
    rivals: tuple[Rival, ...] = RIVALS
    """`random` plays any legal move; `rollouts` searches as the nets do, with equal priors and one
    random game a leaf; `gnugo-level-1` is GNU Go at that level, 0 to 20, for Go under
    `tromp-taylor`."""
    learners: tuple[Name, ...] = ()
    """Learners whose last generation is a rival of every other learner."""
    rival_games: Games | None = None
    """Games against a rival; null: `games`."""
    rival_simulations: Count | None = None
    """Simulations a move against a rival; null: `simulations`."""
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Threads of the nets."""

    @model_validator(mode="after")
    def _once(self) -> Ladder:
        if len(set(self.rivals)) < len(self.rivals):
            raise ValueError(f"rivals: {', '.join(self.rivals)}: name each once")
        if 1 not in self.before or len(set(self.before)) < len(self.before):
            named = ", ".join(map(str, self.before))
            raise ValueError(f"before: {named}: name each once, and 1, which joins all generations")
        return self


class Search(Settings):
    """Players that teach themselves chess, xiangqi or Go."""

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    """Seed of the nets, the games and the intervals."""
    learners: Annotated[dict[Name, Learner], Field(min_length=1)]
    """Learners by name: letters, digits, and `_.-` after the first."""
    ladder: Ladder = Ladder()
    """Matches between generations, the same for all learners."""
    bootstrap: Annotated[int, Field(ge=100, le=1_000_000)] = 1000
    """Draws behind an interval of the tables."""
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    """Level of the tables' intervals."""

    @model_validator(mode="after")
    def _rivals_play(self) -> Search:
        wanted = [name for name in self.ladder.rivals if gnugo_level(name) is not None]
        for other in self.ladder.learners:
            if other not in self.learners:
                raise ValueError(
                    f"ladder: learners: {other}: missing; there are {', '.join(self.learners)}"
                )
        for name, learner in self.learners.items():
            rules = learner.rules
            for other in self.ladder.learners:
                if self.learners[other].rules != rules:
                    raise ValueError(
                        f"ladder: learners: {other} has other rules than {name}; they cannot play"
                    )
            fits = isinstance(rules, GoRules) and not rule_set(rules.rules).removes_dead
            if wanted and not fits:
                raise ValueError(
                    f"ladder: rivals: {', '.join(wanted)}: plays Go under tromp-taylor only, and"
                    f" learner {name} does not"
                )
        return self
