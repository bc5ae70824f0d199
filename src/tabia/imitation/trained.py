"""What candidates' trainings gave, found again by everything that decides it.

A search trains some structures more than once: the best of one phase comes back in the next, and a
run that was stopped begins again. The store is a folder of small JSON files, one a training::

    results/state/imitation/trained/3f/3f2a….json

A file is named by the SHA-256 of its request, repeats the request and carries a digest of itself;
it appears whole or not at all. One that is damaged is told of and replaced. Many jobs use one store
at once: whoever trained the same thing wrote the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from tabia.imitation.policy import Index
from tabia.imitation.positions import Positions
from tabia.tables import parquet

__all__ = ["REVISION", "Request", "TrainedStore", "rows_digest"]

REVISION = 1
"""Of the training of candidates. Raise it when, and only when, the same structure, rows and seed
give another net or other measures; a test holds what they give."""


@dataclass(frozen=True)
class Request:
    """All that a training's outcome depends on.

    Attributes
    ----------
    module
        Of the net.
    game, vocabulary
        Names.
    structure
        Every structure variable; those that do nothing at one fixed value.
    training
        How the net is trained.
    seed
        Of the training.
    rows
        :func:`rows_digest` of what it learns from and is measured on.
    """

    module: str
    game: str
    vocabulary: str
    structure: Mapping[str, Any]
    training: Mapping[str, Any]
    seed: int
    rows: str

    @property
    def text(self) -> str:
        """The request as sorted JSON, with the revision of the code and the version of torch."""
        return json.dumps(
            {
                "module": self.module,
                "game": self.game,
                "vocabulary": self.vocabulary,
                "structure": dict(self.structure),
                "training": dict(self.training),
                "seed": self.seed,
                "rows": self.rows,
                "revision": REVISION,
                "torch": metadata.version("torch"),
            },
            sort_keys=True,
        )

    @property
    def key(self) -> str:
        """Sixty-four hexadecimal digits: the name of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


class TrainedStore:
    """The store.

    Parameters
    ----------
    root
        Its folder; made when something is put into it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, request: Request) -> Path:
        """Return where the outcome of `request` is kept."""
        return self._root / request.key[:2] / f"{request.key}.json"

    def get(self, request: Request) -> dict[str, Any] | None:
        """Return what is known of a training, or None; tells on stderr of a damaged file."""
        path = self.path(request)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            kept = json.loads(text)
            outcome = kept["outcome"]
            whole = kept["request"] == request.text and kept["digest"] == _digest(request, outcome)
        except (ValueError, KeyError, TypeError):
            whole = False
        if not whole or not isinstance(outcome, dict):
            print(f"{path}: damaged; this candidate is trained again", file=sys.stderr)
            return None
        return outcome

    def put(self, request: Request, outcome: Mapping[str, Any]) -> None:
        """Keep what a training gave: plain JSON values."""
        kept = {
            "request": request.text,
            "outcome": dict(outcome),
            "digest": _digest(request, outcome),
        }
        parquet.write_text(self.path(request), json.dumps(kept, sort_keys=True, indent=1) + "\n")


def _digest(request: Request, outcome: Mapping[str, Any]) -> str:
    text = json.dumps([request.text, dict(outcome)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def rows_digest(positions: Positions, train: Index, validation: Index) -> str:
    """Return the SHA-256 of what a net is trained on and measured on: sixty-four digits.

    It covers the games that have a row in `train` or `validation`, their moves and boards, and
    which of their rows are in which; not where in the table they stand, so that games of other
    bins may come and go.
    """
    use = np.zeros(len(positions), np.uint8)
    use[train] = 1
    use[validation] = 2
    game = np.cumsum(positions.row_in_game == 0)
    own = np.isin(game, game[use > 0])
    digest = hashlib.sha256(positions.game.encode() + b"\0")
    for part in (
        use[own],
        positions.row_in_game[own].astype("<i4"),
        positions.board[own],
        positions.move[own].astype("<u2"),
    ):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()
