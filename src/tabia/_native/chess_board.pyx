"""One chess position at a time: rules, FEN, SAN and the move codec."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libcpp.string cimport string

from tabia._native.chess_core cimport (
    START,
    MoveList,
    Position,
    from_codec,
    generate_legal,
    has_legal_move,
    is_legal,
    needs_chess960,
    pack,
    parse_fen,
    string_view,
    to_codec,
    unpack,
    write_epd,
    write_fen,
)


cdef extern from "chess/perft.hpp" namespace "tabia::chess" nogil:
    uint64_t native_perft "tabia::chess::perft"(const Position&, int) noexcept


cdef extern from "chess/san.hpp" namespace "tabia::chess" nogil:
    cdef enum class SanStatus(uint8_t):
        LEGAL

    cdef cppclass SanResult:
        SanStatus status
        uint16_t move

    SanResult read_san(const Position&, string_view)
    string explain(const SanResult&)
    string write_san(const Position&, uint16_t)
    string write_uci(uint16_t)
    uint16_t read_uci(string_view)


class FenError(ValueError):
    """A FEN is no chess position; the text names the field and its value."""


class IllegalMoveError(ValueError):
    """A move is not legal in its position, or is no move at all."""


cdef Position _position(str fen, bint chess960) except *:
    cdef Position p
    cdef bytes text = fen.encode("utf-8", "surrogatepass")
    cdef string fault = parse_fen(string_view(text, len(text)), p)
    if not fault.empty():
        raise FenError(f"FEN {fen!r}: {fault.decode('utf-8')}")
    if not chess960 and needs_chess960(p):
        raise FenError(f"FEN {fen!r}: castling field needs Chess960 rules (chess960=True)")
    return p


cdef class Board:
    cdef Position _p
    cdef readonly bint chess960

    def __init__(self, fen=None, *, chess960=False):
        self.chess960 = chess960
        self._p = START if fen is None else _position(fen, chess960)

    @staticmethod
    def from_packed(packed, *, chess960=False):
        cdef const uint8_t[::1] view = packed
        if view.shape[0] != 32:
            raise ValueError(f"a packed board has 32 bytes, not {view.shape[0]}")
        cdef Board board = Board(chess960=chess960)
        cdef string fault = unpack(&view[0], board._p)
        if not fault.empty():
            raise ValueError(f"packed board: {fault.decode('ascii')}")
        if not chess960 and needs_chess960(board._p):
            raise ValueError("packed board: castling rights need Chess960 rules (chess960=True)")
        return board

    def copy(self):
        cdef Board other = Board.__new__(Board)
        other.chess960 = self.chess960
        other._p = self._p
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return _restore, (self.fen(), self.chess960)

    def __repr__(self):
        return f"Board({self.fen()!r}{', chess960=True' if self.chess960 else ''})"

    def legal_moves(self):
        cdef MoveList moves
        generate_legal(self._p, moves)
        cdef int i
        return sorted([
            to_codec(self._p, moves.moves[i], self.chess960) for i in range(moves.size)
        ])

    cdef uint16_t _inner(self, code) except? 0xFFFF:
        cdef uint16_t move
        if 0 <= code < 0xFFFF:
            move = from_codec(self._p, code, self.chess960)
            if is_legal(self._p, move):
                return move
        raise IllegalMoveError(f"move {_text(code)} is not legal in {self.fen()}")

    def is_legal(self, code):
        return 0 <= code < 0xFFFF and is_legal(
            self._p, from_codec(self._p, code, self.chess960)
        )

    def push(self, code):
        self._p.play(self._inner(code))

    def fen(self):
        return write_fen(self._p).decode("ascii")

    def epd(self):
        return write_epd(self._p).decode("ascii")

    def packed(self):
        cdef uint8_t[32] out
        pack(self._p, out)
        return <bytes>out[:32]

    @property
    def key(self):
        return self._p.key

    @property
    def phase(self):
        return self._p.phase()

    @property
    def black_to_move(self):
        return self._p.side != 0

    @property
    def halfmove_clock(self):
        return self._p.halfmove

    @property
    def is_check(self):
        return self._p.is_check()

    @property
    def is_checkmate(self):
        return self._p.is_check() and not has_legal_move(self._p)

    @property
    def is_stalemate(self):
        return not self._p.is_check() and not has_legal_move(self._p)


def _restore(fen, chess960):
    return Board(fen, chess960=chess960)


def _text(code):
    return decode_uci(code) if 0 <= code < 0xFFFF else str(code)


def perft(fen, int depth, *, chess960=False):
    cdef Position p = START if fen is None else _position(fen, chess960)
    cdef uint64_t leaves
    with nogil:
        leaves = native_perft(p, depth)
    return leaves


def encode_uci(str text not None):
    cdef bytes raw = text.encode()
    cdef uint16_t code = read_uci(string_view(raw, len(raw)))
    if code == 0xFFFF:
        raise ValueError(f"{text!r} is no UCI move")
    return code


def decode_uci(code):
    if not 0 <= code < 0xFFFF or code >> 12 > 4:
        raise ValueError(f"{code} is no move code")
    return write_uci(code).decode("ascii")


def san(Board board not None, code):
    return write_san(board._p, board._inner(code)).decode("ascii")


def parse_san(Board board not None, str text not None):
    cdef bytes raw = text.encode("utf-8", "surrogatepass")
    cdef SanResult result = read_san(board._p, string_view(raw, len(raw)))
    if result.status != SanStatus.LEGAL:
        raise IllegalMoveError(f"{text!r} in {board.fen()}: {explain(result).decode('ascii')}")
    return to_codec(board._p, result.move, board.chess960)
