# cython: boundscheck=False, wraparound=False
"""Fuzzy means: the one pass over rows that chooses centres."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr


cdef extern from "learning/fuzzy_means.hpp" namespace "tabia::learning" nogil:
    cdef cppclass FuzzyMeans:
        FuzzyMeans(const int32_t*, int64_t, int64_t) except +
        cbool add(const float*, int64_t) except +
        int64_t size() noexcept
        const uint8_t* centres() noexcept


cdef class Selection:
    cdef unique_ptr[FuzzyMeans] core
    cdef int64_t inputs

    def __cinit__(self, sets, int64_t limit):
        cdef const int32_t[::1] sets_in = np.ascontiguousarray(sets, dtype=np.int32)
        if sets_in.shape[0] == 0:
            raise ValueError("sets is empty: there are no inputs")
        if np.min(sets) < 1 or np.max(sets) > 256:
            raise ValueError("an input has 1 to 256 fuzzy sets")
        if limit < 1:
            raise ValueError(f"limit is {limit}; it must be 1 or more")
        self.inputs = sets_in.shape[0]
        self.core.reset(new FuzzyMeans(&sets_in[0], self.inputs, limit))

    def add(self, rows):
        cdef const float[:, ::1] view = np.ascontiguousarray(rows, dtype=np.float32)
        cdef FuzzyMeans* core = self.core.get()
        cdef cbool fits
        if view.shape[1] != self.inputs:
            raise ValueError(f"rows have {view.shape[1]} inputs, sets {self.inputs}")
        if view.shape[0] == 0:
            return True
        with nogil:
            fits = core.add(&view[0, 0], view.shape[0])
        return bool(fits)

    @property
    def centres(self):
        cdef FuzzyMeans* core = self.core.get()
        out = np.empty((core.size(), self.inputs), dtype=np.uint8)
        cdef uint8_t[:, ::1] view = out
        if core.size():
            memcpy(&view[0, 0], core.centres(), core.size() * self.inputs)
        return out
