"""Stage ``search.selfplay``: one shard of a generation's games.

Games are kept chunk by chunk; a killed job plays the chunk anew in which it was killed, and ends
with the same bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from tabia.search import calibration
from tabia.search.config import Rules
from tabia.search.learning_config import SelfPlay
from tabia.search.nets import folder
from tabia.search.nets.evaluators import OnnxEvaluator
from tabia.search.nets.inputs import split
from tabia.search.nets.net import Net
from tabia.search.nets.onnx_file import export
from tabia.search.nets.quantise import quantise
from tabia.search.play import play_chunk
from tabia.search.resume import state_name
from tabia.search.start import RULES
from tabia.search.times import SELF_PLAY, Counted, Done, Stopwatch
from tabia.search.times import write as write_times
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["REVISION", "chunks", "evaluator_of", "int8_evaluator_of", "run"]

REVISION = 2
"""Raised when other games come out of the same configuration."""


def chunks(games: int, shards: int, shard: int, chunk: int) -> Iterator[range]:
    """Yield the numbers of a shard's games, as many at a time as are kept together."""
    first, last = games * shard // shards, games * (shard + 1) // shards
    for start in range(first, last, chunk):
        yield range(start, min(start + chunk, last))


@contextmanager
def int8_evaluator_of(net: Net, threads: int, rules: Rules, seed: int) -> Iterator[OnnxEvaluator]:
    """Yield what evaluates a net in 8-bit integers, calibrated by positions it comes to itself.

    Parameters
    ----------
    net, threads
        The net, and threads of a call.
    rules
        The game.
    seed
        Of the positions.
    """
    with tempfile.TemporaryDirectory() as folder_of_file, evaluator_of(net, 1) as exact:
        source, path = (Path(folder_of_file) / f"{name}.onnx" for name in ("float32", "int8"))
        export(net, source)
        planes = calibration.positions(rules, net.shape.history, exact, seed)
        quantise(source, path, *split(planes, net.shape))
        yield OnnxEvaluator(path, threads=threads)


@contextmanager
def evaluator_of(net: Net, threads: int) -> Iterator[OnnxEvaluator]:
    """Yield what evaluates a net for games that enter tables: onnxruntime in float32.

    docs/search_nets.md has the measurements: it is the fastest route of that precision, and its
    answers for a position depend neither on the batch nor on the number of threads.
    """
    with tempfile.TemporaryDirectory() as folder_of_file:
        path = Path(folder_of_file) / "net.onnx"
        export(net, path)
        yield OnnxEvaluator(path, threads=threads)


def run(spec: Spec, *, net: Path, state: Path, games: Path, positions: Path, times: Path) -> None:
    """Play.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules`` and ``selfplay`` (:class:`SelfPlay`); wildcards are
        ``run``, ``generation`` and ``shard``.
    net
        IN: folder of the net that plays.
    state
        Folder for what a killed job has done.
    games, positions
        OUT: `SELFPLAY_GAMES` and `SELFPLAY_POSITIONS`.
    times
        OUT: :data:`tabia.search.times.TIMES`, of the games that were played since the job was
        started last.
    """
    whole, work = Stopwatch(), Stopwatch()
    with whole.timed():
        done = _play(spec, work, net=net, state=state, games=games, positions=positions)
    write_times(times, spec, SELF_PLAY, whole, work, done)


def _play(
    spec: Spec, work: Stopwatch, *, net: Path, state: Path, games: Path, positions: Path
) -> Done:
    """Play, and return what of it was not done before; `work` times the games."""
    rules = RULES.validate_python(spec.config["rules"])
    settings = SelfPlay.model_validate(spec.config["selfplay"])
    shard, generation = int(spec.wildcards["shard"]), int(spec.wildcards["generation"])
    saved = folder.load(net)
    seed = int(spec.rng("games", generation).integers(2**31))
    own = state / state_name(spec, [net])
    parts = list(chunks(settings.games, settings.shards, shard, settings.chunk))
    if settings.precision == "int8":
        evaluating = int8_evaluator_of(saved.net, settings.threads, rules, seed)
    else:
        evaluating = evaluator_of(saved.net, settings.threads)
    played = searched = 0
    label = f"self-play {spec.wildcards['run']} {generation}.{shard}"
    with (
        evaluating as opened,
        Progress(label, sum(map(len, parts)), "games") as progress,
    ):
        evaluator = Counted(opened)
        for number, part in enumerate(parts):
            kept = own / f"{number}.games.parquet", own / f"{number}.positions.parquet"
            if all(path.is_file() for path in kept):
                progress.advance(len(part))
                continue
            with work.timed():
                tables = play_chunk(
                    rules,
                    settings,
                    saved.net.shape.history,
                    evaluator,
                    part,
                    seed,
                    lambda plies: progress.advance(1),
                )
            played, searched = played + len(part), searched + len(tables[1])
            for path, table in zip(kept, tables, strict=True):
                parquet.write(table, path)
    for target, kind in ((games, "games"), (positions, "positions")):
        found = [parquet.read(own / f"{i}.{kind}.parquet") for i in range(len(parts))]
        parquet.write(pa.concat_tables(found), target, spec=spec)
    for path in own.glob("*.parquet"):
        path.unlink()
    own.rmdir()
    return Done(played, searched, evaluator.positions, played / sum(map(len, parts)))
