"""WXF text, as PlayOK, XieXie and others save games.

Lines of ``RED``, ``BLACK``, ``RESULT``, ``DATE``, … follow on ``FORMAT WXF``, then the moves
between ``START{`` and ``}END`` and perhaps remarks between ``COMMENT{`` and ``}END``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tabia._native.xiangqi_board import FenError
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.encoding import Encoding, decode, likely_encodings, without_utf16
from tabia.records.xiangqi.movetext import MovetextError, legal_moves, read_movetext
from tabia.records.xiangqi.names import player_name
from tabia.records.xiangqi.places import Place, Places, number
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import result_of, settled
from tabia.records.xiangqi.sniffing import WXF_LINE
from tabia.records.xiangqi.sniffing import looks_like_wxf as looks_like
from tabia.records.xiangqi.squares import known
from tabia.records.xiangqi.start import start_fen as start_of

__all__ = ["looks_like", "read"]

_FIELD = re.compile(r"^[ \t]*([A-Za-z]+)[ \t]*(?:[ \t:][ \t]*(.*))?$")
_OPENS = re.compile(r"\b(START|COMMENT)[ \t]*\{", re.IGNORECASE)
_CLOSES = re.compile(r"\}[ \t]*END\b", re.IGNORECASE)


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
    starts = [match.start() for match in WXF_LINE.finditer(text)]
    if not starts:
        yield Reject(
            reason="bad_file",
            detail=f"{name}: no line FORMAT WXF; the file begins with {text[:60]!r}",
        )
        return
    encodings = likely_encodings(text)
    places = Places(data, text, is_utf16)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        place = places.of(start)
        best: Reject | None = None
        for encoding in encodings:
            told: Encoding = "utf-16" if is_utf16 else encoding
            game = _game(decode(text[start:end], encoding), told, place, name)
            if isinstance(game, Record):
                yield game
                break
            if best is None or game.legal_plies > best.legal_plies:
                best = game
        else:
            if best is not None:
                yield best


def _game(text: str, encoding: Encoding, place: Place, name: str) -> Record | Reject:
    parts = _parts(text)
    head = text.partition("{")[0]
    fields = {
        match[1].upper(): (match[2] or "").strip()
        for line in head.splitlines()
        if (match := _FIELD.match(line)) is not None
    }
    if "START" not in parts:
        return place.reject("bad_record", f"{name}: no moves between START{{ and }}END")
    try:
        start_fen = start_of(fields.get("FEN") or None)
        movetext = read_movetext(parts["START"])
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
    if "COMMENT" in parts and parts["COMMENT"].strip():
        comments[0] = " ".join(filter(None, (parts["COMMENT"].strip(), comments.get(0))))
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


def _parts(text: str) -> dict[str, str]:
    """What stands between ``START{`` and ``}END``, and ``COMMENT{`` and ``}END``."""
    parts: dict[str, str] = {}
    opens = _OPENS.search(text)
    while opens is not None:
        closes = _CLOSES.search(text, opens.end())
        if closes is None:
            break
        parts.setdefault(opens[1].upper(), text[opens.end() : closes.start()])
        opens = _OPENS.search(text, closes.end())
    return parts


def _player(text: str) -> tuple[str | None, int | None]:
    """Name and rating of ``name ; rating ; ;``; WXF's own second field is a title."""
    fields = [part.strip() for part in text.split(";")]
    rating = fields[1] if len(fields) > 1 else ""
    name = known(fields[0])
    return name and player_name(name), number(rating) or None
