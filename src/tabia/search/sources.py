"""Where a search's priors and values come from, for whoever builds a player from words."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Literal, Protocol

from tabia.learning.seal import digest_of_folder
from tabia.search.config import GoRules, Rules
from tabia.search.evaluator import Evaluator
from tabia.search.nets import folder
from tabia.search.nets.config import NetShape
from tabia.search.nets.evaluators import NetEvaluator, OnnxEvaluator, TorchEvaluator
from tabia.search.nets.onnx_file import export
from tabia.search.thinking import Rollouts

__all__ = ["NetSource", "OnnxSource", "RolloutSource", "Route", "Source", "SourceError"]

Route = Literal["onnx", "torch"]


class SourceError(ValueError):
    """An evaluator that does not fit the game that is to be played."""

    exit_code = 2


class Source(Protocol):
    """Gives evaluators for a game."""

    @property
    def name(self) -> str:
        """What it is, for people."""
        ...

    @property
    def game(self) -> str | None:
        """The only game that it plays; None for any."""
        ...

    @property
    def size(self) -> int | None:
        """Lines of the Go board that it was made for; None in other games and for any board."""
        ...

    @property
    def fingerprint(self) -> str:
        """Digest of its files; empty where there are none."""
        ...

    def evaluator(self, rules: Rules, threads: int) -> tuple[Evaluator | Rollouts, int]:
        """Return what evaluates a game on so many threads, and how many positions it sees.

        Raises
        ------
        SourceError
            If it cannot play this game, or not on this board.
        """
        ...


class RolloutSource:
    """Random games to the end.

    Parameters
    ----------
    rollouts
        Of every leaf.
    """

    game = None
    size = None
    fingerprint = ""

    def __init__(self, rollouts: int) -> None:
        self._rollouts = rollouts

    @property
    def name(self) -> str:
        """The number of random games."""
        n = self._rollouts
        return "random games" if n == 1 else f"{n} random games a leaf"

    def evaluator(self, rules: Rules, threads: int) -> tuple[Rollouts, int]:
        """Return the number of random games, whatever the rules, and their threads."""
        return Rollouts(self._rollouts, threads), 1


class NetSource:
    """A folder of a net.

    Parameters
    ----------
    path
        Folder.
    route
        onnx: onnxruntime in float32, whose answers depend on neither batch nor threads. torch: as
        in training.

    Raises
    ------
    NetFolderError
        If the folder is none.

    Attributes
    ----------
    provenance
        What the folder tells of where the net comes from.
    """

    def __init__(self, path: Path, route: Route = "onnx") -> None:
        saved = folder.load(path)
        self._net, self._route = saved.net, route
        self.provenance = saved.provenance
        self.fingerprint = digest_of_folder(path)

    @property
    def name(self) -> str:
        """Architecture, game and board."""
        return f"{self._net.settings.architecture} net"

    @property
    def game(self) -> str:
        """The net's."""
        return self._net.shape.game

    @property
    def size(self) -> int | None:
        """Of the board that the net was made for; Go only."""
        return _size(self._net.shape)

    def evaluator(self, rules: Rules, threads: int) -> tuple[NetEvaluator, int]:
        """Return the net on the rules' board, of another size than its own if it can."""
        shape = self._net.shape
        _check_game(shape, rules)
        size = rules.size if isinstance(rules, GoRules) else None
        if size is not None:
            try:
                self._net.shape_on(size, size)
            except ValueError as error:
                raise SourceError(str(error)) from error
        if self._route == "torch":
            return TorchEvaluator(self._net, threads=threads), shape.history
        with tempfile.TemporaryDirectory(prefix="tabia-") as scratch:
            path = Path(scratch) / "net.onnx"  # the session reads it once
            export(self._net, path, size=size)
            return OnnxEvaluator(path, threads=threads), shape.history


class OnnxSource:
    """A net in an ONNX file, float32 or in 8-bit integers.

    Parameters
    ----------
    path
        File.

    Raises
    ------
    OnnxFileError
        If the file is none of this chapter.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shape = OnnxEvaluator(path).shape
        self.fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()[:16]

    @property
    def name(self) -> str:
        """The file's name."""
        return f"net of {self._path.name}"

    @property
    def game(self) -> str:
        """The net's."""
        return self._shape.game

    @property
    def size(self) -> int | None:
        """Of the board that the file was written for; Go only."""
        return _size(self._shape)

    def evaluator(self, rules: Rules, threads: int) -> tuple[NetEvaluator, int]:
        """Return the net; its board is the file's."""
        _check_game(self._shape, rules)
        if isinstance(rules, GoRules) and rules.size != self._shape.rows:
            n = self._shape.rows
            raise SourceError(
                f"a board of {rules.size} × {rules.size}; {self._path} was written for {n} × {n}"
            )
        return OnnxEvaluator(self._path, threads=threads), self._shape.history


def _size(shape: NetShape) -> int | None:
    return shape.rows if shape.game == "go" else None


def _check_game(shape: NetShape, rules: Rules) -> None:
    if shape.game != rules.game:
        raise SourceError(f"the net plays {shape.game}, not {rules.game}")
