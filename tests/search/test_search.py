"""What searches find: mates, draws, the same tree whatever is searched beside it."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia.games import chess, xiangqi
from tabia.search.config import (
    ChessRules,
    SearchSettings,
    TreeSettings,
    XiangqiRules,
)
from tabia.search.evaluator import Evaluation, UniformEvaluator
from tabia.search.run import run
from tabia.search.trees import Trees
from tests.search.made import GAMES, HashEvaluator, grown, settings

# Every move is tried before one is tried again: the shortest mates are found first.
WIDE = {"fpu": "fixed", "fpu_value": 1.0}


KNIGHT_SHUFFLE = ["g8h8", "b1c3", "h8g8", "c3b1", "g8h8", "b1c3", "h8g8"]


class Material:
    """Values by how many pieces each side has; equal priors."""

    def __init__(self, labels: int, kinds: int) -> None:
        self.labels, self.kinds = labels, kinds

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        own = planes[:, : self.kinds].sum((1, 2, 3))
        other = planes[:, self.kinds : 2 * self.kinds].sum((1, 2, 3))
        return Evaluation(
            np.zeros((len(planes), self.labels), np.float32), np.tanh(own - other) * 0.9
        )


@pytest.mark.parametrize(
    ("game", "fen", "move", "plies"),
    [
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1),
        ("chess", "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "d5f6", 3),
        ("chess", "k7/8/1K6/8/8/8/8/5Q2 b - - 0 1", None, 2),
        ("chess", "8/8/8/8/8/6k1/8/4q2K w - - 0 1", None, 0),
        ("chess", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", None, 3),
        ("chess", "8/6k1/8/R7/1R6/8/8/6K1 w - - 0 1", None, 5),
        ("xiangqi", "4k4/8R/7R1/9/9/9/9/9/4P4/4K4 w - - 0 1", "h7h9", 1),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/8R/3K4R w - - 0 1", None, 3),
        ("xiangqi", "4k4/9/9/9/9/9/9/R8/8R/3K5 w - - 0 1", None, 3),
        ("xiangqi", "3k5/9/9/9/9/9/4P4/9/9/R3K4 w - - 0 1", None, 5),
        # No move and no check: in xiangqi that is lost.
        ("xiangqi", "5k3/8R/9/7R1/9/9/9/9/9/4K4 b - - 0 1", None, 0),
    ],
)
def test_mates_are_found_and_proven(game: str, fen: str, move: str | None, plies: int) -> None:
    trees = Trees(GAMES[game], settings(**WIDE))
    trees.reset(0, fen)
    trees.searcher.begin(0, 300_000, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    if plies == 0:
        assert root.outcome == (-1 if root.first_to_move else 1)
        assert len(root.moves) == 0
        return
    assert root.solved == ("win" if plies % 2 else "loss")
    assert root.solved_plies == plies
    assert root.value == (1.0 if plies % 2 else -1.0)
    assert trees.searcher.left(0) == 0
    chosen = trees.choose(0, 0)
    if move is not None:
        assert (chess if game == "chess" else xiangqi).GAME.decode(chosen) == move
    line = trees.variation(0, chosen)
    assert len(line) == plies
    for code in line:
        trees.play(0, code)
    # The winner moved last.
    assert trees.root(0).outcome == (-1 if trees.root(0).first_to_move else 1)
    assert list(trees.root(0).top(9)) == []


def test_a_lost_player_repeats() -> None:
    # White is two queens down; the knight's way back brings a position up for the third time.
    trees = Trees(ChessRules(), SearchSettings())
    moves = [chess.GAME.encode(m) for m in KNIGHT_SHUFFLE]
    trees.reset(0, "6k1/8/8/7q/7q/8/8/KN6 b - - 0 1", moves)
    trees.searcher.begin(0, 300, 1)
    run(trees, Material(trees.searcher.labels, 6))
    root = trees.root(0)
    back = root.moves.tolist().index(chess.GAME.encode("c3b1"))
    assert root.solved_codes[back] == 2
    assert root.q[back] == 0
    assert trees.choose(0, 0) == root.moves[back]
    assert (root.q[np.arange(len(root.q)) != back] < 0).all()
    assert trees.variation(0, int(root.moves[back])) == [root.moves[back]]


def test_perpetual_check_loses_in_xiangqi() -> None:
    encode = xiangqi.GAME.encode
    # Red's rook checks along two ranks, the king goes to and fro.
    cycle = ["i8i9", "e9e8", "i9i8", "e8e9"]
    trees = Trees(XiangqiRules(), settings(**WIDE))
    trees.reset(0, "4k4/8R/9/9/9/9/9/9/p8/3K5 w - - 0 1", [encode(m) for m in (cycle * 2)[:-1]])
    trees.searcher.begin(0, 200, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    assert not root.first_to_move
    repeated = root.moves.tolist().index(encode("e8e9"))
    assert root.solved_codes[repeated] == 1  # Black wins: Red gave check throughout
    assert root.solved == "win"
    # The same without check is a draw.
    cycle = ["i8i7", "e9f9", "i7i8", "f9e9"]
    trees.reset(0, "4k4/8R/9/9/9/9/9/9/p8/3K5 w - - 0 1", [encode(m) for m in (cycle * 2)[:-1]])
    trees.searcher.begin(0, 200, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    assert root.solved_codes[root.moves.tolist().index(encode("f9e9"))] == 2


def test_fifty_moves_are_a_draw_and_mate_goes_first() -> None:
    trees = Trees(ChessRules(), settings(**WIDE))
    trees.reset(0, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80")
    trees.searcher.begin(0, 500, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    assert root.solved == "win"
    quiet = root.moves.tolist().index(chess.GAME.encode("e1e2"))
    assert root.solved_codes[quiet] in (0, 2)  # 0 if the mate was proven before it was tried
    trees.reset(0, "6k1/5ppp/5n2/8/8/8/5P2/R3K3 w - - 99 80")
    trees.searcher.begin(0, 500, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    quiet = root.moves.tolist().index(chess.GAME.encode("e1e2"))
    assert root.solved_codes[quiet] == 2


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("rule", ["puct", "go_player", "gumbel"])
def test_a_game_does_not_depend_on_its_neighbours(game: str, leaves: int, rule: str) -> None:
    def visits(slots: list[int], batch: int) -> list[tuple[int, int]]:
        trees = Trees(GAMES[game], settings(rule=rule), 6)
        for slot in slots:
            trees.searcher.begin(slot, 24 + 8 * slot, 100 + slot, noise=True)
        run(trees, HashEvaluator(trees.searcher.labels), batch=batch, leaves=leaves)
        root = trees.root(3)
        return list(zip(root.moves.tolist(), root.visits.tolist(), strict=True))

    alone = visits([3], leaves)
    assert sum(n for _, n in alone) == 48
    assert visits([0, 1, 2, 3, 4, 5], 7) == alone
    assert visits([5, 3], 64) == alone


def test_virtual_loss_spreads_leaves_and_does_nothing_leaf_by_leaf() -> None:
    def visits(loss: int, leaves: int) -> tuple[list[int], list[int]]:
        trees = Trees(ChessRules(), settings(virtual_loss=loss))
        trees.searcher.begin(0, 100, 1)
        evaluator = HashEvaluator(trees.searcher.labels)
        run(trees, evaluator, leaves=leaves)
        assert trees.searcher.done(0) == 100
        return trees.root(0).visits.tolist(), evaluator.batches

    assert visits(1, 1)[0] == visits(30, 1)[0]
    _, batches = visits(1, 8)
    assert batches[0] == 1  # the root itself
    assert max(batches) == 8
    assert sum(batches) == 101
    assert visits(1, 8)[0] != visits(1, 1)[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_kept_tree_keeps_its_counts(game: str) -> None:
    trees = grown(game, {}, 200)
    before = trees.root(0)
    best = int(before.moves[0])
    trees.play(0, best)
    after = trees.root(0)
    assert after.visits.sum() + 1 == before.visits[0]
    assert after.value == pytest.approx(-before.q[0], abs=1e-12)
    trees.searcher.begin(0, 50, 2)
    run(trees, HashEvaluator(trees.searcher.labels))
    assert trees.root(0).visits.sum() + 1 == before.visits[0] + 50
    assert trees.searcher.done(0) == 50
    trees.searcher.forget(0)
    assert trees.root(0).value is None
    assert trees.ply(0) == 1


def test_a_tree_that_was_reused_grows_as_it_would_have_below_the_root() -> None:
    trees = grown("chess", {"solve": False}, 150)
    best = int(trees.root(0).moves[0])
    line = trees.variation(0, best)
    trees.play(0, best)
    assert trees.variation(0, int(trees.root(0).moves[0])) == line[1:]


def test_proven_losses_are_left_alone() -> None:
    # After 1. f3 e5 the move g4 allows mate at once.
    trees = Trees(ChessRules(), settings(**WIDE))
    trees.reset(0, None, [chess.GAME.encode("f2f3"), chess.GAME.encode("e7e5")])
    trees.searcher.begin(0, 20_000, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    blunder = root.moves.tolist().index(chess.GAME.encode("g2g4"))
    assert root.solved_codes[blunder] == 3
    assert root.solved_lengths[blunder] == 2
    assert root.q[blunder] == -1
    assert root.visits[blunder] < 0.2 * root.visits.mean()
    assert root.top(len(root.moves))[-1] == blunder
    assert trees.searcher.choose(0, temperature=100.0, seed=3) != root.moves[blunder]


def test_all_moves_lost_is_a_lost_position() -> None:
    trees = Trees(ChessRules(), settings(**WIDE))
    trees.reset(0, "6k1/5ppp/8/8/8/7r/r7/6K1 w - - 0 1")
    trees.searcher.begin(0, 3000, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    assert root.solved == "loss"
    assert set(root.solved_codes) == {3}
    # The longest defence is played.
    chosen = root.moves.tolist().index(trees.choose(0, 0))
    assert root.solved_lengths[chosen] == root.solved_lengths.max() == root.solved_plies


def test_tops_put_wins_first_and_losses_last() -> None:
    trees = Trees(ChessRules(), settings(**WIDE))
    trees.reset(0, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    trees.searcher.begin(0, 500, 1)
    trees.searcher.run_constant()
    root = trees.root(0)
    best = root.top(3)
    assert root.moves[best[0]] == chess.GAME.encode("a1a8")
    assert len(best) == 3


def test_calls_out_of_order_are_refused() -> None:
    trees = Trees(ChessRules(), SearchSettings())
    searcher = trees.searcher
    with pytest.raises(ValueError, match="not been searched"):
        searcher.choose(0)
    planes, slot_of = np.empty((2, *searcher.shape), np.float32), np.empty(2, np.int32)
    searcher.begin(0, 5, 1)
    assert searcher.select(planes, slot_of) == 1
    with pytest.raises(RuntimeError, match="1 leaves wait"):
        searcher.play(0, 12 | 28 << 6)
    with pytest.raises(RuntimeError, match="1 leaves wait"):
        searcher.select(planes, slot_of)
    with pytest.raises(ValueError, match="for 1 leaves"):
        searcher.expand(np.zeros((2, 1858), np.float32), np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="finite"):
        searcher.expand(np.full((1, 1858), np.nan, np.float32), np.zeros(1, np.float32))
    searcher.expand(np.zeros((1, 1858), np.float32), np.zeros(1, np.float32))
    with pytest.raises(ValueError, match="3 leaves a slot"):
        searcher.select(planes, slot_of, leaves=3)
    with pytest.raises(ValueError, match="planes of shape"):
        searcher.select(np.empty((2, 3, 8, 8), np.float32), slot_of)
    with pytest.raises(ValueError, match="visit_floor is 0"):
        Trees(ChessRules(), SearchSettings(tree=TreeSettings.model_construct(visit_floor=0)))


@pytest.mark.parametrize("game", GAMES)
def test_rollouts_repeat_and_see_who_is_ahead(game: str) -> None:
    ahead = {
        "chess": "5k2/8/8/8/8/8/QQ1Q4/K7 w - - 0 1",
        "xiangqi": "3k5/9/9/9/9/9/9/9/9/RRCCK4 w - - 0 1",
        "go": "XXXXX/X1X1X/XXXXX/4O/5 b - 0 0 0",
    }[game]

    def searched() -> Trees:
        trees = Trees(GAMES[game], settings(solve=False))
        trees.reset(0, ahead)
        trees.searcher.begin(0, 200, 9)
        trees.searcher.run_rollouts(1)
        return trees

    root = searched().root(0)
    assert root.value is not None
    assert root.value > 0.2
    assert searched().root(0).visits.tolist() == root.visits.tolist()


def test_an_evaluator_that_fails_leaves_games_to_play_on() -> None:
    class Failing(HashEvaluator):
        def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
            if len(self.batches) == 3:
                raise OSError("no more")
            return super().evaluate(planes)

    trees = Trees(ChessRules(), SearchSettings(), 2)
    labels = trees.searcher.labels
    trees.play(1, chess.GAME.encode("e2e4"))
    for slot in (0, 1):
        trees.searcher.begin(slot, 50, slot)
    with pytest.raises(OSError, match="no more"):
        run(trees, Failing(labels))
    trees.searcher.begin(1, 50, 1)
    run(trees, HashEvaluator(labels))
    assert trees.root(1).visits.sum() == 50
    assert not trees.root(1).first_to_move
    trees.searcher.begin(0, 5, 1)
    with pytest.raises(ValueError, match="logits"):
        run(trees, UniformEvaluator(7))


@pytest.mark.parametrize(
    ("game", "digest"), [("chess", "74a51cc101f8c895"), ("xiangqi", "93570cf3263adbee")]
)
def test_a_seed_gives_the_same_tree_on_every_machine(game: str, digest: str) -> None:
    trees = Trees(GAMES[game], SearchSettings())
    trees.searcher.begin(0, 400, 2026, noise=True)
    trees.searcher.run_rollouts(1)
    root = trees.root(0)
    text = " ".join(f"{m}:{n}" for m, n in zip(root.moves, root.visits, strict=True))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("leave", ["reset", "forget"])
def test_a_new_search_knows_nothing_of_the_one_before(leave: str) -> None:
    def edges(used: bool) -> list[np.ndarray]:
        trees = Trees(GAMES["chess"], settings())
        if used:
            # Fewer moves with other priors: what is kept of them must not reach the next root.
            trees.reset(0, "6k1/5ppp/8/8/8/8/8/R3K3 b - - 0 1")
            trees.searcher.begin(0, 20, 1, noise=True)
            run(trees, HashEvaluator(trees.searcher.labels))
            if leave == "forget":
                trees.searcher.forget(0)
        trees.reset(0)
        trees.searcher.begin(0, 20, 1)
        run(trees, HashEvaluator(trees.searcher.labels))
        return list(trees.searcher.edges(0))

    for used, fresh in zip(edges(True), edges(False), strict=True):
        np.testing.assert_array_equal(used, fresh)
