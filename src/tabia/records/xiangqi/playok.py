"""PlayOK's games: tables of moves and of headers as CSV, and games as WXF text.

Three kinds of file are told apart by how they begin.

* Moves, ``gameID,turn,side,move``: a row a move. Rows of a game may stand anywhere in the file, in
  any order; they must be all there, each once.
* Headers, ``gameID,game_datetime,blackID,blackELO,redID,redELO,winner``: a row a game. Read alone
  they give games without moves; given to the reader of moves they fill in its games.
* WXF text, as PlayOK saves a game: `tabia.records.xiangqi.wxf`.

A table's game is the game of its ID in PlayOK's archive; its site says so: ``PlayOK game 12345``.
Columns may be padded with blanks and stand in any order. Tables are UTF-8 or UTF-16.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tabia.games.xiangqi_notation import read_moves
from tabia.records.xiangqi import wxf
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.encoding import Encoding, without_utf16
from tabia.records.xiangqi.places import Places, number
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import Result, settled
from tabia.records.xiangqi.sniffing import TABLES, Table, beginning, column_names, table_of
from tabia.records.xiangqi.sniffing import looks_like_playok as looks_like
from tabia.records.xiangqi.squares import known

__all__ = ["SITE", "Header", "headers", "looks_like", "read"]

SITE = "PlayOK game"
"""What stands before a game's ID in its site."""

_SIDES = {"red": 0, "black": 1}
_WINNERS: dict[str, Result] = {"red": 1, "black": -1, "draw": 0, "": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What PlayOK's table of headers says of a game.

    Attributes
    ----------
    date
        ISO, to the day.
    first_name, second_name, first_elo, second_elo
        Red's and Black's.
    result
        Red's view.
    """

    date: str | None = None
    first_name: str | None = None
    second_name: str | None = None
    first_elo: int | None = None
    second_elo: int | None = None
    result: Result = None


def headers(data: bytes) -> dict[str, Header]:
    """Headers by game ID; rows that `read` would reject are left out.

    Parameters
    ----------
    data
        The table of headers.

    Raises
    ------
    ValueError
        If the file is no such table.
    """
    if table_of(data) != "headers":
        raise ValueError(
            f"not PlayOK's table of headers: it begins with {beginning(data)}, and the first "
            f"line must name the columns {', '.join(TABLES['headers'])}"
        )
    found: dict[str, Header] = {}
    for row in _rows(data, "headers"):
        header = _header(row)
        if isinstance(header, Header):
            found.setdefault(row.values["gameid"], header)
    return found


def read(
    data: bytes, name: str, headers: Mapping[str, Header] | None = None
) -> Iterator[Record | Reject]:
    """Yield the games of a file, and what is no game, in the order of their first lines.

    A row that is none, or whose game cannot be told, is a reject of its own; a row that breaks a
    game rejects the game.

    Parameters
    ----------
    data
        The file's plain bytes.
    name
        Its name, for messages.
    headers
        Names, ratings, dates and results by game ID, for the games of a table of moves.
    """
    table = table_of(data)
    if table == "moves":
        return _read_moves(data, name, headers or {})
    if table == "headers":
        return _read_headers(data, name)
    return wxf.read(data, name)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a table; `fault` says what is wrong with it, `values` are by column."""

    values: Mapping[str, str]
    byte_offset: int
    line: int
    encoding: Encoding
    fault: str | None = None


def _rows(data: bytes, table: Table) -> Iterator[_Row]:
    names = column_names(data)
    columns = {column: names.index(column) for column in TABLES[table]}
    plain, is_utf16 = without_utf16(data)
    places = Places(data, plain, is_utf16)
    encoding: Encoding = "utf-16" if is_utf16 else "utf-8"
    at = 0
    for line, row in enumerate(plain.splitlines(keepends=True), 1):
        text = row.decode("utf-8", "replace").strip()
        if line > 1 and text:
            fault = None
            cells = text.split(",")
            if '"' in text:
                try:
                    cells = next(csv.reader([text]))
                except csv.Error as error:
                    fault = f"line {line}: {error}: {text[:60]!r}"
            values = {
                column: cells[place].strip() if place < len(cells) else ""
                for column, place in columns.items()
            }
            if fault is None and len(cells) != len(names):
                fault = f"line {line}: {len(cells)} columns in place of {len(names)}: {text[:60]!r}"
            yield _Row(values, places.of(at).byte_offset, line, encoding, fault)
        at += len(row)


# -- moves ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Game:
    """The rows of one game, by turn and side, and the first thing wrong with them."""

    byte_offset: int
    line: int
    encoding: Encoding
    moves: dict[tuple[int, int], str] = field(default_factory=dict)
    fault: str | None = None


def _read_moves(data: bytes, name: str, headers: Mapping[str, Header]) -> Iterator[Record | Reject]:
    games: dict[str, _Game] = {}
    found: list[tuple[int, str | Reject]] = []
    for row in _rows(data, "moves"):
        game_id = row.values["gameid"]
        if not game_id:
            detail = f"{name}: {row.fault or f'line {row.line}: no gameID'}"
            found.append((row.line, _reject(detail, row)))
            continue
        if game_id not in games:
            games[game_id] = _Game(row.byte_offset, row.line, row.encoding)
            found.append((row.line, game_id))
        _add(games[game_id], row)
    for _, item in found:
        if isinstance(item, Reject):
            yield item
        else:
            yield _game(games[item], item, name, headers.get(item, Header()))


def _add(game: _Game, row: _Row) -> None:
    turn, side, move = (row.values[column] for column in ("turn", "side", "move"))
    fault = row.fault
    if fault is None:
        place = number(turn) or 0, _SIDES.get(side.lower(), -1)
        if place[0] < 1:
            fault = f"line {row.line}: turn {turn[:20]!r} is no number from 1 on"
        elif place[1] < 0:
            fault = f"line {row.line}: side {side!r} is neither red nor black"
        elif place in game.moves:
            fault = f"line {row.line}: a second move of {side} in turn {turn}"
        else:
            game.moves[place] = move
    game.fault = game.fault or fault


def _game(game: _Game, game_id: str, file: str, header: Header) -> Record | Reject:
    name = f"{file}: game {game_id}"
    texts: list[str] = []
    gap = None
    for ply, place in enumerate(sorted(game.moves)):
        expected = ply // 2 + 1, ply % 2
        if place != expected:
            gap = f"the move of {('red', 'black')[expected[1]]} in turn {expected[0]} is missing"
            break
        texts.append(game.moves[place])
    read_ = read_moves(texts)
    fault = game.fault or gap
    if fault is not None:
        return _reject(f"{name}: {fault}", game, legal_plies=len(read_.codes))
    if read_.fault is not None:
        return _reject(
            f"{name}: {read_.fault}", game, read_.fault.reason, legal_plies=len(read_.codes)
        )
    return _record(header, game_id, game, read_.codes)


def _reject(
    detail: str, place: _Row | _Game, reason: str = "bad_record", legal_plies: int = 0
) -> Reject:
    return Reject(
        reason=reason,
        detail=detail,
        byte_offset=place.byte_offset,
        line=place.line,
        legal_plies=legal_plies,
    )


def _record(header: Header, game_id: str, place: _Row | _Game, codes: list[int]) -> Record:
    end = settled(header.result, codes, None)
    return Record(
        moves=codes,
        notation="playok",
        encoding=place.encoding,
        byte_offset=place.byte_offset,
        line=place.line,
        site=f"{SITE} {game_id}",
        date=header.date,
        first_name=header.first_name,
        second_name=header.second_name,
        first_elo=header.first_elo,
        second_elo=header.second_elo,
        **end._asdict(),
    )


# -- headers -------------------------------------------------------------------------------


def _read_headers(data: bytes, name: str) -> Iterator[Record | Reject]:
    lines: dict[str, int] = {}
    for row in _rows(data, "headers"):
        header = _header(row)
        game_id = row.values["gameid"]
        if isinstance(header, str):
            yield _reject(f"{name}: {header}", row)
        elif game_id in lines:
            detail = f"line {row.line}: game {game_id} stands in line {lines[game_id]} too"
            yield _reject(f"{name}: {detail}", row)
        else:
            lines[game_id] = row.line
            yield _record(header, game_id, row, [])


def _header(row: _Row) -> Header | str:
    """Header of a row, or what is wrong with it."""
    values = row.values
    if row.fault is not None:
        return row.fault
    if not values["gameid"]:
        return f"line {row.line}: no gameID"
    if values["winner"].lower() not in _WINNERS:
        return f"line {row.line}: winner {values['winner']!r} is none of red, black, draw"
    elo: dict[str, int | None] = {}
    for side in ("red", "black"):
        text = values[f"{side}elo"]
        if text and number(text) is None:
            return f"line {row.line}: {side}ELO {text[:20]!r} is no number of at most nine digits"
        elo[side] = number(text) or None
    return Header(
        date=iso_date(values["game_datetime"]),
        first_name=known(values["redid"]),
        second_name=known(values["blackid"]),
        first_elo=elo["red"],
        second_elo=elo["black"],
        result=_WINNERS[values["winner"].lower()],
    )
