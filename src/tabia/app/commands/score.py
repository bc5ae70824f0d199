"""``tabia score FILE… --rules SET``: the count of games of Go, dead stones named or found."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabia._native.go_board import Board, decode_vertex, encode_vertex
from tabia.app.commands.one_line import one_line
from tabia.app.commands.rejects import place_of, told
from tabia.app.commands.xiangqi_inputs import SHOWN, check_files, counted
from tabia.games.go_rules import RULE_SETS, RuleSet, rule_set, rule_set_of_sgf
from tabia.games.go_scoring import PLAYOUTS, Score, score
from tabia.records.go.record import Record
from tabia.records.go_members import Reader
from tabia.records.reject import Reject

__all__ = ["NoGameError", "ScoreError", "score_files"]


class ScoreError(ValueError):
    """Wrong words on the command line: rules, komi or dead stones."""

    exit_code = 2


class NoGameError(ValueError):
    """Files that hold not one game."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class _Counted:
    """A game with its count."""

    name: str
    record: Record
    board: Board
    rules: RuleSet
    score: Score
    dead_by: str

    @property
    def recorded(self) -> str | None:
        """Result that the record has, as SGF's RE would have it."""
        result, how = self.record.result, self.record.termination or ""
        if result is None:
            return None
        if result == 0:
            return "0"
        points = how.removesuffix(" points").removesuffix(" point")
        return f"{'B' if result > 0 else 'W'}+{points or '?'}"

    def dead_vertices(self) -> list[str]:
        return [decode_vertex(code, self.board.size) for code in self.score.dead]

    def facts(self) -> dict[str, Any]:
        found = self.score.counted
        return {
            "game": self.name,
            "rules": self.rules.name,
            "result": self.score.result,
            "recorded": self.recorded,
            "black": self.score.black,
            "white": self.score.white,
            "komi": self.score.komi,
            "handicap": self.record.handicap,
            "stones": found.stones,
            "territory": found.territory,
            "prisoners": found.prisoners,
            "dead_stones": found.dead,
            "neutral": found.neutral,
            "dead": self.dead_vertices(),
            "dead_by": self.dead_by,
            "plies": len(self.record.moves),
        }

    def lines(self) -> Iterator[str]:
        yield one_line(f"{self.name}: {self.score.result} by {self.rules.name} rules")
        found = self.score.counted
        for side, name in enumerate(("Black", "White")):
            parts = [f"{found.territory[side]} surrounded"]
            if self.rules.scoring == "territory":
                parts.append(f"{found.prisoners[side]} taken")
                parts.append(f"{found.dead[1 - side]} dead")
            else:
                parts.append(counted(found.stones[side], "stone"))
            if self.rules.divides_neutral:
                parts.append(f"{found.neutral / 2:g} of {found.neutral} neutral")
            if side == 1:
                parts.append(f"{self.score.komi:g} komi")
            points = self.score.white if side else self.score.black
            yield f"  {name} {points:g} = {' + '.join(parts)}"
        dead = " ".join(self.dead_vertices()) or "none"
        how = {"named": "named", "playouts": "by playouts", "none": "all stones count"}
        yield f"  dead: {dead} ({how[self.dead_by]})"
        if found.seki.any():
            yield f"  in seki: {int(found.seki.sum())} points"
        if self.recorded is not None:
            yield one_line(f"  recorded: {self.recorded}")


def score_files(
    files: list[Path],
    *,
    rules: str | None = None,
    dead: str | None = None,
    komi: float | None = None,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    as_json: bool = False,
) -> None:
    """Print the count of every game in Go files, as the last position stands.

    Parameters
    ----------
    files
        SGF files and archives of them, packed or not.
    rules
        Name in `tabia.games.go_rules.RULE_SETS`; None takes each record's own.
    dead
        Vertices of dead stones with blanks or commas between, one of a chain is enough; an empty
        text is none; None finds them by playouts, where the rules remove them. Only for one game.
    komi
        In place of the record's; handicap stones are compensated as the rules say all the same.
    playouts, seed
        For finding dead stones.
    as_json
        Print one JSON object.

    Raises
    ------
    ScoreError
        If rules, or dead stones, are none; if a record names no rules known and none are given; if
        dead stones are named and there are several games.
    NoGameError
        If no file holds a game. Rejected records beside games are told on stderr.
    GameFileError, SameFileError
        If a file cannot be read or is named twice.
    """
    if rules is not None and rules not in RULE_SETS:
        raise ScoreError(f"--rules {rules}: known are {', '.join(RULE_SETS)}")
    check_files(files)
    games: list[tuple[str, Record]] = []
    rejects: list[str] = []
    reader = Reader()
    for file in files:
        for content in reader.contents(file):
            before = len(games)
            for found in reader.records(content):
                if isinstance(found, Reject):
                    place = place_of(found.line, found.byte_offset, is_bytes=False)
                    rejects.append(told(content.name, place, found.reason, found.detail))
                else:
                    number = len(games) - before + 1
                    games.append(
                        (content.name if number == 1 else f"{content.name}#{number}", found)
                    )
    for line in rejects[:SHOWN]:
        print(line, file=sys.stderr)
    if not games:
        raise NoGameError(f"no game of Go in {', '.join(map(str, files))}")
    if dead is not None and len(games) > 1:
        raise ScoreError(f"--dead names stones of one game, and there are {len(games):,}")
    results = [
        _count(name, record, rules, dead, komi=komi, playouts=playouts, seed=seed)
        for name, record in games
    ]
    if as_json:
        facts = {"games": [result.facts() for result in results], "rejected": rejects}
        print(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for result in results:
        for line in result.lines():
            print(line)


def _count(
    name: str,
    record: Record,
    rules: str | None,
    dead: str | None,
    *,
    komi: float | None,
    playouts: int,
    seed: int,
) -> _Counted:
    chosen = rule_set_of_sgf(record.rules or "") if rules is None else rule_set(rules)
    if chosen is None:
        what = (
            "no rules" if record.rules is None else f"the rules {record.rules!r}, which are unknown"
        )
        raise ScoreError(f"{one_line(name)} names {what}: give --rules, {', '.join(RULE_SETS)}")
    board = Board(record.start_fen, size=record.board_size, ko="simple")
    for code in record.moves:
        if board.is_terminal:
            board.resume()
        board.push(code)
    codes = None if dead is None else _codes(dead, board)
    whites = chosen.effective_komi(record.handicap or 0, record.komi if komi is None else komi)
    try:
        found = score(board, chosen, dead=codes, komi=whites, playouts=playouts, seed=seed)
    except ValueError as error:
        raise ScoreError(f"--dead {dead}: {error}") from error
    by = "none" if not chosen.removes_dead else "playouts" if dead is None else "named"
    return _Counted(name, record, board, chosen, found, by)


def _codes(dead: str, board: Board) -> list[int]:
    try:
        return [encode_vertex(vertex, board.size) for vertex in dead.replace(",", " ").split()]
    except ValueError as error:
        raise ScoreError(f"--dead {dead}: {error}") from error
