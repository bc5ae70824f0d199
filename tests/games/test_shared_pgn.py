"""The parser on real files of public games; skipped where they are absent."""

from __future__ import annotations

import io
import os
import tarfile
from functools import cache
from pathlib import Path

import pytest
import zstandard

from tests.games.pgn import codes, parse, python_chess

SHARED = Path(os.environ.get("TABIA_SHARED", Path(__file__).resolve().parents[3] / "shared"))
CHESS = SHARED / "data" / "chess"
PLAIN = [
    "lichess_allgames_chess960.pgn.zst",
    "lichess_allgames_rb.pgn.zst",
    "lichess_allgames_series.pgn.zst",
    "lichess_games_noevals_lwu1800_s31.pgn.zst",
]
MASTERS = "top_players_10.pgn.tar.zst"
# Games of each file; none of them is damaged, and python-chess finds as many.
FOUND = dict(zip(PLAIN, [3018, 2824, 4390, 293], strict=True)) | {
    "Anand.pgn": None,
    "Kasparov.pgn": None,
}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CHESS.is_dir(), reason=f"no real game records in {CHESS}"),
]


@cache
def content(name: str) -> bytes:
    return zstandard.ZstdDecompressor().stream_reader((CHESS / name).read_bytes()).read()


@cache
def masters() -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(content(MASTERS))) as archive:
        members = [member for member in archive if member.isfile()]
        return {member.name: archive.extractfile(member).read() for member in members}


@pytest.mark.parametrize("name", PLAIN)
def test_every_lichess_game_is_accepted(name: str) -> None:
    parsed = parse(content(name))
    assert parsed.rejects == []
    assert parsed.found == content(name).count(b"[Event ") == FOUND[name]


def test_every_game_of_the_masters_is_accepted() -> None:
    for name, data in masters().items():
        parsed = parse(data)
        assert parsed.rejects == [], name
        assert parsed.found == data.count(b"[Event "), name


@pytest.mark.parametrize("name", PLAIN)
def test_a_sample_equals_python_chess(name: str) -> None:
    compare(content(name), every=29)


def test_a_sample_of_the_masters_equals_python_chess() -> None:
    for data in masters().values():
        compare(data, every=101)


def compare(data: bytes, every: int) -> None:
    games = parse(data).games
    for game in games[::every]:
        start = game["byte_offset"]
        end = data.find(b"\n[Event ", start)
        text = data[start : end if end >= 0 else len(data)]
        assert data[:start].count(b"\n") + 1 == game["line"]
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            decoded = text.decode("cp1252")
        (twin,) = python_chess(decoded)
        assert not twin.errors
        assert game["moves"] == codes(twin)
        assert game["white"] == (twin.headers["White"].strip() or None)
        assert game["start_fen"] in (None, twin.headers.get("FEN"))
        assert game["variant"] == ("chess960" if twin.board().chess960 else "standard")
