"""onnxruntime's sessions: one kind of CPU arithmetic, a fixed number of threads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tabia.search.nets.config import NetShape

if TYPE_CHECKING:
    import onnxruntime

__all__ = ["META", "OnnxFileError", "open_session"]

META = "tabia"
"""Key of a file's metadata: JSON of `shape` and `architecture`."""


class OnnxFileError(ValueError):
    """A file that holds no net of this chapter."""

    exit_code = 3


def open_session(path: Path, threads: int) -> tuple[onnxruntime.InferenceSession, NetShape]:
    """Return a session on the CPU, and the net's shape.

    Parameters
    ----------
    path
        File.
    threads
        Threads of an operation; operations run one after the other.

    Raises
    ------
    OnnxFileError
        If the file is missing, broken, or not of this chapter.
    """
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, InvalidProtobuf

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    if not path.is_file():
        raise OnnxFileError(f"{path}: there is no such file; export the net first")
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except (Fail, InvalidArgument, InvalidProtobuf) as error:
        raise OnnxFileError(f"{path}: onnxruntime cannot read it: {error}") from error
    meta = session.get_modelmeta().custom_metadata_map.get(META)
    if meta is None:
        raise OnnxFileError(f"{path}: an ONNX file, but its metadata have no {META!r}")
    return session, NetShape.model_validate(json.loads(meta)["shape"])
