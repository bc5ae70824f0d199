"""Files that another reader, cchess, reads as well: what it reads of them is equal.

cchess leaves illegal moves out without a word, so only files without any are shown to it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tabia._native.xiangqi_board import decode_move
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.record import Record
from tests.games.xiangqi_play import XIANGQI, random_game
from tests.records.xiangqi.program_files import Game, cbf, cbl, cbr, xqf

cchess = pytest.importorskip("cchess")

READERS = {
    "xqf": cchess.read_from_xqf,
    "cbf": cchess.read_from_cbf,
    "cbr": cchess.read_from_cbr,
}
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "*": None}


def main_line(game: Any) -> list[str]:
    moves = []
    move = game.first_move
    while move is not None:
        moves.append(move.to_iccs())
        move = move.next_move
    return moves


def ours(data: bytes, name: str) -> list[Record]:
    results = list(formats.read(data, name))
    games = [result for result in results if isinstance(result, Record)]
    assert len(games) == len(results)
    return games


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("xqf", xqf(Game(random_game(random.Random(21), 40).moves(), result=1), 10)),
        ("xqf", xqf(Game(random_game(random.Random(22), 40).moves(), comments={3: "好"}))),
        (
            "cbr",
            cbr(Game(random_game(random.Random(23), 40).moves(), comments={1: "好"}, result=2)),
        ),
        ("cbf", cbf(Game(random_game(random.Random(24), 40).moves()))),
    ],
    ids=["xqf 1.0", "xqf 1.8", "cbr", "cbf"],
)
def test_written_files_are_read_alike(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"game.{name}"
    path.write_bytes(data)
    game = READERS[name](str(path))
    (record,) = ours(data, path.name)
    assert main_line(game) == [decode_move(code) for code in record.moves]
    if name != "cbf":  # of which cchess reads moves only
        assert RESULTS[game.info["result"]] == record.result
    if name == "xqf":  # of CBR's comments it reads none, because they end without a NUL
        comments = {}
        move, ply = game.first_move, 1
        while move is not None:
            if move.annote:
                comments[ply] = move.annote
            move, ply = move.next_move, ply + 1
        assert comments == record.comments


def test_written_libraries_are_read_alike(tmp_path: Path) -> None:
    games = [Game(random_game(random.Random(seed), 20).moves()) for seed in range(4)]
    path = tmp_path / "games.cbl"
    path.write_bytes(cbl(games))
    theirs = cchess.read_from_cbl(str(path))["games"]
    records = ours(path.read_bytes(), path.name)
    assert [main_line(game) for game in theirs] == [
        [decode_move(code) for code in record.moves] for record in records
    ]


@pytest.mark.shared
@pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}")
@pytest.mark.parametrize("name", ["BadMoveTest1.xqf", "test.xqf", "test.cbf", "test.cbr"])
def test_real_files_are_read_alike(name: str) -> None:
    path = XIANGQI / "formats" / name
    (record,) = ours(path.read_bytes(), name)
    game = READERS[path.suffix[1:]](str(path))
    assert main_line(game) == [decode_move(code) for code in record.moves]
