"""What a UCI engine answers to a search: lines of text in, scores in White's view out.

Only the lines that decide the answer are parsed, from the last one backwards.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tabia.engines.errors import EngineGarbageError

__all__ = ["Analysis", "parse_search"]

_HIGHEST_CP = 100_000
_HIGHEST_MATE = 10_000
_MOVE = re.compile(rb"[a-h][1-8][a-h][1-8][qrbn]?")
_NO_MOVE = (b"(none)", b"0000", b"NULL")


class Analysis(NamedTuple):
    """What one search said, in White's view.

    Scores are centipawns; where `mate` is set (moves to mate, positive if White mates, 0 = the
    side to move is mated) the score is None: mates are flagged, never converted. `depth` is the
    best line's; `nodes` are all that the search visited. The second line is None if the engine
    gave only one.
    """

    score_cp: int | None
    mate: int | None
    move: str | None
    second_score_cp: int | None
    second_mate: int | None
    second_move: str | None
    depth: int
    nodes: int


class _Line(NamedTuple):
    """The parts of an ``info … score`` line that matter, in the view of the side to move."""

    rank: int
    depth: int
    cp: int | None
    mate: int | None
    is_exact: bool
    nodes: int
    move: bytes | None


def parse_search(answer: bytes, fen: str, multipv: int) -> Analysis:
    """Read one search's output, from its first line to its ``bestmove`` line.

    The best line is the last exact one (no ``lowerbound`` or ``upperbound``) of ``multipv 1``.
    A search that ends by its node budget stops inside an iteration, and what it prints of the
    second line then depends on the clock (Stockfish prints more after 3 s). So the second line
    is taken from the last *whole* iteration: its best line whose move is not the best move.

    Parameters
    ----------
    answer
        Output lines; the last one starts with ``bestmove``.
    fen
        The position, for the side to move and the pieces.
    multipv
        Lines asked for.

    Raises
    ------
    EngineGarbageError
        If there is no exact score, a number is not one or out of range, or the best move does
        not move a piece of the side to move.
    """
    lines = answer.split(b"\n")
    words = lines[-1].split()
    best = words[1] if len(words) > 1 else b""
    sign = 1 if fen.split(" ", 2)[1] == "w" else -1
    is_over = best in _NO_MOVE
    if not is_over:
        _check_move(best, fen, sign)
    first: _Line | None = None
    whole: list[_Line] = []
    group: list[_Line] = []
    nodes = -1
    for text in reversed(lines):
        line = _parse_line(text)
        if line is None:
            continue
        if nodes < 0:
            nodes = line.nodes
        group.append(line)
        if line.rank == 1:
            if first is None and line.is_exact:
                first = line
            is_whole = all(item.is_exact and item.depth == line.depth for item in group)
            if is_whole and len(group) > len(whole):
                whole = group[::-1]
            group = []
            if first is not None and len(whole) >= multipv:
                break
    if first is None:
        raise EngineGarbageError("no exact score before the best move")
    if is_over:
        if first.cp not in (0, None) or first.mate not in (0, None):
            raise EngineGarbageError("no best move, but a score that is neither mate nor draw")
        return Analysis(first.cp, first.mate, None, None, None, None, first.depth, nodes)
    if first.move is None or first.mate == 0:
        raise EngineGarbageError("a best move, but a score line without a move or with mate 0")
    _check_move(first.move, fen, sign)
    second = None
    if multipv > 1:
        second = next((line for line in whole if line.move not in (first.move, None)), None)
    if second is None or second.move is None:
        return Analysis(
            _signed(first.cp, sign),
            _signed(first.mate, sign),
            first.move.decode(),
            None,
            None,
            None,
            first.depth,
            nodes,
        )
    _check_move(second.move, fen, sign)
    return Analysis(
        _signed(first.cp, sign),
        _signed(first.mate, sign),
        first.move.decode(),
        _signed(second.cp, sign),
        _signed(second.mate, sign),
        second.move.decode(),
        first.depth,
        nodes,
    )


def _signed(value: int | None, sign: int) -> int | None:
    return None if value is None else sign * value


def _parse_line(text: bytes) -> _Line | None:
    """Return the parts of an ``info … score`` line, None for any other line."""
    if b" score " not in text or not text.startswith(b"info ") or text.startswith(b"info string"):
        return None
    words = text.split()
    try:
        at = words.index(b"score")
        kind, value = words[at + 1], int(words[at + 2])
        depth = int(words[words.index(b"depth") + 1])
        rank = int(words[words.index(b"multipv") + 1]) if b"multipv" in words else 1
        nodes = int(words[words.index(b"nodes") + 1]) if b"nodes" in words else 0
        move = words[words.index(b"pv") + 1] if b"pv" in words else None
    except (ValueError, IndexError) as error:
        raise EngineGarbageError(f"unreadable line {text[:200]!r}") from error
    if kind == b"cp" and abs(value) <= _HIGHEST_CP:
        cp, mate = value, None
    elif kind == b"mate" and abs(value) <= _HIGHEST_MATE:
        cp, mate = None, value
    else:
        raise EngineGarbageError(f"impossible score in line {text[:200]!r}")
    if not (0 <= depth <= 1000 and 1 <= rank <= 500 and nodes >= 0):
        raise EngineGarbageError(f"impossible number in line {text[:200]!r}")
    return _Line(rank, depth, cp, mate, b"erbound" not in text, nodes, move)


def _check_move(move: bytes, fen: str, sign: int) -> None:
    """Fail if `move` does not start on a piece of the side to move.

    Full legality would cost a tenth of the time of a shallow search; this finds answers that
    belong to another position, which is how a confused engine or pipe shows.
    """
    if _MOVE.fullmatch(move) is None:
        raise EngineGarbageError(f"best move {move[:40]!r} is no move")
    row = fen.split("/", 8)[0x38 - move[1]]
    column = move[0] - 0x61
    for char in row:
        if char.isdigit():
            column -= int(char)
            if column < 0:
                break
        elif column == 0:
            if char.isupper() == (sign > 0):
                return
            break
        else:
            column -= 1
    raise EngineGarbageError(
        f"best move {move.decode()} moves no piece of the side to move in {fen}"
    )
