"""Models of other chapters behind the search: what they see, and what it plays with them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from tabia.arena.model_evaluators import JoinedEvaluator, MovesEvaluator, PawnsEvaluator
from tabia.arena.planes import Game, fens, latest
from tabia.arena.registry import build
from tabia.evaluation.predictor import Predictor
from tabia.games.chess import ChessPosition
from tabia.games.chess import encode_uci as chess_move
from tabia.games.go import GoPosition
from tabia.games.xiangqi import XiangqiPosition
from tabia.imitation import train
from tabia.imitation.imitator import Imitator
from tabia.imitation.policy import Index, Prediction
from tabia.imitation.positions import Positions
from tabia.match.agent import Turn
from tabia.match.spec import AgentSpecError
from tabia.search.agent import SearchAgent
from tabia.search.config import SearchSettings
from tabia.search.evaluator import Evaluation
from tabia.search.nets import folder
from tabia.search.trees import Trees
from tests.evaluation.made_models import material_model
from tests.imitation.test_go import game, table
from tests.imitation.test_train import spec
from tests.search.made import GAMES, HashEvaluator
from tests.search.nets.made import CHESS, made

POSITIONS = {"chess": ChessPosition, "xiangqi": XiangqiPosition, "go": lambda: GoPosition(size=5)}


def along(name: str, plies: int, seed: int) -> tuple[Trees, list[int], Any]:
    """Return a tree and a position after random moves."""
    rng, position = random.Random(seed), cast(Any, POSITIONS[name])()
    moves: list[int] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(rng.choice(legal))
        position.push(moves[-1])
    trees = Trees(GAMES[name], SearchSettings())
    trees.reset(0, None, moves)
    return trees, moves, position


def seen_by_the_mover(name: str, fen: str) -> str:
    """Return the position with the side to move as first player."""
    board, side, *rest = fen.split()
    if name == "go":
        if side == "w":
            board = board.translate(str.maketrans("XO", "OX"))
        return f"{board} b"
    if side == "b":
        rows = [row[::-1] if name == "xiangqi" else row for row in board.split("/")[::-1]]
        board = "/".join(rows).swapcase()
        rest[0] = "".join(sorted(rest[0].swapcase(), key="KQkq-".index))
        rest[1] = rest[1].replace("3", "6") if rest[1].endswith("3") else rest[1]
    return f"{board} w {rest[0]} {rest[1]} {rest[2]}"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_planes_are_read_back_from_the_movers_view(name: str) -> None:
    sides = set()
    for plies in range(0, 60, 3):
        trees, _, position = along(name, plies, plies)
        if position.outcome() is not None:
            continue
        found = fens(trees.searcher.encode(0)[None], cast(Game, name))[0].split()
        wanted = seen_by_the_mover(name, position.fen()).split()
        assert found[: len(wanted)] == wanted
        sides.add(position.first_to_move)
    assert sides == {True, False}


def test_an_en_passant_square_is_read_back() -> None:
    for moves, square in (("e2e4 a7a6 e4e5 d7d5", "d6"), ("a2a3 d7d5 a3a4 d5d4 e2e4", "e6")):
        trees = Trees(GAMES["chess"], SearchSettings())
        trees.reset(0, None, [chess_move(move) for move in moves.split()])
        assert fens(trees.searcher.encode(0)[None], "chess")[0].split()[3] == square


@pytest.mark.parametrize("name", sorted(GAMES))
def test_fewer_positions_are_shown_as_their_own_encoder_does(name: str) -> None:
    _, moves, _ = along(name, 9, 1)
    planes = {}
    for history in (1, 2, 5):
        trees = Trees(GAMES[name], SearchSettings(), history=history)
        trees.reset(0, None, moves)
        planes[history] = trees.searcher.encode(0)[None]
    for shown in (1, 2, 5):
        np.testing.assert_array_equal(latest(planes[5], cast(Game, name), 5, shown), planes[shown])


class Rising:
    """Every legal move a little likelier than the one before; expects 20, 30 and 50 %."""

    n_parameters = 0
    facts: Mapping[str, int] = {}

    def __init__(self) -> None:
        self.elos: set[int] = set()

    def predict(self, positions: Positions, index: Index) -> Prediction:
        self.elos |= set(positions.mover_elo[index].tolist())
        _, offsets = positions.legal_of(index)
        rows = [np.arange(1, n + 1, dtype=np.float64) for n in np.diff(offsets)]
        p = np.concatenate([row / row.sum() for row in rows]).astype(np.float32)
        result = np.tile(np.array([0.2, 0.3, 0.5], np.float32), (len(index), 1))
        return Prediction(offsets, p, result=result)

    def save(self, folder: Path) -> None:
        raise NotImplementedError


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("plies", [0, 7])
def test_priors_are_the_models_for_each_move_and_either_side(name: str, plies: int) -> None:
    trees, _, position = along(name, plies, 3)
    policy = Rising()
    evaluator = MovesEvaluator(Imitator({"game": name}, policy, Path()), 1500)
    planes = trees.searcher.encode(0)[None]
    found = evaluator.evaluate(np.concatenate([planes, planes]))
    np.testing.assert_allclose(found.values, 0.3, atol=1e-6)
    assert policy.elos == {1500}
    legal = position.legal_moves()
    logits = found.logits[1][trees.searcher.legal_labels(0)]
    shares = np.exp(logits)
    assert shares.sum() == pytest.approx(1, abs=1e-5)
    # The model saw the moves in the order of their codes from the mover's side.
    order = list(range(len(legal)))
    if not position.first_to_move and name == "chess":
        order.sort(key=lambda i: legal[i] ^ 0b111000_111000)
    if not position.first_to_move and name == "xiangqi":
        order.sort(key=lambda i: (89 - legal[i] // 90) * 90 + 89 - legal[i] % 90)
    wanted = np.arange(1, len(legal) + 1) / (len(legal) * (len(legal) + 1) / 2)
    np.testing.assert_allclose(shares[order], wanted, rtol=1e-3)


def test_pawns_become_values_of_the_side_to_move(tmp_path: Path) -> None:
    evaluator = PawnsEvaluator(Predictor.load(material_model(tmp_path / "material")))
    queen_down = "rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    values = []
    for start in (None, queen_down, queen_down.replace(" b ", " w ")):
        trees = Trees(GAMES["chess"], SearchSettings())
        trees.reset(0, start)
        values.append(evaluator.evaluate(trees.searcher.encode(0)[None]).values[0])
    # The model gives 0.25 to the side it calls White: the mover.
    wanted = [2 / (1 + 10 ** (-pawns / 4)) - 1 for pawns in (0.25, -8.75, 9.25)]
    assert values == pytest.approx(wanted, abs=1e-5)


def test_priors_of_one_and_values_of_another() -> None:
    class OfThree(HashEvaluator):
        """Sees three positions and says how many planes came."""

        def evaluate(self, planes: Any) -> Evaluation:
            found = super().evaluate(planes)
            return Evaluation(found.logits, np.full(len(planes), planes.shape[1] / 100, np.float32))

    joined = JoinedEvaluator("chess", (HashEvaluator(1858), 1), (OfThree(1858), 3))
    assert joined.history == 3
    one, three = (Trees(GAMES["chess"], SearchSettings(), history=history) for history in (1, 3))
    found = joined.evaluate(three.searcher.encode(0)[None])
    alone = HashEvaluator(1858).evaluate(one.searcher.encode(0)[None])
    np.testing.assert_array_equal(found.logits, alone.logits)
    np.testing.assert_allclose(found.values, (3 * 13 + 6) / 100)


def agent_of(text: str, name: str) -> SearchAgent:
    agent = build(text, name)
    assert isinstance(agent, SearchAgent)
    return agent


def test_a_model_of_positions_takes_the_queen(tmp_path: Path) -> None:
    model = material_model(tmp_path / "material")
    agent = agent_of(f"search:{model}:simulations=200", "chess")
    fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
    assert agent.choose(Turn(ChessPosition(fen), fen, ())).move == chess_move("e4d5")
    assert agent.name == "search with ridge_placement, 200 simulations"
    assert len(agent.fingerprint) == 16


def test_a_model_of_moves_guides_a_search_of_go(tmp_path: Path) -> None:
    train.run(
        spec("final", game="go"),
        samples=table(tmp_path, [game(seed) for seed in range(24)], 5),
        phase=None,
        pretrained=None,
        parts={},
        model=tmp_path / "model",
        predictions=None,
    )
    agent = agent_of(f"search:{tmp_path}/model:simulations=40,elo=1500", "go")
    position = GoPosition(size=5)
    choice = agent.choose(Turn(position.copy(), None, ()))
    assert choice.move in position.legal_moves()
    assert choice.analysis is not None
    assert choice.analysis.nodes == 41
    assert "as 1500" in agent.name
    chess = material_model(tmp_path / "material")
    with pytest.raises(AgentSpecError, match="plays go, not chess"):
        build(f"search:{chess}:value={tmp_path}/model", "chess")


def test_values_of_another_model_join_a_net(tmp_path: Path) -> None:
    torch.manual_seed(1)
    folder.save(tmp_path / "net", made("small", CHESS), {})
    material = material_model(tmp_path / "material")
    agent = agent_of(f"search:{tmp_path}/net:simulations=300,leaves=1,value={material}", "chess")
    fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
    assert agent.choose(Turn(ChessPosition(fen), fen, ())).move == chess_move("e4d5")
    assert "small net for priors, ridge_placement for values" in agent.name


def test_what_cannot_guide_a_search_is_told(tmp_path: Path) -> None:
    deep = material_model(tmp_path / "deep", scenario=1)
    with pytest.raises(AgentSpecError, match="needs an engine's values at depths 2, 4, 8"):
        build(f"search:{deep}", "chess")
    material = material_model(tmp_path / "material")
    with pytest.raises(AgentSpecError, match="no model of people's moves"):
        build(f"search:{material}:elo=1500", "chess")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/config.json").write_text("{}")
    with pytest.raises(AgentSpecError, match=r"config\.json"):
        build(f"search:{tmp_path}/broken", "chess")
