"""Chess and Chess960 behind the contract of `tabia.games.contract`.

Rules and codecs are the native core's; this module adds the history that decides draws. It does
not parse game files and makes no tables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tabia._native.chess_board import (
    Board,
    FenError,
    IllegalMoveError,
    decode_uci,
    encode_uci,
    parse_san,
    san,
)
from tabia.games.contract import Outcome

__all__ = ["CHESS960", "GAME", "ChessGame", "ChessPosition", "FenError", "IllegalMoveError"]

_FIFTY_MOVES = 100  # plies
_MATING = frozenset("pPrRqQ")


class ChessPosition:
    """A chess position with the history that repetitions need.

    `outcome` and `legal_moves` end the game at mate, stalemate, dead material, the third
    occurrence of a position and the hundredth ply without capture or pawn move. FIDE makes the
    last two a player's claim (9.2, 9.3); engine matches and self-play take them as ends.

    Parameters
    ----------
    fen
        Start; None is the standard start.
    chess960
        Whether castling follows Chess960.
    """

    __slots__ = ("_seen", "board")

    def __init__(self, fen: str | None = None, *, chess960: bool = False) -> None:
        self.board = Board(fen, chess960=chess960)
        self._seen = Counter([self.board.key])

    @property
    def first_to_move(self) -> bool:
        """Whether White is to move."""
        return not self.board.black_to_move

    @property
    def key(self) -> int:
        """Zobrist key of the position without its counters."""
        return self.board.key

    def legal_moves(self) -> list[int]:
        """Codes of all legal moves, ascending; empty once the game has ended."""
        return [] if self._is_drawn() else self.board.legal_moves()

    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if the rules of movement forbid it."""
        self.board.push(code)
        self._seen[self.board.key] += 1

    def copy(self) -> ChessPosition:
        """Return an independent position with the same history."""
        other = ChessPosition.__new__(ChessPosition)
        other.board = self.board.copy()
        other._seen = self._seen.copy()
        return other

    def fen(self) -> str:
        """Six-field FEN; castling as X-FEN."""
        return self.board.fen()

    def outcome(self) -> Outcome | None:
        """1, 0 or -1 from White's view once the game has ended, None before."""
        if self.board.is_checkmate:
            return 1 if self.board.black_to_move else -1
        return 0 if self._is_drawn() or self.board.is_stalemate else None

    def san(self, code: int) -> str:
        """Standard algebraic notation of a legal move."""
        return san(self.board, code)

    def parse_san(self, text: str) -> int:
        """Code of a move in SAN, long algebraic or UCI form; IllegalMoveError."""
        return parse_san(self.board, text)

    def _is_drawn(self) -> bool:
        if self.board.is_checkmate:
            return False  # mate on the hundredth ply counts (FIDE 9.6.2)
        return (
            self._seen[self.board.key] >= 3
            or self.board.halfmove_clock >= _FIFTY_MOVES
            or self._is_dead()
        )

    def _is_dead(self) -> bool:
        """Neither side can mate whatever is played: K, K+N or K+B against K, or like bishops."""
        pieces = self.board.fen().split(" ", 1)[0]
        if _MATING & set(pieces):
            return False
        knights = pieces.count("n") + pieces.count("N")
        bishops = pieces.count("b") + pieces.count("B")
        if knights:
            return knights == 1 and bishops == 0
        return bishops <= 1 or _bishops_on_one_colour(pieces)


def _bishops_on_one_colour(pieces: str) -> bool:
    colours = set()
    for rank, row in enumerate(pieces.split("/")):
        file = 0
        for letter in row:
            if letter in "bB":
                colours.add((rank + file) % 2)
            file += int(letter) if letter.isdigit() else 1
    return len(colours) < 2


@dataclass(frozen=True, slots=True)
class ChessGame:
    """Chess, or Chess960, as a `tabia.games.contract.Game`."""

    chess960: bool = False

    @property
    def name(self) -> str:
        """Always "chess": Chess960 is a variant, not another game."""
        return "chess"

    def position(self, fen: str | None = None) -> ChessPosition:
        """Position of a FEN, or the standard start; FenError if the text is none."""
        return ChessPosition(fen, chess960=self.chess960)

    def encode(self, text: str) -> int:
        """Code of a UCI move; ValueError if the text is none."""
        return encode_uci(text)

    def decode(self, code: int) -> str:
        """UCI text of a code; ValueError if it is none."""
        return decode_uci(code)


GAME = ChessGame()
"""Standard chess."""

CHESS960 = ChessGame(chess960=True)
"""Chess960, castling coded as king takes own rook."""
