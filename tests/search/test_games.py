"""Slots of the native search judge games as `tabia.games` does, and show them as documented."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia.games import chess
from tabia.games.contract import Position
from tabia.games.go import GoGame, GoPosition
from tabia.games.xiangqi import XiangqiGame
from tabia.search.config import ChessRules, GoRules, Rules, SearchSettings, XiangqiRules
from tabia.search.trees import Trees
from tests.search.made import settings

HISTORY = 3
FEW_PIECES = {
    "chess": "4k3/8/8/8/8/8/4P3/R3K3 w Q - 90 60",
    "xiangqi": "3k5/9/9/9/9/9/9/9/4R4/3cK4 w - - 100 1",
}


def rules_of(game: str) -> Rules:
    return {"chess": ChessRules(), "xiangqi": XiangqiRules(), "go": GoRules(size=5, komi=0.5)}[game]


def start(game: str, fen: str | None) -> Position:
    if game == "chess":
        return chess.GAME.position(fen)
    if game == "xiangqi":
        return XiangqiGame(rules="simple").position(fen)
    return GoGame(size=5, komi=0.5).position(fen)


def random_line(
    game: str, fen: str | None, rng: random.Random, longest: int
) -> tuple[list[Position], list[int]]:
    """Play at random, often back to where a piece came from; return positions and moves."""
    position = start(game, fen)
    line, played = [position.copy()], []
    while (moves := position.legal_moves()) and len(played) < longest:
        move = rng.choice(moves)
        if len(played) >= 2 and game != "go" and rng.random() < 0.7:
            last = played[-2]
            back = (last >> 6 & 63 | (last & 63) << 6) if game == "chess" else _back(last)
            move = back if back in moves else move
        position.push(move)
        played.append(move)
        line.append(position.copy())
    return line, played


def _back(code: int) -> int:
    return 90 * (code % 90) + code // 90


@pytest.mark.parametrize("game", ["chess", "xiangqi", "go"])
@pytest.mark.parametrize("few", [False, True])
def test_moves_and_ends_are_those_of_the_games(game: str, few: bool) -> None:
    fen = FEW_PIECES.get(game) if few else None
    trees = Trees(rules_of(game), SearchSettings())
    rng = random.Random(4)
    ended = 0
    for _ in range(15):
        line, moves = random_line(game, fen, rng, 140)
        trees.reset(0, fen)
        for i, position in enumerate(line):
            assert trees.searcher.legal_moves(0) == position.legal_moves()
            assert trees.root(0).outcome == position.outcome()
            assert trees.root(0).first_to_move == position.first_to_move
            if i < len(moves):
                trees.play(0, moves[i])
        ended += line[-1].outcome() is not None
    assert ended >= 5


def chess_planes(line: list[Position]) -> NDArray[np.float32]:
    """The documented planes, slowly: from FENs."""
    black = not line[-1].first_to_move
    planes = []
    epds = [position.fen().rsplit(" ", 2)[0] for position in line]

    def placed(fen: str, letter: str) -> NDArray[np.float32]:
        plane = np.zeros((8, 8), np.float32)
        for row, text in enumerate(fen.split(" ")[0].split("/")):
            squares = "".join("." * int(c) if c.isdigit() else c for c in text)
            for column, found in enumerate(squares):
                plane[7 - row, column] = found == letter
        return plane[::-1] if black else plane

    for back in range(HISTORY):
        if back >= len(line):
            planes += [np.zeros((8, 8), np.float32)] * 13
            continue
        at = len(line) - 1 - back
        letters = "pnbrqkPNBRQK" if black else "PNBRQKpnbrqk"
        planes += [placed(line[at].fen(), letter) for letter in letters]
        planes.append(np.full((8, 8), epds[at] in epds[:at], np.float32))
    _, _, castling, passant, quiet, _ = line[-1].fen().split(" ")
    for letter in "kqKQ" if black else "KQkq":
        planes.append(np.full((8, 8), letter in castling, np.float32))
    plane = np.zeros((8, 8), np.float32)
    if passant != "-":
        plane[int(passant[1]) - 1, ord(passant[0]) - 97] = 1
    planes.append(plane[::-1] if black else plane)
    planes.append(np.full((8, 8), int(quiet) / 100, np.float32))
    return np.stack(planes)


def xiangqi_planes(line: list[Position]) -> NDArray[np.float32]:
    black = not line[-1].first_to_move
    planes = []
    epds = [position.fen().rsplit(" ", 2)[0] for position in line]

    def placed(fen: str, letter: str) -> NDArray[np.float32]:
        plane = np.zeros((10, 9), np.float32)
        for row, text in enumerate(fen.split(" ")[0].split("/")):
            squares = "".join("." * int(c) if c.isdigit() else c for c in text)
            for column, found in enumerate(squares):
                plane[9 - row, column] = found == letter
        return plane[::-1, ::-1] if black else plane

    for back in range(HISTORY):
        if back >= len(line):
            planes += [np.zeros((10, 9), np.float32)] * 15
            continue
        at = len(line) - 1 - back
        letters = "kabnrcpKABNRCP" if black else "KABNRCPkabnrcp"
        planes += [placed(line[at].fen(), letter) for letter in letters]
        planes.append(np.full((10, 9), epds[at] in epds[:at], np.float32))
    planes.append(np.full((10, 9), int(line[-1].fen().split(" ")[4]) / 120, np.float32))
    return np.stack(planes)


def go_planes(line: list[Position]) -> NDArray[np.float32]:
    last = line[-1]
    assert isinstance(last, GoPosition)
    size, own = 5, 1 if last.first_to_move else 2
    planes = []
    for back in range(HISTORY):
        if back >= len(line):
            planes += [np.zeros((size, size), np.float32)] * 2
            continue
        position = line[len(line) - 1 - back]
        assert isinstance(position, GoPosition)
        stones = np.frombuffer(position.board.stones(), np.uint8).reshape(size, size)
        planes += [(stones == own).astype(np.float32), (stones == 3 - own).astype(np.float32)]
    legal = set(last.board.legal_moves())
    forbidden = np.zeros((size, size), np.float32)
    for row in range(size):
        for column in range(size):
            code = 19 * row + column
            forbidden[row, column] = last.board.color(code) == 0 and code not in legal
    planes.append(forbidden)
    planes.append(np.full((size, size), own == 1, np.float32))
    planes.append(np.full((size, size), last.board.passes > 0, np.float32))
    planes.append(np.full((size, size), -0.05 if own == 1 else 0.05, np.float32))
    liberties = liberties_of(np.frombuffer(last.board.stones(), np.uint8).reshape(size, size))
    planes += [(liberties == count).astype(np.float32) for count in (1, 2, 3)]
    return np.stack(planes)


def liberties_of(stones: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Liberties of each stone's chain, by flooding; -1 on empty points."""
    found = np.full(stones.shape, -1)
    for start in zip(*np.nonzero(stones), strict=True):
        chain, edge, free = {start}, [start], set()
        while edge:
            row, column = edge.pop()
            for point in (
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            ):
                if not all(0 <= i < n for i, n in zip(point, stones.shape, strict=True)):
                    continue
                if stones[point] == 0:
                    free.add(point)
                elif stones[point] == stones[start] and point not in chain:
                    chain.add(point)
                    edge.append(point)
        found[start] = len(free)
    return found


@pytest.mark.parametrize("game", ["chess", "xiangqi", "go"])
def test_planes_are_the_slow_twins(game: str) -> None:
    slow = {"chess": chess_planes, "xiangqi": xiangqi_planes, "go": go_planes}[game]
    trees = Trees(rules_of(game), SearchSettings(), history=HISTORY)
    rng = random.Random(8)
    line, moves = random_line(game, None, rng, 60)
    for i, position in enumerate(line):
        if position.outcome() is not None:
            break
        if i % 3 == 0:  # begun anew with all moves, or played on
            trees.reset(0, None, moves[:i])
        elif i:
            trees.play(0, moves[i - 1])
        wanted = slow(line[: i + 1])
        np.testing.assert_allclose(trees.searcher.encode(0), wanted, atol=1e-7)


@pytest.mark.parametrize("game", ["chess", "xiangqi", "go"])
def test_planes_of_leaves_are_those_of_their_positions(game: str) -> None:
    # Every move is tried before one is tried again: no leaf is deeper than two plies.
    trees = Trees(rules_of(game), settings(fpu="fixed", fpu_value=1.0), history=HISTORY)
    looker = Trees(rules_of(game), SearchSettings(), history=HISTORY)
    rng = random.Random(3)
    line, moves = random_line(game, None, rng, 9)
    trees.reset(0, None, moves)
    searcher = trees.searcher
    searcher.begin(0, 60, 1)
    planes = np.empty((1, *searcher.shape), np.float32)
    slot_of = np.empty(1, np.int32)
    seen = []
    while searcher.select(planes, slot_of):
        seen.append(planes[0].copy())
        searcher.expand(np.zeros((1, searcher.labels), np.float32), np.zeros(1, np.float32))
    shown = set()
    for first in line[-1].legal_moves():
        after = line[-1].copy()
        after.push(first)
        looker.reset(0, None, [*moves, first])
        shown.add(looker.searcher.encode(0).tobytes())
        for second in after.legal_moves():
            looker.reset(0, None, [*moves, first, second])
            shown.add(looker.searcher.encode(0).tobytes())
    looker.reset(0, None, moves)
    assert seen[0].tobytes() == looker.searcher.encode(0).tobytes()
    assert len(seen) > len(line[-1].legal_moves()) + 1
    assert all(plane.tobytes() in shown for plane in seen[1:])


def test_superko_is_exact_in_the_tree() -> None:
    # Retaking a ko at once repeats the whole board.
    trees = Trees(GoRules(size=5, komi=0.5), SearchSettings())
    game = GoGame(size=5, komi=0.5)
    position = game.position()
    for text in ("B3", "C3", "C4", "D4", "C2", "D2", "A1", "E3"):
        position.push(game.encode(text))
        trees.play(0, game.encode(text))
    ko = game.encode("D3")
    position.push(ko)  # takes C3
    trees.play(0, ko)
    assert position.board.stones().count(2) == 3
    retake = game.encode("C3")
    assert retake not in trees.searcher.legal_moves(0)
    trees.searcher.begin(0, 200, 1)
    trees.searcher.run_constant()
    assert retake not in trees.root(0).moves.tolist()


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="tromp"):
        GoRules(rules="tromp")
    trees = Trees(ChessRules(), SearchSettings(), 2)
    with pytest.raises(ValueError, match="start 'nonsense'"):
        trees.reset(0, "nonsense")
    with pytest.raises(ValueError, match="move 2 is not legal"):
        trees.reset(0, None, [12 | 28 << 6, 0])
    with pytest.raises(ValueError, match="move 0 is not legal"):
        trees.play(0, 0)
    with pytest.raises(IndexError, match="slot 2"):
        trees.play(2, 0)
