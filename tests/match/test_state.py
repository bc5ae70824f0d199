"""The file in which a match keeps its finished pairs: whose it is, and what can go wrong."""

from __future__ import annotations

import errno
import fcntl
from pathlib import Path
from typing import Any

import pytest

from tabia.games.chess import GAME
from tabia.match.ground import Ground
from tabia.match.openings import Opening
from tabia.match.plan import Plan
from tabia.match.play import PlayedGame
from tabia.match.run import play_match
from tabia.match.state import MatchState, MatchStateError, MatchWriteError
from tests.match.scripted import Seeded, build_seeded

MATCH = {"agents": ["a", "b"]}
GAME_PLAYED = PlayedGame(
    seeds=(1, 2),
    start_fen=None,
    opening_plies=0,
    moves=(GAME.encode("e2e4"),),
    result=0,
    reason="ply_cap",
    evaluations=("+0.35/8",),
)


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    with MatchState(tmp_path / "deep" / "state", MATCH) as state:
        state.add(3, (GAME_PLAYED, GAME_PLAYED))
    with MatchState(tmp_path / "deep" / "state", MATCH) as state:
        assert state.pairs == {3: (GAME_PLAYED, GAME_PLAYED)}


def test_two_matches_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with MatchState(path, MATCH) as state:
        state.add(0, (GAME_PLAYED, GAME_PLAYED))
        before = path.read_bytes()
        for match in (MATCH, {"agents": ["c", "d"]}):
            with pytest.raises(MatchStateError, match="another match is writing it"):
                MatchState(path, match)
        assert path.read_bytes() == before
        state.add(1, (GAME_PLAYED, GAME_PLAYED))
    with MatchState(path, MATCH) as state:
        assert sorted(state.pairs) == [0, 1]


def test_a_file_that_its_match_removed_meanwhile_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state"
    lock, locked = fcntl.flock, []

    def removing(file: Any, how: int) -> None:
        lock(file, how)
        if not locked:
            path.unlink()
        locked.append(file)

    monkeypatch.setattr(fcntl, "flock", removing)
    with MatchState(path, MATCH) as state:
        state.add(0, (GAME_PLAYED, GAME_PLAYED))
    assert len(locked) == 2
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("place", "why"), [("file/state", ".*file: is no folder"), ("folder", "Is a directory")]
)
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, place: str, why: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(MatchWriteError, match=f"{place}: cannot be written: {why}") as caught:
        MatchState(tmp_path / place, MATCH)
    assert caught.value.exit_code == 3


def test_a_full_disk_is_told_and_whole_lines_stay(tmp_path: Path) -> None:
    class Full:
        """Takes forty bytes more."""

        def __init__(self, file: Any) -> None:
            self.file, self.left = file, 40

        def write(self, data: Any) -> int:
            if not self.left:
                raise OSError(errno.ENOSPC, "No space left on device")
            written: int = self.file.write(data[: self.left])
            self.left -= written
            return written

        def close(self) -> None:
            self.file.close()

    path = tmp_path / "state"
    with MatchState(path, MATCH) as state:
        state.add(0, (GAME_PLAYED, GAME_PLAYED))
        state._file = Full(state._file)  # type: ignore[assignment]
        with pytest.raises(MatchWriteError, match=r"state: cannot be written: No space left"):
            state.add(1, (GAME_PLAYED, GAME_PLAYED))
    assert path.read_bytes().rfind(b"\n") == len(path.read_bytes()) - 41
    with MatchState(path, MATCH) as state:
        assert sorted(state.pairs) == [0]


def test_games_of_an_agent_that_was_replaced_are_not_mixed(tmp_path: Path) -> None:
    class Trained(Seeded):
        def __init__(self, spec: str, weights: str) -> None:
            super().__init__(spec)
            self.fingerprint = weights

    plan = Plan(Ground("chess"), ("a", "b"), 2, (Opening(),), max_plies=4)
    state = tmp_path / "state"
    for weights, resumed in (("one", 0), ("one", 1)):
        match = play_match(plan, build_seeded, (Seeded("a"), Trained("b", weights)), state=state)
        assert match.resumed == resumed
    with pytest.raises(MatchStateError, match="another match"):
        play_match(plan, build_seeded, (Seeded("a"), Trained("b", "two")), state=state)
