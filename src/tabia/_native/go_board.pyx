"""One Go position at a time: rules, text, and moves as GTP and SGF write them."""

from libc.stdint cimport uint8_t, uint16_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from tabia._native.go_core cimport (
    Geometry,
    MoveList,
    Position,
    Rules,
    Stones,
    board_fault,
    is_point,
    make_rules,
    pack,
    parse_text,
    read_vertex,
    string_view,
    unpack,
    write_text,
    write_vertex,
)

PASS = 361

cdef int BLACK = 1
cdef int WHITE = 2
_KO = ("simple", "positional", "situational")
_SGF = "abcdefghijklmnopqrs"


class FenError(ValueError):
    """A text is no Go position; the message names the field and its value."""


class IllegalMoveError(ValueError):
    """A move is not legal in its position, or is no move at all."""


cdef int _size(size) except -1:
    if not isinstance(size, int) or not 5 <= size <= 19:
        raise ValueError(f"board size {size!r} is not 5 to 19; boards are square")
    return size


cdef int _color(color) except -1:
    if color != BLACK and color != WHITE:
        raise ValueError(f"colour {color!r} is not 1 (Black) or 2 (White)")
    return color


cdef class Board:
    def __init__(self, fen=None, *, size=None, ko="positional", allows_suicide=True,
                 territory=False, komi=7.5):
        if ko not in _KO:
            raise ValueError(f"ko {ko!r} is not {', '.join(_KO)}")
        self._ko = _KO.index(ko)
        self._territory = bool(territory)
        cdef Rules rules = make_rules(self._ko, bool(allows_suicide), self._territory, komi)
        cdef Stones stones
        cdef int passes = 0
        cdef string fault
        cdef bytes text
        if fen is None:
            self._p = Position(_size(19 if size is None else size), rules)
            return
        text = fen.encode("utf-8", "surrogatepass")
        fault = parse_text(string_view(text, len(text)), stones, passes)
        if not fault.empty():
            raise FenError(f"position {fen!r}: {fault.decode('utf-8', 'replace')}")
        if size is not None and stones.size() != _size(size):
            raise FenError(f"position {fen!r}: size {stones.size()}, not {size}")
        self._p = Position(stones, passes, rules)

    @staticmethod
    def from_packed(packed, *, ko="positional", allows_suicide=True, territory=False, komi=7.5):
        cdef const uint8_t[::1] view = packed
        if view.shape[0] != 96:
            raise ValueError(f"a packed board has 96 bytes, not {view.shape[0]}")
        cdef Stones stones
        cdef int passes = 0
        cdef string fault = unpack(&view[0], stones, passes)
        if not fault.empty():
            raise ValueError(f"packed board: {fault.decode('ascii')}")
        text = write_text(stones, passes).decode("ascii")
        return Board(
            text, ko=ko, allows_suicide=allows_suicide, territory=territory, komi=komi
        )

    cdef Board _from(self, const Stones& stones, int passes):
        cdef Board other = Board.__new__(Board)
        other._ko = self._ko
        other._territory = self._territory
        other._p = Position(stones, passes, self._p.rules())
        return other

    def copy(self):
        cdef Board other = Board.__new__(Board)
        other._ko = self._ko
        other._territory = self._territory
        other._p = self._p
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        start = write_text(self._p.start(), self._p.start_passes()).decode("ascii")
        kept = (_KO[self._ko], self.allows_suicide, self._territory, self.komi)
        return _restore, (start, kept, self.moves(), self.passes)

    def __repr__(self):
        return f"Board({self.fen()!r})"

    def legal_moves(self):
        cdef MoveList moves
        self._p.legal_moves(moves)
        cdef int i
        return [moves.moves[i] for i in range(moves.size)]

    def is_legal(self, code):
        return 0 <= code <= PASS and self._p.is_legal(code)

    def push(self, code):
        if not (0 <= code <= PASS and self._p.is_legal(code)):
            raise IllegalMoveError(f"move {self._text(code)} is not legal in {self.fen()}")
        self._p.play(code)

    def pop(self):
        cdef vector[uint16_t] moves = self._p.moves()
        if moves.empty():
            raise IndexError("no move has been played that could be taken back")
        cdef uint16_t last = moves.back()
        cdef Position before = Position(
            self._p.start(), self._p.start_passes(), self._p.rules()
        )
        cdef size_t i
        for i in range(moves.size() - 1):
            if before.is_terminal():
                before.resume()
            before.play(moves[i])
        self._p = before
        return last

    def resume(self):
        self._p.resume()

    def with_stones(self, *, black=(), white=(), empty=(), white_to_move=None):
        cdef const Geometry* g = &self._p.board().geometry()
        cdef Stones stones = Stones(g.size)
        cdef int i
        colors = {g.code_of[g.cells[i]]: self._p.board().color(g.cells[i])
                  for i in range(g.n_points)}
        for color, codes in ((BLACK, black), (WHITE, white), (0, empty)):
            for code in codes:
                colors[self._point(code)] = color
        for code, color in colors.items():
            if color:
                stones.put(g.cell_of[code], color)
        for i in (BLACK, WHITE):
            stones.set_prisoners(i, self._p.board().prisoners(i))
        if white_to_move is None:
            stones.set_to_move(self._p.board().to_move())
        else:
            stones.set_to_move(WHITE if white_to_move else BLACK)
        cdef string fault = board_fault(stones)
        if not fault.empty():
            raise ValueError(f"set-up: {fault.decode('ascii')}")
        return self._from(stones, 0)

    cdef int _point(self, code) except -1:
        if not (0 <= code < PASS and is_point(code, self._p.board().size())):
            raise ValueError(f"code {code} is no point of size {self._p.board().size()}")
        return code

    def color(self, code):
        return self._p.board().color(self._p.board().geometry().cell_of[self._point(code)])

    cdef int _stone(self, code) except -1:
        cdef int cell = self._p.board().geometry().cell_of[self._point(code)]
        if self._p.board().color(cell) == 0:
            raise ValueError(f"no stone at {self._text(code)}")
        return cell

    def chain(self, code):
        cdef int first = self._stone(code), cell = first
        cdef const Geometry* g = &self._p.board().geometry()
        codes = []
        while True:
            codes.append(g.code_of[cell])
            cell = self._p.board().next_in_chain(cell)
            if cell == first:
                return sorted(codes)

    def liberties(self, code):
        cdef int cell = self._stone(code), i
        cdef uint16_t[361] found
        cdef int n = self._p.board().liberties(self._p.board().chain(cell), 361, found)
        return sorted([self._p.board().geometry().code_of[found[i]] for i in range(n)])

    def moves(self):
        return list(self._p.moves())

    def start_fen(self):
        return write_text(self._p.start(), self._p.start_passes()).decode("ascii")

    def fen(self):
        return write_text(self._p.board(), self._p.passes()).decode("ascii")

    def packed(self):
        cdef uint8_t[96] out
        pack(self._p.board(), self._p.passes(), out)
        return <bytes>out[:96]

    def stones(self):
        cdef uint8_t[361] out
        cdef const Geometry* g = &self._p.board().geometry()
        cdef int i
        for i in range(g.n_points):
            out[i] = self._p.board().color(g.cells[i])
        return <bytes>out[:g.n_points]

    def diagram(self):
        cdef int size = self.size
        stones = self.stones()
        rows = (stones[size * row : size * (row + 1)] for row in range(size))
        return "\n".join(" ".join(".XO"[stone] for stone in row) for row in rows)

    def score(self):
        return self._p.score()

    def prisoners(self, by):
        return self._p.board().prisoners(_color(by))

    cdef str _text(self, code):
        size = self.size
        ok = code == PASS or (0 <= code < PASS and is_point(code, size))
        return decode_vertex(code, size) if ok else str(code)

    @property
    def size(self):
        return self._p.board().size()

    @property
    def key(self):
        return self._p.key()

    @property
    def stones_key(self):
        return self._p.board().stones_key()

    @property
    def white_to_move(self):
        return self._p.board().to_move() == WHITE

    @property
    def passes(self):
        return self._p.passes()

    @property
    def ply(self):
        return self._p.ply()

    @property
    def is_terminal(self):
        return self._p.is_terminal()

    @property
    def repetitions(self):
        return self._p.repetitions()

    @property
    def ko_point(self):
        cdef int ko = self._p.board().ko()
        return self._p.board().geometry().code_of[ko] if ko else None

    @property
    def ko(self):
        return _KO[self._ko]

    @property
    def allows_suicide(self):
        return self._p.rules().allows_suicide

    @property
    def territory(self):
        return self._territory

    @property
    def komi(self):
        return self._p.rules().komi

    @komi.setter
    def komi(self, value):
        self._p.set_komi(value)


def _restore(start, kept, moves, passes):
    ko, allows_suicide, territory, komi = kept
    board = Board(start, ko=ko, allows_suicide=allows_suicide, territory=territory, komi=komi)
    for code in moves:
        if board.is_terminal:
            board.resume()
        board.push(code)
    if board.passes != passes:
        board.resume()
    return board


def encode_vertex(str text not None, size=19):
    cdef bytes raw = text.encode("utf-8", "surrogatepass")
    cdef uint16_t code = read_vertex(string_view(raw, len(raw)), _size(size))
    if code == 0xFFFF:
        raise ValueError(f"{text!r} is no vertex of a board of size {size}")
    return code


def decode_vertex(code, size=19):
    cdef int n = _size(size)
    if not (code == PASS or (0 <= code < PASS and is_point(code, n))):
        raise ValueError(f"{code} is no move code on a board of size {size}")
    return write_vertex(code, n).decode("ascii")


def encode_point(str text not None, size=19):
    cdef int n = _size(size)
    if text == "" or text == "tt":
        return PASS
    if len(text) == 2:
        column, row = _SGF.find(text[0]), _SGF.find(text[1])
        if 0 <= column < n and 0 <= row < n:
            return 19 * row + column
    raise ValueError(f"{text!r} is no SGF point of a board of size {size}")


def decode_point(code, size=19):
    cdef int n = _size(size)
    if code == PASS:
        return ""
    if not (0 <= code < PASS and is_point(code, n)):
        raise ValueError(f"{code} is no move code on a board of size {size}")
    return _SGF[code % 19] + _SGF[code // 19]
