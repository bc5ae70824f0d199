from collections.abc import Iterable
from typing import Any, Literal

Fault = Literal["bad_move", "illegal_move", "ambiguous_move"]

Notation = Literal["wxf", "playok", "chinese", "iccs", "ucci", "uci", "san"]

FAULTS: tuple[Fault | None, ...]

def read_texts(
    texts: Iterable[str], fen: str | None, first_rank: Literal[0, 1] | None
) -> tuple[list[int], Fault | None, str | None, Notation]:
    """Read a game's moves up to the first fault.

    Returns codes, the fault's reason, the FEN where it stands, and what the texts are: wxf, playok,
    chinese, iccs, ucci, uci or san. With `first_rank` None ranks are counted from 1 if some text
    has a rank 10, else from 0.
    """

def read_text(packed: Any, text: str, first_rank: Literal[0, 1] | None) -> tuple[int, Fault | None]:
    """Code of the legal move that a text names on a packed board, and the fault if there is none.

    With `first_rank` None ranks are counted from 1 if the text has a rank 10, else from 0.
    """

def write_texts(codes: Iterable[int], fen: str | None, style: int) -> list[str]:
    """Texts of moves played from a start; IllegalMoveError, FenError.

    Parameters
    ----------
    style
        0 WXF, 1 PlayOK, 2 ICCS, 3 UCCI, 4 UCI, 5 simplified, 6 traditional Chinese.
    """
