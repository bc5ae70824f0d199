"""``tabia convert FILE… --to FORMAT``: xiangqi games from any format into a few, Go into SGF."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tabia.app.commands.one_line import one_line
from tabia.app.commands.xiangqi_inputs import SHOWN, check_files, counted, reject_line
from tabia.records import go_members, xiangqi_members
from tabia.records.go.record import Record as GoRecord
from tabia.records.go.write import write_sgf
from tabia.records.opening import GameFileError
from tabia.records.record_files import ContentReader
from tabia.records.reject import Reject
from tabia.records.whole import Content
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.write import STYLES
from tabia.tables.parquet import atomic_path
from tabia.tables.progress import Progress

__all__ = ["SGF", "NoGameError", "convert"]

SGF = "sgf"
"""What Go games are written as."""


RecordT = TypeVar("RecordT", Record, GoRecord)


class NoGameError(ValueError):
    """Files that hold not one game."""

    exit_code = 3


@dataclass
class _Report:
    """What was found."""

    written: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    side_lines: int = 0
    conflicts: int = 0
    without_games: list[str] = field(default_factory=list)
    without_records: list[str] = field(default_factory=list)  # of these nothing was told

    def tell(self, content: Content, reject: Reject) -> None:
        """Count a reject, and say it unless there were too many."""
        self.reasons[reject.reason] += 1
        if self.reasons.total() <= SHOWN:
            print(reject_line(content, reject), file=sys.stderr)

    def text(self) -> str:
        rejected = self.reasons.total()
        text = f"{counted(self.written, 'game')} written, {rejected:,} rejected"
        if rejected:
            parts = (f"{reason} {count:,}" for reason, count in sorted(self.reasons.items()))
            text += f" ({', '.join(parts)})"
        if rejected > SHOWN:
            text += f"; the first {SHOWN} are listed above"
        if self.side_lines:
            text += f"; {counted(self.side_lines, 'side line')} left out"
        if self.conflicts:
            text += (
                f"; result_conflict {self.conflicts:,}: tag and end of the moves disagree, the "
                "tag is kept"
            )
        return text


def convert(
    files: list[Path],
    *,
    to: str,
    source_format: str | None = None,
    headers: Path | None = None,
    out: Path | None = None,
) -> None:
    """Write the games of xiangqi or Go files, each move checked, in another format.

    Parameters
    ----------
    files
        Game files and archives of game files, packed or not.
    to
        One of `tabia.records.xiangqi.write.STYLES` for games of xiangqi, `SGF` for games of Go.
    source_format
        One of `tabia.records.xiangqi.formats.FORMATS`; None finds out for each file.
    headers
        PlayOK's table of players, ratings and results, for its tables of moves. How many games
        were joined with it, and which of its rows are bad, is told on stderr.
    out
        File to write, whole or not at all, its folder made if need be; None is standard output.

    Raises
    ------
    GameFileError
        If a file is missing or unreadable, or would be overwritten, or `headers` join no game, or
        SGF shall be written and `source_format` or `headers` is given.
    SameFileError
        If a file is named twice; nothing is read then.
    NoGameError
        If no game was found; nothing is written to `out` then. Rejected records beside games are
        counted and told on stderr, and are no failure.
    """
    size = check_files(files, headers, out)
    if to == SGF and (headers is not None or source_format is not None):
        option = "--from" if headers is None else "--headers"
        raise GameFileError(f"{option} is about files of xiangqi, and sgf is of Go; leave it out")
    report = _Report()
    texts, finish = _texts(to, source_format, headers, report)
    with ExitStack() as stack:
        if out is None:
            text_out = sys.stdout
        else:
            unfinished = stack.enter_context(atomic_path(out))
            text_out = stack.enter_context(unfinished.open("w", encoding="utf-8", newline="\n"))
        progress = stack.enter_context(Progress("convert", size / 1e6, "MB"))
        for file in files:
            for text in texts(file, lambda read: progress.advance(read / 1e6)):
                text_out.write(text)
        if not report.written:
            raise NoGameError(_no_game(files, report))
        notes = finish()
    print(report.text(), file=sys.stderr)
    for name in report.without_records[:SHOWN]:
        print(one_line(f"{name}: no game"), file=sys.stderr)
    for note in notes:
        print(one_line(note), file=sys.stderr)


_Texts = Callable[[Path, Callable[[float], None]], Iterator[str]]
"""Yields the games of a file as text; the callable hears of bytes read."""


def _texts(
    to: str, source_format: str | None, headers: Path | None, report: _Report
) -> tuple[_Texts, Callable[[], list[str]]]:
    """Return what reads and writes the game that has the format `to`, and what ends it."""

    def written(reader: ContentReader[RecordT], write: Callable[[RecordT], str]) -> _Texts:
        def texts(file: Path, advance: Callable[[float], None]) -> Iterator[str]:
            for content in reader.contents(file, advance=advance):
                for record in _games(reader, content, report):
                    yield write(record)

        return texts

    if to == SGF:
        go = go_members.Reader()
        return written(go, write_sgf), go.finish
    xiangqi = xiangqi_members.Reader(headers, source_format)
    return written(xiangqi, STYLES[to]), xiangqi.finish


def _games(reader: ContentReader[RecordT], content: Content, report: _Report) -> Iterator[RecordT]:
    before, rejected = report.written, report.reasons.total()
    for result in reader.records(content):
        if isinstance(result, Reject):
            report.tell(content, result)
        else:
            report.written += 1
            report.side_lines += result.variations
            report.conflicts += isinstance(result, Record) and result.result_conflict
            yield result
    if report.written == before:
        is_chess = _is_chess(content.data)
        hint = "; it looks like chess, which is not converted" if is_chess else ""
        report.without_games.append(content.name + hint)
        if report.reasons.total() == rejected:
            report.without_records.append(content.name)


def _is_chess(data: bytes) -> bool:
    return b'[White "' in data and b"xiangqi" not in data.lower()


def _no_game(files: list[Path], report: _Report) -> str:
    names = report.without_games or [str(file) for file in files]
    more = f" and {len(names) - 3} more files" if len(names) > 3 else ""
    return one_line(f"no game in {', '.join(names[:3])}{more}; {report.text()}")
