"""The referee against pyffish (Fairy-Stockfish): the corpus, and cycles from real and random play.

docs/xiangqi_referee.md gives the reason of every kind of difference.
"""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tabia._native.xiangqi_board import decode_move, encode_move
from tabia.games.xiangqi_referee import RuleSet, judge
from tests.games.xiangqi_emulated import KINDS, emulated_result
from tests.games.xiangqi_play import XIANGQI, master_games
from tests.games.xiangqi_real import repetitions
from tests.games.xiangqi_referee_corpus import cases
from tests.games.xiangqi_windows import windows

pyffish = pytest.importorskip("pyffish")

# As many as were looked through for the list.
WINDOWS = min(4000, int(os.environ.get("TABIA_XIANGQI_WINDOWS", "150")))
DIFFERING = Path(__file__).resolve().parents[1] / "golden/xiangqi_differing_windows.json"
LONG = pytest.mark.skipif(
    os.environ.get("TABIA_XIANGQI_FILES") != "all", reason="TABIA_XIANGQI_FILES is not all"
)
DIFFERENT = {
    "root-king-cannot-take": "king as protector",
    "unrooting": "protection taken away",
    "unrooting-by-black": "protection taken away",
    "pinned-rook-chases-nothing": "pinned attacker",
    "cannon-between-kings-chases-nothing": "pinned attacker",
    "elephant-between-kings-chases-nothing": "pinned attacker",
    "rook-draws-back-along-its-attack": "standing attack",
    "chases-after-a-quiet-approach": "move before the cycle",
}
REAL = [
    pytest.mark.shared,
    pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}"),
]


def pyffish_result(start: str, codes: list[int], variant: str = "xiangqi") -> int | None:
    """Red's result after the moves, None if the game goes on."""
    texts = [decode_move(code, first_rank=1) for code in codes]
    ended, value = pyffish.is_optional_game_end(variant, start, texts, 0)
    sign = (value > 0) - (value < 0)
    black_moves = (start.split()[1] == "b") != bool(len(codes) % 2)
    return None if not ended else -sign if black_moves else sign


@cache
def differing() -> list[dict[str, Any]]:
    """The windows, of 4,000 of each source, that pyffish judges otherwise."""
    return json.loads(DIFFERING.read_text("utf-8"))


@pytest.mark.parametrize("case", cases(), ids=str)
def test_the_corpus_agrees_but_for_the_listed_cases(case) -> None:
    codes = [encode_move(move) for move in case.moves.split()]
    ours = judge(codes, case.start_fen)
    theirs = pyffish_result(case.start_fen, codes)
    agrees = theirs == (None if ours is None else ours.result)
    assert agrees == (case.id not in DIFFERENT)


def test_listed_cases_exist() -> None:
    assert set(DIFFERENT) <= {case.id for case in cases()}


@pytest.mark.parametrize(
    "source", [pytest.param("master games", marks=REAL), "random play"], ids=str
)
def test_cycles_agree_but_for_the_listed_ones(source: str) -> None:
    games = master_games() if source == "master games" else None
    seen, found = set(), []
    chases = 0
    for start, codes in itertools.islice(windows(games, seed=1), WINDOWS):
        verdict = judge(codes, start, quiet_plies=None)
        assert verdict is not None
        window = start, " ".join(map(decode_move, codes))
        seen.add(window)
        if verdict.cycle is None:
            continue  # mate on the way
        chases += verdict.result != 0
        if pyffish_result(start, codes[: verdict.ply]) != verdict.result:
            found.append(window)
    listed = [(row["start_fen"], row["moves"]) for row in differing() if row["source"] == source]
    assert found == [window for window in listed if window in seen]
    assert chases > 0


def test_so_many_windows_are_listed() -> None:
    assert Counter((row["source"], *row["kinds"]) for row in differing()) == {
        ("master games", "standing attack"): 7,
        ("master games", "protection taken away"): 4,
        ("master games", "pinned protector", "standing attack"): 1,
        ("random play", "standing attack"): 23,
        ("random play", "protection taken away"): 1,
    }


@pytest.mark.parametrize("row", differing(), ids=lambda row: f"{row['start_fen']}:{row['moves']}")
def test_a_listed_window_differs_by_its_kinds_and_no_others(row: dict[str, Any]) -> None:
    start = row["start_fen"]
    codes = [encode_move(move) for move in row["moves"].split()]
    verdict = judge(codes, start, quiet_plies=None)
    assert verdict is not None
    assert verdict.result == row["result"] != row["pyffish"]
    assert pyffish_result(start, codes) == row["pyffish"]
    for n_kinds in range(len(row["kinds"]) + 1):
        explained = [
            list(kinds)
            for kinds in itertools.combinations(KINDS, n_kinds)
            if emulated_result(kinds, start, codes) == row["pyffish"]
        ]
        assert explained == ([row["kinds"]] if n_kinds == len(row["kinds"]) else [])


@pytest.mark.shared
@pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("master", {"simple": (116, 25), "asian": (116, 43)}),
        ("playok", {"simple": (25, 3), "asian": (25, 10)}),
        pytest.param("full", {"simple": (501, 101), "asian": (501, 207)}, marks=LONG),
        pytest.param("endings", {"simple": (6, 2), "asian": (6, 6)}, marks=LONG),
    ],
)
def test_every_repetition_of_real_games_agrees(name: str, expected: dict[RuleSet, Any]) -> None:
    pyffish.load_variant_config("[xiangqi-checks:xiangqi]\nchasingRule = none\n")
    variants: dict[RuleSet, str] = {"simple": "xiangqi-checks", "asian": "xiangqi"}
    for rules, variant in variants.items():
        results = []
        for start, codes, verdict in repetitions(name, rules):
            assert pyffish_result(start, codes, variant) == verdict.result, (start, codes)
            results.append(verdict.result)
        assert (len(results), sum(map(abs, results))) == expected[rules]
