"""Texts of real xiangqi games; skipped where they are absent."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator

import pytest
import zstandard

from tabia._native.xiangqi_board import decode_move
from tabia.games.xiangqi_notation import read_moves, write_moves
from tests.games.test_shared_xiangqi import playok_games
from tests.games.xiangqi_play import XIANGQI

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}"),
]

FEN = re.compile(r'\[FEN "(.*?)"\]')
NOT_MOVES = re.compile(r"\d+\.|1-0|0-1|1/2-1/2|\*|=+")
FILES = 2000


def games_of(text: str) -> Iterator[tuple[str | None, list[str]]]:
    """Start and tokens of the games of a PGN file without comments."""
    for game in re.split(r"(?<=\n\n)(?=\[)", text.replace("\r", "")):
        fen = FEN.search(game)
        tokens = game[game.rfind("]\n") + 1 :].split()
        moves = [token for token in tokens if not NOT_MOVES.fullmatch(token)]
        yield (fen and fen[1]), moves


def test_every_playok_move_is_read_and_written_alike() -> None:
    games = playok_games()
    results = [read_moves(game) for game in games]
    assert [result.fault for result in results if result.fault] == []
    assert sum(len(result.codes) for result in results) == 56218
    for game, result in zip(games, results, strict=True):
        assert write_moves(result.codes, None, "playok") == game
        only_red = len(game) == 1
        assert result.notation == "playok" or only_red


def test_the_same_fifteen_games_in_three_notations() -> None:
    names = {
        "wxf": "fullwidth_wxf_international",
        "chinese": "chinese_simplified_utf8",
        "ucci": "ucci_lower_noresult",
    }
    texts, codes = {}, {}
    for notation, name in names.items():
        file = XIANGQI / f"formats/{name}.pgn"
        texts[notation] = [moves for _, moves in games_of(file.read_text("utf-8"))]
        results = [read_moves(moves) for moves in texts[notation]]
        assert [result.fault for result in results] == [None] * 15
        assert {result.notation for result in results} == {notation}
        codes[notation] = [result.codes for result in results]
    assert codes["wxf"] == codes["chinese"]
    written = [write_moves(moves, None, "chinese_simplified") for moves in codes["chinese"]]
    assert written == texts["chinese"]
    # Move 36 of the second game is the rear pawn's in words, the front one's in coordinates.
    assert texts["chinese"][1][70] == "后兵进一"
    assert texts["ucci"][1][70] == "e5e6"
    assert decode_move(codes["chinese"][1][70]) == "e3e4"
    for i, (words, coordinates) in enumerate(zip(codes["chinese"], codes["ucci"], strict=True)):
        assert (words == coordinates) == (i != 1)


def test_traditional_chinese_files_are_read() -> None:
    path = XIANGQI / "ccpd_raw_big5_pgn.tar.zst"
    faults, plies, files = [], 0, 0
    with (
        path.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as stream,
        tarfile.open(fileobj=stream, mode="r|") as archive,
    ):
        for member in archive:
            if not member.name.endswith(".pgn"):
                continue
            file = archive.extractfile(member)
            assert file is not None
            ((fen, moves),) = games_of(file.read().decode("big5", "replace"))
            result = read_moves(moves, fen)
            plies += len(result.codes)
            if result.fault:
                faults.append(member.name)
            elif moves:
                assert result.notation == "chinese"
            files += 1
            if files == FILES:
                break
    assert files == FILES
    assert plies > 45_000
    assert faults == []
