# cython: boundscheck=False, wraparound=False
"""PGN bytes to columns of games and rejects."""

from typing import NamedTuple

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from tabia._native.chess_core cimport string_view


cdef extern from "chess/pgn.hpp" namespace "tabia::chess" nogil:
    cdef cppclass TextColumn:
        vector[int32_t] offsets
        vector[char] data
        vector[uint8_t] valid

    cdef cppclass Games:
        vector[int64_t] ordinal, byte_offset, line
        TextColumn text[12]
        vector[uint8_t] chess960
        vector[int32_t] white_elo, black_elo
        vector[int8_t] result
        vector[uint8_t] result_conflict, has_evals, has_clocks
        vector[uint64_t] split_hash
        vector[int64_t] ply_offsets
        vector[uint16_t] moves

    cdef cppclass Rejects:
        vector[int64_t] ordinal, byte_offset, line
        vector[uint8_t] reason
        vector[int32_t] legal_plies
        TextColumn detail

    cdef cppclass NativeParsed "tabia::chess::ParsedPgn":
        int64_t found
        Games games
        Rejects rejects

    cdef cppclass Cut:
        size_t offset
        int64_t lines

    const char* REJECT_NAMES[]
    const int REJECT_COUNT
    const int TEXT_TAGS
    cbool parse_pgn(string_view, int64_t, int64_t, int64_t, NativeParsed&)
    Cut native_safe_cut "tabia::chess::safe_cut"(string_view) noexcept


REJECT_REASONS = tuple(REJECT_NAMES[i].decode("ascii") for i in range(REJECT_COUNT))


class Text(NamedTuple):
    offsets: object
    data: object
    validity: object


class ParsedRejects(NamedTuple):
    ordinal: object
    byte_offset: object
    line: object
    reason: object
    detail: object
    legal_plies: object


class ParsedPgn(NamedTuple):
    found: int
    ordinal: object
    byte_offset: object
    line: object
    event: object
    site: object
    round: object
    date: object
    utc_date: object
    utc_time: object
    white: object
    black: object
    time_control: object
    termination: object
    eco: object
    start_fen: object
    variant: object
    white_elo: object
    black_elo: object
    result: object
    result_conflict: object
    has_evals: object
    has_clocks: object
    split_hash: object
    moves: object
    ply_offsets: object
    rejects: object


cdef object _array(const void* data, size_t n, size_t item, dtype):
    out = np.empty(n, dtype=dtype)
    cdef uint8_t[::1] view
    if n:
        view = out.view(np.uint8)
        memcpy(&view[0], data, n * item)
    return out


cdef object _text(const TextColumn& column):
    return Text(
        _array(column.offsets.data(), column.offsets.size(), 4, np.int32),
        _array(column.data.data(), column.data.size(), 1, np.uint8),
        _array(column.valid.data(), column.valid.size(), 1, np.uint8),
    )


cdef object _words(codes, words):
    # A text column out of few distinct values: codes into words.
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    offsets = np.zeros(len(codes) + 1, dtype=np.int32)
    np.cumsum(lengths[codes], out=offsets[1:])
    width = int(lengths.max())
    table = np.zeros((len(words), width), dtype=np.uint8)
    for i, word in enumerate(words):
        table[i, : len(word)] = np.frombuffer(word, dtype=np.uint8)
    keep = np.arange(width) < lengths[codes][:, None]
    return Text(offsets, table[codes][keep], np.ones(len(codes), dtype=np.uint8))


def parse(data, *, base_offset=0, base_line=1, ordinal=0):
    cdef const uint8_t[::1] view = data
    cdef const char* start = <const char*>&view[0] if view.shape[0] else NULL
    cdef string_view block = string_view(start, view.shape[0])
    cdef int64_t offset = base_offset, line = base_line, first = ordinal
    cdef NativeParsed out
    cdef cbool fits
    with nogil:
        fits = parse_pgn(block, offset, line, first, out)
    if not fits:
        raise ValueError(f"PGN block of {view.shape[0]} bytes; feed blocks below 512 MiB")
    if TEXT_TAGS != 12:
        raise AssertionError("text columns of pgn.hpp and chess_pgn.pyx differ")
    cdef Games* g = &out.games
    cdef Rejects* r = &out.rejects
    cdef int i
    text = [_text(g.text[i]) for i in range(12)]
    chess960 = _array(g.chess960.data(), g.chess960.size(), 1, np.uint8)
    rejects = ParsedRejects(
        _array(r.ordinal.data(), r.ordinal.size(), 8, np.int64),
        _array(r.byte_offset.data(), r.byte_offset.size(), 8, np.int64),
        _array(r.line.data(), r.line.size(), 8, np.int64),
        _array(r.reason.data(), r.reason.size(), 1, np.uint8),
        _text(r.detail),
        _array(r.legal_plies.data(), r.legal_plies.size(), 4, np.int32),
    )
    return ParsedPgn(
        out.found,
        _array(g.ordinal.data(), g.ordinal.size(), 8, np.int64),
        _array(g.byte_offset.data(), g.byte_offset.size(), 8, np.int64),
        _array(g.line.data(), g.line.size(), 8, np.int64),
        *text,
        _words(chess960, (b"standard", b"chess960")),
        _array(g.white_elo.data(), g.white_elo.size(), 4, np.int32),
        _array(g.black_elo.data(), g.black_elo.size(), 4, np.int32),
        _array(g.result.data(), g.result.size(), 1, np.int8),
        _array(g.result_conflict.data(), g.result_conflict.size(), 1, np.uint8),
        _array(g.has_evals.data(), g.has_evals.size(), 1, np.uint8),
        _array(g.has_clocks.data(), g.has_clocks.size(), 1, np.uint8),
        _array(g.split_hash.data(), g.split_hash.size(), 8, np.uint64),
        _array(g.moves.data(), g.moves.size(), 2, np.uint16),
        _array(g.ply_offsets.data(), g.ply_offsets.size(), 8, np.int64),
        rejects,
    )


def safe_cut(data):
    cdef const uint8_t[::1] view = data
    cdef const char* start = <const char*>&view[0] if view.shape[0] else NULL
    cdef string_view block = string_view(start, view.shape[0])
    cdef Cut cut
    with nogil:
        cut = native_safe_cut(block)
    return cut.offset, cut.lines
