"""Stage ``imitation.samples``: every move of the rated, or of the unrated, games of one game.

One row a move: the position before it, both Elos, the result from the mover's view. Rows of a game
follow one another, so that the rows above a row are what its mover could remember. Games are
ordered by content and come once: a game that several files hold, or one file twice, is one game.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.imitation.by_game import SECOND
from tabia.imitation.positions import view_of
from tabia.records.by_game import BOARDS
from tabia.records.hashing import in_share
from tabia.records.occurrences import Boards
from tabia.tables import parquet
from tabia.tables.schemas import BOARD_BYTES
from tabia.tables.spec import Spec

__all__ = ["SAMPLES", "SamplesError", "expand", "run", "schema"]

_COLUMNS = [
    "game_id",
    "played_by",
    "variant",
    "start_fen",
    "first_elo",
    "second_elo",
    "result",
    "n_plies",
    "moves",
    "split_hash",
]
_END = 0xFFFF
_IN_CHECK = 1
_GAMES = 4096  # a batch

SAMPLES = pa.schema(
    [
        pa.field("game", pa.string(), nullable=False),
        pa.field("game_id", pa.uint64(), nullable=False),
        pa.field("split_hash", pa.uint64(), nullable=False),
        pa.field("ply", pa.int32(), nullable=False),
        pa.field("board", pa.binary(BOARD_BYTES["chess"]), nullable=False),
        pa.field("position_key", pa.uint64(), nullable=False),
        pa.field("phase", pa.int16(), nullable=False),
        pa.field("in_check", pa.bool_(), nullable=False),
        pa.field("move", pa.uint16(), nullable=False),
        pa.field("mover_elo", pa.int32()),
        pa.field("other_elo", pa.int32()),
        pa.field("result", pa.int8()),  # mover's view: 1, 0, -1, null = unknown
        pa.field("played_by", pa.string(), nullable=False),
    ]
)
"""One row a move; boards are as wide as the game's (:func:`schema`)."""


class SamplesError(ValueError):
    """No game to learn from."""

    exit_code = 3


def schema(game: str) -> pa.Schema:
    """Return :data:`SAMPLES` with the boards of `game`."""
    place = SAMPLES.get_field_index("board")
    return SAMPLES.set(place, pa.field("board", pa.binary(BOARD_BYTES[game]), nullable=False))


def run(spec: Spec, *, games: Sequence[Path], samples: Path) -> None:
    """Write the samples of the games of some sources.

    Parameters
    ----------
    spec
        ``config`` holds ``game``, ``rated`` (True keeps games of which both Elos are known) and
        ``game_share``, the share of the games that is used; for Go ``board_size``, the lines of
        the board: games on others are left out, and told on stderr how many.
    games
        IN: tables under the schema GAMES.
    samples
        OUT: table under :func:`schema`.

    Raises
    ------
    SamplesError
        If no game is left.
    """
    game, rated = spec.config["game"], spec.config["rated"]
    share = spec.config["game_share"]
    size = spec.config.get("board_size")
    columns = _COLUMNS if size is None else [*_COLUMNS, "board_size"]
    tables = [_wanted(parquet.read(path, columns), rated=rated, share=share) for path in games]
    table = pa.concat_tables(tables)
    if size is not None:
        table = _of_size(table, size)
    table = _distinct(table.combine_chunks())
    if not table.num_rows:
        kind = "with moves and both Elos" if rated else "with moves"
        few = "" if share == 1 else f", of which game_share uses {share:g}; raise it, or"
        raise SamplesError(
            f"imitation: no accepted {game} game {kind} in its sources{few or ';'} name other"
            f" sources under imitation.{game}"
        )
    with parquet.writer(schema(game), samples, spec=spec) as out:
        for batch in table.to_batches(_GAMES):
            out.write_table(expand(batch, game))


def _wanted(games: pa.Table, *, rated: bool, share: float) -> pa.Table:
    """Return the games of standard rules that have moves."""
    keep = pc.and_(
        pc.greater(games["n_plies"], 0), pc.equal(games["variant"].cast(pa.string()), "standard")
    )
    if rated:
        known = pc.and_(pc.is_valid(games["first_elo"]), pc.is_valid(games["second_elo"]))
        keep = pc.and_(keep, known)
    chosen = in_share(games["split_hash"].to_numpy(), share)
    return games.filter(pc.and_(keep, pa.array(chosen)))


def _of_size(games: pa.Table, size: int) -> pa.Table:
    """Return the games on boards of `size` lines; say how many are left out."""
    kept = games.filter(pc.equal(games["board_size"], size)).drop_columns(["board_size"])
    if left_out := games.num_rows - kept.num_rows:
        print(
            f"{left_out:,} of {games.num_rows:,} games are on boards of other sizes than {size} and"
            " are left out",
            file=sys.stderr,
        )
    return kept


def _distinct(games: pa.Table) -> pa.Table:
    """Return each game once, in the order of content."""
    order = np.lexsort((games["game_id"].to_numpy(), games["split_hash"].to_numpy()))
    content = games["split_hash"].to_numpy()[order]
    first = np.diff(content, prepend=~content[:1]) != 0
    return games.take(pa.array(order[first]))


def expand(games: pa.RecordBatch, game: str) -> pa.Table:
    """Return the samples of `games`, which have the columns of the schema GAMES named above.

    A game that begins with a composed position, of which some moves have no label
    (:meth:`tabia.games.mover_view.MoverView.ordinary`), has none.
    """
    boards: Boards = import_module(BOARDS[game])
    rows = boards.expand(games)
    ordinary = view_of(game).ordinary(np.ascontiguousarray(rows.board[rows.ply == 0]))
    keep = (rows.move != _END) & ordinary[rows.game]
    of = rows.game[keep]
    board = np.ascontiguousarray(rows.board[keep])
    black = (np.asarray(rows.ply) % 2 == 1) ^ _second_begins(games, game)[rows.game]
    black = black[keep]
    first, second = (
        games[name].fill_null(0).to_numpy(zero_copy_only=False)
        for name in ("first_elo", "second_elo")
    )
    result = games["result"].fill_null(2).to_numpy(zero_copy_only=False)
    mover = np.where(black, second[of], first[of])
    other = np.where(black, first[of], second[of])
    view = np.where(result[of] == 2, 2, np.where(black, -result[of], result[of])).astype(np.int8)
    packed = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(BOARD_BYTES[game]), len(board), [None, pa.py_buffer(board)]
    )
    played_by = games["played_by"].cast(pa.string())
    return pa.Table.from_arrays(
        [
            pa.repeat(pa.scalar(game), len(board)),
            games["game_id"].take(pa.array(of)),
            games["split_hash"].take(pa.array(of)),
            pa.array(rows.ply[keep]),
            packed,
            pa.array(rows.key[keep]),
            pa.array(rows.phase[keep]),
            pa.array((rows.flags[keep] & _IN_CHECK) != 0),
            pa.array(rows.move[keep]),
            pa.array(mover.astype(np.int32), mask=mover == 0),
            pa.array(other.astype(np.int32), mask=other == 0),
            pa.array(view, mask=view == 2),
            played_by.take(pa.array(of)),
        ],
        schema=schema(game),
    )


def _second_begins(games: pa.RecordBatch, game: str) -> np.ndarray:
    """Return `[games]`: True where the start position has the second player to move."""
    fens = games["start_fen"].to_pylist()
    return np.array(
        [fen is not None and fen.split()[1] == SECOND[game] for fen in fens], dtype=np.bool_
    )
