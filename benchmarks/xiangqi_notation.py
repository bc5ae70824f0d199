"""Xiangqi moves as text: reading and writing, beside pyffish and cchess.

    python benchmarks/xiangqi_notation.py [FILE…] [--json] [--rounds 3] [--slow-plies 1000]

One run, one core, CPU seconds. Rounds alternate between the contestants; the median counts. FILE is
PGN, or a zip of it, with coordinates of ranks 0 to 9; without one, 400 games of random play from a
fixed seed are taken. The texts are made beforehand. pyffish and cchess get the first games, up to
`--slow-plies` plies.

Reading, plies a second, every move checked for legality:

ours, WXF / Chinese / coordinates
    `read_moves`, a call a game.
ours, one at a time
    `parse_move` and `push` on a `Board`, Chinese.
cchess
    `move_text` and `next_turn`, Chinese; only games that it can read, the others are counted.

Writing, plies a second:

ours, WXF / Chinese
    `write_moves`, a call a game; every move checked for legality.
pyffish
    `get_san_moves` with WXF, a call a game.
cchess
    `move_iccs`, `to_text` and `next_turn`, Chinese.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import re
import statistics
import sys
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tabia._native.xiangqi_board import Board, decode_move, encode_move
from tabia.games.xiangqi_notation import parse_move, read_moves, write_moves

Games = list[list[int]]
Texts = list[list[str]]
Contest = dict[str, tuple[int, Callable[[], object]]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Xiangqi moves as text beside other programs.")
    parser.add_argument("files", nargs="*", type=Path, help="PGN with coordinate moves, or zips")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    parser.add_argument("--rounds", type=int, default=3, help="tries; the median counts")
    parser.add_argument("--slow-plies", type=int, default=1000, help="plies for the others")
    options = parser.parse_args()
    games = _read(options.files) if options.files else _random_games(400)
    few: Games = []
    for game in games:
        if few and sum(map(len, few)) + len(game) > options.slow_plies:
            break
        few.append(game)
    result = {
        "read_plies_per_s": _rates(_read_contest(games, few), options.rounds),
        "write_plies_per_s": _rates(_write_contest(games, few), options.rounds),
    }
    if options.json:
        print(json.dumps({"games": len(games), "plies": sum(map(len, games))} | result, indent=2))
        return
    print(f"{len(games):,} games, {sum(map(len, games)):,} plies; one core")
    for title, rates in result.items():
        ours = next(iter(rates.values()))
        print(f"\n{title:28} {'per CPU s':>14} {'first is':>10}")
        for name, rate in rates.items():
            print(f"{name:28} {rate:14,.0f} {ours / rate:9,.1f}x")


def _read(files: list[Path]) -> Games:
    texts = []
    for file in files:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                texts += [archive.read(name).decode() for name in archive.namelist()]
        else:
            texts.append(file.read_text())
    games = [game for text in texts for game in re.split(r"\n\s*\n(?=\[)", text.strip())]
    moves = [re.findall(r"\b[a-i]\d[a-i]\d\b", game) for game in games]
    return [[encode_move(move) for move in game] for game in moves if game]


def _random_games(count: int) -> Games:
    rng = random.Random(20)
    games = []
    for _ in range(count):
        board = Board()
        while len(board.moves()) < 120 and board.has_legal_move:
            board.push(rng.choice(board.legal_moves()))
        games.append(board.moves())
    return games


def _rates(contest: Contest, rounds: int) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in contest}
    names = list(contest)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = time.process_time()
            contest[name][1]()
            seconds[name].append(max(time.process_time() - start, 1e-3))
    return {name: round(contest[name][0] / statistics.median(seconds[name])) for name in names}


def _module(name: str) -> Any:
    if importlib.util.find_spec(name) is None:
        print(f"{name} is not installed and left out", file=sys.stderr)
        return None
    return importlib.import_module(name)


def _read_contest(games: Games, few: Games) -> Contest:
    plies = sum(map(len, games))
    chinese = [write_moves(game, style="chinese_simplified") for game in games]
    written = {
        "WXF": [write_moves(game) for game in games],
        "Chinese": chinese,
        "coordinates": [write_moves(game, style="ucci") for game in games],
    }
    contest: Contest = {
        f"ours, {name}": (plies, partial(_check_read, texts, games))
        for name, texts in written.items()
    }
    contest["ours, one at a time"] = (plies, lambda: _read_singly(chinese))
    cchess = _module("cchess")
    if cchess is not None:
        texts = [text for text in chinese[: len(few)] if _cchess_reads(cchess, text)]
        print(f"cchess reads {len(texts)} of {len(few)} games", file=sys.stderr)
        contest["cchess"] = (
            sum(map(len, texts)),
            lambda: [_cchess_reads(cchess, text) for text in texts],
        )
    return contest


def _write_contest(games: Games, few: Games) -> Contest:
    plies, few_plies = sum(map(len, games)), sum(map(len, few))
    contest: Contest = {
        "ours, WXF": (plies, lambda: [write_moves(game) for game in games]),
        "ours, Chinese": (
            plies,
            lambda: [write_moves(game, style="chinese_simplified") for game in games],
        ),
    }
    pyffish = _module("pyffish")
    if pyffish is not None:
        start = Board().fen()
        uci = [[decode_move(code, first_rank=1) for code in game] for game in few]
        notation = pyffish.NOTATION_XIANGQI_WXF
        contest["pyffish"] = (
            few_plies,
            lambda: [
                pyffish.get_san_moves("xiangqi", start, game, False, notation) for game in uci
            ],
        )
    cchess = _module("cchess")
    if cchess is not None:
        ucci = [[decode_move(code) for code in game] for game in few]
        contest["cchess"] = (few_plies, lambda: _cchess_write(cchess, ucci))
    return contest


def _check_read(texts: Texts, games: Games) -> None:
    for text, game in zip(texts, games, strict=True):
        if read_moves(text).codes != game:
            raise RuntimeError("a game did not come back")


def _read_singly(texts: Texts) -> None:
    for game in texts:
        board = Board()
        for text in game:
            board.push(parse_move(board, text))


def _cchess_reads(cchess: Any, game: list[str]) -> bool:
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    for text in game:
        if board.move_text(text) is None:
            return False
        board.next_turn()
    return True


def _cchess_write(cchess: Any, games: Texts) -> None:
    for game in games:
        board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
        for move in game:
            board.move_iccs(move).to_text()
            board.next_turn()


if __name__ == "__main__":
    main()
