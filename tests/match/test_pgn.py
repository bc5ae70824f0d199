"""PGN of a match: read back by other readers, with tags that say who, how and why."""

from __future__ import annotations

import io

import chess.pgn
import pytest

from tabia.games import chess as chess_game
from tabia.match.agent import AgentFaultError, Analysis
from tabia.match.ground import Ground
from tabia.match.openings import Opening
from tabia.match.pgn import match_pgn
from tabia.match.plan import Plan
from tabia.match.run import Match, play_match
from tabia.records.xiangqi.formats import FORMATS
from tabia.records.xiangqi.pgn import read
from tabia.records.xiangqi.record import Record
from tests.match.scripted import Shuffler, build_seeded

FEN = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def shuffled(*, error: AgentFaultError | None = None, spec: str = "a:x=1") -> Match:
    plan = Plan(Ground("chess"), (spec, "b"), 2, (Opening(),), seed=9)
    first = Shuffler(analysis=Analysis(score_cp=35, depth=8), at=3 if error else -1, error=error)
    return play_match(plan, lambda text, game: Shuffler(), (first, Shuffler(name="engine B")))


def test_chess_games_carry_agents_seeds_and_terminations() -> None:
    match = shuffled()
    text = match_pgn(match)
    stream = io.StringIO(text)
    games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert dict(games[0].headers) == {
        "Event": "tabia match",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "1.1",
        "White": "a:x=1",
        "Black": "b",
        "Result": "1/2-1/2",
        "WhiteType": "program",
        "WhiteEngine": "shuffler",
        "WhiteSeed": str(match.pairs[0][0].seeds[0]),
        "BlackType": "program",
        "BlackEngine": "engine B",
        "BlackSeed": str(match.pairs[0][0].seeds[1]),
        "MatchSeed": "9",
        "OpeningPlies": "0",
        "Termination": "repetition",
    }
    assert (games[1].headers["White"], games[1].headers["WhiteEngine"]) == ("b", "engine B")
    assert games[1].headers["WhiteSeed"] == str(match.pairs[0][1].seeds[0])
    assert games[1].headers["Round"] == "1.2"
    for game, played in zip(games, match.pairs[0], strict=True):
        assert game.errors == []
        moves = [chess_game.GAME.encode(move.uci()) for move in game.mainline_moves()]
        assert tuple(moves) == played.moves
    assert [node.comment for node in games[0].mainline()][:2] == ["+0.35/8", ""]


def test_a_start_of_its_own_is_in_the_tags() -> None:
    plan = Plan(Ground("chess"), ("a", "b"), 2, (Opening(FEN),), max_plies=3)
    match = play_match(plan, build_seeded, (build_seeded("a", "chess"), build_seeded("b", "chess")))
    game = chess.pgn.read_game(io.StringIO(match_pgn(match)))
    assert game is not None
    assert (game.headers["FEN"], game.headers["SetUp"]) == (FEN, "1")
    assert game.headers["Termination"] in ("ply cap", "checkmate")


def test_a_forfeit_says_why_and_has_its_transcript() -> None:
    error = AgentFaultError("garbage", 'said "tower" {7}', ("> go nodes 9", "< bestmove tower"))
    match = shuffled(error=error, spec='a:path="\\')
    stream = io.StringIO(match_pgn(match))
    chess.pgn.read_game(stream)
    game = chess.pgn.read_game(stream)  # A has Black and fails at ply 3
    assert game is not None
    assert game.headers["Termination"] == "forfeit by black: garbage"
    assert game.headers["Result"] == "1-0"
    assert game.end().comment.replace("\n", " ") == (
        'forfeit by black: garbage: said "tower" (7) | > go nodes 9 | < bestmove tower'
    )
    assert '[White "a:path=\\"\\\\"]' in match_pgn(match)


@pytest.mark.parametrize("rules", ["asian", "none"])
def test_xiangqi_games_are_read_back(rules: str) -> None:
    plan = Plan(Ground("xiangqi", rules), ("a", "b"), 4, (Opening(),), seed=3, max_plies=30)  # type: ignore[arg-type]
    match = play_match(plan, build_seeded, (build_seeded("a", "x"), build_seeded("b", "x")))
    text = match_pgn(match)
    assert "pgn" in FORMATS
    records = list(read(text.encode(), "match.pgn"))
    played = [game for pair in match.pairs.values() for game in pair]
    assert len(records) == 4
    for record, game in zip(records, played, strict=True):
        assert isinstance(record, Record)
        assert tuple(record.moves) == game.moves
        assert record.result == game.result
        assert record.termination == game.reason.replace("_", " ")
    assert text.count(f'[Rules "{rules}"]') == 4
    assert f'[RedSeed "{played[1].seeds[0]}"]' in text
    first = records[1]
    assert isinstance(first, Record)
    assert (first.first_name, first.second_name, first.round) == ("b", "a", "1.2")


def test_equal_matches_give_equal_files() -> None:
    assert match_pgn(shuffled()) == match_pgn(shuffled())
