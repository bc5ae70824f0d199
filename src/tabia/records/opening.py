"""Game files as streams of plain bytes, whatever they are packed in.

The format is read from the content, never from the name: plain text, gzip, bzip2, zstandard
(any number of frames, skippable ones too), xz, and zip and tar archives of any of these,
themselves compressed or not. A regular member of an archive is a file of its own, named
``archive.tar.zst::member``, and ``…::member#2`` where the name occurs again; an archive without
any is one damaged file. Nothing is read whole: a file of any size passes through in chunks, and
archives that only fill disks (zip bombs) are given up as damaged.

A damaged file is data, not a crash: its readable part is delivered first, then
:class:`CorruptFileError` is raised from the stream. A file that cannot be read at all is an
error of the user's, :class:`GameFileError`.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import zstandard

__all__ = ["CorruptFileError", "GameFileError", "Member", "members"]

_READ = 1 << 20
# zstandard's streaming object cannot bound its output, and one 4-byte block may hold 128 KiB;
# small bites bound what a hostile file can make us allocate. They also bound what is lost
# before a damaged byte: a decompressor gives nothing of the bite in which it fails.
_BITE = 16 << 10
_OUTPUT = 4 << 20
_TAR_BLOCK = 512
_TAR_RECORD = 20 * _TAR_BLOCK  # an archive without a file is two blocks of zeros, padded to this
# Game records compress 3- to 30-fold. Deflate reaches 1,032 on zeros, and each archive inside
# another multiplies that.
_DEEPEST = 4
_BOMB_BYTES = 64 << 20
_BOMB_RATIO = 250


class GameFileError(ValueError):
    """A file that the user named and that cannot be read."""

    exit_code = 3


class CorruptFileError(ValueError):
    """The rest of a file cannot be recovered; everything before was delivered."""

    exit_code = 3


@dataclass(frozen=True)
class Member:
    """One file of game records, to be consumed before the next member is asked for.

    Attributes
    ----------
    name
        ``path``, or ``path::member`` inside an archive.
    chunks
        Its plain bytes; raises :class:`CorruptFileError` where they break off.
    """

    name: str
    chunks: Iterator[bytes]


def members(
    path: Path, name: str | None = None, *, advance: Callable[[float], None] | None = None
) -> Iterator[Member]:
    """Yield the files of game records in `path`: one, or the regular members of an archive.

    Parameters
    ----------
    path
        File to open.
    name
        Its name in tables; by default the path as given.
    advance
        Called with the number of bytes read from disk, for progress.

    Raises
    ------
    GameFileError
        If the file is missing or unreadable.
    """
    name = _printable(path.as_posix() if name is None else name)
    try:
        with path.open("rb") as file:
            yield from _unpack(_Reader(_raw(file, advance)), name)
    except OSError as error:
        raise GameFileError(
            f"{path}: cannot be read: {error.strerror or error}; check the path and the permissions"
        ) from error


def _raw(file: BinaryIO, advance: Callable[[float], None] | None) -> Iterator[bytes]:
    while chunk := file.read(_READ):
        if advance is not None:
            advance(len(chunk))
        yield chunk


class _Reader:
    """Chunks with a look ahead; a fault met while looking ahead is raised in its turn."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held, self._at = b"", 0
        self.fault: CorruptFileError | None = None

    def _next(self) -> bytes:
        if self.fault is None:
            try:
                return next(self._chunks, b"")
            except CorruptFileError as error:
                self.fault = error
        return b""

    def peek(self, size: int) -> bytes:
        """Return the next `size` bytes, fewer at the end, without consuming them."""
        while len(self._held) - self._at < size and (chunk := self._next()):
            self._held, self._at = self._held[self._at :] + chunk, 0
        return self._held[self._at : self._at + size]

    def some(self, limit: int) -> bytes:
        """Consume 1 to `limit` bytes; empty at the end."""
        if self._at == len(self._held):
            self._held, self._at = self._next(), 0
            if not self._held and self.fault is not None:
                raise self.fault
        piece = self._held[self._at : self._at + limit]
        self._at += len(piece)
        return piece

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self.some(_OUTPUT):
            yield chunk


def _unpack(reader: _Reader, name: str, depth: int = 0) -> Iterator[Member]:
    if (codec := _codec(reader.peek(6))) is not None:
        reader = _Reader(_decompressed(reader, *codec))
    if (walk := _archive(reader.peek(_TAR_RECORD + 1))) is None:
        yield Member(name, iter(reader))
        return
    names: set[str] = set()
    try:
        if depth == _DEEPEST:
            raise CorruptFileError(
                f"archives are nested more than {_DEEPEST} deep; unpack the inner ones first"
            )
        for inner, content in walk(reader):
            yield from _unpack(content, f"{name}::{_distinct(inner, names)}", depth + 1)
            if content.fault is None:  # or else already raised from the member's stream
                for _ in content:  # whatever its reader left
                    pass
    except CorruptFileError as error:
        yield Member(name, _broken(error))
    else:
        if not names:  # or else the archive would be counted nowhere
            yield Member(name, _broken(CorruptFileError("the archive holds no file")))


def _broken(error: CorruptFileError) -> Iterator[bytes]:
    raise error
    yield b""


# -- compression ---------------------------------------------------------------------------


class _Decompressor(Protocol):
    """One compressed stream of a file; a file may hold several after another."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...


class _Unbounded:
    """zlib and zstandard: all output of a bite at once."""

    def __init__(self, inner: zlib._Decompress | zstandard.ZstdDecompressionObj) -> None:
        self._inner = inner

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data)

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(data)


class _Bounded:
    """bzip2 and xz: output in pieces."""

    def __init__(self, inner: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._inner = inner

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(data, _OUTPUT)
        while not self._inner.eof and not self._inner.needs_input:
            yield self._inner.decompress(b"", _OUTPUT)


_DAMAGE = (zlib.error, zstandard.ZstdError, lzma.LZMAError, OSError, EOFError)


def _gzip() -> _Decompressor:
    return _Unbounded(zlib.decompressobj(wbits=31))


def _bzip2() -> _Decompressor:
    return _Bounded(bz2.BZ2Decompressor())


def _xz() -> _Decompressor:
    return _Bounded(lzma.LZMADecompressor(lzma.FORMAT_XZ))


def _zstandard() -> _Decompressor:
    # Windows up to 2 GiB: archives made with `zstd --long=31` are opened too.
    return _Unbounded(zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj())


def _codec(head: bytes) -> tuple[str, Callable[[], _Decompressor]] | None:
    if head[:3] == b"\x1f\x8b\x08":
        return "gzip", _gzip
    if head[:3] == b"BZh":
        return "bzip2", _bzip2
    if head[:6] == b"\xfd7zXZ\x00":
        return "xz", _xz
    skippable = head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F
    if head[:4] == b"\x28\xb5\x2f\xfd" or skippable:
        return "zstandard", _zstandard
    return None


def _decompressed(reader: _Reader, name: str, new: Callable[[], _Decompressor]) -> Iterator[bytes]:
    stream, consumed, fresh = new(), 0, True
    while bite := reader.some(_BITE):
        while bite:
            if fresh and not bite.strip(b"\0"):  # padding between or after streams
                consumed += len(bite)
                break
            try:
                for piece in stream.feed(bite):
                    if piece:
                        yield piece
            except _DAMAGE as error:
                raise CorruptFileError(
                    f"{name} data damaged in the {_BITE >> 10} KiB after compressed byte "
                    f"{consumed}: {error}"
                ) from error
            fresh = stream.eof
            rest = stream.unused_data if stream.eof else b""
            consumed += len(bite) - len(rest)
            if stream.eof:
                stream = new()
            bite = rest
    if not fresh:
        raise CorruptFileError(
            f"{name} data end too early, after compressed byte {consumed}; the file is cut short"
        )


# -- archives ------------------------------------------------------------------------------


def _archive(head: bytes) -> Callable[[_Reader], Iterator[tuple[str, _Reader]]] | None:
    if head[:4] in (_ZIP_ENTRY, _ZIP_EMPTY):
        return _zip
    return _tar if _is_tar(head) else None


# tarfile takes a damaged header inside an archive for its end and says nothing, so the walk
# over members is done here; only the fields of a header are read by tarfile.


def _is_tar(head: bytes) -> bool:
    if not head.strip(b"\0"):
        return 2 * _TAR_BLOCK <= len(head) <= _TAR_RECORD
    try:
        tarfile.TarInfo.frombuf(head[:_TAR_BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _tar(reader: _Reader) -> Iterator[tuple[str, _Reader]]:
    overrides: dict[str, str] = {}
    while True:
        head = _exactly(reader, _TAR_BLOCK)
        if len(head) == _TAR_BLOCK and not head.strip(b"\0"):
            for _ in reader:  # the second empty block and the padding of tapes
                pass
            return
        try:
            entry = tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise CorruptFileError(f"tar header damaged or missing: {error}") from error
        size = int(overrides.get("size", entry.size))
        padding = -size % _TAR_BLOCK
        if entry.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
            overrides = _pax(_exactly(reader, size))
        elif entry.type == tarfile.GNUTYPE_LONGNAME:
            long = _exactly(reader, size).rstrip(b"\0")
            overrides = {"path": long.decode("utf-8", "surrogateescape")}
        elif entry.type == tarfile.GNUTYPE_SPARSE or "GNU.sparse.major" in overrides:
            raise CorruptFileError(
                f"tar member {entry.name} is sparse, which is not supported; pack it without -S"
            )
        elif entry.type in tarfile.REGULAR_TYPES:
            name = overrides.get("path", entry.name)
            overrides = {}
            content = _Reader(_section(reader, size, f"tar archive ends inside member {name}"))
            yield _printable(name), content
            if content.fault is not None:
                return
        else:
            # Folders and links have no content; global headers and long link names do, and
            # it does not matter here.
            _exactly(reader, size)
            if entry.type not in (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK):
                overrides = {}
        _exactly(reader, padding)


# zipfile needs a file that it can search, and what zips and tars hold is a stream. So the members
# are met one after the other, and the directory at the end, where the traps of overlapping
# members lie, is not read at all.

_ZIP_ENTRY = b"PK\x03\x04"
_ZIP_EMPTY = b"PK\x05\x06"
_ZIP_ENDS = (b"PK\x01\x02", _ZIP_EMPTY, b"PK\x06\x06", b"PK\x06\x08")
_ZIP_HEADER = struct.Struct("<4x2xHH4xIIIHH")
_ENCRYPTED, _DESCRIBED, _UTF8 = 0x1, 0x8, 0x800
_STORED, _DEFLATED = 0, 8
_ZIP64 = 0x0001
_LARGE = 0xFFFFFFFF
# What follows a member whose sizes its header does not know: signature or none, zip64 or not.
_DESCRIPTORS = [struct.Struct(form) for form in ("<4sIQQ", "<4sIII", "<IQQ", "<III")]
_DESCRIPTOR = b"PK\x07\x08"


@dataclass(frozen=True)
class _Entry:
    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int


def _zip(reader: _Reader) -> Iterator[tuple[str, _Reader]]:
    while (mark := reader.peek(4)) == _ZIP_ENTRY:
        entry = _zip_entry(reader)
        name = _printable(entry.name)
        if entry.flags & _DESCRIBED:
            content = _Reader(_described(reader, entry))
            yield name, content
            if content.fault is not None:  # nobody knows where the next member begins
                return
            continue
        packed = _Reader(
            _section(reader, entry.packed, f"zip archive ends inside member {entry.name}")
        )
        if not entry.name.endswith("/"):
            yield name, _Reader(_sized(packed, entry))
        if packed.fault is not None:
            return
        for _ in packed:
            pass
    if not mark:
        reader.some(1)  # raises what the file itself broke off with
        raise CorruptFileError("zip archive ends without its directory; the file is cut short")
    if mark not in _ZIP_ENDS:
        raise CorruptFileError("zip header damaged or missing; test the archive with `unzip -t`")
    for _ in reader:
        pass


def _zip_entry(reader: _Reader) -> _Entry:
    head = _exactly(reader, _ZIP_HEADER.size)
    if len(head) == _ZIP_HEADER.size:
        flags, method, crc, packed, size, name_length, extra_length = _ZIP_HEADER.unpack(head)
        name, extra = _exactly(reader, name_length), _exactly(reader, extra_length)
        if len(extra) == extra_length:
            if _LARGE in (packed, size):
                size, packed = _zip64(extra, size, packed)
            return _Entry(_zip_name(name, flags), flags, method, crc, packed, size)
    reader.some(1)
    raise CorruptFileError("zip archive ends inside a header; the file is cut short")


def _zip64(extra: bytes, size: int, packed: int) -> tuple[int, int]:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _ZIP64 and length >= 16 and len(extra) >= 20:
            large_size, large_packed = struct.unpack_from("<QQ", extra, 4)
            return (
                large_size if size == _LARGE else size,
                large_packed if packed == _LARGE else packed,
            )
        extra = extra[4 + length :]
    return size, packed


def _zip_name(name: bytes, flags: int) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("utf-8" if flags & _UTF8 else "cp437", "surrogateescape")


def _sized(packed: _Reader, entry: _Entry) -> Iterator[bytes]:
    """Plain bytes of a member whose sizes stand before it."""
    if entry.flags & _ENCRYPTED:
        raise CorruptFileError(f"zip member {_printable(entry.name)} is encrypted; unpack it first")
    crc = size = 0
    if entry.method == _STORED:
        pieces = iter(packed)
    elif entry.method == _DEFLATED:
        pieces = iter(_Inflated(packed, entry.name))
    else:
        raise CorruptFileError(
            f"zip member {_printable(entry.name)} is compressed by method {entry.method}, which is "
            "not supported; pack it with deflate"
        )
    for piece in pieces:
        crc, size = zlib.crc32(piece, crc), size + len(piece)
        yield piece
    if (crc, size) != (entry.crc, entry.size):
        raise CorruptFileError(
            f"zip member {_printable(entry.name)} damaged: checksum or length is not what its "
            "header says"
        )


def _described(reader: _Reader, entry: _Entry) -> Iterator[bytes]:
    """Plain bytes of a member whose sizes stand behind it."""
    if entry.flags & _ENCRYPTED or entry.method != _DEFLATED:
        raise CorruptFileError(
            f"zip member {_printable(entry.name)} is encrypted or not deflated, and its length is "
            "not stated before it; unpack the archive first"
        )
    crc = size = 0
    inflated = _Inflated(reader, entry.name)
    for piece in inflated:
        crc, size = zlib.crc32(piece, crc), size + len(piece)
        yield piece
    for form in _DESCRIPTORS:
        head = reader.peek(form.size)
        if len(head) == form.size:
            *signature, said_crc, said_packed, said_size = form.unpack(head)
            if signature in ([], [_DESCRIPTOR]) and (said_crc, said_packed, said_size) == (
                crc,
                inflated.consumed,
                size,
            ):
                _exactly(reader, form.size)
                return
    raise CorruptFileError(
        f"zip member {_printable(entry.name)} damaged: checksum or length is not what stands "
        "behind it"
    )


class _Inflated:
    """The plain bytes of one deflated stream; `consumed` counts the packed ones."""

    def __init__(self, source: _Reader, name: str) -> None:
        self._source, self._name = source, _printable(name)
        self.consumed = 0

    def __iter__(self) -> Iterator[bytes]:
        stream, size = zlib.decompressobj(wbits=-15), 0
        while not stream.eof:
            bite = self._source.peek(_BITE)
            try:
                piece = stream.decompress(bite, _OUTPUT)
            except zlib.error as error:
                raise CorruptFileError(
                    f"zip member {self._name} damaged in the {_BITE >> 10} KiB after compressed "
                    f"byte {self.consumed}: {error}"
                ) from error
            used = len(bite) - len(stream.unconsumed_tail) - len(stream.unused_data)
            _exactly(self._source, used)
            self.consumed += used
            size += len(piece)
            if size > max(_BOMB_BYTES, _BOMB_RATIO * self.consumed):
                raise CorruptFileError(
                    f"zip member {self._name} grows more than {_BOMB_RATIO}-fold, as no game "
                    "records do; look at it before unpacking it"
                )
            if piece:
                yield piece
            elif not bite:
                self._source.some(1)
                raise CorruptFileError(
                    f"zip member {self._name} ends too early, after compressed byte {self.consumed}"
                )


def _distinct(name: str, names: set[str]) -> str:
    """Add `name` to `names`, numbered if it is there: an appended archive repeats its members.

    Games are told apart by their file and their place in it.
    """
    distinct, number = name, 1
    while distinct in names:
        number += 1
        distinct = f"{name}#{number}"
    names.add(distinct)
    return distinct


def _exactly(reader: _Reader, size: int) -> bytes:
    pieces = []
    while size and (piece := reader.some(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _section(reader: _Reader, size: int, fault: str) -> Iterator[bytes]:
    left = size
    while left:
        piece = reader.some(min(left, _OUTPUT))
        if not piece:
            raise CorruptFileError(f"{_printable(fault)}, {left} bytes short")
        left -= len(piece)
        yield piece


def _pax(data: bytes) -> dict[str, str]:
    """Read ``LENGTH KEY=VALUE`` lines of a POSIX extended header."""
    entries = {}
    while data:
        length, _, _ = data.partition(b" ")
        if not length.isdigit() or not len(length) < int(length) <= len(data):
            raise CorruptFileError("tar extended header damaged")
        line = data[len(length) + 1 : int(length)].rstrip(b"\n")
        key, _, value = line.partition(b"=")
        entries[key.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        data = data[int(length) :]
    if not entries.get("size", "0").isdigit():
        raise CorruptFileError("tar extended header damaged")
    return entries


def _printable(name: str) -> str:
    """Replace the bytes of a name that are not UTF-8: tables hold text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
