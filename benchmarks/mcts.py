"""Monte Carlo tree search beside OpenSpiel's: simulations a CPU second.

    python benchmarks/mcts.py [--json] [--rounds 3] [--simulations 1000] [--games go,xiangqi,chess]

One run, one core, CPU seconds (user + system). Every search begins at the game's start with an
empty tree and has the same number of simulations; contestants alternate, the median of the rounds
counts. Go is 9x9 with komi 7.5.

constant evaluator: equal priors, value 0 for every leaf

ours
    PUCT. A simulation walks down by scores, plays the moves, makes the new position's legal moves,
    tests it for the end of the game, and sends the value up. No Python in the loop.
ours, in batches
    The same through `tabia.search.run`: 64 games at once, planes of 8 positions written for every
    leaf, priors as a softmax over the legal ones of all logits. The evaluator returns zeros.
open_spiel (python)
    `open_spiel.python.algorithms.mcts.MCTSBot` with `puct_value` and an evaluator of these answers:
    nodes for all children, one Python call a child and step. Its C++ bot takes no such evaluator.

one random rollout a leaf

ours
    As above, and one random game to its end from the leaf: of all legal moves in chess and xiangqi,
    in Go of all legal moves and the pass (`rollout_fills_eyes`), the same as OpenSpiel. Games of
    chess and xiangqi end by the rules of docs/mcts.md.
ours, sparing eyes (Go)
    Rollouts that do not fill own eyes, which is our default.
open_spiel (C++)
    `pyspiel.MCTSBot` with `RandomRolloutEvaluator(1)` and UCT, as it is.
"""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from tabia.search.config import ChessRules, GoRules, Rules, SearchSettings, XiangqiRules
from tabia.search.evaluator import UniformEvaluator
from tabia.search.run import run
from tabia.search.trees import Trees

_RULES: dict[str, Rules] = {
    "go": GoRules(size=9, rollout_fills_eyes=True),
    "xiangqi": XiangqiRules(),
    "chess": ChessRules(),
}
_SPIEL = {"go": "go(board_size=9,komi=7.5)", "xiangqi": "xiangqi", "chess": "chess"}
_SLOTS = 64

Contest = dict[str, tuple[int, Callable[[], object]]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Tree search beside OpenSpiel's.")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--simulations", type=int, default=1000, help="of a search")
    parser.add_argument("--games", default="go,xiangqi,chess", help="which games")
    options = parser.parse_args()
    result: dict[str, dict[str, dict[str, int]]] = {}
    for game in options.games.split(","):
        result[game] = {
            "constant": _rates(_constant(game, options.simulations), options.rounds),
            "rollout": _rates(_rollout(game, options.simulations), options.rounds),
        }
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{options.simulations:,} simulations a search; one core")
    for game, tasks in result.items():
        for task, rates in tasks.items():
            print(f"\n{f'{game}, {task}':28} {'per CPU s':>14} {'ours is':>10}")
            for name, rate in rates.items():
                print(f"{name:28} {rate:14,.0f} {rates['ours'] / rate:9,.1f}x")


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _rates(contest: Contest, rounds: int) -> dict[str, int]:
    seconds: dict[str, list[float]] = {name: [] for name in contest}
    names = list(contest)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = _cpu()
            contest[name][1]()
            seconds[name].append(max(_cpu() - start, 1e-3))
    return {name: round(contest[name][0] / statistics.median(seconds[name])) for name in names}


def _searches(trees: Trees, simulations: int, times: int, rollouts: int) -> None:
    searcher = trees.searcher
    for seed in range(times):
        searcher.forget(0)
        searcher.begin(0, simulations, seed)
        if rollouts:
            searcher.run_rollouts(rollouts)
        else:
            searcher.run_constant()
        if searcher.done(0) != simulations:
            raise RuntimeError(f"{searcher.done(0)} simulations, not {simulations}")


def _batches(trees: Trees, simulations: int) -> None:
    for slot in range(trees.slots):
        trees.searcher.forget(slot)
        trees.searcher.begin(slot, simulations, slot)
    run(trees, UniformEvaluator(trees.searcher.labels), batch=_SLOTS)


def _constant(game: str, simulations: int) -> Contest:
    mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
    pyspiel = importlib.import_module("pyspiel")

    class Zero(mcts.Evaluator):  # type: ignore[misc, name-defined]
        def evaluate(self, state: Any) -> Any:
            return np.zeros(2)

        def prior(self, state: Any) -> list[tuple[int, float]]:
            actions = state.legal_actions()
            return [(action, 1 / len(actions)) for action in actions]

    few = max(1, simulations // 10)
    times, spiel_times = 300, 2
    spiel = pyspiel.load_game(_SPIEL[game])
    bot = mcts.MCTSBot(
        spiel, 1.25, simulations, Zero(), child_selection_fn=mcts.SearchNode.puct_value
    )
    state = spiel.new_initial_state()
    alone = Trees(_RULES[game], SearchSettings())
    together = Trees(_RULES[game], SearchSettings(), _SLOTS, history=8)
    return {
        "ours": (simulations * times, lambda: _searches(alone, simulations, times, 0)),
        "ours, in batches": (_SLOTS * few, lambda: _batches(together, few)),
        "open_spiel (python)": (
            simulations * spiel_times,
            lambda: [bot.mcts_search(state) for _ in range(spiel_times)],
        ),
    }


def _rollout(game: str, simulations: int) -> Contest:
    pyspiel = importlib.import_module("pyspiel")
    few, many = 1, 10
    spiel = pyspiel.load_game(_SPIEL[game])
    state = spiel.new_initial_state()

    def search() -> None:
        for seed in range(few):
            bot = pyspiel.MCTSBot(
                spiel,
                pyspiel.RandomRolloutEvaluator(1, seed),
                1.25,  # uct_c
                simulations,
                1000,  # MB of memory
                False,  # solve
                seed,
                False,  # verbose
            )
            bot.mcts_search(state)

    trees = Trees(_RULES[game], SearchSettings())
    contest: Contest = {
        "ours": (simulations * many, lambda: _searches(trees, simulations, many, 1)),
        "open_spiel (C++)": (simulations * few, search),
    }
    if game == "go":
        sparing = Trees(GoRules(size=9), SearchSettings())
        contest["ours, sparing eyes"] = (
            simulations * many,
            lambda: _searches(sparing, simulations, many, 1),
        )
    return contest


if __name__ == "__main__":
    main()
