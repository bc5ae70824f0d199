# The class of go_board.pyx, for bindings that play on or score its boards.
from tabia._native.go_core cimport Position, Stones


cdef class Board:
    cdef Position _p
    cdef int _ko
    cdef bint _territory
    cdef Board _from(self, const Stones& stones, int passes)
    cdef int _point(self, code) except -1
    cdef int _stone(self, code) except -1
    cdef str _text(self, code)
