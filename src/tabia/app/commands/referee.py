"""``tabia referee FILE… --rules SET``: how xiangqi games end by the rules, and why."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tabia._native.xiangqi_board import FenError
from tabia.app.commands.one_line import one_line
from tabia.app.commands.xiangqi_inputs import SHOWN, check_files, counted, reject_line
from tabia.games.xiangqi_referee import RuleSet, Verdict, judge
from tabia.games.xiangqi_verdict_text import REASONS, Named, explain_text, names
from tabia.records.xiangqi.movetext import MovetextError, legal_moves, read_movetext
from tabia.records.xiangqi.playok import SITE
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.start import black_begins, board_of, start_fen
from tabia.records.xiangqi_members import Content, Reader

__all__ = ["NoGameError", "RefereeError", "referee"]

_RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "unknown"}


class RefereeError(ValueError):
    """Wrong words on the command line: what to judge, a position or a move."""

    exit_code = 2


class NoGameError(ValueError):
    """Files that hold not one game."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class _Limits:
    rules: RuleSet
    quiet_plies: int | None
    max_plies: int | None

    def judge(self, moves: list[int], start_fen: str | None) -> Verdict | None:
        return judge(
            moves,
            start_fen,
            rules=self.rules,
            quiet_plies=self.quiet_plies,
            max_plies=self.max_plies,
        )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A game with its verdict.

    `name` is its file's, None for typed moves; `ordinal` counts the records of that file from 0,
    rejects too, as the tables of games do. `result` is what the record says; an end on the board,
    of which it says nothing, is for the verdict to find. `named` has the moves up to the end of a
    cycle, if one ended the game.
    """

    name: str | None
    ordinal: int
    line: int
    first_name: str | None
    second_name: str | None
    site: str | None
    plies: int
    result: int | None
    verdict: Verdict | None
    named: list[Named] = field(default_factory=list)


@dataclass
class _Rejects:
    """Rejects by file, and files in which nothing was found."""

    found: list[tuple[Content, Reject]] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)


def referee(
    files: list[Path],
    *,
    rules: RuleSet,
    quiet_plies: int | None,
    max_plies: int | None,
    fen: str | None = None,
    moves: str | None = None,
    source_format: str | None = None,
    headers: Path | None = None,
    as_json: bool = False,
) -> None:
    """Print where each game ends by the rules, beside its recorded result, and why.

    Repeated moves are explained one by one. Moves after the end are not looked at.

    Parameters
    ----------
    files
        Xiangqi games in any format of `tabia.records.xiangqi.formats`, packed or not.
    rules, quiet_plies, max_plies
        As for `tabia.games.xiangqi_referee.judge`.
    fen, moves
        Instead of files: a start (None is the standard one), and moves in any notation that is
        read in PGN, numbered or not.
    source_format
        One of `tabia.records.xiangqi.formats.FORMATS`; None finds out.
    headers
        PlayOK's table of results, for its tables of moves.
    as_json
        Print one JSON object with everything known.

    Raises
    ------
    RefereeError
        If it is not clear what to judge, or the FEN or a move is wrong.
    GameFileError
        If a file is missing or unreadable, or `headers` join no game.
    SameFileError
        If a file is named twice; nothing is read then.
    NoGameError
        If no file has a game. Rejected records beside games are told on stderr.
    """
    limits = _Limits(rules, quiet_plies, max_plies)
    if bool(files) == (fen is not None or moves is not None):
        raise RefereeError('name files, or a game with --moves "h2e2 h9g7" and --fen')
    if not files and not (source_format is None and headers is None):
        raise RefereeError("--from and --headers are for files, and none is named")
    check_files(files, headers)
    reader = Reader(headers, source_format)
    rejects = _Rejects()
    games = _judged(limits, reader, files, rejects) if files else _typed(limits, fen, moves or "")
    judged = []
    for game in games:
        if not as_json:
            print(_text(game))
        judged.append(game)
    notes = reader.finish()
    if as_json:
        _print_json(limits, judged, rejects)
    elif files:
        print(_summary(judged))
    _tell(rejects, notes)
    if not judged:
        shown = ", ".join(map(str, files[:3])) + (", …" if len(files) > 3 else "")
        raise NoGameError(one_line(f"no xiangqi game in {shown}"))


def _tell(rejects: _Rejects, notes: list[str]) -> None:
    for content, reject in rejects.found[:SHOWN]:
        print(reject_line(content, reject), file=sys.stderr)
    if count := len(rejects.found):
        told = f"; the first {SHOWN} are listed above" if count > SHOWN else ""
        print(f"{counted(count, 'record')} rejected{told}", file=sys.stderr)
    for name in rejects.empty[:SHOWN]:
        print(one_line(f"{name}: no game"), file=sys.stderr)
    for note in notes:
        print(one_line(note), file=sys.stderr)


def _typed(limits: _Limits, fen: str | None, moves: str) -> Iterator[_Judged]:
    try:
        board = board_of(fen)
        start = start_fen(board)
        movetext = read_movetext(moves, black_begins=black_begins(start))
    except (FenError, MovetextError) as error:
        raise RefereeError(str(error)) from error
    if movetext.is_closed:
        raise RefereeError(
            f"--moves {moves!r}: moves only; leave out the result and what stands behind it"
        )
    read = legal_moves(movetext.moves, start)
    if read.fault is not None:
        ply = len(read.codes) + board.black_to_move
        side = "Black" if ply % 2 else "Red"
        number = board.fullmove_number + ply // 2
        raise RefereeError(f"--moves: move {number} of {side}, {read.fault}")
    verdict = limits.judge(read.codes, fen)
    named = _named(verdict, read.codes, fen)
    yield _Judged(None, 0, 1, None, None, None, len(read.codes), None, verdict, named)


def _judged(
    limits: _Limits, reader: Reader, files: list[Path], rejects: _Rejects
) -> Iterator[_Judged]:
    for file in files:
        for content in reader.contents(file):
            ordinal = -1
            for ordinal, record in enumerate(reader.records(content)):
                if isinstance(record, Reject):
                    rejects.found.append((_without_data(content), record))
                else:
                    yield _of_record(limits, content.name, ordinal, record)
            if ordinal < 0:
                rejects.empty.append(content.name)


def _without_data(content: Content) -> Content:
    """Return what a reject's place is told by; whole files would fill the memory."""
    return replace(content, data=content.data[:1024])


def _of_record(limits: _Limits, name: str, ordinal: int, record: Record) -> _Judged:
    verdict = limits.judge(record.moves, record.start_fen)
    return _Judged(
        name,
        ordinal,
        record.line,
        record.first_name,
        record.second_name,
        record.site,
        len(record.moves),
        _recorded(record),
        verdict,
        _named(verdict, record.moves, record.start_fen),
    )


def _named(verdict: Verdict | None, moves: list[int], start: str | None) -> list[Named]:
    """Return the names of the moves up to the end of a cycle; none without one."""
    if verdict is None or verdict.cycle is None:
        return []
    return names(moves[: verdict.ply], start)


def _recorded(record: Record) -> int | None:
    return None if record.result_from == "board" else record.result


def _text(game: _Judged) -> str:
    first, *explained = explain_text(game.verdict, game.named).splitlines()
    plies = counted(game.plies, "ply", "plies")
    if game.name is None:
        return "\n".join([f"game: {plies}, {first}", *explained])
    facts = [f"ordinal {game.ordinal}"]
    if game.first_name or game.second_name:
        facts.append(f"{game.first_name or '?'} – {game.second_name or '?'}")
    if game.site is not None and game.site.startswith(f"{SITE} "):
        facts.append(game.site)
    head = one_line(f"{game.name}:{game.line}: {', '.join(facts)}")
    return "\n".join([f"{head}: {plies}, {first}; recorded {_RESULTS[game.result]}", *explained])


def _summary(games: list[_Judged]) -> str:
    reasons = Counter(game.verdict.reason for game in games if game.verdict is not None)
    text = f"{counted(len(games), 'game')}, {reasons.total():,} ended by the rules"
    if reasons:
        counts = (f"{REASONS[reason]} {count:,}" for reason, count in reasons.most_common())
        text += f": {', '.join(counts)}"
    against = sum(_contradicts(game) for game in games)
    return f"{text}; {against:,} of these recorded with another result"


def _contradicts(game: _Judged) -> bool:
    if game.verdict is None or game.result is None:
        return False
    return game.verdict.result != game.result


def _print_json(limits: _Limits, games: list[_Judged], rejects: _Rejects) -> None:
    facts = {
        **asdict(limits),
        "games": [_facts(game) for game in games],
        "rejects": [{"name": content.name, **asdict(reject)} for content, reject in rejects.found],
    }
    json.dump(facts, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _facts(game: _Judged) -> dict[str, Any]:
    """Return a game for JSON, its repeated moves with their names."""
    facts = asdict(game)
    del facts["named"]
    if game.verdict is not None and game.verdict.cycle is not None:
        for move in facts["verdict"]["cycle"]["moves"]:
            move |= game.named[move["ply"] - 1]._asdict()
    return facts
