"""Gradient boosting on piece placement; see :mod:`tabia.evaluation.models.lightgbm`."""

from __future__ import annotations

from tabia.evaluation.models.lightgbm import fit, load

__all__ = ["fit", "load"]
