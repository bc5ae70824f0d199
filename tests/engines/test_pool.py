"""Engines that fail, and what the pool makes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tabia.engines.config import Engine
from tabia.engines.errors import (
    EngineConfigError,
    EngineCrashedError,
    EngineError,
    EngineGarbageError,
    EngineNotFoundError,
    EngineStartError,
    EngineTimeoutError,
)
from tabia.engines.pool import Done, Failed, Pool
from tabia.engines.uci import Search

Scripted = Callable[..., Engine]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def placement(fen: str) -> str:
    return fen.split()[0]


def outcomes(pool: Pool, searches: list[Search]) -> dict[str, Done | Failed]:
    found = [item for batch in pool.run(searches) for item in batch]
    assert len(found) == len(searches)  # exactly one each
    return {item.search.fen: item for item in found}


def depth_2(fens: tuple[str, ...]) -> list[Search]:
    return [Search(fen, "depth 2") for fen in fens]


@pytest.mark.parametrize("threads", [1, 3])
def test_every_search_has_one_outcome(
    scripted: Scripted, fens: tuple[str, ...], threads: int
) -> None:
    with Pool(scripted(), threads) as pool:
        found = outcomes(pool, depth_2(fens))
    assert all(isinstance(item, Done) for item in found.values())
    for fen, item in found.items():
        assert isinstance(item, Done)
        sign = 1 if " w " in fen else -1
        assert item.analysis.score_cp == sign * len(placement(fen))


def test_a_crash_now_and_then_costs_no_position(scripted: Scripted, fens: tuple[str, ...]) -> None:
    with Pool(scripted({"crash_after": 3}), 2) as pool:
        found = outcomes(pool, depth_2(fens))
        assert pool.restarts >= 2
    assert all(isinstance(item, Done) for item in found.values())


def test_a_position_that_always_crashes_is_rejected_after_its_tries(
    scripted: Scripted, fens: tuple[str, ...]
) -> None:
    with Pool(scripted({"crash_on": [placement(fens[3])]}, tries=2), 2) as pool:
        found = outcomes(pool, depth_2(fens))
        assert pool.restarts == 2
    failed = found.pop(fens[3])
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, EngineCrashedError)
    assert "killed by SIGSEGV" in str(failed.error)
    assert fens[3] in str(failed.error)
    assert "about to crash" in str(failed.error)
    assert all(isinstance(item, Done) for item in found.values())


def test_a_hanging_engine_is_stopped_at_its_deadline(
    scripted: Scripted, fens: tuple[str, ...]
) -> None:
    with Pool(scripted({"hang_on": [placement(fens[1])]}, timeout_s=0.3, tries=2), 1) as pool:
        start = time.monotonic()
        found = outcomes(pool, depth_2(fens[:4]))
        assert time.monotonic() - start < 10
    failed = found.pop(fens[1])
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, EngineTimeoutError)
    assert "no best move in 0.3 s" in str(failed.error)
    assert all(isinstance(item, Done) for item in found.values())


def test_rubbish_is_rejected_with_what_was_said(scripted: Scripted, fens: tuple[str, ...]) -> None:
    with Pool(scripted({"rubbish_on": [placement(fens[0])]}), 1) as pool:
        found = outcomes(pool, depth_2(fens[:3]))
        assert pool.restarts == 3
    failed = found.pop(fens[0])
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, EngineGarbageError)
    assert "bestmove tower takes tower" in str(failed.error)


def test_reports_hold_no_clock_readings(scripted: Scripted, fens: tuple[str, ...]) -> None:
    lines = ["info depth 2 score cp x nodes 7 nps 123 time 45 pv a2a3", "bestmove a2a3"]
    with Pool(scripted({"answers": {placement(fens[0]): lines}}, tries=1), 1) as pool:
        failed = outcomes(pool, depth_2(fens[:1]))[fens[0]]
    assert isinstance(failed, Failed)
    assert "nodes 7" in str(failed.error)
    assert "123" not in str(failed.error)
    assert "45" not in str(failed.error).split("it said")[1]


def test_an_engine_that_fails_on_everything_stops_the_work(scripted: Scripted) -> None:
    searches = [
        Search(f"8/8/8/{n % 7 + 1}k{6 - n % 7}/8/8/8/K7 w - -", "depth 2") for n in range(99)
    ]
    with (
        Pool(scripted({"crash_after": 0}, tries=1), 1) as pool,
        pytest.raises(EngineError, match="on each of the first 50 positions"),
    ):
        for _ in pool.run(searches):
            pass


def test_a_slow_start_is_waited_for(scripted: Scripted, fens: tuple[str, ...]) -> None:
    with Pool(scripted({"start_s": 0.5}, timeout_s=0.2), 2) as pool:
        found = outcomes(pool, depth_2(fens))
    assert all(isinstance(item, Done) for item in found.values())


def test_an_unknown_program_says_where_it_was_looked_for_and_what_to_install() -> None:
    with pytest.raises(EngineNotFoundError, match=r"on PATH nor in /usr/games; install it .*apt"):
        Pool(Engine(command="no-such-engine"))


def test_a_missing_file_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(EngineNotFoundError, match="no such file"):
        Pool(Engine(command=str(tmp_path / "engine")))


def test_a_file_that_may_not_be_run_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text("#!/bin/sh\n")
    with pytest.raises(EngineNotFoundError, match=r"not executable; try: chmod \+x"):
        Pool(Engine(command=str(tmp_path / "engine")))


def test_a_program_that_is_no_program_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "engine").write_bytes(b"\x00\x01\x02")
    (tmp_path / "engine").chmod(0o755)
    with pytest.raises(EngineStartError, match="cannot be run"):
        Pool(Engine(command=str(tmp_path / "engine")))


def test_a_program_that_ends_at_once_is_an_error_with_its_last_words(scripted: Scripted) -> None:
    with pytest.raises(EngineStartError, match=r"exit status 7; .*cannot load weights"):
        Pool(scripted({"die_at_start": True}), 2)


def test_a_program_that_speaks_no_uci_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabia.engines.uci.START_TIMEOUT_S", 0.3)
    with pytest.raises(EngineStartError, match="did not say uciok: is it a UCI engine"):
        Pool(Engine(command="cat"))


def test_an_option_that_the_engine_lacks_is_an_error_with_a_hint(scripted: Scripted) -> None:
    engine = scripted(options={"Style of Pay": "Wild"})
    with pytest.raises(EngineConfigError, match=r"no option .*did you mean 'Style Of Play'"):
        Pool(engine)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"Style Of Play": "Mad"}, "one of Calm, Wild"),
        ({"Ponder": "maybe"}, "true or false"),
    ],
)
def test_a_value_that_does_not_fit_is_an_error(
    scripted: Scripted, options: dict[str, object], fault: str
) -> None:
    with pytest.raises(EngineConfigError, match=fault):
        Pool(scripted(options=options))


def test_more_hash_than_the_engine_allows_is_an_error(scripted: Scripted) -> None:
    with pytest.raises(EngineConfigError, match="Hash takes a whole number from 1 to 64"):
        Pool(scripted(hash_mb=128))


def test_an_engine_without_multipv_cannot_give_two_lines(scripted: Scripted) -> None:
    plan = {"options": ["option name Hash type spin default 16 min 1 max 64"]}
    with pytest.raises(EngineConfigError, match="no option 'MultiPV'"):
        Pool(scripted(plan, multipv=2))


def test_another_engine_than_expected_is_an_error(scripted: Scripted) -> None:
    with pytest.raises(EngineConfigError, match=r"'Scripted 1.0', but .* expects 'Stockfish 15.1'"):
        Pool(scripted(expect="Stockfish 15.1"))


def test_identity_is_what_the_engine_says(scripted: Scripted) -> None:
    with Pool(scripted({"name": "Fine Engine 12 beta"}, options={"ponder": True})) as pool:
        engine = pool.engine
        assert (engine.name, engine.version, engine.net) == ("Fine Engine", "12 beta", "")
        assert engine.options == {"Hash": 1, "MultiPV": 1, "Ponder": True}


@pytest.mark.engine
def test_real_stockfish_killed_again_and_again_gives_the_same_labels(
    stockfish: str, fens: tuple[str, ...]
) -> None:
    engine = Engine(command=stockfish, hash_mb=1)
    searches = [Search(fen, go) for fen in fens for go in ("depth 2", "depth 7", "nodes 30000")]
    with Pool(engine, 2) as pool:
        quiet = {
            (item.search.fen, item.search.go): item.analysis
            for batch in pool.run(searches)
            for item in batch
            if isinstance(item, Done)
        }
    with Pool(engine, 2) as pool:
        killed = {}
        for round_, batch in enumerate(pool.run(searches)):
            if round_ in (1, 4):
                os.kill(pool.pids[round_ % 2], signal.SIGKILL)
            killed |= {
                (item.search.fen, item.search.go): item.analysis
                for item in batch
                if isinstance(item, Done)
            }
        assert pool.restarts >= 1
    assert killed == quiet
    assert len(quiet) == len(searches)


@pytest.mark.engine
def test_an_illegal_position_that_crashes_real_stockfish_is_rejected(stockfish: str) -> None:
    no_kings = "8/8/8/3pP3/8/8/8/8 w - -"
    with Pool(Engine(command=stockfish, hash_mb=1, timeout_s=10, tries=2), 1) as pool:
        found = outcomes(pool, depth_2((no_kings, START)))
    assert isinstance(found[no_kings], Failed)
    assert isinstance(found[START], Done)


@pytest.mark.engine
@pytest.mark.parametrize("whole_group", [False, True])
def test_engines_die_with_a_killed_parent(stockfish: str, whole_group: bool) -> None:
    code = (
        "import sys\n"
        "from tabia.engines.config import Engine\n"
        "from tabia.engines.pool import Pool\n"
        "from tabia.engines.uci import Search\n"
        f"pool = Pool(Engine(command={stockfish!r}, hash_mb=1), 2)\n"
        "print(*pool.pids, flush=True)\n"
        f"for _ in pool.run([Search({START!r}, 'depth 60')] * 2): pass\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2
    time.sleep(0.3)
    if whole_group:
        os.killpg(parent.pid, signal.SIGTERM)
    else:
        parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(is_running(pid) for pid in pids)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
