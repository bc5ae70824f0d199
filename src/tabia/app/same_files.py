"""Files that are named twice: their games would count twice, and might share their ids.

Standard library only, because every dry run reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["SameFileError", "check_distinct", "identity"]


class SameFileError(ValueError):
    """A file of games that is named twice."""

    exit_code = 2


def check_distinct(files: Iterable[Path]) -> None:
    """Check that each file is named once, and that tables can tell them apart.

    Raises
    ------
    SameFileError
        If two are one file by whatever link, or names differ only in bytes that are no UTF-8:
        tables hold text, and a game's id depends on the name there.
    """
    files = list(files)
    if (pair := _same_file(files)) is not None:
        first, second = pair
        what = (
            f"{first} is named twice" if first == second else f"{first} and {second} are one file"
        )
        raise SameFileError(f"{what}; name it once, or its games count twice")
    names: dict[str, Path] = {}
    for file in files:
        name = file.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        if (other := names.setdefault(name, file)) != file:
            raise SameFileError(
                f"{str(other)!r} and {str(file)!r} have both the name {name!r} in tables; rename "
                "one in UTF-8"
            )


def _same_file(files: Iterable[Path]) -> tuple[Path, Path] | None:
    """Return the first two names of one file, by whatever link."""
    found: dict[object, Path] = {}
    for file in files:
        key = identity(file)
        if key in found:
            return found[key], file
        found[key] = file
    return None


def identity(file: Path) -> object:
    """Return what all names of a file have in common; a missing file has its name alone."""
    try:
        status = file.stat()
    except OSError:
        return file
    return status.st_dev, status.st_ino
