"""Made-up tables of the search chapter, in the shape that its summary writes."""

from pathlib import Path

from tabia.search.summary import KEYS
from tabia.tables import results
from tabia.tables.results import Figure, exact

LEARNERS = {"go5": [0, 150, 310, 400], "go7": [0, 90, 60]}
"""Made-up Elo of each learner's generations."""
RIVALS = {"random": -200, "rollouts": 120}
TIMES = [
    ("self-play", "cpu_seconds", "s", 300.0),
    ("self-play", "seconds", "s", 310.0),
    ("self-play", "games_per_cpu_minute", "games/CPU min", 16.0),
    ("self-play", "positions_per_cpu_second", "positions/CPU s", 60.0),
    ("self-play", "evaluations_per_cpu_second", "evaluations/CPU s", 4000.0),
    ("training", "cpu_seconds", "s", 90.0),
    ("training", "positions_per_cpu_second", "positions/CPU s", 1600.0),
]
"""Made-up times: stage, metric, unit, and what a generation is counted up from."""
BOOTSTRAP = "95% percentile bootstrap by game, 1000 draws"
BY_PAIR = "95% Bayesian bootstrap by pair of games, 1000 draws"


def write(folder: Path, played_by: str) -> None:
    """Write the chapter's result tables into `folder`/tables."""

    def figure(metric: str, unit: str, value: float, half: float, method: str) -> Figure:
        by_game = metric in ("elo", "score", "mean_plies")
        positions = None if by_game else 4000
        lo, hi = value - half, value + half
        return Figure(metric, unit, value, lo, hi, method, 80, positions, played_by)

    rows: dict[str, list[tuple[tuple[object, ...], Figure]]] = {name: [] for name in KEYS}
    for learner, elos in LEARNERS.items():
        for generation, elo in enumerate(elos):
            keys = (learner, "net", generation)
            half = 40.0 if generation else 0.0
            rows["generations"].append((keys, figure("elo", "Elo", elo, half, BY_PAIR)))
            counted = exact(
                "parameters", 900, unit="count", n_games=80, n_positions=400, played_by=played_by
            )
            rows["generations"].append((keys, counted))
            if not generation:
                continue
            names = (learner, f"generation {generation}", "generation 0")
            rows["matches"].append((names, figure("score", "share", 0.7, 0.1, "95% pentanomial")))
            for metric, unit, value in (
                ("mean_plies", "plies", 30.0 + generation),
                ("policy_entropy", "nats", 2.0 - 0.2 * generation),
                ("draws", "share", 0.1),
                ("resigned", "share", 0.3),
                ("value_error", "squared value", 0.9),
            ):
                of = figure(metric, unit, value, 0.1, BOOTSTRAP)
                rows["selfplay"].append(((learner, generation), of))
            for stage, metric, unit, value in TIMES:
                of = figure(metric, unit, value + generation, 0.5, "range over 2 shards")
                rows["times"].append(((learner, generation, stage), of))
        for rival, elo in RIVALS.items():
            of = figure("elo", "Elo", elo, 60.0, BY_PAIR)
            rows["generations"].append(((learner, rival, None), of))
    for name, keys in KEYS.items():
        path = folder / f"tables/search_{name}.parquet"
        results.write(results.table(keys, rows[name]), path, title=f"Made-up {name}")
