from __future__ import annotations

import csv
import hashlib
import os
import random
from pathlib import Path
from typing import Any

import pytest

from tabia.records import fetch
from tabia.records.download import DownloadError, Patience
from tabia.tables.spec import Spec

ROOT = Path(__file__).parents[2]
CONTENT = random.Random(1).randbytes(48 << 16)
HASH = hashlib.sha256(CONTENT).hexdigest()
HASTY = Patience(tries=3, connect_s=5, stall_s=0.4, first_wait_s=0.01, longest_wait_s=0.02)


@pytest.fixture
def fetched(server: Any, tmp_path: Path) -> Any:
    server.files["/games.pgn.zst"] = CONTENT

    def call(**row: str) -> bytes:
        full = {"name": "games", "url": f"{server.url}/games.pgn.zst", "sha256": "", **row}
        fetch.run(
            Spec("records.fetch", "m", {"archive": "games"}, {"archive": full}),
            archive=tmp_path / "archives/games",
            state=tmp_path / "state",
            pins=tmp_path / "pins",
            patience=HASTY,
        )
        return (tmp_path / "archives/games").read_bytes()

    return call


def test_a_listed_hash_is_checked_and_nothing_is_pinned(fetched: Any, tmp_path: Path) -> None:
    assert fetched(sha256=HASH) == CONTENT
    assert not (tmp_path / "pins").exists()
    assert list((tmp_path / "state").iterdir()) == []


def test_a_dropped_connection_is_continued_where_it_broke(fetched: Any, server: Any) -> None:
    server.faults = ["drop", "drop"]
    assert fetched(sha256=HASH) == CONTENT
    assert server.ranges == [None, "bytes=1572864-", "bytes=2359296-"]


def test_a_stalled_connection_times_out_and_is_continued(fetched: Any, server: Any) -> None:
    server.faults = ["stall"]
    assert fetched(sha256=HASH) == CONTENT
    assert server.ranges == [None, "bytes=1572864-"]


def test_a_later_call_continues_the_part_of_an_earlier_one(
    fetched: Any, server: Any, tmp_path: Path
) -> None:
    server.faults = ["drop", "503", "503", "503"]
    with pytest.raises(DownloadError, match="run again to go on"):
        fetched(sha256=HASH)
    assert not (tmp_path / "archives/games").exists()
    assert fetched(sha256=HASH) == CONTENT
    assert server.ranges[-1] == "bytes=1572864-"


def test_a_kill_while_the_archive_is_put_in_place_loses_nothing(
    fetched: Any, server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Kill(BaseException):
        pass

    places = []

    def kill(*_: object) -> None:
        places.append(sorted(p.suffix for p in tmp_path.glob("*/games*") if p.suffix != ".json"))
        raise Kill

    with monkeypatch.context() as patch:
        flush = os.fsync

        def kill_at_the_part(fd: int) -> None:
            flush(fd)
            if os.fstat(fd).st_size == len(CONTENT):
                kill()

        patch.setattr(os, "fsync", kill_at_the_part)
        with pytest.raises(Kill):
            fetched(sha256=HASH)
    with monkeypatch.context() as patch:
        replace = Path.replace

        def kill_after_the_rename(path: Path, target: Path) -> None:
            replace(path, target)
            if path.suffix == ".part":
                kill()

        patch.setattr(Path, "replace", kill_after_the_rename)
        with pytest.raises(Kill):
            fetched(sha256=HASH)
    assert places == [[".part"], [""]]
    assert (tmp_path / "archives/games").read_bytes() == CONTENT
    assert server.ranges == [None]


def test_a_file_that_changed_on_the_server_starts_afresh(fetched: Any, server: Any) -> None:
    server.faults = ["drop", "503", "503", "503"]
    with pytest.raises(DownloadError):
        fetched()
    server.files["/games.pgn.zst"], server.etag = CONTENT[::-1], '"v2"'
    assert fetched() == CONTENT[::-1]


def test_a_server_without_validators_is_judged_by_size(fetched: Any, server: Any) -> None:
    server.etag, server.faults = "", ["drop"]
    assert fetched(sha256=HASH) == CONTENT
    assert server.ranges[-1] == "bytes=1572864-"


def test_a_server_that_ignores_range_starts_afresh(fetched: Any, server: Any) -> None:
    server.honours_range, server.faults = False, ["drop"]
    assert fetched(sha256=HASH) == CONTENT


def test_a_server_that_ignores_range_and_always_drops_is_given_up(
    fetched: Any, server: Any
) -> None:
    server.honours_range, server.faults = False, ["drop"] * 20
    with pytest.raises(DownloadError, match="gave up after 3 tries"):
        fetched(sha256=HASH)


def test_a_wrong_byte_is_refused_and_the_download_deleted(
    fetched: Any, server: Any, tmp_path: Path
) -> None:
    server.faults = ["wrong byte"]
    with pytest.raises(DownloadError, match="sha256 is .* says " + HASH):
        fetched(sha256=HASH)
    assert not (tmp_path / "archives/games").exists()
    assert fetched(sha256=HASH) == CONTENT


def test_a_wrong_byte_in_a_joined_download_is_mended_by_a_fresh_one(
    fetched: Any, server: Any
) -> None:
    server.faults = ["drop", "wrong byte"]
    assert fetched(sha256=HASH) == CONTENT


def test_a_busy_server_is_tried_again(fetched: Any, server: Any) -> None:
    server.faults = ["503", "429"]
    assert fetched(sha256=HASH) == CONTENT


def test_a_missing_file_is_refused_at_once(fetched: Any, server: Any) -> None:
    with pytest.raises(DownloadError, match="HTTP 404"):
        fetched(url=f"{server.url}/other")
    assert len(server.ranges) == 1


def test_an_unreachable_server_is_named(fetched: Any) -> None:
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1:1/x: gave up after 3 tries"):
        fetched(url="http://127.0.0.1:1/x")


def test_a_blank_hash_is_read_from_the_publisher_and_pinned(
    fetched: Any, server: Any, tmp_path: Path
) -> None:
    other = "0" * 64
    server.files["/sums.txt"] = f"{other}  else.zst\n{HASH}  games.pgn.zst\n".encode()
    assert fetched(sha256_url=f"{server.url}/sums.txt") == CONTENT
    pin = (tmp_path / "pins/games.sha256").read_text()
    assert pin.endswith(f"{HASH}  games.pgn.zst\n")
    assert "sums.txt" in pin
    server.files["/sums.txt"] = b""  # the pin is enough from now on
    assert fetched(sha256_url=f"{server.url}/sums.txt") == CONTENT


def test_a_file_unlike_the_publishers_list_is_not_pinned(
    fetched: Any, server: Any, tmp_path: Path
) -> None:
    server.files["/sums.txt"] = f"{'0' * 64}  games.pgn.zst\n".encode()
    with pytest.raises(DownloadError, match=r"sums\.txt says 000"):
        fetched(sha256_url=f"{server.url}/sums.txt")
    assert not (tmp_path / "pins").exists()


def test_a_list_without_the_file_says_so(fetched: Any, server: Any) -> None:
    server.files["/sums.txt"] = f"{HASH}  else.zst\n".encode()
    with pytest.raises(DownloadError, match=r"no line for games\.pgn\.zst"):
        fetched(sha256_url=f"{server.url}/sums.txt")


def test_without_any_checksum_the_first_download_is_pinned_and_says_so(
    fetched: Any, server: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetched() == CONTENT
    assert "No publisher's checksum is known" in capsys.readouterr().err
    assert "No publisher's checksum is known" in (tmp_path / "pins/games.sha256").read_text()
    server.files["/games.pgn.zst"] = CONTENT[:-1]
    server.etag = '"v2"'
    with pytest.raises(DownloadError, match="delete the pin and run again"):
        fetched()


def test_a_wrong_size_is_refused(fetched: Any) -> None:
    with pytest.raises(DownloadError, match=r"3,145,728 bytes, .* says 7"):
        fetched(bytes="7")


def test_the_bundled_list_of_archives_is_complete() -> None:
    with (ROOT / "resources/archives.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        assert list(row) == ["name", "url", "sha256", "sha256_url", "bytes", "licence", "notes"]
        assert row["url"].startswith("https://")
        assert row["sha256"] or row["sha256_url"]
        assert row["licence"]
