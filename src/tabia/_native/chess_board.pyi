from typing import Any

class FenError(ValueError):
    """A FEN is no chess position; the text names the field and its value."""

class IllegalMoveError(ValueError):
    """A move is not legal in its position, or is no move at all."""

class Board:
    """A chess position that moves can be played on.

    Moves are codes: from | to << 6 | promotion << 12 with a1 = 0, h8 = 63 and promotion 0 none,
    1 knight, 2 bishop, 3 rook, 4 queen. Castling is king-from to king-to; with `chess960`, the
    king takes its own rook.

    Parameters
    ----------
    fen
        Start; None is the standard start. Castling may be plain, X-FEN or Shredder-FEN.
    chess960
        Whether castling rights and codes follow Chess960.

    Raises
    ------
    FenError
        If the FEN is no position, or needs `chess960` and does not have it.
    """

    @property
    def chess960(self) -> bool: ...
    def __init__(self, fen: str | None = None, *, chess960: bool = False) -> None: ...
    @staticmethod
    def from_packed(packed: Any, *, chess960: bool = False) -> Board:
        """Board of 32 packed bytes (any buffer of uint8); ValueError if they are none."""
    def copy(self) -> Board:
        """Return an independent board."""
    def legal_moves(self) -> list[int]:
        """Codes of every legal move, ascending."""
    def is_legal(self, code: int) -> bool:
        """Whether the code is a legal move here."""
    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if it is not legal, and the board is as before."""
    def fen(self) -> str:
        """All six fields; X-FEN castling, en passant only when a capture is legal."""
    def epd(self) -> str:
        """First four fields: the position without its counters."""
    def packed(self) -> bytes:
        """32 bytes, equal exactly for equal positions (counters left out)."""
    @property
    def key(self) -> int:
        """Zobrist key, 64 bits, the same on every machine and in every version."""
    @property
    def phase(self) -> int:
        """Game phase, 0 (endgame) .. 128 (opening)."""
    @property
    def black_to_move(self) -> bool: ...
    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
    @property
    def is_check(self) -> bool: ...
    @property
    def is_checkmate(self) -> bool: ...
    @property
    def is_stalemate(self) -> bool: ...

def perft(fen: str | None, depth: int, *, chess960: bool = False) -> int:
    """Count the leaves of the legal-move tree `depth` plies deep."""

def encode_uci(text: str) -> int:
    """Code of a UCI move (`e2e4`, `e7e8q`); ValueError if the text is none. Knows no position."""

def decode_uci(code: int) -> str:
    """UCI text of a code; ValueError if it is none."""

def san(board: Board, code: int) -> str:
    """Standard algebraic notation of a legal move, with + or #; IllegalMoveError if not legal."""

def parse_san(board: Board, text: str) -> int:
    """Code of a move in SAN, long algebraic or UCI form; IllegalMoveError says what is wrong."""
