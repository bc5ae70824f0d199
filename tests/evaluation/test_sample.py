from __future__ import annotations

from collections import Counter
from pathlib import Path

import chess
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tabia.evaluation import sample
from tabia.tables import parquet, schemas
from tabia.tables.ids import position_id
from tests.evaluation.world import game_positions, spec


def choose(folder: Path, parts: list[pa.Table], seed: int = 1, **settings: object) -> pa.Table:
    files = []
    for number, part in enumerate(parts):
        files.append(folder / f"{number}.parquet")
        parquet.write(part, files[-1])
    job = spec("sample", {"seed": seed, "sample": settings})
    sample.run(job, positions=files, sample=folder / "sample.parquet")
    return parquet.read(folder / "sample.parquet")


def ids(table: pa.Table) -> list[bytes]:
    return table["position_id"].to_pylist()


def test_the_sample_has_its_schema_and_is_ordered_by_id(chapter):
    table = parquet.read(chapter / "sample.parquet")
    assert table.schema.equals(schemas.SAMPLE)
    assert ids(table) == sorted(ids(table))
    assert len(set(ids(table))) == len(table) > 1500


def test_ids_and_fens_are_those_of_the_boards(chapter, positions):
    table = parquet.read(chapter / "sample.parquet")
    for row in table.slice(0, 50).to_pylist():
        assert row["position_id"] == position_id(row["fen"])
        board = chess.Board(row["fen"] + " 0 1")
        assert board.is_valid()
        assert board.epd(en_passant="legal") == row["fen"]
    key = dict(
        zip(positions["board"].to_pylist(), positions["position_key"].to_pylist(), strict=True)
    )
    assert all(key[row["board"]] == row["position_key"] for row in table.to_pylist())


def test_middlegame_means_phase_strictly_between_0_and_128(positions, tmp_path):
    phase = choose(tmp_path, [positions])["phase"].to_numpy()
    assert phase.min() > 0
    assert phase.max() < 128
    wanted = positions.filter(
        (pc.field("phase") > 0)
        & (pc.field("phase") < 128)
        & (pc.bit_wise_and(pc.field("flags"), 6) == 0)
    )
    assert len(phase) == len(wanted) < len(positions)
    assert len(choose(tmp_path, [positions], phase="any")) > len(phase)


@pytest.mark.parametrize("flag", [2, 4])
def test_positions_without_a_legal_move_and_chess960_never_enter(positions, tmp_path, flag):
    """Whatever the phase asked for."""
    flags = np.where(np.arange(len(positions)) % 2, flag, 0).astype(np.uint8)
    number = positions.schema.get_field_index("flags")
    marked = positions.set_column(number, schemas.POSITIONS.field("flags"), pa.array(flags))
    chosen = choose(tmp_path, [marked], phase="any")
    assert set(chosen["flags"].to_pylist()) == {0}
    assert len(chosen) == (flags == 0).sum()


def test_min_ply_drops_earlier_positions(positions, tmp_path):
    assert min(choose(tmp_path, [positions], min_ply=30)["ply"].to_pylist()) == 30


def test_limits_hold_and_are_used_up(positions, tmp_path):
    all_of = Counter(choose(tmp_path, [positions])["game_id"].to_pylist())
    some_of = Counter(choose(tmp_path, [positions], per_game=3)["game_id"].to_pylist())
    assert some_of == {game: min(3, count) for game, count in all_of.items()}
    assert len(choose(tmp_path, [positions], per_game=3, positions=77)) == 77
    assert len(choose(tmp_path, [positions], positions=77)) == 77


@pytest.mark.parametrize("settings", [{"positions": 300}, {"per_game": 4, "positions": 150}])
def test_the_choice_does_not_depend_on_files_or_their_order(positions, tmp_path, settings):
    whole = choose(tmp_path, [positions], **settings)
    order = np.random.default_rng(3).permutation(len(positions))
    mixed = positions.take(pa.array(order))
    parts = [mixed.slice(0, 500), mixed.slice(500, 0), mixed.slice(500)]
    assert choose(tmp_path, parts, **settings).equals(whole)
    assert choose(tmp_path, parts[::-1], **settings).equals(whole)


def test_another_seed_gives_another_choice(positions, tmp_path):
    first = set(ids(choose(tmp_path, [positions], seed=1, positions=300)))
    second = set(ids(choose(tmp_path, [positions], seed=2, positions=300)))
    assert 5 < len(first & second) < 100  # about 300 * 300 / len(positions)


def test_adding_games_displaces_only_as_many_positions_as_come_in(positions, tmp_path):
    """A tenth more games change about a tenth of the choice, and no old position comes in."""
    more = game_positions(30, seed=7)
    before = set(ids(choose(tmp_path, [positions], per_game=5, positions=400)))
    after = choose(tmp_path, [positions, more], per_game=5, positions=400)
    new = set(more["board"].to_pylist())
    came = {row["position_id"] for row in after.to_pylist() if row["board"] in new}
    assert set(ids(after)) - before == came
    assert 0 < len(came) < 80


def test_a_sample_of_nothing_is_an_empty_table(tmp_path):
    chosen = choose(tmp_path, [schemas.POSITIONS.empty_table()])
    assert chosen.schema.equals(schemas.SAMPLE)
    assert len(chosen) == 0


def test_the_same_spec_gives_the_same_bytes(positions, tmp_path):
    choose(tmp_path, [positions], positions=100)
    first = (tmp_path / "sample.parquet").read_bytes()
    choose(tmp_path, [positions], positions=100)
    assert (tmp_path / "sample.parquet").read_bytes() == first
