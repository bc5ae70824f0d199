"""Which candidate a phase chooses, on made tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabia.imitation import phase
from tabia.imitation.models.config import RecurrentStructure
from tabia.imitation.models.modules import candidate_name
from tabia.imitation.search import CANDIDATES, SearchError, variables
from tabia.tables import parquet
from tabia.tables.spec import Spec

SPEC = Spec("imitation.phase", "mark")


def candidate(folder: Path, values: dict[str, Any], **more: Any) -> Path:
    structure = RecurrentStructure.model_validate(more.pop("before", {}) | values).model_dump()
    row = {
        "game": "xiangqi",
        "net": "xqsv",
        "bin": "1200-1300",
        "phase": 1,
        "candidate": candidate_name(values),
        **variables(structure),
        "structure": json.dumps(structure, sort_keys=True),
        "n_train_games": 10,
        "n_train_positions": 100,
        "n_games": 5,
        "n_positions": 50,
        "validation_top1": 0.2,
        "validation_nll": 3.0,
        "validation_unfiltered_top1": 0.1,
        "validation_illegal": 0.5,
        "game_positions": [20, 30],
        "game_hits": [4, 6],
        "game_nll": [60.0, 90.0],
        "parameters": 1000,
        "epochs": 3,
        "chosen": False,
        "played_by": "people",
    } | more
    path = folder / f"{row['phase']}_{row['candidate']}.parquet"
    parquet.write(pa.Table.from_pylist([row], CANDIDATES), path)
    return path


def chosen(folder: Path, *own: dict[str, Any]) -> tuple[int, pa.Table]:
    values = [{"memory": 5 + place, "rnn": "gru"} for place in range(len(own))]
    paths = [candidate(folder, v, **more) for v, more in zip(values, own, strict=True)]
    out = folder / "phase.parquet"
    phase.run(SPEC, candidates=paths, previous=None, phase=out)
    table = parquet.read(out)
    assert table.schema.remove_metadata().equals(CANDIDATES)
    assert table["memory"].to_pylist() == [value["memory"] for value in values]
    marks = table["chosen"].to_pylist()
    assert sum(marks) == 1
    return marks.index(True), table


def test_the_highest_accuracy_on_validation_wins(tmp_path: Path):
    best, _ = chosen(
        tmp_path,
        {"validation_top1": 0.21, "validation_nll": 2.0, "parameters": 1},
        {"validation_top1": 0.23},
        {"validation_top1": 0.22, "validation_unfiltered_top1": 0.22},
    )
    assert best == 1


def test_of_equals_the_lowest_negative_log_likelihood_wins(tmp_path: Path):
    assert chosen(tmp_path, {}, {"validation_nll": 2.9}, {"parameters": 1})[0] == 1


def test_of_equals_then_the_fewest_parameters_win(tmp_path: Path):
    assert chosen(tmp_path, {}, {"parameters": 999}, {"parameters": 1001})[0] == 1


def test_of_equals_then_the_first_wins(tmp_path: Path):
    assert chosen(tmp_path, {}, {}, {})[0] == 0


def test_a_candidate_with_a_fault_does_not_win(tmp_path: Path):
    none = dict.fromkeys(("validation_top1", "validation_nll", "parameters"))
    best, table = chosen(tmp_path, {"fault": "diverged", **none}, {}, {"fault": "diverged", **none})
    assert best == 1
    assert table["fault"].to_pylist() == ["diverged", None, "diverged"]


def test_candidates_of_several_searches_are_refused(tmp_path: Path):
    one = candidate(tmp_path, {"memory": 5, "rnn": "gru"})
    other = candidate(tmp_path, {"memory": 6, "rnn": "gru"}, bin="1300-1400")
    with pytest.raises(SearchError, match="bin 1200-1300, 1300-1400; delete them"):
        phase.run(SPEC, candidates=[one, other], previous=None, phase=tmp_path / "out.parquet")
    with pytest.raises(SearchError, match="a phase of no candidates"):
        phase.run(SPEC, candidates=[], previous=None, phase=tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()


def test_candidates_that_stem_from_another_winner_are_refused(tmp_path: Path):
    chosen(tmp_path, {}, {"validation_top1": 0.3})
    first = tmp_path / "phase.parquet"
    values = {"rnn_dropout": 0.2, "rnn_hidden": 128}
    good = candidate(tmp_path, values, phase=2, before={"memory": 6, "rnn": "gru"})
    phase.run(SPEC, candidates=[good], previous=first, phase=tmp_path / "second.parquet")
    stale = candidate(tmp_path, values, phase=2, before={"memory": 5, "rnn": "gru"})
    with pytest.raises(SearchError, match=r"memory not as the winner of .*phase.parquet has it"):
        phase.run(SPEC, candidates=[stale], previous=first, phase=tmp_path / "second.parquet")


def test_a_table_that_marks_no_winner_is_refused(tmp_path: Path):
    first = candidate(tmp_path, {"memory": 5, "rnn": "gru"})
    second = candidate(tmp_path, {"rnn_dropout": 0.2, "rnn_hidden": 128}, phase=2)
    with pytest.raises(SearchError, match="marks 0 candidates as chosen, not one"):
        phase.run(SPEC, candidates=[second], previous=first, phase=tmp_path / "out.parquet")
