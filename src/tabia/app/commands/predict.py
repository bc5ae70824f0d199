"""``tabia predict --model FOLDER``: how well a model predicts games, or what it expects next."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tabia._native import chess_board, go_board
from tabia.app.commands import predict_text as shown
from tabia.app.commands.one_line import one_line
from tabia.games.xiangqi_notation import NotationError, read_moves, write_moves
from tabia.imitation import samples
from tabia.imitation.by_game import SECOND
from tabia.imitation.imitator import Imitator, ImitatorError, Line, load, nucleus, tempered
from tabia.imitation.measures import measures
from tabia.imitation.policy import Prediction
from tabia.imitation.positions import Positions
from tabia.imitation.predictions import table
from tabia.learning.bootstrap import estimate_measures
from tabia.records.arrow import Origin
from tabia.records.games import Tables
from tabia.records.reading import files_of
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["PredictError", "predict_games", "predict_next"]

_CALIBRATION_BINS = 15
_SOURCE = "tabia predict"
_NUMBER = re.compile(r"(?<!\S)\d+\.+(?=\s|\D|$)")  # 1. or 12... before a move


class PredictError(ValueError):
    """Games or a position that cannot be predicted."""

    exit_code = 3


def predict_games(
    model: Path,
    files: Sequence[Path],
    *,
    headers: Path | None,
    movers: tuple[int, int] | None,
    seed: int,
    draws: int,
    confidence: float,
    as_json: bool,
    each: bool = False,
) -> int:
    """Print how well a model predicts the moves of game files.

    A game that is there twice counts once. The measures of a single game have no interval.

    Parameters
    ----------
    movers
        Only moves of players whose Elo is above the first and up to the second; None = all moves.
    each
        Also print what the model said of every move.
    seed, draws, confidence
        Of the bootstrap by game.

    Raises
    ------
    ImitatorError
        If the folder holds no model.
    PredictError
        If no game, or no move of those players, is left.
    """
    imitator = load(model)
    read = _read(files, imitator.game, headers)
    positions = read.positions
    inside = np.ones(len(positions), np.bool_)
    if movers is not None:
        inside = (positions.mover_elo > movers[0]) & (positions.mover_elo <= movers[1])
    index = np.flatnonzero(inside)
    if not len(index):
        raise PredictError(
            f"no move of a player with an Elo above {movers and movers[0]} and up to"
            f" {movers and movers[1]} in these games; are their Elos recorded?"
        )
    prediction = imitator.predict(positions, index)
    predicted = table(positions, index, prediction, np.zeros(0, np.intp))
    measured = measures(predicted, _CALIBRATION_BINS)
    found = estimate_measures(
        measured,
        predicted["game_id"].to_numpy(),
        np.random.default_rng(seed),
        draws=draws,
        confidence=confidence,
    )
    values = {one.name: float(one.value(one.terms.sum(axis=0))) for one in measured}
    said = shown.Said(imitator, read, predicted, values, found)
    _warn_of_training(imitator)
    if as_json:
        print(json.dumps(shown.as_json(said, each=each), ensure_ascii=False, indent=2))
    else:
        if each:
            print("\n".join(shown.each_as_text(said)) + "\n")
        print(shown.as_text(said, confidence))
    for note in read.notes:
        print(one_line(note), file=sys.stderr)
    return 0


def _read(files: Sequence[Path], game: str, headers: Path | None) -> shown.Read:
    """Read game files into positions, each game once."""
    reader = files_of(game, headers)
    fates: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="tabia-") as name:
        folder = Path(name)
        games = folder / "games.parquet"
        size = sum(file.stat().st_size for file in files if file.exists()) / 1e6
        with (
            Progress("read games", size or None, "MB") as progress,
            Tables(games, folder / "rejects.parquet", None) as out,
        ):
            for file in files:
                for batch in reader.read(file, advance=lambda n: progress.advance(n / 1e6)):
                    fates += out.add(batch, Origin(_SOURCE, batch.file, game, "people"))
        config = {"game": game, "rated": False, "game_share": 1.0}
        spec = Spec("imitation.samples", _SOURCE, {"game": game}, config)
        table_ = folder / "samples.parquet"
        try:
            samples.run(spec, games=[games], samples=table_)
        except samples.SamplesError as error:
            named = ", ".join(str(file) for file in files)
            raise PredictError(
                f"{named}: no {game} game with moves; `tabia ingest` says what is in the files"
            ) from error
        accepted = fates.pop("accepted", 0)
        return shown.Read(
            Positions.read(table_), _names_of(games), accepted, fates, reader.finish()
        )


def _names_of(games: Path) -> dict[int, str]:
    """Return the file of each game, and which of its records it is, counted from 1."""
    rows = parquet.read(games, ["game_id", "file", "ordinal"]).to_pylist()
    return {row["game_id"]: f"{row['file']} {row['ordinal'] + 1}" for row in rows}


def _warn_of_training(imitator: Imitator) -> None:
    print(
        f"{imitator.about['model']}: these figures are honest only for games that the model was"
        " not trained on",
        file=sys.stderr,
    )


def predict_next(
    model: Path,
    *,
    fen: str | None,
    moves: str,
    elo: int | None,
    opponent_elo: int | None,
    temperature: float,
    top_p: float,
    top: int,
    as_json: bool,
) -> int:
    """Print the distribution that a model expects at a position.

    Parameters
    ----------
    fen
        Where the moves begin; None = the game's own start.
    moves
        Moves since, separated by blanks; empty for none.
    elo, opponent_elo
        Of the side to move and its opponent; None = the middle of the model's bin, or unknown.
    temperature, top_p
        As of the agent; 1 and 1 show the model's own distribution.
    top
        Moves shown.

    Raises
    ------
    PredictError
        If the FEN or a move is not legal, or the game is over.
    """
    imitator = load(model)
    try:
        codes = _codes(imitator.game, fen, moves)
        own = imitator.elo() if elo is None else elo
        other = own if opponent_elo is None else opponent_elo
        legal, p, prediction = imitator.next_move(Line(fen, codes, own, other))
    except (ImitatorError, ValueError) as error:
        raise PredictError(str(error)) from error
    share = nucleus(tempered(p, temperature), top_p)
    order = np.argsort(-share, kind="stable")
    order = order[share[order] > 0]
    rows = []
    for place in order[:top]:
        text, notation = _names(imitator.game, fen, codes, int(legal[place]))
        rows.append({"move": text, "notation": notation, "p": float(share[place])})
    result = _result(prediction)
    if as_json:
        about = {key: imitator.about[key] for key in ("game", "model", "bin", "fold")}
        print(
            json.dumps(
                {
                    "model": about,
                    "elo": own,
                    "opponent_elo": other,
                    "moves": rows,
                    "legal": len(legal),
                    "result": result,
                },
                ensure_ascii=False,
                indent=2,
            )
        )
        return 0
    more = (len(order) - len(rows), float(share[order[top:]].sum()))
    mover = _mover(imitator.game, fen, len(codes))
    print(shown.next_as_text(imitator, mover, own, rows, more, result))
    return 0


def _mover(game: str, fen: str | None, moves: int) -> str:
    """Return the side to move after some moves."""
    sides = {"xiangqi": ("Red", "Black"), "chess": ("White", "Black"), "go": ("Black", "White")}
    begins_second = fen is not None and fen.split()[1:2] == [SECOND[game]]
    return sides[game][(moves % 2 == 1) ^ begins_second]


def _result(prediction: Prediction) -> dict[str, float] | None:
    if prediction.result is None:
        return None
    shares = (float(share) for share in prediction.result[0])
    return dict(zip(("lose", "draw", "win"), shares, strict=True))


def _codes(game: str, fen: str | None, moves: str) -> list[int]:
    """Return the codes of moves in any notation of the game; their numbers may stand before them.

    Raises
    ------
    ValueError
        Naming the move that is none, or is not legal.
    """
    texts = _NUMBER.sub(" ", moves).split()
    if game == "xiangqi":
        read = read_moves(texts, fen)
        if read.fault is not None:
            raise _fault(texts, len(read.codes), read.fault)
        return list(read.codes)
    if game == "go":
        return _go_codes(fen, texts)
    board = chess_board.Board(fen)
    codes = []
    for place, text in enumerate(texts):
        try:
            codes.append(chess_board.parse_san(board, text))
        except chess_board.IllegalMoveError as error:
            raise ValueError(f"move {place + 1} of {len(texts)}: {error}") from error
        board.push(codes[-1])
    return codes


def _go_codes(fen: str | None, texts: Sequence[str]) -> list[int]:
    board = go_board.Board(fen, ko="simple")
    codes = []
    for place, text in enumerate(texts):
        try:
            codes.append(go_board.encode_vertex(text, board.size))
            board.push(codes[-1])
        except ValueError as error:
            raise ValueError(f"move {place + 1} of {len(texts)}: {error}") from error
    return codes


def _fault(texts: Sequence[str], place: int, fault: NotationError) -> ValueError:
    return ValueError(f"move {place + 1} of {len(texts)}: {fault}")


def _names(game: str, fen: str | None, codes: Sequence[int], code: int) -> tuple[str, str]:
    """Return a move in the notation of engines and in that of people."""
    if game == "xiangqi":
        ucci = write_moves([*codes, code], fen, "ucci")[-1]
        return ucci, write_moves([*codes, code], fen, "wxf")[-1]
    if game == "go":
        vertex = go_board.decode_vertex(code, go_board.Board(fen).size)
        return vertex, vertex
    board = chess_board.Board(fen)
    for played in codes:
        board.push(played)
    return chess_board.decode_uci(code), chess_board.san(board, code)
