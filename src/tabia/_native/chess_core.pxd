# Declarations of the chess core that several bindings share.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)


cdef extern from "chess/position.hpp" namespace "tabia::chess" nogil:
    cdef cppclass Position:
        Position()
        uint64_t key
        uint8_t side
        uint32_t halfmove
        int phase() noexcept
        cbool is_check() noexcept
        void play(uint16_t) noexcept

    const Position START
    uint16_t to_codec(const Position&, uint16_t, cbool) noexcept
    uint16_t from_codec(const Position&, uint16_t, cbool) noexcept
    cbool needs_chess960(const Position&) noexcept


cdef extern from "chess/movegen.hpp" namespace "tabia::chess" nogil:
    cdef cppclass MoveList:
        uint16_t moves[512]
        int size
    void generate_legal(const Position&, MoveList&) noexcept
    cbool has_legal_move(const Position&) noexcept
    cbool is_legal(const Position&, uint16_t) noexcept


cdef extern from "chess/fen.hpp" namespace "tabia::chess" nogil:
    string parse_fen(string_view, Position&)
    string write_epd(const Position&)
    string write_fen(const Position&)


cdef extern from "chess/pack.hpp" namespace "tabia::chess" nogil:
    void pack(const Position&, uint8_t*) noexcept
    string unpack(const uint8_t*, Position&)
    void piece_codes(const uint8_t*, uint8_t*) noexcept
