"""Configuration of engines and their limits. Standard library and pydantic only."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from tabia.tables.settings import Settings

__all__ = ["Engine", "Limit"]


_OURS = {
    "threads": "Threads is always 1",
    "hash": "Hash is `hash_mb`",
    "multipv": "MultiPV is `multipv`",
}
_UCI = "uci_"  # the protocol's own options: they change what is searched, or who plays


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
    hash_mb: Annotated[int, Field(ge=1, le=2**25)] = 16
    """Hash table. `ucinewgame` clears it before every search, so small is fast."""
    multipv: Annotated[int, Field(ge=1, le=2)] = 2
    """Lines searched; the paper uses two."""
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    """Further UCI options, e.g. `Use NNUE: false`. Threads is always 1; the protocol's own options,
    `UCI_Elo` and so on, are not set."""
    # Waiting counts milliseconds in 32 bits, so that more would overflow.
    timeout_s: Annotated[float, Field(gt=0, le=2_100_000)] = 600.0
    """Seconds a search may take; an engine that takes longer is hung and is restarted."""
    tries: Annotated[int, Field(ge=1, le=1000)] = 3
    """Tries before a position goes to the rejects table."""

    @field_validator("options")
    @classmethod
    def _can_be_sent(cls, options: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
        seen: dict[str, str] = {}
        for name, value in options.items():
            if not name.strip():
                raise ValueError("an option without a name")
            if not _one_line(name) or (isinstance(value, str) and not _one_line(value)):
                raise ValueError(
                    f"{name!r}: {value!r}: names and values are sent on one line of text;"
                    " leave out line breaks and control characters"
                )
            # UCI does not tell names apart by case or by spaces around them.
            plain = name.strip().lower()
            if plain in _OURS:
                raise ValueError(f"{name} is not set under options: {_OURS[plain]}")
            if plain.startswith(_UCI):
                raise ValueError(f"{name} is not set under options: tabia sets the protocol's own")
            if plain in seen:
                raise ValueError(f"{seen[plain]} and {name} are one option; give it once")
            seen[plain] = name
        return options


def _one_line(text: str) -> bool:
    """Return whether `text` can be sent: no line break, control character or lone surrogate."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text)
