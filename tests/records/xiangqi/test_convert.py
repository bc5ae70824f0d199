"""``tabia convert`` as a person uses it."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tabia._native.xiangqi_board import encode_move
from tabia.app.choices import WrittenFormat, XiangqiFormat
from tabia.app.commands.convert import SGF, NoGameError, convert
from tabia.app.same_files import SameFileError
from tabia.records.opening import GameFileError
from tabia.records.xiangqi.formats import FORMATS
from tabia.records.xiangqi.write import STYLES
from tests.records.xiangqi.program_files import Game, cbl, xqf

OPENING = [encode_move(text) for text in ("h2e2", "h9g7", "h0g2")]
MAIN = "from tabia.app.cli import main; main()"
LINE = "position startpos moves h2e2 h9g7 h0g2\n"
ILLEGAL = [*OPENING, encode_move("a9a5")]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "库.CBL"
    path.write_bytes(cbl([Game(OPENING, side_lines={2: OPENING}), Game(ILLEGAL), Game(OPENING)]))
    return path


def test_the_command_line_offers_all_readers_and_writers() -> None:
    assert [item.value for item in XiangqiFormat] == list(FORMATS)
    assert [item.value for item in WrittenFormat] == [*STYLES, SGF]


def test_games_go_to_stdout_and_counts_to_stderr(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    convert([library], to="ucci")
    out, err = capsys.readouterr()
    assert out == LINE * 2
    assert "2 games written, 1 rejected (illegal_move 1); 1 side line left out" in err
    assert f"rejected: {library}, byte 106,048: illegal_move: record 2: ply 4, a9a5" in err
    assert err.count(str(library)) == 1


@pytest.mark.parametrize("to", list(STYLES))
def test_every_writer_gives_what_every_reader_takes(library: Path, to: str, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    convert([library], to=to, out=out)
    again = tmp_path / "again.ucci"
    convert([out], to="ucci", out=again, source_format="uci" if to == "uci" else None)
    assert again.read_text() == LINE * 2


def test_packed_files_and_archives_are_opened(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "a.xqf.gz"
    packed.write_bytes(gzip.compress(xqf(Game(OPENING))))
    archive = tmp_path / "b.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("x/a.xqf", xqf(Game(OPENING), 10))
        file.writestr("x/b.ucci", LINE * 3)
    convert([packed, archive, library], to="ucci")
    assert capsys.readouterr().out == LINE * 7


def test_a_text_that_breaks_off_loses_the_record_in_which_it_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.ucci.gz"
    path.write_bytes(gzip.compress((LINE * 2 + LINE[:-5]).encode())[:-9])
    convert([path], to="ucci")
    out, err = capsys.readouterr()
    assert out == LINE * 2
    assert "corrupt_file 1" in err


def test_nothing_is_written_where_no_game_is(tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.xqf", tmp_path / "out.pgn"
    bad.write_bytes(xqf(Game(ILLEGAL)))
    with pytest.raises(NoGameError, match=r"no game in .*bad\.xqf; 0 games written, 1 rejected"):
        convert([bad], to="pgn-wxf", out=out)
    out.write_text("old")
    with pytest.raises(NoGameError):
        convert([bad], to="pgn-wxf", out=out)
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.xqf", "out.pgn"]


def test_a_file_without_games_beside_others_is_named(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"\n")
    convert([empty, library], to="ucci")
    out, err = capsys.readouterr()
    assert out == LINE * 2
    assert f"{empty}: no game" in err


def test_chess_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "chess.pgn"
    path.write_text('[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n')
    with pytest.raises(NoGameError, match="it looks like chess"):
        convert([path], to="ucci")


def test_missing_files_folders_and_overwriting_are_refused(library: Path, tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="cannot be read"):
        convert([tmp_path / "none.pgn"], to="ucci")
    with pytest.raises(GameFileError, match="is a folder"):
        convert([tmp_path], to="ucci")
    with pytest.raises(GameFileError, match="read and written"):
        convert([library], to="ucci", out=library)


def test_a_reject_names_its_file_and_line_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pgn, ucci = tmp_path / "a.pgn", tmp_path / "b.ucci"
    pgn.write_text('[Red "a"]\n\n1. C2=9 *\n\n[Red "b"]\n\n1. C2=9 *\n')
    ucci.write_text(f"{LINE}position startpos moves h2e3\n")
    convert([pgn, ucci], to="ucci")
    first, second, third = capsys.readouterr().err.splitlines()[:3]
    assert first.startswith(f"rejected: {pgn}, line 1: illegal_move: ply 1: 'C2=9' names no legal")
    assert second.startswith(f"rejected: {pgn}, line 5: illegal_move: ply 1: 'C2=9' names no legal")
    assert third.startswith(f"rejected: {ucci}, line 2: illegal_move: ply 1, 'h2e3': illegal move")
    assert [line.count(str(tmp_path)) for line in (first, second, third)] == [1, 1, 1]


def test_a_file_that_is_named_twice_is_refused(library: Path, tmp_path: Path) -> None:
    link, out = tmp_path / "link", tmp_path / "out.pgn"
    link.symlink_to(library)
    for other, message in ((library, "is named twice"), (link, "are one file")):
        with pytest.raises(SameFileError, match=message):
            convert([library, other], to="ucci", out=out)
    assert not out.exists()


def test_results_that_disagree_are_counted_and_the_tag_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pgn"
    game = '[Red "a"]\n[Result "1-0"]\n\n1. C2=5 {}\n\n'
    path.write_text(game.format("0-1") + game.format("1-0") + game.format("1/2-1/2"))
    convert([path], to="pgn-wxf")
    out, err = capsys.readouterr()
    assert "3 games written, 0 rejected; result_conflict 2: tag and end of the moves dis" in err
    assert out.count('[Result "1-0"]') == out.count("C2=5 1-0") == 3


def test_standard_input_is_read_and_the_folder_of_the_output_made(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.ucci"
    words = [sys.executable, "-c", MAIN, "convert", "-", "--to", "ucci", "--out", str(out)]
    run = subprocess.run(words, input=LINE * 2, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert out.read_text() == LINE * 2


def test_playok_headers_name_the_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves, headers = tmp_path / "moves.csv", tmp_path / "headers.csv"
    moves.write_text("gameID,turn,side,move\n7,1,red,C2.5\n7,1,black,h8+7\n")
    headers.write_text(
        "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n"
        "7,2017-02-10 10:00:00,bob,1500,alice,1600,red\n"
    )
    convert([moves], to="pgn-iccs", headers=headers)
    out = capsys.readouterr().out
    assert '[Red "alice"]\n[Black "bob"]\n[Result "1-0"]\n[RedElo "1600"]' in out
    assert "1. H2-E2 H9-G7 1-0" in out
    with pytest.raises(GameFileError, match="table of headers"):
        convert([moves], to="pgn-iccs", headers=moves)


def test_exit_codes_are_0_with_games_and_3_without(library: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("nothing")
    for file, code in ((library, 0), (nothing, 3)):
        words = [sys.executable, "-c", MAIN, "convert", str(file), "--to", "ucci", "--out", "-"]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        assert run.returncode == code, run.stderr
        assert run.stdout == ("" if code else LINE * 2)
