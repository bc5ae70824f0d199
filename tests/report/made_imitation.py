"""Made-up tables of the imitation chapter, in the shape that its summary writes."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tabia.imitation.summary import KEYS
from tabia.imitation.summary_search import VARIABLES
from tabia.tables import results
from tabia.tables.results import Figure, exact

BOOTSTRAP = "95% percentile bootstrap by game, 1000 draws"
JACKKNIFE = "95% delete-half jackknife over 50 blocks of games"
OWN, ALL = "own bin", "all bins"
BINS = {
    "xiangqi": [f"({low},{low + 100}]" for low in range(1000, 1500, 100)],
    "chess": ["(1400,1600]", "(1600,1800]"],
}
MODELS = {
    "xiangqi": {
        "book": 0.29, "book_all": 0.30, "xqsv": 0.27, "xqsv_all": 0.28, "xqsv_perfect": 0.255,
        "resnet": 0.245, "lightgbm": 0.41, "one_net": 0.43, "ensemble": 0.445,
    },
    "chess": {"xqsv": 0.31, "one_net": 0.5},
}  # fmt: skip
"""Made-up accuracy over all bins, in the order of the chapter's models."""
BY_BIN = ("book", "xqsv", "xqsv_perfect", "resnet")
NETS = ("xqsv", "xqsv_all", "xqsv_perfect", "resnet")
PLIES = ("0-9", "10-19", "20-29", "30-39", "40-59", "60-79", "80-99", "100-")

_Rows = list[tuple[tuple[object, ...], Figure]]


def write(folder: Path, played_by: str) -> None:
    """Write the chapter's result tables into `folder`/tables."""
    for name, content in _files(played_by).items():
        path = folder / "tables" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@cache
def _files(played_by: str) -> dict[str, bytes]:
    """Make the tables once a session: there are many rows, and many tests want them."""
    rows: dict[str, _Rows] = {name: [] for name in KEYS}
    for game, models in MODELS.items():
        _samples(rows["samples"], game, played_by)
        _ceiling(rows["ceiling"], game, played_by)
        for model, top in models.items():
            _model(rows, game, model, top, played_by)
            if model in NETS:
                _search(rows, game, model, played_by)
    with TemporaryDirectory() as folder:
        for name, keys in KEYS.items():
            path = Path(folder) / f"imitation_{name}.parquet"
            results.write(results.table(keys, rows[name]), path, title=f"Made-up {name}")
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def estimate(
    metric: str, value: float, half: float, played_by: str, *, games: int = 203, moves: int = 5210,
    method: str = BOOTSTRAP,
) -> Figure:  # fmt: skip
    unit = "nats" if "nll" in metric else "share"
    ends = (value - half, value + half)
    return Figure(metric, unit, value, *ends, method, games, moves, played_by)


def _samples(rows: _Rows, game: str, played_by: str) -> None:
    places: list[tuple[str | None, str | None]] = [(None, None)]
    places += [(by, name) for by in ("mover", "both") for name in BINS[game]]
    for by, name in places:
        games = 852 if by is None else 120 if by == "mover" else 30
        for metric, value in (("games", games), ("positions", 60 * games)):
            moves = None if metric == "games" else value
            figure = exact(
                metric, value, unit=metric, n_games=games, n_positions=moves, played_by=played_by
            )
            rows.append(((game, True, by, name), figure))


def _ceiling(rows: _Rows, game: str, played_by: str) -> None:
    for tested_on in (*BINS[game], ALL):
        _limits(rows, (game, tested_on, None, None), 0.56, 0.64, 0.22, played_by)
    for place, ply in enumerate(PLIES):
        share = max(0.02, 0.95 - 0.35 * place)
        limits = (0.6 - 0.08 * place, 0.63 - 0.02 * place, share)
        _limits(rows, (game, ALL, ply, None), *limits, played_by)


def _limits(
    rows: _Rows, keys: tuple[object, ...], below: float, above: float, share: float, played_by: str
) -> None:
    for metric, value in (
        ("ceiling_below", below),
        ("ceiling_above", above),
        ("repeated_share", share),
    ):
        rows.append((keys, estimate(metric, value, 0.02, played_by, method=JACKKNIFE)))


def _tops(top: float) -> dict[str, float]:
    """All shares of top-k and top-p, which rise."""
    found = {f"top_{k}": 1 - (1 - top) ** (0.6 + 0.4 * k) for k in range(1, 11)}
    return found | {f"top_p_{p / 10:.1f}": top + (1 - top) * (p / 10) ** 1.2 for p in range(11)}


def _model(rows: dict[str, _Rows], game: str, model: str, top: float, played_by: str) -> None:
    every = _tops(top) | {"nll": 4 * (1 - top), "ece": 0.03 + 0.1 * top}
    if model in NETS:
        every |= {"illegal_mass": 0.4, "top_1_unfiltered": 0.7 * top}
    if model == "one_net":
        every |= {"result_nll": 0.98}
    trained_on = OWN if model in BY_BIN else ALL
    for number, tested_on in enumerate((*BINS[game], ALL)):
        more = 0 if tested_on == ALL else 0.01 * number - 0.02
        crossed = BINS[game] if model in BY_BIN and tested_on != ALL else [None]
        for place, trained in enumerate(crossed):
            is_own = trained in (tested_on, None)
            keys = (game, model, trained or trained_on, tested_on)
            for metric, value in every.items():
                if is_own or metric in ("top_1", "nll"):
                    change = more if is_own else more - 0.015 * abs(place - number)
                    sign = -1 if "nll" in metric else 1
                    figure = estimate(metric, value + sign * change, 0.015, played_by)
                    rows["models"].append((keys, figure))
        if model != "xqsv":
            more_than = top - MODELS[game]["xqsv"]
            for metric, value in (("top_1", more_than), ("nll", -4 * more_than)):
                figure = estimate(
                    f"{metric}_difference", value, 0.02, played_by, method=f"{BOOTSTRAP}, paired"
                )
                rows["differences"].append(((game, model, "xqsv", tested_on), figure))
        keys = (game, tested_on, None, model)
        rows["ceiling"].append((keys, estimate("top_1", top + 0.06, 0.02, played_by)))
        for end, limit in (("below", 0.56), ("above", 0.64)):
            figure = estimate(
                f"to_ceiling_{end}", limit - top - 0.06, 0.02, played_by, method=JACKKNIFE
            )
            rows["ceiling"].append((keys, figure))
    for place, ply in enumerate(PLIES):
        value = top + (0.2 if place == 0 else -0.02 * place)
        rows["parts"].append(((game, model, "ply", ply), estimate("top_1", value, 0.02, played_by)))
    for group, part in (("phase", "96-128"), ("seen in training", "yes")):
        rows["parts"].append(((game, model, group, part), estimate("top_1", top, 0.02, played_by)))
    for step in range(15):
        share = (step + 0.5) / 15
        hit = min(0.98, max(0.02, share * (1.1 - 0.5 * top)))
        keys = (game, model, f"({step / 15:.2f},{(step + 1) / 15:.2f}]")
        moves = int(100 + 3000 * share * (1 - share) ** 3 * 10)
        for metric, value in (("top_1", hit), ("mean_confidence", share)):
            figure = estimate(metric, value, 0.02 + 0.06 * share, played_by, moves=moves)
            rows["calibration"].append((keys, figure))


def _search(rows: dict[str, _Rows], game: str, model: str, played_by: str) -> None:
    is_rnn = model != "resnet"
    trained = BINS[game] if model in BY_BIN else [ALL]
    for number, name in enumerate(trained):
        values: dict[str, str | None] = {
            "memory": "all" if model == "xqsv_perfect" else str(5 * (1 + number)),
            "batch_norm": "yes", "dropout": "0.05", "fc_layers": "1", "fc_l2": "0.001",
            "fc_activation": "relu",
        }  # fmt: skip
        if is_rnn:
            values |= {
                "rnn": "gru", "rnn_dropout": "0.1", "rnn_hidden": "512", "rnn_activation": "relu",
            }  # fmt: skip
        else:
            values |= {"blocks": "2", "channels": "32"}
        figures = [
            estimate("validation_top_1", 0.28 + 0.01 * number, 0.03, played_by, games=15),
            estimate("validation_nll", 2.9, 0.1, played_by, games=15),
            exact(
                "parameters", 1_234_567, unit="count", n_games=100, n_positions=4000,
                played_by=played_by,
            ),
        ]  # fmt: skip
        for figure in figures:
            keys = (game, model, name, *map(values.get, VARIABLES))
            rows["structures"].append((keys, figure))
            for phase in (1, 2):
                for candidate, chosen in (("memory-5_rnn-gru", True), ("memory-5_rnn-lstm", False)):
                    keys = (game, model, name, phase, candidate, chosen, None)
                    rows["candidates"].append((keys, figure))
