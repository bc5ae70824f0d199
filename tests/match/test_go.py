"""Matches at Go: rules, counts, openings, and games as SGF."""

from __future__ import annotations

import pytest

from tabia.games.go import PASS
from tabia.match.agent import Agent, Choice, Turn
from tabia.match.ground import Ground, OpeningError
from tabia.match.openings import Opening, drawn
from tabia.match.plan import Plan
from tabia.match.play import play
from tabia.match.random_agent import RandomAgent
from tabia.match.run import Match, play_match
from tabia.match.sgf import match_sgf
from tabia.records.go.read import read

LIFE = "1X1O1/XX1OO/1X1O1/1X1O1/1X1O1 b - 0 0 0"


class Player:
    """Plays vertices in turn, then passes."""

    spec, repeatable, fingerprint = "player", True, ""

    def __init__(self, ground: Ground, moves: str = "", name: str = "player") -> None:
        self.name = name
        self._ground, self._moves = ground, moves.split()

    def new_game(self, seed: int) -> None:
        self._left = iter(self._moves)

    def choose(self, turn: Turn) -> Choice:
        text = next(self._left, "pass")
        if text == "resign":
            return Choice(0, resigns=True)
        return Choice(self._ground.go.encode(text))

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_ground_of_go_has_rules_size_and_komi() -> None:
    assert Ground("go") == Ground("go", "chinese", 19, 7.5)
    assert Ground("go", "japanese", 9).komi == 6.5
    assert Ground("go", size=9).as_json() == {
        "game": "go",
        "rules": "chinese",
        "size": 9,
        "komi": 7.5,
    }
    assert Ground("chess").as_json() == {"game": "chess", "rules": None}
    assert Ground("xiangqi").as_json() == {"game": "xiangqi", "rules": "asian"}
    assert Ground("go").sides == ("black", "white")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"name": "go", "rules": "asian"}, "rules asian: go has none such; there are tromp-taylor"),
        ({"name": "xiangqi", "rules": "chinese"}, "there are none, simple, asian"),
        ({"name": "chess", "rules": "asian"}, "it has one set of rules"),
        ({"name": "chess", "size": 9}, "chess has neither sizes of board nor komi"),
        ({"name": "go", "size": 4}, "size 4: boards have 5 to 19 lines"),
        ({"name": "go", "komi": 6.4}, "komi 6.4: must be whole or half points"),
        ({"name": "go", "komi": float("nan")}, "komi nan"),
    ],
)
def test_a_ground_that_is_none_is_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Ground(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(("komi", "result"), [(0.0, 0), (0.5, -1), (-0.5, 1)])
def test_two_passes_end_a_game_and_komi_decides(komi: float, result: int) -> None:
    ground = Ground("go", "chinese", 5, komi)
    players = Player(ground), Player(ground)
    game = play(ground, players, Opening(LIFE), (0, 0), None)
    assert (game.result, game.reason, game.moves) == (result, "two_passes", (PASS, PASS))


def test_dead_stones_go_where_the_rules_remove_them() -> None:
    # Black has the two lowest rows, White the two highest; E1 lives only if nobody removes it.
    fen = "5/OOOOO/5/XXXXX/1X2O b - 0 0 0"
    counts = {}
    for rules in ("chinese", "tromp-taylor"):
        ground = Ground("go", rules, 5, 0.0)
        counts[rules] = ground.count(ground.start(fen)).margin  # type: ignore[arg-type]
    assert counts == {"chinese": 0.0, "tromp-taylor": -4.0}


def test_the_longest_game_allowed_is_counted_as_it_stands() -> None:
    ground = Ground("go", "tromp-taylor", 5, 0.5)
    game = play(ground, (Player(ground, "C3"), Player(ground)), Opening(), (0, 0), 1)
    assert (game.result, game.reason) == (1, "ply_cap")


def test_who_resigns_loses() -> None:
    ground = Ground("go", size=5)
    for first, second, result in (("resign", "", -1), ("C3", "resign", 1)):
        game = play(ground, (Player(ground, first), Player(ground, second)), Opening(), (0, 0), 9)
        assert (game.result, game.reason, game.forfeit) == (result, "resignation", None)


def test_drawn_openings_have_no_pass() -> None:
    ground = Ground("go", size=5)
    openings = drawn(ground, 40, 12, seed=1)
    assert all(len(opening.moves) == 12 and PASS not in opening.moves for opening in openings)
    assert len(set(openings)) == 40


def test_openings_are_read_in_gtp() -> None:
    ground = Ground("go", size=9)
    assert ground.read(["e5", "PASS", "A1"], None) == [80, 361, 152]
    with pytest.raises(OpeningError, match="ply 2"):
        ground.read(["E5", "E5"], None)
    with pytest.raises(OpeningError, match="ply 1"):
        ground.read(["K1"], None)
    with pytest.raises(OpeningError):
        ground.fen("5/5/5/5/5 b")


def played(ground: Ground, first: Agent, second: Agent, **rest: int) -> Match:
    plan = Plan(ground, ("one:a]=1", "two"), 2, (Opening(),), seed=5, **rest)
    return play_match(plan, lambda text, game: first, (first, second))


def test_games_are_read_back_from_sgf() -> None:
    ground = Ground("go", "aga", 5, 6.0)
    match = played(ground, Player(ground, "C3 B2", name="One 1"), Player(ground, name="Two 2"))
    records = list(read(match_sgf(match).encode()))
    games = match.pairs[0]
    for record, game, second in zip(records, games, (False, True), strict=True):
        assert tuple(record.moves) == game.moves  # type: ignore[union-attr]
        assert record.result == game.result  # type: ignore[union-attr]
        assert record.komi == 6.0  # type: ignore[union-attr]
        assert record.rules == "aga"  # type: ignore[union-attr]
        assert record.board_size == 5  # type: ignore[union-attr]
        names = ("two", "one:a]=1") if second else ("one:a]=1", "two")
        assert (record.first_name, record.second_name) == names  # type: ignore[union-attr]
    # Black's C3 alone owns the 25 points.
    assert (records[0].termination, records[0].round) == ("19 points", "1.1")  # type: ignore[union-attr]
    told = records[0].comments[0]  # type: ignore[union-attr]
    seeds = games[0].seeds
    assert told == (
        f"black: One 1, seed {seeds[0]}; white: Two 2, seed {seeds[1]}; match seed: 5;"
        " opening plies: 0; ended by: two passes"
    )


def test_sgf_tells_resignations_and_forfeits() -> None:
    ground = Ground("go", size=5)
    match = played(ground, Player(ground, "resign"), Player(ground, "C3 C3"))
    text = match_sgf(match)
    assert "RE[W+R]" in text
    match = played(ground, Player(ground, "C3 C3"), Player(ground))
    text = match_sgf(match)
    assert "RE[W+F]" in text
    assert "forfeit by black: illegal move: C3 in " in text


def test_random_games_of_go_are_legal_to_the_end() -> None:
    ground = Ground("go", "japanese", 5)
    game = play(ground, (RandomAgent(), RandomAgent()), Opening(), (1, 2), 200)
    assert game.reason in ("two_passes", "ply_cap")
    assert len(game.moves) > 2
    ground.start(None, game.moves)
