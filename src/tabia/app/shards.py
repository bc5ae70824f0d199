"""Lists of shard files, short enough for one argument of a command line.

The plan shortens them for the rules, and the stages' subcommands expand them again. Standard
library only, because every dry run reads this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["expand_shards", "shard_ranges"]

_SHARD = re.compile(r"(.*/)(\d+)(|\.parquet|/[a-z]+\.parquet)")
_RANGE = re.compile(r"(.*)\{(\d+)\.\.(\d+)\}(.*)")


def shard_ranges(files: Iterable[str]) -> list[str]:
    """Shorten runs of numbered files: ``a/0.parquet``, ``a/1.parquet`` → ``a/{0..1}.parquet``.

    Hundreds of shards would not fit on a command line. :func:`expand_shards` undoes it; the
    order is kept.
    """
    short: list[tuple[str, int, int, str] | str] = []
    for file in files:
        match = _SHARD.fullmatch(file)
        if match is None or str(int(match[2])) != match[2]:
            short.append(file)
            continue
        head, number, tail = match[1], int(match[2]), match[3]
        last = short[-1] if short else None
        if isinstance(last, tuple) and (last[0], last[2], last[3]) == (head, number - 1, tail):
            short[-1] = (head, last[1], number, tail)
        else:
            short.append((head, number, number, tail))
    return [
        item
        if isinstance(item, str)
        else f"{item[0]}{item[1]}{item[3]}"
        if item[1] == item[2]
        else f"{item[0]}{{{item[1]}..{item[2]}}}{item[3]}"
        for item in short
    ]


def expand_shards(patterns: Iterable[str]) -> list[str]:
    """Return the files that :func:`shard_ranges` shortened; plain names stay as they are."""
    files: list[str] = []
    for pattern in patterns:
        match = _RANGE.fullmatch(pattern)
        if match is None:
            files.append(pattern)
        else:
            first, last = int(match[2]), int(match[3])
            files += [f"{match[1]}{number}{match[4]}" for number in range(first, last + 1)]
    return files
