"""The slow twin of the native search: plain Python over `tabia.games`, no shortcut taken.

Every edge is looked at; every value is kept from White's (Red's) view and turned where it is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tabia.games.contract import Position
from tabia.search.config import TreeSettings


@dataclass
class Node:
    position: Position
    moves: list[int] = field(default_factory=list)
    priors: list[float] = field(default_factory=list)
    children: dict[int, Node] = field(default_factory=dict)
    values: list[float] = field(default_factory=list)  # first player's view
    best: float = 0.0  # minimax value, first player's view
    evaluation: float = 0.0
    outcome: int | None = None

    @property
    def sign(self) -> int:
        return 1 if self.position.first_to_move else -1

    @property
    def visits(self) -> int:
        return len(self.values)


class Twin:
    """One tree. `think(position)` returns moves, priors and the value for the side to move."""

    def __init__(self, position: Position, settings: TreeSettings, think) -> None:
        self.settings, self.think = settings, think
        self.root = self.arrive(position)
        self.back_up([self.root])

    def arrive(self, position: Position) -> Node:
        node = Node(position, outcome=position.outcome())
        if node.outcome is not None:
            node.evaluation = float(node.outcome)
        else:
            moves, priors, value = self.think(position)
            order = np.argsort(-np.asarray(priors), kind="stable")
            node.moves = [moves[i] for i in order]
            node.priors = [float(priors[i]) for i in order]
            node.evaluation = node.sign * value
        node.best = node.evaluation
        return node

    def value(self, node: Node) -> float:
        if self.settings.backup == "minimax":
            return node.best
        return sum(node.values) / len(node.values)

    def unvisited(self, node: Node) -> float:
        if self.settings.fpu == "fixed":
            return self.settings.fpu_value
        seen = sum(node.priors[i] for i in node.children)
        return node.sign * self.value(node) - self.settings.fpu_value * math.sqrt(seen)

    def score(self, node: Node, edge: int, depth: int) -> float:
        s = self.settings
        child = node.children.get(edge)
        q = self.unvisited(node) if child is None else node.sign * self.value(child)
        n = 0 if child is None else child.visits
        prior, total = node.priors[edge], node.visits
        if s.rule == "puct":
            rate = math.log((1 + total + s.c_base) / s.c_base) + s.c_init
            return q + rate * prior * math.sqrt(total) / (1 + n)
        black = node.position.first_to_move
        win_rate = (node.sign * q + 1) / 2  # of the first player, as the paper has it
        temperature = s.temperature_by_depth[min(depth, len(s.temperature_by_depth) - 1)]
        bonus = temperature * prior * math.sqrt(total) / max(n, s.visit_floor)
        return s.c * (win_rate if black else 1 - win_rate) + bonus

    def simulate(self) -> None:
        path, node = [self.root], self.root
        while node.outcome is None:
            scores = [self.score(node, i, len(path) - 1) for i in range(len(node.moves))]
            edge = max(range(len(scores)), key=lambda i: (scores[i], -i))
            if edge not in node.children:
                position = node.position.copy()
                position.push(node.moves[edge])
                node.children[edge] = self.arrive(position)
                path.append(node.children[edge])
                break
            node = node.children[edge]
            path.append(node)
        self.back_up(path)

    def back_up(self, path: list[Node]) -> None:
        for node in reversed(path):
            node.values.append(path[-1].evaluation)
            if node.children:
                pick = max if node.position.first_to_move else min
                node.best = pick(child.best for child in node.children.values())

    def visits(self) -> dict[int, int]:
        edges = range(len(self.root.moves))
        return {
            self.root.moves[i]: self.root.children[i].visits if i in self.root.children else 0
            for i in edges
        }
