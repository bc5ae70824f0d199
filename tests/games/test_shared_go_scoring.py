"""Real games of Go: results that players agreed on, and GNU Go's judgement of the same positions.

`TABIA_GO_GAMES` sets how many games are counted; GNU Go sees a twelfth of them. docs/go.md tells
of a run with more. Skipped where the games, or GNU Go, are absent.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import zstandard

from tabia._native.go_board import PASS, Board, decode_vertex
from tabia.games.go_rules import RuleSet, rule_set_of_sgf
from tabia.games.go_scoring import score
from tabia.records.go.read import read
from tabia.records.go.record import Record

GO = (
    Path(os.environ.get("TABIA_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data/go"
)
KGS = GO / "kgs_2003_7582.sgf.tar.zst"
GAMES = int(os.environ.get("TABIA_GO_GAMES", "24"))
GNUGO = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not KGS.is_file(), reason=f"no real games in {GO}"),
]

with_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")


def counted_games(rules: str) -> Iterator[tuple[Record, Board, RuleSet, float]]:
    """Games under some rules that the players counted: record, last board, rules, margin."""
    for record in records():
        points = (record.termination or "").removesuffix(" points").removesuffix(" point")
        found = rule_set_of_sgf(record.rules or "")
        if found is None or found.name != rules or record.result is None:
            continue
        try:
            margin = record.result * float(points)
        except ValueError:
            continue
        if record.komi is None or len(record.moves) < 50:
            continue
        yield record, last_board(record), found, margin


def last_board(record: Record) -> Board:
    board = Board(record.start_fen, ko="simple", allows_suicide=False)
    for code in record.moves:
        if board.is_terminal:
            board.resume()
        board.push(code)
    return board


@cache
def records() -> list[Record]:
    """The first games of the archive."""
    with KGS.open("rb") as packed:
        data = zstandard.ZstdDecompressor().stream_reader(packed)
        with tarfile.open(fileobj=data, mode="r|") as archive:
            texts = []
            for member in archive:
                if member.isfile() and (handle := archive.extractfile(member)) is not None:
                    texts.append(handle.read())
                if len(texts) == 25 * GAMES:
                    break
    found = [record for text in texts for record in read(text)]
    return [record for record in found if isinstance(record, Record)]


def test_counts_are_mostly_those_of_the_players() -> None:
    same = same_winner = seen = 0
    for record, board, rules, margin in counted_games("japanese"):
        komi = rules.effective_komi(record.handicap or 0, record.komi)
        found = score(board, rules, komi=komi).margin
        same += found == margin
        same_winner += (found > 0) == (margin > 0)
        seen += 1
        if seen == GAMES:
            break
    assert seen == GAMES
    assert same >= 0.8 * seen
    assert same_winner >= 0.95 * seen


class GnuGo:
    """GNU Go over GTP."""

    def __init__(self, *options: str) -> None:
        assert GNUGO is not None
        self.process = subprocess.Popen(
            [GNUGO, "--mode", "gtp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> GnuGo:
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("quit")
        self.process.communicate(timeout=60)

    def ask(self, command: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.strip())
        answer = " ".join(lines)
        assert answer.startswith("="), (command, answer)
        return answer[1:].strip()

    def set_up(self, record: Record, komi: float) -> Board:
        self.ask(f"boardsize {record.board_size}")
        self.ask("clear_board")
        self.ask(f"komi {komi}")
        board = Board(record.start_fen, ko="simple", allows_suicide=False)
        for row in range(board.size):
            for column in range(board.size):
                if color := board.color(19 * row + column):
                    vertex = decode_vertex(19 * row + column, board.size)
                    self.ask(f"play {' bw'[color]} {vertex}")
        return board

    def play(self, board: Board, code: int) -> None:
        side = "white" if board.white_to_move else "black"
        self.ask(f"play {side} {decode_vertex(code, board.size)}")
        if board.is_terminal:
            board.resume()
        board.push(code)


@with_gnugo
def test_legal_moves_of_real_games_are_gnu_gos() -> None:
    seen = 0
    with GnuGo("--forbid-suicide") as gnugo:
        for record in records()[:: max(1, len(records()) // (GAMES // 12))]:
            board = gnugo.set_up(record, 0)
            for ply, code in enumerate(record.moves):
                if ply % 40 == 20 or board.ko_point is not None:
                    if board.is_terminal:
                        board.resume()
                    side = "white" if board.white_to_move else "black"
                    for point in range(PASS):
                        vertex = decode_vertex(point, 19)
                        is_legal = gnugo.ask(f"is_legal {side} {vertex}") == "1"
                        assert is_legal == board.is_legal(point), (board.fen(), vertex)
                    seen += 1
                gnugo.play(board, code)
    assert seen > GAMES / 10


@with_gnugo
@pytest.mark.timeout(900)
def test_counts_of_real_games_are_mostly_gnu_gos() -> None:
    same = same_winner = seen = 0
    with GnuGo("--japanese-rules") as gnugo:
        for record, final, rules, _ in counted_games("japanese"):
            board = gnugo.set_up(record, record.komi or 0)
            for code in record.moves:
                gnugo.play(board, code)
            answer = gnugo.ask("final_score")
            theirs = 0.0 if answer == "0" else float(answer[2:]) * (1 if answer[0] == "B" else -1)
            found = score(final, rules, komi=record.komi).margin
            same += found == theirs
            same_winner += (found > 0) == (theirs > 0)
            seen += 1
            if seen >= GAMES / 12:
                break
    # GNU Go's own count is the players' in about as many games.
    assert seen >= GAMES / 12
    assert same >= 0.5 * seen
    assert same_winner >= 0.85 * seen
