"""Ids that rooms share."""

from __future__ import annotations

import hashlib

__all__ = ["position_id"]


def position_id(fen: str) -> bytes:
    """Return the id of a position: BLAKE2b-128 of its FEN without counters.

    Parameters
    ----------
    fen
        Four fields; en passant square only where an en passant capture is legal, as the native
        core writes it. Other spellings of the same position get other ids.
    """
    return hashlib.blake2b(fen.encode("ascii"), digest_size=16).digest()
