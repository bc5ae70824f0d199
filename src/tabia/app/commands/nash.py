"""``tabia nash MATRIX.csv``: the equilibrium of a payoff matrix, and its layers."""

from __future__ import annotations

import json
from pathlib import Path

from tabia.app.commands.one_line import one_line
from tabia.population import payoff_csv
from tabia.population.clusters import nash_clusters
from tabia.population.cycles import strongest_cycle, total_cycles
from tabia.population.hodge import hodge
from tabia.population.nash import SUPPORT, max_entropy_nash
from tabia.population.payoff_csv import Scale

__all__ = ["nash"]

_SHOWN = 30  # members of a cluster that a line names


def nash(file: Path, *, scale: Scale = "score", as_json: bool = False) -> None:
    """Print the equilibrium of largest entropy, clusters and cycles of a matrix.

    Parameters
    ----------
    file
        CSV as `tabia.population.payoff_csv` reads it.
    scale
        Of a matrix.
    as_json
        Print one JSON object.

    Raises
    ------
    PayoffFileError
        If the file holds no payoff matrix.
    """
    matrix = payoff_csv.read(file, scale)
    found = max_entropy_nash(matrix.payoff)
    clusters = nash_clusters(matrix.payoff, found)
    cycle = strongest_cycle(matrix.payoff)
    share = hodge(matrix.payoff).transitive_share
    cycles = total_cycles(matrix.payoff)
    filled = int((matrix.filled_share > 0).sum()) // 2
    names = matrix.names
    if as_json:
        facts = {
            "strategies": len(matrix),
            "games": matrix.n_games,
            "filled_cells": filled,
            "nash": {name: float(p) for name, p in zip(names, found.probabilities, strict=True)},
            "support": [names[number] for number in found.support],
            "support_cut_off": SUPPORT,
            "exploitability": found.exploitability,
            "entropy_nats": found.entropy,
            "clusters": [[names[member] for member in cluster.members] for cluster in clusters],
            "cycles": cycles,
            "strongest_cycle": None
            if cycle is None
            else {
                "strategies": [names[member] for member in cycle.members],
                "payoffs": list(cycle.payoffs),
            },
            "transitive_share": share if share == share else None,
        }
        print(json.dumps(facts, ensure_ascii=False, indent=2, allow_nan=False))
        return
    games = "" if matrix.n_games is None else f", {matrix.n_games:,} games"
    marked = "" if not filled else f", {filled} cells filled by Elo"
    print(f"{len(matrix)} strategies{games}{marked}")
    print(
        f"Nash: exploitability {found.exploitability:.1e}, entropy {found.entropy:.4f} nats,"
        f" {len(found.support)} played (from {SUPPORT:g} on)"
    )
    for number in sorted(found.support, key=lambda number: -found.probabilities[number]):
        print(one_line(f"  {found.probabilities[number]:8.6f}  {names[number]}"))
    print(f"clusters: {len(clusters)}, of sizes {' '.join(str(len(each)) for each in clusters)}")
    for place, cluster in enumerate(clusters, 1):
        members = [names[member] for member in cluster.members]
        more = f" and {len(members) - _SHOWN} more" if len(members) > _SHOWN else ""
        print(one_line(f"  {place}: {', '.join(members[:_SHOWN])}{more}"))
    print(f"Rock-Paper-Scissors cycles: {cycles:,}; transitive share {share:.3f}")
    if cycle is not None:
        a, b, c = (names[member] for member in cycle.members)
        gains = " ".join(f"{value:+.3f}" for value in cycle.payoffs)
        print(one_line(f"  strongest: {a} > {b} > {c} > {a} by {gains}"))
