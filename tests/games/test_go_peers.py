"""Legal moves, captures and scores against OpenSpiel.

`TABIA_GO_POSITIONS` sets how many positions are compared; docs/go.md tells of a run with 100,000.
OpenSpiel knows no suicide, forbids to retake a ko at once, and ends the game when a play brings an
earlier board back: the same play is illegal here under positional superko.
"""

from __future__ import annotations

import os
import random

import pytest

from tabia._native.go_board import PASS, Board

pyspiel = pytest.importorskip("pyspiel")

POSITIONS = int(os.environ.get("TABIA_GO_POSITIONS", "6000"))
SIZES = (5, 6, 7, 8, 9, 11, 13, 19)


def spiel_action(code: int, size: int) -> int:
    """Actions there count from the lower left corner."""
    return size * size if code == PASS else size * (size - 1 - code // 19) + code % 19


def test_legal_moves_ends_and_scores_equal_open_spiel() -> None:
    rng = random.Random(1)
    seen = repeated = scored = 0
    while seen < POSITIONS:
        size = rng.choice(SIZES)
        game = pyspiel.load_game(
            "go", {"board_size": size, "max_game_length": 100 * size * size, "komi": 0.5}
        )
        state = game.new_initial_state()
        simple = Board(size=size, ko="simple", allows_suicide=False, komi=0.5)
        superko = Board(size=size, ko="positional", allows_suicide=False, komi=0.5)
        vacated: set[int] = set()
        # Small boards are played till they repeat or fill; large ones for as long as they are new.
        for _ in range(8 * size * size if size < 9 else 3 * size * size):
            seen += 1
            codes = simple.legal_moves()
            assert sorted(spiel_action(c, size) for c in codes) == state.legal_actions(), (
                simple.fen()
            )
            strict = set(superko.legal_moves())
            assert strict <= set(codes)
            taken = [code for code in codes[:-1] if code in vacated]
            if taken and rng.random() < 0.6:
                code = rng.choice(taken)  # the way to kos and repetitions
            else:
                code = rng.choice(codes[:-1]) if codes[:-1] and rng.random() < 0.99 else PASS
            repeats = set(codes) - strict
            if repeats:
                code = rng.choice(sorted(repeats))
            state.apply_action(spiel_action(code, size))
            simple.push(code)
            if code in repeats:
                repeated += 1
                assert state.is_terminal()
                break
            before = superko.stones()
            superko.push(code)
            vacated = {
                19 * (i // size) + i % size
                for i, (was, now) in enumerate(zip(before, superko.stones(), strict=True))
                if was and not now
            }
            assert state.is_terminal() == superko.is_terminal == simple.is_terminal
            if state.is_terminal():
                scored += 1
                assert (superko.score() > 0) == (state.returns()[0] > 0)
                break
    assert repeated > POSITIONS / 2000
    assert scored > POSITIONS / 2000
