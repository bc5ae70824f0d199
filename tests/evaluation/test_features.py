from __future__ import annotations

import chess
import numpy as np
import pyarrow as pa
import pytest

from tabia._native.chess_positions import boards_from_fens
from tabia.evaluation.boards import packed
from tabia.evaluation.dataset import kept
from tabia.evaluation.features import PLACEMENT, STATE, FeaturesError, examples, state
from tabia.tables import parquet


@pytest.fixture(scope="module")
def rows(chapter):
    return kept(parquet.read(chapter / "dataset.parquet"), "mate")


def test_placement_is_the_papers_bitmap(rows):
    """Slow twin: python-chess reads the FEN; layer by kind and colour, 1 White, -1 Black."""
    found = examples(rows, 3, ["placement"], {})["train"]
    x = found.inputs.rows(slice(0, 40))
    assert x.shape == (40, 768)
    assert x.dtype == np.float32
    fens = [row["fen"] for row in rows.to_pylist() if row["split"] == "train"]
    for inputs, fen in zip(x, fens, strict=False):
        expected = np.zeros(768)
        for square, piece in chess.Board(fen + " 0 1").piece_map().items():
            layer = piece.piece_type - 1 + (0 if piece.color else 6)
            expected[64 * layer + square] = 1 if piece.color else -1
        np.testing.assert_array_equal(inputs, expected)


def test_placement_names_its_inputs():
    assert len(set(PLACEMENT)) == 768
    assert (PLACEMENT[0], PLACEMENT[64], PLACEMENT[384], PLACEMENT[-1]) == (
        "P@a1",
        "N@a1",
        "p@a1",
        "k@h8",
    )


@pytest.mark.parametrize(("scenario", "width"), [(1, 771), (2, 770), (3, 768)])
def test_scenarios_add_the_shallower_engine_values(rows, scenario, width):
    found = examples(rows, scenario, ["placement"], {})["test"]
    x = found.inputs.rows(slice(None))
    assert x.shape == (len(found), width) == (len(found), len(found.inputs.columns))
    test = [row for row in rows.to_pylist() if row["split"] == "test"]
    for number, name in enumerate(("input_1", "input_2", "input_3")[: width - 768]):
        assert found.inputs.columns[768 + number] == name
        np.testing.assert_array_equal(x[:, 768 + number], [row[name] for row in test])


def test_splits_are_disjoint_by_game_and_cover_every_row(rows):
    found = examples(rows, 1, [], {})
    assert sum(len(part) for part in found.values()) == len(rows)
    games = [game for part in found.values() for game in set(part.game_id.tolist())]
    assert len(games) == len(set(games))


def test_mates_never_enter(chapter):
    whole = parquet.read(chapter / "dataset.parquet")
    assert 0 < sum(whole["is_mate"].to_pylist()) < len(whole) / 10
    for filter_ in ("mate", "abs20"):
        assert not any(kept(whole, filter_)["is_mate"].to_pylist())
    with pytest.raises(ValueError, match="filter mates"):
        examples(whole, 1, [], {})


def test_boards_of_sliced_and_chunked_columns(rows):
    column = rows["board"]
    expected = np.frombuffer(b"".join(column.to_pylist()), np.uint8).reshape(-1, 32)
    np.testing.assert_array_equal(packed(column.slice(7, 20)), expected[7:27])
    assert packed(column.slice(0, 0)).shape == (0, 32)


def slow_state(fen: str) -> list[float]:
    """Slow twin: python-chess reads the FEN."""
    board = chess.Board(f"{' '.join(fen.split()[:4])} 0 1", chess960=True)
    rights = (
        has(side)
        for side in (chess.WHITE, chess.BLACK)
        for has in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    )
    return [1 if board.turn else -1, *rights]


def test_state_tells_the_mover_and_the_castling_rights(rows):
    found = examples(rows, 3, ["state"], {})["train"]
    assert found.inputs.columns == STATE
    fens = [row["fen"] for row in rows.to_pylist() if row["split"] == "train"]
    x = found.inputs.rows(slice(None))
    for values, fen in zip(x, fens, strict=True):
        _, mover, rights, _ = fen.split()
        assert values.tolist() == [1 if mover == "w" else -1, *(sign in rights for sign in "KQkq")]
    assert {1.0, -1.0} == set(x[:, 0].tolist())
    assert 0 < x[:, 1:].mean() < 1


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (chess.STARTING_FEN, [1, 1, 1, 1, 1]),
        ("r3k2r/8/8/8/8/8/8/R3K2R b Kq -", [-1, 1, 0, 0, 1]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - -", [1, 0, 0, 0, 0]),
        ("1r2k1r1/8/8/8/8/8/8/R4K1R b Hg - 0 1", [-1, 1, 0, 1, 0]),  # Chess960
        ("1r3kr1/5p2/8/8/8/8/5P2/2R1KR2 w Cb - 0 1", [1, 0, 1, 0, 1]),
        ("4k3/8/8/8/8/8/8/4K3 b - -", [-1, 0, 0, 0, 0]),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", [-1, 1, 1, 1, 1]),
    ],
)
def test_the_state_of_a_board_is_that_of_its_fen(fen, expected):
    assert state(boards_from_fens([fen])).tolist() == [expected] == [slow_state(fen)]


def test_tables_are_joined_by_position_whatever_their_order(rows):
    ids = rows["position_id"].to_pylist()
    values = list(range(len(ids)))
    table = pa.table({"position_id": ids[::-1], "a": values[::-1], "b": [-v for v in values[::-1]]})
    found = examples(rows, 1, ["state", "terms"], {"terms": table})
    assert found["test"].inputs.columns == (*STATE, "a", "b", "input_1", "input_2", "input_3")
    own = [v for v, split in zip(values, rows["split"].to_pylist(), strict=True) if split == "test"]
    np.testing.assert_array_equal(found["test"].inputs.rows(slice(None))[:, 5], own)
    np.testing.assert_array_equal(found["test"].inputs.rows(slice(None))[:, 6], np.negative(own))


def test_a_table_without_some_position_is_not_of_this_run(rows):
    table = pa.table(
        {"position_id": rows["position_id"].to_pylist()[2:], "a": range(len(rows) - 2)}
    )
    with pytest.raises(FeaturesError, match="2 positions of the dataset are not in the table of"):
        examples(rows, 3, ["terms"], {"terms": table})
