"""What a net learns from records: the moves that were played and how the games ended.

Positions are those of the search's own encoder, under the learner's rules and the komi that the
record's rules give White. A game is read up to where the learner's rules end it or forbid its next
move: records of Go go on after two passes, or repeat a position that another set of rules forbids.
The value is learned from results, the score from games that were counted; who owned the points
nobody wrote down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numpy.typing import NDArray

from tabia.learning.training import Batch
from tabia.records.hashing import mix, unit_of
from tabia.search.chosen_records import UNKNOWN, RecordsError, komi_of
from tabia.search.config import GoRules, Rules, SearchSettings
from tabia.search.lessons import Lessons, bits_of
from tabia.search.nets.config import NetShape
from tabia.search.nets.inputs import split
from tabia.search.nets.loss import Targets
from tabia.search.trees import Trees

__all__ = ["RecordLessons", "read_games"]

_SHARE = 0x534841524500000A
_POINTS = re.compile(r"(\d+(?:\.\d+)?) points")

Array = NDArray[np.float32]


@dataclass(frozen=True)
class RecordLessons:
    """Positions of records, packed: planes are bits, and moves are labels.

    Attributes
    ----------
    shape
        What the net reads, on the records' own board.
    packed
        ``[n, bytes]`` uint8, the bits of ``[planes, rows, columns]``.
    numbers
        ``[n, numbers]`` float32.
    label
        ``[n]`` uint16 label of the move that was played.
    result
        ``[n]`` int8 from the mover's view: 1, 0, -1, and 2 where unknown.
    score
        ``[n]`` float32 points ahead at the end, mover's view, NaN where unknown.
    heads
        Whether the net predicts score, and ownership.
    symmetries
        Whether rows are shown in random symmetries, drawn by torch's generator.
    games
        Number of games.
    cut
        Games among them whose end was left out.
    """

    shape: NetShape
    packed: NDArray[np.uint8]
    numbers: Array
    label: NDArray[np.uint16]
    result: NDArray[np.int8]
    score: Array
    heads: tuple[bool, bool]
    symmetries: bool
    games: int
    cut: int

    def __len__(self) -> int:
        return len(self.packed)

    def lessons(self, index: npt.NDArray[np.intp]) -> Lessons:
        """Return some rows, unpacked."""
        shape, n = self.shape, len(index)
        board = (shape.planes, shape.rows, shape.columns)
        bits = np.unpackbits(self.packed[index], axis=1, count=int(np.prod(board)))
        policy = np.zeros((n, shape.moves), np.float32)
        policy[np.arange(n), self.label[index]] = 1
        value = np.zeros((n, 3), np.float32)
        known = np.flatnonzero(self.result[index] != UNKNOWN)
        value[known, 1 - self.result[index][known].astype(np.intp)] = 1
        return Lessons(
            shape=shape,
            planes=bits.reshape(n, *board),
            numbers=self.numbers[index],
            policy=policy,
            value=value,
            weight=np.ones(n, np.float32),
            score=self.score[index] if self.heads[0] else None,
            owner=np.full((n, *board[1:]), -2, np.int8) if self.heads[1] else None,
            symmetries=self.symmetries,
            games=self.games,
        )

    def take(self, index: npt.NDArray[np.intp]) -> Batch:
        """Return planes, numbers and targets, as :meth:`Lessons.take` does."""
        return self.lessons(index).take(np.arange(len(index)))

    def targets(self, batch: Batch) -> Targets:
        """Return the targets in what :meth:`take` gave."""
        return self.lessons(np.empty(0, np.intp)).targets(batch)


def read_games(
    table: pa.Table,
    rules: Rules,
    shape: NetShape,
    *,
    heads: tuple[bool, bool],
    share: float,
    symmetries: bool,
) -> RecordLessons:
    """Play games out and encode the positions before their moves.

    Parameters
    ----------
    table
        As :func:`chosen` gives it.
    rules
        The learner's, for the records' board.
    shape
        What the net reads there.
    heads
        Whether the net predicts score, and ownership.
    share
        Of the positions of each game, drawn by content.
    symmetries
        Whether rows are shown in random symmetries.

    Raises
    ------
    RecordsError
        If no position is left.
    """
    trees: dict[float, Trees] = {}
    packed: list[NDArray[np.uint8]] = []
    numbers: list[Array] = []
    rows: list[tuple[int, int, float]] = []
    cut = 0
    for game in table.to_pylist():
        komi = komi_of(game, rules.rules) if isinstance(rules, GoRules) else 0.0
        if komi not in trees:
            own = rules.model_copy(update={"komi": komi}) if isinstance(rules, GoRules) else rules
            trees[komi] = Trees(own, SearchSettings(), 1, history=shape.history)
        encoded: list[Array] = []
        plies = 0
        for planes, label, mover in _positions(trees[komi], game, share):
            plies += 1
            if planes is not None:
                encoded.append(planes)
                result = UNKNOWN if game["result"] is None else game["result"] * mover
                rows.append((label, result, _score(game) * mover))
        cut += plies < len(game["moves"])
        if encoded:
            boards, apart = split(np.stack(encoded), shape)
            packed.append(np.packbits(bits_of(boards).reshape(len(boards), -1), axis=1))
            numbers.append(apart)
    if not packed:
        raise RecordsError(f"{table.num_rows} games and no position; raise share or games")
    labels, results, scores = zip(*rows, strict=True)
    return RecordLessons(
        shape=shape,
        packed=np.concatenate(packed),
        numbers=np.ascontiguousarray(np.concatenate(numbers), np.float32),
        label=np.array(labels, np.uint16),
        result=np.array(results, np.int8),
        score=np.array(scores, np.float32),
        heads=heads,
        symmetries=symmetries,
        games=table.num_rows,
        cut=cut,
    )


def _positions(
    trees: Trees, game: Mapping[str, Any], share: float
) -> Iterator[tuple[Array | None, int, int]]:
    """Yield the planes before each move, its label, and 1 where the first player makes it.

    There are no planes where the position is not drawn.
    """
    searcher = trees.searcher
    plies = mix(np.arange(len(game["moves"]), dtype=np.uint64))
    drawn = unit_of(plies ^ np.uint64(game["split_hash"]), _SHARE) < share
    trees.reset(0, game["start_fen"])
    for code, is_drawn in zip(game["moves"], drawn, strict=True):
        legal = searcher.legal_moves(0)
        if code not in legal:
            return
        label = searcher.legal_labels(0)[legal.index(code)]
        mover = 1 if searcher.root(0)[3] == 0 else -1
        yield (searcher.encode(0) if is_drawn else None), label, mover
        trees.play(0, code)


def _score(game: Mapping[str, Any]) -> float:
    """Return the points that the first player was ahead at the end, NaN where nobody counted."""
    if game["board_size"] is None or game["result"] is None:
        return float("nan")
    if game["result"] == 0:
        return 0.0
    counted = _POINTS.fullmatch(game["termination"] or "")
    return float("nan") if counted is None else game["result"] * float(counted[1])
