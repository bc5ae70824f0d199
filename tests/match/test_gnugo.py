"""GNU Go as an agent: what it is told, what it answers, how it fails, and how it plays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabia.arena.registry import build
from tabia.engines.errors import EngineNotFoundError
from tabia.engines.uci import find_engine
from tabia.games.go import PASS
from tabia.match.agent import AgentFaultError, AgentStartError, Turn
from tabia.match.ground import Ground
from tabia.match.openings import Opening
from tabia.match.play import PlayedGame, play
from tabia.match.random_agent import RandomAgent
from tabia.match.spec import AgentSpecError

FakeGtp = Callable[..., str]
SMALL = Ground("go", "chinese", size=5, komi=7.0)


@pytest.fixture
def fake(tmp_path: Path) -> FakeGtp:
    """Return a function that makes a fake engine from a plan and gives its spec string."""

    def make(settings: str = "", **plan: object) -> str:
        path = tmp_path / f"gtp{len(list(tmp_path.glob('gtp*')))}"
        body = (Path(__file__).parent / "fake_gtp.py").read_text()
        head, imports = body.split("import os\n", 1)
        path.write_text(f"#!{sys.executable} -S\n{head}PLAN = {plan!r}\nimport os\n{imports}")
        path.chmod(0o755)
        return f"gnugo:path={path}{settings and ','}{settings}"

    return make


@pytest.fixture(scope="session")
def gnugo() -> str:
    try:
        return f"gnugo:level=0,path={find_engine('gnugo')}"
    except EngineNotFoundError as error:
        pytest.skip(str(error))


def codes(ground: Ground, text: str) -> tuple[int, ...]:
    return tuple(map(ground.go.encode, text.split()))


def turn(ground: Ground, moves: str = "", fen: str | None = None) -> Turn:
    played = codes(ground, moves)
    return Turn(ground.start(fen, played), fen, played)


def against_random(spec: str, ground: Ground = SMALL, cap: int = 60) -> PlayedGame:
    agent = build(spec, "go")
    try:
        return play(ground, (agent, RandomAgent()), Opening(), (3, 4), cap)
    finally:
        agent.close()


def test_it_is_told_size_komi_and_all_moves_once(fake: FakeGtp, tmp_path: Path) -> None:
    log = tmp_path / "log"
    agent = build(fake("level=3", moves=("E5", "pass"), log=str(log)), "go")
    assert (agent.name, agent.repeatable) == ("Fake 2.1", True)
    agent.new_game(41)
    ground = Ground("go", "japanese", size=5)
    assert agent.choose(turn(ground, "A1 B2")).move == ground.go.encode("E5")
    assert agent.choose(turn(ground, "A1 B2 E5 pass")).move == PASS
    agent.close()
    started, *lines = log.read_text().split("started ")[-1].splitlines()
    words = "--mode gtp --quiet --level 3 --seed 42 --japanese-rules --simple-ko --forbid-suicide"
    assert started == words
    assert [line.split(maxsplit=1)[1] for line in lines] == [
        "boardsize 5",
        "komi 6.5",
        "clear_board",
        "play black A1",
        "play white B2",
        "genmove black",
        "play white pass",
        "genmove black",
    ]


@pytest.mark.parametrize(
    ("rules", "flags"),
    [
        ("chinese", "--chinese-rules --positional-superko --forbid-suicide"),
        (
            "tromp-taylor",
            "--chinese-rules --positional-superko --allow-all-suicide --capture-all-dead",
        ),
        ("aga", "--chinese-rules --situational-superko --forbid-suicide"),
    ],
)
def test_rules_are_told_as_it_has_them(
    fake: FakeGtp, tmp_path: Path, rules: str, flags: str
) -> None:
    log = tmp_path / "log"
    agent = build(fake("resign=false", log=str(log)), "go")
    agent.new_game(0)
    agent.choose(turn(Ground("go", rules, size=5)))
    agent.close()
    started = log.read_text().split("started ")[-1].splitlines()[0]
    assert started.endswith(f"--seed 1 {flags} --never-resign")


def test_a_position_is_set_stone_by_stone(fake: FakeGtp, tmp_path: Path) -> None:
    log = tmp_path / "log"
    agent = build(fake(log=str(log)), "go")
    agent.new_game(0)
    agent.choose(turn(SMALL, "C3", fen="X4/1O3/5/5/5 w - 0 0 0"))
    agent.close()
    assert [line.split(maxsplit=1)[1] for line in log.read_text().splitlines()[-4:]] == [
        "play black A5",
        "play white B4",
        "play white C3",
        "genmove black",
    ]


@pytest.mark.parametrize("numbers", [True, False])
def test_answers_may_bear_no_number_and_noise_before_them(fake: FakeGtp, numbers: bool) -> None:
    agent = build(fake(moves=("A1",), numbers=numbers, noise="warning: = 3"), "go")
    agent.new_game(0)
    choice = agent.choose(turn(SMALL))
    agent.close()
    assert choice.move == SMALL.go.encode("A1")
    answer = "< =4 A1" if numbers else "< = A1"
    assert choice.transcript[-3:] == ("> 4 genmove black", "< warning: = 3", answer)


def test_it_may_resign(fake: FakeGtp) -> None:
    agent = build(fake(moves=("resign",)), "go")
    agent.new_game(0)
    assert agent.choose(turn(SMALL)).resigns
    agent.close()
    game = against_random(fake(moves=("C3", "resign")))
    assert (game.result, game.reason, game.forfeit, len(game.moves)) == (-1, "resignation", None, 2)


@pytest.mark.parametrize(
    ("plan", "kind", "detail"),
    [
        ({"does": "crash"}, "crashed", "exit status 9 before answer to `genmove`"),
        ({"does": "hang"}, "timeout", "no answer to `genmove` in 0.3 s"),
        ({"does": "other"}, "garbage", "answers command 999, not 4"),
        ({"moves": ("Z9",)}, "garbage", "`Z9` is no move"),
        ({"moves": ("",)}, "garbage", "`` is no move"),
        ({"refuses": "genmove"}, "garbage", "refuses `genmove black`"),
        ({"refuses": "boardsize"}, "garbage", "refuses `boardsize 5`"),
    ],
)
def test_a_failure_is_a_forfeit_with_the_transcript(
    fake: FakeGtp, plan: dict[str, object], kind: str, detail: str
) -> None:
    game = against_random(fake("timeout=0.3", **plan))
    assert game.forfeit is not None
    assert (game.result, game.reason, game.forfeit.side) == (-1, "forfeit", 0)
    assert game.forfeit.kind == kind
    assert detail in game.forfeit.detail
    assert any(line.startswith("> ") for line in game.forfeit.transcript)


def test_a_move_that_the_rules_forbid_is_a_forfeit(fake: FakeGtp) -> None:
    game = against_random(fake(moves=("C3", "C3")))
    assert game.forfeit is not None
    assert (game.forfeit.kind, game.reason) == ("illegal_move", "forfeit")
    assert game.forfeit.detail.startswith("C3 in ")


@pytest.mark.parametrize(
    ("plan", "said"),
    [({"dies": True}, "exit status 1"), ({"refuses": "version"}, "refuses `version`")],
)
def test_what_does_not_start_is_told_before_the_match(
    fake: FakeGtp, plan: dict[str, object], said: str
) -> None:
    with pytest.raises(AgentStartError, match="is it a GTP engine") as caught:
        build(fake(**plan), "go")
    assert said in str(caught.value)


def test_wrong_settings_are_told() -> None:
    with pytest.raises(AgentSpecError) as caught:
        build("gnugo:level=99,elo=3", "go")
    told = str(caught.value)
    assert "level=99: Input should be less than or equal to 20" in told
    assert "no setting 'elo'" in told


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(AgentStartError, match="there is no such file"):
        build("gnugo:path=/nowhere/gnugo", "go")


def test_gnu_go_beats_random_moves_and_repeats(gnugo: str) -> None:
    game = against_random(gnugo)
    assert game.forfeit is None
    assert (game.result, game.reason) in ((1, "two_passes"), (1, "resignation"))
    agent = build(gnugo, "go")
    play(SMALL, (agent, RandomAgent()), Opening(), (9, 9), 20)
    again = play(SMALL, (agent, RandomAgent()), Opening(), (3, 4), 60)
    agent.close()
    assert again == game


def test_gnu_go_goes_on_from_a_position_and_plays_either_colour(gnugo: str) -> None:
    # White lives in the corner and takes the two stones, whose only liberty is A1.
    ground = Ground("go", "chinese", size=5)
    agent = build(gnugo, "go")
    agent.new_game(1)
    move = agent.choose(turn(ground, fen="OO3/XXO2/2O2/1O3/1O3 w - 0 0 0")).move
    agent.close()
    assert move in ground.start("OO3/XXO2/2O2/1O3/1O3 w - 0 0 0").legal_moves()


@pytest.mark.parametrize(
    ("said", "margin"), [("B+3.5", 3.5), ("W+12.0", -12.0), ("0", 0.0), ("W+7", -7.0)]
)
def test_its_count_is_of_blacks_points_less_whites(fake: FakeGtp, said: str, margin: float) -> None:
    agent = build(fake(answers={"final_score": said}), "go")
    agent.new_game(1)
    assert agent.margin(turn(SMALL, "C3 pass pass")) == margin  # type: ignore[attr-defined]
    agent.close()


def test_gnu_go_counts_dead_stones_as_taken(gnugo: str) -> None:
    agent = build(gnugo, "go")
    agent.new_game(1)
    # Black's wall over row 3 has the upper part, White's over row 2 the lower; C5 is dead.
    moves = "A3 A2 B3 B2 C3 C2 D3 D2 E3 E2 B4 C5 D4 pass pass"
    assert agent.margin(turn(SMALL, moves)) == 15 - 10 - 7  # type: ignore[attr-defined]
    agent.close()


def test_gnu_go_refuses_no_size_from_5_to_19(gnugo: str) -> None:
    agent = build(gnugo, "go")
    for size in (5, 6, 19):
        agent.new_game(1)
        ground = Ground("go", "tromp-taylor", size=size)
        assert agent.choose(turn(ground)).move != PASS
    agent.close()


def test_fault_errors_travel_between_processes() -> None:
    import pickle

    error = AgentFaultError("garbage", "x", ("> a",))
    assert pickle.loads(pickle.dumps(error)).transcript == ("> a",)
