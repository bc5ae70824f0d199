from __future__ import annotations

import io
import tarfile
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tabia._native.chess_board import Board
from tabia.records import blocks, games, occurrences, positions, reading, splits, summary
from tabia.records.config import EloBins
from tabia.records.elo_bins import bin_column
from tabia.records.hashing import in_share, mix, split_of
from tabia.tables import results, schemas
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

SHARES = {"train": 0.5, "validation": 0.25, "test": 0.25}
BINS = {"low": 1000, "high": 2000, "width": 200}
POSITIONS = {"buckets": 3, "game_share": 1.0, "variants": ["standard"]}


def source(
    name: str = "s", shards: int = 1, played_by: str = "people", game: str = "chess"
) -> dict[str, Any]:
    return {"name": name, "game": game, "played_by": played_by, "shards": shards}


class Workdir:
    """Runs the stages of the room in one folder, named as in the rules."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.game_of: dict[str, str] = {}

    def path(self, table: str, *parts: object) -> Path:
        return self.root / table / f"{'/'.join(map(str, parts))}.parquet"

    def games(self, src: dict[str, Any], files: list[Path], shard: int = 0, **extra: Path) -> None:
        self.game_of[src["name"]] = src["game"]
        games.run(
            Spec(
                "records.games", "m", {"source": src["name"], "shard": str(shard)}, {"source": src}
            ),
            files=files,
            **{t: self.path(t, src["name"], shard) for t in ("games", "rejects", "counts")},
            **extra,
        )

    def blocks(self, src: dict[str, Any], file: Path, block_bytes: int | None = None) -> None:
        stem = self.path("blocks", src["name"])
        blocks.run(
            Spec("records.blocks", "m", {"source": src["name"]}, {"source": src}),
            file=file,
            blocks=stem.with_suffix(".zst"),
            index=stem,
            block_bytes=block_bytes,
        )
        for shard in range(src["shards"]):
            self.games(src, [], shard, blocks=stem.with_suffix(".zst"), index=stem)

    def rest(self, shards: list[tuple[str, int]], settings: dict[str, Any] = POSITIONS) -> None:
        for name, shard in shards:
            splits.run(
                Spec("records.splits", "m", {}, {"elo_bins": BINS, "splits": SHARES}),
                games=self.path("games", name, shard),
                splits=self.path("splits", name, shard),
            )
            occurrences.run(
                Spec(
                    "records.occurrences",
                    "m",
                    {},
                    {"game": self.game_of.get(name, "chess"), "positions": settings},
                ),
                games=self.path("games", name, shard),
                occurrences=self.path("occurrences", name, shard),
            )
        by_game: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for shard in shards:
            by_game[self.game_of.get(shard[0], "chess")].append(shard)
        buckets = [(game, bucket) for game in by_game for bucket in range(settings["buckets"])]
        for game, bucket in buckets:
            positions.run(
                Spec(
                    "records.positions",
                    "m",
                    {"game": game, "bucket": str(bucket)},
                    {"positions": settings, "splits": SHARES},
                ),
                occurrences=[self.path("occurrences", *shard) for shard in by_game[game]],
                positions=self.path("positions", game, bucket),
                leaks=self.path("leaks", game, bucket),
            )
        summary.run(
            Spec("records.summary", "m", {}, {"elo_bins": BINS, "splits": SHARES}),
            **{
                table: [self.path(table, *shard) for shard in shards]
                for table in ("counts", "games", "splits")
            },
            leaks=[self.path("leaks", *bucket) for bucket in buckets],
            games_table=self.path("tables", "records_games"),
            elo_bins_table=self.path("tables", "records_elo_bins"),
            leakage_table=self.path("tables", "records_leakage"),
        )

    def rows(self, table: str) -> list[dict[str, Any]]:
        files = sorted((self.root / table).rglob("*.parquet"))
        return [row for file in files for row in pq.read_table(file, partitioning=None).to_pylist()]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, corpus: bytes) -> Workdir:
    """Two sources, people and engines, whose games overlap, through all stages."""
    work = Workdir(tmp_path_factory.mktemp("records"))
    first, second = work.root / "first.pgn", work.root / "second.pgn"
    first.write_bytes(corpus)
    second.write_bytes(corpus[: corpus.index(b'[Event "Casual 30"')])
    work.games(source("a"), [first])
    work.games(source("b", played_by="engines"), [second])
    work.rest([("a", 0), ("b", 0)])
    return work


# -- games and blocks ----------------------------------------------------------------------


@pytest.mark.parametrize("shards", [2, 3, 12])
def test_shards_of_one_file_hold_what_the_file_holds(
    shards: int, corpus: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "big.pgn.zst"
    file.write_bytes(zstandard.compress(corpus))
    whole, cut = Workdir(tmp_path / "whole"), Workdir(tmp_path / "cut")
    whole.games(source(), [file])
    cut.blocks(source(shards=shards), file, block_bytes=900)

    def key(row: dict[str, Any]) -> int:
        return int(row["ordinal"])

    for table in ("games", "rejects"):
        assert sorted(cut.rows(table), key=key) == whole.rows(table)
    added: Counter[tuple[str, str]] = Counter()
    for row in cut.rows("counts"):
        added[row["file"], row["reason"]] += row["games"]
    assert added == Counter(
        {(row["file"], row["reason"]): row["games"] for row in whole.rows("counts")}
    )
    index = pq.read_table(cut.path("blocks", "s"), partitioning=None)
    assert index["shard"].to_pylist() == sorted(index["shard"].to_pylist())
    packed = cut.path("blocks", "s").with_suffix(".zst").read_bytes()
    assert (
        zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read() == corpus
    )


def test_a_fault_of_a_big_file_reaches_one_shard(corpus: bytes, tmp_path: Path) -> None:
    file = tmp_path / "big.pgn.zst"
    packed = b"".join(zstandard.compress(corpus[i : i + 4000]) for i in range(0, len(corpus), 4000))
    file.write_bytes(packed[:-100])
    whole, cut = Workdir(tmp_path / "whole"), Workdir(tmp_path / "cut")
    whole.games(source(), [file])
    cut.blocks(source(shards=3), file, block_bytes=900)
    faults = [row for row in cut.rows("rejects") if row["reason"] == "corrupt_file"]
    assert faults == [row for row in whole.rows("rejects") if row["reason"] == "corrupt_file"]
    assert len(faults) == 1
    assert sum(row["games"] for row in cut.rows("counts")) == sum(
        row["games"] for row in whole.rows("counts")
    )


def folder_alone() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "damaged"), [(b"", []), (folder_alone(), [1])], ids=["empty", "tar without files"]
)
def test_an_empty_file_is_counted_with_no_game(
    content: bytes, damaged: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "empty"
    file.write_bytes(content)
    whole, cut = Workdir(tmp_path / "whole"), Workdir(tmp_path / "cut")
    whole.games(source(), [file])
    cut.blocks(source(shards=2), file)
    for work in (whole, cut):
        assert [(row["file"], row["reason"], row["games"]) for row in work.rows("counts")] == [
            (file.as_posix(), "accepted", 0),
            *((file.as_posix(), "corrupt_file", count) for count in damaged),
        ]


def test_a_record_lost_by_the_parser_is_our_fault_and_is_told(
    corpus: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.pgn").write_bytes(corpus)
    monkeypatch.setattr(reading.Batch, "found", property(lambda batch: batch.parsed.found + 1))
    with pytest.raises(games.CountError, match=r"127 .* 120 accepted and 6 rejected") as lost:
        Workdir(tmp_path).games(source(), [tmp_path / "x.pgn"])
    assert not hasattr(lost.value, "exit_code")  # so the program shows where, and ends with 1
    assert not (tmp_path / "games").exists() or not list((tmp_path / "games").rglob("*.parquet"))


def test_files_are_named_as_given(
    corpus: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/x.pgn").write_bytes(corpus)
    monkeypatch.chdir(tmp_path)
    work = Workdir(Path("results"))
    work.games(source(), [Path("data/x.pgn")])
    assert {
        row["file"] for table in ("games", "rejects", "counts") for row in work.rows(table)
    } == {"data/x.pgn"}


def test_the_same_input_gives_the_same_bytes(corpus: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.pgn"
    file.write_bytes(corpus)
    contents = []
    for name in ("one", "two"):
        work = Workdir(tmp_path / name)
        work.blocks(source(shards=2), file, block_bytes=1000)
        work.rest([("s", 0), ("s", 1)])
        files = sorted(path for path in work.root.rglob("*") if path.is_file())
        contents.append({str(p.relative_to(work.root)): p.read_bytes() for p in files})
    assert contents[0] == contents[1]
    assert not [name for name in contents[0] if "spill" in name or "unfinished" in name]


def test_tables_keep_their_schemas(done: Workdir) -> None:
    for table in ("games", "rejects", "counts", "splits", "occurrences"):
        schema = pq.read_schema(done.path(table, "a", 0)).remove_metadata()
        assert schema.equals(getattr(schemas, table.upper()))
    assert (
        pq.read_schema(done.path("positions", "chess", 0))
        .remove_metadata()
        .equals(schemas.POSITIONS)
    )
    assert pq.read_schema(done.path("leaks", "chess", 0)).remove_metadata().equals(schemas.LEAKS)


# -- splits and bins -----------------------------------------------------------------------


def test_elo_bins_are_half_open() -> None:
    elo = pa.array([None, 1000, 1001, 1200, 1201, 2000, 2001, 1], pa.int32())
    assert bin_column(elo, EloBins(**BINS)).to_pylist() == [
        None,
        None,
        "(1000,1200]",
        "(1000,1200]",
        "(1200,1400]",
        "(1800,2000]",
        None,
        None,
    ]


def test_splits_follow_the_shares_and_the_content() -> None:
    hashes = mix(np.arange(200_000, dtype=np.uint64))
    shares = np.bincount(split_of(hashes, SHARES), minlength=3) / len(hashes)
    assert np.abs(shares - [0.5, 0.25, 0.25]).max() < 0.01
    # Small hashes own positions: they must not lean to one split.
    owners = np.sort(hashes)[:20_000]
    shares = np.bincount(split_of(owners, SHARES), minlength=3) / len(owners)
    assert np.abs(shares - [0.5, 0.25, 0.25]).max() < 0.02


def test_a_larger_share_holds_every_game_of_a_smaller_one() -> None:
    hashes = mix(np.arange(50_000, dtype=np.uint64))
    small, large = in_share(hashes, 0.1), in_share(hashes, 0.3)
    assert abs(small.mean() - 0.1) < 0.01
    assert not (small & ~large).any()
    assert in_share(hashes, 1.0).all()
    codes = split_of(hashes, SHARES)  # the sample is not one split
    assert abs((codes[small] == 0).mean() - 0.5) < 0.03


def test_repeated_games_fall_in_one_split(done: Workdir) -> None:
    by_hash = defaultdict(set)
    split = {row["game_id"]: row["split"] for row in done.rows("splits")}
    for row in done.rows("games"):
        by_hash[row["split_hash"]].add(split[row["game_id"]])
    assert all(len(found) == 1 for found in by_hash.values())
    assert len(by_hash) < len(done.rows("games"))


def test_both_bin_is_set_where_the_players_share_it(done: Workdir) -> None:
    rows = done.rows("splits")
    for row in rows:
        same = row["first_elo_bin"] == row["second_elo_bin"]
        assert row["both_elo_bin"] == (row["first_elo_bin"] if same else None)
    assert any(row["both_elo_bin"] for row in rows)
    assert [row["game_id"] for row in rows] == [row["game_id"] for row in done.rows("games")]


# -- positions -----------------------------------------------------------------------------


def naive_occurrences(work: Workdir) -> list[dict[str, Any]]:
    """The slow twin: play every game on a board, in Python."""
    out = []
    for game in work.rows("games"):
        if game["variant"] != "standard" or not game["moves"]:
            continue
        board = Board(game["start_fen"])
        for ply, move in enumerate([*game["moves"], None]):
            common = {name: game[name] for name in ("game_id", "split_hash", "played_by")}
            row = {"board": board.packed(), "key": board.key, "phase": board.phase}
            out.append({**common, **row, "ply": ply, "move": move})
            if move is not None:
                board.push(move)
    return out


def test_occurrences_are_those_of_a_board_in_python(done: Workdir) -> None:
    names = ("game_id", "ply", "board", "position_key", "phase", "move", "played_by", "split_hash")
    found = {tuple(row[n] for n in names) for row in done.rows("occurrences")}
    names = ("game_id", "ply", "board", "key", "phase", "move", "played_by", "split_hash")
    assert found == {tuple(row[n] for n in names) for row in naive_occurrences(done)}
    assert len(found) == sum(row["n_plies"] + 1 for row in done.rows("games") if row["n_plies"])


def test_occurrences_have_one_row_group_a_bucket(done: Workdir) -> None:
    with pq.ParquetFile(done.path("occurrences", "a", 0)) as file:
        assert file.num_row_groups == 3
        for bucket in range(3):
            keys = file.read_row_group(bucket)["position_key"].to_pylist()
            assert keys == sorted(keys)
            assert {key % 3 for key in keys} == {bucket}


def test_a_bucket_too_long_for_a_row_group_is_refused(
    corpus: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(occurrences, "_LONGEST", 100)
    (tmp_path / "x.pgn").write_bytes(corpus)
    work = Workdir(tmp_path)
    work.games(source(), [tmp_path / "x.pgn"])
    with pytest.raises(occurrences.OccurrencesError, match=r"bucket 0, at most 100 fit; raise"):
        work.rest([("s", 0)])


def test_positions_are_distinct_boards_owned_by_their_first_game(done: Workdir) -> None:
    by_board = defaultdict(list)
    for row in naive_occurrences(done):
        by_board[row["board"]].append(row)
    found = done.rows("positions")
    assert len(found) == len(by_board)
    split = {row["game_id"]: row["split"] for row in done.rows("splits")}
    merged = set()
    for row in found:
        twins = by_board[row["board"]]
        owner = min(twins, key=lambda r: (r["split_hash"], r["game_id"], r["ply"]))
        assert (row["game_id"], row["ply"]) == (owner["game_id"], owner["ply"])
        assert row["split"] == split[owner["game_id"]]
        assert row["n_occurrences"] == len(twins)
        assert row["n_games"] == len({twin["game_id"] for twin in twins})
        players = sorted({twin["played_by"] for twin in twins})
        assert row["played_by"] == " and ".join(players)
        merged.add(row["played_by"])
    assert merged == {"people", "engines and people"}


def test_the_number_of_buckets_and_shards_changes_no_position(
    done: Workdir, tmp_path: Path
) -> None:
    def content(work: Workdir) -> list[dict[str, Any]]:
        return sorted(work.rows("positions"), key=lambda row: row["board"])

    other = Workdir(tmp_path)
    for table in ("games", "counts"):
        for name in ("a", "b"):
            target = other.path(table, name, 0)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(done.path(table, name, 0).read_bytes())
    other.rest([("b", 0), ("a", 0)], {**POSITIONS, "buckets": 11})
    assert content(other) == content(done)


def test_boards_that_share_a_key_stay_apart(tmp_path: Path, corpus: bytes) -> None:
    """A forged table: every board under one key."""
    work = Workdir(tmp_path)
    (tmp_path / "x.pgn").write_bytes(corpus)
    work.games(source(), [tmp_path / "x.pgn"])
    work.rest([("s", 0)], {**POSITIONS, "buckets": 1})
    true = sorted(work.rows("positions"), key=lambda row: row["board"])
    path = work.path("occurrences", "s", 0)
    table = pq.read_table(path, partitioning=None)
    forged = pa.array(np.full(table.num_rows, 7, np.uint64))
    table = table.set_column(0, table.schema.field(0), forged)
    pq.write_table(table, path, row_group_size=table.num_rows)
    positions.run(
        Spec("records.positions", "m", {"game": "chess", "bucket": "0"}, {"splits": SHARES}),
        occurrences=[path],
        positions=tmp_path / "forged.parquet",
        leaks=tmp_path / "leaks.parquet",
    )
    found = pq.read_table(tmp_path / "forged.parquet").to_pylist()
    assert [{**row, "position_key": 0} for row in found] == [
        {**row, "position_key": 0} for row in true
    ]


def test_a_share_of_the_games_and_chosen_variants_are_used(tmp_path: Path, corpus: bytes) -> None:
    chess960 = (
        b'[Event "f"]\n[Variant "Chess960"]\n[SetUp "1"]\n'
        b'[FEN "bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w KQkq - 0 1"]\n\n1. e4 e5 *\n\n'
    )
    (tmp_path / "x.pgn").write_bytes(corpus + chess960)
    work = Workdir(tmp_path)
    work.games(source(), [tmp_path / "x.pgn"])
    games = {row["game_id"]: row for row in work.rows("games")}
    work.rest([("s", 0)], {**POSITIONS, "game_share": 0.5})
    used = {row["game_id"] for row in work.rows("occurrences")}
    assert 0.3 < len(used) / len(games) < 0.7
    assert {games[used_id]["variant"] for used_id in used} == {"standard"}
    work.rest([("s", 0)], {**POSITIONS, "variants": ["chess960"]})
    rows = work.rows("occurrences")
    assert [row["ply"] for row in sorted(rows, key=lambda r: r["ply"])] == [0, 1, 2]
    assert {row["flags"] & 4 for row in rows} == {4}


def test_a_source_without_games_goes_through_every_stage(tmp_path: Path) -> None:
    (tmp_path / "x.pgn").write_bytes(b"")
    work = Workdir(tmp_path)
    work.games(source(), [tmp_path / "x.pgn"])
    work.rest([("s", 0)])
    assert work.rows("positions") == []
    assert {row["value"] for row in work.rows("tables")} == {0.0}


# -- result tables -------------------------------------------------------------------------


def figures(work: Workdir, table: str, *keys: str) -> dict[tuple[Any, ...], float]:
    rows = pq.read_table(work.path("tables", table)).to_pylist()
    return {tuple(row[key] for key in (*keys, "metric")): row["value"] for row in rows}


def test_found_is_accepted_plus_rejected(done: Workdir) -> None:
    found = figures(done, "records_games", "source", "reason")
    assert found["a", "found", "games"] == 126
    assert found["a", "accepted", "games"] == 120
    assert found["a", "illegal_move", "games"] == 1
    assert found["a", "rejected", "rejected games"] == 6
    assert found["all sources", "found", "games"] == 156
    assert found["all sources", "accepted", "games"] == 150
    played = sum(row["n_plies"] > 0 for row in done.rows("games") if row["source"] == "b")
    assert found["b", "accepted", "repeated games"] == played  # all of them are in source a
    for suffix in (".csv", ".md"):
        assert done.path("tables", "records_games").with_suffix(suffix).is_file()


def test_repeated_games_are_those_seen_before(done: Workdir) -> None:
    hashes = [row["split_hash"] for row in done.rows("games") if row["n_plies"]]
    found = figures(done, "records_games", "source", "reason")
    assert found["all sources", "accepted", "repeated games"] == len(hashes) - len(set(hashes))


def test_elo_bins_count_games_and_positions_by_split(done: Workdir) -> None:
    rows = {row["game_id"]: row for row in done.rows("games")}
    expected: Counter[tuple[str, ...]] = Counter()
    for row in done.rows("splits"):
        for who in ("first", "second", "both"):
            keys = (who, row[f"{who}_elo_bin"] or "none", row["split"])
            expected[(*keys, "games")] += 1
            n_plies = rows[row["game_id"]]["n_plies"]
            expected[(*keys, "positions")] += n_plies + 1 if n_plies else 0
    found: Counter[tuple[str, ...]] = Counter()  # people and engines have rows of their own
    for row in pq.read_table(done.path("tables", "records_elo_bins")).to_pylist():
        found[tuple(row[k] for k in ("elo_bin_by", "elo_bin", "split", "metric"))] += row["value"]
    assert found == expected


def test_leakage_is_that_of_sets_in_python(done: Workdir) -> None:
    split = {row["game_id"]: row["split"] for row in done.rows("splits")}
    sets: dict[str, dict[str, set[Any]]] = {
        what: {name: set() for name in SPLITS} for what in ("players", "positions", "moves")
    }
    for row in done.rows("games"):
        sets["players"][split[row["game_id"]]] |= {row["first_name"], row["second_name"]}
    for row in naive_occurrences(done):
        name = split[row["game_id"]]
        sets["positions"][name].add(row["board"])
        if row["move"] is not None:
            sets["moves"][name].add((row["board"], row["move"]))
    found = figures(done, "records_leakage", "split", "other_split", "what")
    for what, by_split in sets.items():
        for a, b in combinations(SPLITS, 2):
            shared = len(by_split[a] & by_split[b])
            assert found[a, b, what, "in split"] == len(by_split[a])
            assert found[a, b, what, "in other split"] == len(by_split[b])
            assert found[a, b, what, "shared"] == shared
            share = found[a, b, what, "shared share of other split"]
            assert share == pytest.approx(shared / len(by_split[b]))
    assert found["train", "test", "positions", "shared"] > 0
    assert found["train", "test", "owned positions", "shared"] == 0


def test_many_files_are_one_row_a_source(tmp_path: Path) -> None:
    files = []
    for number in range(201):
        files.append(tmp_path / f"{number}.pgn")
        files[-1].write_bytes(b'[Event "x"]\n\n1. e4 *\n')
    work = Workdir(tmp_path / "results")
    work.games(source(), files)
    work.rest([("s", 0)])
    found = figures(work, "records_games", "source", "file", "reason")
    assert found["s", "201 files", "found", "games"] == 201
    assert found["s", "201 files", "accepted", "repeated games"] == 200


def test_the_tables_folder_holds_tables_alone_even_while_they_are_made(
    tmp_path: Path, corpus: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.pgn").write_bytes(corpus)
    work = Workdir(tmp_path)
    work.games(source(), [tmp_path / "x.pgn"])
    seen: list[str] = []
    write = results.write

    def look(*args: Any, **keywords: Any) -> None:
        write(*args, **keywords)
        seen.extend(path.name for path in (tmp_path / "tables").iterdir())

    monkeypatch.setattr(results, "write", look)
    work.rest([("s", 0)])
    assert {name.partition(".")[0] for name in seen} == {
        "records_games",
        "records_elo_bins",
        "records_leakage",
    }


def test_every_figure_has_its_interval(done: Workdir) -> None:
    for path in (done.root / "tables").glob("*.parquet"):
        table = pq.read_table(path)
        results.check(table, path.stem)
        assert set(table["interval"].to_pylist()) == {results.EXACT}
