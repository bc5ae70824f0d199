"""The Go Text Protocol, version 2: commands with numbers, and answers, which end in an empty line.

A command is ``12 genmove b``; its answer begins with ``=12`` where it was done and with ``?12``
where it was not, and the number may be left out by programs that take one command at a time. What
comes before an answer's first sign is no answer: programs write banners and warnings there.
Source: G. Farnebäck, Specification of the Go Text Protocol, version 2, draft 2 (2002).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Answer", "AnswerReader", "GtpError", "command"]

_HEAD = re.compile(r"([=?])(\d{0,9})(?:\s+(.*))?", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class GtpError(ValueError):
    """What was heard is no answer to what was asked; the message says what was."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program said to one command.

    Attributes
    ----------
    is_done
        Whether it was done (``=``), not refused (``?``).
    text
        What follows the sign and the number: lines joined by line breaks, blanks at the ends left
        out.
    number
        Of the command, None where the program leaves it out.
    """

    is_done: bool
    text: str
    number: int | None


def command(number: int, words: Iterable[str]) -> str:
    """Return the line of a command, without its line break.

    Raises
    ------
    ValueError
        If there is no word, or one that would not arrive as it is: with a line break or control
        character, or with ``#``, which begins a comment.
    """
    text = " ".join(words)
    if not text.strip() or _CONTROL.search(text) or "#" in text:
        raise ValueError(f"{text!r} cannot be sent as a GTP command")
    return f"{number} {text}"


class AnswerReader:
    """Puts one answer together from lines.

    Parameters
    ----------
    number
        Of the command that was sent.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._lines: list[str] = []

    def add(self, line: str) -> Answer | None:
        """Take the next line, without its break; return the answer once it has ended.

        Raises
        ------
        GtpError
            If it answers another command.
        """
        line = _CONTROL.sub("", line.rstrip())
        if not self._lines:
            if _HEAD.match(line) is not None:
                self._lines.append(line)
            return None
        if line:
            self._lines.append(line)
            return None
        head = _HEAD.fullmatch("\n".join(self._lines))
        if head is None:
            raise GtpError(f"`{self._lines[0]}` is no answer")
        number = int(head[2]) if head[2] else None
        if number is not None and number != self._number:
            raise GtpError(f"`{self._lines[0]}` answers command {number}, not {self._number}")
        return Answer(head[1] == "=", (head[3] or "").strip(), number)
