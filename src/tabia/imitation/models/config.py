"""Settings of the models of moves, one class a model. Standard library and pydantic only."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from tabia.imitation.models.modules import PHASES
from tabia.tables.settings import Settings

__all__ = [
    "Book",
    "Ensemble",
    "LightGBMRanker",
    "Models",
    "OneNet",
    "Recurrent",
    "RecurrentGrid",
    "RecurrentStructure",
    "Residual",
    "ResidualGrid",
    "ResidualStructure",
    "Training",
    "candidates",
]

Count = Annotated[int, Field(ge=1, le=10**9)]
Rounds = Annotated[int, Field(ge=1, le=100_000)]
Threads = Annotated[int, Field(ge=1, le=1024)]
Width = Annotated[int, Field(ge=1, le=10_000)]
Rate = Annotated[float, Field(gt=0, le=1)]
Probability = Annotated[float, Field(ge=0, lt=1)]
Penalty = Annotated[float, Field(ge=0, le=1e6)]
Memory = Annotated[int, Field(ge=1, le=1000)] | None
PastPositions = Annotated[int, Field(ge=1, le=1000)]
Cell = Literal["lstm", "gru", "backward_lstm", "backward_gru"]
Activation = Literal["relu", "softmax", "linear", "tanh"]
Layers = Annotated[int, Field(ge=0, le=20)]
VocabularyName = Literal["relative", "from_to"]
Structures = tuple[dict[str, str | int | float | bool | None], ...]


class Training(Settings):
    """How a net is trained by stochastic gradients."""

    epochs: Rounds = 20
    """Passes over the training games at most; the best on validation is kept."""
    stop_after: Count = 3
    """Epochs without progress on validation before stopping."""
    batch: Count = 256
    """Positions a step."""
    learning_rate: Rate = 0.001
    """Step size of Adam."""
    threads: Threads = 1
    """Threads of training. Sums depend on it, so it is pinned here and not by the machine."""


class RecurrentStructure(Settings):
    """The ten structure variables of the paper's Table I, one value each.

    The paper's bold defaults did not survive in the text at hand; these are ours: what its Table II
    found for most bins, one of two values that are equally frequent, and relu for `fc_activation`,
    where Table II has softmax.
    """

    memory: Memory = 10
    """`m`: past moves that the net sees; null = all of the game."""
    rnn: Cell = "gru"
    """`RNN`: the recurrent layer; a backward one reads the latest move first."""
    rnn_dropout: Probability = 0.1
    """`RDP`: dropout of the recurrent layer's inputs."""
    rnn_hidden: Width = 512
    """`RHD`: hidden units of the recurrent layer."""
    rnn_activation: Activation = "relu"
    """`RA`: activation after the recurrent layer."""
    batch_norm: bool = True
    """`BN`: batch normalisation after it."""
    dropout: Probability = 0.05
    """`DP`: dropout before and between fully connected layers."""
    fc_layers: Layers = 1
    """`#FC`: hidden fully connected layers; with 0, the next two do nothing."""
    fc_l2: Penalty = 0.001
    """`FCR`: L2 penalty of their weights."""
    fc_activation: Activation = "relu"
    """`FCA`: their activation."""


class ResidualStructure(Settings):
    """The structure variables of the two-dimensional rival: the paper's that are not recurrent."""

    memory: PastPositions = 5
    """Last positions that the net sees, the present one included, a stack of planes each."""
    blocks: Annotated[int, Field(ge=1, le=100)] = 2
    """Residual blocks of two convolutions."""
    channels: Width = 32
    """Filters of a convolution."""
    batch_norm: bool = True
    """Batch normalisation after every convolution."""
    dropout: Probability = 0.05
    """Dropout before and between fully connected layers."""
    fc_layers: Layers = 1
    """Hidden fully connected layers; with 0, the next two do nothing."""
    fc_l2: Penalty = 0.001
    """L2 penalty of their weights."""
    fc_activation: Activation = "relu"
    """Their activation."""


class RecurrentGrid(Settings):
    """Candidate values of each structure variable; those of Table I unless told otherwise."""

    memory: Annotated[tuple[Memory, ...], Field(min_length=1)] = (5, 10, 15, 20)
    """`m`; the paper: 5, 10, 15, 20."""
    rnn: Annotated[tuple[Cell, ...], Field(min_length=1)] = (
        "lstm",
        "gru",
        "backward_lstm",
        "backward_gru",
    )
    """`RNN`; the paper: all four."""
    rnn_dropout: Annotated[tuple[Probability, ...], Field(min_length=1)] = (0, 0.05, 0.1, 0.2)
    """`RDP`; the paper: 0, 0.05, 0.1, 0.2."""
    rnn_hidden: Annotated[tuple[Width, ...], Field(min_length=1)] = (512, 1024, 2048)
    """`RHD`; the paper: 512, 1024, 2048."""
    rnn_activation: Annotated[tuple[Activation, ...], Field(min_length=1)] = (
        "relu",
        "softmax",
        "linear",
        "tanh",
    )
    """`RA`; the paper: all four."""
    batch_norm: Annotated[tuple[bool, ...], Field(min_length=1)] = (True, False)
    """`BN`; the paper: yes, no."""
    dropout: Annotated[tuple[Probability, ...], Field(min_length=1)] = (0, 0.05, 0.1, 0.2)
    """`DP`; the paper: 0, 0.05, 0.1, 0.2."""
    fc_layers: Annotated[tuple[Layers, ...], Field(min_length=1)] = (0, 1, 2, 3, 5)
    """`#FC`; the paper: 0, 1, 2, 3, 5."""
    fc_l2: Annotated[tuple[Penalty, ...], Field(min_length=1)] = (0, 0.001, 0.002, 0.005)
    """`FCR`; the paper: 0, 0.001, 0.002, 0.005."""
    fc_activation: Annotated[tuple[Activation, ...], Field(min_length=1)] = (
        "relu",
        "softmax",
        "linear",
        "tanh",
    )
    """`FCA`; the paper: all four."""


class ResidualGrid(Settings):
    """Candidate values of each structure variable of the two-dimensional rival."""

    memory: Annotated[tuple[PastPositions, ...], Field(min_length=1)] = (1, 5, 10)
    """Last positions, the present one included."""
    blocks: Annotated[tuple[Annotated[int, Field(ge=1, le=100)], ...], Field(min_length=1)] = (
        1,
        2,
        4,
    )
    """Residual blocks."""
    channels: Annotated[tuple[Width, ...], Field(min_length=1)] = (16, 32, 64)
    """Filters."""
    batch_norm: Annotated[tuple[bool, ...], Field(min_length=1)] = (True, False)
    """Batch normalisation."""
    dropout: Annotated[tuple[Probability, ...], Field(min_length=1)] = (0, 0.05, 0.1, 0.2)
    """Dropout."""
    fc_layers: Annotated[tuple[Layers, ...], Field(min_length=1)] = (0, 1, 2, 3, 5)
    """Hidden fully connected layers."""
    fc_l2: Annotated[tuple[Penalty, ...], Field(min_length=1)] = (0, 0.001, 0.002, 0.005)
    """L2 penalty."""
    fc_activation: Annotated[tuple[Activation, ...], Field(min_length=1)] = (
        "relu",
        "softmax",
        "linear",
        "tanh",
    )
    """Activation."""


class _Searched(Settings):
    @model_validator(mode="after")
    def _distinct(self) -> _Searched:
        grid = getattr(self, "grid")  # noqa: B009  every subclass has one, of its own type
        for name in type(grid).model_fields:
            values = getattr(grid, name)
            if len(set(values)) < len(values):
                raise ValueError(f"grid.{name}: each value at most once")
        return self


class Recurrent(_Searched):
    """The paper's net: a recurrent layer over the last moves, its structure found by search."""

    default: RecurrentStructure = RecurrentStructure()
    """Values of the variables that no phase has decided yet."""
    grid: RecurrentGrid = RecurrentGrid()
    """Values tried."""
    training: Training = Training()
    """Training, the same for every candidate and for the chosen structure."""


class Residual(_Searched):
    """The rival that sees boards: a residual net over the last positions, found by search."""

    default: ResidualStructure = ResidualStructure()
    """Values of the variables that no phase has decided yet."""
    grid: ResidualGrid = ResidualGrid()
    """Values tried."""
    training: Training = Training()
    """Training, the same for every candidate and for the chosen structure."""


class Book(Settings):
    """The most frequent move of a position; where it never came up, what is played elsewhere."""

    strength_spread: Annotated[float, Field(ge=0, le=10)] = 1.0
    """How far validation may move the weight of each coarser level: the standard deviation of its
    logarithm about a fixed middle; 0 = not at all."""


class LightGBMRanker(Settings):
    """Gradient-boosted trees that rank the legal moves by features of each."""

    trees: Rounds = 400
    """Boosting rounds at most; the best on validation is kept."""
    leaves: Annotated[int, Field(ge=2, le=131_072)] = 63
    """Leaves a tree."""
    learning_rate: Rate = 0.08
    """Shrinkage."""
    min_leaf: Count = 50
    """Moves in a leaf at least."""
    column_share: Annotated[float, Field(gt=0, le=1)] = 0.6
    """Share of features drawn for a tree."""
    stop_after: Count = 30
    """Rounds without progress on validation before stopping."""
    positions: Count | None = 60_000
    """Training positions at most, drawn by game; null = all. A position has some 35 rows of some 90
    numbers in memory."""
    threads: Threads = 1
    """Threads of training; sums depend on it."""


class OneNet(Settings):
    """One net for all Elos: board and last moves in, both players' Elos as inputs."""

    blocks: Annotated[int, Field(ge=1, le=100)] = 6
    """Residual blocks."""
    channels: Width = 64
    """Filters."""
    memory: Annotated[int, Field(ge=0, le=16)] = 4
    """Past moves shown as planes."""
    result_weight: Annotated[float, Field(ge=0, le=10)] = 0.15
    """Weight of the side output, the game's result, in the loss."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Numbers that convolutions are computed in. bfloat16 is two to three times as fast on CPUs
    that have it and slower on others; its results are those of one kind of CPU."""
    pretraining: Training = Training(epochs=1, batch=512, learning_rate=0.002, threads=2)
    """On unrated games."""
    pretraining_positions: Count | None = None
    """Positions of them at most, drawn by game; null = all."""
    fine_tuning: Training = Training(epochs=6, batch=256, learning_rate=0.0005, threads=2)
    """On rated games."""


class Ensemble(Settings):
    """The book, the one net and the trees put together by weights that validation decides."""

    steps: Rounds = 200
    """Steps of the fit of the weights."""


class Models(Settings):
    """The models of a run; those left out (null) are not trained."""

    book: Book | None = None
    """A book with back-off, one an Elo bin."""
    xqsv: Recurrent | None = None
    """The paper's net, one an Elo bin."""
    xqsv_all: Recurrent | None = None
    """Ablation: the paper's net without Elo partition."""
    xqsv_perfect: Recurrent | None = None
    """Ablation: the paper's net with perfect memory; its grid's `memory` is `[null]`."""
    resnet: Residual | None = None
    """Ablation: boards in place of moves."""
    lightgbm: LightGBMRanker | None = None
    """Gradient-boosted trees that rank legal moves."""
    one_net: OneNet | None = None
    """One net for all Elos."""
    ensemble: Ensemble | None = None
    """Book, one net and trees together."""

    @field_validator("xqsv_perfect")
    @classmethod
    def _perfect(cls, value: Recurrent | None) -> Recurrent | None:
        if value is not None and (value.grid.memory != (None,) or value.default.memory is not None):
            raise ValueError("perfect memory: grid.memory must be [null], and default.memory null")
        return value

    @model_validator(mode="after")
    def _parts(self) -> Models:
        if self.ensemble is not None:
            missing = [n for n in ("book", "lightgbm", "one_net") if getattr(self, n) is None]
            if missing:
                raise ValueError(f"ensemble is put together from {', '.join(missing)} too; add it")
        return self


def candidates(settings: Recurrent | Residual, phase: int) -> Structures:
    """Return what a phase (from 1) tries: every pair of values of its two variables."""
    kind = "rnn" if isinstance(settings, Recurrent) else "resnet"
    names = PHASES[kind][phase - 1]
    values = [getattr(settings.grid, name) for name in names]
    return tuple(dict(zip(names, pair, strict=True)) for pair in product(*values))
