from collections.abc import Iterable
from typing import Any, Literal

PASS: int
"""Code of a pass, 361."""

class FenError(ValueError):
    """A text is no Go position; the message names the field and its value."""

class IllegalMoveError(ValueError):
    """A move is not legal in its position, or is no move at all."""

class Board:
    """A Go position that moves can be played on and taken back.

    Moves are codes, 19 * row + column whatever the size, row 0 on top and column 0 at left as in
    SGF; a pass is 361. Colours are 1 (Black) and 2 (White), 0 is an empty point.

    Parameters
    ----------
    fen
        Start; None is the empty board. `9/9/2X6/9/9/9/6O2/9/9 b - 0 0 0`: rows from the top, X
        black, O white, numbers for empty points; side b or w; vertex that a ko forbids or -; passes
        in a row; stones taken by Black; stones taken by White. Fields missing at the end are
        `b - 0 0 0`.
    size
        5 to 19; None is 19, or what the text says.
    ko
        What may not be repeated: simple (a ko is not retaken at once), positional (no play brings
        an earlier whole board back), situational (none with the same side to move).
    allows_suicide
        Whether a play may leave its own chain without liberty, which is then taken.
    territory
        Whether `score` counts territory and prisoners; else stones and surrounded points.
    komi
        White's points beforehand, compensation for handicap stones included.

    Raises
    ------
    FenError
        If the text is no position of that size: a chain has no liberty, say.
    ValueError
        If the size or the ko rule is unknown.
    """

    komi: float

    def __init__(
        self,
        fen: str | None = None,
        *,
        size: int | None = None,
        ko: str = "positional",
        allows_suicide: bool = True,
        territory: bool = False,
        komi: float = 7.5,
    ) -> None: ...
    @staticmethod
    def from_packed(
        packed: Any,
        *,
        ko: str = "positional",
        allows_suicide: bool = True,
        territory: bool = False,
        komi: float = 7.5,
    ) -> Board:
        """Board of 96 packed bytes (any buffer of uint8); ValueError if they are none."""
    def copy(self) -> Board:
        """Return an independent board with the same moves behind it."""
    def legal_moves(self) -> list[int]:
        """Codes of every legal move, ascending, the pass last; empty after two passes."""
    def is_legal(self, code: int) -> bool:
        """Whether the code is a legal move here."""
    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if it is not legal, and the board is as before."""
    def pop(self) -> int:
        """Take the last move back and return its code; IndexError if none was played.

        The game is replayed, which takes microseconds.
        """
    def resume(self) -> None:
        """Forget the passes just before: go on where players disagree on what is dead."""
    def with_stones(
        self,
        *,
        black: Iterable[int] = (),
        white: Iterable[int] = (),
        empty: Iterable[int] = (),
        white_to_move: bool | None = None,
    ) -> Board:
        """Return the position with points set (SGF's AB, AW, AE), without moves behind it.

        Nothing is taken; prisoners stay. ValueError if a chain is left without liberty or a code is
        no point of the board.
        """
    def color(self, code: int) -> int:
        """0 empty, 1 black, 2 white; ValueError if the code is no point."""
    def chain(self, code: int) -> list[int]:
        """Codes of the stones connected with the one there, ascending; ValueError if none is."""
    def liberties(self, code: int) -> list[int]:
        """Codes of the liberties of the chain there, ascending; ValueError if none is there."""
    def moves(self) -> list[int]:
        """Codes of the moves played on this board, first first."""
    def start_fen(self) -> str:
        """Text of the position before the first of `moves`."""
    def fen(self) -> str:
        """All six fields, as the constructor reads them."""
    def packed(self) -> bytes:
        """96 bytes, equal exactly for equal positions (prisoners and history left out)."""
    def stones(self) -> bytes:
        """Colours of the size * size points, rows from the top."""
    def diagram(self) -> str:
        """Rows from the top, `.` empty, `X` black, `O` white."""
    def score(self) -> float:
        """Black's points minus White's with komi, no stone taken for dead."""
    def prisoners(self, by: Literal[1, 2]) -> int:
        """Stones that the colour has taken."""
    @property
    def size(self) -> int: ...
    @property
    def key(self) -> int:
        """64-bit Zobrist key without history, the same on every machine and in every version.

        Of stones, size, side to move, ko and passes; not of prisoners.
        """
    @property
    def stones_key(self) -> int:
        """64-bit Zobrist key of the stones alone."""
    @property
    def white_to_move(self) -> bool: ...
    @property
    def passes(self) -> int:
        """Passes in a row just before: 0, 1 or 2."""
    @property
    def ply(self) -> int:
        """Moves played on this board, passes included."""
    @property
    def is_terminal(self) -> bool:
        """Whether two passes in a row have ended the game."""
    @property
    def repetitions(self) -> int:
        """How often the same stones with the same side to move stood before."""
    @property
    def ko_point(self) -> int | None:
        """Code of the point that a ko forbids to the side to move."""
    @property
    def ko(self) -> Literal["simple", "positional", "situational"]: ...
    @property
    def allows_suicide(self) -> bool: ...
    @property
    def territory(self) -> bool: ...

def encode_vertex(text: str, size: int = 19) -> int:
    """Code of a vertex as in GTP (`D4`, `pass`, either case); ValueError if the board has none.

    Letters A to T without I from the left, numbers from below.
    """

def decode_vertex(code: int, size: int = 19) -> str:
    """Vertex of a code as in GTP, in capitals, `pass`; ValueError if the board has none."""

def encode_point(text: str, size: int = 19) -> int:
    """Code of a move as in SGF: `aa` is the top left corner, `` and `tt` a pass; ValueError."""

def decode_point(code: int, size: int = 19) -> str:
    """Move of a code as in SGF, a pass being the empty text; ValueError if the board has none."""
