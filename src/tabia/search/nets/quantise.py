"""ONNX files in 8-bit integers, for play.

Weights of the body's convolutions become signed bytes, one scale a filter;
activations become unsigned bytes, with scales from the least and the largest values that positions
of calibration bring about (static quantisation; dynamic quantisation of convolutions is slower than
float32 on CPUs). The heads stay float32: they cost little, and their errors would go straight into
priors and values.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from tabia.search.nets.sessions import open_session
from tabia.tables.parquet import atomic_path

__all__ = ["quantise"]

_CALIBRATION_BATCH = 64
_HEADS = ("policy_", "value_")


def quantise(
    source: Path, target: Path, planes: NDArray[np.float32], numbers: NDArray[np.float32]
) -> None:
    """Write the net of one ONNX file in 8-bit integers into another.

    Parameters
    ----------
    source
        A file of float32.
    target
        The file to write.
    planes, numbers
        Positions of calibration, ``[n, planes, rows, columns]`` and ``[n, numbers]``: a few hundred
        of those that the net will see. The same give the same file.

    Raises
    ------
    OnnxFileError
        If `source` is no net of this chapter.
    ValueError
        If there are no positions.
    """
    from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_static

    _, shape = open_session(source, 1)
    if not len(planes):
        raise ValueError("quantisation needs positions to calibrate by; none were given")
    reader = _Reader(planes, numbers if shape.numbers else None)
    # The library warns of models that were not prepared by its own tool; ours are.
    logging.getLogger().addFilter(_is_no_advice)
    try:
        with atomic_path(target) as unfinished, tempfile.TemporaryDirectory() as scratch:
            written = Path(scratch) / "int8.onnx"
            quantize_static(
                str(source),
                str(written),
                reader,
                quant_format=QuantFormat.QDQ,
                op_types_to_quantize=["Conv"],
                nodes_to_exclude=_heads(source),
                per_channel=True,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
                calibrate_method=CalibrationMethod.MinMax,
            )
            model = onnx.load(written)
            unfinished.write_bytes(model.SerializeToString(deterministic=True))
    finally:
        logging.getLogger().removeFilter(_is_no_advice)


class _Reader:
    """Hands positions to the calibration, some at a time."""

    def __init__(self, planes: NDArray[np.float32], numbers: NDArray[np.float32] | None) -> None:
        self._planes, self._numbers, self._next = planes, numbers, 0

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        """Return the next positions by the names of the net's inputs; None at the end."""
        part = slice(self._next, self._next + _CALIBRATION_BATCH)
        self._next = part.stop
        if part.start >= len(self._planes):
            return None
        feed = {"planes": np.ascontiguousarray(self._planes[part])}
        if self._numbers is not None:
            feed["numbers"] = np.ascontiguousarray(self._numbers[part])
        return feed


def _heads(source: Path) -> list[str]:
    return [node.name for node in onnx.load(source).graph.node if node.name.startswith(_HEADS)]


def _is_no_advice(record: logging.LogRecord) -> bool:
    return "pre-processing" not in record.getMessage()
