"""Nets as ONNX files.

The graph is written here, operation by operation, and not by torch's exporter: the same net gives
the same bytes, without the paths of the machine in them, within milliseconds. An operation that has
no form here is refused.

A file holds one net for one board and batches of any size. Its metadata say the shape, so that it
can be used without anything beside it.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import fx, nn

from tabia.search.nets.blocks import Pool
from tabia.search.nets.config import NetShape
from tabia.search.nets.graph import folded
from tabia.search.nets.net import Net, Outputs
from tabia.search.nets.sessions import META
from tabia.tables.parquet import atomic_path

__all__ = ["UnknownOperationError", "export"]

_OPSET = 20
_IR = 10


class UnknownOperationError(TypeError):
    """A net uses an operation that has no ONNX form here."""


def export(net: Net, path: Path, *, size: int | None = None) -> None:
    """Write a net, for boards of its own size, or of `size` if it is one for every size of Go.

    Raises
    ------
    ValueError
        If the net cannot play on boards of that size.
    UnknownOperationError
        If it cannot be written.
    """
    shape = net.shape if size is None else net.shape_on(size, size)
    graph = _Graph(net, shape)
    meta = {"shape": shape.model_dump(), "architecture": net.settings.model_dump()}
    model = graph.model(json.dumps(meta, sort_keys=True))
    onnx.checker.check_model(model)
    with atomic_path(path) as unfinished:
        unfinished.write_bytes(model.SerializeToString(deterministic=True))


class _Graph:
    """Nodes and constants of one file, in the order of the net's own graph."""

    def __init__(self, net: Net, shape: NetShape) -> None:
        self._module, self._shape = folded(net), shape
        self._sizes: dict[str, list[int]] = {
            "policy": [shape.moves],
            "value": [] if net.settings.value == "scalar" else [3],
            "score": [],
            "ownership": [shape.rows, shape.columns],
        }
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        for node in self._module.graph.nodes:
            self._add(node)

    def model(self, meta: str) -> onnx.ModelProto:
        """Return the file's content."""
        graph = helper.make_graph(
            self._nodes, "net", self._inputs, self._outputs, list(self._constants.values())
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="tabia"
        )
        model.ir_version = _IR
        helper.set_model_props(model, {META: meta})
        return model

    def _add(self, node: fx.Node) -> None:
        if node.op == "placeholder":
            self._input(node)
        elif node.op == "get_attr":
            self._constant(node.name, _array(_attribute(self._module, str(node.target))))
        elif node.op == "call_module":
            self._layer(node, self._module.get_submodule(str(node.target)))
        elif node.op == "call_function" and node.target is Outputs:
            self._answers(node)
        elif node.op in ("call_function", "call_method"):
            name = node.target if isinstance(node.target, str) else _FUNCTIONS.get(node.target)
            write = _OPERATIONS.get(str(name))
            if write is None:
                raise UnknownOperationError(f"{node.target} has no ONNX form; see {__file__}")
            write(self, node)

    def _input(self, node: fx.Node) -> None:
        shape = self._shape
        sizes = {
            "planes": [shape.planes, shape.rows, shape.columns],
            "numbers": [shape.numbers],
        }[node.name]
        if 0 not in sizes:
            of = helper.make_tensor_value_info(node.name, TensorProto.FLOAT, ["batch", *sizes])
            self._inputs.append(of)

    def _answers(self, node: fx.Node) -> None:
        for name, value in zip(Outputs._fields, node.args, strict=True):
            if isinstance(value, fx.Node):
                self._nodes.append(helper.make_node("Identity", [value.name], [name]))
                sizes: list[str | int | None] = ["batch", *self._sizes[name]]
                of = helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)
                self._outputs.append(of)

    def _layer(self, node: fx.Node, layer: nn.Module) -> None:
        if isinstance(layer, nn.Conv2d):
            size, padding = list(layer.kernel_size), list(map(int, layer.padding))
            inputs = [self._weight(node, "weight", layer.weight)]
            if layer.bias is not None:
                inputs.append(self._weight(node, "bias", layer.bias))
            self.write(node, "Conv", *inputs, kernel_shape=size, pads=padding * 2)
        elif isinstance(layer, nn.Linear):
            inputs = [self._weight(node, "weight", layer.weight)]
            if layer.bias is not None:
                inputs.append(self._weight(node, "bias", layer.bias))
            self.write(node, "Gemm", *inputs, transB=1)
        elif isinstance(layer, nn.BatchNorm2d):
            parts = {
                "weight": layer.weight,
                "bias": layer.bias,
                "mean": layer.running_mean,
                "var": layer.running_var,
            }
            inputs = [self._weight(node, name, part) for name, part in parts.items()]
            self.write(node, "BatchNormalization", *inputs, epsilon=layer.eps)
        elif isinstance(layer, Pool):
            self._pool(node, layer)
        else:
            raise UnknownOperationError(f"{type(layer).__name__} has no ONNX form; see {__file__}")

    def _pool(self, node: fx.Node, layer: Pool) -> None:
        (source,) = node.all_input_nodes
        parts = []
        for kind in ("Average", "Max"):
            name = f"{node.name}_{kind.lower()}"
            op = f"Global{kind}Pool"
            self._nodes.append(helper.make_node(op, [source.name], [f"{name}_map"]))
            self._nodes.append(helper.make_node("Flatten", [f"{name}_map"], [name], axis=1))
            parts.append(name)
        if layer.scaled:
            scale = layer.scale(self._shape.rows, self._shape.columns)
            factor = self._constant(f"{node.name}_scale", np.array(scale, np.float32))
            self._nodes.append(helper.make_node("Mul", [parts[0], factor], [f"{node.name}_scaled"]))
            parts.insert(1, f"{node.name}_scaled")
        self._nodes.append(helper.make_node("Concat", parts, [node.name], axis=1))

    def write(self, node: fx.Node, op: str, *more: str, **attributes: Any) -> None:
        """Write a node of one operation, which takes the net's tensors and then constants."""
        inputs = [source.name for source in node.all_input_nodes]
        self._nodes.append(
            helper.make_node(op, [*inputs, *more], [node.name], name=node.name, **attributes)
        )

    def constant(self, node: fx.Node, value: NDArray[Any]) -> str:
        """Keep a constant that belongs to a node; return its name."""
        return self._constant(f"{node.name}_constant", value)

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def _weight(self, node: fx.Node, name: str, value: torch.Tensor | None) -> str:
        if value is None:
            raise UnknownOperationError(f"{node.target} keeps no {name}")
        return self._constant(f"{node.target}.{name}", _array(value))


def _array(value: torch.Tensor) -> NDArray[Any]:
    array: NDArray[Any] = value.detach().contiguous().numpy()
    return array


def _attribute(module: nn.Module, name: str) -> torch.Tensor:
    owner, _, last = name.rpartition(".")
    found: torch.Tensor = getattr(module.get_submodule(owner), last)
    return found


def _axes(graph: _Graph, node: fx.Node) -> str:
    return graph.constant(node, np.array([node.args[1]], np.int64))


def _times(graph: _Graph, node: fx.Node) -> None:
    factor = node.args[1]
    if isinstance(factor, int | float):
        graph.write(node, "Mul", graph.constant(node, np.array(factor, np.float32)))
    else:
        graph.write(node, "Mul")


def _flatten(graph: _Graph, node: fx.Node) -> None:
    if node.args[1] == 1:
        graph.write(node, "Flatten", axis=1)
    elif node.args[1] == 2:
        graph.write(node, "Reshape", graph.constant(node, np.array([0, 0, -1], np.int64)))
    else:
        raise UnknownOperationError(f"flatten from axis {node.args[1]} has no ONNX form")


def _transpose(graph: _Graph, node: fx.Node) -> None:
    if node.args[1:] != (1, 2):
        raise UnknownOperationError(f"transpose of axes {node.args[1:]} has no ONNX form")
    graph.write(node, "Transpose", perm=[0, 2, 1])


_FUNCTIONS: dict[Any, str] = {
    torch.relu: "relu",
    torch.tanh: "tanh",
    torch.cat: "cat",
    torch.matmul: "matmul",
    operator.add: "add",
    operator.mul: "mul",
}

_OPERATIONS: dict[str, Callable[[_Graph, fx.Node], None]] = {
    "relu": lambda graph, node: graph.write(node, "Relu"),
    "tanh": lambda graph, node: graph.write(node, "Tanh"),
    "add": lambda graph, node: graph.write(node, "Add"),
    "matmul": lambda graph, node: graph.write(node, "MatMul"),
    "cat": lambda graph, node: graph.write(node, "Concat", axis=node.args[1]),
    "index_select": lambda graph, node: graph.write(node, "Gather", axis=node.args[1]),
    "unsqueeze": lambda graph, node: graph.write(node, "Unsqueeze", _axes(graph, node)),
    "squeeze": lambda graph, node: graph.write(node, "Squeeze", _axes(graph, node)),
    "mul": _times,
    "flatten": _flatten,
    "transpose": _transpose,
}
