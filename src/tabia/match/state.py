"""The pairs of a match that are finished, kept on disk while it lasts.

One JSON value a line: first what match it is, then a pair a line in the order of finishing. A match
that was interrupted or killed goes on behind the last whole line. The file is locked as long as a
match writes it, so that two that were begun with the same command do not write into each other.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tabia.match.play import PlayedGame

__all__ = ["MatchState", "MatchStateError", "MatchWriteError", "PlayedPair"]

PlayedPair = tuple[PlayedGame, PlayedGame]
"""Two games from one opening; A has the first move in the first of them."""


class MatchStateError(ValueError):
    """A file in the way that is no state of this match, or that another match is writing."""

    exit_code = 2


class MatchWriteError(OSError):
    """Finished games that cannot be kept, on a full disk for instance."""

    exit_code = 3


class MatchState:
    """Keeps finished pairs in a file; use it in a ``with`` block.

    Parameters
    ----------
    path
        The file; it is made if it is not there, and so are its folders.
    match
        What distinguishes this match from others, as plain values.

    Raises
    ------
    MatchStateError
        If the file is there and belongs to another match, or another match is writing it.
    MatchWriteError
        If it cannot be made.

    Attributes
    ----------
    pairs
        Finished before, by number.
    """

    def __init__(self, path: Path, match: dict[str, Any]) -> None:
        self._path = path
        head = json.dumps(match, sort_keys=True)
        self.pairs: dict[int, PlayedPair] = {}
        self._file = _opened(path)
        try:
            whole = self._read(head)
            self._file.seek(whole)
            self._file.truncate()
            if not whole:
                self._write(head)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> MatchState:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, number: int, pair: PlayedPair) -> None:
        """Keep a finished pair; MatchWriteError if that cannot be done."""
        self.pairs[number] = pair
        games = [game.as_json() for game in pair]
        self._write(json.dumps({"pair": number, "games": games}))

    def _write(self, line: str) -> None:
        data = memoryview(line.encode() + b"\n")
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise MatchWriteError(
                f"{self._path}: cannot be written: {error.strerror}; the games of whole lines are"
                " kept in it, and the same command plays the rest"
            ) from error

    def _read(self, head: str) -> int:
        """Read the whole lines; return how many bytes they are."""
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        first, *lines = data[:whole].decode(errors="replace").splitlines() or [""]
        if whole and first != head:
            raise MatchStateError(
                f"{self._path}: holds the games of another match; remove it, or write elsewhere"
            )
        for number, line in enumerate(lines, 2):
            try:
                value = json.loads(line)
                one, two = (PlayedGame.from_json(game) for game in value["games"])
                self.pairs[int(value["pair"])] = (one, two)
            except (ValueError, KeyError, TypeError) as error:
                raise MatchStateError(
                    f"{self._path}, line {number}: damaged ({error}); remove the file"
                ) from error
        return whole


def _opened(path: Path) -> IO[bytes]:
    """Open and lock the file that bears the name now, unbuffered."""
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            place = error.filename
            why = "is no folder" if Path(place).exists() else error.strerror
            raise MatchWriteError(f"{path}: cannot be written: {place}: {why}") from error
        try:
            # Made if need be and never cut short: whose games it holds is not known yet.
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        except OSError as error:
            raise MatchWriteError(f"{path}: cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise MatchStateError(
                f"{path}: another match is writing it; wait for its end, or write elsewhere"
            ) from error
        except OSError as error:
            file.close()
            raise MatchWriteError(
                f"{path}: cannot be locked: {error.strerror}; write to another disk"
            ) from error
        try:
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except FileNotFoundError:
            pass
        file.close()  # the match that had it ended and removed it between opening and locking
