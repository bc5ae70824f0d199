"""The digests in a model's folder, by which damage and changes are seen before anything is loaded.

The folder's file for programs (``config.json``) lists the SHA-256 of every other file and, as
``digest``, that of its own entries. Some libraries end the process at weights that are cut short,
and flipped bits or a changed order of inputs would give other answers and no error.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["SealError", "check_entries", "check_files", "digest", "digest_of_folder", "sealed"]


class SealError(ValueError):
    """A folder that is not as training left it."""


def sealed(entries: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return `entries` with ``files``, the digests of all in `folder`, and their own ``digest``.

    Parameters
    ----------
    entries
        What the file for programs will hold; plain values.
    folder
        Holds all files but that one and those that need no check, such as a card for people.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    found = {
        file.relative_to(folder).as_posix(): _digest_of_file(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
    known = dict(entries) | {"files": found}
    return known | {"digest": digest(known)}


def digest(entries: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all entries but ``digest``, as canonical JSON.

    Canonical is: keys sorted, no spaces, UTF-8.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    rest = {name: value for name, value in entries.items() if name != "digest"}
    text = json.dumps(
        rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


def check_entries(entries: Mapping[str, Any], path: Path) -> None:
    """Compare the entries of the file `path` with their digest.

    Raises
    ------
    SealError
        If there is none, or another.
    ValueError
        If a number is not finite.
    """
    found = digest(entries)
    if "digest" not in entries:
        raise SealError(
            f"{path}: has no entry digest, it was written by an older version of tabia or changed"
            " after training; train the model again"
        )
    if entries["digest"] != found:
        raise SealError(
            f"{path}: the file was changed after training, its digest is not that of its entries;"
            " bring back what training wrote, or train the model again"
        )


def check_files(files: Mapping[str, str], folder: Path, listed_in: str) -> None:
    """Compare every listed file with its digest.

    Parameters
    ----------
    files
        SHA-256 by path inside `folder`.
    listed_in
        Name of the file that lists them.

    Raises
    ------
    SealError
        If one is missing or another than it was.
    """
    for name, expected in sorted(files.items()):
        path = folder / name
        if not path.is_file():
            raise SealError(
                f"{path}: the file is missing, {listed_in} lists it; train the model again"
            )
        if _digest_of_file(path) != expected:
            raise SealError(
                f"{path}: the file is damaged, it is not what training wrote; train the model again"
            )


def digest_of_folder(folder: Path) -> str:
    """Return the first sixteen digits of the SHA-256 of a folder's files, names and contents."""
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            name = file.relative_to(folder).as_posix().encode()
            content = hashlib.sha256(file.read_bytes()).digest()
            found.update(len(name).to_bytes(8, "little") + name + content)
    return found.hexdigest()[:16]


def _digest_of_file(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
