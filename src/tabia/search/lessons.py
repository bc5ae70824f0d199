"""What a net learns from games of self-play: positions as it sees them, and what it should say.

Two schemes of targets:

* ``visits`` (Silver et al. 2018): the policy of every full search, the game's result as value.
* ``winner`` (the Go player): in the winner's positions the move that it played; in the loser's
  another move than the one it played, drawn from the net's own distribution over the rest; the
  game's result as value. Its text leaves open what a drawn game teaches and what happens where
  only one move is legal: here a draw teaches the moves that were played, and a loser without
  another move teaches none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import torch
from numpy.typing import NDArray

from tabia.learning.training import Batch
from tabia.records.hashing import unit_of
from tabia.search.config import GoRules, Rules, SearchSettings
from tabia.search.learning_config import Learning
from tabia.search.nets.config import NetShape
from tabia.search.nets.inputs import split
from tabia.search.nets.loss import Targets
from tabia.search.nets.symmetry import Symmetries
from tabia.search.trees import Trees
from tabia.tables import parquet

__all__ = ["Lessons", "bits_of", "read", "surprise", "targets_of"]

_HELD = 0x48454C4400000009
_READ = ("number", "ply", "value", "moves", "priors", "policy")

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Lessons:
    """Positions and targets, from the mover's view.

    Attributes
    ----------
    shape
        What the net reads.
    planes
        ``[n, planes, rows, columns]`` uint8: planes of 0 and 1.
    numbers
        ``[n, numbers]`` float32.
    policy
        ``[n, moves]`` float32; a row of zeros has no target.
    value
        ``[n, 3]`` float32 shares of win, draw and loss.
    weight
        ``[n]`` float32, 1 on average.
    score
        ``[n]`` float32 points ahead at the end, NaN where unknown; None if the net has no such
        head.
    owner
        ``[n, rows, columns]`` int8, 1 the mover's, -1 the opponent's, 0 nobody's, -2 unknown; None
        if the net has no such head.
    symmetries
        Whether rows are shown in random symmetries, drawn by torch's generator.
    games
        Number of games that the positions are of.
    """

    shape: NetShape
    planes: NDArray[np.uint8]
    numbers: Array
    policy: Array
    value: Array
    weight: Array
    score: Array | None
    owner: NDArray[np.int8] | None
    symmetries: bool
    games: int

    def __len__(self) -> int:
        return len(self.planes)

    def take(self, index: npt.NDArray[np.intp]) -> Batch:
        """Return planes, numbers and the parts of :class:`Targets` that there are."""
        planes = self.planes[index].astype(np.float32)
        policy = self.policy[index]
        owner: Array | None = None
        if self.owner is not None:
            owner = self.owner[index].astype(np.float32)
            owner[owner == -2] = np.nan
        if self.symmetries:
            known = Symmetries(self.shape)
            # torch's generator, because a training that goes on restores its state.
            which = torch.randint(len(known), (len(index),)).numpy()
            planes, policy = known.change_planes(planes, which), known.change_moves(policy, which)
            owner = None if owner is None else known.change_planes(owner, which)
        parts = [planes, self.numbers[index], policy, self.value[index], self.weight[index]]
        if self.score is not None:
            parts.append(self.score[index])
        if owner is not None:
            parts.append(owner)
        return tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in parts)

    def targets(self, batch: Batch) -> Targets:
        """Return the targets in what :meth:`take` gave."""
        rest = iter(batch[5:])
        return Targets(
            policy=batch[2],
            value=batch[3],
            weight=batch[4],
            score=None if self.score is None else next(rest),
            ownership=None if self.owner is None else next(rest),
        )


def surprise(policy: Sequence[Array], priors: Sequence[Array]) -> NDArray[np.float64]:
    """Kullback-Leibler divergence of the net's prior from the search's policy, nats, a position.

    Parameters
    ----------
    policy, priors
        Shares of the legal moves, each summing to 1.
    """
    found = np.zeros(len(policy))
    for i, (wanted, given) in enumerate(zip(policy, priors, strict=True)):
        some = wanted > 0
        ratio = wanted[some] / np.maximum(given[some], 1e-9)
        found[i] = max(0.0, float((wanted[some] * np.log(ratio)).sum(dtype=np.float64)))
    return found


def targets_of(
    scheme: str,
    position: dict[str, Any],
    played: int | None,
    result: int,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Shares of the legal moves that the policy should have in one position.

    Parameters
    ----------
    scheme
        ``visits`` or ``winner``.
    position
        Row of the table of positions.
    played
        Code that was played; None if the mover resigned.
    result
        Of the game, mover's view: 1, 0, -1.
    rng
        Draws the loser's other move.

    Returns
    -------
    ``[m]`` float32, summing to 1, or zeros where there is nothing to learn.
    """
    policy = np.asarray(position["policy"], np.float32)
    if scheme == "visits":
        return policy
    moves = np.asarray(position["moves"])
    found = np.zeros(len(moves), np.float32)
    if played is None:
        return found
    if result >= 0:
        found[moves == played] = 1
        return found
    rest = np.where(moves == played, 0.0, np.asarray(position["priors"], np.float64))
    if rest.sum() > 0:
        found[rng.choice(len(rest), p=rest / rest.sum())] = 1
    return found


@dataclass
class _Rows:
    """Rows in the making."""

    planes: list[Array]
    policy: list[Array]
    value: list[Array]
    weight: list[float]
    score: list[float]
    owner: list[NDArray[np.int8]]
    game: list[int]
    drawn: float  # share of the games


def read(
    files: Sequence[tuple[Path, Path]],
    rules: Rules,
    shape: NetShape,
    settings: Learning,
    scheme: str,
    *,
    heads: tuple[bool, bool],
    seed: int,
) -> tuple[Lessons, Lessons]:
    """Read what a window of games teaches.

    Parameters
    ----------
    files
        Pairs of tables, `SELFPLAY_GAMES` and `SELFPLAY_POSITIONS`.
    rules, shape
        The game, and what the net reads.
    settings
        Of learning.
    scheme
        Of targets, ``visits`` or ``winner``.
    heads
        Whether the net predicts score, and ownership.
    seed
        Of the loser's other moves.

    Returns
    -------
    What is learned from, and what is held back: whole games of about the share `settings.held`.

    Raises
    ------
    ValueError
        If no full search is among them.
    """
    rows = _Rows([], [], [], [], [], [], [], _drawn(files))
    trees = Trees(rules, SearchSettings(), 1, history=shape.history)
    for which, (games, positions) in enumerate(files):
        _of_file(rows, which, games, positions, trees, rules, settings, scheme, seed)
    if not rows.planes:
        names = ", ".join(str(positions) for _, positions in files)
        raise ValueError(f"{names}: no position that a net could learn from")
    planes, numbers = split(np.stack(rows.planes), shape)
    unit = unit_of(np.array(rows.game, np.uint64), _HELD)
    # By the game itself, not by its place: the window moves on, and a game stays on its side.
    held = unit < max(settings.held, np.unique(unit)[0] + 1e-12)
    if held.all():
        raise ValueError(
            f"{files[0][0]} and the rest of the window: all games are the same, so that none can be"
            " held back; draw moves (selfplay.search.move.schedule) or give searches noise"
        )
    whole = Lessons(
        shape=shape,
        planes=bits_of(planes),
        numbers=np.ascontiguousarray(numbers, np.float32),
        policy=np.stack(rows.policy),
        value=np.stack(rows.value),
        weight=np.array(rows.weight, np.float32),
        score=np.array(rows.score, np.float32) if heads[0] else None,
        owner=np.stack(rows.owner) if heads[1] else None,
        symmetries=settings.symmetries,
        games=len(set(rows.game)),
    )
    of_game = np.array(rows.game, np.uint64)
    return (
        _some(whole, ~held, settings.symmetries, of_game),
        _some(whole, held, False, of_game),
    )


def bits_of(planes: Array) -> NDArray[np.uint8]:
    """Return planes of 0 and 1 as such; ValueError if there is another value."""
    bits = planes.astype(np.uint8)
    if not np.array_equal(bits, planes):
        raise ValueError("planes with other values than 0 and 1; keep them apart as numbers")
    return bits


def _some(
    all_rows: Lessons, which: NDArray[np.bool_], symmetries: bool, game: NDArray[np.uint64]
) -> Lessons:
    return Lessons(
        shape=all_rows.shape,
        planes=all_rows.planes[which],
        numbers=all_rows.numbers[which],
        policy=all_rows.policy[which],
        value=all_rows.value[which],
        weight=all_rows.weight[which],
        score=None if all_rows.score is None else all_rows.score[which],
        owner=None if all_rows.owner is None else all_rows.owner[which],
        symmetries=symmetries,
        games=len(np.unique(game[which])),
    )


def _of_file(
    rows: _Rows,
    which: int,
    games: Path,
    positions: Path,
    trees: Trees,
    rules: Rules,
    settings: Learning,
    scheme: str,
    seed: int,
) -> None:
    by_game = _by_game(parquet.read(positions))
    for game in parquet.read(games).to_pylist():
        full = {row["ply"]: row for row in by_game.get(game["number"], [])}
        rng = np.random.default_rng(np.random.SeedSequence((seed, which, game["number"])))
        own = _digest(game["moves"])
        weights = _weights(list(full.values()), settings.surprise)
        trees.reset(0)
        for ply, code in enumerate([*game["moves"], None]):
            if ply in full:
                _add(rows, full[ply], code, game, trees, rules, settings, scheme, rng)
                rows.weight.append(weights[ply])
                rows.game.append(own)
            if code is not None:
                trees.play(0, code)


def _digest(moves: Sequence[int]) -> int:
    text = np.asarray(moves, np.uint16).tobytes()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _by_game(table: pa.Table) -> dict[int, list[dict[str, Any]]]:
    """Return the full searches of each game."""
    # Python objects are dear: three in four rows of playout caps are none of ours.
    table = table.select([*_READ, "is_full"]).filter(pc.field("is_full"))
    found: dict[int, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        found.setdefault(row["number"], []).append(row)
    return found


def _weights(full: Sequence[dict[str, Any]], share: float) -> dict[int, float]:
    """Return weights by ply: their sum is the number of positions, as all weighed the same."""
    found = surprise(
        [np.asarray(row["policy"]) for row in full], [np.asarray(row["priors"]) for row in full]
    )
    mean = found.mean() if len(found) else 0.0
    relative = found / mean if mean > 0 else np.ones(len(found))
    return {
        row["ply"]: float(1 - share + share * one) for row, one in zip(full, relative, strict=True)
    }


def _add(
    rows: _Rows,
    position: dict[str, Any],
    played: int | None,
    game: dict[str, Any],
    trees: Trees,
    rules: Rules,
    settings: Learning,
    scheme: str,
    rng: np.random.Generator,
) -> None:
    searcher = trees.searcher
    mover = 1 if trees.root(0).first_to_move else -1
    result = game["result"] * mover
    policy = np.zeros(searcher.labels, np.float32)
    if searcher.legal_moves(0) != position["moves"]:
        raise ValueError(
            f"game {position['number']}, ply {position['ply']}: the table's moves are not the legal"
            " ones; the games were played by other rules"
        )
    policy[searcher.legal_labels(0)] = targets_of(scheme, position, played, result, rng)
    rows.planes.append(searcher.encode(0))
    rows.policy.append(policy)
    rows.value.append(_value(result, position["value"], settings.search_value, rows.drawn))
    margin, owner = game["margin"], game["owner"]
    rows.score.append(np.nan if margin is None else margin * mover)
    if isinstance(rules, GoRules):
        rows.owner.append(_owner(owner, rules.size, mover))


def _value(result: int, value: float, share: float, drawn: float) -> NDArray[np.float32]:
    target = np.zeros(3, np.float32)
    target[1 - result] = 1 - share
    # A value of 0 is no certain draw: as often a draw as games are, else won as often as lost.
    draw = drawn * (1 - abs(value))
    target += share * np.array([(1 - draw + value) / 2, draw, (1 - draw - value) / 2], np.float32)
    return target


def _drawn(files: Sequence[tuple[Path, Path]]) -> float:
    """Return the share of the games that are drawn."""
    results = [parquet.read(games)["result"].to_numpy() for games, _ in files]
    return float(np.mean(np.concatenate(results) == 0))


def _owner(owner: bytes | None, size: int, mover: int) -> NDArray[np.int8]:
    if owner is None:
        return np.full((size, size), -2, np.int8)
    sides = np.array([0, 1, -1], np.int8)[np.frombuffer(owner, np.uint8)]
    return (sides * np.int8(mover)).reshape(size, size)
