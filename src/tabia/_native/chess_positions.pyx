# cython: boundscheck=False, wraparound=False
"""Arrays of chess positions: from games, from FENs, to pieces, keys, phases and legal moves."""

from typing import NamedTuple

import numpy as np

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.chess_core cimport (
    MoveList,
    Position,
    generate_legal,
    needs_chess960,
    pack,
    parse_fen,
    piece_codes as native_piece_codes,
    string_view,
    to_codec,
    unpack,
    write_epd,
)
from tabia._native.chess_board import FenError, IllegalMoveError, decode_uci


cdef extern from "<algorithm>" namespace "std" nogil:
    void sort(uint16_t*, uint16_t*) noexcept


cdef extern from "chess/expand.hpp" namespace "tabia::chess" nogil:
    cdef cppclass PositionRows:
        uint8_t* board
        uint64_t* key
        int16_t* phase
        uint8_t* flags
        int32_t* game
        int32_t* ply
        uint16_t* move
    int64_t expand_games(
        const uint16_t*, const int64_t*, int64_t, const Position*, const int64_t*,
        const uint8_t*, PositionRows
    ) noexcept


class Expanded(NamedTuple):
    board: object
    key: object
    phase: object
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


def expand(moves, ply_offsets, start_fens, chess960):
    cdef const uint16_t[::1] moves_in = np.ascontiguousarray(moves, dtype=np.uint16)
    cdef const int64_t[::1] offsets = np.ascontiguousarray(ply_offsets, dtype=np.int64)
    cdef const uint8_t[::1] is_960 = np.ascontiguousarray(chess960, dtype=np.uint8)
    cdef int64_t n_games = offsets.shape[0] - 1
    if n_games < 0:
        raise ValueError("ply_offsets is empty; it has one value more than there are games")
    if len(start_fens) != n_games or is_960.shape[0] != n_games:
        raise ValueError(
            f"{n_games} games by ply_offsets, {len(start_fens)} start_fens, "
            f"{is_960.shape[0]} chess960"
        )
    if offsets[0] < 0 or offsets[n_games] > moves_in.shape[0] or (np.diff(offsets) < 0).any():
        raise ValueError("ply_offsets must ascend within moves")
    if n_games > 0x7FFFFFFF:
        raise ValueError("more than 2^31 games")

    cdef vector[Position] starts
    start_index_out = np.full(n_games, -1, dtype=np.int64)
    cdef int64_t[::1] start_index = start_index_out
    cdef int64_t g
    for g in range(n_games):
        fen = start_fens[g]
        if fen is not None:
            start_index[g] = <int64_t>starts.size()
            starts.push_back(_parse(fen))

    cdef int64_t n = offsets[n_games] - offsets[0] + n_games
    board_out = np.empty((n, 32), dtype=np.uint8)
    key_out = np.empty(n, dtype=np.uint64)
    phase_out = np.empty(n, dtype=np.int16)
    flags_out = np.empty(n, dtype=np.uint8)
    game_out = np.empty(n, dtype=np.int32)
    ply_out = np.empty(n, dtype=np.int32)
    move_out = np.empty(n, dtype=np.uint16)
    result = Expanded(board_out, key_out, phase_out, flags_out, game_out, ply_out, move_out)
    if n == 0:
        return result
    cdef uint8_t[:, ::1] board_view = board_out
    cdef uint64_t[::1] key_view = key_out
    cdef int16_t[::1] phase_view = phase_out
    cdef uint8_t[::1] flags_view = flags_out
    cdef int32_t[::1] game_view = game_out
    cdef int32_t[::1] ply_view = ply_out
    cdef uint16_t[::1] move_view = move_out
    cdef PositionRows rows
    rows.board = &board_view[0, 0]
    rows.key = &key_view[0]
    rows.phase = &phase_view[0]
    rows.flags = &flags_view[0]
    rows.game = &game_view[0]
    rows.ply = &ply_view[0]
    rows.move = &move_view[0]
    cdef const uint16_t* moves_p = &moves_in[0] if moves_in.shape[0] else NULL
    cdef int64_t bad
    with nogil:
        bad = expand_games(
            moves_p, &offsets[0], n_games, starts.data(), &start_index[0], &is_960[0], rows
        )
    if bad >= 0:
        g = <int64_t>np.searchsorted(np.asarray(offsets), bad, side="right") - 1
        code = moves_in[bad]
        name = decode_uci(code) if code >> 12 <= 4 else str(code)
        raise IllegalMoveError(f"game {g}, ply {bad - offsets[g]}: move {name} is not legal")
    return result


def boards_from_fens(fens):
    cdef int64_t n = len(fens), i
    out = np.empty((n, 32), dtype=np.uint8)
    cdef uint8_t[:, ::1] view = out
    cdef Position p
    for i in range(n):
        p = _parse(fens[i])
        pack(p, &view[i, 0])
    return out


cdef const uint8_t[:, ::1] _boards(boards) except *:
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 32:
        raise ValueError(f"boards have shape [n, 32], not {list(array.shape)}")
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
    out = np.empty((n, 64), dtype=np.uint8)
    cdef uint8_t[:, ::1] codes = out
    with nogil:
        for i in range(n):
            native_piece_codes(&view[i, 0], &codes[i, 0])
    return out


def phases(boards):
    cdef const uint8_t[:, ::1] view = _boards(boards)
    cdef int64_t n = view.shape[0], i
    out = np.empty(n, dtype=np.int16)
    cdef int16_t[::1] values = out
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], p)
            if not fault.empty():
                with gil:
                    _raise(i, fault)
            values[i] = <int16_t>p.phase()
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
    cdef int k
    offsets_out = np.zeros(n + 1, dtype=np.int64)
    cdef int64_t[::1] offsets = offsets_out
    cdef vector[uint16_t] found
    cdef MoveList moves
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], p)
            if fault.empty() and needs_chess960(p):
                fault = string(b"castling rights need Chess960 rules")
            if not fault.empty():
                with gil:
                    _raise(i, fault)
            moves.size = 0
            generate_legal(p, moves)
            for k in range(moves.size):
                moves.moves[k] = to_codec(p, moves.moves[k], False)
            sort(moves.moves, moves.moves + moves.size)
            found.insert(found.end(), moves.moves, moves.moves + moves.size)
            offsets[i + 1] = <int64_t>found.size()
    codes_out = np.empty(found.size(), dtype=np.uint16)
    cdef uint16_t[::1] codes = codes_out
    for i in range(<int64_t>found.size()):
        codes[i] = found[i]
    return codes_out, offsets_out
