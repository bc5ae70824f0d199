# cython: boundscheck=False, wraparound=False
"""Arrays of xiangqi positions: from games, from FENs, to pieces, keys and legal moves."""

from typing import NamedTuple

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.xiangqi_core cimport (
    MoveList,
    Position,
    generate_legal,
    pack,
    parse_fen,
    piece_codes as native_piece_codes,
    string_view,
    unpack,
    write_epd,
)
from tabia._native.xiangqi_board import FenError, IllegalMoveError, decode_move


cdef extern from "<algorithm>" namespace "std" nogil:
    void sort(uint16_t*, uint16_t*) noexcept


cdef extern from "xiangqi/expand.hpp" namespace "tabia::xiangqi" nogil:
    cdef cppclass Games:
        const uint16_t* moves
        const int64_t* offsets
        int64_t n_games
        const Position* starts
        const int64_t* start_index

    cdef cppclass PositionRows:
        uint8_t* board
        uint64_t* key
        uint8_t* flags
        int32_t* game
        int32_t* ply
        uint16_t* move
    int64_t expand_games(const Games&, PositionRows) noexcept
    void replay_games(const Games&, int32_t*) noexcept


class Expanded(NamedTuple):
    board: object
    key: object
    flags: object
    game: object
    ply: object
    move: object


cdef Position _parse(str fen) except *:
    cdef Position p
    cdef bytes text = fen.encode("utf-8", "surrogatepass")
    cdef string fault = parse_fen(string_view(text, len(text)), p)
    if not fault.empty():
        raise FenError(f"FEN {fen!r}: {fault.decode('utf-8')}")
    return p


# The arguments of expand and replay, checked and held while the loops run.
cdef class _Games:
    cdef Games games
    cdef vector[Position] starts
    cdef const uint16_t[::1] moves
    cdef const int64_t[::1] offsets
    cdef const int64_t[::1] start_index

    def __init__(self, moves, ply_offsets, start_fens):
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
        index = np.full(max(n, 1), -1, dtype=np.int64)
        for g, fen in enumerate(start_fens or ()):
            if fen is not None:
                index[g] = self.starts.size()
                self.starts.push_back(_parse(fen))
        self.start_index = index
        self.games.moves = &self.moves[0] if self.moves.shape[0] else NULL
        self.games.offsets = &self.offsets[0]
        self.games.n_games = n
        self.games.starts = self.starts.data()
        self.games.start_index = &self.start_index[0]


def expand(moves, ply_offsets, start_fens=None):
    cdef _Games given = _Games(moves, ply_offsets, start_fens)
    cdef int64_t n_games = given.games.n_games
    cdef int64_t n = given.offsets[n_games] - given.offsets[0] + n_games
    board_out = np.empty((n, 45), dtype=np.uint8)
    key_out = np.empty(n, dtype=np.uint64)
    flags_out = np.empty(n, dtype=np.uint8)
    game_out = np.empty(n, dtype=np.int32)
    ply_out = np.empty(n, dtype=np.int32)
    move_out = np.empty(n, dtype=np.uint16)
    result = Expanded(board_out, key_out, flags_out, game_out, ply_out, move_out)
    if n == 0:
        return result
    cdef uint8_t[:, ::1] board_view = board_out
    cdef uint64_t[::1] key_view = key_out
    cdef uint8_t[::1] flags_view = flags_out
    cdef int32_t[::1] game_view = game_out
    cdef int32_t[::1] ply_view = ply_out
    cdef uint16_t[::1] move_view = move_out
    cdef PositionRows rows
    rows.board = &board_view[0, 0]
    rows.key = &key_view[0]
    rows.flags = &flags_view[0]
    rows.game = &game_view[0]
    rows.ply = &ply_view[0]
    rows.move = &move_view[0]
    cdef int64_t bad, g
    with nogil:
        bad = expand_games(given.games, rows)
    if bad >= 0:
        g = <int64_t>np.searchsorted(np.asarray(given.offsets), bad, side="right") - 1
        code = given.moves[bad]
        name = decode_move(code) if code < 8100 else str(code)
        raise IllegalMoveError(f"game {g}, ply {bad - given.offsets[g]}: move {name} is not legal")
    return result


def replay(moves, ply_offsets, start_fens=None):
    cdef _Games given = _Games(moves, ply_offsets, start_fens)
    out = np.empty(given.games.n_games, dtype=np.int32)
    cdef int32_t[::1] view = out
    if given.games.n_games:
        with nogil:
            replay_games(given.games, &view[0])
    return out


def boards_from_fens(fens):
    cdef int64_t n = len(fens), i
    out = np.empty((n, 45), dtype=np.uint8)
    cdef uint8_t[:, ::1] view = out
    cdef Position p
    for i in range(n):
        p = _parse(fens[i])
        pack(p, &view[i, 0])
    return out


cdef const uint8_t[:, ::1] _boards(boards) except *:
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 45:
        raise ValueError(f"boards have shape [n, 45], not {list(array.shape)}")
    return array


cdef int _raise(int64_t row, string fault) except -1:
    raise ValueError(f"board {row} is no position: {fault.decode('ascii')}")


def fens_from_boards(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t i
    cdef Position p
    cdef string fault
    out = []
    for i in range(view.shape[0]):
        fault = unpack(&view[i, 0], p)
        if not fault.empty():
            _raise(i, fault)
        out.append(write_epd(p).decode("ascii"))
    return out


def piece_codes(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    out = np.empty((n, 90), dtype=np.uint8)
    cdef uint8_t[:, ::1] codes = out
    with nogil:
        for i in range(n):
            native_piece_codes(&view[i, 0], &codes[i, 0])
    return out


def keys(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    out = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] values = out
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], p)
            if not fault.empty():
                with gil:
                    _raise(i, fault)
            values[i] = p.key
    return out


def legal_moves(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    offsets_out = np.zeros(n + 1, dtype=np.int64)
    cdef int64_t[::1] offsets = offsets_out
    cdef vector[uint16_t] found
    cdef MoveList moves
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], p)
            if not fault.empty():
                with gil:
                    _raise(i, fault)
            moves.size = 0
            generate_legal(p, moves)
            sort(moves.moves, moves.moves + moves.size)
            found.insert(found.end(), moves.moves, moves.moves + moves.size)
            offsets[i + 1] = <int64_t>found.size()
    codes_out = np.empty(found.size(), dtype=np.uint16)
    cdef uint16_t[::1] codes = codes_out
    for i in range(<int64_t>found.size()):
        codes[i] = found[i]
    return codes_out, offsets_out
