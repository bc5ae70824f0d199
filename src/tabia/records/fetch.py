"""Stage ``records.fetch``: an archive of game records from the network, verified.

What the file must be is known in one of three ways, in this order: its sha256 in
resources/archives.csv; the pin of an earlier download in resources/pins/; the publisher's own
list of checksums (``sha256_url``). Where none exists, the first download is trusted, and its pin
and the log say so. A hash is never invented. Whatever was downloaded first is pinned, so that
everyone who works from the same repository works on the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from tabia.records.download import PATIENT, DownloadError, Patience, download, read_text, sha256
from tabia.tables.parquet import write_text
from tabia.tables.spec import Spec

__all__ = ["REVISION", "run"]

REVISION = 1
"""Raised by hand when a download must be made anew; the stage's mark instead of its code.

An edited progress line must not download hundreds of gigabytes again.
"""

_LINE = re.compile(r"^([0-9a-fA-F]{64})[ \t]+\*?(\S.*?)\s*$")


@dataclass(frozen=True)
class _Expected:
    """The hash a download must have, where it comes from and what to do if it differs."""

    sha256: str
    origin: str
    advice: str


def run(
    spec: Spec,
    *,
    archive: Path,
    state: Path = Path("results/state/records.fetch"),
    pins: Path = Path("resources/pins"),
    patience: Patience = PATIENT,
) -> None:
    """Download one archive.

    Parameters
    ----------
    spec
        ``spec.config["archive"]`` is the row of resources/archives.csv: name, url, sha256,
        sha256_url, bytes, licence, notes; blank where unknown.
    archive
        OUT: the verified file.
    state
        Folder of partial downloads; they survive kills.
    pins
        Folder of the hashes of first downloads, ``{name}.sha256`` in sha256sum's format.

    Raises
    ------
    DownloadError
        If the file cannot be had, or is not the expected one.
    """
    row: Mapping[str, str] = spec.config["archive"]
    name, url = row["name"], row["url"]
    pin = pins / f"{name}.sha256"
    expected = _expected(row, pin, patience)
    part = state / f"{name}-{hashlib.sha256(url.encode()).hexdigest()[:12]}.part"
    label = f"download {name}"
    resumed = download(url, part, label=label, patience=patience)
    found = sha256(part)
    if expected is not None and found != expected.sha256 and resumed:
        print(f"{label}: the joined parts have a wrong hash; starting afresh", file=sys.stderr)
        part.unlink()
        download(url, part, label=label, patience=patience)
        found = sha256(part)
    _check(row, part, found, expected)
    if not row.get("sha256", "").strip() and not pin.exists():
        _pin(pin, name, url, found, expected)
    _flush(part)
    archive.parent.mkdir(parents=True, exist_ok=True)
    # No name in between: a kill at any moment leaves the part or the archive, never neither.
    part.replace(archive)
    part.with_name(part.name + ".json").unlink(missing_ok=True)


def _expected(row: Mapping[str, str], pin: Path, patience: Patience) -> _Expected | None:
    name = row["name"]
    listed = row.get("sha256", "").strip().lower()
    if listed:
        if not re.fullmatch(r"[0-9a-f]{64}", listed):
            raise DownloadError(
                f"resources/archives.csv, row {name}: sha256 is not 64 hexadecimal digits: {listed}"
            )
        return _Expected(
            listed, "resources/archives.csv", "correct its sha256 there if the file is meant"
        )
    if pin.exists():
        lines = [match for line in pin.read_text().splitlines() if (match := _LINE.match(line))]
        if len(lines) != 1:
            raise DownloadError(f"{pin}: expected one line `HASH  filename`; delete it to pin anew")
        return _Expected(
            lines[0][1].lower(),
            f"the pin {pin}",
            "the publisher has replaced the file or it is damaged; to accept the new one, "
            "delete the pin and run again",
        )
    if listing := row.get("sha256_url", "").strip():
        return _Expected(
            _published(listing, _file_name(row["url"]), name, patience),
            listing,
            "the publisher's list and file disagree; run again later or tell the publisher",
        )
    return None


def _published(listing: str, file_name: str, name: str, patience: Patience) -> str:
    text = read_text(listing, label=f"checksum of {name}", patience=patience)
    for line in text.splitlines():
        match = _LINE.match(line)
        if match and PurePosixPath(match[2]).name == file_name:
            return match[1].lower()
    raise DownloadError(
        f"{listing}: no line for {file_name}; give the sha256 in resources/archives.csv, or blank "
        "sha256_url there to trust the first download"
    )


def _check(row: Mapping[str, str], part: Path, found: str, expected: _Expected | None) -> None:
    size = row.get("bytes", "").strip()
    if size and int(size) != part.stat().st_size:
        fault = f"{part.stat().st_size:,} bytes, resources/archives.csv says {int(size):,}"
        advice = "correct the row if the file is meant"
    elif expected is not None and found != expected.sha256:
        fault = f"sha256 is {found}, {expected.origin} says {expected.sha256}"
        advice = expected.advice
    else:
        return
    part.unlink()
    raise DownloadError(f"{row['url']}: {fault}. The download was deleted; {advice}")


def _pin(pin: Path, name: str, url: str, found: str, expected: _Expected | None) -> None:
    if expected is None:
        origin = "No publisher's checksum is known: this is the hash of the first download."
        print(f"download {name}: {origin} Pinned in {pin}.", file=sys.stderr)
    else:
        origin = f"Checked against {expected.origin} at the first download."
    write_text(pin, f"# {origin}\n{found}  {_file_name(url)}\n")


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _file_name(url: str) -> str:
    return PurePosixPath(unquote(urlsplit(url).path)).name
