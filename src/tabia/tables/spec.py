"""The spec: everything besides input files that a job's result may depend on.

A rule passes one sorted JSON string. It holds the stage's name, its code mark, the wildcards
and the slice of validated configuration that the stage reads. A job never opens the config
file. This module imports the standard library only, because the dry run reads it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Spec", "SpecError"]


class SpecError(ValueError):
    """A ``--spec`` string that no tabia rule could have written."""

    exit_code = 2


@dataclass(frozen=True)
class Spec:
    """What one job was asked for.

    Attributes
    ----------
    stage
        Dotted name, ``"records.games"``; the rooms' stage functions are named alike.
    mark
        Hash of the code that the stage runs, or ``"revision N"`` for dear stages.
    wildcards
        The rule's wildcards by name.
    config
        The slice of the configuration that the stage reads, as plain JSON values.
    """

    stage: str
    mark: str
    wildcards: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The spec as sorted, compact JSON: equal specs have equal text."""
        return json.dumps(
            {
                "stage": self.stage,
                "mark": self.mark,
                "wildcards": dict(self.wildcards),
                "config": dict(self.config),
            },
            sort_keys=True,
            separators=(",", ":"),
            ensure_ascii=False,
        )

    @property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that name this spec, for state folders."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec back.

        Raises
        ------
        SpecError
            If `text` is not a JSON object with the four known keys.
        """
        try:
            raw = json.loads(text)
        except json.JSONDecodeError as error:
            raise SpecError(f"--spec is not JSON: {error}") from error
        if not isinstance(raw, dict) or set(raw) != {"stage", "mark", "wildcards", "config"}:
            raise SpecError(
                "--spec must be an object with stage, mark, wildcards and config, got "
                f"{text[:200]!r}"
            )
        return cls(**raw)

    def rng(self, *salt: str | int) -> np.random.Generator:
        """One generator for this job, seeded by the config's ``seed`` and `salt`.

        The mark and unrelated configuration do not enter, so editing a comment or another
        option never changes what was drawn.
        """
        import numpy as np  # here, so that the dry run needs no numpy

        seed = self.config.get("seed", 0)
        digest = hashlib.sha256(repr((seed, self.stage, *salt)).encode()).digest()
        return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))
