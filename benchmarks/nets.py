"""Nets of the search: positions a CPU second by route and batch size, and how exact each route is.

    python benchmarks/nets.py [--net NAME…] [--batch 1 16 64] [--rounds 3] [--json]

Routes: torch in float32 and in bfloat16, onnxruntime in float32 and in 8-bit integers, one thread
each, the search's planes in and logits and values out. They take turns in one process; speeds are
medians over the turns, CPU seconds of user and system. Weights are random, which does not matter
to times. ``error`` is the greatest difference of a prior, over all labels, from torch's float32,
and of an expected result, on the positions of the largest batch; the nets being untrained, it tells
the routes apart and nothing of strength.

Positions are random; those that calibrate the 8-bit route are others.

``--bytes`` measures instead whether answers depend on the batch, on the place in it and on the
number of threads, bit by bit.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tabia.search.nets.config import AlphaZero, GoPlayer, NetShape, Small, search_shape
from tabia.search.nets.evaluators import NetEvaluator, OnnxEvaluator, TorchEvaluator
from tabia.search.nets.inputs import split
from tabia.search.nets.net import Net, make
from tabia.search.nets.onnx_file import export
from tabia.search.nets.quantise import quantise
from tabia.search.nets.speed import measure

Planes = NDArray[np.float32]

_CALIBRATION = 256
_EXACT = "torch float32"


def _nets() -> dict[str, tuple[NetShape, AlphaZero | GoPlayer | Small]]:
    nine, nineteen = (search_shape("go", history=2, size=size) for size in (9, 19))
    heads = Small(score=True, ownership=True)
    return {
        "alphazero 10×128, 9×9": (nine, AlphaZero()),
        "alphazero 10×128, 19×19": (nineteen, AlphaZero()),
        "go_player 9×128, 9×9": (nine, GoPlayer()),
        "small 5×64, 9×9": (nine, heads),
        "small 5×64, 19×19": (nineteen, heads),
        "small 4×32, 9×9": (nine, heads.model_copy(update={"blocks": 4, "channels": 32})),
        "small nested 4×96, 9×9": (
            nine,
            heads.model_copy(update={"blocks": 4, "channels": 96, "block": "nested"}),
        ),
        "small 5×64, chess": (search_shape("chess", history=2), Small()),
        "small 5×64, xiangqi": (search_shape("xiangqi", history=2), Small()),
    }


def _positions(shape: NetShape, rows: int, seed: int) -> Planes:
    """Return planes of the encoder's shape: three points in ten are set."""
    rng = np.random.default_rng(seed)
    board = (rows, shape.encoded_planes, shape.rows, shape.columns)
    return (rng.random(board) < 0.3).astype(np.float32)


def _routes(net: Net, folder: Path, threads: int) -> dict[str, NetEvaluator]:
    plain, bytes_ = folder / "net.onnx", folder / "int8.onnx"
    if not plain.exists():
        export(net, plain)
        quantise(plain, bytes_, *split(_positions(net.shape, _CALIBRATION, 1), net.shape))
    return {
        _EXACT: TorchEvaluator(net, threads=threads),
        "torch bfloat16": TorchEvaluator(net, threads=threads, precision="bfloat16"),
        "onnxruntime float32": OnnxEvaluator(plain, threads=threads),
        "onnxruntime int8": OnnxEvaluator(bytes_, threads=threads),
    }


def _errors(routes: Mapping[str, NetEvaluator], planes: Planes) -> dict[str, list[float]]:
    def answers(evaluator: NetEvaluator) -> tuple[Planes, Planes]:
        found = evaluator.evaluate(planes)
        return torch.softmax(torch.from_numpy(found.logits), 1).numpy(), found.values

    exact = answers(routes[_EXACT])
    return {
        name: [
            float(np.abs(ours - theirs).max())
            for ours, theirs in zip(answers(route), exact, strict=True)
        ]
        for name, route in routes.items()
    }


def _same(net: Net, folder: Path, planes: Planes) -> dict[str, dict[str, bool]]:
    one, two = _routes(net, folder, 1), _routes(net, folder, 2)
    order = np.random.default_rng(2).permutation(len(planes))
    found = {}
    for name, route in one.items():
        whole = route.evaluate(planes)
        batches = [1, 7, 16]
        cut = {
            size: np.concatenate(
                [route.evaluate(planes[i : i + size]).logits for i in range(0, len(planes), size)]
            )
            for size in batches
        }
        found[name] = {f"batches of {size}": _equal(cut[size], whole.logits) for size in batches}
        found[name]["another order"] = _equal(
            route.evaluate(planes[order]).logits, whole.logits[order]
        )
        found[name]["two threads"] = _equal(two[name].evaluate(planes).logits, whole.logits)
    return found


def _equal(one: Planes, other: Planes) -> bool:
    return one.tobytes() == other.tobytes()


def _runs(routes: Mapping[str, NetEvaluator], planes: Planes) -> dict[str, Callable[[int], object]]:
    def run(evaluator: NetEvaluator) -> Callable[[int], object]:
        return lambda batch: evaluator.evaluate(planes[:batch])

    return {name: run(evaluator) for name, evaluator in routes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    nets = _nets()
    parser.add_argument("--net", nargs="+", choices=list(nets), default=list(nets))
    parser.add_argument("--batch", nargs="+", type=int, default=[1, 16, 64])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bytes", action="store_true", help="compare bytes instead of speeds")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    report: dict[str, object] = {}
    for name in options.net:
        shape, settings = nets[name]
        torch.manual_seed(0)
        net = make(shape, settings).eval()
        planes = _positions(shape, max(options.batch), 0)
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            if options.bytes:
                same = _same(net, folder, planes)
                report[name] = same
                if not options.json:
                    _print_bytes(name, same)
                continue
            routes = _routes(net, folder, 1)
            errors = _errors(routes, planes)
            speeds = measure(_runs(routes, planes), options.batch, rounds=options.rounds)
        report[name] = {
            "parameters": net.n_parameters,
            "errors": errors,
            "speeds": [asdict(speed) for speed in speeds],
        }
        if not options.json:
            print(f"\n{name}: {net.n_parameters:,} parameters, positions a CPU second")
            heads = "".join(f"{f'batch {batch}':>11}" for batch in options.batch)
            print(f"  {'':20}{heads}{'prior':>10}{'value':>10}  error")
            for route in routes:
                own = [speed.positions_per_s for speed in speeds if speed.route == route]
                cells = "".join(f"{value:11,.0f}" for value in own)
                off = "".join(f"{value:10.1e}" for value in errors[route])
                print(f"  {route:20}{cells}{off}", flush=True)
    if options.json:
        print(json.dumps(report, indent=2))


def _print_bytes(name: str, same: Mapping[str, Mapping[str, bool]]) -> None:
    print(f"\n{name}: same bytes as one batch on one thread?")
    for route, facts in same.items():
        cells = ", ".join(f"{fact}: {'yes' if holds else 'no'}" for fact, holds in facts.items())
        print(f"  {route:20} {cells}", flush=True)


if __name__ == "__main__":
    main()
