"""What chance decides: how many records a loader draws from, and how many independent draws it reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from epochproof.claim._counts import distinct
from epochproof.claim._nodes import Symbols, Use, World
from epochproof.claim._quantity import Quantity, Seen
from epochproof.claim._question import Undecided, View
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.stage.draw import Draw
from epochproof.term.node import Int

ASSUMED = "every draw gives each record equally often, whatever else is drawn"


@dataclass(frozen=True, eq=False, repr=False)
class Drawing:
    """A plan that draws first: `below` is what is made of the draws, by their numbers."""

    draw: Draw
    below: Plan

    def repeats(self) -> bool:
        """Whether all epochs draw the same."""
        return self.draw.reseed == "never"


def drawing(plan: Plan) -> Drawing:
    """The draws of a plan.

    Raises:
        Undecided: it draws otherwise than once, uniformly, with replacement, from the population itself.
    """
    if any(isinstance(each, Draw) and not each.replacement for each in plan.stages):
        raise Undecided("draws without replacement leave no number to chance")
    base = plan.base()
    first = base.stages[0] if base.stages else None
    if not isinstance(first, Draw) or sum(isinstance(each, Draw) for each in plan.stages) > 1:
        raise Undecided("chance has a rule where a loader draws once, and first of all")
    if not first.uniform:
        raise Undecided("nothing is known of the weights, so that chance has no rule")
    if not first.shared:
        raise Undecided("chance has no rule where ranks draw on their own")
    below = base.below_draws()
    if below is None:
        raise Undecided("chance has a rule where a loader draws once, and first of all")
    return Drawing(first, below)


class Chance(Quantity):
    """The draws that a loader reads. Without its draw it reads their numbers, whatever they give."""

    name: ClassVar[str] = "expected"
    at_fault: ClassVar[str] = "draw"
    assumes: ClassVar[tuple[str, ...]] = (ASSUMED,)

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def plans(self, plan: Plan) -> list[Plan]:
        try:
            return [drawing(plan).below]
        except Undecided:
            return [plan]

    def depends_on(self, plan: Plan) -> set[str]:
        return super().depends_on(plan) | super().depends_on(plan_of(self._loader))


def drawn(symbols: Symbols, use: Use) -> tuple[View, Int, Int]:
    """The loader, how many records it draws from, and how many draws it reads in the window."""
    view = symbols.view(use)
    found = drawing(view.plan)
    if view.run and not found.repeats():
        # Each epoch has draws of its own, and reads as many as any other.
        epoch = replace(view, plan=found.below, run=False)
        return view, view.plan.size, distinct(epoch) * view.epochs
    return view, view.plan.size, distinct(replace(view, plan=found.below))


def counted(world: World, use: Use) -> tuple[int, int]:
    """The same on lists."""
    seen = world.seen(use)
    found = drawing(seen.lists.plan)
    numbers = seen.lists.variant(found.below)
    if seen.run and not found.repeats():
        epochs = [Seen(numbers, False, seen.rank, seen.this_rank, at) for at in seen.epochs()]  # noqa: FBT003
        return seen.lists.size, sum(len(each.counts()) for each in epochs)
    return seen.lists.size, len(replace(seen, lists=numbers).counts())
