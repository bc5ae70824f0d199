"""The noise ceiling, against a slow twin and values found by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tabia.imitation import ceiling
from tabia.imitation.agreement import (
    NoRepeatsError,
    block_of,
    ceilings,
    figures,
    first_in_game,
    places,
    repeated,
)
from tabia.imitation.samples import schema
from tabia.tables import parquet, results
from tabia.tables.spec import Spec


def of_counts(*counts: tuple[int, ...]) -> tuple[float, float]:
    """Return the ceilings of places whose moves were played so often."""
    place = [at for at, own in enumerate(counts) for n in own for _ in range(n)]
    move = [code for own in counts for code, n in enumerate(own) for _ in range(n)]
    return ceilings(np.array(place), np.array(move))


def slow_below(place: np.ndarray, move: np.ndarray) -> float:
    """Leave every move out and predict it by the most frequent of the others; ties share."""
    hits: list[float] = []
    for i in range(len(place)):
        others = Counter(int(move[j]) for j in range(len(place)) if j != i and place[j] == place[i])
        if others:
            most = max(others.values())
            best = [code for code, count in others.items() if count == most]
            hits.append((int(move[i]) in best) / len(best))
    return float(np.mean(hits))


def slow_above(place: np.ndarray, move: np.ndarray) -> float:
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for at, code in zip(place, move, strict=True):
        counts[int(at)][int(code)] += 1
    again = [own for own in counts.values() if own.total() > 1]
    return sum(max(own.values()) for own in again) / sum(own.total() for own in again)


@pytest.mark.parametrize(
    ("counts", "below", "above"),
    [
        ((2,), 1.0, 1.0),  # both games agree
        ((1, 1), 0.0, 0.5),  # each is predicted by the other's move
        ((2, 1), (0.5 + 0.5) / 3, 2 / 3),  # 1 against 1 for each of the two; 2 to 0 against one
        ((3, 1), 3 / 4, 3 / 4),  # 2 against 1 for each of the three
        ((3, 2), 3 * 0.5 / 5, 3 / 5),  # 2 against 2
        ((3, 2, 2), 3 / 3 / 7, 3 / 7),  # 2 against 2 and 2: a third
        ((2, 2), 0.0, 0.5),  # without one of two, the other leads
        ((4, 2, 1), 4 / 7, 4 / 7),
        ((5, 5, 1), 0.0, 5 / 11),
    ],
)
def test_ceilings_of_one_position(counts: tuple[int, ...], below: float, above: float) -> None:
    assert of_counts(counts) == pytest.approx((below, above))


def test_positions_are_averaged_by_their_games_and_single_ones_left_out() -> None:
    assert of_counts((3, 1), (2,), (1,)) == pytest.approx(((3 + 2) / 6, (3 + 2) / 6))


@pytest.mark.parametrize("seed", range(20))
def test_ceilings_agree_with_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    place, move = rng.integers(12, size=60), rng.integers(1 + seed % 4, size=60)
    assert ceilings(place, move) == pytest.approx(
        (slow_below(place, move), slow_above(place, move))
    )


def test_the_ceiling_lies_between_the_two_estimates_on_average() -> None:
    p, rng = np.array([0.5, 0.3, 0.2]), np.random.default_rng(0)
    place = np.repeat(np.arange(4000), 3)
    below, above = ceilings(place, rng.choice(3, size=12000, p=p))
    assert below + 0.05 < p.max() < above - 0.05


def test_without_repeated_positions_there_is_no_ceiling() -> None:
    assert np.isnan(of_counts((1,), (1,))).all()
    assert np.isnan(ceilings(np.zeros(0, np.int64), np.zeros(0, np.int64))).all()


def test_a_position_counts_once_a_game_at_its_first_coming_up() -> None:
    place = places(np.zeros(5, np.int64), np.array([7, 8, 7, 7, 8], np.uint64))
    assert first_in_game(place, np.array([1, 1, 1, 2, 2], np.uint64)).tolist() == [0, 1, 3, 4]
    assert repeated(place[[0, 1, 3]]).tolist() == [True, False, True]


def test_a_position_of_two_bins_is_two_places() -> None:
    place = places(np.array([0, 1, 0, 1]), np.array([7, 7, 7, 9], np.uint64))
    assert place[0] == place[2]
    assert len(set(place)) == 3


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    rng = np.random.default_rng(5)
    game = np.arange(20000, dtype=np.uint64)
    x = rng.normal(0.5, 0.1, size=len(game))
    (mean,) = figures(
        lambda kept: {"mean": float(x[kept].mean())},
        game, 0.95, ends=(0.0, 1.0), played_by="engines",
    )  # fmt: skip
    expected = 1.959964 * x.std() / np.sqrt(len(x))
    assert (mean.hi - mean.lo) / 2 == pytest.approx(expected, rel=0.25)
    assert mean.value == pytest.approx(x.mean())
    assert (mean.n_games, mean.n_positions) == (20000, 20000)
    assert len(np.unique(block_of(game))) == 50


def simulated(seed: int) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Four positions in each of 250 games, drawn from 80 by rank; moves have known probabilities.

    Return the ceiling, and place, move and game of the moves in repeated positions.
    """
    share = np.random.default_rng(7).dirichlet(np.full(25, 0.15), size=80)
    rng = np.random.default_rng(seed)
    visits = 1 / np.arange(1, 81)
    place = np.array(
        [rng.choice(80, 4, replace=False, p=visits / visits.sum()) for _ in range(250)]
    )
    place, game = place.ravel(), np.repeat(np.arange(250), 4) + 1000 * seed
    move = (rng.random(len(place))[:, None] > share[place].cumsum(axis=1)).sum(axis=1)
    again = repeated(place)
    return float(share[place[again]].max(axis=1).mean()), *(v[again] for v in (place, move, game))  # type: ignore[return-value]


def test_intervals_hold_the_ceiling_and_are_as_wide_as_other_games_ask_for() -> None:
    values, widths, held = [], [], []
    for seed in range(40):
        truth, place, move, game = simulated(seed)
        found = figures(
            lambda kept, p=place, m=move: dict(zip("ba", ceilings(p[kept], m[kept]), strict=True)),
            game.astype(np.uint64), 0.95, ends=(0.0, 1.0), played_by="engines",
        )  # fmt: skip
        below, above = found
        held.append(below.lo <= truth <= above.hi)
        values.append([below.value, above.value])
        widths.append([(one.hi - one.lo) / 2 / 1.959964 for one in found])
    assert np.mean(held) > 0.98
    ratio = np.mean(widths, axis=0) / np.std(values, axis=0)
    assert 0.9 < ratio[0] < 1.7
    assert 0.8 < ratio[1] < 1.4


def test_a_share_that_one_block_of_games_decides_is_refused() -> None:
    with pytest.raises(NoRepeatsError, match="too few positions"):
        figures(
            lambda kept: {"ceiling": 1.0 if kept.all() else float("nan")},
            np.arange(3, dtype=np.uint64), 0.95, ends=(0.0, 1.0), played_by="engines",
        )  # fmt: skip


GAMES = 400


def write_samples(folder: Path, own: dict[str, list]) -> Path:  # type: ignore[type-arg]
    n = len(own["game_id"])
    row = {
        "game": ["xiangqi"] * n, "split_hash": own["game_id"], "board": [b"\0" * 45] * n,
        "phase": [128] * n, "in_check": [False] * n, "other_elo": own["mover_elo"],
        "result": [None] * n, "played_by": ["engines"] * n,
    }  # fmt: skip
    path = folder / "samples.parquet"
    parquet.write(pa.table(row | own).select(schema("xiangqi").names).cast(schema("xiangqi")), path)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    """Each game has three rows: position 1, a position of its own, position 1 once more.

    In games of the first bin the first move is 0 in three of four, in those of the second always 0.
    """
    folder = tmp_path_factory.mktemp("ceiling")
    own: dict[str, list] = {
        "game_id": [],
        "ply": [],
        "position_key": [],
        "move": [],
        "mover_elo": [],
    }
    for game in range(GAMES):
        second = game % 2
        first_move = 0 if second or game % 8 else 1
        elo = 1150 if second else 1050
        for ply, key, move in ((0, 1, first_move), (10, 100 + game, 0), (20, 1, 2)):
            own["game_id"].append(game)
            own["ply"].append(ply)
            own["position_key"].append(key)
            own["move"].append(move)
            own["mover_elo"].append(elo)
    wildcards = {"game": "xiangqi"}
    config = {"scores": {}, "member": "mover", "bins": ["1000-1100", "1100-1200", "1200-1300"]}
    out = folder / "ceiling.parquet"
    samples = write_samples(folder, own)
    ceiling.run(Spec("imitation.ceiling", "mark", wildcards, config), samples=samples, ceiling=out)
    table = parquet.read(out)
    results.check(table, "ceiling")
    assert results.key_columns(table) == list(ceiling.KEYS)
    return table.to_pylist()


def figure(rows: list[dict], metric: str, tested_on: str, ply: str | None = None) -> dict:
    keys = {"metric": metric, "tested_on": tested_on, "ply": ply}
    (row,) = [row for row in rows if all(row[key] == value for key, value in keys.items())]
    return row


def test_each_bin_has_a_ceiling_of_its_own(made: list[dict]) -> None:
    first = figure(made, "ceiling_above", "(1000,1100]")
    assert first["value"] == pytest.approx(0.75)
    assert (first["n_games"], first["n_positions"]) == (200, 200)
    assert 0.65 < first["lo"] < 0.75 < first["hi"] < 0.85
    assert figure(made, "ceiling_below", "(1100,1200]")["value"] == 1.0


def test_all_bins_together_are_predicted_bin_by_bin(made: list[dict]) -> None:
    assert figure(made, "ceiling_above", "all bins")["value"] == pytest.approx((0.75 + 1) / 2)


def test_the_share_of_repeated_moves_counts_a_position_once_a_game(made: list[dict]) -> None:
    share = figure(made, "repeated_share", "all bins")
    assert share["value"] == pytest.approx(0.5)
    assert share["n_positions"] == 2 * GAMES


def test_ceilings_by_ply_are_of_the_positions_there(made: list[dict]) -> None:
    assert figure(made, "ceiling_above", "all bins", "0-9")["value"] == pytest.approx(0.875)
    assert figure(made, "ceiling_above", "all bins", "20-29")["value"] == 1.0
    assert figure(made, "repeated_share", "all bins", "10-19")["value"] == 0.0


def test_a_bin_without_games_and_a_part_without_repeats_have_no_ceiling(made: list[dict]) -> None:
    assert not [row for row in made if row["tested_on"] == "(1200,1300]"]
    assert {row["metric"] for row in made if row["ply"] == "10-19"} == {"repeated_share"}
