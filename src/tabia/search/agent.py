"""Agents that search: a tree with what a source says of its leaves.

An agent learns board, rules and komi from the positions that it is asked about, so that one spec
string plays under every match's rules. The tree is kept from move to move of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from tabia.games.chess import ChessPosition
from tabia.games.contract import Position
from tabia.games.go import GoPosition
from tabia.games.xiangqi import XiangqiPosition
from tabia.match.agent import AgentFaultError, AgentStartError, Analysis, Choice, Turn
from tabia.match.spec import AgentSpec
from tabia.search.analysis import LEAVES, Analyser
from tabia.search.analysis_report import PositionReport
from tabia.search.config import (
    ALPHAZERO,
    GO_PLAYER,
    GUMBEL,
    Budget,
    ChessRules,
    GoRules,
    Rules,
    SearchSettings,
    XiangqiRules,
)
from tabia.search.run import seed_of
from tabia.search.sources import RolloutSource, Source, SourceError
from tabia.tables.settings import Settings

__all__ = [
    "PRESETS",
    "RolloutSettings",
    "SearchAgent",
    "SearchAgentSettings",
    "build",
    "game_of",
    "rules_of",
]

Preset = Literal["puct", "alphazero", "go_player", "gumbel"]

PRESETS: Mapping[Preset, SearchSettings] = MappingProxyType(
    {"puct": SearchSettings(), "alphazero": ALPHAZERO, "go_player": GO_PLAYER, "gumbel": GUMBEL}
)
"""Searches by the name that an agent's `tree` has."""


class SearchAgentSettings(Settings):
    """Settings that all agents have that search."""

    simulations: Annotated[int, Field(ge=2, le=100_000_000)] = 128
    """Of a move, beside those that the kept tree has."""
    tree: Preset = "puct"
    """How the tree grows and which move is played; see docs/mcts.md. There is no noise."""
    leaves: Annotated[int, Field(ge=1, le=4096)] = LEAVES
    """Leaves of the game in a batch: 1 is the strongest for the simulations, more is faster."""
    threads: Annotated[int, Field(ge=1, le=1024)] = 1
    """Of the evaluator."""


class RolloutSettings(SearchAgentSettings):
    """Settings of the agent ``rollouts``."""

    rollouts: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    """Random games of every leaf."""


class SearchAgent:
    """Plays what a search decides, and can be asked for analyses.

    Parameters
    ----------
    spec
        The text that builds it.
    source
        Gives the evaluator.
    settings
        How it searches.

    Attributes
    ----------
    source, settings
        As given.
    search
        Tree, budget and choice of moves.
    """

    repeatable = True

    def __init__(self, spec: str, source: Source, settings: SearchAgentSettings) -> None:
        self.spec, self.source = spec, source
        self.settings = settings
        budget = Budget(simulations=settings.simulations)
        preset = PRESETS[settings.tree]
        self.search = preset.model_copy(update={"budget": budget, "noise": False})
        self._analyser: Analyser | None = None
        self.new_game(0)

    @property
    def name(self) -> str:
        """The evaluator, the simulations and the tree."""
        tree = "" if self.settings.tree == "puct" else f", {self.settings.tree}"
        return f"search with {self.source.name}, {self.settings.simulations} simulations{tree}"

    @property
    def fingerprint(self) -> str:
        """The source's."""
        return self.source.fingerprint

    @property
    def simulations(self) -> int:
        """Simulations of a move."""
        return self.settings.simulations

    def analyser(self, rules: Rules, *, threads: int | None = None, seed: int = 0) -> Analyser:
        """Return an analyser of a game with this agent's evaluator and tree.

        Parameters
        ----------
        rules
            The game.
        threads
            In place of the agent's own.
        seed
            Of what is random in the search.

        Raises
        ------
        SourceError
            If the evaluator cannot play this game, or not on this board.
        """
        own = self.settings
        evaluator, history = self.source.evaluator(rules, threads or own.threads)
        return Analyser(
            rules, evaluator, self.search, history=history, leaves=own.leaves, seed=seed
        )

    def new_game(self, seed: int) -> None:
        """Forget the game before; what is random in the next comes from `seed`."""
        self._seed = seed
        if self._analyser is not None:
            self._analyser.set_position()
            self._analyser.forget()

    def choose(self, turn: Turn) -> Choice:
        """Search; the analysis has the win rate, a proven mate's moves and the tree's visits.

        AgentStartError if the evaluator does not play on this board.
        """
        try:
            analyser = self._on(rules_of(turn.position))
        except SourceError as error:
            raise AgentStartError(f"agent {self.spec!r}: {error}") from error
        try:
            start = turn.start_fen
            if isinstance(turn.position, GoPosition):
                start = turn.position.board.start_fen()
            analyser.set_position(start, turn.moves)
            if analyser.is_over:
                raise AgentFaultError("illegal_move", "by the search's rules the game is over")
            code = analyser.decide(seed_of(self._seed, len(turn.moves)))
        except ValueError as error:
            raise AgentFaultError("garbage", str(error)) from error
        return Choice(code, _analysis(analyser.report(1, board=False)))

    def _on(self, rules: Rules) -> Analyser:
        if self._analyser is None or self._analyser.rules != rules:
            self._analyser = self.analyser(rules)
        return self._analyser

    def close(self) -> None:
        """Let go of the tree and the evaluator."""
        self._analyser = None


def _analysis(report: PositionReport) -> Analysis:
    mate = None
    if report.solved_plies is not None and report.solved in ("win", "loss"):
        moves = (report.solved_plies + 1) // 2
        mate = moves if report.solved == "win" else -moves
    return Analysis(mate=mate, nodes=report.visits, win_probability=report.win_rate)


def rules_of(position: Position) -> Rules:
    """Return the rules that a position is played under, as far as a tree has them.

    Xiangqi's `asian` becomes `simple`: a tree does not judge chases. In Go a tree counts the stones
    as they stand, with the rules' points and the position's komi.

    Raises
    ------
    SourceError
        If it is no position of standard chess, xiangqi or Go.
    """
    if isinstance(position, GoPosition):
        board = position.board
        return GoRules(
            size=board.size,
            rules=position.rules.name,
            komi=board.komi,
            max_plies=position.max_plies,
        )
    if isinstance(position, XiangqiPosition):
        repetition: Literal["none", "simple"] = "none" if position.rules == "none" else "simple"
        return XiangqiRules(rules=repetition, quiet_plies=position.quiet_plies)
    if isinstance(position, ChessPosition) and not position.board.chess960:
        return ChessRules()
    raise SourceError(f"{type(position).__name__}: the search knows chess, xiangqi and Go")


def game_of(spec: AgentSpec) -> None:
    """Return None: random games can be played at every game."""
    return


def build(spec: AgentSpec) -> SearchAgent:
    """Build the agent of a spec ``rollouts:simulations=1000,rollouts=2``; AgentSpecError."""
    settings = spec.read(RolloutSettings)
    if spec.game not in ("chess", "xiangqi", "go"):
        raise AgentStartError(f"agent {spec.text!r}: does not play {spec.game}")
    return SearchAgent(spec.text, RolloutSource(settings.rollouts), settings)
