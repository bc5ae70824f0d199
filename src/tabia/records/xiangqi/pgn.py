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
from tabia.records.xiangqi.encoding import (
    Encoding,
    decode,
    encodings_of_part,
    likely_encodings,
    without_utf16,
)
from tabia.records.xiangqi.movetext import (
    Movetext,
    MovetextError,
    legal_moves,
    looks_like_move,
    read_movetext,
)
from tabia.records.xiangqi.names import player_name
from tabia.records.xiangqi.other_games import other_game, other_variant
from tabia.records.xiangqi.pgn_games import Span, games
from tabia.records.xiangqi.places import Place, Places, number
from tabia.records.xiangqi.record import Notation, Record, Reject
from tabia.records.xiangqi.results import result_of, settled
from tabia.records.xiangqi.sniffing import beginning
from tabia.records.xiangqi.sniffing import looks_like_pgn as looks_like
from tabia.records.xiangqi.squares import known
from tabia.records.xiangqi.start import black_begins
from tabia.records.xiangqi.start import start_fen as start_of

__all__ = ["looks_like", "read"]

_ESCAPE = re.compile(r"\\([\"\\])")
_START_TAGS = {"fen": "FEN", "setup": "SetUp", "variant": "Variant"}
_SHOWN_VALUE = 200
_NO_SETUP = ("", "0", "?", "-")
_NULL_MOVE = re.compile(r"[\-—–―－_]{2,}|z0|0000|@@@@", re.IGNORECASE)
_LONGEST_MOVE = 7


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the games of a PGN file, and what is no game, in their order.

    Each game is read in its own likeliest encoding, and where that leaves its moves unreadable in
    the others too; the one that reads most moves is kept.

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
    for span in games(text, is_utf8=encodings[0] == "utf-8"):
        game = _read(text, span, encodings)
        if not span.tags and _is_words(game):
            continue
        place = places.of(span.start)
        found = True
        if span.follows and game.movetext.first_number not in (None, 1):
            game.fault = _moves_go_on(game)
        yield game.record(name, "utf-16" if is_utf16 else None, place)
        if (rest := _moves_behind(game)) is not None:
            yield place.reject("bad_record", f"{name}: {rest}")
    if not found and text.strip():
        yield Reject(
            reason="bad_file",
            detail=f"{name}: no game: neither tags nor moves; it begins with {beginning(text)}",
        )


@dataclass(slots=True)
class _Game:
    """A game read in one encoding; `fault` is None if all of it could be.

    `tags` are values by name in small letters. `has_trailer` tells that words behind the moves were
    taken for no part of the game.
    """

    tags: dict[str, str]
    encoding: Encoding
    movetext: Movetext
    codes: list[int]
    start_fen: str | None = None
    notation: Notation = "chinese"
    fault: tuple[str, str] | None = None
    has_trailer: bool = False

    def record(self, name: str, encoding: Encoding | None, place: Place) -> Record | Reject:
        if self.fault is not None:
            reason, detail = self.fault
            return place.reject(reason, f"{name}: {detail}", legal_plies=len(self.codes))
        tags = self.tags
        tag = tags.get("result", "").strip()
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
            event=known(tags.get("event")),
            site=known(tags.get("site")),
            round=known(tags.get("round")),
            date=iso_date(tags.get("date", "")),
            termination=known(tags.get("termination")),
            time_control=known(tags.get("timecontrol")),
            opening_code=known(tags.get("ecco") or tags.get("eco")),
            first_name=_player(tags, "red", "white"),
            second_name=_player(tags, "black"),
            first_elo=_elo(tags, "red", "white"),
            second_elo=_elo(tags, "black"),
            **end._asdict(),
            comments=self.movetext.comments,
            variations=self.movetext.variations,
            byte_offset=place.byte_offset,
            line=place.line,
        )


def _read(text: bytes, span: Span, whole: tuple[Encoding, ...]) -> _Game:
    part = text[span.start : span.end]
    best = None
    if not part.isascii():
        best = _read_in(text, span, whole[0])
        if best.fault is None and best.notation == "chinese" and best.codes:
            return best  # moves that the rules allow prove an encoding
    encodings = encodings_of_part(part, whole)
    if best is None or best.encoding != encodings[0]:
        best = _read_in(text, span, encodings[0])
    for encoding in encodings[1:]:
        # A move that the rules forbid was read, and would only be made unreadable.
        if best.fault is None or best.fault[0] not in ("bad_move", "bad_record", "bad_fen"):
            break
        game = _read_in(text, span, encoding)
        is_whole = game.fault is None and not game.has_trailer and not best.codes
        if is_whole or len(game.codes) > len(best.codes):
            best = game
    return best


def _read_in(text: bytes, span: Span, encoding: Encoding) -> _Game:
    tags: dict[str, str] = {}
    fault = None
    for tag in span.tags:
        value = decode(text[tag.start : tag.end], encoding)
        value = _ESCAPE.sub(r"\1", value) if "\\" in value else value
        if tag.is_closed and tag.name not in tags:
            tags[tag.name] = value
        elif tag.name not in _START_TAGS or fault is not None:
            continue
        elif not tag.is_closed or tags[tag.name].split() != value.split():
            what = "comes twice, with different values" if tag.is_closed else "is not a closed tag"
            shown = value.strip().removesuffix("]").strip()[:_SHOWN_VALUE]
            fault = ("bad_fen", f"tag {_START_TAGS[tag.name]}: {shown!r} {what}; correct it")
    fen = tags.get("fen", "").strip() or None
    setup = tags.get("setup", "").strip()
    start_fen = None
    if other := other_variant(tags):
        fault = ("unknown_variant", other)
    elif fault is None and fen is None and setup not in _NO_SETUP:
        fault = (
            "bad_fen",
            f"tag SetUp {setup!r} says that the tag FEN gives the start, and none does",
        )
    bad_start = None
    try:
        start_fen = start_of(fen)
    except FenError as error:
        bad_start = ("bad_fen", str(error))
    try:
        body = read_movetext(
            decode(text[span.movetext : span.end], encoding), black_begins=black_begins(start_fen)
        )
    except MovetextError as error:
        fault = fault or ("bad_record", str(error))
        return _Game(tags, encoding, error.found, [], fault=fault)
    if bad_start is not None and fault is None:
        fault = _side_fault(fen, body) or bad_start
    if fault is not None:
        return _Game(tags, encoding, body, [], fault=fault)
    moves = legal_moves(body.moves, start_fen)
    game = _Game(tags, encoding, body, moves.codes, start_fen, moves.notation)
    plies = len(moves.codes)
    if other := other_game(tags, body.moves, plies, is_whole=moves.fault is None):
        game.codes, game.fault = [], ("unknown_variant", other)
    elif moves.fault is not None:
        game.has_trailer = _is_trailer(body, moves.fault, plies)
        if not game.has_trailer:
            side = None if plies else _side_fault(start_fen, body)
            game.fault = side or _move_fault(body.moves[plies], moves.fault)
    return game


def _move_fault(text: str, fault: NotationError) -> tuple[str, str]:
    if _NULL_MOVE.fullmatch(text) is not None:
        return "null_move", f"{fault}; to pass is not legal"
    return fault.reason, str(fault)


def _is_words(game: _Game) -> bool:
    """Whether what has no tags is not a game either: a heading, an advertisement, a remark."""
    texts = game.movetext.moves
    if game.codes or not texts:
        return not texts
    looks = [looks_like_move(text) for text in texts]
    is_ended = game.movetext.token is not None
    if looks[0] or 2 * sum(looks) > len(looks) or (is_ended and any(looks)):
        return False
    first = texts[0]
    is_number_one = game.movetext.first_number == 1 and len(first) <= _LONGEST_MOVE
    is_word = first.isascii() and first.isalpha() and not is_ended
    return not is_number_one or is_word


def _moves_go_on(game: _Game) -> tuple[str, str]:
    return "bad_record", (
        f"move {game.movetext.first_number} and those after it stand behind the end of a game; "
        "take away the result or the line that ends it, or give them tags and a FEN"
    )


def _moves_behind(game: _Game) -> str | None:
    """What is wrong if moves follow on a result in words."""
    if game.fault is not None or not game.movetext.rest.strip():
        return None
    try:
        behind = read_movetext(game.movetext.rest).moves
    except MovetextError as error:
        behind = error.found.moves
    if not behind or not looks_like_move(behind[0]):
        return None
    return f"behind the result {game.movetext.token!r} moves follow: {' '.join(behind[:4])!r}"


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


def _player(tags: dict[str, str], *sides: str) -> str | None:
    for side in sides:
        if side in tags:
            name = known(tags[side])
            return None if name is None else player_name(name)
    return None


def _elo(tags: dict[str, str], *sides: str) -> int | None:
    for side in sides:
        for tag in (f"{side}elo", f"{side}rating"):
            if rating := number(tags.get(tag, "").strip()):
                return rating
    return None
