"""Equal strength: a net plays itself over a faster route, by pairs of games with exchanged colours.

    python benchmarks/routes.py NET_FOLDER [--route onnx int8] [--games 200] [--simulations 32]
                                [--komi K] [--opening 6] [--seed 1] [--json]

Each route plays torch in float32. Openings are drawn from the net's priors; nothing else is random,
so that two games of a pair are the same, colours apart, where a route changes no move: their score
is then 1 of 2. ``openings`` says how many of the pairs begin differently, ``courses`` in how many
of them the games differ. The interval is Student's over pairs.
"""

from __future__ import annotations

import argparse
import json
import resource
from dataclasses import asdict
from pathlib import Path

from tabia.search.config import Budget, ChessRules, GoRules, Rules, SearchSettings, XiangqiRules
from tabia.search.nets import folder
from tabia.search.nets.config import NetShape
from tabia.search.routes import ROUTES, play_routes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("net", type=Path)
    parser.add_argument("--route", nargs="+", choices=ROUTES, default=["onnx", "int8"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--komi", type=float)
    parser.add_argument("--max-plies", type=int)
    parser.add_argument("--opening", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    net = folder.load(options.net).net
    rules = _rules(net.shape, options.komi, options.max_plies)
    search = SearchSettings(budget=Budget(simulations=options.simulations))
    found = []
    for route in options.route:
        begun = _cpu()
        match = play_routes(
            net,
            rules,
            route,
            "torch",
            games=options.games,
            search=search,
            opening=options.opening,
            seed=options.seed,
        )
        found.append({**asdict(match), "cpu_s": round(_cpu() - begun, 1)})
        d = match.difference
        if not options.json:
            print(
                f"{route:9} {match.games} games: {d.score:.1%} ({d.score_low:.1%} to"
                f" {d.score_high:.1%}), Elo {_shown(d.elo)} ({_shown(d.elo_low)} to"
                f" {_shown(d.elo_high)}); {match.different} openings,"
                f" {match.unequal_pairs} courses",
                flush=True,
            )
    if options.json:
        print(json.dumps(found, indent=2))


def _rules(shape: NetShape, komi: float | None, max_plies: int | None) -> Rules:
    if shape.game == "go":
        return GoRules(size=shape.rows, komi=komi, max_plies=max_plies)
    if shape.game == "chess":
        return ChessRules(max_plies=max_plies)
    return XiangqiRules(max_plies=max_plies)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _shown(elo: float | None) -> str:
    return "open" if elo is None else f"{elo:+.0f}"


if __name__ == "__main__":
    main()
