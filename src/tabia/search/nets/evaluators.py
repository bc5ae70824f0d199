"""Nets as the search's evaluators: through torch and through onnxruntime.

Which is for what, and how their answers depend on batches and threads, stands in
docs/search_nets.md. Both run on a number of threads that is given, never on the machine's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from tabia.search.evaluator import Evaluation
from tabia.search.nets.config import NetShape
from tabia.search.nets.graph import folded
from tabia.search.nets.inputs import split
from tabia.search.nets.net import Net, Outputs
from tabia.search.nets.sessions import open_session

if TYPE_CHECKING:
    import onnxruntime

__all__ = ["Answers", "NetEvaluator", "OnnxEvaluator", "Precision", "TorchEvaluator"]

Array = NDArray[np.float32]
Precision = Literal["float32", "bfloat16"]

_SEARCHED = 2  # of the outputs: policy and value come first


class Answers(NamedTuple):
    """What a net says of some positions, from the mover's view.

    Attributes
    ----------
    logits
        ``[n, moves]`` float32.
    values
        ``[n]`` float32, expected result, -1 (lost) to 1 (won).
    results
        ``[n, 3]`` float32 probabilities of win, draw and loss; None if the net gives a number.
    score
        ``[n]`` float32 points ahead; None without that head.
    ownership
        ``[n, rows, columns]`` float32, -1 to 1 (the mover's); None without that head.
    """

    logits: Array
    values: Array
    results: Array | None
    score: Array | None
    ownership: Array | None


class NetEvaluator(ABC):
    """A net that evaluates positions in batches: an evaluator of the search, and more.

    Attributes
    ----------
    shape
        What the net reads, and the board.
    batch
        Rows evaluated at once: fewer are filled up with zeros, more are cut into several runs.
        Every row is then computed in the same way, whatever is evaluated with it. None evaluates as
        many as come.
    """

    def __init__(self, shape: NetShape, batch: int | None) -> None:
        if batch is not None and batch < 1:
            raise ValueError(f"a batch of {batch} rows; there must be 1 or more")
        self.shape, self.batch = shape, batch

    def evaluate(self, planes: Array) -> Evaluation:
        """Evaluate positions of the search's encoder.

        Parameters
        ----------
        planes
            ``[n, encoded_planes, rows, columns]`` float32.

        Raises
        ------
        ValueError
            If the planes are not those that the net reads.
        """
        answers = self.answer(*split(planes, self.shape), board=False)
        return Evaluation(answers.logits, answers.values)

    def evaluate_board(self, planes: Array) -> Evaluation:
        """Evaluate as `evaluate` does, with score and ownership where the net has the heads."""
        answers = self.answer(*split(planes, self.shape))
        return Evaluation(answers.logits, answers.values, answers.score, answers.ownership)

    def answer(self, planes: Array, numbers: Array, *, board: bool = True) -> Answers:
        """Evaluate planes ``[n, planes, rows, columns]`` and numbers ``[n, numbers]``.

        Parameters
        ----------
        planes, numbers
            What the net reads.
        board
            Whether score and ownership are wanted; if not, both are None.

        Raises
        ------
        ValueError
            If they have other shapes than the net reads.
        """
        n, size = len(planes), self.batch
        if size is None or n == size:
            return _answers(self._run(planes, numbers, board=board))
        found = []
        for start in range(0, n, size):
            rows = min(size, n - start)
            parts = [part[start : start + rows] for part in (planes, numbers)]
            if rows < size:
                gap = ((0, size - rows),)
                parts = [np.pad(part, (*gap, *((0, 0),) * (part.ndim - 1))) for part in parts]
            run = self._run(*parts, board=board)
            found.append([part[:rows] for part in run if part is not None])
        if not found:
            return _answers(self._run(planes, numbers, board=board))
        there = iter(np.concatenate(part) for part in zip(*found, strict=True))
        heads = [has and (board or place < _SEARCHED) for place, has in enumerate(self._heads())]
        return _answers([next(there) if has else None for has in heads])

    @abstractmethod
    def _run(self, planes: Array, numbers: Array, *, board: bool) -> list[Array | None]:
        """Return policy, value, score and ownership as the net gives them.

        The last two are None where the net has them not, and unless they are of the `board`.
        """

    @abstractmethod
    def _heads(self) -> list[bool]:
        """Return which of the four there are."""


class TorchEvaluator(NetEvaluator):
    """A net in torch, its normalisations folded into its convolutions.

    Parameters
    ----------
    net
        Copied: what happens to it later changes nothing.
    threads
        Threads of torch during a call.
    precision
        Numbers that it computes in; bfloat16 is fast on CPUs with AMX and for play only.
    batch
        See :class:`NetEvaluator`.
    """

    def __init__(
        self,
        net: Net,
        *,
        threads: int = 1,
        precision: Precision = "float32",
        batch: int | None = None,
    ) -> None:
        super().__init__(net.shape, batch)
        self._threads = threads
        self._dtype = getattr(torch, precision)
        self._net = net
        self._graph = folded(net).to(self._dtype)
        self._graph.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def _run(self, planes: Array, numbers: Array, *, board: bool) -> list[Array | None]:
        self._net.check(planes.shape, numbers.shape)
        with torch.inference_mode(), _threads(self._threads):
            x = torch.from_numpy(np.ascontiguousarray(planes))
            x = x.to(dtype=self._dtype, memory_format=torch.channels_last)
            of_numbers = torch.from_numpy(np.ascontiguousarray(numbers)).to(self._dtype)
            outputs = Outputs(*self._graph(x, of_numbers))
            wanted = outputs if board else (*outputs[:_SEARCHED], None, None)
            return [None if part is None else part.float().numpy() for part in wanted]

    def _heads(self) -> list[bool]:
        settings = self._net.settings
        return [True, True, *(getattr(settings, name, False) for name in ("score", "ownership"))]


class OnnxEvaluator(NetEvaluator):
    """A net in an ONNX file, through onnxruntime on the CPU.

    Parameters
    ----------
    path
        File of :func:`tabia.search.nets.onnx_file.export` or of
        :func:`tabia.search.nets.quantise.quantise`.
    threads
        Threads of a call.
    batch
        See :class:`NetEvaluator`.

    Raises
    ------
    OnnxFileError
        If the file is none of these.
    """

    def __init__(self, path: Path, *, threads: int = 1, batch: int | None = None) -> None:
        self._session: onnxruntime.InferenceSession
        self._session, shape = open_session(path, threads)
        super().__init__(shape, batch)
        self._names = [output.name for output in self._session.get_outputs()]

    def _run(self, planes: Array, numbers: Array, *, board: bool) -> list[Array | None]:
        shape = self.shape
        wanted = (shape.planes, shape.rows, shape.columns)
        if planes.shape[1:] != wanted or numbers.shape != (len(planes), shape.numbers):
            raise ValueError(
                f"planes {list(planes.shape)} and numbers {list(numbers.shape)}; the file takes"
                f" [n, {', '.join(map(str, wanted))}] and [n, {shape.numbers}]"
            )
        feed: dict[str, Any] = {"planes": np.ascontiguousarray(planes, np.float32)}
        if shape.numbers:
            feed["numbers"] = np.ascontiguousarray(numbers, np.float32)
        names = self._names if board else self._names[:_SEARCHED]
        found = dict(zip(names, self._session.run(names, feed), strict=True))
        return [found.get(name) for name in Outputs._fields]

    def _heads(self) -> list[bool]:
        return [name in self._names for name in Outputs._fields]


def _answers(outputs: list[Array | None]) -> Answers:
    policy, value, score, ownership = outputs
    if policy is None or value is None:
        raise RuntimeError("a net without policy or value")
    if value.ndim == 1:
        return Answers(policy, value, None, score, ownership)
    shares = np.exp(value - value.max(axis=1, keepdims=True))
    # Column by column: a sum along rows of three may be taken in another order in another batch.
    shares /= (shares[:, 0] + shares[:, 1] + shares[:, 2])[:, None]
    return Answers(policy, shares[:, 0] - shares[:, 2], shares, score, ownership)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
