"""What ``tabia evaluate`` says of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabia.evaluation import card
from tabia.evaluation.models.mean import MeanModel
from tabia.evaluation.predictor import Predictor
from tabia.learning.rbf import RBFNetwork
from tabia.learning.rbf_explanation import Explanation, FiredCentre, MovingInput
from tests.app.evaluate_command.made import (
    CHECK,
    ENDGAME,
    KEYS,
    MATED,
    MIDDLEGAME,
    STALEMATE,
    START,
    Evaluate,
    codes,
)
from tests.evaluation.made_models import about, material_model


def test_the_report_of_a_position(run: Evaluate, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path))
    assert list(report) == KEYS
    assert report["fen"] == MIDDLEGAME.removesuffix(" 3 21")
    assert report["value"] == -0.75
    assert (report["result"], report["side_to_move"]) == (None, "white")
    assert (report["phase"], report["in_check"]) == (107, False)
    assert (report["engine"], report["engine_inputs"], report["notes"]) == (None, [], [])
    assert report["model"] == {
        "folder": str(tmp_path),
        "name": "ridge_placement",
        "filter": "abs20",
        "scenario": 3,
        "seed": 0,
        "split_by": "game",
        "test_mae": 1.25,
        "test_positions": 1200,
        "test_games": 800,
    }


def test_effects_are_told_strongest_first_and_the_others_summed(
    run: Evaluate, tmp_path: Path
) -> None:
    explanation = run(MIDDLEGAME, material_model(tmp_path))[0]["explanation"]
    assert list(explanation) == [
        "base",
        "effects",
        "other_effects",
        "remainder",
        "spheres",
        "neighbours",
    ]
    assert explanation["base"] == 0.25
    first, second = explanation["effects"][:2]
    assert first == {"input": "Q@e2", "value": 1.0, "mean": 0.0, "pawns": 9.0}
    assert second == {"input": "q@e7", "value": -1.0, "mean": 0.0, "pawns": -9.0}
    assert len(explanation["effects"]) == 8
    told = sum(effect["pawns"] for effect in explanation["effects"])
    assert explanation["base"] + told + explanation["other_effects"]["pawns"] == -0.75
    pieces = sum(letter.isalpha() for letter in MIDDLEGAME.split()[0])
    assert explanation["other_effects"]["inputs"] == pieces - 2 - 8  # kings weigh nothing


def test_values_without_explanations_are_the_same_and_inputs_are_made_once(
    run: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = material_model(tmp_path)
    (whole,) = run(MIDDLEGAME, model)
    monkeypatch.delattr(Predictor, "model_inputs")
    (short,) = run(MIDDLEGAME, model, explain=False)
    assert short == whole | {"explanation": None}


def test_a_model_that_gives_no_explanation_says_so(run: Evaluate, tmp_path: Path) -> None:
    MeanModel(0.5).save(tmp_path)
    card.write(about(model="mean", run="mean", groups=[], inputs=[], input_means=[]), tmp_path)
    (report,) = run(MIDDLEGAME, tmp_path)
    assert (report["value"], report["explanation"]) == (0.5, None)
    assert report["notes"] == [{"code": "no_explanation", "text": "mean gives no explanation"}]


@pytest.mark.parametrize(
    ("fen", "value", "result", "words"),
    [
        (MATED, None, "1-0", "checkmate, White has won"),
        (STALEMATE, 0.0, "1/2-1/2", "stalemate"),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 0.0, "1/2-1/2", "pieces to mate"),
        (MIDDLEGAME.replace("3 21", "100 121"), 0.0, "1/2-1/2", "fifty-move rule"),
    ],
)
def test_the_rules_decide_where_the_game_is_over(
    run: Evaluate, tmp_path: Path, fen: str, value: float | None, result: str, words: str
) -> None:
    (report,) = run(fen, material_model(tmp_path))
    assert (report["value"], report["result"]) == (value, result)
    assert (report["explanation"], report["engine"]) == (None, None)
    assert codes(report) == ["over"]
    assert words in report["notes"][0]["text"]


@pytest.mark.parametrize(
    ("fen", "changes", "code"),
    [
        (START, {}, "phase"),
        (ENDGAME, {}, "phase"),
        (MIDDLEGAME, {"phases": [108, 127]}, "phase"),
        (CHECK, {}, "check"),
        (MIDDLEGAME, {"split_by": "position"}, "leaking_split"),
    ],
)
def test_what_makes_a_value_doubtful_is_told(
    run: Evaluate, tmp_path: Path, fen: str, changes: dict[str, Any], code: str
) -> None:
    (report,) = run(fen, material_model(tmp_path, **changes))
    assert report["value"] is not None
    assert codes(report) == [code]


def test_a_position_outside_every_sphere_is_told(
    run: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tabia.evaluation import explain

    found = Explanation(
        value=-0.75,
        fired=(FiredCentre(3, 0.75, 0.25, 0.5),),
        rest=-1.25,
        neighbours=(),
        base=0.25,
        moving=(MovingInput("white_mobility", 3.0, 2.5, -1.0), MovingInput("x", 0.0, 0.0, 0.0)),
        remainder=0.0,
        outside=True,
        distance=1.5,
        unseen=(),
    )

    monkeypatch.setattr(explain, "explain", lambda network, x: found)
    plain = explain.Explainer.__init__

    def init(self: Any, predictor: Any) -> None:
        plain(self, predictor)
        self._model = RBFNetwork.__new__(RBFNetwork)  # what it would say is put in its mouth

    monkeypatch.setattr(explain.Explainer, "__init__", init)
    (report,) = run(MIDDLEGAME, material_model(tmp_path))
    assert codes(report) == ["outside"]
    assert "outside every sphere (relative distance 1.50" in report["notes"][0]["text"]
    assert report["explanation"] == {
        "base": 0.25,
        "effects": [{"input": "white_mobility", "value": 3.0, "mean": 2.5, "pawns": -1.0}],
        "other_effects": {"inputs": 0, "pawns": 0.0},
        "remainder": 0.0,
        "spheres": {
            "outside": True,
            "distance": 1.5,
            "unseen": [],
            "fired": 1,
            "fired_pawns": 0.5,
            "other_pawns": -1.25,
            "centres": [{"centre": 3, "distance": 0.75, "membership": 0.25, "pawns": 0.5}],
        },
        "neighbours": [],
    }
