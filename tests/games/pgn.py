"""Parsed PGN as plain Python values, and random PGN, for tests of the parser."""

from __future__ import annotations

import io
import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.pgn
import numpy as np

from tabia._native import chess_pgn
from tests.games.play import code_of, random_game

TEXTS = [
    "event",
    "site",
    "round",
    "date",
    "utc_date",
    "utc_time",
    "white",
    "black",
    "time_control",
    "termination",
    "eco",
    "start_fen",
    "variant",
]
NUMBERS = [
    "ordinal",
    "byte_offset",
    "line",
    "white_elo",
    "black_elo",
    "result",
    "result_conflict",
    "has_evals",
    "has_clocks",
    "split_hash",
]


@dataclass
class Reject:
    ordinal: int
    byte_offset: int
    line: int
    reason: str
    detail: str
    legal_plies: int


@dataclass
class Parsed:
    found: int
    games: list[dict[str, Any]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)


def texts(column: chess_pgn.Text) -> list[str | None]:
    data = column.data.tobytes()
    assert column.offsets[0] == 0
    assert column.offsets[-1] == len(data)
    values = [
        data[start:end].decode() if valid else None
        for start, end, valid in zip(
            column.offsets[:-1], column.offsets[1:], column.validity, strict=True
        )
    ]
    return values


def parse(data: bytes | str, **base: int) -> Parsed:
    """Parse and check what must hold of every result."""
    raw = chess_pgn.parse(data.encode() if isinstance(data, str) else data, **base)
    columns = {name: texts(getattr(raw, name)) for name in TEXTS}
    columns |= {name: getattr(raw, name).tolist() for name in NUMBERS}
    ends = raw.ply_offsets.tolist()
    assert ends[0] == 0
    assert ends[-1] == len(raw.moves)
    columns["moves"] = [raw.moves[a:b].tolist() for a, b in itertools.pairwise(ends)]
    n = len(columns["moves"])
    assert all(len(values) == n for values in columns.values())
    r = raw.rejects
    reasons = [chess_pgn.REJECT_REASONS[i] for i in r.reason]
    rejects = [
        Reject(*row)
        for row in zip(
            r.ordinal.tolist(),
            r.byte_offset.tolist(),
            r.line.tolist(),
            reasons,
            texts(r.detail),
            r.legal_plies.tolist(),
            strict=True,
        )
    ]
    assert n + len(rejects) == raw.found
    games = [{name: columns[name][i] for name in columns} for i in range(n)]
    first = base.get("ordinal", 0)
    ordinals = sorted(columns["ordinal"] + [reject.ordinal for reject in rejects])
    assert ordinals == list(range(first, first + raw.found))
    assert raw.moves.dtype == np.uint16
    return Parsed(raw.found, games, rejects)


def python_chess(text: str) -> list[chess.pgn.Game]:
    """Games of python-chess, with the errors it met."""
    handle = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(handle), None))


def codes(game: chess.pgn.Game) -> list[int]:
    return [code_of(move) for move in game.mainline_moves()]


def random_pgn(rng: random.Random) -> str:
    """A game with comments, evaluations, NAGs and nested variations, as python-chess writes it."""
    chess960 = rng.random() < 0.3
    board = random_game(rng, rng.randrange(80), chess960=chess960)
    game = chess.pgn.Game.from_board(board)
    game.headers["Event"] = f"random {rng.randrange(1000)}"
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    node: chess.pgn.GameNode = game
    while node.next() is not None:
        node = node.next()
        if rng.random() < 0.2:
            node.comment = rng.choice(["a (b", "1. e4 1-0 [x]", "", "; %", "[%eval 0.1]", "\n\n"])
        if rng.random() < 0.1:
            node.nags.add(rng.randrange(1, 140))
        if rng.random() < 0.1:
            side = node.parent
            for _ in range(rng.randrange(1, 4)):
                moves = list(side.board().legal_moves)
                if not moves:
                    break
                side = side.add_variation(rng.choice(moves), comment="side (line")
    exporter = chess.pgn.StringExporter(columns=rng.choice([80, 20, None]))
    return game.accept(exporter)
