# cython: boundscheck=False, wraparound=False
"""What the legal moves of many xiangqi positions lead to."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libcpp.string cimport string


cdef extern from "outlook_search.hpp" namespace "tabia" nogil:
    const int OUTLOOK_COLUMNS


cdef extern from "xiangqi/outlook.hpp" namespace "tabia::xiangqi" nogil:
    string native_outlooks "tabia::xiangqi::outlooks"(
        const uint8_t*, const uint16_t*, int, float*
    )


COLUMNS = ("outlook", "outlook_below_best")


def outlooks(boards, codes, offsets):
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 45:
        raise ValueError(f"boards have shape [n, 45], not {list(array.shape)}")
    cdef const uint8_t[:, ::1] view = array
    cdef int64_t n = view.shape[0], i
    cdef const uint16_t[::1] moves = np.ascontiguousarray(codes, dtype=np.uint16)
    cdef const int64_t[::1] ends = np.ascontiguousarray(offsets, dtype=np.int64)
    if ends.shape[0] != n + 1:
        raise ValueError(f"{n} boards, {ends.shape[0]} offsets: they are n and n + 1")
    steps = np.diff(np.asarray(ends))
    if ends[0] != 0 or ends[n] != moves.shape[0] or (steps < 0).any():
        raise ValueError(f"offsets must ascend from 0 to the number of moves, {moves.shape[0]}")
    out = np.empty((moves.shape[0], OUTLOOK_COLUMNS), dtype=np.float32)
    cdef float[:, ::1] rows = out
    cdef string fault
    with nogil:
        for i in range(n):
            if ends[i] == ends[i + 1]:
                continue
            fault = native_outlooks(
                &view[i, 0], &moves[ends[i]], <int>(ends[i + 1] - ends[i]), &rows[ends[i], 0]
            )
            if not fault.empty():
                with gil:
                    raise ValueError(f"row {i}: {fault.decode('ascii')}")
    return out
