"""Openings of a match: random legal plies drawn from the seed, or the lines of a file.

A line of a file is a FEN, or moves, or both with ``moves`` between: ``FEN moves e7e5 g1f3``. EPD's
operations behind a position, empty lines and what follows ``#`` are skipped. Each opening is played
twice, with colours reversed. Drawn openings of Go have no passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tabia.games.contract import Position
from tabia.match.ground import Ground, OpeningError

__all__ = ["Opening", "OpeningFileError", "drawn", "read_file"]

_TRIES = 100  # for an opening that was not drawn before; two plies of chess have only 400
_MOVE_NUMBER = ".…"
_MOST_FAULTS = 10  # a whole database given by mistake has millions
_LONGEST_FAULT = 300
_POSITION = 4  # fields of a position in FEN and EPD; two counters follow in FEN, operations in EPD


class OpeningFileError(ValueError):
    """A file of openings that cannot be played, with all its bad lines."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """Where the games of a pair begin.

    Attributes
    ----------
    start_fen
        None is the game's own start.
    moves
        Codes of the moves that are played for the agents.
    """

    start_fen: str | None = None
    moves: tuple[int, ...] = ()


def drawn(ground: Ground, count: int, plies: int, seed: int) -> list[Opening]:
    """Draw openings of random legal plies, after which the game is not over.

    Each ply is drawn with the same probability from all legal moves. The first of a longer list
    are the same. Openings differ from each other as far as so few plies allow.

    Parameters
    ----------
    count
        How many.
    plies
        Moves of each; 0 gives the bare start.
    seed
        What they are drawn from.
    """
    openings: list[Opening] = []
    known: set[tuple[int, ...]] = set()
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        for _ in range(_TRIES):
            moves = _draw(ground, plies, rng)
            if moves not in known:
                break
        known.add(moves)
        openings.append(Opening(None, moves))
    return openings


def read_file(ground: Ground, path: Path) -> list[Opening]:
    """Read a file of openings, in its order.

    Raises
    ------
    OpeningFileError
        If it cannot be read, has no opening, or has lines that are none: all are named, if they
        are not very many.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise OpeningFileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OpeningFileError(f"{path}: is no text with an opening a line (UTF-8)") from error
    openings: list[Opening] = []
    faults: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            openings.append(_opening(ground, words))
        except OpeningError as error:
            told = str(error)
            told = told if len(told) <= _LONGEST_FAULT else f"{told[:_LONGEST_FAULT]}…"
            faults.append(f"{path}, line {number}: {told}")
    if len(faults) > _MOST_FAULTS:
        more = f"{path}: and {len(faults) - _MOST_FAULTS:,} more lines; is it one opening a line?"
        faults[_MOST_FAULTS:] = [more]
    if faults:
        raise OpeningFileError("\n".join(faults))
    if not openings:
        raise OpeningFileError(f"{path}: no opening in it; write a FEN or moves a line")
    return openings


def _draw(ground: Ground, plies: int, rng: np.random.Generator) -> tuple[int, ...]:
    while True:
        position = ground.start(None)
        moves: list[int] = []
        for _ in range(plies):
            legal = ground.opening_moves(position)
            if not legal:
                break
            moves.append(legal[int(rng.integers(len(legal)))])
            position.push(moves[-1])
        if position.legal_moves():
            return tuple(moves)


def _opening(ground: Ground, words: list[str]) -> Opening:
    fen: str | None = None
    if words[0] == "startpos":
        words = words[1:]
    elif "/" in words[0]:
        end = words.index("moves") if "moves" in words else len(words)
        fields = words[:end]
        if len(fields) > _POSITION and not fields[_POSITION].isdigit():
            fields = fields[:_POSITION]  # EPD: `hmvc 0; fmvn 1;`, `bm e4;`, `id "…";`
        fen = ground.fen(" ".join(fields))
        words = words[end:]
    if words[:1] == ["moves"]:
        words = words[1:]
    moves = ground.read([text for word in words if (text := _without_number(word))], fen)
    position: Position = ground.start(fen, moves)
    if position.outcome() is not None:
        raise OpeningError("the game is over where it should begin")
    return Opening(fen, tuple(moves))


def _without_number(word: str) -> str:
    """Move without the number before it: ``1.e4`` and ``1...`` are ``e4`` and nothing."""
    number = word.rstrip(_MOVE_NUMBER)
    if number.isdigit() and number != word:
        return ""
    head, dot, move = word.rpartition(".")
    return move if dot and head.rstrip(_MOVE_NUMBER).isdigit() else word
