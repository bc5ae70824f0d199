"""Folds by game, and the bins of models."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.imitation.folds import EmptyFoldError, bin_ends, in_bin, parts
from tabia.imitation.positions import Positions
from tabia.records.hashing import fold_of
from tests.imitation.made import positions

FOLDS = 4


def many(n_games: int = 400, copies: int = 1) -> Positions:
    """Return games of three moves; the last `copies` are the first ones under other ids."""
    content = np.concatenate([np.arange(n_games), np.arange(copies)]) + 1000
    game = np.repeat(np.arange(n_games + copies), 3)
    mover = np.tile([1050, 1150, 1250], n_games + copies)
    return positions(
        game_id=game.tolist(),
        split_hash=np.repeat(content, 3).tolist(),
        mover_elo=mover.tolist(),
        other_elo=np.tile([1050, 1150, 1050], n_games + copies).tolist(),
    )


def split(own: Positions, name: str, fold: str, member: str = "mover"):  # type: ignore[no-untyped-def]
    return parts(own, name, fold, member=member, folds=FOLDS, validation=0.2)


def test_no_game_and_no_copy_of_one_has_rows_in_two_parts() -> None:
    own = many(copies=50)
    for fold in range(FOLDS):
        found = split(own, "all", str(fold))
        content = [
            set(own.split_hash[index]) for index in (found.train, found.validation, found.test)
        ]
        assert not content[0] & content[1]
        assert not content[0] & content[2]
        assert not content[1] & content[2]


def test_every_row_is_tested_once_over_the_folds() -> None:
    own = many()
    tested = np.concatenate([split(own, "all", str(fold)).test for fold in range(FOLDS)])
    assert sorted(tested) == list(range(len(own)))


def test_a_fold_tests_every_elo_and_learns_from_its_bin() -> None:
    own = many()
    found = split(own, "1100-1200", "1")
    assert set(own.mover_elo[found.test]) == {1050, 1150, 1250}
    assert set(own.mover_elo[np.concatenate([found.train, found.validation])]) == {1150}


def test_the_final_model_holds_nothing_back_and_still_has_validation() -> None:
    own = many()
    found = split(own, "all", "final")
    assert len(found.test) == 0
    assert len(found.train) + len(found.validation) == len(own)
    assert 0.1 < len(found.validation) / len(own) < 0.3


def test_each_fold_decides_on_other_games() -> None:
    own = many()
    found = [set(own.game_id[split(own, "all", fold).validation]) for fold in ("0", "1", "final")]
    assert len({frozenset(games) for games in found}) == 3


def test_folds_are_of_about_one_size() -> None:
    sizes = np.bincount(fold_of(np.arange(4000, dtype=np.uint64), FOLDS))
    assert sizes.min() > 900
    assert len(sizes) == FOLDS


@pytest.mark.parametrize(
    ("elo", "inside"), [(1000, False), (1001, True), (1100, True), (1101, False)]
)
def test_a_bin_holds_its_upper_end_and_not_its_lower(elo: int, inside: bool) -> None:
    own = positions(game_id=[1], mover_elo=[elo])
    assert in_bin(own, "1000-1100", "mover").tolist() == [inside]


def test_both_players_elos_count_where_the_configuration_says_so() -> None:
    own = positions(game_id=[1, 1, 2], mover_elo=[1050, 1050, 1150], other_elo=[1050, 1150, 1050])
    assert in_bin(own, "1000-1100", "mover").tolist() == [True, True, False]
    assert in_bin(own, "1000-1100", "both").tolist() == [True, False, False]
    assert in_bin(own, "all", "both").tolist() == [True, True, True]


def test_bins_are_named_by_their_ends() -> None:
    assert bin_ends("1000-1100") == (1000, 1100)
    assert bin_ends("all") is None


def test_a_bin_without_games_is_told_with_its_fold() -> None:
    with pytest.raises(EmptyFoldError, match=r"xiangqi: bin 2000-2100 has no train .* fold 3"):
        split(many(), "2000-2100", "3")
