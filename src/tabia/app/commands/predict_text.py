"""What ``tabia predict`` prints, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tabia._native import chess_board
from tabia.app.commands.one_line import one_line
from tabia.games.go import GoGame
from tabia.games.xiangqi import GAME as XIANGQI
from tabia.imitation.imitator import Imitator
from tabia.imitation.measures import UNITS
from tabia.imitation.names import ALL, FINAL
from tabia.imitation.positions import Positions
from tabia.learning.bootstrap import Estimate, UndefinedError

__all__ = ["Read", "Said", "as_json", "as_text", "each_as_text", "next_as_text"]

_DECODERS: Mapping[str, Callable[[int], str]] = {
    "xiangqi": XIANGQI.decode,
    "chess": chess_board.decode_uci,
}


@dataclass(frozen=True)
class Read:
    """Games that were read, and what was not.

    Attributes
    ----------
    positions
        Their moves, each game once.
    names
        Of games by id, as they were read: the file, and which of its records, from 1.
    accepted, rejected
        Records by what became of them.
    notes
        What the reader has to say at the end.
    """

    positions: Positions
    names: Mapping[int, str]
    accepted: int
    rejected: Counter[str]
    notes: Sequence[str]


@dataclass(frozen=True)
class Said:
    """What a model said of the games that were read.

    Attributes
    ----------
    predicted
        Under :data:`tabia.imitation.predictions.PREDICTIONS`.
    values
        Every measure; not finite where these moves do not determine it.
    found
        Every measure with its interval, or the reason why it has none.
    """

    imitator: Imitator
    read: Read
    predicted: pa.Table
    values: Mapping[str, float]
    found: Mapping[str, Estimate | UndefinedError]

    @property
    def games(self) -> int:
        """Games that have a predicted move."""
        return len(np.unique(self.predicted["game_id"].to_numpy()))

    @property
    def left_out(self) -> int:
        """Accepted games that are repeated, have no moves, or begin with a position of no game."""
        return self.read.accepted - len(np.unique(self.read.positions.game_id))


def as_json(said: Said, *, each: bool) -> dict[str, Any]:
    """Return the measures as plain values; with `each`, also what was said of every move."""
    measured: dict[str, dict[str, Any]] = {}
    for name, value in said.values.items():
        one = said.found[name]
        row: dict[str, Any] = {"value": value if np.isfinite(value) else None, "unit": UNITS[name]}
        if isinstance(one, Estimate):
            row |= {"lo": one.lo, "hi": one.hi, "interval": one.method, "moves": one.n_positions}
        else:
            row |= {"lo": None, "hi": None, "interval": None, "why": str(one)}
        measured[name] = row
    found: dict[str, Any] = {
        "model": {key: said.imitator.about[key] for key in ("game", "model", "bin", "fold")},
        "games": said.games,
        "moves": said.predicted.num_rows,
        "rejected": dict(sorted(said.read.rejected.items())),
        "left_out": said.left_out,
        "measures": measured,
    }
    return found | ({"each": list(_moves(said))} if each else {})


def _moves(said: Said) -> Iterator[dict[str, Any]]:
    """Yield what was said of every move, in the order of the files and of the moves."""
    decoders = _decoders(said)
    place = {game: number for number, game in enumerate(said.read.names)}
    rows = said.predicted.to_pylist()
    for row in sorted(rows, key=lambda row: (place[row["game_id"]], row["ply"])):
        decode = decoders[row["game_id"]]
        yield {
            "game": said.read.names[row["game_id"]],
            "ply": row["ply"],
            "elo": row["mover_elo"],
            "move": decode(row["move"]),
            "p": row["p"],
            "rank": row["rank"],
            "likeliest": decode(row["top_move"]),
            "likeliest_p": row["top_p"],
        }


def _decoders(said: Said) -> dict[int, Callable[[int], str]]:
    """Return what writes the moves of each game: a vertex of Go is counted from its own edge."""
    if said.imitator.game != "go":
        return dict.fromkeys(said.read.names, _DECODERS[said.imitator.game])
    positions = said.read.positions
    games, first = np.unique(positions.game_id, return_index=True)
    sizes = positions.board[first, 0].tolist()
    return {
        game: GoGame(size=size).decode for game, size in zip(games.tolist(), sizes, strict=True)
    }


def each_as_text(said: Said) -> Iterator[str]:
    """Yield a table a game, line by line: each move, its rank and probability, the likeliest."""
    game = None
    for row in _moves(said):
        if row["game"] != game:
            game = row["game"]
            yield one_line(game)
            yield f"{'ply':>5}  {'move':<6}{'rank':>5}{'p':>10}  {'likeliest':<10}{'p':>9}"
        yield (
            f"{row['ply']:>5}  {row['move']:<6}{row['rank']:>5}{100 * row['p']:>8.2f} %"
            f"  {row['likeliest']:<10}{100 * row['likeliest_p']:>7.2f} %"
        )


def as_text(said: Said, confidence: float) -> str:
    """Return the table of the measures, with what stands behind them."""
    rejected, left_out = said.read.rejected.total(), said.left_out
    moves, games = _count(said.predicted.num_rows, "move"), _count(said.games, "game")
    head = f"{_model(said.imitator.about)}: {moves} of {games}"
    head += f", {_count(rejected, 'record')} rejected" if rejected else ""
    head += f", {_count(left_out, 'game')} repeated or without moves" if left_out else ""
    lines = [head, f"{'measure':<18}{'value':>9}       {100 * confidence:.4g}% interval by game"]
    reasons: dict[str, None] = {}
    for name, value in said.values.items():
        one = said.found[name]
        share = UNITS[name] == "share"
        scale, unit, digits = (100, "%", 2) if share else (1, UNITS[name], 4)
        shown = f"{scale * value:.{digits}f}" if np.isfinite(value) else "–"
        if isinstance(one, Estimate):
            ends = f"[{scale * one.lo:.{digits}f}, {scale * one.hi:.{digits}f}]"
        else:
            ends = "–"
            reasons[str(one)] = None
        lines.append(f"{name:<18}{shown:>9} {unit:<4}  {ends}")
    lines += [f"no interval: {reason}" for reason in reasons]
    return "\n".join(lines)


def next_as_text(
    imitator: Imitator, mover: str, elo: int | None, rows: Sequence[Mapping[str, Any]],
    more: tuple[int, float], result: Mapping[str, float] | None,
) -> str:  # fmt: skip
    """Return what a model expects in a position, a line a move.

    Parameters
    ----------
    mover
        The side to move.
    elo
        Its Elo, as the model was told; None where it is not known.
    rows
        The likeliest moves: ``move``, ``notation``, ``p``.
    more
        How many others there are, and their probability together.
    result
        The game's result as the model expects it, from the mover's view; None if it tells none.
    """
    who = f"{mover} to move, Elo {'not given' if elo is None else elo}"
    lines = [f"{_model(imitator.about)}: {who}"]
    lines += [f"{row['notation']:<8} {row['move']:<6} {100 * row['p']:6.2f} %" for row in rows]
    if more[0]:
        lines.append(f"{f'{more[0]} more':<15} {100 * more[1]:6.2f} %")
    if result is not None:
        shares = (f"{name}s {100 * share:.0f} %" for name, share in result.items())
        lines.append(f"{mover} {', '.join(shares)}")
    return "\n".join(lines)


def _model(about: Mapping[str, Any]) -> str:
    """Name a model, its game, and what it learned from."""
    elo = "all Elos" if about["bin"] == ALL else f"Elo {about['bin']}"
    held = "" if about["fold"] == FINAL else f", without fold {about['fold']}"
    return f"{about['model']} ({about['game']}, {elo}{held})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
