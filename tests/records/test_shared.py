"""All real chess records, counted by a second way: lines that begin with ``[Event ``."""

from __future__ import annotations

import io
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import zstandard

from tabia.records import blocks, games
from tabia.tables.spec import Spec

pytestmark = pytest.mark.shared

TABLES = ("games", "rejects", "counts")


def plain_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Name and plain content of every file, without the code under test."""
    for path in sorted(folder.glob("*.zst")):
        with path.open("rb") as file:
            text = zstandard.ZstdDecompressor().stream_reader(file).read()
        if ".tar" not in path.name:
            yield path.as_posix(), text
            continue
        with tarfile.open(fileobj=io.BytesIO(text)) as archive:
            for member in archive:
                content = archive.extractfile(member)
                assert content is not None
                yield f"{path.as_posix()}::{member.name}", content.read()


def source(shards: int = 1) -> dict[str, Any]:
    return {"name": "real", "game": "chess", "played_by": "people", "shards": shards}


@pytest.fixture(scope="module")
def real(shared_chess: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("real")
    games.run(
        Spec("records.games", "m", {"source": "real", "shard": "0"}, {"source": source()}),
        files=sorted(shared_chess.glob("*.zst")),
        **{table: root / f"{table}.parquet" for table in TABLES},
    )
    return {table: pq.read_table(root / f"{table}.parquet") for table in TABLES}


def test_found_is_what_a_plain_count_of_event_lines_finds(
    real: dict[str, Any], shared_chess: Path
) -> None:
    expected = {
        name: len(re.findall(rb"^\[Event ", text, re.MULTILINE))
        for name, text in plain_files(shared_chess)
    }
    found: Counter[str] = Counter()
    for row in real["counts"].to_pylist():
        found[row["file"]] += row["games"]
    assert found == expected
    assert found.total() == 36_362


def test_accepted_and_rejected_add_up_to_found(real: dict[str, Any]) -> None:
    counts = real["counts"].to_pylist()
    accepted = sum(row["games"] for row in counts if row["reason"] == "accepted")
    assert real["games"].num_rows == accepted
    assert real["rejects"].num_rows == sum(row["games"] for row in counts) - accepted
    reasons = Counter(real["rejects"]["reason"].to_pylist())
    assert reasons == Counter(
        {row["reason"]: row["games"] for row in counts if row["reason"] != "accepted"}
    )


def test_chess960_games_are_kept_and_flagged(real: dict[str, Any]) -> None:
    table = real["games"]
    flagged = table.filter(pc.equal(table["variant"].cast("string"), "chess960"))
    assert flagged.num_rows == 3_018
    assert all("chess960" in file for file in flagged["file"].unique().to_pylist())


def test_latin_1_names_are_read(real: dict[str, Any]) -> None:
    names = set(real["games"]["second_name"].to_pylist())
    assert "Wälbers, W." in names
    assert not any("�" in name for name in names if name)


def test_lichess_games_have_both_ratings_and_a_day(real: dict[str, Any]) -> None:
    table = real["games"]
    lichess = table.filter(pc.match_substring(table["file"].cast("string"), "/lichess_"))
    assert lichess.num_rows == 3_018 + 2_824 + 4_390 + 293
    assert lichess["first_elo"].null_count == lichess["second_elo"].null_count == 0
    assert pc.all(pc.match_substring_regex(lichess["date"], r"^20\d\d-\d\d-\d\d$")).as_py()


def test_empty_ratings_are_null(real: dict[str, Any]) -> None:
    table = real["games"]
    fischer = table.filter(pc.ends_with(table["file"].cast("string"), "Fischer.pgn"))
    assert fischer["first_elo"].null_count > 0
    assert pc.min(table["first_elo"]).as_py() > 0


def test_ids_are_distinct_and_offsets_lead_to_the_game(
    real: dict[str, Any], shared_chess: Path
) -> None:
    table = real["games"]
    assert len(table["game_id"].unique()) == table.num_rows
    text = dict(plain_files(shared_chess))
    for row in table.select(["file", "byte_offset", "event"]).to_pylist()[::97]:
        assert text[row["file"]][row["byte_offset"] :].startswith(b"[Event ")


def test_shards_of_the_archive_give_the_same_games(
    real: dict[str, Any], shared_chess: Path, tmp_path: Path
) -> None:
    archive = shared_chess / "top_players_10.pgn.tar.zst"
    cut, index = tmp_path / "blocks.zst", tmp_path / "index.parquet"
    blocks.run(
        Spec("records.blocks", "m", {"source": "real"}, {"source": source(5)}),
        file=archive,
        blocks=cut,
        index=index,
    )
    ids: list[int] = []
    shares = []
    for shard in range(5):
        games.run(
            Spec(
                "records.games", "m", {"source": "real", "shard": str(shard)}, {"source": source()}
            ),
            files=[],
            blocks=cut,
            index=index,
            **{table: tmp_path / f"{table}.parquet" for table in TABLES},
        )
        ids += pq.read_table(tmp_path / "games.parquet")["game_id"].to_pylist()
        shares.append(len(ids))
    whole = real["games"]
    whole = whole.filter(pc.match_substring(whole["file"].cast("string"), "top_players"))
    assert ids == whole["game_id"].to_pylist()
    assert max(sizes(shares)) < 0.3 * len(ids)


def sizes(ends: list[int]) -> list[int]:
    return [end - start for start, end in zip([0, *ends[:-1]], ends, strict=True)]
