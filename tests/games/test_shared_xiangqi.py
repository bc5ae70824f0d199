"""Real xiangqi games through the rules and both vocabularies; skipped where they are absent."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from functools import cache

import numpy as np
import pytest
import zstandard

from tabia._native.xiangqi_board import Board
from tabia._native.xiangqi_positions import expand, legal_moves, replay
from tabia.games.xiangqi_moves import RELATIVE, from_to_indices, moves_of_label, relative_indices
from tests.games.xiangqi_play import XIANGQI, master_games

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}"),
]


@cache
def playok_games() -> list[list[str]]:
    """Moves of 852 PlayOK games as written there: `C2.5`, capitals for Red."""
    packed = (XIANGQI / "playok_moves.csv.zst").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(packed).read().decode()
    games = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        games[row["gameID"]].append((int(row["turn"]), row["side"] == "black", row["move"]))
    return [[move for _, _, move in sorted(game)] for game in games.values()]


def test_every_master_game_replays() -> None:
    games = master_games()
    assert len(games) == 1391
    lengths = [len(game) for game in games]
    assert replay(np.concatenate(games), np.cumsum([0, *lengths])).tolist() == lengths


def test_every_move_of_a_master_game_is_in_both_vocabularies() -> None:
    games = master_games()
    rows = expand(np.concatenate(games), np.cumsum([0, *map(len, games)]))
    played = rows.move != 0xFFFF
    indices = relative_indices(rows.board[played], rows.move[played])
    assert len(np.unique(indices)) > 650
    assert len(np.unique(from_to_indices(rows.move[played]))) > 1500


def test_no_two_legal_moves_of_a_real_position_share_a_label() -> None:
    games = master_games()[::8]
    boards = expand(np.concatenate(games), np.cumsum([0, *map(len, games)])).board
    codes, offsets = legal_moves(boards)
    owners = np.repeat(np.arange(len(boards)), np.diff(offsets))
    named = owners * len(RELATIVE) + relative_indices(boards[owners], codes)
    assert len(np.unique(named)) == len(codes) > 400_000


@pytest.mark.parametrize("part", range(4))
def test_every_playok_token_is_the_label_of_one_legal_move(part: int) -> None:
    games = playok_games()
    assert (len(games), sum(map(len, games))) == (852, 56218)
    for game in games[part * 10 :: 40]:
        board = Board()
        for token in game:
            label = token.upper().replace(".", "=")
            assert label in RELATIVE
            codes = moves_of_label(board, label)
            assert len(codes) == 1, (token, board.fen())
            assert token.islower() == board.black_to_move
            board.push(codes[0])
