"""A net as a graph of few operations, its batch normalisations folded into convolutions.

In evaluation a batch normalisation is an affine map of each channel; behind a convolution it
becomes part of it. Nets that normalise before they convolve keep those whose input is a sum.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from torch import fx, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from tabia.search.nets.blocks import Pool
from tabia.search.nets.net import Net

__all__ = ["folded"]


class _Tracer(fx.Tracer):
    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return isinstance(m, Pool) or super().is_leaf_module(m, module_qualified_name)


def folded(net: Net) -> fx.GraphModule:
    """Return an independent graph that evaluates as `net` does in evaluation mode."""
    copied = copy.deepcopy(net).eval()
    graph = _Tracer().trace(copied)
    module = fx.GraphModule(copied, graph)
    inside = dict(module.named_modules())
    for node in list(graph.nodes):
        source = node.args[0] if node.args else None
        if not isinstance(source, fx.Node) or not _is(inside, node, nn.BatchNorm2d):
            continue
        if not _is(inside, source, nn.Conv2d) or len(source.users) > 1:
            continue
        convolution, norm = inside[str(source.target)], inside[str(node.target)]
        fused = fuse_conv_bn_eval(convolution, norm)
        module.set_submodule(str(source.target), fused)
        node.replace_all_uses_with(source)
        graph.erase_node(node)
    module.delete_all_unused_submodules()
    module.recompile()
    return module.eval()


def _is(modules: Mapping[str, nn.Module], node: fx.Node, kind: type[Any]) -> bool:
    return node.op == "call_module" and isinstance(modules[str(node.target)], kind)
