"""Engines as agents: settings, faults of fake ones, and what the real ones play."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tabia.arena.registry import build
from tabia.games import chess, xiangqi
from tabia.match.agent import AgentFaultError, AgentStartError, Analysis, Turn
from tabia.match.engine_agents import EngineAgent
from tabia.match.spec import AgentSpecError
from tabia.match.uci_player import parse_analysis
from tests.match.conftest import Fake

VARIANTS = ("option name UCI_Variant type combo default chess var chess var xiangqi",)
LEVELS = (
    "option name UCI_LimitStrength type check default false",
    "option name UCI_Elo type spin default 1350 min 1350 max 2850",
    "option name Skill Level type spin default 20 min -20 max 20",
    "option name Style type combo default Calm var Calm var Wild",
    "option name Threads type spin default 1 min 1 max 8",
)


def engine(text: str, game: str = "chess") -> EngineAgent:
    agent = build(text, game)
    assert isinstance(agent, EngineAgent)
    return agent


def chess_turn(*moves: str, fen: str | None = None) -> Turn:
    codes = tuple(chess.GAME.encode(move) for move in moves)
    position = chess.GAME.position(fen)
    for code in codes:
        position.push(code)
    return Turn(position, fen, codes)


def test_an_engine_is_told_the_game_and_its_limit(fake: Fake, tmp_path: Path) -> None:
    text = fake("depth=7", log=str(tmp_path / "log"), name="Fake 2.5", options=LEVELS)
    agent = engine(text)
    agent.new_game(1)
    agent.choose(chess_turn("e2e4", "e7e5"))
    agent.close()
    assert agent.name == "Fake 2.5"
    assert (tmp_path / "log").read_text().splitlines() == [
        "uci",
        "setoption name Threads value 1",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos moves e2e4 e7e5",
        "go depth 7",
    ]


@pytest.mark.parametrize(
    ("settings", "go"),
    [
        ("", "nodes 10000"),
        ("nodes=5", "nodes 5"),
        ("movetime=30", "movetime 30"),
    ],
)
def test_the_limit_is_work_unless_the_clock_is_asked_for(
    fake: Fake, tmp_path: Path, settings: str, go: str
) -> None:
    agent = engine(fake(settings, log=str(tmp_path / "log")))
    agent.choose(chess_turn(fen="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 9"))
    agent.close()
    assert (tmp_path / "log").read_text().splitlines()[-2:] == [
        "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 9",
        f"go {go}",
    ]
    assert agent.repeatable is not settings.startswith("movetime")


@pytest.mark.parametrize(
    ("settings", "sent", "repeatable"),
    [
        ("elo=1500", ["UCI_LimitStrength value true", "UCI_Elo value 1500"], False),
        ("skill=-5", ["Skill Level value -5"], False),
        ("skill=20", ["Skill Level value 20"], True),
        ("option.Style=Wild", ["Style value Wild"], True),
    ],
)
def test_strengths_are_options_and_do_not_repeat(
    fake: Fake, tmp_path: Path, settings: str, sent: list[str], repeatable: bool
) -> None:
    agent = engine(fake(settings, log=str(tmp_path / "log"), options=LEVELS))
    agent.close()
    lines = (tmp_path / "log").read_text().splitlines()
    found = [line.removeprefix("setoption name ") for line in lines if line.startswith("set")]
    assert found == ["Threads value 1", *sent]
    assert agent.repeatable is repeatable


def test_the_score_is_the_last_exact_one_of_the_best_line() -> None:
    lines = [
        "info depth 3 multipv 1 score cp 20 nodes 30 pv e2e4",
        "info depth 4 multipv 1 score cp -31 nodes 41 nps 1 pv d2d4",
        "info depth 4 multipv 2 score cp -50 nodes 42 pv e2e4",
        "info depth 5 multipv 1 score cp 900 lowerbound nodes 50 pv a2a4",
        "info string score cp 7",
        "bestmove d2d4",
    ]
    assert parse_analysis(lines) == Analysis(score_cp=-31, depth=4, nodes=41)
    assert parse_analysis(["info depth 9 score mate -2", "bestmove a1a2"]) == Analysis(
        mate=-2, depth=9
    )
    assert parse_analysis(["bestmove e2e4"]) is None
    digits = "9" * 5000  # more than Python reads
    assert parse_analysis([f"info depth {digits} score cp 12 nodes {digits}"]) == Analysis(
        score_cp=12
    )
    assert parse_analysis([f"info depth 3 score cp {digits}"]) is None


@pytest.mark.parametrize(
    ("does", "kind", "detail"),
    [
        ("crash", "crashed", "it was killed by SIGSEGV before `bestmove`"),
        ("hang", "timeout", "no `bestmove` in 0.5 s"),
        ("garbage", "garbage", "`bestmove tower ponder a1a2` is no move"),
        ("none", "illegal_move", "gave no move (`bestmove (none) ponder a1a2`), but has one"),
    ],
)
def test_a_fault_has_its_kind_and_the_end_of_the_talk(
    fake: Fake, does: str, kind: str, detail: str
) -> None:
    agent = engine(fake("timeout=0.5", at=1, does=does, chatter=2))
    agent.new_game(0)
    assert agent.choose(chess_turn()).move == chess.GAME.encode("g1f3")
    begun = time.monotonic()
    with pytest.raises(AgentFaultError) as caught:
        agent.choose(chess_turn("g1f3", "g8f6"))
    assert time.monotonic() - begun < 10
    agent.close()
    assert (caught.value.kind, caught.value.detail) == (kind, detail)
    transcript = caught.value.transcript
    at = transcript.index("> position startpos moves g1f3 g8f6")
    assert transcript[at + 1 : at + 4] == ("> go nodes 10000", *("< info string chatter",) * 2)


def test_what_was_asked_stays_in_the_transcript_of_a_chatty_engine(fake: Fake) -> None:
    agent = engine(fake(at=0, does="garbage", chatter=500))
    with pytest.raises(AgentFaultError) as caught:
        agent.choose(chess_turn())
    agent.close()
    assert caught.value.transcript[:3] == ("> position startpos", "> go nodes 10000", "…")
    assert len(caught.value.transcript) < 40


def test_an_engine_that_dies_between_games_is_a_fault_of_the_next(fake: Fake) -> None:
    agent = engine(fake(dies_at_new_game=2))
    agent.new_game(0)
    with pytest.raises(AgentFaultError, match="exit status 9 before `readyok`"):
        agent.new_game(0)
    agent.close()


def test_an_engine_that_does_not_start_is_no_fault_of_a_game(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    (tmp_path / "text").chmod(0o755)
    for text, said in (
        (fake(dies=True), "ended with exit status 1 before `uciok`.*cannot load weights"),
        ("uci:path=/nowhere/engine", "there is no such file"),
        (f"uci:path={tmp_path / 'text'}", "cannot be run"),
        ("uci:path=no-such-engine", "found neither on PATH"),
    ):
        with pytest.raises(AgentStartError, match=said) as caught:
            build(text, "chess")
        assert str(caught.value).startswith(f"agent {text!r}: engine ")
        assert caught.value.exit_code == 2


def test_closing_ends_the_process(fake: Fake) -> None:
    agent = engine(fake())
    os.kill(agent.pid, 0)
    agent.close()
    with pytest.raises(ProcessLookupError):
        os.kill(agent.pid, 0)


def test_closing_ends_an_engine_behind_a_script(fake: Fake, tmp_path: Path) -> None:
    program = fake(at=0, does="hang").removeprefix("uci:path=")
    script, pid = tmp_path / "script", tmp_path / "pid"
    script.write_text(f"#!/bin/sh\nexec 3<&0\n{program} <&3 &\necho $! > {pid}\nwait\n")
    script.chmod(0o755)
    agent = engine(f"uci:path={script},timeout=0.5")
    with pytest.raises(AgentFaultError, match=r"no `bestmove` in 0\.5 s"):
        agent.choose(chess_turn())
    hanging = int(pid.read_text())
    os.kill(hanging, 0)
    agent.close()
    deadline = time.monotonic() + 20
    while _runs(hanging):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    """Whether a process is there and not only waits for being reaped."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_name_without_end_is_cut(fake: Fake) -> None:
    agent = engine(fake(name="Fake " + "1" * 10_000))
    agent.close()
    assert agent.name == "Fake " + "1" * 195


def test_what_an_engine_says_does_not_steer_a_terminal(fake: Fake) -> None:
    agent = engine(fake(name="\x1b[31mRed\u202e", at=0, does="escape"))
    assert agent.name == "[31mRed"
    with pytest.raises(AgentFaultError) as caught:
        agent.choose(chess_turn())
    agent.close()
    assert caught.value.detail == "`bestmove  [2Jtower ponder a1a2` is no move"
    assert caught.value.transcript[-1] == "< bestmove  [2Jtower ponder a1a2"


def test_an_option_with_endless_numbers_does_not_matter(fake: Fake) -> None:
    line = f"option name Size type spin default 1 min 1 max {'9' * 5000}"
    agent = engine(fake("option.Size=7", options=(line,)))
    agent.close()
    assert agent._player.announced["size"].high is None


def test_another_program_or_file_has_another_fingerprint(fake: Fake, tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.write_text("one")
    options = ("option name Book type string default x",)
    text = fake(f"option.Book={book}", options=options)
    found = []
    for content in ("one", "two", "one"):
        book.write_text(content)
        agent = engine(text)
        agent.close()
        found.append(agent.fingerprint)
    assert found[0] == found[2] != found[1]
    program = Path(text.removeprefix("uci:path=").partition(",")[0])
    program.write_text(program.read_text() + "# later\n")
    assert agent.fingerprint != found[2]


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ("nodes=5,depth=3", "nodes and depth: give one limit"),
        ("elo=1500,skill=3", "elo and skill: give one strength"),
        ("movetime=60000", "movetime=60000 ms is no less than timeout=60 s"),
        ("nodes=0", "nodes=0: Input should be greater than or equal to 1"),
        ("option.Threads=4", "option.Threads: an engine has one thread"),
        ("option.uci_elo=1500", "option.uci_elo: write elo="),
        ("dept=3", "no setting 'dept'; did you mean 'depth'?"),
        ("ranks=2", "ranks=2: Input should be less than or equal to 1"),
    ],
)
def test_wrong_settings_are_told_before_anything_starts(settings: str, fault: str) -> None:
    with pytest.raises(AgentSpecError) as caught:
        build(f"uci:path=/nowhere,{settings}", "chess")
    assert fault in str(caught.value)


def test_what_an_engine_cannot_do_is_told_all_at_once(fake: Fake) -> None:
    text = fake("elo=900,option.Styl=Wild", options=LEVELS)
    with pytest.raises(AgentStartError) as caught:
        build(text, "chess")
    told = [line.removeprefix(f"agent {text!r}: ") for line in str(caught.value).splitlines()]
    assert told[0].startswith("Fake 1.0 has no option 'Styl'; did you mean 'Style'?")
    assert told[1] == "Fake 1.0: option UCI_Elo takes a whole number from 1350 to 2850, not 900"


@pytest.mark.parametrize(
    ("text", "game", "said"),
    [
        ("stockfish", "xiangqi", "Stockfish plays chess, not xiangqi; take fairy"),
        ("fairy", "go", "plays chess and xiangqi, not go"),
        ("gnugo:level=10", "chess", "plays go, not chess"),
    ],
)
def test_an_agent_of_another_game_is_refused(text: str, game: str, said: str) -> None:
    with pytest.raises(AgentStartError, match=said):
        build(text, game)


def test_xiangqi_ranks_count_from_1_where_the_engine_has_variants(
    fake: Fake, tmp_path: Path
) -> None:
    log = str(tmp_path / "log")
    agent = engine(fake(game="xiangqi", log=log, options=VARIANTS), "xiangqi")
    code = xiangqi.GAME.encode
    moves = (code("h0g2"), code("h9g7"))
    choice = agent.choose(Turn(xiangqi.GAME.position(), None, moves))
    agent.close()
    assert choice.move == code("g2h0")
    lines = Path(log).read_text().splitlines()
    assert "setoption name UCI_Variant value xiangqi" in lines
    assert "position startpos moves h1g3 h10g8" in lines


def test_xiangqi_ranks_of_an_engine_without_variants_must_be_said(
    fake: Fake, tmp_path: Path
) -> None:
    with pytest.raises(AgentStartError, match="ranks=0"):
        build(fake(game="xiangqi"), "xiangqi")
    log = str(tmp_path / "log")
    agent = engine(fake("ranks=0", game="xiangqi", log=log), "xiangqi")
    start = xiangqi.GAME.position()
    agent.choose(Turn(start, None, (xiangqi.GAME.encode("h0g2"), xiangqi.GAME.encode("h9g7"))))
    agent.close()
    assert "position startpos moves h0g2 h9g7" in Path(log).read_text().splitlines()


def test_an_engine_whose_variants_lack_the_game_is_refused(fake: Fake) -> None:
    lines = ("option name UCI_Variant type combo default shogi var shogi",)
    with pytest.raises(AgentStartError, match="its UCI_Variant has no chess"):
        build(fake(options=lines), "chess")


@pytest.mark.engine
def test_stockfish_mates_in_one(stockfish: str) -> None:
    agent = engine("stockfish:nodes=2000,hash=1")
    agent.new_game(0)
    choice = agent.choose(chess_turn(fen="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    agent.close()
    assert choice.move == chess.GAME.encode("d1d8")
    assert choice.analysis is not None
    assert (choice.analysis.mate, choice.analysis.score_cp) == (1, None)
    assert agent.name.startswith("Stockfish ")
    assert agent.repeatable


@pytest.mark.engine
def test_stockfish_names_the_range_of_its_elo(stockfish: str) -> None:
    with pytest.raises(AgentStartError, match=r"UCI_Elo takes a whole number from \d+ to \d+"):
        build("stockfish:elo=100", "chess")


@pytest.mark.engine
def test_fairy_stockfish_plays_xiangqi_with_our_ranks(fairy: str) -> None:
    agent = engine("fairy:nodes=2000,hash=1", "xiangqi")
    agent.new_game(0)
    fen = "3k5/9/9/9/n8/R8/9/9/9/4K4 w - - 0 1"
    choice = agent.choose(Turn(xiangqi.GAME.position(fen), fen, ()))
    agent.close()
    assert choice.move == xiangqi.GAME.encode("a4d4")  # the engine says a5d5
    assert choice.analysis is not None
    assert choice.analysis.mate == 1
