"""What can be wrong with an engine."""

from __future__ import annotations

__all__ = [
    "EngineConfigError",
    "EngineCrashedError",
    "EngineError",
    "EngineGarbageError",
    "EngineNotFoundError",
    "EngineStartError",
    "EngineTimeoutError",
]


class EngineError(RuntimeError):
    """Something is wrong with an engine. `reason` is the code used in the rejects table.

    It is never our fault nor the positions': the exit code is that of wrong usage.
    """

    reason = "engine_failed"
    exit_code = 2


class EngineNotFoundError(EngineError):
    """The engine's program is not there or may not be executed."""


class EngineStartError(EngineError):
    """The program starts, but does not become a ready UCI engine."""


class EngineConfigError(EngineError):
    """The engine runs, but it is not the one asked for or lacks an option asked for."""


class EngineCrashedError(EngineError):
    """The engine's process ended in the middle of a search."""

    reason = "engine_crashed"


class EngineTimeoutError(EngineError):
    """A search was not finished in `timeout_s`."""

    reason = "engine_timeout"


class EngineGarbageError(EngineError):
    """The engine answered something that cannot be a result of the search."""

    reason = "engine_garbage"
