"""``tabia referee FILE --rules SET``: how xiangqi games end by the rules, and why."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tabia._native.xiangqi_board import encode_move
from tabia.app.commands.one_line import one_line
from tabia.games.xiangqi_referee import RuleSet, Verdict, judge
from tabia.games.xiangqi_verdict_text import explain_text
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi_members import Reader

__all__ = ["NoGameError", "RefereeError", "referee"]

_RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "unknown"}
_SHOWN = 20  # rejects that are told one by one


class RefereeError(ValueError):
    """Wrong words on the command line: what to judge, a position or a move."""

    exit_code = 2


class NoGameError(ValueError):
    """A file that holds not one game."""

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

    `name` is its file's, None for typed moves. `result` is what the record says; an end on the
    board, of which it says nothing, is for the verdict to find.
    """

    name: str | None
    line: int
    plies: int
    result: int | None
    verdict: Verdict | None


def referee(
    file: Path | None,
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
    file
        Xiangqi games in any format of `tabia.records.xiangqi.formats`, packed or not.
    rules, quiet_plies, max_plies
        As for `tabia.games.xiangqi_referee.judge`.
    fen, moves
        Instead of a file: a start (None is the standard one), and moves with ranks 0 to 9.
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
    NoGameError
        If the file has no game. Rejected records beside games are told on stderr.
    """
    limits = _Limits(rules, quiet_plies, max_plies)
    if (file is None) == (fen is None and moves is None):
        raise RefereeError('name a file, or a game with --moves "h2e2 h9g7" and --fen')
    if file is None and not (source_format is None and headers is None):
        raise RefereeError("--from and --headers are for a file, and none is named")
    reader = Reader(headers, source_format)
    rejects: list[tuple[str, Reject]] = []
    if file is None:
        games = iter([_typed(limits, fen, moves or "")])
    else:
        games = _judged(limits, reader, file, rejects)
    if as_json:
        judged = list(games)
        notes = reader.finish()
        _print_json(limits, judged, rejects)
    else:
        judged = []
        for game in games:
            print(_text(game))
            judged.append(game)
        notes = reader.finish()
        if file is not None:
            print(_summary(judged))
    for name, reject in rejects[:_SHOWN]:
        text = f"rejected: {name}, line {reject.line}: {reject.detail}"
        print(one_line(text), file=sys.stderr)
    if rejects:
        told = f"; the first {_SHOWN} are listed above" if len(rejects) > _SHOWN else ""
        print(f"{_count(len(rejects), 'record')} rejected{told}", file=sys.stderr)
    for note in notes:
        print(one_line(note), file=sys.stderr)
    if not judged:
        raise NoGameError(f"no xiangqi game in {file}")


def _typed(limits: _Limits, fen: str | None, moves: str) -> _Judged:
    try:
        codes = [encode_move(move) for move in moves.split()]
        verdict = limits.judge(codes, fen)
    except ValueError as error:  # FenError and IllegalMoveError too
        raise RefereeError(str(error)) from error
    return _Judged(None, 1, len(codes), None, verdict)


def _judged(
    limits: _Limits, reader: Reader, file: Path, rejects: list[tuple[str, Reject]]
) -> Iterator[_Judged]:
    for content in reader.contents(file):
        for record in reader.records(content):
            if isinstance(record, Reject):
                rejects.append((content.name, record))
                continue
            verdict = limits.judge(record.moves, record.start_fen)
            yield _Judged(content.name, record.line, len(record.moves), _recorded(record), verdict)


def _recorded(record: Record) -> int | None:
    return None if record.result_from == "board" else record.result


def _text(game: _Judged) -> str:
    first, *explained = explain_text(game.verdict).splitlines()
    recorded = f"; recorded {_RESULTS[game.result]}" if game.name is not None else ""
    place = "game" if game.name is None else one_line(f"{game.name}:{game.line}")
    return "\n".join([f"{place}: {game.plies} plies, {first}{recorded}", *explained])


def _summary(games: list[_Judged]) -> str:
    reasons = Counter(game.verdict.reason for game in games if game.verdict is not None)
    text = f"{_count(len(games), 'game')}, {reasons.total():,} ended by the rules"
    if reasons:
        text += f": {', '.join(f'{reason} {count:,}' for reason, count in reasons.most_common())}"
    against = sum(_contradicts(game) for game in games)
    return f"{text}; {against:,} of these recorded with another result"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _contradicts(game: _Judged) -> bool:
    if game.verdict is None or game.result is None:
        return False
    return game.verdict.result != game.result


def _print_json(limits: _Limits, games: list[_Judged], rejects: list[tuple[str, Reject]]) -> None:
    facts = {
        **asdict(limits),
        "games": [asdict(game) for game in games],
        "rejects": [{"name": name, **asdict(reject)} for name, reject in rejects],
    }
    json.dump(facts, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
