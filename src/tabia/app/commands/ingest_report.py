"""What ``tabia ingest`` says of files: counts a file, of all files of a game, as table and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia.app.commands.one_line import columns, one_line, padded
from tabia.records.config import Game
from tabia.records.hashing import copies
from tabia.records.reading import NO_RESULT, Batch, Parsed

__all__ = ["Report", "condensed", "table", "total_of"]

_LISTED = 30
"""Files of one archive or folder that are listed one by one."""

_TOTAL = "total"


@dataclass
class Report:
    """What one file, or several files of a game together, gave.

    Attributes
    ----------
    file
        Name, ``archive::member`` of a member, or what stands for several files.
    game
        Whose records these are.
    origin
        The file that was named on the command line: the archive of a member.
    files
        How many files these are.
    accepted, reasons
        Games, and rejects by reason.
    repeated, differing
        Games that came before, and those of them with another result.
    seconds
        Time spent.
    split_hash, n_plies, result
        Of the games, in parts as they were read.
    """

    file: str
    game: Game
    origin: str = ""
    files: int = 1
    accepted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    differing: int = 0
    seconds: float = 0.0
    split_hash: list[NDArray[np.uint64]] = field(default_factory=list)
    n_plies: list[NDArray[np.int32]] = field(default_factory=list)
    result: list[NDArray[np.int8]] = field(default_factory=list)

    @property
    def rejected(self) -> int:
        """Rejects of all reasons."""
        return self.reasons.total()

    @property
    def found(self) -> int:
        """Records found."""
        return self.accepted + self.rejected

    def add(self, batch: Batch) -> None:
        """Count the records of a batch."""
        if batch.fault is not None:
            self.reasons[batch.fault.reason] += 1
        if batch.parsed is not None:
            self._add(batch.parsed)

    def _add(self, parsed: Parsed) -> None:
        n_plies = parsed.n_plies
        self.accepted += len(n_plies)
        self.reasons.update(parsed.reasons)
        self.split_hash.append(parsed.split_hash)
        self.n_plies.append(n_plies)
        self.result.append(parsed.result)

    def as_json(self) -> dict[str, Any]:
        """Return the counts under the names that ``--json`` prints."""
        return {
            "file": self.file,
            "game": self.game,
            "found": self.found,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "reasons": dict(sorted(self.reasons.items())),
            "repeated": self.repeated,
            "repeated_with_another_result": self.differing,
            "seconds": round(self.seconds, 4),
            "games_per_second": round(self.found / max(self.seconds, 1e-9), 1),
        }


def total_of(game: Game, reports: Sequence[Report]) -> Report:
    """Add the files of a game up, and find the copies among all of them."""
    total = Report(_TOTAL if len(reports) > 1 else reports[0].file, game)
    for report in reports:
        total.accepted += report.accepted
        total.seconds += report.seconds
        total.reasons.update(report.reasons)
    is_copy, differs = copies(
        np.concatenate([np.empty(0, np.uint64), *(x for r in reports for x in r.split_hash)]),
        np.concatenate([np.empty(0, np.int32), *(x for r in reports for x in r.n_plies)]),
        np.concatenate([np.empty(0, np.int8), *(x for r in reports for x in r.result)]),
        NO_RESULT,
    )
    end = 0
    for report in [*reports, total]:
        rows = slice(0, None) if report is total else slice(end, end + report.accepted)
        report.repeated, report.differing = int(is_copy[rows].sum()), int(differs[rows].sum())
        end += report.accepted
    return total


def condensed(reports: Sequence[Report]) -> list[Report]:
    """Return one report for the members of an archive, or the files of a folder, that are many."""
    of_archives = _together(reports, lambda one: one.origin, lambda origin: origin)
    return _together(
        of_archives, lambda one: Path(one.origin).parent.as_posix(), lambda folder: f"{folder}/"
    )


def _together(
    reports: Iterable[Report], key: Callable[[Report], str], name: Callable[[str], str]
) -> list[Report]:
    groups: dict[tuple[str, Game], list[Report]] = {}
    for report in reports:
        groups.setdefault((key(report), report.game), []).append(report)
    rows: list[Report] = []
    for (place, game), group in groups.items():
        if len(group) <= _LISTED:
            rows += group
            continue
        files = sum(report.files for report in group)
        row = Report(f"{name(place)} ({files:,} files)", game, group[0].origin, files)
        for report in group:
            row.accepted += report.accepted
            row.reasons.update(report.reasons)
            row.repeated += report.repeated
            row.differing += report.differing
            row.seconds += report.seconds
        rows.append(row)
    return rows


def table(rows: Sequence[Report], totals: Iterable[Report]) -> str:
    """Return a line a report, reasons below it, and the totals that are more than one of them."""
    heads = ("file", "game", "found", "accepted", "rejected", "repeated", "games/s")
    lines_of = Counter(row.game for row in rows)
    shown = [*rows, *(total for total in totals if lines_of[total.game] > 1)]
    cells = [
        (
            one_line(report.file),
            report.game,
            f"{report.found:,}",
            f"{report.accepted:,}",
            f"{report.rejected:,}",
            f"{report.repeated:,}",
            f"{report.found / max(report.seconds, 1e-9):,.0f}",
        )
        for report in shown
    ]
    widths = [max(columns(row[i]) for row in [heads, *cells]) for i in range(len(heads))]
    lines = []
    for row, report in zip([heads, *cells], [None, *shown], strict=True):
        texts = [padded(cell, width) for cell, width in zip(row[:2], widths[:2], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join([*texts, *numbers]))
        if report is not None:
            lines += [
                f"    {reason}: {games:,}" for reason, games in sorted(report.reasons.items())
            ]
            if report.differing:
                lines.append(f"    repeated with another result: {report.differing:,}")
    return "\n".join(lines)
