"""Who played whom and how it ended, from files of games in any format or from games tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tabia.app.commands.ingest import input_of
from tabia.app.same_files import check_distinct
from tabia.match.game_rows import counting, rows_of
from tabia.records.arrow import Origin
from tabia.records.config import Game
from tabia.records.opening import GameFileError
from tabia.records.reading import Parsed, files_of, tables_of
from tabia.tables.progress import Progress

__all__ = ["GameRows", "read_rows"]

_MAGIC = b"PAR1"
_HELD = 4096  # records: archives of one game a file would make a table a file


@dataclass(frozen=True)
class GameRows:
    """What was read.

    Attributes
    ----------
    rows
        With :data:`tabia.match.game_rows.COLUMNS`: games that count.
    game
        Chess, xiangqi or go; ``games`` where a table does not say.
    found
        Records in the files, bad ones too.
    left_out
        How many do not count, by reason.
    notes
        What became of headers.
    """

    rows: pa.Table
    game: str
    found: int
    left_out: dict[str, int]
    notes: tuple[str, ...]


def read_rows(
    files: Sequence[Path],
    *,
    game: Game | None,
    headers: Path | None,
    needed: Sequence[str],
) -> GameRows:
    """Read files of one game.

    Parameters
    ----------
    files
        Game files and archives of them, packed or not, and Parquet files with a games table.
    game
        Whose records these are; None: the content decides.
    headers
        File of game headers to join the games of xiangqi files with, or None.
    needed
        Columns that a Parquet file must have.

    Raises
    ------
    GameFileError
        If a file cannot be read, a table lacks a column, or files are of different games.
    """
    check_distinct(files)
    tables: list[pa.Table] = []
    left: Counter[str] = Counter()
    notes: list[str] = []
    found = 0
    with ExitStack() as stack:
        inputs = []
        for file in files:
            if file.is_dir():
                raise GameFileError(
                    f"{file} is a folder; name its files, for instance {file}/*.pgn"
                )
            if _is_table(file):
                tables.append(_table(file, needed))
                found += len(tables[-1])
            else:
                inputs.append(input_of(file, game, stack))
        kinds = sorted({one.game for one in inputs})
        if headers is not None and "xiangqi" not in kinds:
            raise GameFileError(
                f"{headers}: only xiangqi records have headers in a file of their own;"
                " leave --headers out, or say --game xiangqi"
            )
        size = sum(one.path.stat().st_size for one in inputs if one.path.is_file()) / 1e6
        progress = stack.enter_context(Progress("read games", size or None, "MB"))
        for kind in kinds:
            reader = files_of(kind, headers if kind == "xiangqi" else None)
            held: list[tuple[Parsed, Origin]] = []
            records = 0
            for one in inputs:
                if one.game != kind:
                    continue
                for batch in reader.read(
                    one.path, one.file.as_posix(), advance=lambda n: progress.advance(n / 1e6)
                ):
                    found += batch.found
                    if batch.fault is not None:
                        left[batch.fault.reason] += 1
                    if batch.parsed is None:
                        continue
                    left.update(batch.parsed.reasons)
                    held.append((batch.parsed, Origin("games", batch.file, kind, "people")))
                    records += batch.parsed.found
                    if records >= _HELD:
                        tables.append(rows_of(tables_of(held)[0]))
                        held, records = [], 0
            if held:
                tables.append(rows_of(tables_of(held)[0]))
            notes += reader.finish()
    rows = pa.concat_tables(tables) if tables else rows_of(pa.table({}))
    if len(games := sorted(set(rows["game"].to_pylist()) - {None})) > 1:
        raise GameFileError(
            f"games of {' and '.join(games)}: they have no common scale; name the files of one game"
        )
    rows, out = counting(rows)
    return GameRows(
        rows, games[0] if games else "games", found, dict(left + Counter(out)), (*notes,)
    )


def _is_table(file: Path) -> bool:
    """Whether a file is Parquet; a pipe is not looked into."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(len(_MAGIC)) == _MAGIC


def _table(file: Path, needed: Sequence[str]) -> pa.Table:
    try:
        schema = pq.read_schema(file)
        if missing := [name for name in needed if name not in schema.names]:
            raise GameFileError(
                f"{file}: this table has no column {', '.join(missing)}; a games table is written"
                " by `tabia ingest --out` and by the workflow"
            )
        columns = [name for name in rows_of(pa.table({})).column_names if name in schema.names]
        return rows_of(pq.read_table(file, columns=columns))
    except pa.ArrowException as error:
        raise GameFileError(f"{file}: is no readable games table: {error}") from error
