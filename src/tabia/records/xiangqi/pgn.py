"""PGN of xiangqi: any number of games a file, in any encoding and notation met in the wild.

Read is what people have: moves in Chinese, WXF, PlayOK's form of it, coordinates or XBoard's SAN;
Big5, GB18030, UTF-8 and UTF-16; games without tags, without results, without blank lines between
them, with advertisements behind them. `docs/xiangqi_records.md` lists the defects and what becomes
of each. Side lines are counted and skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabia._native.xiangqi_board import FenError
from tabia.games.xiangqi_notation import NotationError, read_moves
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.encoding import Encoding, decode, likely_encodings, without_utf16
from tabia.records.xiangqi.movetext import (
    Movetext,
    MovetextError,
    legal_moves,
    read_movetext,
)
from tabia.records.xiangqi.names import player_name
from tabia.records.xiangqi.pgn_games import games
from tabia.records.xiangqi.places import Place, Places, number
from tabia.records.xiangqi.record import Notation, Record, Reject
from tabia.records.xiangqi.results import result_of, settled
from tabia.records.xiangqi.sniffing import looks_like_pgn as looks_like
from tabia.records.xiangqi.squares import known
from tabia.records.xiangqi.start import start_fen as start_of

__all__ = ["looks_like", "read"]

_TAG_OPENS = re.compile(r"\[[ \t]*([A-Za-z]\w*)[ \t]+\"")
# An escaped quote closes nothing, unless no other does: people end values with a backslash.
_TAG_CLOSES = re.compile(r"(?<!\\)(?:\\\\)*(\"[ \t]*\])")
_TAG_CLOSES_SOMEHOW = re.compile(r"(\"[ \t]*\])")
_ESCAPE = re.compile(r"\\([\"\\])")
_SHOWN = 60


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the games of a PGN file, and what is no game, in their order.

    Each game is read in the file's likeliest encoding, and where that leaves its moves unreadable
    in the others too; the one that reads most moves is kept.

    Parameters
    ----------
    data
        The file's plain bytes.
    name
        Its name, for messages.
    """
    text, is_utf16 = without_utf16(data)
    if b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    encodings = likely_encodings(text)
    places = Places(data, text, is_utf16)
    found = False
    for start, movetext, end in games(text, is_utf8=encodings[0] == "utf-8"):
        place = places.of(start)
        game = _read(text, start, movetext, end, encodings)
        if start == movetext and not game.codes and game.fault and game.fault[0] == "bad_move":
            continue  # words before the first tag, not a game without tags
        found = True
        yield game.record(name, "utf-16" if is_utf16 else None, place)
    if not found and text.strip():
        yield Reject(
            reason="bad_file",
            detail=f"{name}: no game: neither tags nor moves; it begins with "
            f"{text.strip()[:_SHOWN]!r}",
        )


@dataclass(slots=True)
class _Game:
    """A game read in one encoding; `fault` is None if all of it could be."""

    tags: dict[str, str]
    encoding: Encoding
    movetext: Movetext
    codes: list[int]
    start_fen: str | None
    notation: Notation = "chinese"
    fault: tuple[str, str] | None = None

    def record(self, name: str, encoding: Encoding | None, place: Place) -> Record | Reject:
        if self.fault is not None:
            reason, detail = self.fault
            return place.reject(reason, f"{name}: {detail}", legal_plies=len(self.codes))
        tags = self.tags
        tag = tags.get("Result", "").strip()
        end = settled(
            result_of(tag),
            self.codes,
            self.start_fen,
            movetext=self.movetext.result,
            unfinished=tag == "*",
        )
        return Record(
            moves=self.codes,
            start_fen=self.start_fen,
            notation=self.notation,
            encoding=encoding or self.encoding,
            event=known(tags.get("Event")),
            site=known(tags.get("Site")),
            round=known(tags.get("Round")),
            date=iso_date(tags.get("Date", "")),
            termination=known(tags.get("Termination")),
            time_control=known(tags.get("TimeControl")),
            opening_code=known(tags.get("ECCO") or tags.get("ECO")),
            first_name=_player(tags, "Red", "White"),
            second_name=_player(tags, "Black"),
            first_elo=_elo(tags, "Red", "White"),
            second_elo=_elo(tags, "Black"),
            **end._asdict(),
            comments=self.movetext.comments,
            variations=self.movetext.variations,
            byte_offset=place.byte_offset,
            line=place.line,
        )


def _read(
    text: bytes, start: int, movetext: int, end: int, encodings: tuple[Encoding, ...]
) -> _Game:
    best = None
    for encoding in encodings:
        game = _read_in(text, start, movetext, end, encoding)
        if best is None or len(game.codes) > len(best.codes) or game.fault is None:
            best = game
        if game.fault is None:
            break
    if best is None:
        raise ValueError("no encoding to read a game in")
    return best


def _read_in(text: bytes, start: int, movetext: int, end: int, encoding: Encoding) -> _Game:
    tags = _tags(decode(text[start:movetext], encoding))
    try:
        body = read_movetext(decode(text[movetext:end], encoding))
    except MovetextError as error:
        return _Game(tags, encoding, Movetext(), [], None, fault=("bad_record", str(error)))
    fen = tags.get("FEN", "").strip() or None
    try:
        start_fen = start_of(fen)
    except FenError as error:
        fault = _side_fault(fen, body) or ("bad_fen", str(error))
        return _Game(tags, encoding, body, [], None, fault=fault)
    moves = legal_moves(body.moves, start_fen)
    game = _Game(tags, encoding, body, moves.codes, start_fen, moves.notation)
    if moves.fault is not None and not _is_trailer(body, moves.fault, len(moves.codes)):
        side = None if moves.codes else _side_fault(start_fen, body)
        game.fault = side or (moves.fault.reason, str(moves.fault))
    return game


def _side_fault(fen: str | None, body: Movetext) -> tuple[str, str] | None:
    """What is wrong if a game can be read only with the other side to move in its FEN."""
    fields = (fen or "").split()
    if len(fields) < 2 or fields[1].lower() not in ("w", "r", "b"):
        return None
    is_black = fields[1].lower() == "b"
    try:
        moves = read_moves(body.moves, " ".join([fields[0], "w" if is_black else "b"]))
    except FenError:
        return None
    if moves.fault is not None or not moves.codes:
        return None
    said, begins = ("Black", "Red") if is_black else ("Red", "Black")
    return "bad_record", (
        f"start {fen!r} has {said} to move, but {begins} makes the first move "
        f"{body.moves[0]!r}; with {begins} to move all moves are legal: correct the FEN"
    )


def _is_trailer(body: Movetext, fault: NotationError, ply: int) -> bool:
    return fault.reason == "bad_move" and ply > 0 and body.ends_before(ply)


def _tags(text: str) -> dict[str, str]:
    tags: dict[str, str] = {}
    for line in text.split("\n"):
        opens = _TAG_OPENS.search(line)
        while opens is not None:
            closes = _TAG_CLOSES.search(line, opens.end())
            closes = closes or _TAG_CLOSES_SOMEHOW.search(line, opens.end())
            if closes is None:
                break
            value = line[opens.end() : closes.start(1)]
            tags.setdefault(opens[1], _ESCAPE.sub(r"\1", value) if "\\" in value else value)
            opens = _TAG_OPENS.search(line, closes.end())
    return tags


def _player(tags: dict[str, str], *sides: str) -> str | None:
    for side in sides:
        if side in tags:
            name = known(tags[side])
            return None if name is None else player_name(name)
    return None


def _elo(tags: dict[str, str], *sides: str) -> int | None:
    for side in sides:
        for tag in (f"{side}Elo", f"{side}ELO", f"{side}Rating"):
            if rating := number(tags.get(tag, "").strip()):
                return rating
    return None
