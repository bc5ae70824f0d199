"""The native PGN parser: a corpus of what people and programs write."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabia._native.chess_board import Board, parse_san
from tabia._native.chess_pgn import REJECT_REASONS, safe_cut
from tests.games.pgn import codes, parse, python_chess, random_pgn


def moves_of(text: str) -> list[int]:
    board = Board()
    out = []
    for token in text.split():
        out.append(parse_san(board, token))
        board.push(out[-1])
    return out


OPEN = "e4 e5 Nf3 Nc6"


@pytest.mark.parametrize(
    "movetext",
    [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6 *",
        "1.e4 1...e5 2.Nf3 2...Nc6 *",
        "1. e4 1. ... e5 2. Nf3 2... Nc6",
        "1…e4 1… e5 2. Nf3 2... Nc6",
        "1 e4 e5 2 Nf3 Nc6 *",
        "1e4 e5 2Nf3 Nc6",
        "e4 e5 Nf3 Nc6",
        "1. e2e4 e7e5 2. g1f3 b8c6",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6",
        "1. Pe4 Pe5 2. Ngf3 Nbc6",
        "1. e4! e5?! 2. Nf3!! Nc6??",
        "1. e4 $1 e5 $2$3 2. Nf3$10 Nc6 $139",
        "1. e4 {a comment} e5 {} 2. Nf3{glued}Nc6",
        '1. e4 {( [Event "x"] 1-0 ; %} e5 2. Nf3 Nc6',
        "1. e4 ; e5 e6 { (\ne5 2. Nf3 Nc6",
        "1. e4\n% 1... c5 { ( \ne5 2. Nf3 Nc6",
        "1. e4 (1. d4 d5 (1... Nf6 {x) (} 2. c4) 2. c4) e5 2. Nf3 (2. -- Nc6) Nc6",
        "1. e4 (1. d4 1-0) 1... e5 2. Nf3 (2. Xx9 *) Nc6 *",
        "1. e4 e5 2. Nf3 N Nc6 D += *",
        "1. e4 +- e5 = 2. Nf3 ± Nc6 \u2213 *",
        "1. e4 e5\n\n2. Nf3\n\n\nNc6\n\n",
        "1. e4\te5\r\n2. Nf3\x0bNc6\r\n*",
        "1. e4 {a {nested} brace} e5 2. Nf3 Nc6".replace("brace", ""),
        "1. e4+ e5# 2. Nf3++ Nc6",
    ],
)
def test_all_ways_to_write_the_same_moves(movetext: str) -> None:
    for tags in ("", '[Event "x"]\n\n', '\ufeff[Event "x"]\r\n[Site "y"]\r\n\r\n'):
        parsed = parse(tags + movetext)
        assert parsed.found == 1, parsed
        assert parsed.rejects == []
        assert parsed.games[0]["moves"] == moves_of(OPEN)


@pytest.mark.parametrize(
    ("movetext", "word"),
    [
        ("1. 炮二平五 馬８進７ 2. 馬二進三 1-0", "炮二平五"),
        ("1. Гоша и Миша 1-0", "Гоша"),
        ("1. Ｃ＝ 1-0", "Ｃ＝"),
    ],
)
@pytest.mark.parametrize("tags", ["", '[White "A"]\n[Black "B"]\n\n'])
def test_words_of_another_script_in_place_of_moves_are_no_game(
    movetext: str, word: str, tags: str
) -> None:
    parsed = parse(tags + movetext)
    assert (parsed.found, parsed.games) == (1, [])
    assert parsed.rejects[0].reason == "bad_san"
    assert word in parsed.rejects[0].detail


@pytest.mark.parametrize("sign", ["±", "⩲", "∞", "□", "Δ", "\u3000", "…", "“”"])
def test_signs_without_a_move_are_a_game_without_moves(sign: str) -> None:
    parsed = parse(f'[White "A"]\n\n{sign} 1-0')
    assert (parsed.found, parsed.rejects) == (1, [])
    assert len(parsed.games[0]["moves"]) == 0


def test_words_of_another_script_beside_moves_are_remarks() -> None:
    parsed = parse("1. e4 Диаграмма e5 馬 *")
    assert parsed.games[0]["moves"] == moves_of("e4 e5")
    assert [game["moves"] for game in parse('1. 馬 *\n\n[White "A"]\n\n*\n').games] == [[]]


def test_castling_with_zeros_and_without_a_space() -> None:
    parsed = parse("1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.0-0 0-0 1-0")
    assert parsed.games[0]["moves"] == moves_of("e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O")
    assert parsed.games[0]["result"] == 1


@pytest.mark.parametrize("take", ["exd6", "exd6e.p.", "exd6 e.p.", "exd6ep", "ed6", "e5xd6 ep"])
def test_en_passant_with_and_without_words(take: str) -> None:
    parsed = parse(f"1. e4 a6 2. e5 d5 3. {take} 1/2-1/2")
    assert parsed.games[0]["moves"] == moves_of("e4 a6 e5 d5 exd6")
    assert parsed.games[0]["result"] == 0


@pytest.mark.parametrize("move", ["b8=Q", "b8Q", "b8(Q)", "b8/Q+", "b7b8q", "b8=Q#!"])
def test_promotions(move: str) -> None:
    parsed = parse(f'[FEN "7k/1P6/8/8/8/8/8/K7 w - - 0 1"]\n\n1. {move} *')
    assert parsed.rejects == []
    assert parsed.games[0]["moves"] == [49 | 57 << 6 | 4 << 12]


def test_every_column_of_a_lichess_game() -> None:
    text = """[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2020.01.02"]
[Round "-"]
[White "A \\"quoted\\" name\\\\"]
[Black "B "unescaped" name"]
[Result "0-1"]
[UTCDate "2020.01.02"]
[UTCTime "01:02:03"]
[WhiteElo "1500"]
[BlackElo "?"]
[ECO "C20"]
[TimeControl "-"]
[Termination "Time forfeit"]
[Annotator "nobody"]

1. e4 { [%eval 0.2] [%clk 0:05:00] } 1... e5 { [%eval 0.3] [%clk 0:05:00] } 0-1
"""
    (game,) = parse(text, base_offset=100, base_line=11, ordinal=5).games
    assert len(game.pop("moves")) == 2
    assert isinstance(game.pop("split_hash"), int)
    assert game == {
        "ordinal": 5,
        "byte_offset": 100,
        "line": 11,
        "event": "Rated Blitz game",
        "site": "https://lichess.org/abcdefgh",
        "round": None,
        "date": "2020.01.02",
        "utc_date": "2020.01.02",
        "utc_time": "01:02:03",
        "white": 'A "quoted" name\\',
        "black": 'B "unescaped" name',
        "time_control": "-",
        "termination": "Time forfeit",
        "eco": "C20",
        "start_fen": None,
        "variant": "standard",
        "white_elo": 1500,
        "black_elo": -1,
        "result": -1,
        "result_conflict": 0,
        "has_evals": 1,
        "has_clocks": 1,
    }


@pytest.mark.parametrize(
    ("value", "elo"),
    [("1500", 1500), ("", -1), ("?", -1), ("-", -1), ("abc", -1), ("0", -1), ("99999", -1),
     ("1500?", -1), (" 1500 ", 1500), ("-5", -1), ("1500.5", -1)],
)  # fmt: skip
def test_elo(value: str, elo: int) -> None:
    assert parse(f'[WhiteElo "{value}"]\n\n1. e4 *').games[0]["white_elo"] == elo


@pytest.mark.parametrize(
    ("tag", "token", "result", "conflict"),
    [
        ("1-0", "1-0", 1, 0),
        ("1-0", "", 1, 0),
        ("1-0", "0-1", 1, 1),
        ("1/2-1/2", "½-½", 0, 0),
        ("*", "*", -128, 0),
        ("*", "1-0", -128, 1),
        ("?", "1-0", 1, 0),
        (None, "0-1", -1, 0),
        (None, "", -128, 0),
        ("White", "*", -128, 0),
    ],
)
def test_the_result_tag_wins_over_the_token(
    tag: str | None, token: str, result: int, conflict: int
) -> None:
    tags = f'[Result "{tag}"]\n\n' if tag else ""
    (game,) = parse(f"{tags}1. e4 {token}").games
    assert (game["result"], game["result_conflict"]) == (result, conflict)


def test_latin_1_values_become_utf_8_one_by_one() -> None:
    (game,) = parse('[White "Müller"]\n[Black "'.encode() + b'M\xfcller \x80"]\n\n1. e4 *').games
    assert (game["white"], game["black"]) == ("Müller", "Müller €")


@pytest.mark.parametrize("value", ["?", "", "????.??.??", "-"])
def test_a_value_that_says_nothing_is_null(value: str) -> None:
    assert parse(f'[Date "{value}"]\n\n1. e4 *').games[0]["date"] is None


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ('[Event "no closing quote]', "no closing quote"),
        ('[Event "no closing bracket"', "no closing bracket"),
        ("[Event bare words]", "bare words"),
        ('[ Event  "spaces" ]', "spaces"),
        ('  [Event "indented"]', "indented"),
        ('[Event "a ] b"]', "a ] b"),
        ('[Event "twice"] [Site "one line"]', "twice"),
    ],
)
def test_sloppy_tags_are_read_as_meant(tag: str, value: str) -> None:
    parsed = parse(f"{tag}\n\n1. e4 *")
    assert parsed.games[0]["event"] == value
    assert len(parsed.games[0]["moves"]) == 1


def test_games_without_moves_are_games() -> None:
    parsed = parse('[Event "a"]\n[Result "1-0"]\n\n1-0\n\n[Event "b"]\n\n[Event "c"]\n[Site "d"]\n')
    assert [game["event"] for game in parsed.games] == ["a", "b", "c"]
    assert all(game["moves"] == [] for game in parsed.games)
    parsed = parse('[White "a"]\n[Black "b"]\n\n[White "c"]\n[Black "d"]\n\n1. e4')
    assert [game["white"] for game in parsed.games] == ["a", "c"]


def test_a_blank_line_among_the_tags_does_not_split_the_game() -> None:
    (game,) = parse('[Event "a"]\n[White "b"]\n\n[Black "c"]\n\n1. e4 *').games
    assert (game["white"], game["black"]) == ("b", "c")


def test_a_missing_result_ends_at_the_next_tags() -> None:
    parsed = parse('[Event "a"]\n\n1. e4\n[White "b"]\n\n1. d4\n\n[Event "c"]\n1. c4')
    assert [len(game["moves"]) for game in parsed.games] == [1, 1, 1]


def test_what_stands_between_games_belongs_to_none() -> None:
    text = (
        'From: me\nSubject: games\n\n[Event "a"]\n\n1. e4 1-0 {nice} 1-0 (1. d4)\n; x\n% y\n1-0\n'
    )
    parsed = parse(text + text)
    assert parsed.found == 2
    assert parsed.rejects == []


@pytest.mark.parametrize(
    "text", ["", " \n\n", "\ufeff", "hello world", "{", "(((", "*", "1-0", "[", "[]"]
)
def test_no_game_is_found_where_there_is_none(text: str) -> None:
    assert parse(text).found == 0


STANDARD = ["Standard", "From Position", "chess", "Normal", "?", ""]
CHESS960 = ["Chess960", "chess 960", "Fischerandom", "Fischer Random", "fischerrandom", "Freestyle"]


@pytest.mark.parametrize("name", STANDARD + CHESS960)
def test_variants_by_name(name: str) -> None:
    (game,) = parse(f'[Variant "{name}"]\n\n1. e4 *').games
    assert game["variant"] == ("standard" if name in STANDARD else "chess960")


def test_chess960_codes_castling_as_king_takes_rook() -> None:
    text = '[Variant "Chess960"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *'
    game960 = parse(text).games[0]
    game = parse(text.replace("Chess960", "Standard")).games[0]
    assert game960["moves"][-2:] == [4 | 7 << 6, 60 | 63 << 6]
    assert game["moves"][-2:] == [4 | 6 << 6, 60 | 62 << 6]
    assert game960["split_hash"] != game["split_hash"]


def test_a_start_that_needs_chess960_is_chess960_whatever_its_tag() -> None:
    fen = "bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w KQkq - 0 1"
    for tag in ("", '[Variant "Standard"]\n'):
        (game,) = parse(f'{tag}[FEN "{fen}"]\n[SetUp "1"]\n\n1. e4 *').games
        assert (game["variant"], game["start_fen"]) == ("chess960", fen)


def test_the_standard_start_as_a_fen_is_null() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert parse(f'[FEN "{fen}"]\n\n1. e4 *').games[0]["start_fen"] is None


def test_split_hash_is_of_the_content_alone() -> None:
    a, b, c, d, e = parse(
        '[White "a"]\n\n1. e4 e5 1-0\n\n[White "b"]\n\n1.e4 {x} e5 0-1\n\n1. e4 e6 *\n\n1. e4 *\n\n'
        '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1"]\n\n1. e4 e5 *'
    ).games
    assert a["split_hash"] == b["split_hash"]
    assert len({game["split_hash"] for game in (a, c, d, e)}) == 4
    # Golden: splits must not move between versions.
    assert a["split_hash"] == GOLDEN_SPLIT_HASH


GOLDEN_SPLIT_HASH = 5060816765641743428

EVENT = '[Event "x"]\n'


@pytest.mark.parametrize(
    ("text", "reason", "detail", "plies"),
    [
        ("1. e4 e5 2. Nf4 *", "illegal_move", "move 2. Nf4: no legal knight move to f4", 2),
        ("1. e4 e4 *", "illegal_move", "move 1... e4: no legal pawn move to e4", 1),
        ("1. e4 e5 2. O-O *", "illegal_move", "move 2. O-O: castling is not legal", 2),
        ("1. d4 d5 2. Nf3 a6 3. Nd2", "ambiguous_move",
         "move 3. Nd2: knights on b1 and f3 can both move to d2", 4),
        ("1. e4 e5 2. Sf3 Sc6", "bad_san", "move 2. Sf3: not a move", 2),
        ("1. e4 0-2", "bad_san", "move 1... 0-2: not a move", 1),
        ("1. e4 -- 2. d4", "null_move", "move 1... --: a null move is not a move of the game", 1),
        ("1. e4 Z0 2. d4", "null_move", "move 1... Z0: a null move is not a move of the game", 1),
        ("1. e4 @@@@ *", "null_move", "move 1... @@@@: a null move is not a move of the game", 1),
        ('[FEN "8/8/8/8 w - - 0 1"]\n\n*', "bad_fen",
         "board field '8/8/8/8': 4 ranks, not 8", 0),
        ('[Variant "Atomic"]\n\n1. e4 *', "unknown_variant", "Atomic", 0),
        ("1. e4 {never closed", "unterminated_comment", "a comment has no closing brace", 1),
        ("1. e4 (1. d4 *", "unbalanced_variation", "1 '(' without ')' at the end of the game", 1),
        ("1. e4 e5) 2. Nf3", "unbalanced_variation", "move 2. ')' without '('", 2),
        ('[!"x"]\n\n1. e4', "bad_tag", 'tag without a name: [!"x"]', 0),
    ],
)  # fmt: skip
def test_a_reject_says_what_is_wrong(text: str, reason: str, detail: str, plies: int) -> None:
    good = EVENT + "\n1. e4 *\n\n"
    parsed = parse(good + EVENT + ("" if text.startswith("[") else "\n") + text + "\n\n" + good)
    assert parsed.found == 3
    (reject,) = parsed.rejects
    assert (reject.reason, reject.detail, reject.legal_plies) == (reason, detail, plies)
    assert (reject.ordinal, reject.line, reject.byte_offset) == (1, 5, len(good))
    assert [len(game["moves"]) for game in parsed.games] == [1, 1]


def test_every_reason_is_tested() -> None:
    marks = test_a_reject_says_what_is_wrong.pytestmark
    assert {case[1] for mark in marks for case in mark.args[1]} == set(REJECT_REASONS)


def test_after_a_reject_the_next_game_is_found_within_the_line() -> None:
    parsed = parse("1. e5 {x} (1. d4) 1-0 1. d4 d5 1/2-1/2")
    assert (parsed.found, len(parsed.rejects)) == (2, 1)
    assert parsed.games[0]["moves"] == moves_of("d4 d5")


def test_deep_nesting_needs_no_stack() -> None:
    for text in ("1. e4 " + "(" * 300_000, "1. e4 " + ")" * 300_000, "1. e4 " + "{" * 300_000):
        parsed = parse(text)
        assert (parsed.found, len(parsed.rejects)) == (1, 1)
    assert len(parse("1. e4 " + "(" * 99999 + ")" * 99999 + "e5").games[0]["moves"]) == 2


@pytest.mark.parametrize(
    "unit",
    ["{", "[", "\n[Event", '\n\n[Event "x"]\n\n1. e4 {', " \n", '[A "', "\n%", "1. e4 (", "N",
     "1.", '[A "x"]\r', '[Event "a"]\r\r1. e4 {\r\r', "-", "\ufeff", "$1", "\n\n   [",
     '\\"', "!", "\x00"],
)  # fmt: skip
def test_hostile_megabytes_take_linear_time(unit: str) -> None:
    # Some milliseconds each; a quadratic scan would run into the test time limit.
    for prefix in ("", "1. e4 ", '[White "'):
        parse(prefix + unit * (1_000_000 // len(unit)))


@pytest.mark.parametrize("seed", range(60))
def test_generated_games_agree_with_python_chess(seed: int) -> None:
    rng = random.Random(seed)
    text = "\n\n".join(random_pgn(rng) for _ in range(3)) + "\n"
    theirs = python_chess(text)
    parsed = parse(text)
    assert parsed.rejects == []
    assert parsed.found == len(theirs)
    for game, twin in zip(parsed.games, theirs, strict=True):
        assert not twin.errors
        assert game["event"] == twin.headers["Event"]
        assert game["moves"] == codes(twin)
        result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "*": -128}[twin.headers["Result"]]
        assert game["result"] == result
        start = twin.board()
        assert game["start_fen"] == twin.headers.get("FEN")
        assert game["variant"] == ("chess960" if start.chess960 else "standard")


def blocks(data: bytes, size: int) -> list:
    """Feed a stream in blocks as a reader does."""
    games, rejects = [], []
    rest, offset, line, ordinal = b"", 0, 1, 0
    for start in range(0, len(data) + 1, size):
        rest += data[start : start + size]
        cut, lines = safe_cut(rest)
        if start + size > len(data):
            cut = len(rest)
        parsed = parse(rest[:cut], base_offset=offset, base_line=line, ordinal=ordinal)
        games += parsed.games
        rejects += parsed.rejects
        ordinal += parsed.found
        offset += cut
        line += lines
        rest = rest[cut:]
    return [games, rejects]


SNIPPETS = [
    '[Event "a"]\n', '[Site "b"]\n', '[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n', "\n", "\n\n", " ",
    "1. e4 ", "e5 ", "Nf3 ", "O-O ", "Ke2 ", "1-0", "*", "{", "}", "(", ")", ";", "%", "$1", "[",
    "]", '"', "\\", "\r\n", "\ufeff", "--", "a1=Q", "[%eval 1]", "é", "1.", "...", "½-½", "\x00",
]  # fmt: skip
PGN_LIKE = st.lists(st.sampled_from(SNIPPETS), max_size=60).map(
    lambda parts: "".join(parts).encode()
)


@settings(max_examples=600, deadline=None)
@given(PGN_LIKE, st.integers(1, 50))
@example(b'[Event "a"]\n\n{[Event "a"]\n\n[Event "a"]\n', 3)
def test_blocks_give_what_the_whole_gives(data: bytes, size: int) -> None:
    whole = parse(data)
    assert blocks(data, size) == [whole.games, whole.rejects]


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_parsed(data: bytes) -> None:
    parse(data)
    assert 0 <= safe_cut(data)[0] <= len(data)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6), st.data())
def test_damaged_pgn_costs_only_the_games_it_touches(seed: int, data: st.DataObject) -> None:
    good = '[Event "good"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n'
    middle = random_pgn(random.Random(seed)).encode()
    cut = data.draw(st.integers(0, len(middle)))
    again = data.draw(st.integers(0, len(middle)))
    noise = data.draw(st.binary(max_size=6))
    parsed = parse(good.encode() + middle[:cut] + noise + middle[again:] + b"\n\n" + good.encode())
    assert [parsed.games[i]["moves"] for i in (0, -1)] == [moves_of(OPEN)] * 2
    assert parsed.games[-1]["event"] == "good"
