"""A UCI engine that plays: it is told the whole game and searches from what it knows of it.

`tabia.engines.uci` labels positions one by one, each from a cleared state and without a game. Here
an engine keeps its memory from move to move and is cleared between games (``ucinewgame`` and
``isready``), so that with one thread and a limit in nodes or plies equal games are played alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tabia.engines.errors import EngineConfigError, EngineError, EngineStartError
from tabia.engines.options import EngineOption, find_option, parse_option
from tabia.engines.uci import START_TIMEOUT_S, find_engine
from tabia.match.agent import AgentFaultError, Analysis, Choice, Turn
from tabia.match.conversation import Conversation, printable

__all__ = ["Announced", "Options", "UciPlayer", "UciSetup", "parse_analysis"]

Announced = Mapping[str, EngineOption]
"""What options an engine has, by lower-case name."""

Options = Mapping[str, str | int | bool]
"""Values of options by name."""

# Numbers of a sane length: Python refuses to read those of thousands of digits.
_SCORE = re.compile(r"\bscore (cp|mate) (-?\d{1,9})\b")
_NUMBER = {name: re.compile(rf"\b{name} (\d{{1,18}})\b") for name in ("depth", "nodes", "multipv")}
_LONGEST_NAME = 200  # it goes into every game's tags
_LONGEST_ANSWER = 100  # shown of a line that is no answer
_NO_MOVE = ("(none)", "0000", "NULL", "null")


@dataclass(frozen=True)
class UciSetup:
    """How a UCI engine is set up to play.

    Attributes
    ----------
    command
        Program name (on PATH or in /usr/games) or path.
    go
        Words after ``go``: ``nodes 1000``.
    options
        UCI options to set; the engine must announce each and take its value.
    wishes
        Options that are set where the engine has them: ``Threads``, ``Hash``.
    timeout_s
        Seconds that a move may take.
    """

    command: str
    go: str
    options: Options = field(default_factory=dict)
    wishes: Options = field(default_factory=dict)
    timeout_s: float = 60.0


class UciPlayer:
    """A running UCI engine that plays games.

    Parameters
    ----------
    setup
        Program, options and limit.
    choose_options
        Given what the engine announces, by lower-case name, further options to set (a variant, for
        instance); may raise EngineConfigError.

    Raises
    ------
    EngineNotFoundError, EngineStartError
        If the program cannot be had, run, or greeted.
    EngineConfigError
        If it lacks an option or value asked for.

    Attributes
    ----------
    name
        From ``id name``.
    path
        Of the program.
    announced
        Its options by lower-case name.
    """

    def __init__(
        self,
        setup: UciSetup,
        choose_options: Callable[[Announced], Options] = lambda announced: {},
    ) -> None:
        self._setup = setup
        path = find_engine(setup.command)
        try:
            self._talk = Conversation(path)
        except OSError as error:
            raise EngineStartError(
                f"engine {path} cannot be run: {error.strerror or error}; is it a program for this"
                " machine?"
            ) from error
        try:
            self._talk.send("uci", timeout_s=START_TIMEOUT_S)
            greeting = self._talk.hear("uciok", timeout_s=START_TIMEOUT_S)
            names = [line for line in greeting if line.startswith("id name ")]
            name = names[-1].removeprefix("id name ").strip() if names else path.name
            self.name = printable(name[:_LONGEST_NAME]).strip()
            self.path = path
            options = [option for line in greeting if (option := parse_option(line))]
            self.announced = {option.name.lower(): option for option in options}
            self._set(choose_options(self.announced))
            self._talk.send("isready", timeout_s=START_TIMEOUT_S)
            self._talk.hear("readyok", timeout_s=START_TIMEOUT_S)
        except AgentFaultError as error:
            self.close()
            said = " | ".join(error.transcript[-6:])
            raise EngineStartError(
                f"engine {path} does not start: {error.detail}; is it a UCI engine? {said}"
            ) from error
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Process id of the engine."""
        return self._talk.pid

    def new_game(self) -> None:
        """Clear what the engine knows of the game before; AgentFaultError if it does not answer."""
        self._talk.send("ucinewgame", "isready", timeout_s=START_TIMEOUT_S)
        self._talk.hear("readyok", timeout_s=START_TIMEOUT_S)

    def choose(
        self, turn: Turn, encode: Callable[[str], int], decode: Callable[[int], str]
    ) -> Choice:
        """Search the position that a game has come to.

        Parameters
        ----------
        turn
            The game.
        encode, decode
            From the engine's texts of moves to codes, and back.

        Raises
        ------
        AgentFaultError
            If the engine ends, hangs or answers no move.
        """
        start = "startpos" if turn.start_fen is None else f"fen {turn.start_fen}"
        moves = " ".join(decode(code) for code in turn.moves)
        position = f"position {start}" + (f" moves {moves}" if moves else "")
        self._talk.send(position, f"go {self._setup.go}", timeout_s=self._setup.timeout_s)
        lines = self._talk.hear("bestmove", timeout_s=self._setup.timeout_s)
        words = lines[-1].split()
        best = words[1] if len(words) > 1 else ""
        said = printable(lines[-1][:_LONGEST_ANSWER])
        if best in _NO_MOVE:
            raise self._talk.fault("illegal_move", f"gave no move (`{said}`), but has one")
        try:
            move = encode(best)
        except ValueError as error:
            raise self._talk.fault("garbage", f"`{said}` is no move") from error
        return Choice(move, parse_analysis(lines), self._talk.transcript)

    def close(self) -> None:
        """End the process."""
        self._talk.close()

    def _set(self, more: Options) -> None:
        """Send all options, or raise one EngineConfigError with everything that does not fit."""
        wishes = {
            name: value
            for name, value in self._setup.wishes.items()
            if name.lower() in self.announced
        }
        faults: list[str] = []
        commands: list[str] = []
        for name, value in {**wishes, **self._setup.options, **more}.items():
            try:
                option = find_option(self.name, self.announced, name, value)
            except EngineError as error:
                faults.append(str(error))
                continue
            text = str(value).lower() if isinstance(value, bool) else str(value)
            commands.append(f"setoption name {option.name} value {text}")
        if faults:
            raise EngineConfigError("\n".join(faults))
        self._talk.send(*commands, timeout_s=START_TIMEOUT_S)


def parse_analysis(lines: list[str]) -> Analysis | None:
    """Return the last exact score of the best line of a search, None if there is none.

    A weakened engine may play another line's move; the score is the best line's all the same.
    """
    for line in reversed(lines):
        score = _SCORE.search(line)
        is_info = line.startswith("info ") and not line.startswith("info string")
        if not is_info or score is None or "erbound" in line:
            continue
        found = {name: pattern.search(line) for name, pattern in _NUMBER.items()}
        number = {name: int(match[1]) for name, match in found.items() if match is not None}
        if number.get("multipv", 1) != 1:
            continue
        value = int(score[2])
        return Analysis(
            score_cp=value if score[1] == "cp" else None,
            mate=value if score[1] == "mate" else None,
            depth=number.get("depth"),
            nodes=number.get("nodes"),
        )
    return None
