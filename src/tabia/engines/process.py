"""How engine processes are tied to the process that uses them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

__all__ = ["dying_with"]

_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def dying_with(parent: int) -> Callable[[], None] | None:
    """Return what a new process runs first: ask Linux to kill it when its parent ends.

    The signal follows the thread that starts the process, so engines are started and driven by
    one thread. Elsewhere than on Linux it is None, and the end of file on standard input does it:
    Stockfish takes it for ``quit``.
    """
    if _LIBC is None:
        return None
    libc = _LIBC

    def prepare() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the request
            os._exit(1)

    return prepare
