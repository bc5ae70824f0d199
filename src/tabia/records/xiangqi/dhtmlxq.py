"""DhtmlXQ, the tags by which web pages show games: as many as a page has boards.

``[DhtmlXQ_movelist]7747796772..``: four digits a move, file and rank of both squares, files from
Red's left, ranks from Black's side. Pages are read as well as the bare tags.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from tabia.records.xiangqi.dhtmlxq_boards import Board, boards
from tabia.records.xiangqi.encoding import likely_encodings, without_utf16
from tabia.records.xiangqi.places import Place, Places
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import result_of
from tabia.records.xiangqi.squares import (
    PIECES,
    FileError,
    Sheet,
    TextField,
    can_stand,
    clean,
    known,
    square_name,
)

__all__ = ["read"]

_MAIN_LINE = re.compile(r"\[0_\d{1,4}_0\]([^\[]*)")  # of a page's script: parent, ply, number
_HTML = re.compile(r"<[^<>]{0,2000}>")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|%u([0-9a-fA-F]{4})")
_COMMENT = re.compile(r"comment(\d{1,4})")
_SIDE_LINE = re.compile(r"move_\d+_\d+_\d+")
_DIGITS = re.compile(r"[0-9]*")
_CODE = re.compile(r"[A-E][0-9]{2}")
_RATING = re.compile(r"[1-9][0-9]{2,3}")
_OFF_BOARD = "99"
_TAGS: dict[str, TextField] = {
    "event": "event",
    "round": "round",
    "date": "date",
    "place": "site",
    "red": "first_name",
    "black": "second_name",
    "timerule": "time_control",
    "endtype": "termination",
}
_NAMES: dict[str, TextField] = {"redname": "first_name", "blackname": "second_name"}  # no team


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the games of a page or of bare tags, or what is wrong with them."""
    text, is_utf16 = without_utf16(data)
    encoding = likely_encodings(text)[0]
    found = False
    places = Places(data, text, is_utf16)
    for number, board in enumerate(boards(text, encoding), 1):
        found = True
        told = "utf-16" if is_utf16 else encoding
        yield _record(board, f"{name}: board {number}", told, places.of(board.at))
    if not found:
        detail = f"{name}: no [DhtmlXQ_movelist] or [DhtmlXQ_binit] in {len(data)} bytes"
        yield Reject(reason="bad_file", detail=detail)


def _record(board: Board, name: str, encoding: str, place: Place) -> Record | Reject:
    tags = board.tags
    if board.fault is not None:
        return place.reject("bad_record", f"{name}: {board.fault}; is a mark missing?")
    if not (board.has("movelist") or board.has("binit")):
        shown = ", ".join(f"{tag} {_plain(tags[tag])[:20]!r}" for tag in tags if board.has(tag))
        detail = f"{name}: neither [DhtmlXQ_movelist] nor [DhtmlXQ_binit], only {shown[:200]}"
        return place.reject("bad_record", detail)
    moves = tags.get("movelist", "")
    if match := _MAIN_LINE.search(moves):
        moves = match[1]
    moves = "".join(_HTML.sub("", moves).split())
    if len(moves) % 4 or not _DIGITS.fullmatch(moves):
        detail = f"{name}: movelist {moves[:60]!r} is not four digits a move"
        return place.reject("bad_record", detail)
    pieces: dict[int, str] | None = None
    if setup := "".join(_HTML.sub("", tags.get("binit", "")).split()):
        if len(setup) != 64 or not _DIGITS.fullmatch(setup):
            detail = f"{name}: binit {setup[:70]!r} is not two digits for each of 32 pieces"
            return place.reject("bad_fen", detail)
        try:
            pieces = _pieces(setup)
        except FileError as error:
            return place.reject("bad_fen", f"{name}: binit {setup!r}: {error}")
    texts = {field: known(_plain(tags.get(tag, ""))) for tag, field in _TAGS.items()}
    for tag, field_ in _NAMES.items():
        texts[field_] = known(_plain(tags.get(tag, ""))) or texts[field_]
    texts["event"] = texts["event"] or known(_plain(tags.get("title", "")))
    opening = _CODE.match(clean(tags.get("open", "")))
    texts["opening_code"] = opening[0] if opening else None
    written = [moves[i : i + 4] for i in range(0, len(moves), 4)]
    return Sheet(
        pieces=pieces,
        squares=[_squares(digits) for digits in written],
        written=written,
        comments={
            int(match[1]): _plain(value).replace("||", "\n")
            for tag, value in tags.items()
            if (match := _COMMENT.fullmatch(tag))
        },
        side_lines=sum(bool(_SIDE_LINE.fullmatch(tag)) for tag in tags),
        texts=texts,
        first_elo=_rating(tags.get("redrating", "")),
        second_elo=_rating(tags.get("blackrating", "")),
        result=result_of(_plain(tags.get("result", ""))),
        encoding=encoding,
    ).record(name, place)


def _rating(text: str) -> int | None:
    match = _RATING.fullmatch(clean(text))
    return int(match[0]) if match else None


def _squares(digits: str) -> tuple[int, int]:
    return _square(digits[:2]), _square(digits[2:])


def _square(digits: str) -> int:
    """Square of a file from Red's left and a rank from Black's side; -1 where it is none."""
    file, rank = int(digits[0]), int(digits[1])
    return 9 * (9 - rank) + file if file < 9 else -1


def _pieces(setup: str) -> dict[int, str]:
    """Letters by square; FileError names the digits that no piece can stand on."""
    pieces: dict[int, str] = {}
    for i in range(32):
        digits = setup[2 * i : 2 * i + 2]
        if digits == _OFF_BOARD:
            continue
        square = _square(digits)
        letter = PIECES[i % 16] if i < 16 else PIECES[i % 16].lower()
        fault = None
        if square < 0:
            fault = "no square"
        elif square in pieces:
            fault = f"{square_name(square)}, where {pieces[square]} stands"
        elif not can_stand(letter, square):
            fault = f"{square_name(square)}, where it can never come"
        if fault is not None:
            raise FileError(f"piece {i + 1}, {letter}, on {digits!r}: {fault}")
        pieces[square] = letter
    return pieces


def _plain(value: str) -> str:
    """Text of a tag without markup and escapes."""
    text = re.sub(r"(?i)<br\s*/?>", "\n", value)
    text = html.unescape(_HTML.sub("", text))
    return clean(_ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text))
