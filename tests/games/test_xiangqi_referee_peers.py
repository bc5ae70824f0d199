"""The referee against pyffish (Fairy-Stockfish): the corpus, and cycles from real and random play.

docs/xiangqi_referee.md gives the reason of every kind of difference.
"""

from __future__ import annotations

import itertools
import os

import pytest

from tabia._native.xiangqi_board import Board, decode_move, encode_move
from tabia.games.xiangqi_chases import attackers, legal_captures
from tabia.games.xiangqi_referee import Verdict, judge
from tests.games.xiangqi_play import XIANGQI, master_games
from tests.games.xiangqi_referee_corpus import cases
from tests.games.xiangqi_windows import windows

pyffish = pytest.importorskip("pyffish")

WINDOWS = int(os.environ.get("TABIA_XIANGQI_WINDOWS", "150"))
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


def known_differences(start: str, verdict: Verdict) -> set[str]:
    """Kinds of difference to pyffish that a cycle gives occasion for."""
    assert verdict.cycle is not None
    found = set()
    pieces = list(Board(start).piece_codes())
    for move in verdict.cycle.moves:
        origin, end = divmod(encode_move(move.move), 90)
        is_black = move.side == "black"
        before = list(pieces)
        pieces[end], pieces[origin] = pieces[origin], 0
        old, new = legal_captures(before, is_black), legal_captures(pieces, is_black)
        found |= {"protection taken away" for attack in move.attacks if not attack.is_new}
        kings = pieces.index(1) % 9, pieces.index(8) % 9
        own = [code for code in pieces[kings[0] :: 9] if code and (code > 7) != is_black]
        if kings[0] == kings[1] and len(own) == 2:
            found.add("pinned protector")  # a lone piece before its king, whatever else is there
        for victim, code in enumerate(pieces):
            if not code or (code > 7) == is_black or code in (1, 8):
                continue
            for attacker in attackers(pieces, victim, is_black):
                if (attacker, victim) not in new:
                    found.add("pinned attacker")
                    continue
                if attacker == end and (origin, victim) in old and move.piece in "RCrc":
                    found.add("standing attack")
                after = list(pieces)
                after[victim], after[attacker] = after[attacker], 0
                legal = legal_captures(after, not is_black)
                takers = attackers(after, victim, not is_black)
                if any((taker, victim) not in legal for taker in takers):
                    found.add("pinned protector")
    return found


@pytest.mark.parametrize("case", cases(), ids=str)
def test_the_corpus_agrees_but_for_the_listed_cases(case) -> None:
    codes = [encode_move(move) for move in case.moves.split()]
    ours = judge(codes, case.start_fen)
    theirs = pyffish_result(case.start_fen, codes)
    agrees = theirs == (None if ours is None else ours.result)
    assert agrees == (case.id not in DIFFERENT)


def test_listed_cases_exist() -> None:
    assert set(DIFFERENT) <= {case.id for case in cases()}


@pytest.mark.parametrize("is_real", [pytest.param(True, marks=REAL, id="real games"), False])
def test_cycles_agree_but_for_the_known_kinds(is_real: bool) -> None:
    games = master_games() if is_real else None
    differing = chases = 0
    for start, codes in itertools.islice(windows(games, seed=1), WINDOWS):
        verdict = judge(codes, start, quiet_plies=None)
        assert verdict is not None
        if verdict.cycle is None:
            continue  # mate on the way
        chases += verdict.result != 0
        if pyffish_result(start, codes[: verdict.ply]) != verdict.result:
            assert known_differences(start, verdict), (start, codes)
            differing += 1
    assert differing <= max(2, WINDOWS // 50)
    assert chases > 0


@pytest.mark.shared
@pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}")
def test_every_repetition_of_the_master_games_agrees() -> None:
    pyffish.load_variant_config("[xiangqi-checks:xiangqi]\nchasingRule = none\n")
    found = {"simple": [0, 0], "asian": [0, 0]}
    for game in master_games():
        for rules, variant in (("simple", "xiangqi-checks"), ("asian", "xiangqi")):
            verdict = judge(game, rules=rules, quiet_plies=None)
            if verdict is None or verdict.cycle is None:
                continue
            board = Board()
            for code in game[: verdict.cycle.plies[0]]:
                board.push(code)
            codes = game[verdict.cycle.plies[0] : verdict.ply]
            assert pyffish_result(f"{board.epd()} 0 1", codes, variant) == verdict.result
            found[rules][0] += 1
            found[rules][1] += verdict.result != 0
    assert found == {"simple": [116, 25], "asian": [116, 43]}
