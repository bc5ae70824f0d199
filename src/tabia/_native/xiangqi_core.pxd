# Declarations of the xiangqi core that several bindings share.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)


cdef extern from "xiangqi/position.hpp" namespace "tabia::xiangqi" nogil:
    cdef cppclass Undo:
        uint16_t move

    cdef cppclass Position:
        Position()
        uint64_t key
        uint8_t side
        uint32_t fullmove
        uint32_t halfmove
        uint8_t board[90]
        cbool is_check() noexcept
        Undo play(uint16_t) noexcept
        void undo(const Undo&) noexcept
        Position mirrored() noexcept
        Position flipped() noexcept

    const Position START


cdef extern from "xiangqi/movegen.hpp" namespace "tabia::xiangqi" nogil:
    cdef cppclass MoveList:
        uint16_t moves[128]
        int size
    void generate_legal(const Position&, MoveList&) noexcept
    cbool has_legal_move(const Position&) noexcept
    cbool is_legal(const Position&, uint16_t) noexcept


cdef extern from "xiangqi/fen.hpp" namespace "tabia::xiangqi" nogil:
    string parse_fen(string_view, Position&)
    string write_epd(const Position&)
    string write_fen(const Position&)


cdef extern from "xiangqi/pack.hpp" namespace "tabia::xiangqi" nogil:
    void pack(const Position&, uint8_t*) noexcept
    string unpack(const uint8_t*, Position&)
    void piece_codes(const uint8_t*, uint8_t*) noexcept
