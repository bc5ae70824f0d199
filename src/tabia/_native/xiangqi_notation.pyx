# cython: boundscheck=False, wraparound=False
"""Texts of xiangqi moves: read with the position that they belong to, and written."""

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.xiangqi_core cimport (
    START,
    Position,
    is_legal,
    parse_fen,
    string_view,
    unpack,
    write_fen,
)
from tabia._native.xiangqi_board import FenError, IllegalMoveError


cdef extern from * nogil:
    """
    #include "xiangqi/notation.hpp"
    """
    ctypedef unsigned int char32_t


cdef extern from "xiangqi/notation.hpp" namespace "tabia::xiangqi" nogil:
    cdef enum class Form(uint8_t):
        NONE
        RELATIVE
        SQUARES
        SAN

    cdef enum class Fault(uint8_t):
        NONE

    cdef enum class Style(uint8_t):
        WXF

    cdef cppclass Token:
        Token()
        Form form
        signed char from_rank
        signed char to_rank
        cbool is_chinese
        cbool has_capitals
        cbool has_small
        cbool has_hyphen
        cbool has_equals

    cdef cppclass Resolved:
        uint16_t move
        Fault fault
    Token read_token(const char32_t*, int) noexcept
    Resolved resolve(const Position&, const Token&, int) noexcept
    int64_t read_game(
        Position&, const Token*, int64_t, int, uint16_t*, Fault&
    ) noexcept
    string write_text(const Position&, uint16_t, Style)


FAULTS = (None, "bad_move", "illegal_move", "ambiguous_move")

cdef enum:
    MAX_TEXT = 33  # longer texts are no moves; one more than the reader takes


cdef Position _position(fen) except *:
    cdef Position p
    if fen is None:
        return START
    cdef bytes text = fen.encode("utf-8", "surrogatepass")
    cdef string fault = parse_fen(string_view(text, len(text)), p)
    if not fault.empty():
        raise FenError(f"FEN {fen!r}: {fault.decode('utf-8')}")
    return p


cdef Token _token(str text) except *:
    cdef char32_t[MAX_TEXT] points
    cdef Py_ssize_t n = len(text), i
    if n > MAX_TEXT:
        n = MAX_TEXT
    for i in range(n):
        points[i] = text[i]
    return read_token(points, <int>n)


# What the moves of a game look like; the side that wrote each is known once it has been played.
cdef str _dialect(const vector[Token]& tokens, int64_t n_read, cbool black_first, int first_rank):
    cdef int64_t n = n_read if n_read else <int64_t>tokens.size()
    cdef int64_t i, chinese = 0, relative = 0, squares = 0, san = 0, upper = 0
    cdef cbool small_black = False, other_case = False, is_black
    for i in range(n):
        if tokens[i].form == Form.RELATIVE:
            if tokens[i].is_chinese:
                chinese += 1
                continue
            relative += 1
            is_black = (i % 2 == 0) == black_first
            small_black |= is_black and tokens[i].has_small
            other_case |= tokens[i].has_equals
            other_case |= tokens[i].has_capitals if is_black else tokens[i].has_small
        elif tokens[i].form == Form.SQUARES:
            squares += 1
            upper += tokens[i].has_hyphen or tokens[i].has_capitals
        elif tokens[i].form == Form.SAN:
            san += 1
    if chinese and chinese >= max(relative, squares, san):
        return "chinese"
    if squares and squares >= max(relative, san):
        if first_rank:
            return "uci"
        return "iccs" if 2 * upper > squares else "ucci"
    if san > relative:
        return "san"
    return "playok" if small_black and not other_case else "wxf"


def read_texts(texts, fen, first_rank):
    cdef Position p = _position(fen)
    cdef vector[Token] tokens
    cdef vector[uint16_t] codes
    cdef Token token
    cdef cbool has_ten = False, black_first = p.side != 0
    for text in texts:
        token = _token(text)
        has_ten |= token.from_rank == 10 or token.to_rank == 10
        tokens.push_back(token)
    cdef int rank = has_ten if first_rank is None else first_rank
    codes.resize(tokens.size())
    cdef Fault fault = Fault.NONE
    cdef int64_t n, i
    with nogil:
        n = read_game(p, tokens.data(), <int64_t>tokens.size(), rank, codes.data(), fault)
    reason = FAULTS[<int>fault]
    return (
        [codes[i] for i in range(n)],
        reason,
        None if reason is None else write_fen(p).decode("ascii"),
        _dialect(tokens, n, black_first, rank),
    )


def read_text(packed, str text not None, first_rank):
    cdef const uint8_t[::1] view = packed
    cdef Position p
    if view.shape[0] != 45:
        raise ValueError(f"a packed board has 45 bytes, not {view.shape[0]}")
    cdef string fault = unpack(&view[0], p)
    if not fault.empty():
        raise ValueError(f"packed board: {fault.decode('ascii')}")
    cdef Token token = _token(text)
    cdef cbool has_ten = token.from_rank == 10 or token.to_rank == 10
    cdef int rank = has_ten if first_rank is None else first_rank
    cdef Resolved found = resolve(p, token, rank)
    return found.move, FAULTS[<int>found.fault]


def write_texts(codes, fen, int style):
    if not 0 <= style <= 6:
        raise ValueError(f"{style} is no style; they are 0 to 6")
    cdef Position p = _position(fen)
    cdef uint16_t move
    out = []
    for code in codes:
        if not (0 <= code < 8100 and is_legal(p, code)):
            raise IllegalMoveError(
                f"ply {len(out) + 1}: move {code} is not legal in {write_fen(p).decode('ascii')}"
            )
        move = code
        out.append(write_text(p, move, <Style>style).decode("utf-8"))
        p.play(move)
    return out
