"""The text of SGF files cut into game trees, of which only the main line is looked at.

Smart Game Format FF[1] to FF[4] (https://www.red-bean.com/sgf/). The reader is this project's own:
strict ones end at the first defect, and real collections have thousands. Runs of nodes that are one
move each, nearly all of a game, are one match of a regular expression and stay bytes, which is what
makes it fast; every other node is read property by property.

Text before, between and behind game trees is passed over, as the format asks for. A file that
begins with a node is taken for a tree without its opening parenthesis. A tree that the file's end
leaves open is told as such. Anything else that is no SGF is a fault of its tree, with the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Node", "Run", "Tree", "trees"]

_VALUE = rb"\[[^\]\\]*(?:\\.[^\]\\]*)*\]"
_SPACE = re.compile(rb"[\s\0]*")
_OPENING = re.compile(rb"\([\s\0]*(?=;)")
_BARE = re.compile(rb"(?:\xef\xbb\xbf)?[\s\0]*(?=;[\s\0]*[A-Za-z]+[\s\0]*\[)")
_RUN = re.compile(rb"(?:\s*;\s*[BW]\[(?:[a-t][a-t])?\](?=\s*[;()]))+")
_PROPERTY = re.compile(
    rb"[\s\0]*([A-Za-z][A-Za-z0-9]*)\s*((?:" + _VALUE + rb"[\s\0]*)+)", re.DOTALL
)
_OPEN_PROPERTY = re.compile(
    rb"[\s\0]*(?:[A-Za-z][A-Za-z0-9]*\s*(?:" + _VALUE + rb"\s*)*(?:\[(?:[^\]\\]|\\.)*\\?)?)?\Z",
    re.DOTALL,
)
_VALUES = re.compile(_VALUE, re.DOTALL)
_SIDE = re.compile(rb"[()]|" + _VALUE, re.DOTALL)
_LOWER = re.compile(rb"[a-z]+")
_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Run:
    """Nodes that are one move each.

    Attributes
    ----------
    text
        The nodes without white space, six bytes a move: ``;B[pd];W[dp]``; a pass is ``tt``.
    """

    text: bytes


@dataclass(frozen=True, slots=True)
class Node:
    """Any other node.

    Attributes
    ----------
    properties
        Names in capitals, without the small letters that FF[1] to FF[3] allow, each with its values
        as they stand between the brackets, in the order of the file. A name may come twice.
    """

    properties: list[tuple[bytes, list[bytes]]]


@dataclass(slots=True)
class Tree:
    """A game tree.

    Attributes
    ----------
    offset
        Where it begins in the data.
    nodes
        Its main line: the first child at each branch.
    side_lines
        Other ways from the root to a leaf.
    is_closed
        False where the data end before the tree does.
    fault
        What is wrong with its text, after the nodes that were read, or None.
    """

    offset: int
    nodes: list[Run | Node] = field(default_factory=list)
    side_lines: int = 0
    is_closed: bool = True
    fault: str | None = None


def trees(data: bytes) -> Iterator[Tree]:
    """Yield the game trees of a file, none where it holds none.

    Parameters
    ----------
    data
        Text in an encoding in which brackets, backslashes and parentheses are always themselves, as
        in UTF-8 and in all of ISO 8859.
    """
    if (bare := _BARE.match(data)) is not None:
        tree, position = _read(data, bare.end(), bare.end())
        yield tree
    else:
        position = 0
    while (opening := _OPENING.search(data, position)) is not None:
        tree, position = _read(data, opening.start(), opening.end())
        yield tree


def _read(data: bytes, offset: int, position: int) -> tuple[Tree, int]:
    """Return the tree whose first node is at `position`, and where to look for the next."""
    tree = Tree(offset)
    depth = 1
    while True:
        if (run := _RUN.match(data, position)) is not None:
            text = run[0].translate(None, b" \t\r\n\v\f")
            tree.nodes.append(
                Run(
                    text
                    if len(text) % 6 == 0 and b"[]" not in text
                    else text.replace(b"[]", b"[tt]")
                )
            )
            position = run.end()
        position = _past_space(data, position)
        mark = data[position : position + 1]
        if mark == b";":
            position = _node(data, position + 1, tree)
            if not tree.is_closed:
                return tree, len(data)
            if tree.fault is not None:
                return tree, _next_tree(data, position)
        elif mark == b"(":
            depth += 1
            position += 1
        elif mark == b")":
            return tree, _side_lines(data, position + 1, depth - 1, tree)
        elif not mark:
            tree.is_closed = False
            return tree, position
        else:
            tree.fault = f"{_shown(data, position)} where a node or a parenthesis should stand"
            return tree, _next_tree(data, position)


def _node(data: bytes, position: int, tree: Tree) -> int:
    properties: list[tuple[bytes, list[bytes]]] = []
    while (match := _PROPERTY.match(data, position)) is not None:
        name = match[1]
        if not name.isupper():
            name = _LOWER.sub(b"", name)
        values = match[2]
        if values.count(b"[") == 1:
            properties.append((name, [values.rstrip(b" \t\r\n\v\f\0")[1:-1]]))
        else:
            properties.append((name, [value[1:-1] for value in _VALUES.findall(values)]))
        position = match.end()
    tree.nodes.append(Node(properties))
    position = _past_space(data, position)
    if data[position : position + 1] in (b";", b"(", b")", b""):
        return position
    if _OPEN_PROPERTY.match(data, position) is not None:
        tree.is_closed = False
        tree.fault = f"the file ends within a property: {_shown(data, position)}"
    else:
        tree.fault = f"{_shown(data, position)} where a property should stand"
    return position


def _side_lines(data: bytes, position: int, depth: int, tree: Tree) -> int:
    """Pass over the tree's other lines, from behind the main line's end to the tree's."""
    if not depth:
        return position
    is_leaf = False
    for match in _SIDE.finditer(data, position):
        mark = match[0]
        if mark == b"(":
            depth += 1
            is_leaf = True
        elif mark == b")":
            depth -= 1
            tree.side_lines += is_leaf
            is_leaf = False
            if not depth:
                return match.end()
    tree.is_closed = False
    return len(data)


def _next_tree(data: bytes, position: int) -> int:
    """Return where a tree behind a faulty one may begin: at a root's usual first property."""
    match = _NEXT_ROOT.search(data, position)
    return len(data) if match is None else match.start()


_NEXT_ROOT = re.compile(rb"\([\s\0]*;[\s\0]*(?:GM|FF|CA|SZ)\[")


def _past_space(data: bytes, position: int) -> int:
    match = _SPACE.match(data, position)
    return position if match is None else match.end()


def _shown(data: bytes, position: int) -> str:
    text = data[position : position + _SHOWN].decode("utf-8", "replace")
    return f"byte {position:,}: {' '.join(text.split())!r}"
