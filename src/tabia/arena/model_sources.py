"""Models of the other chapters as sources of a search, found by what a folder says of itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tabia.learning.seal import digest_of_folder
from tabia.search.config import Rules
from tabia.search.evaluator import Evaluator
from tabia.search.sources import NetSource, OnnxSource, Route, Source, SourceError

__all__ = ["JoinedSource", "ModelSource", "source_of"]


@dataclass(frozen=True)
class ModelSource:
    """A model that sees positions alone.

    Attributes
    ----------
    name, game, size, fingerprint
        See :class:`tabia.search.sources.Source`.
    make
        Returns the evaluator.
    """

    name: str
    game: str
    fingerprint: str
    make: Callable[[], Evaluator]
    size: int | None = None

    def evaluator(self, rules: Rules, threads: int) -> tuple[Evaluator, int]:
        """Return the model, whatever the number of threads."""
        if rules.game != self.game:
            raise SourceError(f"{self.name} plays {self.game}, not {rules.game}")
        return self.make(), 1


@dataclass(frozen=True)
class JoinedSource:
    """Priors of one source and values of another.

    Attributes
    ----------
    prior, value
        Both play the same game.
    """

    prior: Source
    value: Source

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.prior.name} for priors, {self.value.name} for values"

    @property
    def game(self) -> str | None:
        """That of both."""
        return self.prior.game

    @property
    def size(self) -> int | None:
        """Board of the one that has one."""
        return self.prior.size or self.value.size

    @property
    def fingerprint(self) -> str:
        """Both fingerprints."""
        return f"{self.prior.fingerprint}+{self.value.fingerprint}"

    def evaluator(self, rules: Rules, threads: int) -> tuple[Evaluator, int]:
        """Return both as one; SourceError of either."""
        from tabia.arena.model_evaluators import JoinedEvaluator

        parts = [source.evaluator(rules, threads) for source in (self.prior, self.value)]
        (prior, shown), (value, also_shown) = parts
        if not isinstance(prior, Evaluator) or not isinstance(value, Evaluator):
            raise SourceError(f"{self.name}: random games give no priors or values to join")
        joined = JoinedEvaluator(rules.game, (prior, shown), (value, also_shown))
        return joined, joined.history


def source_of(path: Path, route: Route, elo: int | None) -> Source:
    """Return what a folder or file holds.

    Parameters
    ----------
    path
        Net of the search chapter, a folder or an ONNX file; or folder of a model of moves, or of
        positions.
    route
        Of a net's folder.
    elo
        For models of moves; None is the middle of the model's bin, or not known.

    Raises
    ------
    SourceError
        If `elo` is given for something else than a model of moves, or the model cannot evaluate
        leaves.
    NetFolderError, OnnxFileError, ImitatorError, SavedModelError
        If there is no model that can be read.
    """
    kind = _kind(path)
    if kind == "imitation":
        return _of_moves(path, elo)
    if elo is not None:
        raise SourceError(f"elo={elo}: {path} is no model of people's moves")
    if kind == "evaluation":
        return _of_positions(path)
    return OnnxSource(path) if path.suffix == ".onnx" else NetSource(path, route)


def _kind(path: Path) -> str:
    """Return the chapter of a folder's model; a net where nothing says otherwise."""
    try:
        about = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "search"  # whose reader says what is wrong
    if not isinstance(about, dict):
        return "search"
    return "imitation" if about.get("kind") == "imitation" else "evaluation"


def _of_moves(path: Path, elo: int | None) -> Source:
    from tabia.arena.model_evaluators import MovesEvaluator
    from tabia.imitation.imitator import load

    imitator = load(path)
    known = imitator.elo() if elo is None else elo
    name = f"{imitator.about['model']}{'' if known is None else f' as {known}'}"
    return ModelSource(
        name, imitator.game, imitator.digest(), lambda: MovesEvaluator(imitator, known)
    )


def _of_positions(path: Path) -> Source:
    from tabia.arena.model_evaluators import PawnsEvaluator
    from tabia.evaluation.predictor import Predictor

    predictor = Predictor.load(path)
    if depths := predictor.config.depths:
        raise SourceError(
            f"{path}: the model needs an engine's values at depths {', '.join(map(str, depths))},"
            " which a search has not; take one of scenario 3"
        )
    return ModelSource(
        f"{predictor.config.run}",
        "chess",
        digest_of_folder(path),
        lambda: PawnsEvaluator(predictor),
    )
