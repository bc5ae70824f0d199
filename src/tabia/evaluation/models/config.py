"""Settings of the models, one class a model. Standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from tabia.tables.settings import Settings

__all__ = [
    "CNN",
    "RBF",
    "BestModel",
    "BitmapMLP",
    "LevenbergMarquardtMLP",
    "LightGBM",
    "Models",
    "NonuniformRBF",
    "Ridge",
]

Count = Annotated[int, Field(ge=1, le=10**9)]  # LightGBM counts in int32
Rounds = Annotated[int, Field(ge=1, le=100_000)]  # of boosting, epochs, steps
Threads = Annotated[int, Field(ge=1, le=1024)]
Leaves = Annotated[int, Field(ge=2, le=131_072)]  # LightGBM takes no more
Width = Annotated[int, Field(ge=1, le=10_000)]  # of a hidden layer
Rate = Annotated[float, Field(gt=0, le=1)]
# Below, a penalty next to eigenvalues of 0 divides by so little that weights overflow.
Penalty = Annotated[float, Field(ge=1e-12, le=1e15)]
# Levenberg-Marquardt holds a square matrix of all weights: with 200 of them 12 GB.
SquareWidth = Annotated[int, Field(ge=1, le=200)]
Seeds = Annotated[int, Field(ge=1, le=1000)]
Sets = Annotated[int, Field(ge=2, le=100)]


class Ridge(Settings):
    """Linear least squares with an L2 penalty chosen on validation."""

    penalties: Annotated[tuple[Penalty, ...], Field(min_length=1)] = (1.0, 10.0, 100.0, 1000.0)
    """L2 penalties tried; the best on the validation split is kept."""


class LightGBM(Settings):
    """Gradient-boosted trees."""

    trees: Rounds = 500
    """Boosting rounds at most; the best on validation is kept."""
    leaves: Leaves = 63
    """Leaves a tree."""
    learning_rate: Rate = 0.05
    """Shrinkage."""
    min_leaf: Count = 20
    """Positions in a leaf at least."""
    column_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Share of inputs drawn for a tree."""
    stop_after: Count = 50
    """Rounds without progress on validation before stopping."""
    threads: Threads = 1
    """Threads of training. Sums depend on it, so it is pinned here and not by the machine."""
    seeds: Seeds = 3
    """Runs with different seeds: 0, 1, …"""


class RBF(Settings):
    """Radial basis functions at centres chosen by symmetric fuzzy means."""

    fuzzy_sets: tuple[Sets, Sets] = (4, 24)
    """Fewest and most fuzzy sets an input; all between are tried, the best on validation kept."""
    max_nodes: Annotated[int, Field(ge=1, le=50_000)] = 2000
    """A number of sets that asks for more centres is not tried."""
    threads: Threads = 1
    """Threads of training; the model does not depend on it."""
    any_threads: ClassVar[bool] = True  # so another number of them trains nothing again

    @model_validator(mode="after")
    def _ordered(self) -> RBF:
        if self.fuzzy_sets[0] > self.fuzzy_sets[1]:
            raise ValueError("fuzzy_sets: fewest first, then most")
        return self


class NonuniformRBF(RBF):
    """Radial basis functions by non-symmetric fuzzy means: particle swarm over sets an input."""

    fuzzy_sets: tuple[Sets, Sets] = (2, 24)
    """Fewest and most fuzzy sets of any input; the swarm starts at the best symmetric number."""
    particles: Annotated[int, Field(ge=2, le=1000)] = 10
    """Particles of the swarm."""
    iterations: Rounds = 10
    """Moves of the swarm."""
    seeds: Seeds = 3
    """Runs with different seeds: 0, 1, …"""


class LevenbergMarquardtMLP(Settings):
    """Perceptron with two hidden layers, trained by Levenberg–Marquardt."""

    sizes: Annotated[tuple[tuple[SquareWidth, SquareWidth], ...], Field(min_length=1)] = (
        (4, 2),
        (6, 3),
        (8, 4),
        (12, 4),
        (14, 6),
    )
    """Sizes of the two hidden layers tried; the best on validation is kept for all seeds. The time
    of a step grows with the square of the weights: 14 and 6 have 2,869 for 197 inputs."""
    iterations: Rounds = 60
    """Accepted steps at most."""
    stop_after: Count = 6
    """Accepted steps without progress on validation before stopping."""
    seeds: Seeds = 3
    """Runs with different seeds: 0, 1, … The paper: 30."""


class _Gradient(Settings):
    """What nets trained by stochastic gradients share."""

    epochs: Rounds = 25
    """Passes over the training split at most; the best on validation is kept."""
    batch: Count = 128
    """Positions a step."""
    learning_rate: Rate = 0.002
    """Step size."""
    stop_after: Count = 6
    """Epochs without progress on validation before stopping."""
    threads: Threads = 1
    """Threads of training. Sums depend on it, so it is pinned here and not by the machine."""
    seeds: Seeds = 3
    """Runs with different seeds: 0, 1, … The paper: 30."""


class CNN(_Gradient):
    """Convolutions with 20 filters of 5×5 and 50 of 3×3, trained by SGD."""

    momentum: Annotated[float, Field(ge=0, lt=1)] = 0.9
    """Momentum of SGD."""


class BitmapMLP(_Gradient):
    """Perceptron on the board's bitmap with two hidden layers, trained by Adam."""

    hidden: tuple[Width, Width] = (256, 64)
    """Sizes of the hidden layers."""
    epochs: Rounds = 60
    """Passes over the training split at most; the best on validation is kept."""
    learning_rate: Rate = 0.0003
    """Step size."""


class BestModel(Settings):
    """Our own strongest model: small nets and boosted trees on what the mover sees."""

    nets: Annotated[int, Field(ge=1, le=1000)] = 5
    """Perceptrons whose values are averaged."""
    hidden: Annotated[tuple[Width, ...], Field(min_length=1, max_length=20)] = (256, 64)
    """Sizes of their hidden layers."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.3
    """Share of hidden units left out at each step."""
    epochs: Rounds = 16
    """Passes over the training split; of each net the best on validation is kept."""
    batch: Count = 128
    """Positions a step."""
    learning_rate: Rate = 0.001
    """Largest step size of the nets."""
    weight_decay: Annotated[float, Field(ge=0, le=100)] = 0.3
    """Decoupled decay of the nets' weights (AdamW)."""
    huber: Annotated[float, Field(ge=1e-6, le=1000)] = 0.5
    """Pawns above which the nets' loss grows linearly."""
    trees: Rounds = 500
    """Boosting rounds at most; the best on validation is kept."""
    leaves: Leaves = 15
    """Leaves a tree."""
    tree_learning_rate: Rate = 0.05
    """Shrinkage of the trees."""
    min_leaf: Count = 20
    """Positions in a leaf at least."""
    stop_after: Count = 50
    """Rounds without progress on validation before boosting stops."""
    threads: Threads = 1
    """Threads of training. Sums depend on it, so it is pinned here and not by the machine."""
    seeds: Seeds = 3
    """Runs with different seeds: 0, 1, …"""


class Models(Settings):
    """Which models are trained, and how. Leave a section out to leave the model out.

    `{}` stands for a model's defaults. Without the section `models` all are trained so.
    """

    mean: Settings | None = None
    """Mean of the training targets."""
    engine_depth8: Settings | None = None
    """The engine's own deepest auxiliary value (scenario 1 only)."""
    ridge_placement: Ridge | None = None
    """Ridge regression on piece placement."""
    lightgbm_placement: LightGBM | None = None
    """Gradient boosting on piece placement."""
    ridge: Ridge | None = None
    """Ridge regression on the evaluation terms."""
    lightgbm: LightGBM | None = None
    """Gradient boosting on the evaluation terms."""
    rbf: RBF | None = None
    """The paper's model, on the evaluation terms."""
    rbf_nonuniform: NonuniformRBF | None = None
    """The paper's future work, on the evaluation terms."""
    mlp_lm: LevenbergMarquardtMLP | None = None
    """The paper's perceptron, on the evaluation terms."""
    cnn_features: CNN | None = None
    """The paper's convolutional net, on the evaluation terms."""
    cnn_planes: CNN | None = None
    """The same net on the board's twelve planes."""
    mlp_bitmap: BitmapMLP | None = None
    """The rival that the paper takes from Sabatelli et al. (2018), on piece placement."""
    best: BestModel | None = None
    """Our own strongest model."""

    @classmethod
    def everything(cls) -> Models:
        """Return every model with its defaults."""
        return cls.model_validate({name: {} for name in cls.model_fields})
