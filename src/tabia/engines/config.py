"""Configuration of engines and their limits. Standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from tabia.tables.settings import Settings

__all__ = ["Engine", "Limit"]


class Limit(Settings):
    """How long an engine searches a position: exactly one of the three."""

    depth: Annotated[int, Field(ge=1, le=100)] | None = None
    """Plies of search."""
    nodes: Annotated[int, Field(ge=1, le=10**15)] | None = None
    """Nodes of search."""
    movetime_ms: Annotated[int, Field(ge=1, le=10**9)] | None = None
    """Milliseconds. Labels made by the clock do not repeat; tables say so."""

    @model_validator(mode="after")
    def _one(self) -> Limit:
        given = [name for name in ("depth", "nodes", "movetime_ms") if getattr(self, name)]
        if len(given) != 1:
            raise ValueError("give exactly one of depth, nodes, movetime_ms")
        return self

    @property
    def text(self) -> str:
        """Stable name, as in the labels table: ``depth 8``, ``nodes 100000``, ``movetime 500``."""
        if self.depth is not None:
            return f"depth {self.depth}"
        if self.nodes is not None:
            return f"nodes {self.nodes}"
        return f"movetime {self.movetime_ms}"

    @property
    def repeatable(self) -> bool:
        """True if the same position gets the same label every time."""
        return self.movetime_ms is None


class Engine(Settings):
    """An engine process as the labels need it: one thread, fixed hash."""

    command: str = "stockfish"
    """Program name (on PATH or in /usr/games) or path."""
    expect: str = ""
    """Start of the name the engine must announce, e.g. `Stockfish 15.1`; empty = any."""
    hash_mb: Annotated[int, Field(ge=1)] = 16
    """Hash table. `ucinewgame` clears it before every search, so small is fast."""
    multipv: Annotated[int, Field(ge=1, le=2)] = 2
    """Lines searched; the paper uses two."""
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    """Further UCI options, e.g. `Use NNUE: false`. Threads is always 1."""
    timeout_s: Annotated[float, Field(gt=0)] = 600.0
    """Seconds a search may take; an engine that takes longer is hung and is restarted."""
    tries: Annotated[int, Field(ge=1)] = 3
    """Tries before a position goes to the rejects table."""
