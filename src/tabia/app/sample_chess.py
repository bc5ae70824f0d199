"""The recipe of the bundled sample: Stockfish at graded strengths plays itself.

Stockfish's ``UCI_LimitStrength`` draws its mistakes from a generator seeded by the clock, so a
new run gives other games of the same kind; the bundled file is one such run. Every game says in
its tags that engines played it.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np
import zstandard

from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["run"]

_OPENING_PLIES = 6
_OPENING_LINES = 6
_OPENING_MARGIN_CP = 60  # an opening move loses at most so much against the best
_RESIGN_CP = 1000
_RESIGN_PLIES = 6


def run(spec: Spec, *, games: Path, threads: int = 1) -> None:
    """Write ``spec.config["games"]`` games to `games`, a zstd-compressed PGN.

    Parameters
    ----------
    spec
        ``config`` holds ``games``, ``elos`` (UCI_Elo levels), ``nodes`` (a move's search),
        ``max_plies``, ``seed``, ``event`` and ``date``.
    threads
        Pairs of engine processes that play side by side.
    """
    count = int(spec.config["games"])
    command = shutil.which("stockfish") or "/usr/games/stockfish"
    rngs = [spec.rng(number) for number in range(count)]
    with (
        Progress("play sample games", count, "games") as progress,
        ThreadPoolExecutor(threads) as pool,
    ):
        texts = []
        jobs = [pool.submit(_play, spec, command, number, rngs[number]) for number in range(count)]
        for job in jobs:
            texts.append(job.result())
            progress.advance()
    packed = zstandard.ZstdCompressor(level=19).compress("\n".join(texts).encode())
    with parquet.atomic_path(games) as unfinished:
        unfinished.write_bytes(packed)


def _play(spec: Spec, command: str, number: int, rng: np.random.Generator) -> str:
    """Play one game and return its PGN text."""
    elos = [int(elo) for elo in spec.config["elos"]]
    # Neighbouring levels meet most, as people do.
    first = int(rng.integers(len(elos)))
    second = int(np.clip(first + rng.integers(-1, 2), 0, len(elos) - 1))
    resigns = bool(rng.random() < 0.7)
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci(command) as guide:
        name = guide.id["name"]
        _open(board, guide, rng)
    players = []
    try:
        for elo in (elos[first], elos[second]):
            player = chess.engine.SimpleEngine.popen_uci(command)
            players.append(player)
            player.configure({"Hash": 4, "UCI_LimitStrength": True, "UCI_Elo": elo})
        outcome, termination = _finish(board, players, spec, resigns)
    finally:
        for player in players:
            player.quit()
    game = chess.pgn.Game.from_board(board)
    game.headers.clear()
    for tag, value in {
        "Event": str(spec.config["event"]),
        "Site": "engine play",
        "Date": str(spec.config["date"]),
        "Round": str(number + 1),
        "White": f"{name} at UCI_Elo {elos[first]}",
        "Black": f"{name} at UCI_Elo {elos[second]}",
        "Result": outcome,
        "WhiteElo": str(elos[first]),
        "BlackElo": str(elos[second]),
        "WhiteType": "program",
        "BlackType": "program",
        "TimeControl": "-",
        "Termination": termination,
    }.items():
        game.headers[tag] = value
    return str(game) + "\n"


def _open(board: chess.Board, guide: chess.engine.SimpleEngine, rng: np.random.Generator) -> None:
    """Play a few plies drawn from the full-strength engine's better lines."""
    for _ in range(_OPENING_PLIES):
        lines = guide.analyse(board, chess.engine.Limit(nodes=20_000), multipv=_OPENING_LINES)
        scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
        good = [
            line["pv"][0]
            for line, score in zip(lines, scores, strict=True)
            if score >= scores[0] - _OPENING_MARGIN_CP
        ]
        board.push(good[int(rng.integers(len(good)))])


def _finish(
    board: chess.Board, players: list[chess.engine.SimpleEngine], spec: Spec, resigns: bool
) -> tuple[str, str]:
    """Play to the end; return the PGN result and how the game ended."""
    lost = 0
    limit = chess.engine.Limit(nodes=int(spec.config["nodes"]))
    while True:
        end = board.outcome(claim_draw=True)
        if end is not None:
            return end.result(), end.termination.name.lower().replace("_", " ")
        if board.ply() >= int(spec.config["max_plies"]):
            return "1/2-1/2", "adjudicated: ply limit"
        mover = players[0 if board.turn else 1]
        played = mover.play(board, limit, info=chess.engine.INFO_SCORE)
        if played.move is None:
            return ("0-1" if board.turn else "1-0"), "resigned"
        score = played.info["score"].white().score(mate_score=100_000)
        lost = lost + 1 if abs(score) >= _RESIGN_CP else 0
        board.push(played.move)
        if resigns and lost >= _RESIGN_PLIES:
            return ("1-0" if score > 0 else "0-1"), "resigned"
