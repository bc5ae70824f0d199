"""Reading and writing payoff matrices; every fault names its line and a way out."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia.population import payoff, payoff_csv
from tabia.population.payoff_csv import PayoffFileError

GAMES = "first,second,wins,draws,losses\n"


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")
    return path


def _faults(tmp_path: Path, text: str, scale: payoff_csv.Scale = "score") -> list[str]:
    path = _file(tmp_path, text)
    with pytest.raises(PayoffFileError) as caught:
        payoff_csv.read(path, scale)
    assert caught.value.exit_code == 3
    return str(caught.value).replace(str(path), "F").splitlines()


def test_a_matrix_is_read_with_ratings_and_blanks(tmp_path: Path) -> None:
    text = "\ufeffname,elo,a,b,c\na,1500,,0.25,\nb,1400,,0,\n\nc,1500,,0.5,0\n"
    matrix = payoff_csv.read(_file(tmp_path, text))
    assert matrix.names == ("a", "b", "c")
    assert matrix.payoff.tolist() == [[0, 0.25, 0], [-0.25, 0, -0.5], [0, 0.5, 0]]
    assert matrix.filled_share.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]


def test_games_are_read_in_any_order_of_columns(tmp_path: Path) -> None:
    text = "losses,second,first,wins,draws\n2,b,a,6,2\n0,a,b,1,0\n"
    matrix = payoff_csv.read(_file(tmp_path, text))
    assert matrix.payoff[0, 1] == pytest.approx(-0.3)
    assert matrix.n_games == 11


@pytest.mark.parametrize("scale", ["probability", "half"])
def test_other_scales_become_mean_scores(tmp_path: Path, scale: payoff_csv.Scale) -> None:
    text = {"probability": "x,a,b\na,0.5,0.75\nb,0.25,\n", "half": "x,a,b\na,0,0.25\nb,,0\n"}
    assert payoff_csv.read(_file(tmp_path, text[scale]), scale).payoff[0, 1] == 0.5


def test_all_faults_of_a_matrix_are_told_with_line_value_and_remedy(tmp_path: Path) -> None:
    assert _faults(tmp_path, "name,a,b\na,0,x\nb,1,0,3\n") == [
        "F:2: column b: 'x' is no number; write for instance -0.25",
        "F:3: 4 fields, not 3",
    ]
    assert _faults(tmp_path, "name,a,b\na,0,0.5\nb,0.6,0.1\n") == [
        "F:2: column b: 0.5, and 0.6 the other way round on line 3, do not add up to 0",
        "F:3: 0.1 against itself is not 0",
    ]
    assert "is the scale probability?" in _faults(tmp_path, "n,a,b\na,0,0.7\nb,0.3,0\n")[0]
    assert _faults(tmp_path, "n,a,b\na,0,1.5\nb,,\n", "probability") == [
        "F:2: column b: 1.5 is not 0 to 1 (probability)",
        "F:2: 0 against itself is not 0.5",
    ]
    assert _faults(tmp_path, "name,a,b\na,0,\nb,,0\n") == [
        "F:2: column b is blank and so is its mirror image; give the payoff, or a column elo to"
        " fill it by"
    ]
    assert _faults(tmp_path, "name,a,a\na,0,0\n") == [
        "F:1: column 'a' is there twice; names must differ",
        "F:1: names 2 columns, and 1 rows follow; a matrix is square",
    ]
    assert "row 'c' stands where column 'b' does" in _faults(tmp_path, "n,a,b\na,0,1\nc,-1,0\n")[0]
    assert "no elo of a" in _faults(tmp_path, "n,elo,a,b\na,,0,1\nb,1,-1,0\n")[0]


def test_all_faults_of_games_are_told_with_line_value_and_remedy(tmp_path: Path) -> None:
    assert _faults(tmp_path, GAMES + "a,b,1,0,-1\na,b,1,0,0\n,b,1,1,1\na,b,1\n") == [
        "F:2: losses '-1' is no number of games; write 0, 1, 2…",
        "F:3: a against b stands on line 2 already; add them up",
        "F:4: a name is blank; name both sides",
        "F:5: 3 fields, not 5",
    ]
    assert _faults(tmp_path, "first,second,wins,draws,lost\na,b,1,2,3\n") == [
        "F:1: column losses is there 0 times, not once",
        "F:1: column 'lost' is unknown; known are first, second, wins, draws, losses, first_elo,"
        " second_elo",
    ]
    assert "a and c have no games" in _faults(tmp_path, GAMES + "a,b,1,0,0\nb,c,1,0,0\n")[0]
    elos = GAMES.strip() + ",first_elo,second_elo\na,b,1,0,0,1500,1400\nb,a,1,0,0,1401,\n"
    assert _faults(tmp_path, elos) == [
        "F:3: b has Elo 1401, and 1400 on line 2",
        "F:3: second_elo of a is blank; give all or leave both columns away",
    ]
    assert "has columns and no line of games" in _faults(tmp_path, GAMES)[0]


def test_what_is_no_csv_in_utf_8_is_refused(tmp_path: Path) -> None:
    assert "is empty" in _faults(tmp_path, "\n")[0]
    assert _faults(tmp_path, 'name,a\n"a,0\n')[0].startswith("F:")
    path = tmp_path / "latin.csv"
    path.write_bytes(b"name,a\n\xe4,0\n")
    with pytest.raises(PayoffFileError, match=r"latin\.csv:2: byte 0xe4 is not UTF-8"):
        payoff_csv.read(path)


def test_many_faults_are_counted(tmp_path: Path) -> None:
    found = _faults(tmp_path, GAMES + "a,b,x,y,z\n" * 10)
    assert len(found) == 21
    assert found[-1] == "F: and 19 more faults"


@settings(max_examples=12, deadline=None)
@given(data=st.data(), n=st.integers(1, 5), rated=st.booleans())
def test_what_is_written_reads_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, n: int, rated: bool
) -> None:
    path = tmp_path_factory.mktemp("csv") / "m.csv"
    cells = data.draw(st.lists(st.integers(0, 3), min_size=3 * n * n, max_size=3 * n * n))
    counts = np.array(cells, np.int64).reshape(n, n, 3)
    if not rated:
        counts[..., 1] += 1
    name = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
    names = data.draw(st.lists(name, min_size=n, max_size=n, unique=True))
    elo = [1500.5 + 7 * number for number in range(n)] if rated else None
    matrix = payoff.from_counts(names, counts, elo)
    payoff_csv.write_games(matrix, path)
    again = payoff_csv.read(path)
    assert again.names == matrix.names
    assert again.counts is not None
    assert again.counts.tolist() == counts.tolist()
    assert again.payoff.tolist() == matrix.payoff.tolist()
    payoff_csv.write_matrix(matrix, path)
    assert payoff_csv.read(path).payoff.tolist() == matrix.payoff.tolist()
