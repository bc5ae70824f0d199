"""``tabia convert FILE… --to FORMAT``: xiangqi games from any format into a few."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tabia.records.opening import CorruptFileError, GameFileError, Member, members
from tabia.records.xiangqi import formats, playok
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.write import STYLES
from tabia.tables.parquet import atomic_path
from tabia.tables.progress import Progress

__all__ = ["NoGameError", "convert"]

Headers = Mapping[str, playok.Header]

_BINARY = 1024  # bytes of a text that hold no NUL
_SHOWN = 20  # rejects that are told one by one
_LARGEST = 1 << 30  # bytes of a file, which is held in memory


class NoGameError(ValueError):
    """Files that hold not one game."""

    exit_code = 3


@dataclass
class _Report:
    """What was found."""

    written: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    side_lines: int = 0
    without_games: list[str] = field(default_factory=list)
    without_records: list[str] = field(default_factory=list)  # of these nothing was told

    def tell(self, name: str, reject: Reject) -> None:
        """Count a reject, and say it unless there were too many."""
        self.reasons[reject.reason] += 1
        if self.reasons.total() <= _SHOWN:
            detail = reject.detail if name in reject.detail else f"{name}: {reject.detail}"
            place = ""
            if reject.byte_offset:
                at = f"line {reject.line}" if reject.line > 1 else f"byte {reject.byte_offset:,}"
                place = f" at {at}"
            print(f"rejected{place}: {reject.reason}: {detail}", file=sys.stderr)

    def text(self) -> str:
        rejected = self.reasons.total()
        text = f"{_counted(self.written, 'game')} written, {rejected:,} rejected"
        if rejected:
            parts = (f"{reason} {count:,}" for reason, count in sorted(self.reasons.items()))
            text += f" ({', '.join(parts)})"
        if rejected > _SHOWN:
            text += f"; the first {_SHOWN} are listed above"
        if self.side_lines:
            text += f"; {_counted(self.side_lines, 'side line')} left out"
        return text


def convert(
    files: list[Path],
    *,
    to: str,
    source_format: str | None = None,
    headers: Path | None = None,
    out: Path | None = None,
) -> None:
    """Write the games of xiangqi files, each move checked, in another format.

    Parameters
    ----------
    files
        Game files and archives of game files, packed or not.
    to
        One of `tabia.records.xiangqi.write.STYLES`.
    source_format
        One of `tabia.records.xiangqi.formats.FORMATS`; None finds out for each file.
    headers
        PlayOK's table of players, ratings and results, for its tables of moves.
    out
        File to write, whole or not at all; None is standard output.

    Raises
    ------
    GameFileError
        If a file is missing or unreadable, or would be overwritten.
    NoGameError
        If no game was found; nothing is written to `out` then. Rejected records beside games are
        counted and told on stderr, and are no failure.
    """
    size = 0
    for file in files:
        try:
            size += file.stat().st_size
        except OSError as error:
            raise GameFileError(f"{file}: cannot be read: {error.strerror}") from error
        if file.is_dir():
            raise GameFileError(f"{file} is a folder; name its files, for instance {file}/*.xqf")
        if out is not None and out.exists() and out.samefile(file):
            raise GameFileError(f"{file} is to be read and written; name another --out")
    by_id = _headers(headers)
    report = _Report()
    with ExitStack() as stack:
        if out is None:
            text_out = sys.stdout
        else:
            unfinished = stack.enter_context(atomic_path(out))
            text_out = stack.enter_context(unfinished.open("w", encoding="utf-8", newline="\n"))
        progress = stack.enter_context(Progress("convert", size / 1e6, "MB"))
        for file in files:
            for member in members(file, advance=lambda read: progress.advance(read / 1e6)):
                for record in _games(member, source_format, by_id, report):
                    text_out.write(STYLES[to](record))
        if not report.written:
            raise NoGameError(_no_game(files, report))
    print(report.text(), file=sys.stderr)
    for name in report.without_records[:_SHOWN]:
        print(f"{name}: no game", file=sys.stderr)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _games(
    member: Member, source_format: str | None, headers: Headers, report: _Report
) -> Iterator[Record]:
    data, fault = _content(member)
    before, rejected = report.written, report.reasons.total()
    results = _results(data, member.name, source_format, headers)
    if fault is not None:
        # The last record may lack its end, and nothing tells; so it is part of the fault.
        results = iter([*results][:-1]) if b"\0" not in data[:_BINARY] else iter(())
    for result in results:
        if isinstance(result, Reject):
            report.tell(member.name, result)
        else:
            report.written += 1
            report.side_lines += result.variations
            yield result
    if fault is not None:
        report.tell(member.name, fault)
    if report.written == before:
        hint = "; it looks like chess, and only xiangqi is converted" if _is_chess(data) else ""
        report.without_games.append(member.name + hint)
        if report.reasons.total() == rejected:
            report.without_records.append(member.name)


def _results(
    data: bytes, name: str, source_format: str | None, headers: Headers
) -> Iterator[Record | Reject]:
    if headers and (source_format or formats.detect(data, name)) == "playok":
        return playok.read(data, name, headers)
    return formats.read(data, name, source_format)


def _headers(path: Path | None) -> Headers:
    """Read PlayOK's table of headers, by the games' IDs."""
    if path is None:
        return {}
    try:
        for member in members(path):
            return playok.headers(b"".join(member.chunks))
    except GameFileError:
        raise
    except ValueError as error:
        raise GameFileError(f"{path}: {error}") from error
    return {}


def _content(member: Member) -> tuple[bytes, Reject | None]:
    """Bytes of a file, and what is wrong where they break off."""
    chunks: list[bytes] = []
    size = 0
    try:
        for chunk in member.chunks:
            size += len(chunk)
            if size > _LARGEST:
                detail = f"{member.name}: more than {_LARGEST >> 30} GiB; split the file"
                return b"", Reject(reason="bad_file", detail=detail)
            chunks.append(chunk)
    except CorruptFileError as error:
        detail = f"{member.name}: {error}"
        return b"".join(chunks), Reject(reason="bad_file", detail=detail, byte_offset=size)
    return b"".join(chunks), None


def _is_chess(data: bytes) -> bool:
    return b'[White "' in data and b"xiangqi" not in data.lower()


def _no_game(files: list[Path], report: _Report) -> str:
    names = report.without_games or [str(file) for file in files]
    more = f" and {len(names) - 3} more files" if len(names) > 3 else ""
    return f"no game in {', '.join(names[:3])}{more}; {report.text()}"
