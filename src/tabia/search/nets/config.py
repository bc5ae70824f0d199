"""Settings of the nets that guide a search: what goes in, which architecture, which loss.

Standard library and pydantic only. The numbers of planes are those of the native encoder
(``src/native/mcts/*_state.hpp``); a test holds them equal.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, model_validator

from tabia.tables.settings import Settings

__all__ = [
    "AlphaZero",
    "Architecture",
    "Game",
    "GoPlayer",
    "LossWeights",
    "NetShape",
    "Small",
    "architecture_of",
    "search_shape",
]

Game = Literal["chess", "xiangqi", "go"]
ValueKind = Literal["wdl", "scalar"]
Planes = Annotated[int, Field(ge=1, le=1000)]
Depth = Annotated[int, Field(ge=1, le=200)]
Width = Annotated[int, Field(ge=1, le=4096)]
Weight = Annotated[float, Field(ge=0, le=1e6)]

_BOARDS: dict[str, tuple[int, int, int]] = {"chess": (8, 8, 1858), "xiangqi": (10, 9, 2086)}
# Planes a position of history, planes beside them, which of the latter are constant over the board,
# plain numbers, and which of them a net reads only where it is asked to: liberties.
_ENCODED: dict[str, tuple[int, int, tuple[int, ...], tuple[int, ...]]] = {
    "chess": (13, 6, (0, 1, 2, 3, 5), ()),
    "xiangqi": (15, 1, (0,), ()),
    "go": (2, 7, (1, 2, 3), (4, 5, 6)),
}


class NetShape(Settings):
    """What a net reads and which moves it knows."""

    game: Game
    """Name as in the games table."""
    planes: Planes
    """Planes of the board, from the mover's view."""
    numbers: Annotated[int, Field(ge=0, le=1000)] = 0
    """Numbers beside the planes: komi from the mover's view, side to move, counters."""
    rows: Annotated[int, Field(ge=5, le=19)]
    """Ranks of the board."""
    columns: Annotated[int, Field(ge=5, le=19)]
    """Files of the board."""
    moves: Annotated[int, Field(ge=1, le=10_000)]
    """Labels of the policy: Go's points, row by row, and the pass; else the from-to vocabulary."""
    history: Annotated[int, Field(ge=1, le=16)] = 1
    """Positions that the planes show, the present one included."""
    number_planes: tuple[int, ...] = ()
    """Planes of the search's encoder that are constant over the board and become `numbers`, in
    this order."""
    unread_planes: tuple[int, ...] = ()
    """Planes of the search's encoder that the net does not read. All the others, in the encoder's
    order, are `planes`."""

    @property
    def encoded_planes(self) -> int:
        """Planes of the search's encoder."""
        return self.planes + len(self.number_planes) + len(self.unread_planes)

    @model_validator(mode="after")
    def _fits(self) -> NetShape:
        rows, columns, moves = _BOARDS.get(self.game, (self.rows, self.rows, self.rows**2 + 1))
        if (self.rows, self.columns, self.moves) != (rows, columns, moves):
            raise ValueError(
                f"{self.game} of {self.rows} × {self.columns} points with {self.moves} moves;"
                f" {rows} × {columns} has {moves}"
            )
        apart = self.number_planes + self.unread_planes
        if len(set(apart)) < len(apart) or any(not 0 <= one < self.encoded_planes for one in apart):
            raise ValueError(
                f"number_planes {list(self.number_planes)} and unread_planes"
                f" {list(self.unread_planes)} must be different planes of {self.encoded_planes}"
            )
        if self.number_planes:
            inside = all(0 <= plane < self.encoded_planes for plane in self.number_planes)
            if len(set(self.number_planes)) != self.numbers or not inside:
                raise ValueError(
                    f"number_planes {list(self.number_planes)} must name {self.numbers} different"
                    f" planes of {self.encoded_planes}"
                )
        return self

    def resized(self, size: int) -> NetShape:
        """Return the shape for a Go board of another size.

        Raises
        ------
        ValueError
            If the game is not Go.
        """
        if self.game != "go":
            raise ValueError(f"{self.game} has boards of one size only")
        board = {"rows": size, "columns": size, "moves": size * size + 1}
        return NetShape.model_validate(self.model_dump() | board)


def search_shape(
    game: Game,
    *,
    history: int = 1,
    size: int = 19,
    numbers_apart: bool = True,
    liberties: bool = False,
) -> NetShape:
    """Return the shape of the native search's encoder.

    Parameters
    ----------
    game
        Name.
    history
        Positions shown, the present one included.
    size
        Of a Go board; of no account else.
    numbers_apart
        Whether the planes that are constant over the board become numbers; else they stay planes.
    liberties
        Go: whether the planes of chains with few liberties are read. No other game has them.
    """
    of_position, others, constant, extra = _ENCODED[game]
    planes = of_position * history + others
    numbers = tuple(of_position * history + i for i in constant) if numbers_apart else ()
    unread = () if liberties else tuple(of_position * history + i for i in extra)
    rows, columns, moves = _BOARDS.get(game, (size, size, size * size + 1))
    return NetShape(
        game=game,
        planes=planes - len(numbers) - len(unread),
        numbers=len(numbers),
        rows=rows,
        columns=columns,
        moves=moves,
        history=history,
        number_planes=numbers,
        unread_planes=unread,
    )


class GoPlayer(Settings):
    """The Go player's net: pre-activation bottleneck units (He et al. 2016, "Identity mappings").

    The paper's table of layers did not survive in the text at hand; sizes are ours.
    """

    architecture: Literal["go_player"] = "go_player"
    channels: Width = 128
    """Filters of the trunk."""
    narrow: Width = 32
    """Filters inside a unit: a quarter of the trunk's, as He et al. have it."""
    blocks: Depth = 3
    """Residual blocks."""
    units: Depth = 3
    """Residual units a block."""
    hidden: Width = 256
    """Units of the value head's fully connected layer."""
    value: ValueKind = "wdl"
    """A classifier of results, as in the paper, with a draw beside its two classes."""


class AlphaZero(Settings):
    """The plain residual net of Silver et al. (2017, 2018): two 3×3 convolutions a block."""

    architecture: Literal["alphazero"] = "alphazero"
    channels: Width = 128
    """Filters; 256 in the papers."""
    blocks: Depth = 10
    """Residual blocks; 19 or 39 in the papers."""
    policy_filters: Width = 2
    """Filters of the policy head."""
    value_filters: Width = 1
    """Filters of the value head."""
    hidden: Width = 256
    """Units of the value head's fully connected layer."""
    value: ValueKind = "scalar"
    """A number from -1 to 1, as in the papers, or win, draw and loss."""


class Small(Settings):
    """A net for CPUs: global pooling, heads without fixed size, score and ownership for Go."""

    architecture: Literal["small"] = "small"
    channels: Width = 64
    """Filters of the trunk."""
    blocks: Depth = 5
    """Residual blocks."""
    block: Literal["plain", "nested"] = "plain"
    """Two 3×3 convolutions; or two such blocks at half the width between 1×1 convolutions."""
    pool_every: Annotated[int, Field(ge=0, le=200)] = 2
    """One of so many blocks pools over the board, each `pool_every`-th; 0 is none."""
    head: Width = 24
    """Filters of the heads."""
    hidden: Width = 48
    """Units of the value head's fully connected layer."""
    value: ValueKind = "wdl"
    """Win, draw and loss, or a number from -1 to 1."""
    score: bool = False
    """Go: whether points ahead at the end are predicted."""
    ownership: bool = False
    """Go: whether the owner of every point at the end is predicted."""

    @model_validator(mode="after")
    def _halves(self) -> Small:
        if self.block == "nested" and self.channels % 2:
            raise ValueError(f"channels is {self.channels}; nested blocks need an even number")
        return self


Architecture = Annotated[GoPlayer | AlphaZero | Small, Field(discriminator="architecture")]
"""Settings of one net, told apart by `architecture`."""

_ADAPTER: TypeAdapter[GoPlayer | AlphaZero | Small] = TypeAdapter(Architecture)


def architecture_of(values: object) -> GoPlayer | AlphaZero | Small:
    """Return the settings that plain values stand for; pydantic's ValidationError if none."""
    return _ADAPTER.validate_python(values)


class LossWeights(Settings):
    """What each part of the loss counts."""

    policy: Weight = 1.0
    """Cross-entropy of moves, nats."""
    value: Weight = 1.0
    """Cross-entropy of results, nats; a scalar value's squared error."""
    score: Weight = 0.25
    """Huber loss of the score, in units of `score_scale`."""
    ownership: Weight = 0.5
    """Mean squared error of ownership over the points."""
    l2: Weight = 1e-4
    """Sum of the squares of all weights of convolutions and fully connected layers."""
    score_scale: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """Points; errors beyond it count linearly."""
