"""Download one large file over HTTP so that no dropped connection or kill loses what arrived.

Built on requests, not on pooch: pooch hands its downloader a temporary file that it deletes on
failure and offers no resume, and what it adds besides, a check of the hash and a rename, is a
few lines here.

A partial download is kept beside a note of the server's validators (ETag, Last-Modified, size).
It is continued with a Range request that carries the validator in If-Range, so that a file that
changed on the server starts afresh; a server that ignores Range also starts afresh.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import requests

from tabia.tables.parquet import write_text
from tabia.tables.progress import Progress

__all__ = ["PATIENT", "DownloadError", "Patience", "download", "read_text", "sha256"]

# What a broken connection may cost: requests hands on whole chunks only.
_CHUNK = 64 << 10
_MB = 1e6
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_NETWORK = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


class DownloadError(ValueError):
    """A file that the server does not give; says what was tried and what to do."""

    exit_code = 3


class _TryAgain(Exception):
    """A fault that may pass; `wait_s` is the server's own wish, if it stated one."""

    def __init__(self, reason: str, wait_s: float = 0.0) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Patience:
    """How long a download is tried.

    Attributes
    ----------
    tries
        Tries in a row without a new byte before giving up.
    connect_s, stall_s
        Seconds to wait for a connection, and for the next bytes on an open one.
    first_wait_s, longest_wait_s
        Pause after the first failure; it doubles up to the longest.
    """

    tries: int = 6
    connect_s: float = 30.0
    stall_s: float = 60.0
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0


PATIENT = Patience()
"""Enough for an archive of many hours: every new byte renews the tries."""


@dataclass(frozen=True)
class _Note:
    """What the server said of the file that a partial download holds the beginning of."""

    url: str
    etag: str = ""
    modified: str = ""
    size: int | None = None

    @property
    def validator(self) -> str:
        """The value for If-Range; a weak ETag may not be used there (RFC 9110, 13.1.5)."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.modified


def download(url: str, partial: Path, *, label: str, patience: Patience = PATIENT) -> bool:
    """Fetch `url` into `partial`, going on where an earlier call stopped.

    Returns
    -------
    bool
        True if some of the file came from an earlier connection, so that a wrong hash may be
        the fault of the join.

    Raises
    ------
    DownloadError
        If the server refuses, or nothing new arrives in `patience.tries` tries.
    """
    partial.parent.mkdir(parents=True, exist_ok=True)
    resumed, failures, best = False, 0, _size(partial)
    wait_s = patience.first_wait_s
    while True:
        try:
            with requests.Session() as session:
                return _continue(session, url, partial, label, patience) or resumed
        except _NETWORK as error:
            fault = _TryAgain(f"{type(error).__name__}: {error}")
        except _TryAgain as error:
            fault = error
        resumed = True
        if _size(partial) > best:
            best, failures, wait_s = _size(partial), 0, patience.first_wait_s
        failures += 1
        if failures >= patience.tries:
            raise DownloadError(
                f"{url}: gave up after {failures} tries without a new byte; last fault: {fault}. "
                f"{best:,} bytes are kept; run again to go on from there"
            ) from fault
        pause = max(wait_s, min(fault.wait_s, patience.longest_wait_s))
        print(f"{label}: {fault}; trying again in {pause:.3g} s", file=sys.stderr, flush=True)
        time.sleep(pause)
        wait_s = min(2 * wait_s, patience.longest_wait_s)


def read_text(url: str, *, label: str, patience: Patience = PATIENT) -> str:
    """Return a small text file, with the same patience as :func:`download`."""
    wait_s = patience.first_wait_s
    for left in reversed(range(patience.tries)):
        try:
            with requests.get(url, timeout=(patience.connect_s, patience.stall_s)) as response:
                _refuse(response, url)
                return response.text
        except (*_NETWORK, _TryAgain) as error:
            if not left:
                raise DownloadError(
                    f"{url}: gave up after {patience.tries} tries; last fault: {error}"
                ) from error
            print(f"{label}: {error}; trying again", file=sys.stderr, flush=True)
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, patience.longest_wait_s)
    raise DownloadError(f"{url}: no tries allowed")


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _continue(
    session: requests.Session, url: str, partial: Path, label: str, patience: Patience
) -> bool:
    """Make one request; return True if it continued an earlier part and completed it."""
    note_path = partial.with_name(partial.name + ".json")
    note = _read_note(note_path, url)
    have = _size(partial)
    if note is None or (not note.validator and note.size is None):
        have = 0  # nothing tells whether the server still has the same file
    if have and note is not None and have == note.size:
        return True
    # Without identity a server may compress on the fly, and offsets would mean nothing.
    headers = {"Accept-Encoding": "identity"}
    if have and note is not None:
        headers["Range"] = f"bytes={have}-"
        if note.validator:
            headers["If-Range"] = note.validator
    timeout = (patience.connect_s, patience.stall_s)
    with session.get(url, headers=headers, stream=True, timeout=timeout) as response:
        if response.status_code == 416:
            partial.unlink(missing_ok=True)
            raise _TryAgain("the server has fewer bytes than were received; starting afresh")
        _refuse(response, url)
        size: int | None
        if response.status_code == 206:
            size = _check_range(response, partial, have, note)
        else:
            have, size = 0, _content_length(response)
        note = _Note(
            url,
            response.headers.get("ETag", ""),
            response.headers.get("Last-Modified", ""),
            size,
        )
        if not have:  # the note must never describe other bytes than the part holds
            partial.unlink(missing_ok=True)
        write_text(note_path, json.dumps(asdict(note), sort_keys=True))
        _receive(response, partial, have, size, label)
    return have > 0


def _receive(
    response: requests.Response, partial: Path, have: int, size: int | None, label: str
) -> None:
    if have:
        label += f" (resumed at {have / _MB:,.1f} MB)"
    total = None if size is None else (size - have) / _MB
    with partial.open("ab") as file, Progress(label, total, "MB") as progress:
        for chunk in response.iter_content(_CHUNK):
            file.write(chunk)
            have += len(chunk)
            progress.advance(len(chunk) / _MB)
    if size is not None and have < size:
        raise _TryAgain(f"connection closed after {have:,} of {size:,} bytes")
    if size is not None and have > size:
        partial.unlink()
        raise _TryAgain(f"{have:,} bytes came for {size:,}; starting afresh")


def _refuse(response: requests.Response, url: str) -> None:
    status = response.status_code
    if status in _PASSING:
        asked = response.headers.get("Retry-After", "")
        raise _TryAgain(
            f"HTTP {status} {response.reason}", float(asked) if asked.isdigit() else 0.0
        )
    if status not in (200, 206):
        raise DownloadError(
            f"{url}: HTTP {status} {response.reason}; check the address in resources/archives.csv"
        )


def _check_range(response: requests.Response, partial: Path, have: int, note: _Note | None) -> int:
    """Return the size of the whole file if the part that comes fits the part that is here."""
    stated = response.headers.get("Content-Range", "")
    match = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", stated)
    known = None if note is None else note.size
    if match and int(match[1]) == have and known in (None, int(match[2])):
        return int(match[2])
    partial.unlink(missing_ok=True)
    raise _TryAgain(f"asked for bytes from {have:,}, got {stated!r}; starting afresh")


def _content_length(response: requests.Response) -> int | None:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdigit() else None


def _read_note(path: Path, url: str) -> _Note | None:
    try:
        note = _Note(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # absent, or cut short by a kill: start afresh
        return None
    return note if note.url == url else None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
