# Declarations of the Go core that several bindings share.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)


cdef extern from "go/geometry.hpp" namespace "tabia::go" nogil:
    cdef cppclass Geometry:
        int size
        int n_points
        uint16_t cells[361]
        uint16_t cell_of[362]
        uint16_t code_of[421]
    cbool is_point(uint16_t, int) noexcept


cdef extern from "go/board.hpp" namespace "tabia::go" nogil:
    # The stones; `Board` is the name of the class that Python sees.
    cdef cppclass Stones "tabia::go::Board":
        Stones()
        Stones(int)
        const Geometry& geometry() noexcept
        int size() noexcept
        uint8_t to_move() noexcept
        void set_to_move(uint8_t) noexcept
        uint64_t stones_key() noexcept
        int ko() noexcept
        int prisoners(uint8_t) noexcept
        void set_prisoners(uint8_t, int) noexcept
        uint8_t color(int) noexcept
        int chain(int) noexcept
        int next_in_chain(int) noexcept
        int liberties(int, int, uint16_t*) noexcept
        void put(int, uint8_t) noexcept


cdef extern from "go/rules.hpp" namespace "tabia::go" nogil:
    cdef cppclass Rules:
        cbool allows_suicide
        float komi
    Rules make_rules(int, cbool, int, float) noexcept


cdef extern from "go/position.hpp" namespace "tabia::go" nogil:
    cdef cppclass MoveList:
        uint16_t moves[362]
        int size

    cdef cppclass Position:
        Position()
        Position(int, const Rules&)
        Position(const Stones&, int, const Rules&)
        const Stones& board() noexcept
        const Stones& start() noexcept
        int start_passes() noexcept
        const Rules& rules() noexcept
        void set_komi(float) noexcept
        int passes() noexcept
        int ply() noexcept
        const vector[uint16_t]& moves() noexcept
        uint64_t key() noexcept
        int repetitions() noexcept
        cbool is_terminal() noexcept
        cbool is_legal(uint16_t) noexcept
        void legal_moves(MoveList&) noexcept
        void play(uint16_t) noexcept
        void resume() noexcept
        float score() noexcept


cdef extern from "go/text.hpp" namespace "tabia::go" nogil:
    string parse_text(string_view, Stones&, int&)
    string write_text(const Stones&, int)
    string board_fault(const Stones&)
    string write_vertex(uint16_t, int)
    uint16_t read_vertex(string_view, int)


cdef extern from "go/pack.hpp" namespace "tabia::go" nogil:
    void pack(const Stones&, int, uint8_t*) noexcept
    string unpack(const uint8_t*, Stones&, int&)


cdef extern from "go/score.hpp" namespace "tabia::go" nogil:
    int area_margin(const Stones&) noexcept
