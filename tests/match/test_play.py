"""One game: the rules end it, faults forfeit it, and it survives a trip through JSON."""

from __future__ import annotations

import json

import pytest

from tabia.games import chess, xiangqi
from tabia.match.agent import AgentFaultError, Analysis, Turn
from tabia.match.ground import Ground
from tabia.match.openings import Opening
from tabia.match.play import PlayedGame, play
from tests.games.xiangqi_referee_corpus import case
from tests.match.scripted import Shuffler

CHESS = Ground("chess")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def code(text: str) -> int:
    return chess.GAME.encode(text)


def chess_game(
    first: Shuffler, second: Shuffler, fen: str | None = None, cap: int | None = None
) -> PlayedGame:
    return play(CHESS, (first, second), Opening(fen), (7, 8), cap)


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    game = chess_game(Shuffler(), Shuffler())
    assert (game.result, game.reason, len(game.moves)) == (0, "repetition", 8)
    assert game.forfeit is None


@pytest.mark.parametrize(
    ("fen", "move", "result", "reason"),
    [
        (MATE_IN_ONE, "d1d8", 1, "checkmate"),
        ("3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "d8d1", -1, "checkmate"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", 0, "stalemate"),
        ("7k/8/6K1/8/8/8/8/5Qn1 w - - 99 80", "f1f2", 0, "fifty_moves"),
        ("7k/8/6K1/8/8/8/7n/6B1 w - - 0 1", "g1h2", 0, "insufficient_material"),
    ],
)
def test_chess_ends_by_its_rules(fen: str, move: str, result: int, reason: str) -> None:
    agents = Shuffler(at=0, move=code(move)), Shuffler(at=0, move=code(move))
    game = chess_game(*agents, fen=fen)
    assert (game.result, game.reason, game.moves) == (result, reason, (code(move),))


def test_the_longest_game_allowed_is_a_draw_and_counts_the_opening() -> None:
    opening = Opening(None, tuple(map(code, ("g1f3", "g8f6"))))
    game = play(CHESS, (Shuffler(), Shuffler()), opening, (0, 0), 5)
    assert (game.result, game.reason, len(game.moves), game.opening_plies) == (0, "ply_cap", 5, 2)


def test_xiangqi_ends_by_the_referees_rules() -> None:
    chase = case("rook-chases-cannon")
    moves = [xiangqi.GAME.encode(move) for move in chase.moves.split()]
    opening = Opening(chase.start_fen, tuple(moves[:-1]))
    last = Shuffler(at=len(moves) - 1, move=moves[-1])
    endings = []
    for rules in ("asian", "simple"):
        game = play(Ground("xiangqi", rules), (last, last), opening, (0, 0), None)
        endings.append((game.result, game.reason))
    assert endings == [(-1, "perpetual_chase"), (0, "repetition")]
    capped = play(Ground("xiangqi", "none"), (last, last), opening, (0, 0), len(moves))
    assert capped.reason == "ply_cap"


@pytest.mark.parametrize(("side", "result"), [(0, -1), (1, 1)])
def test_a_fault_is_a_forfeit_with_its_transcript(side: int, result: int) -> None:
    error = AgentFaultError("timeout", "no `bestmove` in 1 s", ("> go", "< thinking"))
    agents = [Shuffler(), Shuffler()]
    agents[side] = Shuffler(at=2 + side, error=error)
    game = chess_game(*agents)
    assert (game.result, game.reason, len(game.moves)) == (result, "forfeit", 2 + side)
    assert game.forfeit is not None
    assert (game.forfeit.side, game.forfeit.kind) == (side, "timeout")
    assert game.forfeit.transcript == ("> go", "< thinking")


@pytest.mark.parametrize("move", [code("g1g3"), code("g8f6"), 65535, -1, 70000])
def test_an_illegal_move_is_a_forfeit(move: int) -> None:
    game = chess_game(Shuffler(at=0, move=move), Shuffler())
    assert (game.result, game.reason) == (-1, "forfeit")
    assert game.forfeit is not None
    assert game.forfeit.kind == "illegal_move"
    assert "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w" in game.forfeit.detail
    assert game.forfeit.transcript == ("> ?", "< that")


def test_agents_get_their_seeds_and_the_game_behind_the_position() -> None:
    first, second = Shuffler(), Shuffler()
    opening = Opening(MATE_IN_ONE, (code("g1f1"), code("g8f8")))
    seen = Shuffler(at=2, move=code("d1d8"))
    play(CHESS, (seen, second), opening, (7, 8), 3)
    play(CHESS, (first, second), Opening(), (9, 10), 1)
    assert second.log == [8, 10]
    assert seen.log[0] == 7
    turn = seen.log[1]
    assert isinstance(turn, Turn)
    assert (turn.start_fen, turn.moves) == (MATE_IN_ONE, opening.moves)
    assert turn.position.fen() == "5k2/5ppp/8/8/8/8/5PPP/3R1K2 w - - 2 2"


def test_an_agent_cannot_spoil_the_game_by_playing_on_its_position() -> None:
    class Spoiler(Shuffler):
        def choose(self, turn: Turn):  # type: ignore[no-untyped-def]
            choice = super().choose(turn)
            turn.position.push(turn.position.legal_moves()[0])
            return choice

    assert chess_game(Spoiler(), Shuffler()).reason == "repetition"


def test_evaluations_are_in_the_movers_view() -> None:
    first = Shuffler(analysis=Analysis(score_cp=35, depth=8))
    second = Shuffler(analysis=Analysis(mate=-5, depth=12))
    game = chess_game(first, second, cap=3)
    assert game.evaluations == ("+0.35/8", "-M5/12", "+0.35/8")
    plain = chess_game(Shuffler(analysis=Analysis(score_cp=-120)), Shuffler(), cap=2)
    assert plain.evaluations == ("-1.20", "")


def test_a_game_survives_json() -> None:
    error = AgentFaultError("crashed", "gone", ("> go",))
    for second in (Shuffler(), Shuffler(at=3, error=error)):
        game = chess_game(Shuffler(), second)
        assert PlayedGame.from_json(json.loads(json.dumps(game.as_json()))) == game
