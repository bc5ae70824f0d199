"""Xiangqi: perft and replay of games, beside Fairy-Stockfish, OpenSpiel and pyffish.

    python benchmarks/xiangqi.py [FILE…] [--json] [--rounds 3] [--depth 5]

One run, one core, CPU seconds (user + system, children included). Rounds alternate between the
contestants; the median counts. FILE is PGN, or a zip of it, whose moves are coordinates with ranks
0 to 9 (`h2e2`); without one, 400 games of random play from a fixed seed are replayed.

Perft, leaves a second from the start:

ours
    `perft` at `--depth`; the moves of the last ply are counted, not played.
fairy-stockfish
    `go perft` at the same depth in the same way, the program's start (some ms) included.
open_spiel
    From Python, depth 4: `legal_actions` at the last ply, `child` above it.
pyffish
    From Python, depth 2: one call a position of the last ply but one.

Replay, plies a second, every move checked for legality:

ours
    `replay` on arrays of codes.
ours, one at a time
    `Board.push` from Python, which refuses illegal moves.
open_spiel
    From Python: `apply_action_with_legality_check`.
pyffish
    `legal_moves` with the moves so far, one call a ply; only `--slow-plies` of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tabia._native.xiangqi_board import Board, decode_move, encode_move, perft
from tabia._native.xiangqi_positions import replay

_LEAVES = (1, 44, 1920, 79666, 3290240, 133312995)
_START = Board().fen()
# OpenSpiel's squares start at a9 and go down the board.
_SPIEL = [9 * (9 - square // 9) + square % 9 for square in range(90)]

Games = list[list[int]]
Contest = dict[str, tuple[float, Callable[[], object]]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Xiangqi's rules beside other programs'.")
    parser.add_argument("files", nargs="*", type=Path, help="PGN with coordinate moves, or zips")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--depth", type=int, default=5, choices=range(3, 6), help="of perft")
    parser.add_argument("--slow-plies", type=int, default=500, help="plies for pyffish")
    options = parser.parse_args()
    games = _read(options.files) if options.files else _random_games(400)
    result = {
        "perft_leaves_per_s": _rates(_perft_contest(options.depth), options.rounds),
        "replay_plies_per_s": _rates(_replay_contest(games, options.slow_plies), options.rounds),
    }
    if options.json:
        print(json.dumps({"games": len(games), "plies": sum(map(len, games))} | result, indent=2))
        return
    print(f"{len(games):,} games, {sum(map(len, games)):,} plies; one core")
    for title, rates in result.items():
        print(f"\n{title:28} {'per CPU s':>14} {'ours is':>10}")
        for name, rate in rates.items():
            print(f"{name:28} {rate:14,.0f} {rates['ours'] / rate:9,.1f}x")


def _read(files: list[Path]) -> Games:
    texts = []
    for file in files:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                texts += [archive.read(name).decode() for name in archive.namelist()]
        else:
            texts.append(file.read_text())
    games = [re.split(r"\n\s*\n(?=\[)", text.strip()) for text in texts]
    moves = [re.findall(r"\b[a-i]\d[a-i]\d\b", game) for group in games for game in group]
    return [[encode_move(move) for move in game] for game in moves if game]


def _random_games(count: int) -> Games:
    rng = random.Random(20)
    games = []
    for _ in range(count):
        board = Board()
        for _ in range(120):
            codes = board.legal_moves()
            if not codes:
                break
            board.push(rng.choice(codes))
        games.append(board.moves())
    return games


def _cpu() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _rates(contest: Contest, rounds: int) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in contest}
    names = list(contest)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = _cpu()
            contest[name][1]()
            seconds[name].append(max(_cpu() - start, 1e-3))
    return {name: round(contest[name][0] / statistics.median(seconds[name])) for name in names}


def _require(found: object, expected: object, who: str) -> None:
    if found != expected:
        raise RuntimeError(f"{who}: {found}, not {expected}")


def _module(name: str) -> Any:
    if importlib.util.find_spec(name) is None:
        print(f"{name} is not installed and left out", file=sys.stderr)
        return None
    return importlib.import_module(name)


# --- perft -------------------------------------------------------------------------------


def _perft_contest(depth: int) -> Contest:
    contest: Contest = {
        "ours": (
            _LEAVES[depth],
            lambda: _require(perft(None, depth), _LEAVES[depth], "ours"),
        )
    }
    program = shutil.which("fairy-stockfish") or shutil.which("/usr/games/fairy-stockfish")
    if program:
        engine = program
        contest["fairy-stockfish"] = (_LEAVES[depth], lambda: _fairy_perft(engine, depth))
    else:
        print("fairy-stockfish is not installed and left out", file=sys.stderr)
    if pyspiel := _module("pyspiel"):
        state = pyspiel.load_game("xiangqi").new_initial_state()
        contest["open_spiel"] = (
            _LEAVES[4],
            lambda: _require(_spiel_perft(state, 4), _LEAVES[4], "open_spiel"),
        )
    if pyffish := _module("pyffish"):
        contest["pyffish"] = (
            _LEAVES[2],
            lambda: _require(_pyffish_perft(pyffish, [], 2), _LEAVES[2], "pyffish"),
        )
    return contest


def _fairy_perft(program: str, depth: int) -> None:
    words = f"setoption name UCI_Variant value xiangqi\nposition startpos\ngo perft {depth}\nquit\n"
    done = subprocess.run([program], input=words, capture_output=True, text=True, check=True)
    found = re.search(r"Nodes searched: (\d+)", done.stdout)
    _require(int(found[1]) if found else None, _LEAVES[depth], "fairy-stockfish")


def _spiel_perft(state: Any, depth: int) -> int:
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(_spiel_perft(state.child(action), depth - 1) for action in actions)


def _pyffish_perft(pyffish: Any, moves: list[str], depth: int) -> int:
    legal = pyffish.legal_moves("xiangqi", _START, moves)
    if depth == 1:
        return len(legal)
    return sum(_pyffish_perft(pyffish, [*moves, move], depth - 1) for move in legal)


# --- replay ------------------------------------------------------------------------------


def _replay_contest(games: Games, slow_plies: int) -> Contest:
    lengths = [len(game) for game in games]
    plies = sum(lengths)
    repeat = 2_000_000 // plies + 1  # long enough to time
    moves = np.tile(np.concatenate(games).astype(np.uint16), repeat)
    offsets = np.cumsum([0, *lengths * repeat])
    contest: Contest = {
        "ours": (
            plies * repeat,
            lambda: _require(int(replay(moves, offsets).sum()), plies * repeat, "ours"),
        ),
        "ours, one at a time": (plies * 4, lambda: _push_all(games * 4)),
    }
    if pyspiel := _module("pyspiel"):
        game = pyspiel.load_game("xiangqi")
        actions = [[90 * _SPIEL[c // 90] + _SPIEL[c % 90] for c in codes] for codes in games]
        contest["open_spiel"] = (plies, lambda: _spiel_replay(game, actions))
    if pyffish := _module("pyffish"):
        texts = [[decode_move(code, first_rank=1) for code in codes] for codes in games]
        few, left = [], slow_plies
        for text in texts:
            few.append(text[:left])
            left -= len(few[-1])
        contest["pyffish"] = (slow_plies - left, lambda: _pyffish_replay(pyffish, few))
    return contest


def _push_all(games: Games) -> None:
    for game in games:
        board = Board()
        for code in game:
            board.push(code)


def _spiel_replay(game: Any, games: Games) -> None:
    for actions in games:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action_with_legality_check(action)


def _pyffish_replay(pyffish: Any, games: list[list[str]]) -> None:
    for moves in games:
        for ply, move in enumerate(moves):
            legal = pyffish.legal_moves("xiangqi", _START, moves[:ply])
            _require(move in legal, True, "pyffish")


if __name__ == "__main__":
    main()
