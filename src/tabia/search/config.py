"""Configuration of the search. Standard library and pydantic only.

Values that a search takes for good are -1 to 1 (lost to won) in the view of the side to move; win
rates are 0 to 1.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tabia.games.go_rules import rule_set
from tabia.tables.settings import Settings

__all__ = [
    "ALPHAZERO",
    "GO_PLAYER",
    "GUMBEL",
    "NOISE",
    "TRY_ALL",
    "Budget",
    "ChessRules",
    "GoRules",
    "MoveChoice",
    "Rules",
    "SearchSettings",
    "Temperature",
    "TreeSettings",
    "XiangqiRules",
]

Plies = Annotated[int, Field(ge=1, le=100_000)]
Positive = Annotated[float, Field(gt=0, le=1e9)]


class ChessRules(Settings):
    """Standard chess, ending as `tabia.games.chess` does."""

    game: Literal["chess"] = "chess"
    quiet_plies: Plies | None = 100
    """Plies without capture or pawn move that make a draw: 100 or 150; null for no such rule."""
    repetitions: Annotated[int, Field(ge=2, le=5)] | None = 3
    """A position that comes up so often is a draw; null for no such rule."""
    max_plies: Plies | None = None
    """Plies of a game after which it is a draw; null for no end."""


class XiangqiRules(Settings):
    """Xiangqi, ending as `tabia.games.xiangqi_referee` does."""

    game: Literal["xiangqi"] = "xiangqi"
    rules: Literal["none", "simple"] = "simple"
    """What the third time of a position means: nothing, or a draw unless one side alone gave check
    throughout. The chases of the Asian rules are not judged in the tree."""
    quiet_plies: Plies | None = 120
    """Plies without a capture that make a draw; null for no such rule."""
    max_plies: Plies | None = None
    """Plies of a game after which it is a draw; null for no end."""


class GoRules(Settings):
    """Go, counted as the stones stand once both have passed: none is taken for dead in a tree."""

    game: Literal["go"] = "go"
    size: Annotated[int, Field(ge=5, le=19)] = 19
    """Lines of the board."""
    rules: str = "tromp-taylor"
    """Name of a set of `tabia.games.go_rules`: what may be repeated, suicide, how points count."""
    komi: Annotated[float, Field(ge=-400, le=400)] | None = None
    """Points that White gets, those for handicap stones among them; null is the rules' own."""
    max_plies: Plies | None = None
    """Plies after which a game is counted as it stands; null for no end."""
    rollout_fills_eyes: bool = False
    """Whether random rollouts play every legal move and the pass, or spare own eyes."""
    spares_eyes: bool = False
    """Whether trees leave out moves on points that look like an own eye: all points beside it are
    own, and no more corners the other's than one (none at the border). Games end sooner."""

    @model_validator(mode="after")
    def _known(self) -> GoRules:
        rule_set(self.rules)
        return self


Rules = Annotated[ChessRules | XiangqiRules | GoRules, Field(discriminator="game")]


class TreeSettings(Settings):
    """How a tree grows. docs/mcts.md has the formulas."""

    rule: Literal["puct", "go_player", "gumbel"] = "puct"
    """Which edge a simulation follows."""
    backup: Literal["mean", "minimax"] = "mean"
    """What a node's value is: the mean of all evaluations below it, or its best child's value."""
    fpu: Literal["fixed", "reduction"] = "reduction"
    """Value of an unvisited edge: `fpu_value`, or the node's value less `fpu_value` times the root
    of the prior of the edges visited so far."""
    fpu_value: Annotated[float, Field(ge=-1, le=1)] = 0.3
    """See `fpu`."""
    noisy_fpu_value: Annotated[float, Field(ge=-1, le=1)] | None = None
    """In place of `fpu_value` at a root whose priors have noise; KataGo has 0 there, so that moves
    which noise brought up are tried. null: the same."""
    solve: bool = True
    """Whether proven results go up the tree and proven losses are left alone."""
    virtual_loss: Annotated[int, Field(ge=1, le=1000)] = 1
    """Lost visits that a simulation counts for while its leaf waits for its evaluation."""
    c_init: Annotated[float, Field(ge=0, le=1000)] = 1.25
    """PUCT: exploration rate of a node with few visits."""
    c_base: Positive = 19652.0
    """PUCT: visits after which the exploration rate has grown by ln 2."""
    noise_alpha: Positive = 0.3
    """Concentration of the Dirichlet noise on the root's priors."""
    noise_fraction: Annotated[float, Field(ge=0, le=1)] = 0.25
    """Its share of the priors."""
    forced: Annotated[float, Field(ge=0, le=100)] = 0.0
    """PUCT, in searches with noise: a move of the root with prior P that was tried at all gets no
    fewer visits than the root of `forced` * P * N, and what it got for that alone is no part of
    what self-play teaches (forced playouts and policy target pruning, Wu 2019); 2 in the paper."""
    c: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """The Go player's C: weight of the win rate."""
    temperature_by_depth: Annotated[
        tuple[Annotated[float, Field(ge=0, le=1000)], ...], Field(min_length=1, max_length=64)
    ] = (1.0,)
    """The Go player's T at depth 0, 1, 2 and so on; the last holds for all below."""
    visit_floor: Positive = 1.0
    """The Go player's rule: least count of an edge's visits in the denominator."""
    considered: Annotated[int, Field(ge=1, le=512)] = 16
    """Gumbel: moves that sequential halving begins with."""
    c_visit: Annotated[float, Field(ge=0, le=1e6)] = 50.0
    """Gumbel: visits added to the most visited edge's in the weight of Q."""
    c_scale: Annotated[float, Field(ge=0, le=1e6)] = 1.0
    """Gumbel: factor of the weight of Q."""


NOISE = ("noise_alpha", "noise_fraction", "noisy_fpu_value", "forced")
"""Settings of a tree that count in searches with noise only."""


class Temperature(Settings):
    """A temperature from some ply of the game on."""

    from_ply: Annotated[int, Field(ge=0)] = 0
    """Moves played before."""
    temperature: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Moves are drawn by visits to the power of 1 / temperature; 0 takes the most visited."""


class MoveChoice(Settings):
    """Which move is played once the tree has grown."""

    rule: Literal["visits", "go_player", "gumbel", "value"] = "visits"
    """`visits`: most visited. `go_player`: highest (win rate + 0.5) * prior among the visited.
    `gumbel`: what sequential halving leaves. `value`: highest Q among the visited."""
    schedule: Annotated[tuple[Temperature, ...], Field(min_length=1)] = (Temperature(),)
    """Temperatures by ply. Above 0 a move is drawn by visits, whatever the rule; the rule holds
    where the temperature is 0."""

    @model_validator(mode="after")
    def _ordered(self) -> MoveChoice:
        plies = [step.from_ply for step in self.schedule]
        if plies[0] != 0 or plies != sorted(set(plies)):
            raise ValueError("the schedule's from_ply must begin with 0 and rise")
        return self

    def temperature(self, ply: int) -> float:
        """Temperature of the move after `ply` moves of the game."""
        return [step.temperature for step in self.schedule if step.from_ply <= ply][-1]


class Budget(Settings):
    """Simulations a move, with playout-cap randomisation (Wu 2019) if `full_share` is below 1."""

    simulations: Annotated[int, Field(ge=1, le=100_000_000)] = 128
    """Of a full search."""
    fast_simulations: Annotated[int, Field(ge=1, le=100_000_000)] = 32
    """Of a fast search, which has no noise and is no target of training."""
    full_share: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Share of the moves that get a full search, drawn move by move."""


class SearchSettings(Settings):
    """A player: tree, budget and choice of moves."""

    tree: TreeSettings = TreeSettings()
    budget: Budget = Budget()
    move: MoveChoice = MoveChoice()
    noise: bool = False
    """Whether full searches have noise at the root: Dirichlet's, or Gumbel's."""


ALPHAZERO = SearchSettings(tree=TreeSettings(fpu="fixed", fpu_value=0.0, solve=False))
"""AlphaZero's tree (Silver et al. 2017, 2018): Q of unvisited edges is 0, nothing is proven."""

GO_PLAYER = SearchSettings(
    tree=TreeSettings(
        rule="go_player", backup="minimax", fpu="reduction", fpu_value=0.0, solve=False
    ),
    budget=Budget(simulations=128),
    move=MoveChoice(rule="go_player"),
)
"""The Go player's search: its own priorities, minimax backup and final rule, 128 simulations."""

GUMBEL = SearchSettings(
    tree=TreeSettings(rule="gumbel"), move=MoveChoice(rule="gumbel"), noise=True
)
"""Gumbel AlphaZero (Danihelka et al. 2022)."""

TRY_ALL = SearchSettings(tree=TreeSettings(fpu="fixed", fpu_value=1.0))
"""Every move of a position is tried before one is tried again, as in UCT: where priors say nothing,
one evaluation shall not decide whether the other moves are looked at."""
