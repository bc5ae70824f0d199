"""``tabia perft GAME``: count the leaves of the tree of legal moves, by move if wanted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from tabia._native import chess_board, xiangqi_board

__all__ = ["DEEPEST", "GAMES", "PerftError", "perft"]

DEEPEST = 100
"""Plies that a tree may have: each is a frame on the stack of the native code."""

_Board = chess_board.Board | xiangqi_board.Board


class _Rules(NamedTuple):
    """Movement alone: unlike a game's `Position`, a board knows no draws."""

    board: Callable[[str | None], _Board]
    leaves: Callable[[str, int], int]
    decode: Callable[[int], str]


GAMES = {
    "chess": _Rules(chess_board.Board, chess_board.perft, chess_board.decode_uci),
    "chess960": _Rules(
        partial(chess_board.Board, chess960=True),
        partial(chess_board.perft, chess960=True),
        chess_board.decode_uci,
    ),
    "xiangqi": _Rules(xiangqi_board.Board, xiangqi_board.perft, xiangqi_board.decode_move),
}
"""What is counted, by the name of the game."""


class PerftError(ValueError):
    """A position that cannot be read, or a depth out of range."""

    exit_code = 2


def perft(game: str, depth: int, *, fen: str | None, divide: bool, as_json: bool) -> None:
    """Print nodes, seconds and nodes a second of the tree `depth` plies deep.

    The moves of the last ply are counted, not played. Draws end nothing, as in every perft.

    Parameters
    ----------
    game
        A name in `GAMES`.
    depth
        Plies, 0 to `DEEPEST`; the tree of depth 0 is one node.
    fen
        Where to begin; None is the standard start.
    divide
        Print the leaves below each first move too; xiangqi's moves have ranks 0 to 9.
    as_json
        Print one JSON object.

    Raises
    ------
    PerftError
        If the FEN is no position, or `depth` is out of range.
    """
    if not 0 <= depth <= DEEPEST:
        raise PerftError(f"--depth {depth}: give 0 to {DEEPEST} plies")
    rules = GAMES[game]
    try:
        board = rules.board(fen)
    except ValueError as error:
        raise PerftError(str(error)) from error
    begin = time.perf_counter()
    moves = _divide(rules, board, depth) if divide and depth else {}
    nodes = sum(moves.values()) if divide and depth else rules.leaves(board.fen(), depth)
    seconds = time.perf_counter() - begin
    rate = nodes / max(seconds, 1e-9)
    if as_json:
        facts = {
            "game": game,
            "fen": board.fen(),
            "depth": depth,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_s": round(rate),
        }
        print(json.dumps(facts | {"moves": moves} if divide else facts, indent=2))
        return
    for move, below in moves.items():
        print(f"{move}: {below:,}")
    print(f"{nodes:,} nodes in {seconds:.3f} s, {rate:,.0f} nodes/s")


def _divide(rules: _Rules, board: _Board, depth: int) -> dict[str, int]:
    moves = {}
    for code in board.legal_moves():
        after = board.copy()
        after.push(code)
        moves[rules.decode(code)] = rules.leaves(after.fen(), depth - 1)
    return moves
