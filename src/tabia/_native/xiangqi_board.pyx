"""One xiangqi position at a time: rules, FEN and coordinate moves."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.xiangqi_core cimport (
    START,
    MoveList,
    Position,
    Undo,
    generate_legal,
    has_legal_move,
    is_legal,
    pack,
    parse_fen,
    string_view,
    unpack,
    write_epd,
    write_fen,
)




cdef extern from * nogil:
    """
    // A check by square numbers: Cython knows no 128-bit integers.
    static int checking_squares(const tabia::xiangqi::Position& p, int* out) {
        int n = 0;
        for (tabia::xiangqi::Bitboard b = p.checkers(); b;)
            out[n++] = tabia::xiangqi::pop_lowest(b);
        return n;
    }
    """
    int checking_squares(const Position&, int*) noexcept


cdef extern from "xiangqi/perft.hpp" namespace "tabia::xiangqi" nogil:
    uint64_t native_perft "tabia::xiangqi::perft"(const Position&, int) noexcept


cdef extern from "xiangqi/move.hpp" namespace "tabia::xiangqi" nogil:
    string write_move(uint16_t, int)
    uint16_t read_move(string_view, int)
    int mirror_square(int) noexcept
    int flip_square(int) noexcept


class FenError(ValueError):
    """A FEN is no xiangqi position; the text names the field and its value."""


class IllegalMoveError(ValueError):
    """A move is not legal in its position, or is no move at all."""


cdef Position _position(str fen) except *:
    cdef Position p
    cdef bytes text = fen.encode("utf-8", "surrogatepass")
    cdef string fault = parse_fen(string_view(text, len(text)), p)
    if not fault.empty():
        raise FenError(f"FEN {fen!r}: {fault.decode('utf-8')}")
    return p


cdef class Board:
    cdef Position _p
    cdef vector[Undo] _played

    def __init__(self, fen=None):
        self._p = START if fen is None else _position(fen)
        self._played.clear()

    @staticmethod
    def from_packed(packed):
        cdef const uint8_t[::1] view = packed
        if view.shape[0] != 45:
            raise ValueError(f"a packed board has 45 bytes, not {view.shape[0]}")
        cdef Board board = Board.__new__(Board)
        cdef string fault = unpack(&view[0], board._p)
        if not fault.empty():
            raise ValueError(f"packed board: {fault.decode('ascii')}")
        return board

    def copy(self):
        cdef Board other = Board.__new__(Board)
        other._p = self._p
        other._played = self._played
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef Position root = self._p
        cdef size_t i
        for i in range(self._played.size(), 0, -1):
            root.undo(self._played[i - 1])
        return _restore, (write_fen(root).decode("ascii"), self.moves())

    def __repr__(self):
        return f"Board({self.fen()!r})"

    def legal_moves(self):
        cdef MoveList moves
        generate_legal(self._p, moves)
        cdef int i
        return sorted([moves.moves[i] for i in range(moves.size)])

    def is_legal(self, code):
        return 0 <= code <= 0xFFFF and is_legal(self._p, code)

    def push(self, code):
        if not (0 <= code <= 0xFFFF and is_legal(self._p, code)):
            raise IllegalMoveError(f"move {_text(code)} is not legal in {self.fen()}")
        self._played.push_back(self._p.play(code))

    def pop(self):
        if self._played.empty():
            raise IndexError("no move has been played that could be taken back")
        cdef Undo last = self._played.back()
        self._played.pop_back()
        self._p.undo(last)
        return last.move

    def moves(self):
        cdef size_t i
        return [self._played[i].move for i in range(self._played.size())]

    def fen(self):
        return write_fen(self._p).decode("ascii")

    def epd(self):
        return write_epd(self._p).decode("ascii")

    def packed(self):
        cdef uint8_t[45] out
        pack(self._p, out)
        return <bytes>out[:45]

    def piece_codes(self):
        return <bytes>(<const uint8_t*>self._p.board)[:90]

    def mirrored(self):
        cdef Board other = Board.__new__(Board)
        other._p = self._p.mirrored()
        return other

    def flipped(self):
        cdef Board other = Board.__new__(Board)
        other._p = self._p.flipped()
        return other

    def checkers(self):
        cdef int[16] squares
        cdef int i, n = checking_squares(self._p, squares)
        return [squares[i] for i in range(n)]

    @property
    def key(self):
        return self._p.key

    @property
    def black_to_move(self):
        return self._p.side != 0

    @property
    def halfmove_clock(self):
        return self._p.halfmove

    @property
    def fullmove_number(self):
        return self._p.fullmove

    @property
    def is_check(self):
        return self._p.is_check()

    @property
    def has_legal_move(self):
        return has_legal_move(self._p)


def _restore(fen, moves):
    board = Board(fen)
    for code in moves:
        board.push(code)
    return board


def _text(code):
    return decode_move(code) if 0 <= code < 8100 else str(code)


def perft(fen, int depth):
    cdef Position p = START if fen is None else _position(fen)
    cdef uint64_t leaves
    with nogil:
        leaves = native_perft(p, depth)
    return leaves


cdef int _rank(first_rank) except -1:
    if first_rank != 0 and first_rank != 1:
        raise ValueError(f"first_rank is 0 (ICCS, UCCI) or 1 (Fairy-Stockfish), not {first_rank!r}")
    return first_rank


cdef int _code(code) except -1:
    if not 0 <= code < 8100:
        raise ValueError(f"{code} is no move code")
    return code


def encode_move(str text not None, *, first_rank=0):
    cdef bytes raw = text.encode("utf-8", "surrogatepass")
    cdef uint16_t code = read_move(string_view(raw, len(raw)), _rank(first_rank))
    if code == 0xFFFF:
        raise ValueError(f"{text!r} is no move with ranks {first_rank} to {first_rank + 9}")
    return code


def decode_move(code, *, first_rank=0):
    return write_move(_code(code), _rank(first_rank)).decode("ascii")


def mirror_move(code):
    cdef int c = _code(code)
    return 90 * mirror_square(c // 90) + mirror_square(c % 90)


def flip_move(code):
    cdef int c = _code(code)
    return 90 * flip_square(c // 90) + flip_square(c % 90)
