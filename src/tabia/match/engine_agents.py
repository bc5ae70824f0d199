"""The agents ``stockfish``, ``fairy`` and ``uci``: UCI engines with limits and strengths.

A move is limited by work, nodes or plies, or on request by the clock, which does not repeat. A
weakened engine (``elo``, ``skill``) of the Stockfish family draws its mistakes from a generator
that is seeded by the clock: it does not repeat either. ``UCI_Elo`` is calibrated at 60 s + 0.6 s a
game; under a small limit of nodes the figure only orders the levels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, model_validator

from tabia.engines.errors import EngineConfigError, EngineError
from tabia.engines.options import EngineOption, named_by_content
from tabia.games import chess, xiangqi
from tabia.games.contract import Game
from tabia.match.agent import AgentStartError, Choice, Turn
from tabia.match.spec import AgentSpec, AgentSpecError
from tabia.match.uci_player import Options, UciPlayer, UciSetup
from tabia.tables.settings import Settings

__all__ = ["DEFAULT_NODES", "EngineAgent", "build"]

DEFAULT_NODES = 10_000
"""Limit of a move where a spec names none."""

_FULL_SKILL = 20
_OURS = {
    "threads": "an engine has one thread; --threads plays games side by side",
    "hash": "write hash=MB",
    "uci_elo": "write elo=…",
    "uci_limitstrength": "write elo=…",
    "skill level": "write skill=…",
    "uci_variant": "the game decides it",
    "uci_chess960": "Chess960 is not played",
    "multipv": "one line is searched",
}


class _Engine(Settings):
    nodes: Annotated[int, Field(ge=1, le=10**15)] | None = None
    depth: Annotated[int, Field(ge=1, le=100)] | None = None
    movetime: Annotated[int, Field(ge=1, le=10**9)] | None = None
    """Milliseconds."""
    elo: int | None = None
    skill: int | None = None
    hash: Annotated[int, Field(ge=1, le=2**25)] = 16
    """MiB."""
    timeout: Annotated[float, Field(gt=0, le=2_000_000)] = 60.0
    """Seconds for a move, after which the game is forfeited."""
    path: str | None = None

    @model_validator(mode="after")
    def _one_of_each(self) -> _Engine:
        limits = [name for name in ("nodes", "depth", "movetime") if getattr(self, name)]
        if len(limits) > 1:
            raise ValueError(f"{' and '.join(limits)}: give one limit")
        if self.elo is not None and self.skill is not None:
            raise ValueError("elo and skill: give one strength")
        if self.movetime is not None and self.timeout * 1000 <= self.movetime:
            raise ValueError(
                f"movetime={self.movetime} ms is no less than timeout={self.timeout:g} s, so that"
                " every move would be a forfeit"
            )
        return self

    @property
    def go(self) -> str:
        """Words after ``go``."""
        if self.depth is not None:
            return f"depth {self.depth}"
        if self.movetime is not None:
            return f"movetime {self.movetime}"
        return f"nodes {self.nodes or DEFAULT_NODES}"

    @property
    def repeatable(self) -> bool:
        """Whether neither the clock nor a draw by the clock decides."""
        is_weakened = self.elo is not None or self.skill not in (None, _FULL_SKILL)
        return self.movetime is None and not is_weakened


class _Uci(_Engine):
    path: str
    ranks: Annotated[int, Field(ge=0, le=1)] | None = None
    """Xiangqi: what ranks are counted from in the engine's moves."""


class EngineAgent:
    """A UCI engine as an agent of one game.

    Parameters
    ----------
    spec
        ``stockfish:…``, ``fairy:…`` or ``uci:path=…``.

    Raises
    ------
    AgentSpecError
        If settings are wrong.
    AgentStartError
        If the engine cannot be had, lacks what is asked of it, or does not play the game.
    """

    def __init__(self, spec: AgentSpec) -> None:
        model = _Uci if spec.head == "uci" else _Engine
        settings: _Engine = spec.read(model, takes_options=True)
        if faults := [
            f"option.{name}: {why}"
            for name in spec.options
            if (why := _OURS.get(name.strip().lower()))
        ]:
            raise AgentSpecError(spec.text, faults)
        if spec.game not in ("chess", "xiangqi"):
            raise AgentStartError(f"agent {spec.text!r}: plays chess and xiangqi, not {spec.game}")
        if spec.head == "stockfish" and spec.game != "chess":
            raise AgentStartError(
                f"agent {spec.text!r}: Stockfish plays chess, not {spec.game}; take fairy"
            )
        self._game = spec.game
        self._ranks = settings.ranks if isinstance(settings, _Uci) else None
        options: dict[str, str | int | bool] = dict(spec.options)
        if settings.elo is not None:
            options |= {"UCI_LimitStrength": True, "UCI_Elo": settings.elo}
        if settings.skill is not None:
            options["Skill Level"] = settings.skill
        command = {"stockfish": "stockfish", "fairy": "fairy-stockfish"}.get(spec.head, "")
        setup = UciSetup(
            command=settings.path or command,
            go=settings.go,
            options=options,
            wishes={"Threads": 1, "Hash": settings.hash},
            timeout_s=settings.timeout,
        )
        self._files = list(spec.options.values())
        self.spec = spec.text
        self.repeatable = settings.repeatable
        try:
            self._player = UciPlayer(setup, self._variant)
        except EngineError as error:
            faults = str(error).splitlines()
            raise AgentStartError(
                "\n".join(f"agent {spec.text!r}: {fault}" for fault in faults)
            ) from error
        self.name = self._player.name
        notations: dict[str, Game] = {
            "chess": chess.GAME,
            "xiangqi": xiangqi.FAIRY if self._ranks else xiangqi.GAME,
        }
        self._notation = notations[spec.game]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of its program and of the files that options name, sixteen digits each."""
        program = hashlib.sha256(self._player.path.read_bytes()).hexdigest()[:16]
        return " ".join([program, *(f"{named_by_content(value)}" for value in self._files)])

    @property
    def pid(self) -> int:
        """Process id of the engine."""
        return self._player.pid

    def new_game(self, seed: int) -> None:
        """Clear the engine's memory; engines take no seed."""
        self._player.new_game()

    def choose(self, turn: Turn) -> Choice:
        """Search the position."""
        return self._player.choose(turn, self._notation.encode, self._notation.decode)

    def close(self) -> None:
        """End the engine's process."""
        self._player.close()

    def _variant(self, announced: Mapping[str, EngineOption]) -> Options:
        """Say which game is played, where the engine plays several, and settle the ranks."""
        option = announced.get("uci_variant")
        if option is not None and self._game in option.choices:
            if self._ranks is None:
                self._ranks = 1  # as Fairy-Stockfish and other engines of many variants count
            return {option.name: self._game}
        if option is not None:
            raise EngineConfigError(f"its UCI_Variant has no {self._game}")
        if self._game == "xiangqi" and self._ranks is None:
            raise EngineConfigError(
                "it has no UCI_Variant; if it plays xiangqi all the same, say from what it counts"
                " ranks: ranks=0 (h2e2, as Pikafish) or ranks=1 (h3e3)"
            )
        return {}


def build(spec: AgentSpec) -> EngineAgent:
    """Start an engine that plays."""
    return EngineAgent(spec)
