"""What nets end in: moves, value, and for Go score and ownership."""

from __future__ import annotations

import math

import torch
from torch import nn

from tabia.games import chess_moves, xiangqi_moves
from tabia.search.nets.blocks import Pool, conv, convolved

__all__ = ["FlatPolicy", "FlatValue", "FromToPolicy", "PointPolicy", "PooledValue", "from_to"]

_SQUARE_WIDTH = 32  # of the vectors of squares
_SCORE_UNIT = 10.0  # points of one unit of the last layer


class FlatPolicy(nn.Module):
    """A 1×1 convolution and a fully connected layer: boards of one size."""

    def __init__(self, channels: int, filters: int, squares: int, moves: int) -> None:
        super().__init__()
        self.filters = convolved(channels, filters, 1)
        self.moves = nn.Linear(filters * squares, moves)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return logits ``[B, moves]``."""
        logits: torch.Tensor = self.moves(torch.relu(self.filters(x)).flatten(1))
        return logits


class FlatValue(nn.Module):
    """A 1×1 convolution and two fully connected layers: boards of one size."""

    def __init__(
        self, channels: int, filters: int, squares: int, hidden: int, *, scalar: bool
    ) -> None:
        super().__init__()
        self.filters = convolved(channels, filters, 1)
        self.hidden = nn.Linear(filters * squares, hidden)
        self.value = nn.Linear(hidden, 1 if scalar else 3)
        self._scalar = scalar

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return ``[B]`` from -1 to 1, or logits ``[B, 3]`` of win, draw and loss."""
        h = torch.relu(self.hidden(torch.relu(self.filters(x)).flatten(1)))
        value: torch.Tensor = self.value(h)
        return torch.tanh(value).squeeze(1) if self._scalar else value


class PointPolicy(nn.Module):
    """Go's moves: a number for every point, and the pass from the whole board (KataGo's head)."""

    def __init__(self, channels: int, filters: int, pool: Pool) -> None:
        super().__init__()
        self.points = convolved(channels, filters, 1)
        self.board = convolved(channels, filters, 1)
        self.pool = pool
        self.pooled = nn.Linear(pool.outputs, filters)
        self.point = conv(filters, 1, 1)
        self.pass_ = nn.Linear(pool.outputs, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return logits ``[B, rows * columns + 1]``, the pass last."""
        board = self.pool(torch.relu(self.board(x)))
        h = self.points(x) + self.pooled(board).unsqueeze(2).unsqueeze(3)
        point = self.point(torch.relu(h)).flatten(1)
        return torch.cat([point, self.pass_(board)], 1)


def from_to(game: str) -> tuple[list[int], list[int], list[int]]:
    """Return each label's start, end and promotion, from the mover's view.

    Squares are row * columns + column, row 0 the mover's own. Promotions are 1, 2, 3 for knight,
    bishop and rook, 0 for a queen and for none: their labels are the plain steps.

    Raises
    ------
    ValueError
        If the game has no from-to vocabulary.
    """
    if game == "chess":
        codes = list(chess_moves.FROM_TO)
        return [c & 63 for c in codes], [c >> 6 & 63 for c in codes], [c >> 12 for c in codes]
    if game == "xiangqi":
        codes = list(xiangqi_moves.FROM_TO)
        return [c // 90 for c in codes], [c % 90 for c in codes], [0] * len(codes)
    raise ValueError(f"{game} has no vocabulary of moves from a square to another")


class FromToPolicy(nn.Module):
    """Moves from square to square: products of a vector of the start and one of the end.

    A label's score is that product, a number of its own, and for promotions to knight, bishop or
    rook a number that the end square gives.
    """

    pair: torch.Tensor
    promoted: torch.Tensor
    is_promotion: torch.Tensor

    def __init__(self, channels: int, game: str, squares: int) -> None:
        super().__init__()
        starts, ends, promotions = from_to(game)
        self.start = nn.Conv2d(channels, _SQUARE_WIDTH, 1)
        self.end = nn.Conv2d(channels, _SQUARE_WIDTH, 1)
        self.label = nn.Parameter(torch.zeros(len(starts)))
        pairs = [start * squares + end for start, end in zip(starts, ends, strict=True)]
        self.register_buffer("pair", torch.tensor(pairs), persistent=False)
        self.promotion: nn.Conv2d | None = None
        if any(promotions):
            self.promotion = nn.Conv2d(channels, max(promotions), 1)
            places = [
                max(kind - 1, 0) * squares + end for end, kind in zip(ends, promotions, strict=True)
            ]
            self.register_buffer("promoted", torch.tensor(places), persistent=False)
            mask = torch.tensor(promotions) > 0
            self.register_buffer("is_promotion", mask.float(), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return logits ``[B, labels]``."""
        start = self.start(x).flatten(2).transpose(1, 2) * (1 / math.sqrt(_SQUARE_WIDTH))
        products = torch.matmul(start, self.end(x).flatten(2)).flatten(1)
        # index_select, because its gradient is a sum in a fixed order.
        logits = products.index_select(1, self.pair) + self.label
        if self.promotion is not None:
            of_end = self.promotion(x).flatten(1).index_select(1, self.promoted)
            logits = logits + of_end * self.is_promotion
        return logits


class PooledValue(nn.Module):
    """Value from means over the board, for boards of any size; score and ownership if wanted."""

    def __init__(
        self,
        channels: int,
        filters: int,
        hidden: int,
        pool: Pool,
        *,
        scalar: bool,
        score: bool,
        ownership: bool,
    ) -> None:
        super().__init__()
        self.filters = convolved(channels, filters, 1)
        self.pool = pool
        self.hidden = nn.Linear(pool.outputs, hidden)
        self.value = nn.Linear(hidden, 1 if scalar else 3)
        self.score = nn.Linear(hidden, 1) if score else None
        self.owner = conv(filters, 1, 1) if ownership else None
        self._scalar = scalar

    def forward(
        self, x: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
        """Return value, score ``[B]`` in points and ownership ``[B, rows, columns]``, -1 .. 1."""
        board = torch.relu(self.filters(x))
        h = torch.relu(self.hidden(self.pool(board)))
        value = self.value(h)
        if self._scalar:
            value = torch.tanh(value).squeeze(1)
        score = None if self.score is None else self.score(h).squeeze(1) * _SCORE_UNIT
        owner = None if self.owner is None else torch.tanh(self.owner(board)).squeeze(1)
        return value, score, owner
