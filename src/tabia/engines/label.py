"""Labels of positions: what the store has, and engine searches for the rest.

Labels depend on the position, the limit and the engine's identity, on nothing else: not on the
order of the positions, the number of processes, the shard, or whether a label comes from the
store. A job killed at any moment goes on where it was, because each label goes to the store's
journal as it comes; what an engine was just asked is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from tabia.engines.config import Engine, Limit
from tabia.engines.errors import EngineConfigError
from tabia.engines.pool import Done, Failed, Pool
from tabia.engines.store import EngineIdentity, LabelStore
from tabia.engines.uci import Search
from tabia.tables.ids import position_id
from tabia.tables.progress import Progress
from tabia.tables.schemas import LABEL_REJECTS, LABELS

__all__ = ["REVISION", "Labelled", "label_positions"]

REVISION = 1
"""Raised by hand when the same answer of an engine gives another label. It is part of the
engine identity, so that labels of an earlier revision are not taken from the store."""


@dataclass(frozen=True)
class Labelled:
    """Labels of some positions.

    Attributes
    ----------
    labels
        Schema LABELS, ordered by position id, then by limit as given.
    rejects
        Schema LABEL_REJECTS, ordered alike: searches that failed. They are not stored, so the
        next call tries them again.
    engine
        Who labelled.
    searches
        Searches asked of the engine this time, retries not counted.
    """

    labels: pa.Table
    rejects: pa.Table
    engine: EngineIdentity
    searches: int


def label_positions(
    fens: Sequence[str],
    limits: Sequence[Limit],
    engine: Engine,
    store: Path,
    *,
    threads: int = 1,
    stores: Sequence[Path] = (),
) -> Labelled:
    """Label every position at every limit; search only what no store has.

    Parameters
    ----------
    fens
        Four-field FENs; repeats are labelled once.
    limits
        Search limits; repeats are taken once.
    engine
        The engine.
    store
        Label store to read and write.
    threads
        Engine processes.
    stores
        Further stores to read.

    Raises
    ------
    ValueError
        If a FEN has not four fields.
    EngineError
        If the engine cannot be had, or fails on everything.
    LabelStoreError
        If one of `stores` is not a store.
    """
    for fen in fens:
        if len(fen.split()) != 4:
            raise ValueError(f"FEN {fen!r} must have exactly four fields: no move counters")
    for limit in limits:
        if limit.movetime_ms is not None and limit.movetime_ms / 1000 >= engine.timeout_s:
            raise EngineConfigError(
                f"timeout_s ({engine.timeout_s:g}) must be longer than movetime_ms "
                f"({limit.movetime_ms}): every search would be taken for hung"
            )
    positions = dict(sorted((position_id(fen), fen) for fen in fens))
    ids = pa.array(list(positions), pa.binary(16))
    names = list(dict.fromkeys(limit.text for limit in limits))  # also UCI's words after `go`
    failed: dict[tuple[bytes, str], Failed] = {}
    with Pool(engine, max(1, min(threads, len(positions) * len(names)))) as pool:
        identity = EngineIdentity.of(pool.engine, REVISION)
        shelf = LabelStore(store, identity, stores)
        stored = _range(shelf, ids)
        missing = {name: _missing(ids, _at(stored, name)) for name in names}
        total = sum(len(gaps) for gaps in missing.values())
        if total:
            _search(pool, shelf, positions, names, missing, total, failed)
    known = _range(shelf, ids)
    return Labelled(
        _labels(positions, ids, names, known), _rejects(positions, failed, names), identity, total
    )


def _range(shelf: LabelStore, ids: pa.Array) -> pa.Table:
    if len(ids) == 0:
        return shelf.read(b"\xff" * 16)
    return shelf.read(ids[0].as_py(), ids[-1].as_py())


def _at(known: pa.Table, limit: str) -> pa.Table:
    return known.filter(pc.equal(known["limit"], limit))


def _missing(ids: pa.Array, known: pa.Table) -> set[bytes]:
    has = pc.is_in(ids, value_set=known["position_id"].combine_chunks())
    return set(ids.filter(pc.invert(has)).to_pylist())


def _search(
    pool: Pool,
    shelf: LabelStore,
    positions: dict[bytes, str],
    names: list[str],
    missing: dict[str, set[bytes]],
    total: int,
    failed: dict[tuple[bytes, str], Failed],
) -> None:
    """Search what is missing, position by position, and write it to the store."""
    keys: dict[int, tuple[bytes, str]] = {}  # of searches handed out and not yet answered

    def searches() -> Iterator[Search]:
        # All limits of a position in a row: the estimate of the time left is then honest from
        # the first minute, and positions are done, not limits, when the job is cut short.
        for ident, fen in positions.items():
            for name in names:
                if ident in missing[name]:
                    search = Search(fen, name)
                    keys[id(search)] = (ident, name)
                    yield search

    with Progress("label positions", total, "labels") as progress, shelf.journal() as journal:
        for outcomes in pool.run(searches()):
            labels = []
            for outcome in outcomes:
                key = keys.pop(id(outcome.search))
                if isinstance(outcome, Done):
                    labels.append((*key, outcome.analysis))
                else:
                    failed[key] = outcome
            journal.add(labels)
            progress.advance(len(outcomes))


def _labels(
    positions: dict[bytes, str], ids: pa.Array, names: list[str], known: pa.Table
) -> pa.Table:
    """Join positions and stored labels, ordered by position, then by limit as given."""
    order = pa.array(range(len(ids)), pa.int64())
    fens = pa.array(list(positions.values()), pa.string())
    parts = []
    for rank, name in enumerate(names):
        rows = _at(known, name)
        where = pc.index_in(ids, value_set=rows["position_id"].combine_chunks())
        has = pc.is_valid(where)
        part = rows.take(where.filter(has)).append_column("fen", fens.filter(has))
        keys = pc.add(pc.multiply(order.filter(has), len(names)), rank)
        parts.append(part.append_column("order", keys))
    if not parts:
        return LABELS.empty_table()
    table = pa.concat_tables(parts).sort_by("order").select(LABELS.names).cast(LABELS)
    return table.combine_chunks()


def _rejects(
    positions: dict[bytes, str], failed: dict[tuple[bytes, str], Failed], names: list[str]
) -> pa.Table:
    rows = [
        {
            "position_id": ident,
            "fen": positions[ident],
            "limit": limit,
            "reason": failure.error.reason,
            "detail": str(failure.error),
        }
        for (ident, limit), failure in sorted(
            failed.items(), key=lambda item: (item[0][0], names.index(item[0][1]))
        )
    ]
    return pa.Table.from_pylist(rows, schema=LABEL_REJECTS)
