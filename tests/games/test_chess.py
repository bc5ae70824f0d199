"""Chess behind the contract that all games share."""

from __future__ import annotations

import random

import chess
import pytest

from tabia.games.chess import CHESS960, GAME, ChessPosition, FenError, IllegalMoveError
from tabia.games.contract import Position
from tests.games.play import random_game


def play(position: ChessPosition, text: str) -> ChessPosition:
    for move in text.split():
        position.push(position.parse_san(move))
    return position


def test_a_chess_position_keeps_the_contract() -> None:
    position = GAME.position()
    assert isinstance(position, Position)
    assert (GAME.name, position.first_to_move, position.outcome()) == ("chess", True, None)
    codes = position.legal_moves()
    assert codes == sorted(codes)
    assert len(codes) == 20
    assert [GAME.encode(GAME.decode(code)) for code in codes] == codes
    assert GAME.position(position.fen()).key == position.key


@pytest.mark.parametrize("seed", range(20))
def test_games_end_where_python_chess_ends_them(seed: int) -> None:
    game = random_game(random.Random(seed), 400)
    twin = chess.Board()
    position = GAME.position()
    for move in game.move_stack:
        outcome = twin.outcome(claim_draw=False)
        drawn = twin.is_repetition(3) or twin.halfmove_clock >= 100
        if outcome is not None or drawn:
            result = outcome.result() if outcome is not None else "1/2-1/2"
            assert position.outcome() == {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[result]
            assert position.legal_moves() == []
        else:
            assert position.outcome() is None
            assert position.legal_moves()
        position.push(GAME.encode(move.uci()))
        twin.push(move)


def test_mate_gives_the_game_to_the_side_that_mates() -> None:
    assert play(GAME.position(), "f3 e5 g4 Qh4#").outcome() == -1
    assert play(GAME.position(), "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7").outcome() == 1


def test_the_third_occurrence_is_a_draw() -> None:
    position = play(GAME.position(), "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
    assert position.outcome() is None
    copy = position.copy()
    assert play(position, "Ng8").outcome() == 0
    assert position.legal_moves() == []
    assert copy.outcome() is None
    assert play(copy, "Nd5").outcome() is None


def test_mate_on_the_hundredth_ply_counts() -> None:
    position = GAME.position("k7/7R/1K6/8/8/8/8/8 w - - 99 80")
    assert play(position, "Rh8#").outcome() == 1
    position = GAME.position("k7/7R/1K6/8/8/8/8/8 w - - 99 80")
    assert play(position, "Rh1").outcome() == 0


@pytest.mark.parametrize(
    ("pieces", "dead"),
    [
        ("k7/8/8/8/8/8/8/K7", True),
        ("k7/8/8/8/8/8/8/KN6", True),
        ("k7/8/8/8/8/8/8/KB6", True),
        ("kb6/8/8/8/8/8/8/K1B5", True),
        ("k1b5/8/8/8/8/8/8/K1B5", False),
        ("k1b5/8/8/8/8/8/8/KB6", True),
        ("kn6/8/8/8/8/8/8/KN6", False),
        ("k7/8/8/8/8/8/8/KNN5", False),
        ("k7/8/8/8/8/8/P7/K7", False),
    ],
)
def test_dead_material_is_a_draw(pieces: str, dead: bool) -> None:
    fen = f"{pieces} w - - 0 1"
    assert chess.Board(fen).is_insufficient_material() == dead
    assert (GAME.position(fen).outcome() == 0) == dead


def test_chess960_castles_onto_the_rook() -> None:
    position = CHESS960.position("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1")
    position.push(CHESS960.encode("e1b1"))
    assert position.fen() == "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"


def test_errors_say_whose_fault_it_is() -> None:
    with pytest.raises(FenError):
        GAME.position("nonsense")
    with pytest.raises(IllegalMoveError):
        GAME.position().push(GAME.encode("e2e5"))
    with pytest.raises(ValueError, match="no UCI move"):
        GAME.encode("nonsense")
