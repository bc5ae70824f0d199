# cython: boundscheck=False, wraparound=False
"""The 97 evaluation terms a side of chess positions: of packed boards, of FENs, of games."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.chess_core cimport Position, parse_fen, string_view, unpack
from tabia._native.chess_board import FenError, IllegalMoveError, decode_uci


cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object, Py_ssize_t*) except NULL


cdef extern from "chess/terms.hpp" namespace "tabia::chess" nogil:
    const int N_TERMS

    cdef cppclass TermName:
        const char* name
        const char* group

    const TermName TERM_NAMES[]
    void evaluation_terms(const Position&, float*) noexcept


cdef extern from "chess/terms_games.hpp" namespace "tabia::chess" nogil:
    int64_t terms_of_games(
        const uint16_t*, const int64_t*, int64_t, const Position*, const int64_t*,
        const uint8_t*, float*
    ) noexcept


TERMS = tuple(TERM_NAMES[i].name.decode("ascii") for i in range(N_TERMS))
GROUPS = tuple(TERM_NAMES[i].group.decode("ascii") for i in range(N_TERMS))
FRACTIONAL = frozenset({"outpost_total"})
COLUMNS = tuple(f"{side}_{term}" for side in ("white", "black") for term in TERMS)


def terms_from_boards(boards):
    array = np.ascontiguousarray(boards, dtype=np.uint8)
    if array.ndim != 2 or array.shape[1] != 32:
        raise ValueError(f"boards have shape [n, 32], not {list(array.shape)}")
    cdef const uint8_t[:, ::1] view = array
    cdef int64_t n = view.shape[0], i
    out = np.empty((n, 2 * N_TERMS), dtype=np.float32)
    cdef float[:, ::1] rows = out
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = unpack(&view[i, 0], p)
            if not fault.empty():
                with gil:
                    raise ValueError(f"board {i} is no position: {fault.decode('ascii')}")
            evaluation_terms(p, &rows[i, 0])
    return out


def terms_from_fens(fens):
    # A tuple, so that the texts live and stay in place while the GIL is released.
    texts = tuple(fens)
    cdef int64_t n = len(texts), i
    cdef vector[string_view] views
    views.reserve(n)
    cdef Py_ssize_t size = 0
    cdef const char* data
    for i in range(n):
        try:
            data = PyUnicode_AsUTF8AndSize(texts[i], &size)
        except UnicodeEncodeError as error:
            raise FenError(f"FEN {i}: {texts[i]!r}: {error.reason}") from error
        views.push_back(string_view(data, size))
    out = np.empty((n, 2 * N_TERMS), dtype=np.float32)
    cdef float[:, ::1] rows = out
    cdef Position p
    cdef string fault
    with nogil:
        for i in range(n):
            fault = parse_fen(views[i], p)
            if not fault.empty():
                with gil:
                    raise FenError(f"FEN {i}: {texts[i]!r}: {fault.decode('utf-8')}")
            evaluation_terms(p, &rows[i, 0])
    return out


def terms_from_games(moves, ply_offsets, start_fens, chess960):
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

    cdef vector[Position] starts
    start_index_out = np.full(n_games, -1, dtype=np.int64)
    cdef int64_t[::1] start_index = start_index_out
    cdef int64_t g
    cdef Position p
    cdef bytes text
    cdef string fault
    for g in range(n_games):
        fen = start_fens[g]
        if fen is not None:
            text = fen.encode("utf-8", "surrogatepass")
            fault = parse_fen(string_view(text, len(text)), p)
            if not fault.empty():
                raise FenError(f"game {g}: FEN {fen!r}: {fault.decode('utf-8')}")
            start_index[g] = <int64_t>starts.size()
            starts.push_back(p)

    out = np.empty((offsets[n_games] - offsets[0] + n_games, 2 * N_TERMS), dtype=np.float32)
    if n_games == 0:
        return out
    cdef float[:, ::1] rows = out
    cdef const uint16_t* moves_p = &moves_in[0] if moves_in.shape[0] else NULL
    cdef int64_t bad
    with nogil:
        bad = terms_of_games(
            moves_p, &offsets[0], n_games, starts.data(), &start_index[0], &is_960[0], &rows[0, 0]
        )
    if bad >= 0:
        g = <int64_t>np.searchsorted(np.asarray(offsets), bad, side="right") - 1
        code = moves_in[bad]
        name = decode_uci(code) if code >> 12 <= 4 else str(code)
        raise IllegalMoveError(f"game {g}, ply {bad - offsets[g]}: move {name} is not legal")
    return out
