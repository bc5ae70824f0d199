from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tabia.records.opening import CorruptFileError, GameFileError, members

TEXT = b"".join(b'[Event "%d"]\n\n1. e4 e5 *\n\n' % i for i in range(40_000))


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def tar(files: dict[str, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


class _Pipe(io.RawIOBase):
    """Where nothing can be written twice, so that zipfile puts sizes behind the members."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.data += data
        return len(data)


def pack_zip(
    files: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED, piped: bool = False, **how: Any
) -> bytes:
    out = _Pipe() if piped else io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            with archive.open(name, "w", **how) as member:
                member.write(content)
    return bytes(out.data) if isinstance(out, _Pipe) else out.getvalue()


def read(path: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the content and the faults of every member."""
    content: dict[str, bytes] = {}
    faults: dict[str, str] = {}
    for member in members(path, "f"):
        content[member.name] = b""
        try:
            for chunk in member.chunks:
                content[member.name] += chunk
        except CorruptFileError as error:
            faults[member.name] = str(error)
    return content, faults


PACKERS = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "gzip of two members": lambda data: gzip.compress(data[:7]) + gzip.compress(data[7:]),
    "gzip with zero padding": lambda data: gzip.compress(data) + bytes(100_000),
    "bzip2": bz2.compress,
    "bzip2 of two streams": lambda data: bz2.compress(data[:70_000]) + bz2.compress(data[70_000:]),
    "xz": lzma.compress,
    "zstandard": zst,
    "zstandard of three frames": lambda d: zst(d[:9]) + zst(d[9:500_000]) + zst(d[500_000:]),
    "zstandard with skippable frames": lambda data: (
        b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + zst(data) + b"\x51\x2a\x4d\x18\x01\x00\x00\x00a"
    ),
}


@pytest.mark.parametrize("packer", PACKERS)
def test_packed_files_open_by_content(packer: str, tmp_path: Path) -> None:
    (tmp_path / "any.name").write_bytes(PACKERS[packer](TEXT))
    assert read(tmp_path / "any.name") == ({"f": TEXT}, {})


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_archives_open_by_member(packer: str, kind: int, tmp_path: Path) -> None:
    long = "x/" * 40 + "y" * 60 + ("" if kind == tarfile.USTAR_FORMAT else "é" * 50)
    files = {"a.pgn": TEXT, "b.pgn.gz": gzip.compress(b"b"), "c": b"", long: b"d" * 512}
    (tmp_path / "any.name").write_bytes(PACKERS[packer](tar(files, kind)))
    content, faults = read(tmp_path / "any.name")
    assert not faults
    assert content == {
        "f::a.pgn": TEXT,
        "f::b.pgn.gz": b"b",
        "f::c": b"",
        f"f::{long}": b"d" * 512,
    }


@pytest.mark.parametrize("packer", ["gzip", "bzip2", "xz", "zstandard"])
def test_a_file_cut_short_gives_its_readable_part_and_a_fault(packer: str, tmp_path: Path) -> None:
    text = b"".join(b"%d " % (i * i * 7919 % 1000003) for i in range(300_000))
    packed = PACKERS[packer](text)
    (tmp_path / "f").write_bytes(packed[: len(packed) * 3 // 4])
    content, faults = read(tmp_path / "f")
    assert text.startswith(content["f"])
    assert len(content["f"]) > len(text) / 3
    assert "cut short" in faults["f"]


@pytest.mark.parametrize("packer", ["gzip", "bzip2", "xz", "zstandard"])
def test_a_damaged_file_gives_a_fault(packer: str, tmp_path: Path) -> None:
    packed = bytearray(PACKERS[packer](TEXT))
    packed[len(packed) // 2] ^= 0xFF
    (tmp_path / "f").write_bytes(packed)
    content, faults = read(tmp_path / "f")
    assert "damaged" in faults["f"]
    assert len(content["f"]) <= len(TEXT)


def test_trailing_rubbish_after_a_stream_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(gzip.compress(TEXT) + b"rubbish")
    content, faults = read(tmp_path / "f")
    assert content["f"] == TEXT
    assert list(faults) == ["f"]


def test_an_archive_cut_inside_a_member_keeps_what_came_before(tmp_path: Path) -> None:
    packed = tar({"a": b"a" * 600, "b": TEXT})
    (tmp_path / "f").write_bytes(packed[:100_000])
    content, faults = read(tmp_path / "f")
    assert content["f::a"] == b"a" * 600
    assert TEXT.startswith(content["f::b"])
    assert list(faults) == ["f::b"]


def test_a_damaged_header_is_a_fault_of_the_archive_not_its_end(tmp_path: Path) -> None:
    packed = bytearray(tar({"a": b"a" * 600, "b": b"b"}))
    packed[packed.rindex(b"b\0\0\0")] = 0xFF  # the name of the second member, under a checksum
    packed[512 + 512 + 1024] = 0xFF
    (tmp_path / "f").write_bytes(packed)
    content, faults = read(tmp_path / "f")
    assert content["f::a"] == b"a" * 600
    assert list(faults) == ["f"]
    assert "header" in faults["f"]


def test_a_damaged_member_spares_the_others(tmp_path: Path) -> None:
    bad = gzip.compress(TEXT)[:500]
    (tmp_path / "f").write_bytes(zst(tar({"a.gz": bad, "b": b"b"})))
    content, faults = read(tmp_path / "f")
    assert content["f::b"] == b"b"
    assert list(faults) == ["f::a.gz"]


@pytest.mark.parametrize("packer", ["plain", "zstandard"])
def test_an_archive_without_files_is_told(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    nothing = "the archive holds no file"
    for empty in (tar({}), bytes(1024), bytes(10240)):
        path.write_bytes(PACKERS[packer](empty))
        assert read(path) == ({"f": b""}, {"f": nothing})
        path.write_bytes(PACKERS[packer](tar({"inner.tar": empty, "b": b"text"})))
        assert read(path) == (
            {"f::inner.tar": b"", "f::b": b"text"},
            {"f::inner.tar": nothing},
        )


@pytest.mark.parametrize("data", [bytes(1023), bytes(10241), bytes(2000) + b"[Event"])
def test_zeros_of_another_length_or_before_a_text_are_no_archive(
    data: bytes, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(data)
    assert read(tmp_path / "f") == ({"f": data}, {})


ZIPS: dict[str, dict[str, Any]] = {
    "deflated": {},
    "stored": {"method": zipfile.ZIP_STORED},
    "written to a pipe": {"piped": True},
    "zip64": {"force_zip64": True},
    "zip64 written to a pipe": {"piped": True, "force_zip64": True},
}


@pytest.mark.parametrize("kind", ZIPS)
def test_zip_archives_open_by_member(kind: str, tmp_path: Path) -> None:
    files = {
        "folder/": b"",
        "folder/a.pgn": TEXT,
        "b.pgn.gz": gzip.compress(b"b"),
        "empty": b"",
        "inner.tar": tar({"胡榮華.pgn": b"c"}),
        "杯.pgn": b"d",
    }
    (tmp_path / "any.name").write_bytes(pack_zip(files, **ZIPS[kind]))
    content, faults = read(tmp_path / "any.name")
    if "pipe" in kind:  # a folder without sizes before it
        content.pop("f::folder/", None)
    assert not faults
    assert content == {
        "f::folder/a.pgn": TEXT,
        "f::b.pgn.gz": b"b",
        "f::empty": b"",
        "f::inner.tar::胡榮華.pgn": b"c",
        "f::杯.pgn": b"d",
    }


@pytest.mark.parametrize("packer", ["gzip", "zstandard"])
def test_a_zip_archive_inside_other_packings_opens(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(PACKERS[packer](tar({"in.zip": pack_zip({"a": b"a" * 9}), "b": b"b"})))
    assert read(path) == ({"f::in.zip::a": b"a" * 9, "f::b": b"b"}, {})


def test_a_name_without_the_flag_of_utf8_is_code_page_437(tmp_path: Path) -> None:
    packed = pack_zip({"Mu.pgn": b"a"}).replace(b"Mu.pgn", b"M\x81.pgn")
    (tmp_path / "f").write_bytes(packed)
    assert read(tmp_path / "f") == ({"f::Mü.pgn": b"a"}, {})


def test_an_empty_zip_archive_is_told(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(pack_zip({}))
    assert read(tmp_path / "f") == ({"f": b""}, {"f": "the archive holds no file"})


@pytest.mark.parametrize("kind", ["deflated", "stored"])
def test_a_damaged_member_of_a_zip_archive_spares_the_others(kind: str, tmp_path: Path) -> None:
    text = b"".join(b"%d " % (i * i * 7919 % 1000003) for i in range(9_000))
    packed = bytearray(pack_zip({"a": text, "b": b"b"}, **ZIPS[kind]))
    packed[9_000] ^= 0xFF
    (tmp_path / "f").write_bytes(packed)
    content, faults = read(tmp_path / "f")
    assert content["f::b"] == b"b"
    assert list(faults) == ["f::a"]
    assert "damaged" in faults["f::a"]


@pytest.mark.parametrize("kind", ZIPS)
def test_a_zip_archive_cut_short_keeps_what_came_before(kind: str, tmp_path: Path) -> None:
    text = b"".join(b"%d " % (i * i * 7919 % 1000003) for i in range(9_000))
    packed = pack_zip({"a": b"a", "b": text}, **ZIPS[kind])
    (tmp_path / "f").write_bytes(packed[:9_000])
    content, faults = read(tmp_path / "f")
    assert content["f::a"] == b"a"
    assert text.startswith(content["f::b"])
    assert list(faults) == ["f::b"]
    (tmp_path / "f").write_bytes(packed[: packed.index(b"PK\x01\x02")])
    content, faults = read(tmp_path / "f")
    assert content == {"f::a": b"a", "f::b": text, "f": b""}
    assert "cut short" in faults["f"]


def test_a_damaged_header_of_a_zip_archive_is_a_fault_of_the_archive(tmp_path: Path) -> None:
    packed = pack_zip({"a": b"a", "b": b"b"})
    second = packed.index(b"PK\x03\x04", 4)
    (tmp_path / "f").write_bytes(packed[:second] + b"??" + packed[second + 2 :])
    content, faults = read(tmp_path / "f")
    assert content == {"f::a": b"a", "f": b""}
    assert "header" in faults["f"]


def test_an_encrypted_member_and_one_of_another_method_are_named(tmp_path: Path) -> None:
    packed = bytearray(pack_zip({"a": b"a" * 99, "b": b"b"}))
    packed[6] |= 1
    (tmp_path / "f").write_bytes(packed)
    content, faults = read(tmp_path / "f")
    assert (content["f::b"], list(faults)) == (b"b", ["f::a"])
    assert "encrypted" in faults["f::a"]
    (tmp_path / "f").write_bytes(pack_zip({"a": b"a" * 99}, method=zipfile.ZIP_LZMA))
    content, faults = read(tmp_path / "f")
    assert "method 14" in faults["f::a"]


def test_a_zip_bomb_is_given_up(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "f", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(80 << 20))
        archive.writestr("b", b"b")
    sizes: dict[str, int] = {}
    faults = {}
    for member in members(tmp_path / "f", "f"):
        sizes[member.name] = 0
        try:
            for chunk in member.chunks:
                assert len(chunk) <= 4 << 20
                sizes[member.name] += len(chunk)
        except CorruptFileError as error:
            faults[member.name] = str(error)
    assert sizes["f::zeros"] <= 64 << 20
    assert sizes["f::b"] == 1
    assert list(faults) == ["f::zeros"]
    assert "250-fold" in faults["f::zeros"]


def test_archives_nested_too_deep_are_given_up(tmp_path: Path) -> None:
    packed = b"text"
    for depth in range(5):
        assert read_bytes(packed, tmp_path) == ({"f" + "::a" * depth: b"text"}, {})
        packed = pack_zip({"a": packed}) if depth % 2 else tar({"a": packed})
    content, faults = read_bytes(packed, tmp_path)
    assert content == {"f::a::a::a::a": b""}
    assert "nested" in faults["f::a::a::a::a"]


def read_bytes(packed: bytes, folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    (folder / "f").write_bytes(packed)
    return read(folder / "f")


def test_sizes_behind_a_member_are_believed_with_and_without_their_signature(
    tmp_path: Path,
) -> None:
    packed = pack_zip({"a": b"a" * 99, "b": b"b"}, piped=True)
    mark = packed.index(b"PK\x07\x08")
    unsigned = packed[:mark] + packed[mark + 4 :]
    assert read_bytes(unsigned, tmp_path) == ({"f::a": b"a" * 99, "f::b": b"b"}, {})
    wrong = bytearray(packed)
    wrong[mark + 4 : mark + 8] = (zlib.crc32(b"a" * 99) ^ 1).to_bytes(4, "little")
    content, faults = read_bytes(bytes(wrong), tmp_path)
    assert (content, list(faults)) == ({"f::a": b"a" * 99}, ["f::a"])


def test_members_of_one_name_are_told_apart(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for data in (b"first", b"second", b"third"):
            entry = tarfile.TarInfo("a.pgn")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    path = tmp_path / "x.tar"
    path.write_bytes(packed.getvalue())
    found = [(member.name.rsplit("::")[-1], b"".join(member.chunks)) for member in members(path)]
    assert found == [("a.pgn", b"first"), ("a.pgn#2", b"second"), ("a.pgn#3", b"third")]


def test_a_file_name_that_is_not_utf8_is_named_in_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"M\xfcller.pgn")
    path.write_bytes(b"text")
    (member,) = members(path)
    assert member.name == f"{tmp_path}/M\N{REPLACEMENT CHARACTER}ller.pgn"


def test_a_missing_file_is_named() -> None:
    with pytest.raises(GameFileError, match=r"no/such\.pgn: cannot be read: No such file"):
        list(members(Path("no/such.pgn")))


def test_progress_counts_bytes_on_disk(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(packed := gzip.compress(TEXT))
    counts: list[float] = []
    for member in members(tmp_path / "f", advance=counts.append):
        for _ in member.chunks:
            pass
    assert sum(counts) == len(packed)
