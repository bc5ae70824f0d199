"""Radial basis functions by fuzzy means: time of a fit and of a prediction, beside peers.

    python benchmarks/rbf.py [--boards FILE…] [--rows 40000] [--nodes 1000] [--threads 2] [--json]

Inputs are the 194 terms of positions and three made-up engine values, 197 as in the paper's
scenario 1; the targets are made up and have no meaning, which times do not depend on. Positions
come from Parquet files with a column ``board`` (the positions or the dataset of a run), else from
the games of the bundled sample, and if they are too few, with colours swapped as well. Their order
is drawn with a fixed seed. As numbers of fuzzy sets are whole, ``--nodes`` is met by giving the
first inputs one set more than the others.

Fit, one partition: normalising, choice of centres, splines, least squares. Peers, one core, same
rows and centres:

numpy selection
    the same pass, all centres of a row at once, in NumPy;
numpy design
    ``|x|² + |c|² - 2 x·c`` by matrix product, then ``r² ln r``, double precision;
numpy lstsq
    ``numpy.linalg.lstsq`` of the whole design;
scipy
    ``scipy.interpolate.RBFInterpolator`` with the same centres, prediction only (it has a linear
    part besides).

Seconds are CPU seconds of one core, where not said to be by the clock. The paper (Kagkas et al.,
2023) gives 6.9 ms a prediction.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command line does

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.interpolate import RBFInterpolator

from tabia._native.chess_pgn import parse
from tabia._native.chess_positions import expand
from tabia._native.chess_terms import COLUMNS, terms_from_boards
from tabia._native.thin_plate import Basis
from tabia.learning.examples import DenseInputs, blocks
from tabia.learning.fuzzy_means import places, select
from tabia.learning.least_squares import solve
from tabia.learning.rbf import RBFNetwork
from tabia.learning.scaling import Scaling
from tabia.records.opening import members

_SAMPLE = Path("resources/sample/chess.pgn.zst")
_PAPER_US = 6900.0
_BATCH = 4096
_PEER_ROWS = 512  # rows that slow peers predict

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--boards", type=Path, nargs="*", default=[], help="Parquet with `board`")
    parser.add_argument("--rows", type=int, default=40_000, help="training rows")
    parser.add_argument("--nodes", type=int, default=1000, help="centres, about")
    parser.add_argument("--threads", type=int, default=2, help="threads of the least squares")
    parser.add_argument("--repeat", type=int, default=5, help="tries of a prediction; best counts")
    parser.add_argument("--no-peers", action="store_true", help="leave the peers out")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    result = _run(options)
    print(json.dumps(result, indent=2) if options.json else _text(result))


def _run(options: argparse.Namespace) -> dict[str, object]:
    x, y = _rows(options.boards, options.rows)
    names = (*COLUMNS, "input_1", "input_2", "input_3")
    scaling = Scaling.of(DenseInputs(names, x))
    sets = _partition(scaling, x, options.nodes)

    clock, start = time.perf_counter(), _cpu()
    fit: dict[str, float] = {}
    v = scaling(x)
    fit["normalise"] = _cpu() - start
    start = _cpu()
    centres = select([v], sets, len(x))
    if centres is None:
        raise RuntimeError("more centres than rows")
    fit["select"] = _cpu() - start
    basis = Basis(places(centres, sets))
    start = _cpu()
    for part in blocks(len(v)):
        basis(v[part])
    fit["splines"] = _cpu() - start
    start = _cpu()
    solution = solve(
        lambda part: np.column_stack((basis(v[part]), y[part])),
        len(v),
        len(centres),
        threads=options.threads,
    )
    fit["splines and least squares"] = _cpu() - start
    seconds = time.perf_counter() - clock - fit["splines"]  # taken twice, to be timed apart
    network = RBFNetwork(
        columns=names,
        scaling=scaling,
        means=x.mean(axis=0, dtype=np.float64),
        sets=sets,
        centres=centres,
        weights=solution.x,
        facts={},
    )
    batch = x[:_BATCH]
    singles = [batch[i : i + 1] for i in range(200)]
    predict_us = {
        "in batch": 1e6 * _best(lambda: network.predict(batch), options.repeat) / len(batch),
        "alone": 1e6
        * _best(lambda: [network.predict(row) for row in singles], options.repeat)
        / len(singles),
    }
    exact = basis(v[:_BATCH]) @ solution.x
    return {
        "rows": len(x),
        "inputs": x.shape[1],
        "fuzzy_sets": sorted({int(s) for s in sets if s > 1}),
        "nodes": len(centres),
        "rank": solution.rank,
        "threads": options.threads,
        "fit_seconds_by_the_clock": round(seconds, 2),
        "fit_cpu_seconds": {name: round(s, 2) for name, s in fit.items()},
        "prediction_us": {name: round(us, 1) for name, us in predict_us.items()},
        "times_as_fast_as_paper": {name: round(_PAPER_US / us) for name, us in predict_us.items()},
        "single_precision_error": float(np.abs(network.predict(batch) - exact).max()),
        "spread_of_targets": float(y.std()),
        "peers": {} if options.no_peers else _peers(network, v, y, options.repeat),
    }


def _rows(files: list[Path], count: int) -> tuple[Singles, Floats]:
    if files:
        tables = [pq.read_table(file, columns=["board"]) for file in files]
        column = pa.concat_tables(tables)["board"].to_pylist()
        boards = np.frombuffer(b"".join(column), np.uint8).reshape(-1, 32)
    else:
        text = b"".join(chunk for member in members(_SAMPLE) for chunk in member.chunks)
        games = parse(text)
        n = len(games.ordinal)
        boards = expand(games.moves, games.ply_offsets, [None] * n, np.zeros(n, np.uint8)).board
    rng = np.random.default_rng(0)
    boards = boards[rng.permutation(len(boards))[:count]]
    terms = terms_from_boards(boards)
    if len(terms) < count:
        side = terms.shape[1] // 2
        swapped = np.concatenate([terms[:, side:], terms[:, :side]], axis=1)
        terms = np.concatenate([terms, swapped])[:count]
    material = (terms[:, :97] - terms[:, 97:]) @ rng.normal(0, 1e-3, 97)
    values = material[:, None] + rng.normal(0, 1, (len(terms), 4))
    x = np.concatenate([terms, values[:, :3].astype(np.float32)], axis=1)
    return np.ascontiguousarray(x), values[:, 3].astype(np.float64)


def _partition(scaling: Scaling, x: Singles, nodes: int) -> npt.NDArray[np.int32]:
    """Return numbers of sets that give about `nodes` centres, by bisection."""
    v = scaling(x)
    width = len(scaling.low)

    def sets(steps: int) -> npt.NDArray[np.int32]:
        """Return 2 sets everywhere and one more, input after input, `steps` times."""
        more = np.where(np.arange(width) < steps % width, 1, 0)
        return np.where(scaling.varies, 2 + steps // width + more, 1).astype(np.int32)

    low, high = 0, 30 * width
    while high - low > 1:
        middle = (low + high) // 2
        fits = select([v], sets(middle), nodes) is not None
        low, high = (middle, high) if fits else (low, middle)
    return sets(low)


def _peers(network: RBFNetwork, v: Singles, y: Floats, repeat: int) -> dict[str, float]:
    centres = network.places.astype(np.float64)
    wide = v.astype(np.float64)
    some = wide[:_BATCH]
    norms = np.square(centres).sum(axis=1)

    def design(rows: Floats) -> Floats:
        squares = np.square(rows).sum(axis=1)[:, None] + norms - 2 * rows @ centres.T
        np.maximum(squares, 1e-300, out=squares)
        return np.asarray(0.5 * squares * np.log(squares))

    found: dict[str, float] = {}
    start = _cpu()
    count = _numpy_selection(wide, network.sets)
    if count != len(centres):
        raise RuntimeError(f"NumPy chose {count} centres")
    found["numpy selection, s"] = round(_cpu() - start, 2)
    start = _cpu()
    whole = np.concatenate([design(wide[part]) for part in blocks(len(wide))])
    found["numpy design, s"] = round(_cpu() - start, 2)
    start = _cpu()
    np.linalg.lstsq(whole, y)
    found["numpy lstsq, s"] = round(_cpu() - start, 2)
    del whole
    took = _best(lambda: design(some) @ network.weights, repeat)
    found["numpy prediction in batch, µs"] = round(1e6 * took / len(some), 1)
    rows = [some[i : i + 1] for i in range(50)]
    took = _best(lambda: [design(row) @ network.weights for row in rows], repeat)
    found["numpy prediction alone, µs"] = round(1e6 * took / len(rows), 1)
    # Interpolates made-up values at the centres; a smoothing term keeps its linear part solvable.
    scipy = RBFInterpolator(centres + 1e-9 * np.arange(len(centres))[:, None], network.weights,
                            smoothing=1.0, kernel="thin_plate_spline", degree=1)  # fmt: skip
    took = _best(lambda: scipy(some[:_PEER_ROWS]), min(repeat, 2))
    found["scipy prediction in batch, µs"] = round(1e6 * took / _PEER_ROWS, 1)
    return found


def _numpy_selection(v: Floats, sets: npt.NDArray[np.int32]) -> int:
    steps = sets - 1
    counting = np.count_nonzero(steps)
    centres = np.empty((len(v), len(sets)))
    count = 0
    for row in v * steps:
        if not (np.square(centres[:count] - row).sum(axis=1) <= counting).any():
            centres[count] = np.maximum(np.ceil(row - 0.5), 0)
            count += 1
    return count


def _cpu() -> float:
    return time.process_time()


def _best(work: Callable[[], object], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        start = _cpu()
        work()
        seconds.append(_cpu() - start)
    return max(min(seconds), 1e-6)


def _text(result: dict[str, object]) -> str:
    lines = []
    for name, value in result.items():
        if isinstance(value, dict):
            lines.append(f"{name}:")
            lines += [f"    {key:32} {number:>10,}" for key, number in value.items()]
        else:
            lines.append(f"{name:32} {value}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
