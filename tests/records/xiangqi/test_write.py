"""What is written is read back as the same game, whatever its texts hold."""

from __future__ import annotations

import random
import re
import unicodedata
from typing import Literal

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tabia._native.xiangqi_board import Board, encode_move
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.names import player_name
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.results import settled
from tabia.records.xiangqi.squares import known
from tabia.records.xiangqi.write import STYLES, write, write_pgn, write_position
from tests.games.xiangqi_play import random_game

PGN = [style for style in STYLES if style.startswith("pgn")]
ENDGAME = "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 b - - 3 41"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
HARD = st.sampled_from(
    ['"', "\\", "}", "{", "[", "]", "%", ";", "(", ")", "\n", "\r\n[Event ", "*"]
)
TEXTS = st.lists(st.one_of(TEXT, HARD, st.just("1-0 "), st.just("炮二平五")), max_size=6).map(
    "".join
)


def game(seed: int, plies: int, start: str | None, **fields: object) -> Record:
    """Random game; from the endgame its first moves are the first legal ones."""
    if start is None:
        codes = random_game(random.Random(seed), plies).moves()
    else:
        board = Board(start)
        for _ in range(plies):
            if not (legal := board.legal_moves()):
                break
            board.push(legal[seed % len(legal)])
        codes = board.moves()
    return Record(moves=codes, start_fen=start, notation="squares", **fields)  # type: ignore[arg-type]


def back(text: str, name: str = "game.pgn") -> Record:
    (record,) = formats.read(text.encode(), name)
    assert isinstance(record, Record), record
    return record


def blanks(text: str) -> str:
    return " ".join(text.translate(str.maketrans("{}", "｛｝")).split())


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    style=st.sampled_from(PGN),
    seed=st.integers(0, 1000),
    plies=st.integers(0, 40),
    start=st.sampled_from([None, ENDGAME]),
    result=st.sampled_from([1, 0, -1, None]),
    texts=st.lists(TEXTS, min_size=5, max_size=5),
    elos=st.tuples(*[st.one_of(st.none(), st.integers(1, 3500))] * 2),
    comments=st.dictionaries(st.integers(0, 40), TEXTS, max_size=5),
)
def test_pgn_reads_back(
    style: str,
    seed: int,
    plies: int,
    start: str | None,
    result: Literal[1, 0, -1] | None,
    texts: list[str],
    elos: tuple[int | None, int | None],
    comments: dict[int, str],
) -> None:
    written = game(
        seed,
        plies,
        start,
        event=texts[0],
        site=texts[1],
        round=texts[2],
        first_name=texts[3],
        second_name=texts[4],
        date="1997-11-16",
        first_elo=elos[0],
        second_elo=elos[1],
        result=result,
        time_control="60 minutes",
        termination="Resignation",
        opening_code="C03",
        comments=comments,
    )
    read = back(write(written, style))
    assert (read.moves, read.start_fen) == (written.moves, written.start_fen)
    assert read.result == settled(result, written.moves, start)[0]
    assert (read.event, read.site, read.round) == tuple(known(spaced(text)) for text in texts[:3])
    names = [known(spaced(text)) for text in texts[3:]]
    assert [read.first_name, read.second_name] == [name and player_name(name) for name in names]
    assert (read.first_elo, read.second_elo, read.date) == (*elos, "1997-11-16")
    assert (read.time_control, read.termination) == ("60 minutes", "Resignation")
    assert read.opening_code == "C03"
    kept = {
        ply: blanks(spaced(text))
        for ply, text in comments.items()
        if ply <= len(written.moves) and blanks(spaced(text))
    }
    assert {ply: blanks(text) for ply, text in read.comments.items()} == kept


def spaced(text: str) -> str:
    """A field on one line."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)


@pytest.mark.parametrize(
    "comment", [" wins 1-0 1. e4 is chess", " 1. * 1. x", ' see [Note "book"] 1-0 1. h2e2']
)
def test_comments_that_look_like_games_read_back_wherever_their_lines_break(comment: str) -> None:
    for pad in range(1, 90):
        text = "x" * pad + comment
        pgn = write_pgn(game(1, 3, None, comments={0: text, 2: text}))
        comments = back(pgn).comments
        assert {ply: blanks(found) for ply, found in comments.items()} == {0: text, 2: text}
        inside = "".join(pgn.split("{")[1].split("}")[0])
        assert not re.search(r"\n(?:1\.|\[)", inside)


@pytest.mark.parametrize("style", ["ucci", "uci"])
@pytest.mark.parametrize("start", [None, ENDGAME])
def test_position_commands_read_back(style: str, start: str | None) -> None:
    for seed in range(20):
        written = game(seed, seed, start)
        text = write(written, style)
        assert text.count("\n") == 1
        (record,) = formats.read(text.encode(), "x", style)
        assert isinstance(record, Record)
        assert (record.moves, record.start_fen) == (written.moves, start)
        assert record.notation == style


@pytest.mark.parametrize("start", [None, ENDGAME])
def test_fairy_stockfish_plays_what_is_written_as_uci(start: str | None) -> None:
    pyffish = pytest.importorskip("pyffish")
    for seed in range(10):
        written = game(seed, 30, start)
        words = write_position(written, "uci").split()
        moves = words[words.index("moves") + 1 :]
        board = Board(start)
        fen = pyffish.get_fen("xiangqi", board.fen(), moves)
        for code in written.moves:
            board.push(code)
        assert fen == board.fen()


def test_ranks_begin_with_0_in_ucci_and_with_1_in_uci() -> None:
    record = Record(moves=[encode_move("h2e2"), encode_move("h9g7")], notation="squares")
    assert write_position(record, "ucci") == "position startpos moves h2e2 h9g7\n"
    assert write_position(record, "uci") == "position startpos moves h3e3 h10g8\n"


def test_pgn_has_the_tags_of_chinese_chess() -> None:
    record = Record(
        moves=[encode_move("h2e2")],
        notation="squares",
        event='"杯" \\',
        first_name="胡荣华",
        first_elo=2600,
        date="1987-05",
        result=0,
    )
    assert write_pgn(record, "iccs") == (
        '[Game "Chinese Chess"]\n[Event "\\"杯\\" \\\\"]\n[Site "?"]\n[Date "1987.05.??"]\n'
        '[Round "?"]\n[Red "胡荣华"]\n[Black "?"]\n[Result "1/2-1/2"]\n[RedElo "2600"]\n'
        '[Variant "xiangqi"]\n[Format "ICCS"]\n\n1. H2-E2 1/2-1/2\n\n'
    )


@pytest.mark.parametrize(
    "event", ['"]x', 'x"', "x\\", '\\"]', '[Site "y"]', '"] [Site "y"]', "{x", "1. e4"]
)
def test_quotes_brackets_and_backslashes_in_tags_survive(event: str) -> None:
    record = back(write_pgn(Record(moves=[], notation="squares", event=event), "wxf"))
    assert (record.event, record.site) == (event, None)


def test_values_in_the_wild_may_end_with_a_backslash() -> None:
    text = '[Game "Chinese Chess"]\n[Event "C:\\"]\n[Site "x"]\n\n1. C2=5 *\n'
    assert (back(text).event, back(text).site) == ("C:\\", "x")


def test_pgn_numbers_black_moves_at_the_start_and_after_comments() -> None:
    codes = [encode_move("d2d1"), encode_move("e1e0")]
    record = Record(moves=codes, start_fen=ENDGAME, notation="squares", comments={0: "a", 2: "b"})
    text = write_pgn(record, "iccs").split("\n\n")[1]
    assert text == "{a} 41... D2-D1 42. E1-E0 {b} *"
    after_red = Record(
        moves=[encode_move("h2e2"), encode_move("h9g7")], notation="squares", comments={1: "c"}
    )
    assert "1. H2-E2 {c} 1... H9-G7 *" in write_pgn(after_red, "iccs")


@pytest.mark.parametrize("style", PGN)
def test_lines_have_at_most_80_columns(style: str) -> None:
    words = ["好棋" * (i % 9 + 1) for i in range(60)]
    written = game(3, 200, None, comments={5: " ".join(words), 9: "[Event [x %y ;z " * 20})
    lines = write(written, style).splitlines()
    moves = [line for line in lines if not line.startswith("[") or "]" not in line]
    for line in moves:
        columns = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)
        assert columns <= 80 or line.count(" [") or line.count(" %") or line.count(" ;")
        assert not line or line[0] not in "[%;"
    assert max(len(line) for line in moves) > 40
    assert blanks(back("\n".join(lines)).comments[5]) == " ".join(words)


def test_unknown_styles_are_refused() -> None:
    record = Record(moves=[], notation="squares")
    with pytest.raises(ValueError, match="pgn-wxf"):
        write(record, "pgn")
    with pytest.raises(ValueError, match="none of PGN's"):
        write_pgn(record, "ucci")
    with pytest.raises(ValueError, match="neither"):
        write_position(record, "wxf")
