"""Go: random playouts, legal moves and replay, beside OpenSpiel.

    python benchmarks/go.py [--json] [--rounds 3] [--sizes 9 19]

One run, one core, CPU seconds (user + system). Rounds alternate between the contestants; the median
counts.

Playouts, games a second from the empty board to the end:

ours, no_eyes
    `playouts` with the policy that fills no own eye, until both pass; area counted at the end.
ours, uniform
    `playouts` with OpenSpiel's own policy: every legal move and the pass, up to 2 * size^2 moves.
open_spiel, Python
    A loop in Python: `legal_actions`, `random.choice`, `apply_action`, `returns`.
open_spiel, C++
    Inside its C++ `RandomRolloutEvaluator`: one simulation of `MCTSBot` whose leaf is evaluated by
    all the rollouts.

Legal moves, calls a second from Python on positions of random games, and replay, moves a second,
each checked for legality:

ours
    `Board.legal_moves` (simple ko, and positional superko), and `replay` on arrays.
ours, one at a time
    `Board.push` from Python, which refuses illegal moves.
open_spiel
    `State.legal_actions`, and `apply_action_with_legality_check`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import resource
import statistics
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tabia._native.go_board import PASS, Board
from tabia._native.go_positions import replay
from tabia._native.go_scoring import playouts

Contest = dict[str, tuple[float, Callable[[], object]]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Go's rules and playouts beside OpenSpiel's.")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 19], help="of boards")
    options = parser.parse_args()
    result = {}
    for size in options.sizes:
        spiel = _spiel(size)
        games = [_random_game(size, seed) for seed in range(40)]
        for title, contest in (
            ("playouts/s", _playout_contest(size, spiel)),
            ("legal-move calls/s", _legal_contest(size, games, spiel)),
            ("replayed moves/s", _replay_contest(size, games, spiel)),
        ):
            result[f"{size}x{size} {title}"] = _rates(contest, options.rounds)
    if options.json:
        print(json.dumps(result, indent=2))
        return
    for title, rates in result.items():
        print(f"\n{title:28} {'per CPU s':>14} {'ours is':>10}")
        ours = next(iter(rates.values()))
        for name, rate in rates.items():
            print(f"{name:28} {rate:14,.0f} {ours / rate:9,.1f}x")


def _spiel(size: int) -> Any:
    if importlib.util.find_spec("pyspiel") is None:
        print("pyspiel is not installed and left out", file=sys.stderr)
        return None
    pyspiel = importlib.import_module("pyspiel")
    return pyspiel, pyspiel.load_game("go", {"board_size": size})


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _rates(contest: Contest, rounds: int) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in contest}
    names = list(contest)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = _cpu()
            contest[name][1]()
            seconds[name].append(max(_cpu() - start, 1e-3))
    return {name: round(contest[name][0] / statistics.median(seconds[name])) for name in names}


def _random_game(size: int, seed: int) -> list[int]:
    """Two thirds of a board's moves, none of which OpenSpiel takes for the end of a game."""
    rng = random.Random(seed)
    board = Board(size=size, ko="positional", allows_suicide=False)
    for _ in range(2 * size * size // 3):
        codes = board.legal_moves()
        board.push(rng.choice(codes[:-1] or codes))
    return board.moves()


def _action(code: int, size: int) -> int:
    return size * size if code == PASS else size * (size - 1 - code // 19) + code % 19


# --- playouts ----------------------------------------------------------------------------


def _playout_contest(size: int, spiel: Any) -> Contest:
    ours = 40_000_000 // size**3
    theirs = 1_200_000 // size**3
    board = Board(size=size, ko="simple", allows_suicide=False)
    contest: Contest = {
        "ours, no_eyes": (ours, lambda: playouts(board, ours, seed=1)),
        "ours, uniform": (ours, lambda: playouts(board, ours, seed=1, policy="uniform")),
    }
    if spiel:
        pyspiel, game = spiel
        contest["open_spiel, Python"] = (theirs, lambda: _spiel_games(game, theirs))
        contest["open_spiel, C++"] = (
            theirs * 2,
            lambda: _spiel_rollouts(pyspiel, game, theirs * 2),
        )
    return contest


def _spiel_games(game: Any, count: int) -> None:
    rng = random.Random(0)
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        state.returns()


def _spiel_rollouts(pyspiel: Any, game: Any, count: int) -> None:
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
    bot.mcts_search(game.new_initial_state())


# --- legal moves and replay --------------------------------------------------------------


def _legal_contest(size: int, games: list[list[int]], spiel: Any) -> Contest:
    calls = 200
    simple, superko = (
        [_last(Board(size=size, ko=ko, allows_suicide=False), game) for game in games]
        for ko in ("simple", "positional")
    )
    contest: Contest = {
        "ours, simple ko": (calls * len(games), lambda: _ask(simple, calls)),
        "ours, superko": (calls * len(games), lambda: _ask(superko, calls)),
    }
    if spiel:
        states = []
        for game in games:
            state = spiel[1].new_initial_state()
            for code in game:
                state.apply_action(_action(code, size))
            states.append(state)
        contest["open_spiel"] = (calls * len(games), lambda: _ask_spiel(states, calls))
    return contest


def _last(board: Board, game: list[int]) -> Board:
    for code in game:
        board.push(code)
    return board


def _ask(boards: list[Board], calls: int) -> None:
    for board in boards:
        for _ in range(calls):
            board.legal_moves()


def _ask_spiel(states: list[Any], calls: int) -> None:
    for state in states:
        for _ in range(calls):
            state.legal_actions()


def _replay_contest(size: int, games: list[list[int]], spiel: Any) -> Contest:
    plies = sum(map(len, games))
    repeat = 2_000_000 // plies + 1  # long enough to time
    moves = np.tile(np.concatenate(games).astype(np.uint16), repeat)
    offsets = np.cumsum([0, *[len(game) for game in games] * repeat])

    def ours() -> None:
        found = int(replay(moves, offsets, size=size).sum())
        if found != plies * repeat:
            raise RuntimeError(f"ours: {found} legal moves, not {plies * repeat}")

    contest: Contest = {
        "ours": (plies * repeat, ours),
        "ours, one at a time": (plies * 10, lambda: _push_all(size, games * 10)),
    }
    if spiel:
        actions = [[_action(code, size) for code in game] for game in games]
        contest["open_spiel"] = (plies, lambda: _spiel_replay(spiel[1], actions))
    return contest


def _push_all(size: int, games: list[list[int]]) -> None:
    for game in games:
        _last(Board(size=size, ko="simple", allows_suicide=False), game)


def _spiel_replay(game: Any, games: list[list[int]]) -> None:
    for actions in games:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action_with_legality_check(action)


if __name__ == "__main__":
    main()
