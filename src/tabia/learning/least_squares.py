"""Linear least squares for tall matrices that do not fit in memory, sound at any rank.

The matrix comes in blocks of rows. Each is reduced to the triangle R of its QR decomposition, and
triangles are stacked and reduced again (TSQR: Demmel, Grigori, Hoemmen and Langou, 2012). The last
triangle has the singular values of the whole matrix; its singular value decomposition gives the
solution of least norm, with singular values below a relative cut-off taken for zero. So dependent
columns, columns of zeros and fewer rows than columns are harmless.

The normal equations ``(AᵀA)⁻¹Aᵀb`` would be faster but square the condition number: a column that
repeats another to eight digits would already be lost in rounding. :func:`solve_quickly` uses them
where many approximate solutions are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["Floats", "Solution", "solve", "solve_quickly"]

Floats = npt.NDArray[np.float64]

_BLOCK = 4096  # rows reduced at once, or four times as many as there are columns
_STACK = 4  # triangles stacked before they are reduced
_JITTER = 1e-12  # relative to the mean square of a column


@dataclass(frozen=True)
class Solution:
    """What minimises ``|Ax - b|``.

    Attributes
    ----------
    x
        ``[columns]``, of all minimisers the one with the least norm.
    rank
        Singular values above the cut-off.
    """

    x: Floats
    rank: int


def solve(
    rows: Callable[[slice], Floats], count: int, columns: int, *, threads: int = 1
) -> Solution:
    """Minimise ``|Ax - b|``.

    The result does not depend on `threads`: blocks are reduced apart and stacked in their order.

    Parameters
    ----------
    rows
        Gives rows of ``[A | b]``, ``[k, columns + 1]`` float64. Called from several threads.
    count
        Rows of A.
    columns
        Columns of A.
    threads
        Blocks worked on at once.

    Returns
    -------
    The solution. Singular values below ``max(count, columns) * eps`` of the largest are zero, as
    in ``numpy.linalg.lstsq``.
    """
    stack: list[Floats] = []
    for triangle in _triangles(rows, count, columns, threads):
        stack.append(triangle)
        if len(stack) == _STACK:
            stack = [_triangle(np.vstack(stack))]
    whole = _triangle(np.vstack(stack))
    left, values, right = np.linalg.svd(whole[:columns, :columns], full_matrices=False)
    cutoff = max(count, columns) * float(np.finfo(np.float64).eps)
    rank = int(np.count_nonzero(values > cutoff * values[0])) if len(values) else 0
    projected = left.T[:rank] @ whole[:columns, columns]
    return Solution(right[:rank].T @ (projected / values[:rank]), rank)


def _triangle(a: Floats) -> Floats:
    return np.asarray(np.linalg.qr(a, mode="r"))


def _triangles(
    rows: Callable[[slice], Floats], count: int, columns: int, threads: int
) -> Iterator[Floats]:
    size = max(_BLOCK, 4 * (columns + 1))
    number = max(1, -(-count // size))
    edges = [count * i // number for i in range(number + 1)]
    parts = [slice(start, stop) for start, stop in pairwise(edges)]

    def triangle(part: slice) -> Floats:
        return _triangle(rows(part))

    if threads == 1 or len(parts) == 1:
        yield from map(triangle, parts)
        return
    with ThreadPoolExecutor(threads) as pool:
        # No more at once than threads: a triangle that waits to be stacked takes memory.
        for start in range(0, len(parts), threads):
            yield from pool.map(triangle, parts[start : start + threads])


def solve_quickly(parts: Iterable[tuple[Floats, Floats]], columns: int) -> Floats:
    """Minimise ``|Ax - b|`` by the normal equations, to few digits where A is ill-conditioned.

    A millionth of a millionth of the mean square of a column is added on the diagonal, so that
    dependent columns share their weight instead of failing.

    Parameters
    ----------
    parts
        Rows of A, ``[k, columns]``, with theirs of b, ``[k]``.
    """
    product, projected = np.zeros((columns, columns)), np.zeros(columns)
    for a, b in parts:
        product += a.T @ a
        projected += a.T @ b
    jitter = _JITTER * float(np.trace(product)) / columns
    if jitter == 0:
        return projected
    product[np.diag_indices(columns)] += jitter
    return np.asarray(np.linalg.solve(product, projected))
