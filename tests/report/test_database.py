from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from tabia._native import chess_board, chess_tactics
from tabia.evaluation.choose import CHOICES
from tabia.evaluation.dataset import DATASET
from tabia.evaluation.scores import KEYS
from tabia.evaluation.terms import TERMS_TABLE
from tabia.evaluation.train import PREDICTIONS, TIMES
from tabia.games.xiangqi import GAME, XiangqiPosition
from tabia.imitation import scores as imitation_scores
from tabia.imitation.predictions import PREDICTIONS as MOVE_PREDICTIONS
from tabia.imitation.samples import schema as samples_of
from tabia.report import database, glossary
from tabia.report.database import DatabaseError
from tabia.search.selfplay_tables import DUELS, SELFPLAY_GAMES, SELFPLAY_POSITIONS
from tabia.tables import parquet, results, schemas
from tabia.tables.spec import Spec
from tests.report import made

SPEC = Spec("report.database", "mark")
SCORES = pa.schema([*((key, pa.string()) for key in KEYS), *results.FIGURE])
MOVE_SCORES = pa.schema(
    [
        *((key, pa.string()) for key in imitation_scores.KEYS),
        *results.FIGURE,
        ("draws", pa.list_(pa.float64())),
    ]
)
TACTICS = pa.schema(
    [("position_id", pa.binary(16)), *((name, pa.int32()) for name in chess_tactics.COLUMNS)]
)
FILES = {
    **{
        f"records/{name}/{shard}": getattr(schemas, name.upper())
        for name in ("games", "rejects", "counts", "splits", "occurrences")
        for shard in ("club/0", "club/1")
    },
    "records/positions/chess/0": schemas.POSITIONS,
    "records/positions/xiangqi/0": schemas.of_game(schemas.POSITIONS, "xiangqi"),
    "records/leaks/chess/0": schemas.LEAKS,
    "evaluation/sample": schemas.SAMPLE,
    "evaluation/labels/0": schemas.LABELS,
    "evaluation/label_rejects/0": schemas.LABEL_REJECTS,
    "evaluation/dataset": DATASET,
    "evaluation/terms": TERMS_TABLE,
    "evaluation/tactics": TACTICS,
    "evaluation/choices/mate/3/mlp_lm": CHOICES,
    "evaluation/predictions/mate/3/ridge/0": PREDICTIONS,
    "evaluation/times/mate/3/ridge/0": TIMES,
    "evaluation/scores/mate/3/ridge/0": SCORES,
    "imitation/xiangqi/samples": samples_of("xiangqi"),
    "imitation/chess/samples": samples_of("chess"),
    "imitation/xiangqi/unrated": samples_of("xiangqi"),
    "imitation/xiangqi/predictions/book/1000-1100/0": MOVE_PREDICTIONS,
    "imitation/xiangqi/predictions/one_net/all/3": MOVE_PREDICTIONS,
    "imitation/xiangqi/scores/book": MOVE_SCORES,
    "search/go5/selfplay/1/0/games": SELFPLAY_GAMES,
    "search/go5/selfplay/2/1/games": SELFPLAY_GAMES,
    "search/go5/selfplay/2/1/positions": SELFPLAY_POSITIONS,
    "search/go5/matches/2-random": DUELS,
    "search/go5/gates/2": DUELS,
}
VIEW_OF = {"samples": "imitation_moves", "unrated": "imitation_moves"}
"""View of a file of the imitation chapter, where it is not of the file's name."""


def view_of(file: str) -> str:
    chapter, *below = file.split("/")
    if chapter == "search":
        of = {"matches": "match_games", "gates": "gate_games"}
        return f"search_{of.get(below[1], f'selfplay_{below[-1]}')}"
    if chapter != "imitation":
        return below[0]
    return VIEW_OF.get(below[1], f"imitation_{below[1]}")


def row(schema: pa.Schema, number: int) -> pa.Table:
    """One row of plausible values."""

    def value(type_: pa.DataType) -> object:
        if pa.types.is_fixed_size_binary(type_):
            return bytes([number]) * type_.byte_width
        if pa.types.is_binary(type_):
            return bytes([number])
        if pa.types.is_list(type_):
            return [number]
        if pa.types.is_string(type_) or pa.types.is_dictionary(type_):
            return "x"
        return pa.types.is_boolean(type_) or number

    return pa.table({f.name: pa.array([value(f.type)], f.type) for f in schema}, schema=schema)


@pytest.fixture(scope="module")
def results_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with one row in every file, and its database."""
    folder = tmp_path_factory.mktemp("project") / "results"
    for number, (name, schema) in enumerate(FILES.items()):
        parquet.write(row(schema, number % 2), folder / f"{name}.parquet")
    made.records(folder, "people")
    database.run(
        SPEC,
        tables=made.tables(folder),
        parquet=[folder / f"{name}.parquet" for name in FILES],
        database=folder / "tabia.duckdb",
    )
    return folder


@pytest.fixture
def connection(results_folder: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    monkeypatch.chdir(results_folder.parent)
    return duckdb.connect("results/tabia.duckdb", read_only=True)


def ask(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = connection.execute(query).fetchall()
    return rows


@pytest.mark.parametrize("name", glossary.VIEWS)
def test_every_documented_view_can_be_selected(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    files = [file for file in FILES if view_of(file) == name]
    assert ask(connection, f"SELECT count(*) FROM {name}") == [(len(files),)]


@pytest.mark.parametrize("name", ["records_games", "records_elo_bins", "records_leakage"])
def test_result_tables_are_in_the_file(
    connection: duckdb.DuckDBPyConnection, results_folder: Path, name: str
) -> None:
    rows = parquet.read(results_folder / f"tables/{name}.parquet").num_rows
    assert ask(connection, f"SELECT count(*) FROM {name}") == [(rows,)]


def test_games_show_their_split_and_elo_bins(connection: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT game_id, split, both_elo_bin, n_plies FROM games ORDER BY game_id"
    assert ask(connection, query) == [(0, "x", "x", 0), (1, "x", "x", 1)]


def test_predictions_say_whose_they_are(connection: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT filter, scenario, model, seed FROM predictions"
    assert ask(connection, query) == [("mate", 3, "ridge", 0)]


def test_predicted_moves_say_whose_they_are(connection: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT game, model, trained_on, fold FROM imitation_predictions ORDER BY model"
    assert ask(connection, query) == [
        ("xiangqi", "book", "(1000,1100]", 0),
        ("xiangqi", "one_net", "all bins", 3),
    ]


def test_games_of_learners_say_whose_they_are(connection: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT learner, generation, shard FROM search_selfplay_games ORDER BY generation"
    assert ask(connection, query) == [("go5", 1, 0), ("go5", 2, 1)]
    assert ask(connection, query.replace("games", "positions")) == [("go5", 2, 1)]
    assert ask(connection, "SELECT learner, first FROM search_match_games") == [("go5", "x")]
    assert ask(connection, "SELECT learner, generation FROM search_gate_games") == [("go5", 2)]


def test_moves_of_rated_games_are_told_from_others(connection: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT rated, count(*) FROM imitation_moves GROUP BY rated ORDER BY rated"
    assert ask(connection, query) == [(False, 1), (True, 2)]


def test_codes_are_written_as_moves_in_sql(connection: duckdb.DuckDBPyConnection) -> None:
    def texts(game: str, codes: list[int]) -> list[object]:
        query = f"SELECT move_text('{game}', code) FROM unnest({codes}) AS t(code)"
        return [text for (text,) in ask(connection, query)]

    xiangqi = [int(code) for code in XiangqiPosition().legal_moves()]
    assert texts("xiangqi", xiangqi) == [GAME.decode(code) for code in xiangqi]
    board = chess_board.Board("r3k2r/6P1/8/8/8/8/8/R3K2R w KQkq - 0 1")
    chess = [int(code) for code in board.legal_moves()]
    assert texts("chess", chess) == [chess_board.decode_uci(code) for code in chess]
    assert {"e1c1", "g7h8n", "g7g8q", "g7g8r", "g7g8b"} <= set(texts("chess", chess))
    assert texts("go", [0, 18, 19, 360, 361]) == ["aa", "sa", "ab", "ss", "pass"]


def test_every_table_and_column_has_a_comment(connection: duckdb.DuckDBPyConnection) -> None:
    tables = "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL OR comment = ''"
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL"
    columns = (
        "SELECT table_name, column_name FROM duckdb_columns()"
        " WHERE NOT internal AND comment IS NULL"
    )
    assert [ask(connection, query) for query in (tables, views, columns)] == [[], [], []]


def test_comments_say_units_and_point_of_view(connection: duckdb.DuckDBPyConnection) -> None:
    query = (
        "SELECT comment FROM duckdb_columns()"
        " WHERE table_name = 'labels' AND column_name = 'score_cp'"
    )
    comment = str(ask(connection, query)[0][0])
    assert "White's view" in comment
    assert "centipawns" in comment


def test_views_name_no_folder_of_this_machine(
    connection: duckdb.DuckDBPyConnection, results_folder: Path
) -> None:
    for (text,) in ask(connection, "SELECT sql FROM duckdb_views() WHERE NOT internal"):
        assert str(results_folder.parent) not in str(text)


def test_a_moved_results_folder_still_answers(
    connection: duckdb.DuckDBPyConnection,
    results_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    connection.execute(f"SET VARIABLE {glossary.ROOT_VARIABLE} = '{results_folder.parent}/'")
    assert ask(connection, "SELECT count(*) FROM positions") == [(2,)]


def test_a_file_outside_the_results_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    stray = tmp_path / "stray.parquet"
    parquet.write(row(schemas.LEAKS, 0), stray)
    results_folder = tmp_path / "results"
    results_folder.mkdir()
    with pytest.raises(DatabaseError, match="not inside"):
        database.run(SPEC, tables=[], parquet=[stray], database=results_folder / "tabia.duckdb")
    assert list(results_folder.iterdir()) == []


def test_a_broken_file_leaves_the_old_database(results_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    broken = folder / "records/leaks/0.parquet"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"not Parquet")
    (folder / "tabia.duckdb").write_bytes(b"old")
    with pytest.raises(duckdb.Error):
        database.run(SPEC, tables=[], parquet=[broken], database=folder / "tabia.duckdb")
    assert sorted(path.name for path in folder.iterdir()) == ["records", "tabia.duckdb"]
    assert (folder / "tabia.duckdb").read_bytes() == b"old"


def test_two_chapters_cannot_share_a_name(tmp_path: Path) -> None:
    files = [tmp_path / f"results/{chapter}/sample.parquet" for chapter in ("one", "two")]
    for file in files:
        parquet.write(row(schemas.LEAKS, 0), file)
    with pytest.raises(DatabaseError, match="chapter one has a table sample too"):
        database.run(SPEC, tables=[], parquet=files, database=tmp_path / "results/t.duckdb")


def test_a_run_without_games_has_a_database(tmp_path: Path) -> None:
    database.run(SPEC, tables=[], parquet=[], database=tmp_path / "results/tabia.duckdb")
    with duckdb.connect(str(tmp_path / "results/tabia.duckdb"), read_only=True) as made_up:
        assert made_up.execute("SHOW TABLES").fetchall() == []
