from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabia.records.arrow import Origin, fault_row
from tabia.records.opening import GameFileError
from tabia.records.reading import Batch, read_file, tables_of

ORIGIN = Origin("s", "f", "chess", "people")


def rows(batches: list[Batch]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Rows of the games and rejects tables."""
    games: list[dict[str, object]] = []
    rejects: list[dict[str, object]] = []
    for batch in batches:
        if batch.parsed is not None:
            tables = tables_of([(batch.parsed, ORIGIN)])
            games += tables[0].to_pylist()
            rejects += tables[1].to_pylist()
        if batch.fault is not None:
            rejects += fault_row(batch.fault, batch.ordinal, ORIGIN).to_pylist()
    return games, rejects


def read(path: Path, data: bytes, **options: object) -> list[Batch]:
    path.write_bytes(data)
    return list(read_file(path, "f", **options))  # type: ignore[arg-type]


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def test_every_record_is_accepted_or_rejected_and_has_its_place(
    corpus: bytes, tmp_path: Path
) -> None:
    games, rejects = rows(read(tmp_path / "f", corpus))
    assert (len(games), len(rejects)) == (120, 6)
    ordinals = sorted(row["ordinal"] for row in games + rejects)  # type: ignore[type-var]
    assert ordinals == list(range(126))
    for row in games + rejects:
        assert corpus[int(str(row["byte_offset"])) :].startswith(b'[Event "')
    for row in rejects:
        assert corpus[: int(str(row["byte_offset"]))].count(b"\n") == int(str(row["line"])) - 1
    assert {row["reason"] for row in rejects} == {
        "illegal_move",
        "bad_san",
        "unterminated_comment",
        "unbalanced_variation",
        "unknown_variant",
        "bad_fen",
    }


@pytest.mark.parametrize("size", [1, 100, 1000, 4096, 10_007, 1 << 20])
def test_block_size_changes_nothing(corpus: bytes, size: int, tmp_path: Path) -> None:
    whole = rows(read(tmp_path / "f", corpus))
    assert rows(read(tmp_path / "f", zst(corpus), block_bytes=size)) == whole


def test_threads_change_nothing(corpus: bytes, tmp_path: Path) -> None:
    whole = rows(read(tmp_path / "f", corpus))
    with ThreadPoolExecutor(3) as pool:
        assert rows(read(tmp_path / "f", corpus, block_bytes=700, pool=pool)) == whole


SPAN = st.tuples(st.integers(0, 20_000), st.integers(0, 3000))
SIGNS = [b"{", b"}", b"(", b")", b"\n\n", b"\r\n\r\n", b"[", b'"', b";", b"%", b"*", b"$300"]
STARTS = [b"\xef\xbb\xbf", b"\xe9\xff", b'\n\n[Event "x"]\n', b"\n[Event ", b"\n\n1. e4 "]
PIECES = st.lists(
    st.one_of(SPAN, SPAN, st.sampled_from(SIGNS), st.sampled_from(STARTS), st.binary(max_size=20)),
    max_size=12,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pieces=PIECES, size=st.integers(1, 5000))
def test_spliced_bytes_are_counted_alike_in_any_blocks(
    the_corpus: Callable[[], bytes],
    tmp_path: Path,
    pieces: list[tuple[int, int] | bytes],
    size: int,
) -> None:
    corpus = the_corpus()
    text = b"".join(
        piece if isinstance(piece, bytes) else corpus[piece[0] : piece[0] + piece[1]]
        for piece in pieces
    )
    batches = read(tmp_path / "f", text, block_bytes=size)
    games, rejects = rows(batches)
    assert sum(batch.found for batch in batches) == len(games) + len(rejects)
    assert [row["ordinal"] for row in sorted(games + rejects, key=lambda r: str(r["ordinal"]))] == (
        sorted(range(len(games) + len(rejects)), key=str)
    )
    assert (games, rejects) == rows(read(tmp_path / "f", text))
    assert bool(rejects or games) == bool(text.replace(b"\xef\xbb\xbf", b"").strip())


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cut=st.floats(0, 1), flip=st.floats(0, 0.999), truncate=st.booleans())
def test_a_damaged_file_keeps_the_games_before_the_damage(
    the_corpus: Callable[[], bytes], tmp_path: Path, cut: float, flip: float, truncate: bool
) -> None:
    corpus = the_corpus()
    frames = [zst(corpus[i : i + 5000]) for i in range(0, len(corpus), 5000)]
    packed = bytearray(b"".join(frames))
    if truncate:
        packed = packed[: int(cut * len(packed))]
    else:
        packed[int(flip * len(packed))] ^= 0x55
    whole_games, whole_rejects = rows(read(tmp_path / "f", corpus))
    games, rejects = rows(read(tmp_path / "f", bytes(packed)))
    faults = [row for row in rejects if row["reason"] in ("corrupt_file", "not_pgn")]
    assert len(faults) <= 1
    assert games == whole_games[: len(games)]
    plain = [row for row in rejects if row not in faults]
    assert plain == whole_rejects[: len(plain)]
    ordinals = sorted(int(str(row["ordinal"])) for row in games + rejects)
    assert ordinals == list(range(len(games) + len(rejects)))
    if not faults and packed:  # cut between frames: nothing tells
        assert truncate


def test_a_file_cut_after_a_finished_game_keeps_it(corpus: bytes, tmp_path: Path) -> None:
    packed = zst(corpus[:5000].rpartition(b"[Event")[0])
    games, rejects = rows(read(tmp_path / "f", packed[:-2]))  # half of the checksum is gone
    whole = rows(read(tmp_path / "f", corpus))[0]
    assert games == whole[: len(games)]
    assert len(games) == corpus[:5000].count(b"[Event") - 1
    assert [row["reason"] for row in rejects] == ["corrupt_file"]
    assert rejects[0]["ordinal"] == len(games)


def test_an_unfinished_game_at_the_damage_is_the_corrupt_record(
    corpus: bytes, tmp_path: Path
) -> None:
    end = corpus.index(b" 2. ", 4000) + 4
    packed = zst(corpus[:end])
    games, rejects = rows(read(tmp_path / "f", packed[:-2]))
    assert len(games) + 1 == corpus[:end].count(b"[Event")
    assert rejects[0]["reason"] == "corrupt_file"
    assert rejects[0]["byte_offset"] == corpus[:end].rindex(b"[Event")


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"<!DOCTYPE html>\n<html><body>[Event] 1. e4</body></html>", "HTML"),
        (b"\x7fELF\x02\x01\x01\x00" + bytes(5000), "binary data"),
        ('[Event "x"]\n\n1. e4 *\n'.encode("utf-16"), "UTF-16"),
        (b"Dear reader,\n\nthis is no PGN.\n", "no game in the file; it begins with 'Dear reader"),
        (b"name,elo\nA,2000\n", "no game"),
    ],
)
def test_a_file_that_is_no_pgn_is_one_reject_with_a_reason(
    data: bytes, detail: str, tmp_path: Path
) -> None:
    games, rejects = rows(read(tmp_path / "f", data))
    assert not games
    assert [row["reason"] for row in rejects] == ["not_pgn"]
    assert detail in str(rejects[0]["detail"])


@pytest.mark.parametrize("data", [b"", b"\n\n  \n", b"\xef\xbb\xbf", zst(b"")])
def test_an_empty_file_has_no_games(data: bytes, tmp_path: Path) -> None:
    batches = read(tmp_path / "f", data)
    assert [batch.file for batch in batches] == ["f"]
    assert rows(batches) == ([], [])


def test_members_of_an_archive_are_files_with_their_own_ordinals(
    corpus: bytes, tmp_path: Path
) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in (("a.pgn", corpus), ("read.me", b"hello"), ("b.pgn", corpus)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    batches = read(tmp_path / "f", zst(out.getvalue()), block_bytes=3000)
    by_file: dict[str, list[Batch]] = {}
    for batch in batches:
        by_file.setdefault(batch.file, []).append(batch)
    assert list(by_file) == ["f::a.pgn", "f::read.me", "f::b.pgn"]
    assert rows(by_file["f::a.pgn"]) == rows(by_file["f::b.pgn"])
    assert sum(batch.found for batch in by_file["f::a.pgn"]) == 126
    assert rows(by_file["f::read.me"])[1][0]["reason"] == "not_pgn"


def test_latin_1_and_utf_8_names_come_out_alike(tmp_path: Path) -> None:
    game = '[Event "x"]\n[White "Müller, Jörg"]\n\n1. e4 *\n'
    for data in (game.encode("latin-1"), game.encode(), b"\xef\xbb\xbf" + game.encode()):
        games, rejects = rows(read(tmp_path / "f", data))
        assert not rejects
        assert games[0]["first_name"] == "Müller, Jörg"


def test_absurd_ratings_are_null(tmp_path: Path) -> None:
    text = "".join(
        f'[Event "x"]\n[WhiteElo "{elo}"]\n\n1. e4 *\n\n' for elo in ("", "0", "4001", "4000", "x")
    )
    games, _ = rows(read(tmp_path / "f", text.encode()))
    assert [row["first_elo"] for row in games] == [None, None, None, 4000, None]


def test_the_utc_date_stands_in_for_a_missing_date(tmp_path: Path) -> None:
    text = (
        '[Event "x"]\n[Date "????.??.??"]\n[UTCDate "2020.01.02"]\n\n1. e4 *\n\n'
        '[Event "x"]\n[Date "1999.07.??"]\n[UTCDate "2020.01.02"]\n\n1. e4 *\n\n'
        '[Event "x"]\n\n1. e4 *\n\n'
    )
    games, _ = rows(read(tmp_path / "f", text.encode()))
    assert [row["date"] for row in games] == ["2020-01-02", "1999-07", None]


def test_game_ids_are_distinct_and_depend_on_source_file_and_ordinal(
    corpus: bytes, tmp_path: Path
) -> None:
    (batch,) = read(tmp_path / "f", corpus)
    assert batch.parsed is not None
    ids = [
        tables_of([(batch.parsed, Origin(source, file, "chess", "people"))])[0][
            "game_id"
        ].to_numpy()
        for source, file in (("s", "f"), ("s", "g"), ("t", "f"))
    ]
    assert len(np.unique(np.concatenate(ids))) == 360


def test_a_stretch_without_games_does_not_fill_the_memory(tmp_path: Path) -> None:
    junk = b"nothing here to cut at, " * 40 + b"\n"
    data = b'[Event "x"]\n\n1. e4 *\n\n' + junk * 150_000 + b'\n\n[Event "y"]\n\n1. d4 *\n'
    assert len(data) > 2 * (64 << 20)
    batches = read(tmp_path / "f", zst(data))
    assert max(len(batch.block.data) for batch in batches if batch.block) <= 64 << 20
    games, _ = rows(batches)
    assert [row["event"] for row in games][:1] + [row["event"] for row in games][-1:] == ["x", "y"]


def test_a_missing_file_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"no\.pgn") as error:
        list(read_file(tmp_path / "no.pgn"))
    assert error.value.exit_code == 3
