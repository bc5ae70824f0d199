"""The recipe of the bundled xiangqi sample: Fairy-Stockfish at graded strengths plays itself.

``UCI_LimitStrength`` draws mistakes from a generator seeded by the clock, so a new run gives other
games of the same kind; the bundled file is one such run. Repetitions end games by the referee's
Asian rules. Every game says in its tags that engines played it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Literal

import numpy as np
import zstandard

from tabia._native.xiangqi_board import Board, decode_move, encode_move
from tabia.engines.errors import EngineCrashedError, EngineGarbageError
from tabia.engines.uci import find_engine
from tabia.games.contract import Outcome
from tabia.games.xiangqi_referee import Referee
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.write import write_pgn
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["run"]

_ENGINE = "fairy-stockfish"
_FIRST_RANK: Literal[1] = 1  # of Fairy-Stockfish's UCI
_OPENING_PLIES = 6
_OPENING_LINES = 6
_OPENING_NODES = 3000
_OPENING_MARGIN_CP = 60  # an opening move loses at most so much against the best
_RESIGN_CP = 1000
_RESIGN_PLIES = 6
_MATE_CP = 100_000
_SCORE = re.compile(r" multipv (\d+) score (cp|mate) (-?\d+) (?!upperbound|lowerbound).* pv (\S+)")


def run(spec: Spec, *, games: Path, threads: int = 1) -> None:
    """Write ``spec.config["games"]`` games to `games`, a zstd-compressed PGN.

    Parameters
    ----------
    spec
        ``config`` holds ``games``, ``elos`` (UCI_Elo levels), ``nodes`` (a move's search),
        ``max_plies``, ``seed``, ``event`` and ``date``.
    threads
        Pairs of engine processes that play side by side.

    Raises
    ------
    EngineNotFoundError
        If Fairy-Stockfish is not installed.
    """
    count = int(spec.config["games"])
    command = find_engine(_ENGINE)
    with (
        Progress("play sample games", count, "games") as progress,
        ThreadPoolExecutor(threads) as pool,
    ):
        numbers = iter(range(count))

        def play(_: int) -> list[tuple[int, str]]:
            with ExitStack() as stack:
                players = [stack.enter_context(_engine(command)) for _ in range(2)]
                texts = []
                for number in numbers:
                    texts.append((number, write_pgn(_play(spec, players, number))))
                    progress.advance()
                return texts

        texts = sorted(text for part in pool.map(play, range(threads)) for text in part)
    packed = zstandard.ZstdCompressor(level=19).compress("".join(t for _, t in texts).encode())
    with parquet.atomic_path(games) as unfinished:
        unfinished.write_bytes(packed)


def _play(spec: Spec, players: list[_Engine], number: int) -> Record:
    rng = spec.rng(number)
    elos = [int(elo) for elo in spec.config["elos"]]
    # Neighbouring levels meet most, as people do.
    first = int(rng.integers(len(elos)))
    second = int(np.clip(first + rng.integers(-1, 2), 0, len(elos) - 1))
    resigns = bool(rng.random() < 0.7)
    referee = Referee(max_plies=int(spec.config["max_plies"]))
    _open(referee, players[0], rng)
    for player, level in zip(players, (first, second), strict=True):
        player.begin(elos[level])
    result, termination = _finish(referee, players, int(spec.config["nodes"]), resigns)
    name = players[0].name
    return Record(
        moves=referee.board.moves(),
        notation="wxf",
        event=str(spec.config["event"]),
        site="engine play",
        round=str(number + 1),
        date=str(spec.config["date"]),
        first_name=f"{name} at UCI_Elo {elos[first]}",
        second_name=f"{name} at UCI_Elo {elos[second]}",
        first_elo=elos[first],
        second_elo=elos[second],
        result=result,
        termination=termination,
    )


def _open(referee: Referee, guide: _Engine, rng: np.random.Generator) -> None:
    """Play a few plies drawn from the full-strength engine's better lines."""
    guide.begin(None, lines=_OPENING_LINES)
    for _ in range(_OPENING_PLIES):
        _, lines = guide.search(referee.board, _OPENING_NODES)
        best = max(lines.values())
        good = sorted(code for code, score in lines.items() if score >= best - _OPENING_MARGIN_CP)
        referee.push(good[int(rng.integers(len(good)))])


def _finish(
    referee: Referee, players: list[_Engine], nodes: int, resigns: bool
) -> tuple[Outcome | None, str]:
    """Play to the end; return Red's result and how the game ended.

    A side resigns on its turn, after both have found it lost at each of the last plies.
    """
    board, agreed = referee.board, 0
    leader: Outcome = 0
    while (verdict := referee.verdict) is None:
        is_black = board.black_to_move
        code, lines = players[is_black].search(board, nodes)
        # The best line values the position; a weakened engine may play another one's move.
        score = max(lines.values(), default=0) * (-1 if is_black else 1)
        ahead: Outcome = 0 if abs(score) < _RESIGN_CP else 1 if score > 0 else -1
        agreed = agreed + 1 if ahead == leader else 1
        leader = ahead
        if resigns and leader == (1 if is_black else -1) and agreed >= _RESIGN_PLIES:
            return leader, "resigned"
        referee.push(code)
    return verdict.result, verdict.reason.replace("_", " ")


@contextmanager
def _engine(command: Path) -> Iterator[_Engine]:
    process = subprocess.Popen(
        [str(command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise EngineCrashedError(f"engine {command}: no pipes")  # never: both are PIPE
        yield _Engine(process.stdin, process.stdout)
    finally:
        process.kill()
        process.communicate()


class _Engine:
    """Fairy-Stockfish as a player: unlike the labelling client, it is told the whole game."""

    def __init__(self, commands: IO[str], answers: IO[str]) -> None:
        self._commands, self._answers = commands, answers
        self.name = "?"
        for line in self._until("uciok", "uci"):
            if line.startswith("id name "):
                self.name = " ".join(line.split()[2:4])
        self._until("readyok", "setoption name UCI_Variant value xiangqi", *_set("Hash", 4))

    def begin(self, elo: int | None, *, lines: int = 1) -> None:
        """Begin a game at a UCI_Elo, or at full strength."""
        self._until(
            "readyok",
            "ucinewgame",
            *_set("UCI_LimitStrength", str(elo is not None).lower()),
            *(() if elo is None else _set("UCI_Elo", elo)),
            *_set("MultiPV", lines),
        )

    def search(self, board: Board, nodes: int) -> tuple[int, dict[int, int]]:
        """Return the best move and, of each line, first move and score in the mover's view."""
        moves = " ".join(decode_move(code, first_rank=_FIRST_RANK) for code in board.moves())
        position = f"position startpos moves {moves}" if moves else "position startpos"
        scores: dict[int, tuple[int, int]] = {}
        for line in self._until("bestmove", position, f"go nodes {nodes}"):
            if (match := _SCORE.search(line)) is not None:
                value = int(match[3])
                if match[2] == "mate":
                    value = _MATE_CP if value > 0 else -_MATE_CP
                code = encode_move(match[4], first_rank=_FIRST_RANK)
                scores[int(match[1])] = code, value
        if not board.is_legal(self._best):
            raise EngineGarbageError(f"{self.name}: no legal move after {position}")
        return self._best, dict(scores.values())

    def _until(self, last: str, *commands: str) -> list[str]:
        ending = ("isready",) if last == "readyok" else ()
        self._commands.write("".join(f"{command}\n" for command in (*commands, *ending)))
        self._commands.flush()
        lines: list[str] = []
        for line in self._answers:
            if line.startswith(last):
                if last == "bestmove":
                    self._best = encode_move(line.split()[1], first_rank=_FIRST_RANK)
                return lines
            lines.append(line)
        raise EngineCrashedError(f"{self.name} ended after: {' | '.join(commands)}")


def _set(name: str, value: object) -> tuple[str]:
    return (f"setoption name {name} value {value}",)
