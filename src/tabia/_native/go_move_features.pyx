# cython: boundscheck=False, wraparound=False
"""Features of the legal moves of many Go positions."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libcpp.string cimport string


cdef extern from "go/move_features.hpp" namespace "tabia::go" nogil:
    const int MOVE_FEATURES
    const char** MOVE_FEATURE_NAMES
    string native_features "tabia::go::move_features"(
        const uint8_t*, const uint16_t*, int, const int32_t*, float*
    )


COLUMNS = tuple(MOVE_FEATURE_NAMES[k].decode("ascii") for k in range(MOVE_FEATURES))


def move_features(boards, codes, offsets, previous):
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 96:
        raise ValueError(f"boards have shape [n, 96], not {list(array.shape)}")
    cdef const uint8_t[:, ::1] view = array
    cdef int64_t n = view.shape[0], i
    cdef const uint16_t[::1] moves = np.ascontiguousarray(codes, dtype=np.uint16)
    cdef const int64_t[::1] ends = np.ascontiguousarray(offsets, dtype=np.int64)
    cdef const int32_t[:, ::1] last = np.ascontiguousarray(previous, dtype=np.int32)
    if ends.shape[0] != n + 1 or last.shape[0] != n or last.shape[1] != 2:
        raise ValueError(
            f"{n} boards, {ends.shape[0]} offsets, previous of shape "
            f"{[last.shape[0], last.shape[1]]}: they are n, n + 1 and [n, 2]"
        )
    steps = np.diff(np.asarray(ends))
    if ends[0] != 0 or ends[n] != moves.shape[0] or (steps < 0).any():
        raise ValueError(f"offsets must ascend from 0 to the number of moves, {moves.shape[0]}")
    out = np.empty((moves.shape[0], MOVE_FEATURES), dtype=np.float32)
    cdef float[:, ::1] rows = out
    cdef string fault
    with nogil:
        for i in range(n):
            if ends[i] == ends[i + 1]:
                continue
            fault = native_features(
                &view[i, 0],
                &moves[ends[i]],
                <int>(ends[i + 1] - ends[i]),
                &last[i, 0],
                &rows[ends[i], 0],
            )
            if not fault.empty():
                with gil:
                    raise ValueError(f"row {i}: {fault.decode('ascii')}")
    return out
