# cython: boundscheck=False, wraparound=False
"""Static tactical features of chess positions."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.string cimport string

from tabia._native.chess_core cimport Position, unpack


cdef extern from "chess/tactics.hpp" namespace "tabia::chess" nogil:
    const int TACTICS
    void tactics(const Position&, int32_t*) noexcept


_A_SIDE = (
    "gain_1", "gain_2", "gain_3", "gain_pawn", "gain_knight", "gain_bishop", "gain_rook",
    "gain_queen", "gain_promotion", "gain_steady", "gain_left", "even_captures", "check_gain",
    "checks", "safe_checks", "fork", "fork_check", "threat", "trapped", "pins", "discovery",
    "loose", "outgunned", "overloaded", "moves", "safe_moves", "flights", "passer", "runner",
)

COLUMNS = (
    tuple(f"mover_{name}" for name in _A_SIDE)
    + tuple(f"opponent_{name}" for name in _A_SIDE)
    + ("mover_in_check",)
)


def tactics_from_boards(boards):
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 32:
        raise ValueError(f"boards have shape [n, 32], not {list(array.shape)}")
    cdef const uint8_t[:, ::1] view = array
    cdef int64_t n = view.shape[0], i
    out = np.empty((n, TACTICS), dtype=np.int32)
    cdef int32_t[:, ::1] rows = out
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], p)
            if not fault.empty():
                with gil:
                    raise ValueError(f"board {i} is no position: {fault.decode('ascii')}")
            tactics(p, &rows[i, 0])
    return out
