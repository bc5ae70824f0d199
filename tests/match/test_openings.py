"""Openings: drawn ones and those of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabia.games import chess, xiangqi
from tabia.match.ground import Ground
from tabia.match.openings import Opening, OpeningFileError, drawn, read_file

CHESS, XIANGQI = Ground("chess"), Ground("xiangqi")


@pytest.mark.parametrize("ground", [CHESS, XIANGQI])
def test_drawn_openings_are_legal_different_and_not_over(ground: Ground) -> None:
    openings = drawn(ground, 60, 4, seed=3)
    assert len({opening.moves for opening in openings}) == 60
    for opening in openings:
        assert opening.start_fen is None
        position = ground.start(None, opening.moves)  # raises if a move is not legal
        assert len(opening.moves) == 4
        assert position.outcome() is None


def test_the_seed_decides_and_a_longer_list_begins_alike() -> None:
    assert drawn(CHESS, 5, 6, seed=1) == drawn(CHESS, 9, 6, seed=1)[:5]
    assert drawn(CHESS, 5, 6, seed=1) != drawn(CHESS, 5, 6, seed=2)


def test_openings_come_again_only_when_there_are_no_others() -> None:
    firsts = {opening.moves for opening in drawn(CHESS, 30, 1, seed=0)}
    assert len(firsts) == 20  # all first moves of chess


def test_no_plies_give_the_start() -> None:
    assert drawn(XIANGQI, 2, 0, seed=0) == [Opening(), Opening()]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_chess_lines_are_fens_and_moves(tmp_path: Path) -> None:
    path = write(
        tmp_path / "book",
        """# a book
1. e4 c5 2.Nf3 # Sicilian
e2e4 e7e5
moves d4

8/5pk1/6p1/1p1r4/p6P/P3R1P1/1P3PK1/8 b - -
startpos moves e2e4
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves d4 d5
""",
    )
    code = chess.GAME.encode
    assert read_file(CHESS, path) == [
        Opening(None, (code("e2e4"), code("c7c5"), code("g1f3"))),
        Opening(None, (code("e2e4"), code("e7e5"))),
        Opening(None, (code("d2d4"),)),
        Opening("8/5pk1/6p1/1p1r4/p6P/P3R1P1/1P3PK1/8 b - - 0 1"),
        Opening(None, (code("e2e4"),)),
        Opening(None, (code("d2d4"), code("d7d5"))),
    ]


def test_xiangqi_lines_are_read_in_any_notation_with_ranks_from_0(tmp_path: Path) -> None:
    path = write(tmp_path / "book", "h2e2 h9g7\nC2=5 H8+7\n1. 炮二平五 馬8進7\n")
    code = xiangqi.GAME.encode
    assert read_file(XIANGQI, path) == [Opening(None, (code("h2e2"), code("h9g7")))] * 3


def test_all_bad_lines_are_told(tmp_path: Path) -> None:
    path = write(
        tmp_path / "book",
        "e4 e5\ne4 e4\n8/8/8 w - -\nf3 e5 g4 Qh4\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n",
    )
    with pytest.raises(OpeningFileError) as caught:
        read_file(CHESS, path)
    lines = str(caught.value).splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        f"{path}, line {number}" for number in (2, 3, 4, 5)
    ]
    assert "ply 2" in lines[0]
    assert lines[2].endswith("the game is over where it should begin")
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"\xff\xfe\x00"])
def test_a_file_without_openings_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "book").write_bytes(content)
    with pytest.raises(OpeningFileError, match="book: "):
        read_file(CHESS, tmp_path / "book")
    with pytest.raises(OpeningFileError, match="cannot be read"):
        read_file(CHESS, tmp_path / "none")


def test_operations_of_epd_are_left_out(tmp_path: Path) -> None:
    board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    path = write(
        tmp_path / "book.epd",
        f'{board} w KQkq - hmvc 0; fmvn 2;\n{board} w KQkq - bm Nf3; id "King\'s";\n'
        f"{board} w KQkq - 4 9\n",
    )
    first = Opening(f"{board} w KQkq - 0 1")
    assert read_file(CHESS, path) == [first, first, Opening(f"{board} w KQkq - 4 9")]


def test_a_file_of_another_kind_is_told_in_few_words(tmp_path: Path) -> None:
    path = write(tmp_path / "games.pgn", '[Event "x"]\n' * 5000 + "e4" * 5000 + "\n")
    with pytest.raises(OpeningFileError) as caught:
        read_file(CHESS, path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 11
    assert lines[9].startswith(f"{path}, line 10: ply 1: '[Event'")
    assert lines[10] == f"{path}: and 4,991 more lines; is it one opening a line?"
    with pytest.raises(OpeningFileError) as caught:
        read_file(CHESS, write(path, "e4" * 5000))
    assert len(str(caught.value)) < 500
