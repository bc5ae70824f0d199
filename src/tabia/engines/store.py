"""The label store: every search ever done, found again by position, engine and limit.

Layout, one folder an engine identity::

    results/state/labels/
        3f2a…/engine.json              who answered: name, version, net, options
        3f2a…/journals/HOST-PID-X.tsv  labels of a job that is running, or was killed
        3f2a…/segments/HOST-PID-X.parquet   labels of a finished job, sorted by position

Many jobs on many machines use one store at once without locks: names are unique, a journal has
one writer, a segment appears by rename and never changes. A journal line carries a checksum, so
that a line cut short by a kill or a power failure is no label. A job that ends turns its journal
into a segment; the journal of a killed job stays and is read like a segment.

The store holds no FEN: an exported store can be published without publishing games.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import socket
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tabia.engines.answers import Analysis
from tabia.engines.uci import UciEngine
from tabia.tables import parquet
from tabia.tables.schemas import LABELS

__all__ = ["STORED", "EngineIdentity", "Journal", "LabelStore", "LabelStoreError", "export"]

STORED = pa.schema([field for field in LABELS if field.name != "fen"])
"""Columns of segments and exports: the labels table without FENs."""

_METADATA = "engine.json"
_ORDER = [(name, "ascending") for name in STORED.names]
_LAST_ID = b"\xff" * 16


class LabelStoreError(ValueError):
    """A label store that is not there or is not one. The configuration names it."""

    exit_code = 2


@dataclass(frozen=True)
class EngineIdentity:
    """All that a label may depend on besides the position and the limit.

    Attributes
    ----------
    name, version, net
        As the engine says; `net` is "" for an engine without a network.
    options
        Every UCI option set, Hash, MultiPV and Threads included.
    revision
        Of our reading of the engine's answers.
    """

    name: str
    version: str
    net: str
    options: dict[str, str | int | bool]
    revision: int

    @classmethod
    def of(cls, engine: UciEngine, revision: int) -> EngineIdentity:
        """Return the identity of a running engine."""
        return cls(engine.name, engine.version, engine.net, dict(engine.options), revision)

    @property
    def text(self) -> str:
        """The identity as sorted JSON."""
        return json.dumps(asdict(self), sort_keys=True, indent=2, ensure_ascii=False) + "\n"

    @property
    def key(self) -> str:
        """Sixteen hexadecimal digits: the folder of this engine's labels."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


class Journal:
    """The labels of one running job, safe on disk as soon as they are added.

    A process that is killed loses nothing that :meth:`add` has returned for. After a power
    failure the last half minute may be missing (the file is not forced to disk line by line);
    what is there is whole.
    """

    def __init__(self, folder: Path) -> None:
        name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(6)}"
        self._path = folder / "journals" / f"{name}.tsv"
        self._segment = folder / "segments" / f"{name}.parquet"
        self._file: int | None = None  # opened by the first label: no empty journals

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.finish()  # after an error too: the labels are good

    def add(self, labels: Iterable[tuple[bytes, str, Analysis]]) -> None:
        """Append ``(position id, limit, analysis)`` rows in one write."""
        lines = []
        for ident, limit, analysis in labels:
            cells = "\t".join(["" if cell is None else str(cell) for cell in analysis])
            line = f"{ident.hex()}\t{limit}\t{cells}".encode()
            lines.append(b"%08x\t%s\n" % (zlib.crc32(line), line))
        if not lines:
            return
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
            self._file = os.open(self._path, flags, 0o666)  # less what the umask takes
        text = memoryview(b"".join(lines))
        while text:
            text = text[os.write(self._file, text) :]

    def finish(self) -> None:
        """Turn the journal into a segment."""
        if self._file is None:
            return
        os.fsync(self._file)
        os.close(self._file)
        self._file = None
        parquet.write(_read_journal(self._path).sort_by(_ORDER), self._segment)
        self._path.unlink()


class LabelStore:
    """The labels of one engine identity: a store to read and write, and others to read.

    Parameters
    ----------
    root
        The store's folder; made when the first label is written.
    identity
        Whose labels.
    extra
        Further stores, never written: folders laid out like `root`, or Parquet files written by
        :func:`export`, or folders of those.

    Raises
    ------
    LabelStoreError
        If one of `extra` does not exist or holds no labels of any engine.
    """

    def __init__(self, root: Path, identity: EngineIdentity, extra: Sequence[Path] = ()) -> None:
        self.identity = identity
        self._folder = root / identity.key
        self._folders = [self._folder]
        self._exports: list[Path] = []
        for path in extra:
            self._add_extra(path)

    def journal(self) -> Journal:
        """Return a new journal to write labels to."""
        known = self._folder / _METADATA
        if not known.exists():
            parquet.write_text(known, self.identity.text)
        return Journal(self._folder)

    def read(self, first: bytes = b"", last: bytes = _LAST_ID) -> pa.Table:
        """Return the stored labels of positions from `first` to `last`, both included.

        One row a (position, limit), ordered by both, schema :data:`STORED`. Where two jobs
        labelled the same, the rows are equal for repeatable limits; else the smallest is taken.
        """
        first = first.ljust(16, b"\0")
        tables = []
        # Journals before segments: a job that ends meanwhile shows in one or the other.
        for folder in self._folders:
            for path in sorted((folder / "journals").glob("*.tsv")):
                try:
                    table = _read_journal(path)
                except FileNotFoundError:  # it has just become a segment
                    continue
                ids = table["position_id"]
                low = pc.greater_equal(ids, _id(first))
                tables.append(table.filter(pc.and_(low, pc.less_equal(ids, _id(last)))))
        within = (pc.field("position_id") >= _id(first)) & (pc.field("position_id") <= _id(last))
        segments = [
            path for folder in self._folders for path in sorted((folder / "segments").glob("*"))
        ]
        for path in (*segments, *self._exports):
            if path.suffix == ".parquet" and not path.name.startswith("."):
                table = parquet.read(path, filters=within)
                tables.append(table.select(STORED.names).cast(STORED))
        if not tables:
            return STORED.empty_table()
        return _distinct(pa.concat_tables(tables))

    def _add_extra(self, path: Path) -> None:
        if path.is_file():
            if _engine_of(path) == self.identity.text:
                self._exports.append(path)
            return
        if not path.is_dir():
            raise LabelStoreError(f"label store {path} does not exist")
        exports = sorted(path.glob("*.parquet"))
        if not exports and not any(path.glob(f"*/{_METADATA}")):
            raise LabelStoreError(
                f"label store {path} holds neither exported labels (*.parquet) nor an engine's "
                f"folder with {_METADATA}"
            )
        if (path / self.identity.key).is_dir():
            self._folders.append(path / self.identity.key)
        self._exports += [file for file in exports if _engine_of(file) == self.identity.text]


def export(root: Path, out: Path, *, engine: str = "", limits: Sequence[str] = ()) -> pa.Table:
    """Write the labels of one engine to one Parquet file that can be shared, and return them.

    The file holds position ids, limits, scores, moves, depths and nodes; the engine is in its
    metadata (``engine.json``). No FENs, no games.

    Parameters
    ----------
    root
        A label store.
    engine
        Folder name of the engine; may be left out if the store knows only one.
    limits
        Limits to export, ``"depth 8"``; empty = all that are repeatable (no ``movetime``).

    Raises
    ------
    LabelStoreError
        If the store does not exist, or knows several engines and none is named, or says
        nothing of the engine.
    """
    known = sorted(path.parent.name for path in root.glob(f"*/{_METADATA}"))
    if not known or (engine and engine not in known):
        raise LabelStoreError(f"label store {root} has no labels of engine {engine or '(any)'}")
    if not engine and len(known) > 1:
        raise LabelStoreError(
            f"label store {root} has labels of {len(known)} engines; name one: {', '.join(known)}"
        )
    about = root / (engine or known[0]) / _METADATA
    text = about.read_text(encoding="utf-8")
    try:
        identity = EngineIdentity(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise LabelStoreError(f"{about} does not describe an engine: {error}") from error
    store = LabelStore(root, identity)
    table = store.read()
    if limits:
        keep = pc.is_in(table["limit"], value_set=pa.array(list(limits), pa.string()))
    else:
        keep = pc.invert(pc.starts_with(table["limit"], "movetime"))
    table = table.filter(keep)
    parquet.write(table, out, extra={_METADATA: text})
    return table


def _id(value: bytes) -> pa.Scalar:
    return pa.scalar(value, pa.binary(16))


def _engine_of(path: Path) -> str:
    metadata = pq.read_schema(path).metadata or {}
    if _METADATA.encode() not in metadata:
        raise LabelStoreError(f"{path} is not an exported label store: no {_METADATA} inside")
    text: bytes = metadata[_METADATA.encode()]
    return text.decode()


def _distinct(table: pa.Table) -> pa.Table:
    """Return `table` in order, one row a (position, limit)."""
    table = table.sort_by(_ORDER).combine_chunks()
    if table.num_rows < 2:
        return table
    ids, limits = table["position_id"], table["limit"]
    other = pc.or_(
        pc.not_equal(ids.slice(1), ids.slice(0, len(ids) - 1)),
        pc.not_equal(limits.slice(1), limits.slice(0, len(limits) - 1)),
    )
    keep = pa.chunked_array([pa.array([True]), *other.chunks])
    return table.filter(keep)


def _read_journal(path: Path) -> pa.Table:
    """Return the whole lines of a journal, in their order."""
    rows = list(_journal_rows(path.read_bytes()))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(STORED)
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, STORED, strict=True)],
        schema=STORED,
    )


def _journal_rows(text: bytes) -> Iterator[tuple[object, ...]]:
    for line in text.split(b"\n"):
        check, _, body = line.partition(b"\t")
        if check != b"%08x" % zlib.crc32(body):
            continue  # cut short; also the empty piece after the last newline
        ident, limit, cp, mate, move, cp2, mate2, move2, depth, nodes = body.decode().split("\t")
        yield (
            bytes.fromhex(ident),
            limit,
            _number(cp),
            _number(mate),
            move or None,
            _number(cp2),
            _number(mate2),
            move2 or None,
            int(depth),
            int(nodes),
        )


def _number(cell: str) -> int | None:
    return int(cell) if cell else None
