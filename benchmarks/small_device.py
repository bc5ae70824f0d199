"""A small device: seconds a move, memory and load at 128 searches on 19x19 with one core.

    python benchmarks/small_device.py [--json] [--moves 6] [--simulations 128]

The Go player's net (3 blocks of 3 bottlenecks, 128 filters) under its own tree, and the small net
(5 blocks of 64 filters) under the default one, with 1 and 8 leaves in a batch; random weights,
onnxruntime in float32, one thread. Each is measured by ``tabia speed`` in a process of its own,
which is tied to one core.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from tabia.search.nets import folder
from tabia.search.nets.config import GoPlayer, Small, search_shape
from tabia.search.nets.net import make


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--moves", type=int, default=6)
    parser.add_argument("--simulations", type=int, default=128)
    options = parser.parse_args()
    shape = search_shape("go", history=2, size=19)
    nets: dict[str, tuple[GoPlayer | Small, str]] = {
        "go_player": (GoPlayer(), "tree=go_player,"),
        "small": (Small(score=True, ownership=True), ""),
    }
    core = {min(os.sched_getaffinity(0))}
    program = str(Path(sys.executable).parent / "tabia")
    report = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, (settings, tree) in nets.items():
            path = Path(scratch) / name
            torch.manual_seed(0)
            folder.save(path, make(shape, settings).eval(), {})
            for leaves in (1, 8):
                command = [program, "speed", f"search:{path}:{tree}leaves={leaves}", "--json",
                           "--simulations", str(options.simulations),
                           "--moves", str(options.moves), "--threads", "1"]  # fmt: skip
                facts = json.loads(
                    subprocess.run(
                        command,
                        check=True,
                        capture_output=True,
                        preexec_fn=lambda: os.sched_setaffinity(0, core),
                    ).stdout
                )
                report.append({"net": name, **{k: v for k, v in facts.items() if k != "agent"}})
                if not options.json:
                    print(
                        f"{name:10} leaves {leaves}: {facts['cpu_seconds_per_move']:.2f} CPU s a"
                        f" move, {facts['seconds_per_move']:.2f} s, load {facts['load']:.2f},"
                        f" {facts['simulations_per_cpu_s']:.0f} simulations a CPU s, network"
                        f" {facts['shares']['evaluate']:.1%}, tree"
                        f" {facts['largest_tree_bytes'] / 1024:.0f} KiB, peak"
                        f" {facts['peak_bytes'] / 2**20:.0f} MiB",
                        flush=True,
                    )
    if options.json:
        print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
