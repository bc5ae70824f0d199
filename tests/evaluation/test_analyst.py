"""An engine asked as for the labels."""

from __future__ import annotations

import pytest

from tabia.engines.config import Engine, Limit
from tabia.engines.errors import EngineNotFoundError
from tabia.engines.label import label_positions
from tabia.engines.store import EngineIdentity
from tabia.engines.uci import find_engine
from tabia.evaluation.analyst import Analyst, differences, settings_of_labels

LABELS = {
    "engine.name": "Stockfish",
    "engine.version": "15.1",
    "engine.net": "nn-1.nnue",
    "engine.options": '{"Hash": 4, "MultiPV": 2, "Threads": 1, "Use NNUE": true}',
}
OPTIONS = {"Hash": 4, "MultiPV": 2, "Threads": 1, "Use NNUE": True}


def identity(**changes):
    known = {"name": "Stockfish", "version": "15.1", "net": "nn-1.nnue", "options": OPTIONS}
    return EngineIdentity(**known | changes, revision=1)


def test_the_engine_is_set_as_for_the_labels():
    engine = settings_of_labels(LABELS, "sf", [Limit(depth=2)])
    assert engine == Engine(command="sf", hash_mb=4, multipv=2, options={"Use NNUE": True})


def test_a_file_in_an_option_cannot_be_set_again():
    labels = {"engine.options": '{"EvalFile": "x.nnue sha256:0123456789abcdef", "Hash": 2}'}
    assert settings_of_labels(labels, "sf", []) == Engine(command="sf", hash_mb=2)


def test_a_long_search_by_the_clock_is_no_hang():
    limits = [Limit(depth=2), Limit(movetime_ms=10**6)]
    assert settings_of_labels({}, "sf", limits).timeout_s > 1500


def test_the_same_engine_does_not_differ():
    assert differences(LABELS, identity()) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": "16"}, "the labels are by Stockfish 15.1, this is Stockfish 16"),
        ({"name": "Other", "version": ""}, "the labels are by Stockfish 15.1, this is Other"),
        ({"net": ""}, "the labels' network is nn-1.nnue, this one's none"),
        ({"options": OPTIONS | {"Hash": 16}}, "option Hash was 4 for the labels and is 16"),
        (
            {"options": {"Hash": 4, "MultiPV": 2, "Threads": 1}},
            "option Use NNUE was True for the labels and is not set",
        ),
    ],
)
def test_what_differs_is_named(changes, words):
    assert differences(LABELS, identity(**changes)) == [words]


def test_labels_that_do_not_name_their_engine_are_told():
    assert differences({}, identity()) == ["the labels do not name their engine"]


@pytest.mark.engine
def test_scores_are_the_labels(tmp_path):
    """For two calls on one engine process, in another order than that of the labels."""
    try:
        find_engine("stockfish")
    except EngineNotFoundError as error:
        pytest.skip(str(error))
    fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - -",
        "2rq1rk1/pb2bppp/1pn1pn2/2p5/2BP4/P1N2N2/1P2QPPP/R1BR2K1 b - -",
    ]
    limits = [Limit(depth=2), Limit(nodes=2000)]
    engine = Engine(hash_mb=1)
    labels = {
        (row["fen"], row["limit"]): row
        for row in label_positions(fens, limits, engine, tmp_path).labels.to_pylist()
    }
    with Analyst(engine) as analyst:
        scores = analyst.scores(fens[1:], limits) + analyst.scores(fens[:1], limits)
    assert len(labels) == 6
    for fen, said in zip([*fens[1:], fens[0]], scores, strict=True):
        for limit in limits:
            row, score = labels[fen, limit.text], said[limit]
            pawns = None if row["score_cp"] is None else row["score_cp"] / 100
            assert (score.pawns, score.mate, score.move) == (pawns, row["mate"], row["move"])
    assert scores[0][limits[0]].mate == -1
