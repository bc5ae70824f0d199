"""Nets that begin with records: which games, what they teach, other boards, killed jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch

from tabia.learning.course import Course
from tabia.records.hashing import split_of
from tabia.search import pretrain, summary, train
from tabia.search.chosen_records import RecordsError, chosen, komi_of
from tabia.search.config import ChessRules, GoRules, SearchSettings
from tabia.search.learning_config import Pretrain
from tabia.search.nets import folder
from tabia.search.nets.config import AlphaZero, Small
from tabia.search.record_lessons import RecordLessons, read_games
from tabia.search.selfplay_tables import DUELS
from tabia.search.start import shape_of
from tabia.search.trees import Trees
from tabia.tables import parquet
from tabia.tables.schemas import GAMES
from tabia.tables.spec import Spec

SIZE = 7
EMPTY = "/".join(["7"] * SIZE) + " b - 0 0 0"
SPLITS = {"train": 0.5, "validation": 0.25, "test": 0.25}
RULES = GoRules(size=SIZE)
SHAPE = shape_of(RULES, 2)
NET = Small(channels=8, blocks=1, head=4, hidden=8, score=True, ownership=True)
PASS = 361


def game(number: int, moves: list[int], **changes: object) -> dict[str, object]:
    return {
        "game_id": number,
        "game": "go",
        "source": "club",
        "file": "club.sgf",
        "ordinal": number,
        "byte_offset": 0,
        "played_by": "people",
        "result": 1,
        "termination": "3.5 points",
        "variant": "standard",
        "start_fen": EMPTY,
        "board_size": SIZE,
        "komi": 6.5,
        "handicap": None,
        "rules": "Japanese",
        "n_plies": len(moves),
        "moves": moves,
        "split_hash": number * 0x9E3779B97F4A7C15 % 2**64,
    } | changes


def drawn_moves(seed: int, plies: int) -> list[int]:
    rng, trees = np.random.default_rng(seed), Trees(RULES, SearchSettings())
    moves: list[int] = []
    for _ in range(plies):
        moves.append(int(rng.choice([m for m in trees.searcher.legal_moves(0) if m != PASS])))
        trees.play(0, moves[-1])
    return moves


def table(*games: dict[str, object]) -> pa.Table:
    return pa.Table.from_pylist(list(games), GAMES)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty games on 7 lines, and one on 9."""
    path = tmp_path_factory.mktemp("records") / "games.parquet"
    rows = [game(n, drawn_moves(n, 12), result=(1, -1)[n % 2]) for n in range(1, 41)]
    nine = game(41, [0, 1], board_size=9, start_fen="/".join(["9"] * 9) + " b - 0 0 0")
    parquet.write(table(*rows, nine), path)
    return path


def lessons(*games: dict[str, object], share: float = 1.0) -> RecordLessons:
    return read_games(
        table(*games), RULES, SHAPE, heads=(True, True), share=share, symmetries=False
    )


def spec(size: int = SIZE, net: Small | AlphaZero = NET, **settings: Any) -> Spec:
    known = {"source": "club", "games": 12, "held": 0.25, "size": SIZE, "batch": 16, "passes": 2}
    config = {
        "seed": 1,
        "rules": GoRules(size=size).model_dump(),
        "net": net.model_dump(),
        "history": 2,
        "liberties": False,
        "pretrain": Pretrain.model_validate(known | settings).model_dump(),
        "splits": SPLITS,
    }
    return Spec("search.pretrain", "m", {"run": "small"}, config)


def begin(path: Path, club: Path, of: Spec | None = None, name: str = "0") -> Path:
    pretrain.run(of or spec(), games=[club], state=path / "state", net=path / name)
    return path / name


# --- games -------------------------------------------------------------------------------


def test_games_fall_in_the_splits_of_the_records(club: Path) -> None:
    wanted, held = chosen([club], SIZE, SPLITS, games=12, held=0.25, source="club")
    assert (wanted.num_rows, held.num_rows) == (12, 3)
    assert set(split_of(wanted["split_hash"].to_numpy(), SPLITS)) == {0}
    assert set(split_of(held["split_hash"].to_numpy(), SPLITS)) == {1}
    fewer, least = chosen([club], SIZE, SPLITS, games=5, held=0.01, source="club")
    assert fewer["moves"].to_pylist() == wanted["moves"].to_pylist()[:5]
    assert least.num_rows == 1


def test_a_game_on_another_board_and_a_game_twice_do_not_count(tmp_path: Path, club: Path) -> None:
    hashes = [
        *chosen([club, club], SIZE, SPLITS, games=100, held=1, source="club")[0]["split_hash"]
    ]
    assert len(hashes) == len(set(hashes))
    with pytest.raises(RecordsError, match=r"no game on 13 lines .*40 on 7, 1 on 9"):
        chosen([club], 13, SPLITS, games=5, held=0.1, source="club")
    one = tmp_path / "one.parquet"
    parquet.write(table(game(1, [0])), one)
    with pytest.raises(RecordsError, match="in the split validation of 1 "):
        chosen([one], SIZE, {"train": 0.98, "validation": 0.01, "test": 0.01},
               games=5, held=0.1, source="club")  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "komi"),
    [
        ({}, 6.5),
        ({"komi": None}, 6.5),
        ({"komi": None, "rules": None}, 7.5),  # the learner's, for want of others
        ({"komi": 0.5, "handicap": 4}, 0.5),
        ({"komi": 0.5, "handicap": 4, "rules": "Chinese"}, 4.5),
        ({"komi": None, "handicap": 2, "rules": "AGA"}, 1.5),
    ],
)
def test_komi_is_what_the_records_rules_give_white(changes: dict[str, object], komi: float) -> None:
    assert komi_of(game(1, [], **changes), "tromp-taylor") == komi


# --- what they teach ---------------------------------------------------------------------


def test_each_move_and_the_end_are_learned_from_the_movers_view() -> None:
    found = lessons(game(1, [0, 20, PASS], result=-1, termination="2.5 points"))
    whole = found.lessons(np.arange(3))
    assert whole.policy.argmax(1).tolist() == [0, 1 * SIZE + 1, SIZE * SIZE]
    assert whole.policy.sum(1).tolist() == [1, 1, 1]
    assert whole.value.argmax(1).tolist() == [2, 0, 2]
    assert whole.score is not None
    assert whole.score.tolist() == [-2.5, 2.5, -2.5]
    assert whole.planes[1, 1].sum() == 1  # Black's stone is the opponent's
    assert whole.planes[2, 0, 0, 0] == whole.planes[2, 1, 1, 1] == 1
    # Black to move, the pass before, komi in tens from the mover's view.
    assert whole.numbers[:, 0].tolist() == [1, 0, 1]
    assert whole.numbers[:, 2] == pytest.approx([-0.65, 0.65, -0.65])


@pytest.mark.parametrize(
    ("changes", "value", "score"),
    [
        ({"termination": "resignation"}, [1, 0, 0], np.nan),
        ({"termination": "0.5 points"}, [1, 0, 0], 0.5),
        ({"result": 0, "termination": None}, [0, 1, 0], 0.0),
        ({"result": None, "termination": "void"}, [0, 0, 0], np.nan),
        ({"result": None, "termination": "3.5 points"}, [0, 0, 0], np.nan),
    ],
)
def test_what_nobody_knows_is_no_target(
    changes: dict[str, object], value: list[int], score: float
) -> None:
    found = lessons(game(1, [0], **changes))
    targets = found.targets(found.take(np.array([0])))
    assert targets.value.tolist() == [value]
    assert targets.score is not None
    assert targets.score.tolist() == pytest.approx([score], nan_ok=True)
    assert targets.ownership is not None
    assert targets.ownership.isnan().all()


def test_a_handicap_game_begins_with_its_stones_and_white() -> None:
    start = "7/1X3X1/7/7/7/1X3X1/7 w - 0 0 0"
    found = lessons(game(1, [0, 1], start_fen=start, handicap=4, komi=0.5)).lessons(np.arange(2))
    assert found.planes[0, :2].sum(axis=(1, 2)).tolist() == [0, 4]
    assert found.numbers[:, 0].tolist() == [0, 1]
    assert found.value.argmax(1).tolist() == [2, 0]


@pytest.mark.parametrize("moves", [[0, PASS, PASS, 1, 2], [0, 0, 1]])
def test_a_game_is_read_to_where_the_learners_rules_end_it(moves: list[int]) -> None:
    found = lessons(game(1, moves), game(2, [0, 1]))
    assert (found.games, found.cut) == (2, 1)
    assert len(found) == 2 + {5: 3, 3: 1}[len(moves)]


def test_a_share_of_the_positions_is_drawn_from_each_game_by_content() -> None:
    games = [game(n, drawn_moves(n, 24)) for n in range(1, 9)]
    whole, half, more = (lessons(*games, share=share) for share in (1.0, 0.5, 0.75))
    assert len(whole) == 192
    assert 70 < len(half) < 122  # 96 and 3.7 deviations
    rows = {row.tobytes() for row in more.packed}
    assert {row.tobytes() for row in half.packed} < rows < {row.tobytes() for row in whole.packed}
    with pytest.raises(RecordsError, match="no position"):
        lessons(game(1, [0]), share=1e-9)


def test_records_of_chess_teach_as_well() -> None:
    rules = ChessRules()
    tree = Trees(rules, SearchSettings())
    codes = [tree.searcher.legal_moves(0)[0]]
    row = game(1, codes, game="chess", start_fen=None, board_size=None, result=-1,
               termination="Normal", rules=None, komi=None)  # fmt: skip
    found = read_games(
        table(row), rules, shape_of(rules, 1), heads=(False, False), share=1, symmetries=False
    ).lessons(np.arange(1))
    assert found.value.tolist() == [[0, 0, 1]]
    assert found.policy.argmax(1).tolist() == [tree.searcher.legal_labels(0)[0]]


# --- the stage ---------------------------------------------------------------------------


def test_a_net_learns_the_records_and_its_card_says_so(tmp_path: Path, club: Path) -> None:
    net = begin(tmp_path, club, spec(passes=12, learning_rate=0.01))
    facts = folder.load(net).provenance
    assert (facts["run"], facts["generation"], facts["games"]) == ("small", 0, 0)
    assert (facts["pretrained"], facts["pretrained_by"]) == ("club", "people")
    assert (facts["pretrained_games"], facts["pretrained_positions"]) == (12, 144)
    assert (facts["pretrained_held_games"], facts["pretrained_held_positions"]) == (3, 36)
    assert "pretrained club" in (net / "README.md").read_text()
    # Games are random: a net that knows the value of White's and Black's wins alone does better
    # than one that knows nothing, whose loss is over that of 49 equal moves and three results.
    untaught = folder.load(begin(tmp_path, club, spec(learning_rate=1e-9, passes=1), "untaught"))
    before, after = (float(str(f["pretrained_loss"])) for f in (untaught.provenance, facts))
    assert after < before


def test_a_net_that_learned_on_one_board_plays_on_another(tmp_path: Path, club: Path) -> None:
    seven, five = begin(tmp_path, club), begin(tmp_path, club, spec(size=5), "five")
    one, other = folder.load(seven).net, folder.load(five).net
    assert (one.shape.rows, other.shape.rows, other.shape.moves) == (7, 5, 26)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))
    planes = torch.zeros(1, other.shape.planes, 5, 5)
    assert other(planes, torch.zeros(1, other.shape.numbers)).policy.shape == (1, 26)


def test_a_net_with_heads_of_fixed_size_learns_on_its_own_board_alone(
    tmp_path: Path, club: Path
) -> None:
    net = AlphaZero(channels=8, blocks=1, hidden=8)
    assert folder.load(begin(tmp_path, club, spec(net=net, passes=1))).net.shape.rows == 7
    with pytest.raises(ValueError, match="alphazero net of go was made for 7 × 7"):
        begin(tmp_path, club, spec(size=5, net=net, passes=1), "five")


def test_pre_training_that_was_killed_ends_with_the_same_bytes(
    tmp_path: Path, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = begin(tmp_path, club, name="whole")
    original = Course.save_now_and_then

    def dies_at_the_twelfth_step(self: Course) -> None:
        self.save()
        if self.course.epoch == 1 and self.course.steps == 3:
            raise KeyboardInterrupt
        original(self)

    with monkeypatch.context() as patched:
        patched.setattr(Course, "save_now_and_then", dies_at_the_twelfth_step)
        with pytest.raises(KeyboardInterrupt):
            begin(tmp_path, club, name="killed")
    assert len(list((tmp_path / "state").iterdir())) == 1
    again = begin(tmp_path, club, name="killed")
    assert {f.name: f.read_bytes() for f in again.iterdir()} == {
        f.name: f.read_bytes() for f in whole.iterdir()
    }
    assert list((tmp_path / "state").iterdir()) == []


GOLDEN = {1: 4.9735}
"""Loss on the records held back, by REVISION."""


def test_what_the_stage_gives(tmp_path: Path, club: Path) -> None:
    """If this fails, results changed: raise REVISION of the stage and pin the new results."""
    loss = folder.load(begin(tmp_path, club)).provenance["pretrained_loss"]
    assert loss == pytest.approx(GOLDEN[pretrain.REVISION], abs=2e-4)


# --- what is told of it ------------------------------------------------------------------


def test_tables_label_a_learner_that_began_with_records(tmp_path: Path, club: Path) -> None:
    nets = tmp_path / "search/small/nets"
    first = begin(nets, club)
    folder.save(
        nets / "1",
        folder.load(first).net,
        {"generation": 1, **{k: folder.load(first).provenance[k] for k in train.PRETRAINED}},
    )
    config = {
        "seed": 1,
        "bootstrap": 100,
        "confidence": 0.95,
        "simulations": 1,
        "rival_simulations": 1,
        "learners": {"small": {"generations": 1}},
    }
    match = tmp_path / "search/small/matches/1-0.parquet"
    duels = [
        {"first": "generation 1", "second": "generation 0", "pair": 0, "is_first": is_first,
         "points": 0.5, "opening": 0, "n_plies": 1, "moves": [1]}
        for is_first in (True, False)
    ]  # fmt: skip
    parquet.write(pa.Table.from_pylist(duels, DUELS), match)
    tables = {f"{name}_table": tmp_path / f"{name}.parquet" for name in summary.KEYS}
    summary.run(
        Spec("search.summary", "m", {}, config),
        games=[],
        positions=[],
        nets=[first, nets / "1"],
        matches=[match],
        times=[],
        **tables,
    )
    rows = parquet.read(tables["generations_table"]).to_pylist()
    told = {(row["generation"], row["metric"]): row for row in rows}
    assert [told[n, "pretrained_games"]["value"] for n in (0, 1)] == [12, 12]
    about = json.loads((first / "net.json").read_text())["provenance"]
    loss = told[0, "pretraining_loss"]
    assert (loss["value"], loss["n_games"], loss["n_positions"], loss["played_by"]) == (
        about["pretrained_loss"],
        3,
        36,
        "people",
    )
    assert (1, "pretraining_loss") not in told
