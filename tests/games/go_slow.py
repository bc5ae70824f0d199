"""Go's rules written down slowly: sets of points, every move tried, every board remembered."""

from __future__ import annotations

PASS = 361

Stones = dict[int, int]


def neighbours(code: int, size: int) -> list[int]:
    row, column = divmod(code, 19)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [19 * r + c for r, c in around if 0 <= r < size and 0 <= c < size]


def chain_of(stones: Stones, code: int, size: int) -> tuple[set[int], set[int]]:
    """Stones connected with the one at `code`, and their liberties."""
    chain, liberties, left = {code}, set(), [code]
    while left:
        for n in neighbours(left.pop(), size):
            if n not in stones:
                liberties.add(n)
            elif stones[n] == stones[code] and n not in chain:
                chain.add(n)
                left.append(n)
    return chain, liberties


class SlowGame:
    """A game with all its boards."""

    def __init__(self, size: int, ko: str, allows_suicide: bool) -> None:
        self.size, self.ko, self.allows_suicide = size, ko, allows_suicide
        self.stones: Stones = {}
        self.side = 1
        self.passes = 0
        self.prisoners = {1: 0, 2: 0}
        self.boards: list[tuple[Stones, int]] = [({}, 1)]

    def after(self, code: int) -> tuple[Stones, int] | None:
        """Stones after a play and how many the mover took; None if it is suicide not allowed."""
        stones = self.stones | {code: self.side}
        taken: set[int] = set()
        for n in neighbours(code, self.size):
            if stones.get(n) == 3 - self.side:
                chain, liberties = chain_of(stones, n, self.size)
                if not liberties:
                    taken |= chain
        for stone in taken:
            del stones[stone]
        chain, liberties = chain_of(stones, code, self.size)
        if liberties:
            return stones, len(taken)
        if not self.allows_suicide:
            return None
        return {p: c for p, c in stones.items() if p not in chain}, -len(chain)

    def is_legal(self, code: int) -> bool:
        if self.passes >= 2:
            return False
        if code == PASS:
            return True
        if code in self.stones:
            return False
        found = self.after(code)
        if found is None:
            return False
        stones, taken = found
        other = 3 - self.side
        if self.ko == "simple":
            return not (taken == 1 and len(self.boards) > 1 and self.boards[-2] == (stones, other))
        if self.ko == "positional":
            return all(stones != board for board, _ in self.boards)
        return (stones, other) not in self.boards

    def legal_moves(self) -> list[int]:
        points = [19 * r + c for r in range(self.size) for c in range(self.size)]
        return [code for code in (*points, PASS) if self.is_legal(code)]

    def push(self, code: int) -> None:
        if code == PASS:
            self.passes += 1
        else:
            self.passes = 0
            found = self.after(code)
            if found is None:
                raise ValueError(f"{code} is suicide")
            self.stones, taken = found
            if taken > 0:
                self.prisoners[self.side] += taken
            else:
                self.prisoners[3 - self.side] -= taken
        self.side = 3 - self.side
        self.boards.append((self.stones, self.side))
