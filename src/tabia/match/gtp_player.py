"""A program that is asked by the Go Text Protocol, one command at a time, each with a deadline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabia.engines.gtp import Answer, AnswerReader, GtpError, command
from tabia.match.agent import AgentFaultError
from tabia.match.conversation import Conversation, printable

__all__ = ["GtpPlayer"]

_LONGEST_ANSWER = 100  # shown of an answer that is none


class GtpPlayer:
    """A running GTP program.

    What it writes to standard error goes into the transcript; between answers it is passed over.

    Parameters
    ----------
    path
        Of the program.
    arguments
        What it is called with.

    Raises
    ------
    OSError
        If it cannot be run.
    """

    def __init__(self, path: Path, arguments: Sequence[str] = ()) -> None:
        self._talk = Conversation(path, arguments)
        self._asked = 0

    @property
    def pid(self) -> int:
        """Process id of the program."""
        return self._talk.pid

    @property
    def transcript(self) -> tuple[str, ...]:
        """The end of what was said."""
        return self._talk.transcript

    def ask(self, *words: str, timeout_s: float) -> str:
        """Have a command done, and return what is said of it.

        Raises
        ------
        AgentFaultError
            If the program refuses it, ends, is silent for so long, or answers something else.
        """
        answer = self.answer(*words, timeout_s=timeout_s)
        if not answer.is_done:
            raise self.fault(f"refuses `{' '.join(words)}`: {answer.text}")
        return answer.text

    def answer(self, *words: str, timeout_s: float) -> Answer:
        """Return the answer to a command, a refusal too; AgentFaultError if there is none."""
        self._asked += 1
        line = command(self._asked, words)
        self._talk.send(line, timeout_s=timeout_s)
        reader = AnswerReader(self._asked)
        for heard in self._talk.lines(f"answer to `{words[0]}`", timeout_s=timeout_s):
            try:
                answer = reader.add(heard)
            except GtpError as error:
                raise self.fault(str(error)) from error
            if answer is not None:
                return answer
        raise RuntimeError("lines end by an error only")  # never

    def fault(self, detail: str) -> AgentFaultError:
        """Return the error of an answer that makes no sense, with the transcript."""
        return self._talk.fault("garbage", printable(detail[: 2 * _LONGEST_ANSWER]))

    def close(self) -> None:
        """End the process."""
        self._talk.close()
