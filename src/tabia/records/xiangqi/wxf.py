"""WXF text, as PlayOK, XieXie and others save games.

Lines of ``RED``, ``BLACK``, ``RESULT``, ``DATE``, … follow on ``FORMAT WXF``, then the moves
between ``START{`` and ``}END`` and perhaps remarks between ``COMMENT{`` and ``}END``. What else
stands in such a file is read as PGN if it looks like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tabia._native.xiangqi_board import FenError
from tabia.records.xiangqi import pgn
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.encoding import (
    NEARLY,
    Encoding,
    decode,
    likely_encodings,
    without_utf16,
)
from tabia.records.xiangqi.movetext import MovetextError, legal_moves, read_movetext
from tabia.records.xiangqi.names import player_name
from tabia.records.xiangqi.places import Place, Places, number
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import result_of, settled
from tabia.records.xiangqi.sniffing import FIRST_MOVE, TAG_LINE, WXF_LINE, beginning
from tabia.records.xiangqi.sniffing import looks_like_wxf as looks_like
from tabia.records.xiangqi.squares import known
from tabia.records.xiangqi.start import black_begins
from tabia.records.xiangqi.start import start_fen as start_of
from tabia.records.xiangqi.wxf_drafts import Draft, drafts

__all__ = ["looks_like", "read"]

_FIELD = re.compile(r"^[ \t\ufeff]*([A-Za-z]+)[ \t]*(?:[ \t:=][ \t]*(.*))?$")
_FIELDS = frozenset(
    ("FEN", "RESULT", "RED", "BLACK", "DATE", "EVENT", "GAME", "SITE", "PLACE", "ROUND")
)
_REMARK = re.compile(r"^[ \t]*\{([^{}]*)\}", re.MULTILINE)
_BOARD = re.compile(r"(?:[A-Za-z1-9]{1,9}/){9}[A-Za-z1-9]{1,9}")
_NO_MOVES = "no moves between START{ and }END"
_SHOWN = 60


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the games of WXF text, and what is no game, in their order.

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
    if WXF_LINE.search(text) is None:
        yield Reject(
            reason="bad_file",
            detail=f"{name}: no line FORMAT WXF; the file begins with {beginning(text)}",
        )
        return
    file = _File(text, name, "utf-16" if is_utf16 else None, Places(data, text, is_utf16))
    before: Draft | None = None
    for draft in drafts(text):
        if before is not None and not file.joins(before, draft):
            yield from file.results(before)
            before = None
        if before is None:
            before = draft
    if before is not None:
        yield from file.results(before)


class _File:
    """A file's text and what is known of it; drafts are asked for in their order."""

    def __init__(self, text: bytes, name: str, told: Encoding | None, places: Places) -> None:
        self._text, self._name, self._told, self._places = text, name, told, places
        self._encodings = likely_encodings(text)

    def joins(self, game: Draft, words: Draft) -> bool:
        """Give a game the fields behind its moves, if no others can be theirs and they agree."""
        if game.moves is None or words.is_headed or words.is_over:
            return False
        head = self._head(words, self._encodings[0], to_pgn=True)
        fields = _fields(head)
        known_ = _fields(self._head(game, self._encodings[0]))
        if not fields or fields.keys() & known_.keys() or self._pgn(words):
            return False
        game.head += words.head
        game.comments += words.comments
        return True

    def results(self, draft: Draft) -> Iterator[Record | Reject]:
        """Yield what a draft is, and the games of PGN in it."""
        place = self._places.of(draft.at)
        if (fault := self._fault(draft)) is not None:
            yield place.reject("bad_record", f"{self._name}: {fault}")
        elif draft.moves is not None:
            yield self._best(draft, draft.moves, place)
        for start, end in self._pgn(draft):
            yield from self._pgn_games(start, end)

    def _fault(self, draft: Draft) -> str | None:
        """What is wrong with a draft, whatever its moves are; None for mere words too."""
        if draft.fault is not None:
            return draft.fault
        encoding = self._encodings[0]
        if draft.moves is None:
            words = self._head(draft, encoding, to_pgn=True)
            if draft.is_headed or _fields(words):
                return _NO_MOVES
            if NEARLY.search(words):
                return f"what looks like moves is not between START{{ and }}END: {_shown(words)}"
            return None
        head = self._head(draft, encoding)
        fields = _fields(head)
        if not draft.is_headed and not fields:
            return "START{ without FORMAT WXF or any field before it: whose moves cannot be told"
        for field, values in fields.items():
            if len(values) > 1:
                return f"field {field} says both {values[0]!r} and {values[1]!r}; delete one"
        if not fields.get("FEN") and (board := _BOARD.search(head)) is not None:
            return f"the position {board[0]!r} is in no field FEN; write FEN before it"
        return None

    def _best(self, draft: Draft, moves: tuple[int, int], place: Place) -> Record | Reject:
        """The game in the first encoding that makes it one, else the reject that went furthest."""
        best: Reject | None = None
        for encoding in self._encodings:
            game = _game(
                self._head(draft, encoding),
                decode(self._text[slice(*moves)], encoding),
                [decode(self._text[slice(*piece)], encoding) for piece in draft.comments],
                self._told or encoding,
                place,
                self._name,
            )
            if isinstance(game, Record):
                return game
            if best is None or game.legal_plies > best.legal_plies:
                best = game
        return best or place.reject("bad_record", f"{self._name}: {_NO_MOVES}")

    def _head(self, draft: Draft, encoding: Encoding, *, to_pgn: bool = False) -> str:
        """Text of a draft outside its blocks, all of it or what stands before PGN."""
        pieces = draft.head
        if to_pgn and (found := self._pgn(draft)):
            pieces = [
                (start, min(end, found[0][0])) for start, end in pieces if start < found[0][0]
            ]
        return "\n".join(decode(self._text[start:end], encoding) for start, end in pieces)

    def _pgn(self, draft: Draft) -> list[tuple[int, int]]:
        """Where a draft has what looks like PGN."""
        found = []
        for start, end in draft.head:
            matches = [pattern.search(self._text, start, end) for pattern in (TAG_LINE, FIRST_MOVE)]
            if starts := [match.start() for match in matches if match is not None]:
                found.append((min(starts), end))
        return found

    def _pgn_games(self, start: int, end: int) -> Iterator[Record | Reject]:
        for item in pgn.read(self._text[start:end], self._name):
            if isinstance(item, Reject) and item.reason == "bad_file":
                continue  # a number at the beginning of a line is no move
            place = self._places.of(start + item.byte_offset)
            if isinstance(item, Record):
                item = replace(item, encoding=self._told or item.encoding)
            yield replace(item, byte_offset=place.byte_offset, line=place.line)


def _fields(head: str) -> dict[str, list[str]]:
    """Different values of each field that says anything."""
    fields: dict[str, list[str]] = {}
    for line in _REMARK.sub("", head).splitlines():
        match = _FIELD.match(line)
        if match is not None and (name := match[1].upper()) in _FIELDS:
            value = (match[2] or "").strip()
            values = fields.setdefault(name, [])
            if value and value not in values:
                values.append(value)
    return fields


def _shown(text: str) -> str:
    return repr(" ".join(text.split())[:_SHOWN])


def _game(
    head: str, moves: str, remarks: list[str], encoding: Encoding, place: Place, name: str
) -> Record | Reject:
    fields = {field: values[0] for field, values in _fields(head).items() if values}
    try:
        start_fen = start_of(fields.get("FEN"))
        movetext = read_movetext(moves, black_begins=black_begins(start_fen))
    except FenError as error:
        return place.reject("bad_fen", f"{name}: {error}")
    except MovetextError as error:
        return place.reject("bad_record", f"{name}: {error}")
    read_ = legal_moves(movetext.moves, start_fen)
    if read_.fault is not None:
        return place.reject(
            read_.fault.reason, f"{name}: {read_.fault}", legal_plies=len(read_.codes)
        )
    end = settled(result_of(fields.get("RESULT")), read_.codes, start_fen, movetext=movetext.result)
    comments = dict(movetext.comments)
    remarks = [remark.strip() for remark in (*remarks, *_REMARK.findall(head))]
    if any(remarks):
        comments[0] = " ".join(filter(None, (*remarks, comments.get(0))))
    first_name, first_elo = _player(fields.get("RED", ""))
    second_name, second_elo = _player(fields.get("BLACK", ""))
    return Record(
        moves=read_.codes,
        start_fen=start_fen,
        notation=read_.notation,
        encoding=encoding,
        event=known(fields.get("EVENT") or fields.get("GAME")),
        site=known(fields.get("SITE") or fields.get("PLACE")),
        round=known(fields.get("ROUND")),
        date=iso_date(fields.get("DATE", "")),
        first_name=first_name,
        second_name=second_name,
        first_elo=first_elo,
        second_elo=second_elo,
        **end._asdict(),
        comments=comments,
        variations=movetext.variations,
        byte_offset=place.byte_offset,
        line=place.line,
    )


def _player(text: str) -> tuple[str | None, int | None]:
    """Name and rating of ``name ; rating ; ;``; WXF's own second field is a title."""
    fields = [part.strip() for part in text.split(";")]
    rating = fields[1] if len(fields) > 1 else ""
    name = known(fields[0])
    return name and player_name(name), number(rating) or None
