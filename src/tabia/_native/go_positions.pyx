# cython: boundscheck=False, wraparound=False
"""Arrays of Go positions: from games, from texts, to stones, keys and legal moves."""

from typing import NamedTuple

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.go_board cimport Board
from tabia._native.go_core cimport Geometry, Position, Stones, make_rules, pack, unpack, write_text
from tabia._native.go_board import IllegalMoveError, decode_vertex


cdef extern from "go/expand.hpp" namespace "tabia::go" nogil:
    cdef cppclass Games:
        const uint16_t* moves
        const int64_t* offsets
        int64_t n_games
        const Position* starts
        const int64_t* start_index

    cdef cppclass PositionRows:
        uint8_t* board
        uint64_t* key
        int32_t* game
        int32_t* ply
        uint16_t* move
        uint8_t* legal
    int64_t expand_games(const Games&, PositionRows) noexcept
    void replay_games(const Games&, int32_t*) noexcept
    void write_legal_mask(const Position&, uint8_t*) noexcept


class Expanded(NamedTuple):
    board: object
    key: object
    game: object
    ply: object
    move: object
    legal: object


# The arguments of expand and replay, checked and held while the loops run.
cdef class _Games:
    cdef Games games
    cdef vector[Position] starts
    cdef list sizes
    cdef const uint16_t[::1] moves
    cdef const int64_t[::1] offsets
    cdef const int64_t[::1] start_index

    def __init__(self, moves, ply_offsets, start_fens, size, ko, allows_suicide):
        self.moves = np.ascontiguousarray(moves, dtype=np.uint16)
        self.offsets = np.ascontiguousarray(ply_offsets, dtype=np.int64)
        cdef int64_t n = self.offsets.shape[0] - 1
        if n < 0:
            raise ValueError("ply_offsets is empty; it has one value more than there are games")
        if start_fens is not None and len(start_fens) != n:
            raise ValueError(f"{n} games by ply_offsets, {len(start_fens)} start_fens")
        offsets = np.asarray(self.offsets)
        if offsets[0] < 0 or offsets[n] > self.moves.shape[0] or (np.diff(offsets) < 0).any():
            raise ValueError("ply_offsets must ascend within moves")
        if n > 0x7FFFFFFF:
            raise ValueError("more than 2^31 games")
        index = np.zeros(max(n, 1), dtype=np.int64)
        known = {}
        cdef Board board
        self.sizes = []
        for fen in (None, *(start_fens or ())):
            if fen in known:
                continue
            known[fen] = self.starts.size()
            board = Board(fen, size=size if fen is None else None, ko=ko,
                          allows_suicide=allows_suicide)
            self.starts.push_back(board._p)
            self.sizes.append(board.size)
        for g, fen in enumerate(start_fens or ()):
            index[g] = known[fen]
        self.start_index = index
        self.games.moves = &self.moves[0] if self.moves.shape[0] else NULL
        self.games.offsets = &self.offsets[0]
        self.games.n_games = n
        self.games.starts = self.starts.data()
        self.games.start_index = &self.start_index[0]


def expand(moves, ply_offsets, start_fens=None, *, size=19, ko="simple", allows_suicide=False,
           with_legal=False):
    cdef _Games given = _Games(moves, ply_offsets, start_fens, size, ko, allows_suicide)
    cdef int64_t n_games = given.games.n_games
    cdef int64_t n = given.offsets[n_games] - given.offsets[0] + n_games
    board_out = np.empty((n, 96), dtype=np.uint8)
    key_out = np.empty(n, dtype=np.uint64)
    game_out = np.empty(n, dtype=np.int32)
    ply_out = np.empty(n, dtype=np.int32)
    move_out = np.empty(n, dtype=np.uint16)
    legal_out = np.empty((n if with_legal else 0, 362), dtype=np.uint8)
    result = Expanded(
        board_out, key_out, game_out, ply_out, move_out, legal_out if with_legal else None
    )
    if n == 0:
        return result
    cdef uint8_t[:, ::1] board_view = board_out
    cdef uint64_t[::1] key_view = key_out
    cdef int32_t[::1] game_view = game_out
    cdef int32_t[::1] ply_view = ply_out
    cdef uint16_t[::1] move_view = move_out
    cdef uint8_t[:, ::1] legal_view = legal_out
    cdef PositionRows rows
    rows.board = &board_view[0, 0]
    rows.key = &key_view[0]
    rows.game = &game_view[0]
    rows.ply = &ply_view[0]
    rows.move = &move_view[0]
    rows.legal = &legal_view[0, 0] if with_legal else NULL
    cdef int64_t bad, g
    with nogil:
        bad = expand_games(given.games, rows)
    if bad >= 0:
        g = <int64_t>np.searchsorted(np.asarray(given.offsets), bad, side="right") - 1
        code = given.moves[bad]
        try:
            name = decode_vertex(code, given.sizes[given.start_index[g]])
        except ValueError:
            name = str(code)
        raise IllegalMoveError(f"game {g}, ply {bad - given.offsets[g]}: move {name} is not legal")
    return result


def replay(moves, ply_offsets, start_fens=None, *, size=19, ko="simple", allows_suicide=False):
    cdef _Games given = _Games(moves, ply_offsets, start_fens, size, ko, allows_suicide)
    out = np.empty(given.games.n_games, dtype=np.int32)
    cdef int32_t[::1] view = out
    if given.games.n_games:
        with nogil:
            replay_games(given.games, &view[0])
    return out


def boards_from_fens(fens):
    cdef int64_t n = len(fens), i
    out = np.empty((n, 96), dtype=np.uint8)
    cdef uint8_t[:, ::1] view = out
    cdef Board board
    for i in range(n):
        board = Board(fens[i])
        pack(board._p.board(), board._p.passes(), &view[i, 0])
    return out


cdef const uint8_t[:, ::1] _boards(boards) except *:
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 96:
        raise ValueError(f"boards have shape [n, 96], not {list(array.shape)}")
    return array


cdef int _raise(int64_t row, string fault) except -1:
    raise ValueError(f"board {row} is no position: {fault.decode('ascii')}")


def fens_from_boards(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t i
    cdef Stones stones
    cdef int passes = 0
    cdef string fault
    out = []
    for i in range(view.shape[0]):
        fault = unpack(&view[i, 0], stones, passes)
        if not fault.empty():
            _raise(i, fault)
        out.append(write_text(stones, passes).decode("ascii"))
    return out


def stones(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    cdef int code
    out = np.empty((n, 361), dtype=np.uint8)
    cdef uint8_t[:, ::1] colors = out
    with nogil:
        for i in range(n):
            for code in range(361):
                colors[i, code] = view[i, 4 + (code >> 2)] >> (2 * (code & 3)) & 3
    return out


def keys(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    out = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] values = out
    cdef Stones found
    cdef Position p
    cdef int passes = 0
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], found, passes)
            if not fault.empty():
                with gil:
                    _raise(i, fault)
            p = Position(found, passes, make_rules(0, False, 0, 0))
            values[i] = p.key()
    return out


def legal_masks(boards, *, allows_suicide=False):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    cdef bint suicide = allows_suicide
    out = np.empty((n, 362), dtype=np.uint8)
    cdef uint8_t[:, ::1] masks = out
    cdef Stones found
    cdef Position p
    cdef int passes = 0
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], found, passes)
            if not fault.empty():
                with gil:
                    _raise(i, fault)
            p = Position(found, passes, make_rules(0, suicide, 0, 0))
            write_legal_mask(p, &masks[i, 0])
    return out
