"""The 194 evaluation terms: positions a second, beside the guide that defines them.

    python benchmarks/terms.py [--guide index.html] [--positions 200000] [--json]

One core, CPU seconds (user + system), the best of `--repeat` tries. Positions come from the games
of the bundled sample. Timed are the three ways to the same values:

fens
    FEN text to ``[n, 194]``.
boards
    Packed boards, as the tables keep them, to ``[n, 194]``.
games
    Moves of the games table to the terms of every position, checking each move; no FEN text.

The peer is the Stockfish Evaluation Guide's own JavaScript, run by node on some of the same
positions in the same run: get ``index.html`` of github.com/hxim/Stockfish-Evaluation-Guide at
commit fc3a243 and name it with ``--guide``. The values are then also compared, all 194 of each
position. Without it, 27 ms a position are taken, measured once on another machine. The paper
(Kagkas et al., 2023) gives about 10 s for the values of one position.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tabia._native.chess_pgn import parse
from tabia._native.chess_positions import expand, fens_from_boards
from tabia._native.chess_terms import (
    TERMS,
    terms_from_boards,
    terms_from_fens,
    terms_from_games,
)
from tabia.records.opening import members

_SAMPLE = Path("resources/sample/chess.pgn.zst")
_QUOTED_GUIDE_S = 0.027
_QUOTED_PAPER_S = 10.0

_GUIDE_JS = """
const [fens, names] = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const term of data) {
  const name = "$" + term.name.toLowerCase().replace(/ /g, "_");
  globalThis[name] = eval("(" + term.code.replace(/\\$\\$/g, () => name) + ")");
}
const start = process.cpuUsage();
const values = fens.map((fen) => {
  const pos = parseFEN(fen);
  const flipped = colorflip(pos);
  return [pos, flipped].flatMap((side) => names.map((name) => globalThis["$" + name](side)));
});
const spent = process.cpuUsage(start);
console.log(JSON.stringify([values, (spent.user + spent.system) / 1e6]));
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Evaluation terms a second.")
    parser.add_argument("--guide", type=Path, help="index.html of the guide, commit fc3a243")
    parser.add_argument("--positions", type=int, default=200_000, help="positions to time")
    parser.add_argument("--guide-positions", type=int, default=200, help="positions for the guide")
    parser.add_argument("--repeat", type=int, default=3, help="tries; the best counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    result = _run(options.guide, options.positions, options.guide_positions, options.repeat)
    print(json.dumps(result, indent=2) if options.json else _text(result))


def _run(guide: Path | None, wanted: int, of_guide: int, repeat: int) -> dict[str, object]:
    text = b"".join(chunk for member in members(_SAMPLE) for chunk in member.chunks)
    games = parse(text)
    n_games = len(games.ordinal)
    times = -(-wanted // (len(games.moves) + n_games))
    moves = np.tile(games.moves, times)
    lengths = np.tile(np.diff(games.ply_offsets), times)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    arguments = (moves, offsets, [None] * len(lengths), np.zeros(len(lengths), np.uint8))
    boards = expand(*arguments).board
    fens = fens_from_boards(boards)
    n = len(fens)
    seconds = {
        "fens": _best(lambda: terms_from_fens(fens), repeat),
        "boards": _best(lambda: terms_from_boards(boards), repeat),
        "games": _best(lambda: terms_from_games(*arguments), repeat),
    }
    chosen = [fens[i] for i in np.linspace(0, n // times - 1, of_guide).astype(int)]
    measured = None if guide is None else _guide(guide, chosen)
    guide_s = _QUOTED_GUIDE_S if measured is None else measured
    return {
        "positions": n,
        "positions_per_cpu_second": {name: round(n / s) for name, s in seconds.items()},
        "microseconds": {name: round(1e6 * s / n, 2) for name, s in seconds.items()},
        "guide_ms": round(1e3 * guide_s, 2),
        "guide_measured_on": 0 if measured is None else of_guide,
        "faster_than_guide": {name: round(guide_s * n / s) for name, s in seconds.items()},
        "faster_than_paper": {name: round(_QUOTED_PAPER_S * n / s) for name, s in seconds.items()},
    }


def _cpu() -> float:
    times = os.times()
    return times.user + times.system


def _best(work: Callable[[], object], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        start = _cpu()
        work()
        seconds.append(_cpu() - start)
    return max(min(seconds), 1e-3)


def _guide(page: Path, fens: list[str]) -> float:
    """Return the guide's CPU seconds a position; leave if its values are not ours."""
    node = shutil.which("node")
    if node is None:
        sys.exit("node is not installed; leave --guide out to compare with a quoted time")
    html = page.read_text(encoding="utf-8")
    parts = [
        found.group()
        for name in ("bounds", "board", "colorflip", "sum", "parseFEN")
        if (found := re.search(rf"^function {name}\(.*?^}}$", html, re.M | re.S))
    ]
    data = html.rpartition('<script id="loadData">')[2].partition("</script>")[0]
    if len(parts) != 5 or "data.push" not in data:
        sys.exit(f"{page}: not the guide's page of commit fc3a243")
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as script:
        script.write("\n".join([*parts, data, _GUIDE_JS]))
        script.flush()
        run = subprocess.run(
            [node, script.name],
            input=json.dumps([fens, TERMS]),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    values, seconds = json.loads(run.stdout)
    if not np.array_equal(np.array(values), terms_from_fens(fens)):
        sys.exit("the guide's values differ from ours: not its version of commit fc3a243?")
    return float(seconds) / len(fens)


def _text(result: dict[str, object]) -> str:
    rates, micro = result["positions_per_cpu_second"], result["microseconds"]
    guide, paper = result["faster_than_guide"], result["faster_than_paper"]
    count = result["guide_measured_on"]
    source = f"measured, {count} positions, all values equal" if count else "quoted"
    lines = [
        f"{result['positions']:,} positions; one core",
        f"guide: {result['guide_ms']} ms a position ({source}); paper: 10 s (quoted)",
        f"{'from':8} {'positions/CPU s':>16} {'µs each':>8} {'of guide':>10} {'of paper':>12}",
    ]
    if all(isinstance(part, dict) for part in (rates, micro, guide, paper)):
        lines += [
            f"{name:8} {rates[name]:16,} {micro[name]:8} {guide[name]:9,}x {paper[name]:11,}x"  # type: ignore[index]
            for name in rates  # type: ignore[attr-defined]
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    start = time.perf_counter()
    main()
    print(f"{time.perf_counter() - start:.0f} s in all", file=sys.stderr)
