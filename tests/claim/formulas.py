"""Formulas from a small grammar, each as a spec writes it and as lists answer it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from tests.worlds import Read, World, counts

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def bounds(n: int, ranks: int, of: int) -> dict[str, int]:
    """What a quantity is compared with, for n records and batches of `of`."""
    return {
        "0": 0,
        "1": 1,
        "2": 2,
        "d.size": n,
        "l.ranks": ranks,
        "d.size + l.ranks - 1": n + ranks - 1,
        "d.size - l.ranks + 1": n - ranks + 1,
        "l.ranks * l.batch": ranks * of,
        "l.ranks * l.batch - 1": ranks * of - 1,
        "d.size + l.ranks * l.batch - 1": n + ranks * of - 1,
        "d.size - l.ranks * l.batch": n - ranks * of,
        "d.size // l.ranks": n // ranks,
        "ceil(d.size / l.ranks)": -(-n // ranks),
        "ceil(d.size / l.ranks) * l.ranks": -(-n // ranks) * ranks,
        "d.size // (l.ranks * l.batch)": n // (ranks * of),
        "d.size % l.ranks": n % ranks,
    }


def numbers(world: World, lanes: list[Read]) -> dict[str, int]:
    """What is read on these lanes, counted."""
    found = counts(lanes)
    return {
        "occurrences": found.total(),
        "distinct": len(found),
        "padding": sum(lane.padding for lane in lanes),
        "count(omitted)": world.size - len(found),
        "count(covered)": len(found),
        "count(repeated)": sum(times > 1 for times in found.values()),
    }


NUMBERS = tuple(numbers(World(0, 1, ()), []))
BOUNDS = tuple(bounds(0, 1, 1))


@dataclass(frozen=True)
class Formula:
    """`quantity operator bound`, over a window."""

    quantity: str
    window: str
    operator: str
    bound: str

    def __str__(self) -> str:
        window = f"({self.window})" if self.window else ""
        name = self.quantity.removeprefix("count(").removesuffix(")")
        use = f"l.{name}{window}"
        left = f"count({use})" if self.quantity.startswith("count(") else use
        return f"{left} {self.operator} {self.bound}"

    def holds(self, world: World, of: int) -> bool:
        """Whether it holds for every window, rank and record there is."""
        bound = bounds(world.size, world.ranks, of)[self.bound]
        return all(OPERATORS[self.operator](each, bound) for each in self._values(world))

    def _values(self, world: World) -> Iterator[int]:
        if self.quantity == "steps":
            for rank, epochs in product(range(world.ranks), _epochs(world, self.window)):
                yield sum(world.lane(epoch, rank).steps for epoch in epochs)
            return
        for lanes in world.window(self.window):
            if self.quantity == "multiplicity":
                found = counts(lanes)
                yield from (found[record] for record in range(world.size))
            else:
                yield numbers(world, lanes)[self.quantity]


def _epochs(world: World, window: str) -> list[list[int]]:
    every = list(range(world.epochs))
    return [every] if window == "run" else [[epoch] for epoch in every]


def formulas(name: str, most: int) -> list[Formula]:
    """So many formulas, other ones for each name."""
    quantities = [*NUMBERS, "multiplicity", "steps"]
    windows = ("", "", "run", "rank")
    every = [
        Formula(quantity, window, compared, bound)
        for quantity, window, compared, bound in product(quantities, windows, OPERATORS, BOUNDS)
        if not (quantity == "steps" and window == "rank")
    ]
    return Random(name).sample(every, most)  # noqa: S311 -- a seeded choice
