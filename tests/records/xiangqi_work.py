"""Xiangqi games and files that the tests of the room share."""

from __future__ import annotations

import io
import random
import tarfile
from typing import Any

import zstandard

from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.write import write_pgn
from tests.games.xiangqi_play import random_game
from tests.records.test_stages import source

ENDGAME = "4k4/9/9/9/9/9/4P4/9/9/R3K4 w - - 0 1"


def game(number: int, **fields: Any) -> Record:
    rng = random.Random(number)
    default: dict[str, Any] = {
        "event": f"Round {number}",
        "date": "2020-01",
        "first_name": f"Player {number % 7}",
        "second_name": f"Player {number % 5}",
        "first_elo": 1000 + 20 * number,
        "second_elo": 1300,
        "result": (1, 0, -1)[number % 3],
    }
    return Record(
        moves=random_game(rng, 20 + number).moves(), notation="wxf", **{**default, **fields}
    )


GAMES = [game(number) for number in range(30)]


def pgn(*records: Record) -> bytes:
    return "".join(write_pgn(record) for record in records).encode()


def xiangqi(name: str = "x", shards: int = 1) -> dict[str, Any]:
    return source(name, shards, "engines", "xiangqi")


HEADERS = "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n" + "".join(
    f"{number},2017-02-10 13:11:10,b{number % 90},{1200 + number},r{number},1500,red\n"
    for number in range(400)
)


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return zstandard.compress(out.getvalue())


TABLE = "gameID,turn,side,move\n"

TWO = "7,1,red,C2.5\n8,1,red,C2.5\n7,1,black,h8+7\n8,1,black,h8+7\n8,2,red,H2+3\n7,2,red,H2+3\n"
