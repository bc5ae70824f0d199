# cython: boundscheck=False, wraparound=False
"""Thin-plate splines of the distances between rows and centres."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.memory cimport unique_ptr


cdef extern from "learning/thin_plate.hpp" namespace "tabia::learning" nogil:
    cdef cppclass Centres[Real]:
        Centres(const float*, int64_t, int64_t) except +
        int64_t count() noexcept
        int64_t inputs() noexcept
        int64_t padded() noexcept
        void basis(const float*, int64_t, Real*) except +
        void sums(const float*, int64_t, const double*, double*) except +


cdef const float[:, ::1] _matrix(array, str name) except *:
    array = np.ascontiguousarray(array, dtype=np.float32)
    if array.ndim != 2:
        raise ValueError(f"{name} have shape [n, d], not {list(array.shape)}")
    return array


cdef const float[:, ::1] _rows(rows, int64_t inputs) except *:
    cdef const float[:, ::1] view = _matrix(rows, "rows")
    if view.shape[1] != inputs:
        raise ValueError(f"rows have {view.shape[1]} inputs, centres {inputs}")
    return view


cdef class Basis:
    cdef unique_ptr[Centres[double]] core

    def __cinit__(self, centres):
        cdef const float[:, ::1] view = _matrix(centres, "centres")
        if view.shape[0] == 0 or view.shape[1] == 0:
            raise ValueError("there are no centres or no inputs")
        self.core.reset(new Centres[double](&view[0, 0], view.shape[0], view.shape[1]))

    def __call__(self, rows):
        cdef Centres[double]* core = self.core.get()
        cdef const float[:, ::1] view = _rows(rows, core.inputs())
        out = np.empty((view.shape[0], core.count()))
        cdef double[:, ::1] values = out
        if view.shape[0]:
            with nogil:
                core.basis(&view[0, 0], view.shape[0], &values[0, 0])
        return out


cdef class Sums:
    cdef unique_ptr[Centres[float]] core
    cdef double[::1] weights

    def __cinit__(self, centres, weights):
        cdef const float[:, ::1] view = _matrix(centres, "centres")
        if view.shape[0] == 0 or view.shape[1] == 0:
            raise ValueError("there are no centres or no inputs")
        if np.shape(weights) != (view.shape[0],):
            raise ValueError(f"{view.shape[0]} centres, weights {list(np.shape(weights))}")
        self.core.reset(new Centres[float](&view[0, 0], view.shape[0], view.shape[1]))
        padded = np.zeros(self.core.get().padded())
        padded[: view.shape[0]] = weights
        self.weights = padded

    def __call__(self, rows):
        cdef Centres[float]* core = self.core.get()
        cdef const float[:, ::1] view = _rows(rows, core.inputs())
        out = np.empty(view.shape[0])
        cdef double[::1] values = out
        if view.shape[0]:
            with nogil:
                core.sums(&view[0, 0], view.shape[0], &self.weights[0], &values[0])
        return out
