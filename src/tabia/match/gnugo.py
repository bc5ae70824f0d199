"""The agent ``gnugo``: GNU Go, which plays Go under the match's rules.

GNU Go learns the rules when it is started, and what it remembers of a game changes how it plays the
next, so every game has a process of its own (5 ms). Then equal seeds give equal games.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

from pydantic import Field

from tabia.engines.errors import EngineError
from tabia.engines.uci import START_TIMEOUT_S, find_engine
from tabia.games.go import GAME, PASS, GoGame, GoPosition
from tabia.games.go_rules import RuleSet
from tabia.match.agent import AgentFaultError, AgentStartError, Choice, Turn
from tabia.match.conversation import printable
from tabia.match.gtp_player import GtpPlayer
from tabia.match.spec import AgentSpec
from tabia.tables.settings import Settings

__all__ = ["GnuGoAgent", "build"]

_MOST_SEED = 2**31 - 1
_SCORE = re.compile(r"(?P<winner>[BW])\+(?P<points>\d+(?:\.\d+)?)|0")
_LONGEST_NAME = 200  # it goes into every game's record
_KO = {
    "simple": "--simple-ko",
    "positional": "--positional-superko",
    "situational": "--situational-superko",
}


class _GnuGo(Settings):
    level: Annotated[int, Field(ge=0, le=20)] = 10
    resign: bool = True
    """Whether it may give up."""
    timeout: Annotated[float, Field(gt=0, le=2_000_000)] = 60.0
    """Seconds for a move, after which the game is forfeited."""
    path: str = "gnugo"


class GnuGoAgent:
    """GNU Go as an agent.

    Parameters
    ----------
    spec
        ``gnugo:level=5,…``.

    Raises
    ------
    AgentSpecError
        If settings are wrong.
    AgentStartError
        If the program cannot be had, is no GTP program, or another game than Go is played.
    """

    repeatable = True

    def __init__(self, spec: AgentSpec) -> None:
        settings = spec.read(_GnuGo)
        if spec.game != "go":
            raise AgentStartError(f"agent {spec.text!r}: plays go, not {spec.game}")
        self.spec = spec.text
        self._settings = settings
        self._seed = 0
        self._player: GtpPlayer | None = None
        self._known: tuple[str | None, tuple[int, ...]] = (None, ())
        try:
            self._path = find_engine(settings.path)
            greeted = GtpPlayer(self._path, self._arguments(GAME.position().rules))
        except EngineError as error:
            raise AgentStartError(f"agent {spec.text!r}: {error}") from error
        except OSError as error:
            raise AgentStartError(
                f"agent {spec.text!r}: engine {self._path} cannot be run:"
                f" {error.strerror or error}; is it a program for this machine?"
            ) from error
        try:
            words = [greeted.ask(word, timeout_s=START_TIMEOUT_S) for word in ("name", "version")]
        except AgentFaultError as error:
            said = " | ".join(error.transcript[-6:])
            raise AgentStartError(
                f"agent {spec.text!r}: engine {self._path} does not start: {error.detail}; is it a"
                f" GTP engine? {said}"
            ) from error
        finally:
            greeted.close()
        self.name = printable(" ".join(words)[:_LONGEST_NAME]).strip()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of its program, sixteen digits."""
        return hashlib.sha256(self._path.read_bytes()).hexdigest()[:16]

    def new_game(self, seed: int) -> None:
        """End the process of the game before; the next one is started at the first move."""
        self.close()
        self._seed = seed

    def choose(self, turn: Turn) -> Choice:
        """Have a move generated; GNU Go may pass or resign."""
        position = _of_go(turn)
        player = self._told(turn, position)
        game = GoGame(size=position.board.size)
        colour = _colour(position.board.white_to_move)
        said = player.ask("genmove", colour, timeout_s=self._settings.timeout)
        if said.lower() == "resign":
            return Choice(PASS, None, player.transcript, resigns=True)
        try:
            move = game.encode(said)
        except ValueError as error:
            raise player.fault(f"`{said}` is no move") from error
        self._known = (turn.start_fen, (*turn.moves, move))
        return Choice(move, None, player.transcript)

    def margin(self, turn: Turn) -> float:
        """Return its own count of a position, Black's points less White's, komi included.

        It counts by the match's rules, but takes off the stones that it thinks dead.

        Raises
        ------
        AgentFaultError
            If it does not answer, or not with a count.
        """
        player = self._told(turn, _of_go(turn))
        said = player.ask("final_score", timeout_s=self._settings.timeout)
        found = _SCORE.fullmatch(said.strip())
        if found is None:
            raise player.fault(f"`{said}` is no count")
        if found["points"] is None:
            return 0.0
        return float(found["points"]) * (1 if found["winner"] == "B" else -1)

    def _told(self, turn: Turn, position: GoPosition) -> GtpPlayer:
        """Return the process, which has been told all moves."""
        start, moves = self._known
        if self._player is None or start != turn.start_fen or turn.moves[: len(moves)] != moves:
            player, moves = self._begin(turn, position), ()
        else:
            player = self._player
        game = GoGame(size=position.board.size)
        begins_white = position.board.white_to_move ^ bool(len(turn.moves) % 2)
        for ply in range(len(moves), len(turn.moves)):
            colour = _colour(begins_white ^ bool(ply % 2))
            vertex = game.decode(turn.moves[ply])
            player.ask("play", colour, vertex, timeout_s=self._settings.timeout)
        self._known = (turn.start_fen, turn.moves)
        return player

    def close(self) -> None:
        """End the engine's process."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def _begin(self, turn: Turn, position: GoPosition) -> GtpPlayer:
        """Start a process and set the board on which the game began."""
        self.close()
        try:
            player = GtpPlayer(self._path, self._arguments(position.rules))
        except OSError as error:
            raise AgentFaultError("crashed", f"{self._path} cannot be run: {error}") from error
        self._player = player
        board = position.board
        for words in (
            ("boardsize", str(board.size)),
            ("komi", f"{board.komi:g}"),
            ("clear_board",),
        ):
            player.ask(*words, timeout_s=START_TIMEOUT_S)
        if turn.start_fen is not None:
            # Parts of a position where every chain has a liberty have that too: nothing is taken.
            game = GoGame(size=board.size)
            begun = game.position(turn.start_fen).board
            for colour, row, column in _stones(begun.stones(), board.size):
                vertex = game.decode(19 * row + column)
                player.ask("play", colour, vertex, timeout_s=START_TIMEOUT_S)
        return player

    def _arguments(self, rules: RuleSet) -> list[str]:
        settings = self._settings
        arguments = ["--mode", "gtp", "--quiet", "--level", str(settings.level)]
        arguments += ["--seed", str(self._seed % _MOST_SEED + 1)]  # 0 is the clock
        arguments.append("--japanese-rules" if rules.scoring == "territory" else "--chinese-rules")
        arguments.append(_KO[rules.ko])
        arguments.append("--allow-all-suicide" if rules.allows_suicide else "--forbid-suicide")
        if not rules.removes_dead:
            arguments.append("--capture-all-dead")
        if not settings.resign:
            arguments.append("--never-resign")
        return arguments


def _of_go(turn: Turn) -> GoPosition:
    if not isinstance(turn.position, GoPosition):
        raise TypeError(f"{type(turn.position).__name__} is no position of Go")
    return turn.position


def _colour(is_white: bool) -> str:
    return "white" if is_white else "black"


def _stones(points: bytes, size: int) -> list[tuple[str, int, int]]:
    """Colour, row and column of every stone, rows from the top."""
    return [
        (_colour(point == 2), index // size, index % size)
        for index, point in enumerate(points)
        if point
    ]


def build(spec: AgentSpec) -> GnuGoAgent:
    """Find and greet GNU Go."""
    return GnuGoAgent(spec)
