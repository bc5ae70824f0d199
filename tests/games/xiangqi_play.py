"""Xiangqi games for tests: random play, and real games where the machine has some."""

from __future__ import annotations

import os
import random
import re
import zipfile
from functools import cache
from pathlib import Path

from tabia._native.xiangqi_board import Board, encode_move

XIANGQI = (
    Path(os.environ.get("TABIA_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    / "data/xiangqi"
)


def random_game(rng: random.Random, plies: int) -> Board:
    """Play up to `plies` random moves from the start, checks and captures twice as often."""
    board = Board()
    for _ in range(plies):
        codes = board.legal_moves()
        if not codes:
            break
        pieces = board.piece_codes()
        captures = [code for code in codes if pieces[code % 90]]
        board.push(rng.choice(captures if captures and rng.random() < 0.2 else codes))
    return board


@cache
def master_games() -> list[list[int]]:
    """Move codes of the coordinate games in the shared folder."""
    with zipfile.ZipFile(XIANGQI / "Hu_Ronghua_1391_UCI_games.zip") as archive:
        text = archive.read(archive.namelist()[0]).decode()
    games = re.split(r"\n\s*\n(?=\[Event )", text)
    return [
        [encode_move(move) for move in re.findall(r"\b[a-i]\d[a-i]\d\b", game)] for game in games
    ]
