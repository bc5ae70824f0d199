"""The pairs of a match that are finished, kept on disk while it lasts.

One JSON value a line: first what match it is, then a pair a line in the order of finishing. A match
that was interrupted or killed goes on behind the last whole line.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tabia.match.play import PlayedGame

__all__ = ["MatchState", "MatchStateError", "PlayedPair"]

PlayedPair = tuple[PlayedGame, PlayedGame]
"""Two games from one opening; A has the first move in the first of them."""


class MatchStateError(ValueError):
    """A file in the way that is no state of this match."""

    exit_code = 2


class MatchState:
    """Keeps finished pairs in a file; use it in a ``with`` block.

    Parameters
    ----------
    path
        The file; it is made if it is not there.
    match
        What distinguishes this match from others, as plain values.

    Raises
    ------
    MatchStateError
        If the file is there and belongs to another match.

    Attributes
    ----------
    pairs
        Finished before, by number.
    """

    def __init__(self, path: Path, match: dict[str, Any]) -> None:
        self._path = path
        head = json.dumps(match, sort_keys=True)
        self.pairs: dict[int, PlayedPair] = {}
        whole = 0
        if path.exists():
            whole = self._read(head)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = path.open("r+b" if whole else "wb")
        self._file.seek(whole)
        self._file.truncate()
        if not whole:
            self._write(head)

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
        """Keep a finished pair."""
        self.pairs[number] = pair
        games = [game.as_json() for game in pair]
        self._write(json.dumps({"pair": number, "games": games}))

    def remove(self) -> None:
        """Remove the file of a match that is complete."""
        self._path.unlink()

    def _write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def _read(self, head: str) -> int:
        """Read the whole lines; return how many bytes they are."""
        data = self._path.read_bytes()
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
