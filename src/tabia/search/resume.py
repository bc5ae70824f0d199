"""Names for what a killed job has done, so that only the same job goes on with it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tabia.tables.spec import Spec

__all__ = ["state_name"]


def state_name(spec: Spec, inputs: Sequence[Path]) -> str:
    """Return a name of sixteen hexadecimal digits for a job's state.

    A spec does not say which net plays or which games are learned from: after a change of what
    comes before, a job has other inputs and the spec of the one that was killed.

    Parameters
    ----------
    spec
        The job's spec.
    inputs
        Files, and folders whose files all count.
    """
    digest = hashlib.sha256(spec.text.encode())
    for path in inputs:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            with file.open("rb") as content:
                digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()[:16]
