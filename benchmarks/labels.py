"""Overhead of labelling: our pool beside the same engine fed over a bare pipe.

Run it from the repository root::

    python benchmarks/labels.py --threads 2 --json labels.json

Contestants, each on the same positions, limit, Hash, MultiPV and number of engines, every search
after ``ucinewgame``, all start-up and shut-down included:

* ``tabia``: :func:`tabia.engines.label.label_positions` from FENs to the labels table, through
  the store on disk;
* ``pipe``: ``cat commands | stockfish > /dev/null``, one pipe an engine, the list dealt out
  beforehand; nobody reads the answers. No program that reads them can be faster;
* ``script``: the shortest Python loop that writes a search and reads up to its ``bestmove``;
* ``python-chess`` (with ``--python-chess``): its ``SimpleEngine.analyse``, one thread an engine.

Rounds alternate, so that a machine that slows down slows all of them. The ratios are medians
over the rounds. On a machine that is busy with other work, look at the CPU time instead: it
counts the engines' and our own, and is what limits the rate where every core has an engine.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import chess
import chess.engine

from tabia.engines.config import Engine, Limit
from tabia.engines.label import label_positions
from tabia.engines.uci import find_engine

JOBS: dict[str, tuple[int, tuple[Limit, ...]]] = {
    "depth 2": (10000, (Limit(depth=2),)),
    "depth 4": (8000, (Limit(depth=4),)),
    "depth 8": (900, (Limit(depth=8),)),
    "nodes 20000": (280, (Limit(nodes=20000),)),
    "depths 2, 4, 8 and nodes 20000": (
        230,
        (Limit(depth=2), Limit(depth=4), Limit(depth=8), Limit(nodes=20000)),
    ),
}


def random_positions(count: int) -> list[str]:
    """Return `count` different four-field FENs met in random games (fixed seed)."""
    rng = random.Random(20)
    found: dict[str, None] = {}
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randrange(12, 60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if any(board.legal_moves):
            found[board.epd(en_passant="legal")] = None
    return list(found)


def setup(engine: Engine) -> bytes:
    options = {"Threads": 1, "Hash": engine.hash_mb, "MultiPV": engine.multipv}
    lines = [f"setoption name {name} value {value}" for name, value in options.items()]
    return "\n".join(["uci", *lines, ""]).encode()


def commands(fens: Sequence[str], limits: Sequence[Limit]) -> list[bytes]:
    return [
        f"ucinewgame\nposition fen {fen} 0 1\ngo {limit.text}\n".encode()
        for fen in fens
        for limit in limits
    ]


def run_tabia(fens: Sequence[str], limits: Sequence[Limit], engine: Engine, threads: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        result = label_positions(fens, limits, engine, Path(folder), threads=threads)
        if result.labels.num_rows != len(fens) * len(limits):
            raise RuntimeError(f"{result.rejects.num_rows} searches failed")


def run_pipe(fens: Sequence[str], limits: Sequence[Limit], engine: Engine, threads: int) -> None:
    program = find_engine(engine.command)
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for seat in range(threads):
            # Whole positions are dealt out, so that every engine has each limit equally often.
            path = Path(folder) / str(seat)
            path.write_bytes(setup(engine) + b"".join(commands(fens[seat::threads], limits)))
            line = f"cat '{path}' | '{program}' > /dev/null"
            running.append(subprocess.Popen(["/bin/sh", "-c", line]))
        if any(process.wait() for process in running):
            raise RuntimeError("the engine failed")


def run_script(fens: Sequence[str], limits: Sequence[Limit], engine: Engine, threads: int) -> None:
    def feed(searches: list[bytes]) -> None:
        with subprocess.Popen(
            [find_engine(engine.command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            if process.stdin is None or process.stdout is None:
                raise RuntimeError("no pipes")
            process.stdin.write(setup(engine))
            for search in searches:
                process.stdin.write(search)
                process.stdin.flush()
                for line in process.stdout:
                    if line.startswith(b"bestmove"):
                        break
            process.stdin.write(b"quit\n")

    deal = [commands(fens[seat::threads], limits) for seat in range(threads)]
    in_threads([partial(feed, searches) for searches in deal])


def run_python_chess(
    fens: Sequence[str], limits: Sequence[Limit], engine: Engine, threads: int
) -> None:
    def feed(mine: Sequence[str]) -> None:
        with chess.engine.SimpleEngine.popen_uci(str(find_engine(engine.command))) as process:
            process.configure({"Threads": 1, "Hash": engine.hash_mb})
            for fen in mine:
                board = chess.Board(f"{fen} 0 1")
                for limit in limits:
                    process.analyse(
                        board,
                        chess.engine.Limit(depth=limit.depth, nodes=limit.nodes),
                        multipv=engine.multipv,
                        game=object(),  # a new game each: sends ucinewgame
                    )

    in_threads([partial(feed, fens[seat::threads]) for seat in range(threads)])


def in_threads(tasks: Sequence[Callable[[], None]]) -> None:
    running = [threading.Thread(target=task) for task in tasks]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def cpu_s() -> float:
    """Return the CPU time of this process and its ended children."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def paired(theirs: Sequence[float], ours: Sequence[float]) -> float:
    """Return the median over the rounds of our speed as a share of theirs."""
    return statistics.median(their / our for their, our in zip(theirs, ours, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=2, help="engines at a time")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hash", type=int, default=1, help="MB")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--fens", type=Path, help="one four-field FEN a line; default: random play")
    parser.add_argument(
        "--share", type=float, default=1.0, help="of the positions; less is quicker"
    )
    parser.add_argument("--job", choices=JOBS, action="append", help="only this one; repeatable")
    parser.add_argument("--python-chess", action="store_true")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()

    engine = Engine(command=options.engine, hash_mb=options.hash)
    contestants = {"tabia": run_tabia, "pipe": run_pipe, "script": run_script}
    if options.python_chess:
        contestants["python-chess"] = run_python_chess
    most = max(count for count, _ in JOBS.values())
    fens = options.fens.read_text().splitlines() if options.fens else random_positions(most)
    report = []
    for job in options.job or JOBS:
        count, limits = JOBS[job]
        mine = fens[: max(options.threads, int(count * options.share))]
        seconds: dict[str, list[float]] = {name: [] for name in contestants}
        cpu: dict[str, list[float]] = {name: [] for name in contestants}
        for turn in range(options.rounds):
            names = list(contestants)
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                start, cpu_start = time.perf_counter(), cpu_s()
                contestants[name](mine, limits, engine, options.threads)
                seconds[name].append(time.perf_counter() - start)
                cpu[name].append(cpu_s() - cpu_start)
        searches = len(mine) * len(limits)
        rates = {name: searches / statistics.median(times) for name, times in seconds.items()}
        row = {
            "job": job,
            "positions": len(mine),
            "searches": searches,
            "engines": options.threads,
            "hash_mb": options.hash,
            "multipv": engine.multipv,
            "searches_per_s": rates,
            "ratio_to_pipe": paired(seconds["pipe"], seconds["tabia"]),
            "ratio_to_script": paired(seconds["script"], seconds["tabia"]),
            "cpu_ratio_to_pipe": paired(cpu["pipe"], cpu["tabia"]),
            "cpu_ratio_to_script": paired(cpu["script"], cpu["tabia"]),
            "seconds": seconds,
            "cpu_seconds": cpu,
        }
        report.append(row)
        shown = ", ".join(f"{name} {rate:,.1f}/s" for name, rate in rates.items())
        print(
            f"{job}: {shown}; tabia/pipe {row['ratio_to_pipe']:.3f}, "
            f"tabia/script {row['ratio_to_script']:.3f}; by CPU time "
            f"{row['cpu_ratio_to_pipe']:.3f}, {row['cpu_ratio_to_script']:.3f}",
            flush=True,
        )
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
