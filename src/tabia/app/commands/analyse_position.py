"""Which position ``tabia analyse`` is about: a FEN with moves, or a game file up to some move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tabia.games.contract import Position
from tabia.games.go import GoPosition
from tabia.games.go_rules import rule_set_of_sgf
from tabia.match.ground import GameName, Ground, OpeningError
from tabia.records.arrow import Origin
from tabia.records.reading import files_of, tables_of
from tabia.records.which_game import game_of_file

__all__ = [
    "AnalysePositionError",
    "AnalyseUsageError",
    "Asked",
    "FileGame",
    "after",
    "from_file",
    "given",
    "ground_of",
    "usable",
]

_GO_RULES = "chinese"  # of a record that names none


class AnalyseUsageError(ValueError):
    """Wrong words on the command line."""

    exit_code = 2


class AnalysePositionError(ValueError):
    """A position, or a game file, that there is not."""

    exit_code = 3


@dataclass(frozen=True)
class Asked:
    """A position with the game behind it.

    Attributes
    ----------
    ground
        The game and its rules.
    position
        What is asked about.
    start
        Text of the position that the moves begin at; None is the game's own start.
    moves
        Codes since.
    """

    ground: Ground
    position: Position
    start: str | None
    moves: tuple[int, ...]


@dataclass(frozen=True)
class FileGame:
    """A game of a file, as the games table has it.

    Attributes
    ----------
    name
        File and number, for messages.
    game
        Whose.
    row
        Columns of the games table.
    """

    name: str
    game: GameName
    row: dict[str, Any]


def given(ground: Ground, fen: str | None, played: str) -> Asked:
    """Return the position of a FEN and moves in any notation of the game.

    Raises
    ------
    AnalysePositionError
        If either is none.
    """
    try:
        start = None if fen is None else ground.fen(fen)
        codes = ground.read(played.split(), start)
        return _asked(ground, start, codes)
    except (OpeningError, ValueError) as error:
        what = "" if fen is None else f"--fen {fen!r}: "
        raise AnalysePositionError(f"{what}{error}") from error


def from_file(path: Path, game: str | None, ordinal: int) -> FileGame:
    """Read one game of a file.

    Parameters
    ----------
    path
        Game file, packed or not.
    game
        Whose records it has; None lets its content tell.
    ordinal
        Which of its games, from 1.

    Raises
    ------
    GameFileError
        If the file cannot be read.
    AnalysePositionError
        If it has no such game.
    AnalyseUsageError
        If it is a pipe whose game is not said: finding that out would use it up.
    """
    if game is None and path.exists() and not path.is_file():
        raise AnalyseUsageError(f"{path} can be read only once: say --game chess, xiangqi or go")
    name = game if game is not None else game_of_file(path) or "chess"
    seen, rejected = 0, ""
    for batch in files_of(name).read(path):
        if batch.fault is not None and not rejected:
            rejected = f"; {batch.fault.detail}"
        if batch.parsed is None:
            continue
        origin = Origin("analyse", batch.file, name, "people")
        games, rejects = tables_of([(batch.parsed, origin)])
        if rejects.num_rows and not rejected:
            first = rejects.slice(0, 1).to_pylist()[0]
            rejected = f"; the first that was rejected: {first['reason']}: {first['detail']}"
        if seen < ordinal <= seen + games.num_rows:
            row = games.slice(ordinal - seen - 1, 1).to_pylist()[0]
            return FileGame(f"{path} game {ordinal}", cast(GameName, name), row)
        seen += games.num_rows
    raise AnalysePositionError(
        f"{path}: has {seen:,} games of {name}, and --ordinal {ordinal} is asked for{rejected}"
    )


def ground_of(found: FileGame, rules: str | None, komi: float | None) -> Ground:
    """Return what a game of a file was played on, rules and komi as the file says.

    Parameters
    ----------
    found
        The game.
    rules, komi
        In place of the file's.

    Raises
    ------
    AnalysePositionError
        If it is a variant that the search does not know.
    AnalyseUsageError
        If the game has no such rules or komi.
    """
    row = found.row
    if row["variant"] != "standard":
        raise AnalysePositionError(f"{found.name}: the variant {row['variant']} is not searched")
    if found.game != "go":
        return usable(found.game, rules, None, komi)
    own = rule_set_of_sgf(row["rules"] or "")
    named = rules or (_GO_RULES if own is None else own.name)
    ground = usable("go", named, row["board_size"], komi)
    if komi is None:
        position = ground.go.position()
        whites = position.rules.effective_komi(row["handicap"] or 0, row["komi"])
        return usable("go", named, row["board_size"], whites)
    return ground


def after(found: FileGame, ground: Ground, move: int | None) -> Asked:
    """Return the position after so many moves of a game, after all where None.

    Raises
    ------
    AnalysePositionError
        If the game has not so many, or they are not legal under the rules.
    """
    moves: list[int] = found.row["moves"]
    if move is not None and not 0 <= move <= len(moves):
        raise AnalysePositionError(
            f"{found.name} has {len(moves)} moves; --move {move} must be from 0 to {len(moves)}"
        )
    try:
        return _asked(ground, found.row["start_fen"], moves[:move])
    except ValueError as error:
        hint = f", under {ground.rules} rules; try others by --rules" if ground.rules else ""
        raise AnalysePositionError(f"{found.name}: {error}{hint}") from error


def usable(game: GameName, rules: str | None, size: int | None, komi: float | None) -> Ground:
    """Return a ground; AnalyseUsageError if the game has no such rules, size or komi."""
    try:
        return Ground(game, rules or "", size, komi)
    except ValueError as error:
        named = str(error).split(" ")[0] in ("rules", "size", "komi")
        raise AnalyseUsageError(f"{'--' if named else ''}{error}") from error


def _asked(ground: Ground, start: str | None, moves: Sequence[int]) -> Asked:
    position = ground.start(start, moves)
    if isinstance(position, GoPosition):
        start = position.board.start_fen()  # of its size, an empty board too
    return Asked(ground, position, start, tuple(moves))
