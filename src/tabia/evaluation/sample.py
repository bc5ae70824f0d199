"""Choose the positions to label.

Chosen are positions of standard chess with a legal move, in the wanted phase, from the wanted
ply on. Where there are more than wanted, those with the smallest seeded hash are taken, first
within each owner game, then over all. The hash depends on the position and the seed alone, so
the choice does not depend on buckets, shards or order, and new games displace few old choices.

Which game owns a position, and so its split, is the records room's decision; this stage only
counts by it. A position whose owner is rejected by the limit per game is not handed to another
game that also contains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabia._native import chess_positions
from tabia.evaluation.boards import packed
from tabia.evaluation.config import Sample
from tabia.tables import parquet, schemas
from tabia.tables.ids import position_id
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["run"]

_NO_LEGAL_MOVE = 2
_CHESS960 = 4


@dataclass(frozen=True)
class _Candidates:
    """Positions that may be chosen, with where to find them again."""

    order: npt.NDArray[np.uint64]  # seeded hash; the smallest are chosen
    key: npt.NDArray[np.uint64]
    game_id: npt.NDArray[np.uint64]
    row: npt.NDArray[np.int64]  # in the file
    file: npt.NDArray[np.int32]

    def take(self, index: npt.NDArray[np.intp]) -> _Candidates:
        return _Candidates(
            order=self.order[index],
            key=self.key[index],
            game_id=self.game_id[index],
            row=self.row[index],
            file=self.file[index],
        )


def run(spec: Spec, *, positions: list[Path], sample: Path) -> None:
    """Write the chosen positions to `sample`, ordered by position_id.

    Parameters
    ----------
    spec
        ``config`` holds ``seed`` and ``sample`` (:class:`Sample`).
    positions
        Tables of distinct positions, one a bucket.
    """
    settings = Sample.model_validate(spec.config["sample"])
    seed = int(spec.config["seed"])
    kept: list[_Candidates] = []
    with Progress("sample positions", len(positions), "files") as progress:
        for number, path in enumerate(positions):
            kept.append(_limit(_candidates(path, number, settings, seed), settings))
            progress.advance()
    chosen = _limit(_joined(kept), settings) if kept else None
    tables = [schemas.SAMPLE.empty_table()]
    if chosen is not None:
        for number, path in enumerate(positions):
            rows = np.sort(chosen.row[chosen.file == number])
            if len(rows):
                tables.append(_rows(path, rows))
    table = pa.concat_tables(tables).sort_by("position_id")
    parquet.write(table.combine_chunks(), sample, spec=spec)


def _rows(path: Path, rows: npt.NDArray[np.int64]) -> pa.Table:
    """Return the chosen rows of one file, with FEN and id."""
    table = parquet.read(path, schemas.POSITIONS.names).take(pa.array(rows))
    fens = chess_positions.fens_from_boards(packed(table["board"]))
    columns = [pa.array([position_id(fen) for fen in fens], pa.binary(16)), pa.array(fens)]
    return pa.table([*columns, *table.columns], names=schemas.SAMPLE.names).cast(schemas.SAMPLE)


def _candidates(path: Path, number: int, settings: Sample, seed: int) -> _Candidates:
    columns = ["position_key", "phase", "flags", "ply", "game_id"]
    table = parquet.read(path, columns)
    key, phase, flags, ply, game_id = (table[name].to_numpy() for name in columns)
    wanted = (flags & (_NO_LEGAL_MOVE | _CHESS960)) == 0
    if settings.phase == "middlegame":
        wanted &= (phase > 0) & (phase < 128)
    wanted &= ply >= settings.min_ply
    row = np.flatnonzero(wanted)
    return _Candidates(
        order=_seeded(key[row], seed),
        key=key[row],
        game_id=game_id[row],
        row=row.astype(np.int64),
        file=np.full(len(row), number, np.int32),
    )


def _joined(parts: list[_Candidates]) -> _Candidates:
    return _Candidates(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("order", "key", "game_id", "row", "file")
        )
    )


def _limit(found: _Candidates, settings: Sample) -> _Candidates:
    """Apply the limit per game, then the limit over all.

    Applied to each file and then to what is left of all files, it gives the same choice as
    applied once. For the limit per game that is plain. A position beyond the limit over all in
    its own file has that many better ones there; each of them either passes the limit per game
    over all files or is displaced by a still better one of its game, so as many remain.
    """
    if settings.per_game is not None:
        found = found.take(_first_of_each(found, settings.per_game))
    if settings.positions is not None and len(found.key) > settings.positions:
        found = found.take(np.lexsort((found.key, found.order))[: settings.positions])
    return found


def _first_of_each(found: _Candidates, limit: int) -> npt.NDArray[np.intp]:
    """Return the indices of the `limit` smallest hashes of every game."""
    by_game = np.lexsort((found.key, found.order, found.game_id))
    game = found.game_id[by_game]
    starts = np.flatnonzero(np.r_[True, game[1:] != game[:-1]])[: len(game)]
    rank = np.arange(len(game)) - np.repeat(starts, np.diff(np.r_[starts, len(game)]))
    return np.asarray(by_game[rank < limit])


def _seeded(key: npt.NDArray[np.uint64], seed: int) -> npt.NDArray[np.uint64]:
    """Mix the positions' hashes with the seed by the finaliser of SplitMix64, a bijection."""
    z = key ^ np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))
