"""Position commands of UCCI and of UCI as Fairy-Stockfish speaks it: a game a line, moves only.

``position startpos moves h2e2 h9g7`` or ``position fen FEN moves …``; the word ``position`` may be
missing. Ranks are 0 to 9 in UCCI and 1 to 10 in UCI. A line does not say which it is: without a
name for the format, a line is UCCI if its moves are legal so, else UCI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabia._native.xiangqi_board import FenError, IllegalMoveError, encode_move
from tabia.records.xiangqi.encoding import Encoding, without_utf16
from tabia.records.xiangqi.places import Place, Places
from tabia.records.xiangqi.record import Notation, Record, Reject
from tabia.records.xiangqi.sniffing import COMMANDS, FIRST_MOVE, TAG_LINE, WXF_LINE
from tabia.records.xiangqi.start import board_of, start_fen

__all__ = ["read", "read_uci"]

_FORM = "position startpos moves h2e2 … or position fen FEN moves …"
_HINT = re.compile(r"\W*(?:position\w*|startpos)\W*|[a-i]\d0?[a-i]\d0?\W*", re.IGNORECASE)
_SHOWN = 60


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield a game or a reject a line; other commands, words and empty lines are passed over.

    A line that begins with ``position`` and goes on otherwise is a reject, and so is one that
    begins with no command and has moves, ``startpos`` or the beginning of a game in PGN or WXF
    text.
    """
    return _read(data, name, first_ranks=(0, 1))


def read_uci(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Do the same with ranks from 1 to 10 in all lines."""
    return _read(data, name, first_ranks=(1,))


def _read(data: bytes, name: str, first_ranks: tuple[int, ...]) -> Iterator[Record | Reject]:
    text, is_utf16 = without_utf16(data)
    places = Places(data, text, is_utf16)
    encoding: Encoding = "utf-16" if is_utf16 else "utf-8"
    at = 0
    found = False
    for number, raw in enumerate(text.splitlines(keepends=True), 1):
        command = _command(raw)
        if command is not None:
            found = True
            place = Place(places.of(at).byte_offset, number)
            if isinstance(command, str):
                yield place.reject("bad_record", f"{name}:{number}: {command}")
            else:
                where = f"{name}:{number}"
                games = (_game(command, rank, where, encoding, place) for rank in first_ranks)
                yield _likeliest(games)
        at += len(raw)
    if not found:
        yield Reject(reason="bad_file", detail=f"{name}: no line of the form {_FORM}")


def _likeliest(games: Iterator[Record | Reject]) -> Record | Reject:
    """The first game, else the reject that went furthest: the likelier of its readings."""
    rejects: list[Reject] = []
    for game in games:
        if isinstance(game, Record):
            return game
        rejects.append(game)
    return max(rejects, key=lambda reject: reject.legal_plies)


@dataclass(frozen=True, slots=True)
class _Command:
    """A position command; without a FEN it is about the start."""

    fen: str | None
    moves: list[str]


def _command(line: bytes) -> _Command | str | None:
    """A position command, what is wrong with one, or None if a line is none."""
    words = line.decode("utf-8", "replace").lstrip("\ufeff").split()
    if not words:
        return None
    is_position = words[0].lower() == "position"
    rest = words[1:] if is_position else words
    small = [word.lower() for word in rest]
    if small and small[0] in ("startpos", "fen"):
        end = small.index("moves") if "moves" in small else len(rest)
        if small[0] == "startpos":
            # What stands before `moves` is no move, and is told as that.
            return _Command(None, rest[1:end] + rest[end + 1 :])
        return _Command(" ".join(rest[1:end]), rest[end + 1 :])
    shown = repr(" ".join(words)[:_SHOWN])
    if is_position:
        return f"{shown} is no position command; one has the form {_FORM}"
    if words[0].lower().encode() in COMMANDS:
        return None
    if any(pattern.match(line) for pattern in (TAG_LINE, FIRST_MOVE, WXF_LINE)):
        return f"{shown} begins a game of another format; put it into a file of its own"
    if any(_HINT.fullmatch(word) for word in words):
        return f"{shown} does not begin with position; a game has the form {_FORM}"
    return None


def _game(
    command: _Command, first_rank: int, name: str, encoding: Encoding, place: Place
) -> Record | Reject:
    notation: Notation = "uci" if first_rank else "ucci"
    try:
        board = board_of(command.fen)
    except FenError as error:
        return place.reject("bad_fen", f"{name}: {error}")
    start = start_fen(board)
    for ply, text in enumerate(command.moves):
        try:
            board.push(encode_move(text, first_rank=1 if first_rank else 0))
        except IllegalMoveError:
            reason = "illegal_move"
        except ValueError:
            reason = "bad_move"
        else:
            continue
        detail = f"{name}: ply {ply + 1}, {text[:20]!r}: {reason.replace('_', ' ')} as {notation}"
        return place.reject(reason, f"{detail} in {board.fen()}", legal_plies=ply)
    return Record(
        moves=board.moves(),
        start_fen=start,
        notation=notation,
        encoding=encoding,
        byte_offset=place.byte_offset,
        line=place.line,
    )
