from typing import Any, Literal

class FenError(ValueError):
    """A FEN is no xiangqi position; the text names the field and its value."""

class IllegalMoveError(ValueError):
    """A move is not legal in its position, or is no move at all."""

class Board:
    """A xiangqi position that moves can be played on and taken back.

    Moves are codes, 90 * from + to. Squares are numbered a0 = 0, b0 = 1 .. i0 = 8, a1 = 9 ..
    i9 = 89: files a..i from Red's left, ranks 0..9 from Red's side.

    Parameters
    ----------
    fen
        Start; None is the standard start. Letters k a b n r c p (h and e for n and b), capitals
        for Red; side w (or r) or b; fields missing at the end take their defaults.

    Raises
    ------
    FenError
        If the FEN is no position that a game can have.
    """

    def __init__(self, fen: str | None = None) -> None: ...
    @staticmethod
    def from_packed(packed: Any) -> Board:
        """Board of 45 packed bytes (any buffer of uint8); ValueError if they are none."""
    def copy(self) -> Board:
        """Return an independent board with the same moves behind it."""
    def legal_moves(self) -> list[int]:
        """Codes of every legal move, ascending."""
    def is_legal(self, code: int) -> bool:
        """Whether the code is a legal move here."""
    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if it is not legal, and the board is as before."""
    def pop(self) -> int:
        """Take the last move back and return its code; IndexError if none was played."""
    def moves(self) -> list[int]:
        """Codes of the moves played on this board, first first."""
    def fen(self) -> str:
        """All six fields; the fifth counts plies since the last capture."""
    def epd(self) -> str:
        """First four fields: the position without its counters."""
    def packed(self) -> bytes:
        """45 bytes, equal exactly for equal positions (counters left out)."""
    def piece_codes(self) -> bytes:
        """90 piece codes, a0 first: 0 empty, 1..7 red KABNRCP, 8..14 black."""
    def mirrored(self) -> Board:
        """Return the position with left and right exchanged, without moves behind it."""
    def flipped(self) -> Board:
        """Return the position with colours, sides of the board and side to move exchanged."""
    def checkers(self) -> list[int]:
        """Squares of the pieces that give check, ascending; empty when there is none."""
    @property
    def key(self) -> int:
        """Zobrist key, 64 bits, the same on every machine and in every version."""
    @property
    def black_to_move(self) -> bool: ...
    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture."""
    @property
    def fullmove_number(self) -> int:
        """Number of the move, one more after each of Black's."""
    @property
    def is_check(self) -> bool: ...
    @property
    def has_legal_move(self) -> bool:
        """Whether the game goes on; a side without a legal move has lost, in check or not."""

def perft(fen: str | None, depth: int) -> int:
    """Count the leaves of the legal-move tree `depth` plies deep.

    The moves of the last ply are counted, not played.
    """

def encode_move(text: str, *, first_rank: Literal[0, 1] = 0) -> int:
    """Code of a coordinate move; ValueError if the text is none. Knows no position.

    Parameters
    ----------
    text
        Two squares, in small or capital letters, perhaps with a hyphen: `h2e2`, `H2-E2`.
    first_rank
        Number of Red's back rank in the text: 0 for ICCS, UCCI and Pikafish, 1 for
        Fairy-Stockfish's UCI, where the same move is `h3e3`. The text cannot tell which it is.
    """

def decode_move(code: int, *, first_rank: Literal[0, 1] = 0) -> str:
    """Coordinate text of a code, ranks numbered from `first_rank`; ValueError if it is none."""

def mirror_move(code: int) -> int:
    """Code of the move with left and right exchanged; ValueError if it is no code."""

def flip_move(code: int) -> int:
    """Code of the move with Red's and Black's side of the board exchanged; ValueError."""
