"""Position commands of UCCI and of UCI as Fairy-Stockfish speaks it: a game a line, moves only.

``position startpos moves h2e2 h9g7`` or ``position fen FEN moves …``; the word ``position`` may be
missing. Ranks are 0 to 9 in UCCI and 1 to 10 in UCI. A line does not say which it is: without a
name for the format, a line is UCCI if its moves are legal so, else UCI.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabia._native.xiangqi_board import Board, FenError, IllegalMoveError, encode_move
from tabia.records.xiangqi.places import Place
from tabia.records.xiangqi.record import Notation, Record, Reject
from tabia.records.xiangqi.start import start_fen

__all__ = ["read", "read_uci"]


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield a game or a reject a line; other commands and empty lines are passed over."""
    return _read(data, name, first_ranks=(0, 1))


def read_uci(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Do the same with ranks from 1 to 10 in all lines."""
    return _read(data, name, first_ranks=(1,))


def _read(data: bytes, name: str, first_ranks: tuple[int, ...]) -> Iterator[Record | Reject]:
    offset = 0
    found = False
    for number, raw in enumerate(data.splitlines(keepends=True), 1):
        command = _command(raw.decode("utf-8", "replace").lstrip("\ufeff").split())
        if command is not None:
            found = True
            results = []
            for first_rank in first_ranks:
                results.append(_record(*command, first_rank, f"{name}:{number}", offset, number))
                if isinstance(results[-1], Record):
                    break
            # Where both fail, the reading that went further is the likelier one.
            yield max(results, key=_plies)
        offset += len(raw)
    if not found:
        yield Reject(
            reason="bad_file", detail=f"{name}: no line of the form position startpos moves h2e2 …"
        )


def _plies(result: Record | Reject) -> float:
    return result.legal_plies if isinstance(result, Reject) else float("inf")


def _command(words: list[str]) -> tuple[str | None, list[str]] | None:
    """FEN, None for the start, and moves of a position command; None if the words are none."""
    if words and words[0].lower() == "position":
        words = words[1:]
    if not words or words[0].lower() not in ("startpos", "fen"):
        return None
    end = words.index("moves") if "moves" in words else len(words)
    if words[0].lower() == "startpos":
        return None, words[1:end] + words[end + 1 :]  # what stands before `moves` is no move
    return " ".join(words[1:end]), words[end + 1 :]


def _record(
    fen: str | None, moves: list[str], first_rank: int, name: str, byte_offset: int, line: int
) -> Record | Reject:
    place = Place(byte_offset, line)
    notation: Notation = "uci" if first_rank else "ucci"
    try:
        board = Board(fen)
    except FenError as error:
        return place.reject("bad_fen", f"{name}: {error}")
    start = start_fen(board)
    for ply, text in enumerate(moves):
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
        encoding="utf-8",
        byte_offset=place.byte_offset,
        line=place.line,
    )
