"""Names and messages for a line of a terminal."""

from __future__ import annotations

import unicodedata

__all__ = ["columns", "one_line", "padded"]


def one_line(text: str) -> str:
    r"""Return a text with its line ends and control characters as escapes, ``\n`` or ``\x1b``.

    Names of files and of members of archives may have them; they would break a table or steer the
    terminal.
    """
    if text.isprintable():
        return text
    return "".join(one if _is_shown(one) else repr(one)[1:-1] for one in text)


def columns(text: str) -> int:
    """Return the columns of a terminal that a line takes: two a Chinese letter, none an accent."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in text
    )


def padded(text: str, width: int) -> str:
    """Return `text` with blanks behind it up to `width` columns."""
    return text + " " * (width - columns(text))


def _is_shown(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"  # wide blanks
