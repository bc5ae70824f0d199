"""Whether the text of a LightGBM model is whole.

LightGBM reads trees in threads of its own, and a tree that it cannot read there ends the whole
process (4.6). So a text is looked through before it is handed over: the sizes that its header
names, and of each tree the lengths and ranges of what decides a prediction.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["DamagedTreesError", "require_whole"]

_SIZES = "tree_sizes"
_FEATURES = "max_feature_idx"
_END = b"end of trees"
_OF_SPLITS = (
    "split_feature",
    "split_gain",
    "threshold",
    "decision_type",
    "left_child",
    "right_child",
)


class DamagedTreesError(ValueError):
    """A text that is cut short or damaged."""

    exit_code = 3


def require_whole(text: str) -> None:
    """Check the text of a model with trees.

    Raises
    ------
    DamagedTreesError
        Naming what does not fit.
    """
    data = text.encode()
    start = data.find(b"\nTree=0\n") + 1
    header = _values(data[: max(start, 0)].decode())
    try:
        sizes = [int(size) for size in header[_SIZES].split()]
        features = int(header[_FEATURES]) + 1
    except (KeyError, ValueError) as error:
        raise DamagedTreesError("trees: the header is damaged") from error
    for number, size in enumerate(sizes):
        tree = data[start : start + size]
        start += size
        if not tree.startswith(b"Tree=%d\n" % number) or len(tree) < size:
            raise DamagedTreesError(
                f"trees: tree {number} of {len(sizes)} is not where it should be"
            )
        try:
            fault = next(_faults(_values(tree.decode()), features), None)
        except (KeyError, ValueError) as error:
            fault = f"{error}"
        if fault is not None:
            raise DamagedTreesError(f"trees: tree {number} of {len(sizes)} is damaged: {fault}")
    if not data[start:].startswith(_END):
        raise DamagedTreesError("trees: the text has no end")


def _values(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def _faults(tree: dict[str, str], features: int) -> Iterator[str]:
    leaves = int(tree["num_leaves"])
    for name in _OF_SPLITS:
        numbers = [float(word) for word in tree[name].split()]
        if len(numbers) != leaves - 1:
            yield f"{name} has {len(numbers)} numbers for {leaves} leaves"
        low, high = {
            "split_feature": (0, features - 1),
            "left_child": (-leaves, leaves - 2),
            "right_child": (-leaves, leaves - 2),
        }.get(name, (float("-inf"), float("inf")))
        if any(not low <= number <= high for number in numbers):
            yield f"{name} is out of range"
    values = [float(word) for word in tree["leaf_value"].split()]
    if len(values) != leaves:
        yield f"leaf_value has {len(values)} numbers for {leaves} leaves"
