"""Matches: pairs with colours reversed, equal games whatever the processes, faults, going on."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from tabia.arena.registry import build
from tabia.match.agent import Agent, AgentFaultError, Turn
from tabia.match.ground import Ground
from tabia.match.openings import Opening, drawn
from tabia.match.plan import Plan, PlanError
from tabia.match.result import result_of
from tabia.match.run import Match, play_match
from tabia.match.state import MatchState, MatchStateError
from tests.match.conftest import Fake
from tests.match.scripted import Seeded, Shuffler, build_never, build_seeded

CHESS = Ground("chess")


def plan_of(
    agents: tuple[str, str] = ("a", "b"), games: int = 8, ground: Ground = CHESS, **rest: int
) -> Plan:
    openings = tuple(drawn(ground, games // 2, 4, seed=5))
    return Plan(ground, agents, games, openings, **{"seed": 5, "max_plies": 40, **rest})


def seeded(plan: Plan, **rest: object) -> Match:
    agents = build_seeded(plan.agents[0], "chess"), build_seeded(plan.agents[1], "chess")
    return play_match(plan, build_seeded, agents, **rest)  # type: ignore[arg-type]


def engines(plan: Plan, **rest: object) -> Match:
    agents = build(plan.agents[0], plan.ground.name), build(plan.agents[1], plan.ground.name)
    return play_match(plan, build, agents, **rest)  # type: ignore[arg-type]


def test_each_opening_is_played_twice_with_colours_reversed() -> None:
    plan = plan_of(max_plies=6)
    a, b = Shuffler(at=4, move=0), Shuffler(at=4, move=0)  # who is to move at ply 4 forfeits
    rebuilt: dict[str, list[Shuffler]] = {"a": [a], "b": [b]}

    def rebuild(text: str, game: str) -> Agent:
        rebuilt[text].append(Shuffler(at=4, move=0))
        return rebuilt[text][-1]

    match = play_match(plan, rebuild, (a, b))
    result = result_of(match)
    assert (result.all.won, result.all.drawn, result.all.lost) == (4, 0, 4)
    assert (result.as_first.lost, result.as_second.won) == (4, 4)
    assert result.elo is not None
    assert result.elo.pairs == (0, 0, 4, 0, 0)
    for number, (one, two) in match.pairs.items():
        assert one.moves == two.moves == plan.openings[number].moves
        assert len({*one.seeds, *two.seeds}) == 4
    assert [forfeit.agent for forfeit in result.forfeits] == [0, 1] * 4
    # A failed once a pair, at the first move, and was closed and built anew each time.
    assert [agent.log[-1] for agent in rebuilt["a"]] == ["closed"] * 5
    turns = [entry for agent in rebuilt["a"] for entry in agent.log if isinstance(entry, Turn)]
    assert {turn.position.first_to_move for turn in turns} == {True}


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    plan = plan_of(("a", "sometimes fails"), games=12)
    alone, together = seeded(plan), seeded(plan, threads=3)
    assert alone.pairs == together.pairs
    assert list(together.pairs) == list(range(6))
    endings = result_of(alone).endings
    assert endings["forfeit"] >= 1
    assert endings["ply_cap"] >= 1


def test_another_seed_plays_other_games() -> None:
    plan = plan_of(games=2)
    assert seeded(plan).pairs != seeded(Plan(CHESS, ("a", "b"), 2, plan.openings, 6, 40)).pairs


def test_a_longer_match_begins_with_the_same_games() -> None:
    short, long = seeded(plan_of(games=4)), seeded(plan_of(games=8))
    assert [long.pairs[number] for number in (0, 1)] == list(short.pairs.values())


def test_openings_come_round_again_and_repeated_games_are_counted() -> None:
    other = (CHESS.game.encode("a2a3"),)
    plan = Plan(CHESS, ("a", "b"), 6, (Opening(), Opening(None, other)))
    assert [plan.opening(number).moves for number in range(3)] == [(), other, ()]
    match = play_match(plan, lambda text, game: Shuffler(), (Shuffler(), Shuffler()))
    result = result_of(match)
    assert (result.all.games, result.distinct) == (6, 4)


def test_a_finished_pair_is_not_played_again(tmp_path: Path) -> None:
    plan, state = plan_of(games=8), tmp_path / "state"
    whole = seeded(plan, state=state)
    lines = state.read_text().splitlines(keepends=True)
    assert len(lines) == 5
    # Killed while it wrote the third pair.
    state.write_text("".join(lines[:3]) + lines[3][: len(lines[3]) // 2])
    played: list[str] = []

    class Counting(Seeded):
        def new_game(self, seed: int) -> None:
            played.append("game")
            super().new_game(seed)

    rest = play_match(plan, build_seeded, (Counting("a"), Counting("b")), state=state)
    assert rest.resumed == 2
    assert len(played) == 2 * 2 * 2  # two pairs, two games, two agents
    assert rest.pairs == whole.pairs
    assert len(state.read_text().splitlines()) == 5
    again = seeded(plan, state=state)
    assert (again.resumed, again.pairs) == (4, rest.pairs)


def test_the_state_of_another_match_is_not_touched(tmp_path: Path) -> None:
    state = tmp_path / "state"
    seeded(plan_of(games=2), state=state)
    before = state.read_bytes()
    with pytest.raises(MatchStateError, match="another match"):
        seeded(plan_of(games=2, seed=6), state=state)
    state.write_bytes(before.replace(b'"result"', b'"rezult"', 1))
    with pytest.raises(MatchStateError, match="line 2: damaged"):
        seeded(plan_of(games=2), state=state)


def test_a_state_that_was_cut_in_its_first_line_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "state").write_text('{"agents": ["a"')
    with MatchState(tmp_path / "state", {"agents": ["a", "b"]}) as state:
        assert state.pairs == {}
    assert json.loads((tmp_path / "state").read_text()) == {"agents": ["a", "b"]}


def test_ctrl_c_keeps_what_was_finished() -> None:
    games = itertools.count()

    class Interrupted(Shuffler):
        def new_game(self, seed: int) -> None:
            if next(games) == 5:
                raise KeyboardInterrupt

    agent = Interrupted()
    plan = Plan(CHESS, ("a", "b"), 8, (Opening(),))
    match = play_match(plan, build_seeded, (agent, Shuffler()))
    assert isinstance(match.stopped, KeyboardInterrupt)
    assert len(match.pairs) == 2
    assert agent.log[-1] == "closed"


@pytest.mark.parametrize("does", ["crash", "hang", "garbage", "illegal", "none"])
def test_the_match_goes_on_with_a_restarted_engine(fake: Fake, tmp_path: Path, does: str) -> None:
    starts = tmp_path / "starts"
    bad = fake("timeout=0.5", at=5, does=does, starts=str(starts))
    plan = Plan(CHESS, (fake(), bad), 4, (Opening(),))
    match = engines(plan)
    result = result_of(match)
    assert match.stopped is None
    # A process makes four moves in its first game, a draw by repetition, and fails in its second.
    assert result.endings == {"forfeit": 2, "repetition": 2}
    assert (result.all.won, result.all.drawn) == (2, 2)
    kind = {"crash": "crashed", "hang": "timeout", "garbage": "garbage"}.get(does, "illegal_move")
    for number, item in enumerate(result.forfeits, 1):
        assert (item.pair, item.number, item.agent) == (number, 2, 1)
        assert item.game.forfeit is not None
        assert item.game.forfeit.kind == kind
        assert "> go nodes 10000" in item.game.forfeit.transcript
    assert len(starts.read_text().splitlines()) == 2


def test_an_engine_that_cannot_start_again_stops_the_match(fake: Fake, tmp_path: Path) -> None:
    bad = fake(at=5, does="crash", starts=str(tmp_path / "starts"), most_starts=1)
    match = engines(Plan(CHESS, (fake(), bad), 6, (Opening(),)))
    assert len(match.pairs) == 1
    assert "ended with exit status 1" in str(match.stopped)


def test_an_agent_that_cannot_be_built_in_a_process_stops_the_match() -> None:
    match = play_match(plan_of(), build_never, (Shuffler(), Shuffler()), threads=2)
    assert str(match.stopped) == "agent 'a': cannot start"
    assert match.pairs == {}


@pytest.mark.parametrize("games", [0, 1, 7, -2])
def test_games_come_in_pairs(games: int) -> None:
    with pytest.raises(PlanError, match="give an even number"):
        Plan(CHESS, ("a", "b"), games, (Opening(),))


def test_a_longest_game_that_the_opening_fills_is_refused() -> None:
    with pytest.raises(PlanError, match="none is left to play"):
        plan_of(max_plies=4)


@pytest.mark.engine
def test_limited_by_nodes_stockfish_plays_the_same_games_in_any_number_of_processes(
    stockfish: str,
) -> None:
    agents = ("stockfish:nodes=400,hash=1", "stockfish:depth=3,hash=1")
    plan = plan_of(agents, games=6, max_plies=30)
    alone, together = engines(plan), engines(plan, threads=2)
    assert alone.pairs == together.pairs
    assert result_of(alone).forfeits == ()
    assert alone.repeatable == (True, True)


@pytest.mark.engine
def test_fairy_stockfish_beats_the_random_mover_at_xiangqi(fairy: str) -> None:
    ground = Ground("xiangqi")
    plan = plan_of(("random", "fairy:nodes=300,hash=1"), games=4, ground=ground, max_plies=200)
    alone, again = engines(plan), engines(plan)
    assert alone.pairs == again.pairs
    result = result_of(alone)
    assert (result.all.won, result.all.drawn, result.all.lost) == (0, 0, 4)
    assert set(result.endings) <= {"checkmate", "no_move"}


def test_a_fault_outside_a_turn_is_told_with_its_side() -> None:
    class Dead(Shuffler):
        def new_game(self, seed: int) -> None:
            raise AgentFaultError("crashed", "gone")

    plan = Plan(CHESS, ("a", "b"), 2, (Opening(),))
    match = play_match(plan, lambda text, game: Dead(), (Shuffler(), Dead()))
    one, two = match.pairs[0]
    assert one.forfeit is not None
    assert two.forfeit is not None
    assert (one.result, one.forfeit.side) == (1, 1)
    assert (two.result, two.forfeit.side) == (-1, 0)
