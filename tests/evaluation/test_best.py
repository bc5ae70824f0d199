"""The model `best`: its view of a position, its nets' encoding, and the contract."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from tabia._native import chess_tactics, chess_terms
from tabia._native.chess_positions import boards_from_fens, piece_codes
from tabia.evaluation.features import PLACEMENT, STATE, placement, state
from tabia.evaluation.models import best
from tabia.evaluation.models.best_nets import Encoding
from tabia.evaluation.models.best_view import MoverView
from tabia.learning.examples import DenseInputs, Examples

COLUMNS = (*chess_terms.COLUMNS, *PLACEMENT, *STATE, *chess_tactics.COLUMNS)
ENGINE = ("input_1", "input_2", "input_3")
SMALL = {"nets": 2, "hidden": (16, 8), "learning_rate": 0.01, "batch": 16, "trees": 40}


def boards(count: int, seed: int) -> list[chess.Board]:
    """Positions some twenty random plies from the start."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(int(rng.integers(12, 40))):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[rng.integers(len(moves))])
        if not board.is_game_over():
            found.append(board)
    return found


def inputs(positions: list[chess.Board]) -> np.ndarray:
    fens = [board.fen() for board in positions]
    packed = boards_from_fens(fens)
    return np.concatenate(
        [
            chess_terms.terms_from_boards(packed),
            placement(piece_codes(packed)),
            state(packed),
            chess_tactics.tactics_from_boards(packed).astype(np.float32),
        ],
        axis=1,
    )


def balance(board: chess.Board) -> float:
    """White's material less Black's."""
    value = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}
    pieces = board.piece_map().values()
    return sum(value[p.piece_type] * (1 if p.color else -1) for p in pieces)


def examples(count: int, seed: int, engine: tuple[str, ...] = ()) -> Examples:
    positions = boards(count, seed)
    rng = np.random.default_rng(seed)
    target = np.array([balance(b) for b in positions], np.float32)
    values = target[:, None] + rng.normal(0, 1, (count, len(engine))).astype(np.float32)
    x = np.concatenate([inputs(positions), values], axis=1).astype(np.float32)
    return Examples(DenseInputs(COLUMNS + engine, x), target, np.arange(count, dtype=np.uint64))


@pytest.fixture(scope="module")
def rows():
    return examples(150, 0), examples(50, 1)


@pytest.fixture(scope="module")
def model(rows):
    return best.fit(*rows, SMALL, 0)


def mae(model, rows: Examples) -> float:
    return float(np.abs(model.predict(rows.inputs.rows(slice(None))) - rows.target).mean())


def named(view: MoverView, x: np.ndarray) -> dict[str, np.ndarray]:
    return dict(zip(view.names, view(x).features.T, strict=True))


def test_a_position_and_its_colour_flip_look_alike_and_have_opposite_values(model):
    positions = boards(40, 2)
    plain, flipped = inputs(positions), inputs([board.mirror() for board in positions])
    one, other = model.view(plain), model.view(flipped)
    np.testing.assert_array_equal(one.side, -other.side)
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(model.predict(plain), -model.predict(flipped))


def test_the_view_counts_pieces_and_rights_from_the_movers_side():
    # Black, to move, is a queen up and may castle short.
    board = chess.Board("4k2r/8/8/3q4/8/8/4P3/R3K3 b Qk - 0 1")
    seen = named(MoverView(COLUMNS), inputs([board]))
    assert seen["material"][0] == 8
    assert seen["count:mover's queens"][0] == 1
    assert seen["count:opponent's pawns"][0] == 1
    assert seen["castle:mover K"][0] == seen["castle:opponent Q"][0] == 1
    assert seen["castle:mover Q"][0] == seen["castle:opponent K"][0] == 0


def test_the_engines_values_are_turned_to_the_mover_and_the_deepest_is_the_base():
    x = np.array([[-1, 2, 3, 5], [1, 2, 3, 5]], np.float32)
    view = MoverView(("white_to_move", *ENGINE))
    seen = view(x)
    np.testing.assert_array_equal(seen.base, [-5, 5])
    steps = named(view, x)
    np.testing.assert_array_equal(steps["engine step 2"], [-2, 2])
    np.testing.assert_array_equal(steps["engine step 2, size"], [2, 2])


def test_pieces_of_a_feature_are_a_staircase_between_its_bounds():
    features = np.array([[0.0, 7], [1, 7], [3, 7]], np.float32)
    encoding = Encoding.measure(features, np.array([True, True]))
    assert encoding.feature.tolist() == [0, 0]  # the second feature is constant
    assert (encoding.low.tolist(), encoding.high.tolist()) == ([0, 1], [1, 3])
    seen = encoding(np.array([[2.0, 7]], np.float32))
    raw = seen[0, 2:] * encoding.piece_spread + encoding.piece_centre
    np.testing.assert_allclose(raw, [1, 0.5], rtol=1e-6)
    assert seen[0, 1] == 0


def test_best_learns_from_150_rows_what_the_mean_does_not(model, rows):
    train, validation = rows
    mean = float(np.abs(validation.target - train.target.mean()).mean())
    assert mae(model, validation) < 0.6 * mean
    assert model.facts["nets"] == 2
    assert model.facts["nodes"] == 48
    assert 0 <= model.facts["net_share"] <= 1


def test_a_saved_model_predicts_as_before_and_equal_models_have_equal_bytes(model, rows, tmp_path):
    again = best.fit(*rows, SMALL, 0)
    other = best.fit(*rows, SMALL, 1)
    for name, saved in (("a", model), ("b", again), ("c", other)):
        (tmp_path / name).mkdir()
        saved.save(tmp_path / name)
    x = rows[1].inputs.rows(slice(None))
    np.testing.assert_array_equal(best.load(tmp_path / "a").predict(x), model.predict(x))
    loaded = best.load(tmp_path / "a")
    assert (loaded.n_parameters, loaded.facts) == (model.n_parameters, model.facts)
    for file in ("weights.safetensors", "model.txt"):
        first = (tmp_path / "a" / file).read_bytes()
        assert first == (tmp_path / "b" / file).read_bytes()
        assert first != (tmp_path / "c" / file).read_bytes()


def test_with_the_engines_values_best_starts_from_the_deepest():
    train, validation = examples(60, 3, ENGINE), examples(20, 4, ENGINE)
    model = best.fit(train, validation, SMALL | {"trees": 1, "epochs": 1}, 0)
    deepest = validation.inputs.rows(slice(None))[:, -1]
    predicted = model.predict(validation.inputs.rows(slice(None)))
    assert np.abs(predicted - deepest).max() < 1


@pytest.mark.parametrize(
    "kept",
    [
        chess_terms.COLUMNS,
        PLACEMENT,
        (*STATE, *chess_tactics.COLUMNS),
        ("white_to_move", *ENGINE),
    ],
    ids=["terms", "placement", "state and tactics", "engine"],
)
def test_any_group_of_inputs_alone_will_do_with_few_rows(kept):
    def cut(rows: Examples) -> Examples:
        places = [rows.inputs.columns.index(name) for name in kept]
        x = rows.inputs.rows(slice(None))[:, places]
        return Examples(DenseInputs(tuple(kept), x), rows.target, rows.game_id)

    model = best.fit(cut(examples(60, 5, ENGINE)), cut(examples(20, 6, ENGINE)), SMALL, 0)
    x = cut(examples(20, 6, ENGINE)).inputs.rows(slice(None))
    assert np.isfinite(model.predict(x)).all()
