"""Games that PGN records too and that are not xiangqi: told by their tags, else by their moves.

Many texts are moves of both chess and xiangqi: ``1. e4 e5`` are two pawns in XBoard's SAN, whose
own files say ``[Variant "xiangqi"]``. So SAN alone is chess unless a tag says otherwise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

__all__ = ["CHESS_SAN", "COORDINATES", "other_game", "other_variant"]

COORDINATES = re.compile(r"[a-i]\d0?-?[a-i]\d0?", re.IGNORECASE)
"""A move in coordinates, of either game where both squares are within 8 files and ranks."""

CHESS_SAN = re.compile(
    r"(?:[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[QRBN])?|[O0]-[O0](?:-[O0])?)[+#!?]*"
)
"""A move of chess in SAN; some are also moves of xiangqi in XBoard's."""

_XIANGQI = frozenset(("xiangqi", "chinesechess", "cchess", "象棋", "中國象棋", "中国象棋"))
_SAYS_NOTHING = frozenset(("", "?", "-", "*", "standard", "normal"))
_OTHERS = re.compile(
    r"chess|chess960|fischerandom|jieqi|揭棋|janggi|장기|shogi|将棋|將棋|makruk|go|weiqi|围棋|圍棋"
    r"|banqi|暗棋|manchu|minixiangqi|checkers|draughts"
)
_FORMATS = ("wxf", "iccs", "chinese")
_FROM_HOME = re.compile(r"[a-h][12]-?[a-h][1-4]")
_WITHIN_CHESS = re.compile(r"[a-h][1-8]-?[a-h][1-8][qrbn]?")
_SHOWN = 4


def other_variant(tags: Mapping[str, str]) -> str | None:
    """Return what is wrong if a tag names a game or rules that are not xiangqi's, else None.

    Parameters
    ----------
    tags
        Values by name in small letters.
    """
    variant, game = tags.get("variant", ""), tags.get("game", "")
    if _plain(variant) not in _XIANGQI | _SAYS_NOTHING:
        return f'[Variant "{variant}"] is not xiangqi, and no other rules are read here'
    if _OTHERS.fullmatch(_plain(game)) is not None:
        return f'[Game "{game}"] is not xiangqi, and no other game is read here'
    if tags.get("fen", "").split(" ", 1)[0].count("/") == 7:
        return f"FEN {tags['fen']!r} has the eight ranks of chess, not ten"
    return None


def other_game(
    tags: Mapping[str, str], texts: Sequence[str], legal_plies: int, *, is_whole: bool
) -> str | None:
    """Return why moves look like chess's, or None where they do not or a tag says xiangqi.

    Parameters
    ----------
    tags
        Values by name in small letters.
    texts
        Texts of the moves.
    legal_plies
        How many of them are legal in xiangqi.
    is_whole
        Whether all are.
    """
    if not texts or _says_xiangqi(tags):
        return None
    tried = texts[: legal_plies + (not is_whole)]
    is_san = all(
        CHESS_SAN.fullmatch(text) is not None and COORDINATES.fullmatch(text) is None
        for text in tried
    )
    is_from_home = (
        not legal_plies
        and "white" in tags
        and _FROM_HOME.fullmatch(texts[0].lower()) is not None
        and all(_WITHIN_CHESS.fullmatch(text.lower()) is not None for text in texts)
    )
    if not is_san and not is_from_home:
        return None
    shown = " ".join(texts[:_SHOWN])
    return (
        f"it looks like chess: its moves {shown!r} are written as chess's, and no tag says xiangqi "
        '(Red, Game "Chinese Chess", Variant "xiangqi", a FEN of ten ranks); add [Variant '
        '"xiangqi"] if it is'
    )


def _says_xiangqi(tags: Mapping[str, str]) -> bool:
    return (
        _plain(tags.get("variant", "")) in _XIANGQI
        or _plain(tags.get("game", "")) in _XIANGQI
        or _plain(tags.get("format", "")) in _FORMATS
        or tags.get("fen", "").count("/") == 9
        or any(name.startswith("red") or name == "ecco" for name in tags)
    )


def _plain(value: str) -> str:
    """A value in small letters, without blanks, hyphens and marks of width."""
    return re.sub(r"[\s_\-]+", "", unicodedata.normalize("NFKC", value).casefold())
