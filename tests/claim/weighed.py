"""What records weigh, counted occurrence by occurrence on the lists of a world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from tests.claim.formulas import OPERATORS
from tests.worlds import World, Written, counts

PLAIN, MASKED, HALF, SHARED = (
    None,
    Written("weigh", options={"padding": 0}),
    Written("weigh", options={"padding": 0.5}),
    Written("weigh", options={"by": "inverse_multiplicity"}),
)
FORMS = {"plain": PLAIN, "masked": MASKED, "half": HALF, "shared": SHARED}
"""Each way to weigh; the decimal of one is exact in binary, too."""


def weighed(world: World, how: Written | None) -> World:
    """The same world, whose loader weighs."""
    return world if how is None else replace(world, stages=(*world.stages, how))


def weights(world: World, window: str = "") -> Iterator[Fraction]:
    """The weight of each record in each window there is."""
    how = next((stage.options for stage in world.stages if stage.name == "weigh"), {"padding": 1})
    epochs = [list(range(world.epochs))] if "run" in window else [[epoch] for epoch in range(world.epochs)]
    ranks = [[rank] for rank in range(world.ranks)] if "rank" in window else [list(range(world.ranks))]
    for some_epochs, some_ranks in product(epochs, ranks):
        total = Counter[int]()
        for epoch, rank in product(some_epochs, some_ranks):
            everyone = counts(world.epoch(epoch))
            for record, padded in world.lane(epoch, rank).marked:
                if "by" in how:
                    total[record] += Fraction(1, everyone[record])  # type: ignore[assignment]
                else:
                    total[record] += Fraction(how["padding"]) if padded else 1  # type: ignore[assignment]
        yield from (Fraction(total[record]) for record in range(world.size))


def compared(world: World, window: str) -> tuple[list[str], list[bool]]:
    """Claims about the weight, a value it has and the next ones, and whether the lists bear them out."""
    found = list(weights(world, window))
    most = max(found, default=Fraction(0))
    use = f"l.weight({window})" if window else "l.weight"
    claims, held = [], []
    for sign, value in product(("==", "<=", "<"), sorted({*found[:1], most, most + 1, Fraction(1)})):
        claims.append(f"{value.denominator} * {use} {sign} {value.numerator}")
        held.append(all(OPERATORS[sign](each, value) for each in found))  # type: ignore[arg-type]
    return claims, held
