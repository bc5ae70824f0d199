"""Counting Go positions: area, territory, life, playouts."""

from typing import NamedTuple

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp cimport bool as cbool

from tabia._native.go_board cimport Board
from tabia._native.go_core cimport Geometry, Stones


cdef extern from "go/score.hpp" namespace "tabia::go" nogil:
    cdef cppclass Tally:
        int stones[3]
        int territory[3]
        int dead[3]
        int prisoners[3]
        int neutral
        uint8_t owner[361]
        uint8_t seki[361]

    cdef cppclass Scoring:
        pass
    void native_tally "tabia::go::tally"(const Stones&, Scoring, const uint8_t*, Tally&)


cdef extern from "go/life.hpp" namespace "tabia::go" nogil:
    cdef cppclass Policy:
        pass

    cdef cppclass Ownership:
        Ownership()
        int32_t balance[361]
        int32_t survived[361]
        int64_t margin
        int64_t moves
        int64_t black_wins
    void native_pass_alive "tabia::go::pass_alive"(const Stones&, uint8_t*)
    void add_playouts(const Stones&, Policy, int, uint64_t, cbool, float, Ownership&)
    void dead_stones(const Stones&, const Ownership&, uint8_t*)


_POLICIES = ("uniform", "no_eyes", "careful")


class Counted(NamedTuple):
    stones: object
    territory: object
    dead: object
    prisoners: object
    neutral: object
    owner: object
    seki: object


class Playouts(NamedTuple):
    balance: object
    survived: object
    margin: object
    black_wins: object
    moves: object


cdef object _square(const uint8_t* values, int size):
    return np.frombuffer(<bytes>values[: size * size], dtype=np.uint8).reshape(size, size)


def count(Board board not None, *, territory=False, dead=()):
    cdef uint8_t[361] marks
    cdef Tally t
    cdef int i, size = board.size
    for i in range(361):
        marks[i] = 0
    for code in dead:
        board._stone(code)
        marks[size * (code // 19) + code % 19] = 1
    native_tally(board._p.board(), <Scoring>(1 if territory else 0), marks, t)
    return Counted(
        (t.stones[1], t.stones[2]),
        (t.territory[1], t.territory[2]),
        (t.dead[1], t.dead[2]),
        (t.prisoners[1], t.prisoners[2]),
        t.neutral,
        _square(t.owner, size),
        _square(t.seki, size),
    )


def pass_alive(Board board not None):
    cdef uint8_t[361] out
    native_pass_alive(board._p.board(), out)
    return _square(out, board.size)


cdef int _run(Board board, n, seed, str policy, both_first, Ownership& out) except -1:
    if policy not in _POLICIES:
        raise ValueError(f"policy {policy!r} is not {', '.join(_POLICIES)}")
    if not 0 <= n < 2**31:
        raise ValueError(f"{n} playouts: not 0 to 2^31 - 1")
    cdef int number = _POLICIES.index(policy), times = n
    cdef uint64_t start = seed
    cdef cbool both = both_first
    cdef float komi = board.komi
    with nogil:
        add_playouts(board._p.board(), <Policy>number, times, start, both, komi, out)
    return 0


def playouts(Board board not None, n, *, seed, policy="no_eyes", both_first=False):
    cdef Ownership out
    cdef int size = board.size, i
    _run(board, n, seed, policy, both_first, out)
    balance = np.empty(size * size, dtype=np.int32)
    survived = np.empty(size * size, dtype=np.int32)
    for i in range(size * size):
        balance[i] = out.balance[i]
        survived[i] = out.survived[i]
    return Playouts(
        balance.reshape(size, size),
        survived.reshape(size, size),
        out.margin,
        out.black_wins,
        out.moves,
    )


def dead_by_playouts(Board board not None, n, *, seed):
    cdef Ownership out
    cdef uint8_t[361] marks
    cdef const Geometry* g = &board._p.board().geometry()
    cdef int i
    _run(board, n, seed, "careful", True, out)
    dead_stones(board._p.board(), out, marks)
    return [g.code_of[g.cells[i]] for i in range(g.n_points) if marks[i]]
