from __future__ import annotations

import chess
import numpy as np
import pyarrow as pa
import pytest

from tabia._native.chess_positions import boards_from_fens
from tabia._native.chess_tactics import COLUMNS as TACTICS
from tabia._native.chess_terms import COLUMNS as TERMS
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


def of_group(name, ids, values):
    """A table of a group: value + the input's number in every column."""
    columns = {"terms": TERMS, "tactics": TACTICS}[name]
    start = np.asarray(values, np.float64)
    return pa.table({"position_id": ids} | {c: start + n for n, c in enumerate(columns)})


def test_tables_are_joined_by_position_whatever_their_order(rows):
    ids = rows["position_id"].to_pylist()
    values = list(range(len(ids)))
    table = of_group("terms", ids[::-1], values[::-1])
    found = examples(rows, 1, ["state", "terms"], {"terms": table})
    assert found["test"].inputs.columns == (*STATE, *TERMS, "input_1", "input_2", "input_3")
    own = [v for v, split in zip(values, rows["split"].to_pylist(), strict=True) if split == "test"]
    np.testing.assert_array_equal(found["test"].inputs.rows(slice(None))[:, 5], own)
    np.testing.assert_array_equal(found["test"].inputs.rows(slice(None))[:, 6], np.add(own, 1))


def test_the_order_of_a_tables_columns_does_not_matter(rows):
    table = of_group("terms", rows["position_id"].to_pylist(), range(len(rows)))
    turned = table.select(table.column_names[::-1])
    first, second = (examples(rows, 3, ["terms"], {"terms": t})["test"] for t in (table, turned))
    assert first.inputs.columns == second.inputs.columns == TERMS
    np.testing.assert_array_equal(first.inputs.rows(slice(None)), second.inputs.rows(slice(None)))


def test_a_table_without_some_position_is_not_of_this_run(rows):
    table = of_group("terms", rows["position_id"].to_pylist()[2:], range(len(rows) - 2))
    with pytest.raises(FeaturesError, match="2 positions of the dataset are not in the table of"):
        examples(rows, 3, ["terms"], {"terms": table})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda table: table.drop_columns([TERMS[7]]),
            f"194 inputs of this version: no {TERMS[7]}",
        ),
        (
            lambda table: table.append_column("a", table[TERMS[0]]),
            "a column a that is none of them",
        ),
        (lambda table: table.append_column(TERMS[3], table[TERMS[0]]), "a column twice"),
        (lambda table: table.drop_columns(["position_id"]), "no position_id"),
        (
            lambda table: table.set_column(1, TERMS[0], pa.array(["x"] * len(table))),
            f"{TERMS[0]} holds string, no numbers",
        ),
    ],
)
def test_a_table_has_exactly_the_inputs_of_its_group(rows, change, message):
    table = change(of_group("terms", rows["position_id"].to_pylist(), range(len(rows))))
    with pytest.raises(FeaturesError, match=message) as error:
        examples(rows, 3, ["terms"], {"terms": table})
    assert error.value.exit_code == 3


def test_the_table_of_another_group_is_refused(rows):
    table = of_group("tactics", rows["position_id"].to_pylist(), range(len(rows)))
    with pytest.raises(FeaturesError, match="table of terms has not the 194 inputs"):
        examples(rows, 3, ["terms"], {"terms": table})


@pytest.mark.parametrize("value", [None, np.nan, np.inf, -np.inf])
def test_an_input_that_is_no_number_is_refused_with_its_column_and_position(rows, value):
    table = of_group("terms", rows["position_id"].to_pylist(), range(len(rows)))
    column = table[TERMS[5]].to_pylist()
    column[9] = value
    table = table.set_column(6, TERMS[5], pa.array(column, pa.float64()))
    place = rows["position_id"][9].as_py().hex()
    with pytest.raises(FeaturesError, match=rf"{TERMS[5]} in the table of terms .*{place}, no fin"):
        examples(rows, 3, ["terms"], {"terms": table})


@pytest.mark.parametrize("name", ["input_2", "target"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_engine_value_that_is_no_number_is_refused_with_its_position(rows, name, value):
    column = rows[name].to_pylist()
    column[4] = value
    number = rows.schema.get_field_index(name)
    changed = rows.set_column(number, name, pa.array(column, pa.float32()))
    place = rows["position_id"][4].as_py().hex()
    with pytest.raises(FeaturesError, match=rf"the dataset's {name} is .*{place}, no finite"):
        examples(changed, 1, ["placement"], {})


@pytest.mark.parametrize(
    ("group", "message"), [("terms", "give --terms"), ("planes", "only terms, tactics have tables")]
)
def test_a_group_without_its_table_is_told(rows, group, message):
    with pytest.raises(FeaturesError, match=message):
        examples(rows, 3, [group], {})
