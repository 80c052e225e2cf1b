"""What chance decides: how many records a loader draws from, and how many independent draws it reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from epochproof.claim._counts import distinct
from epochproof.claim._nodes import Symbols, Use, World
from epochproof.claim._quantity import Quantity, Seen
from epochproof.claim._question import Undecided, View
from epochproof.claim._weighted import Counts
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.stage._weights import Weights, weights_of
from epochproof.stage.draw import Draw
from epochproof.term.node import Int, constant, number

ASSUMED = "every draw gives each record equally often, whatever else is drawn"
WEIGHED = "every draw gives each record as often as its weight says, whatever else is drawn"


@dataclass(frozen=True, eq=False, repr=False)
class Drawing:
    """A plan that draws first: `below` is what is made of the draws, by their numbers."""

    draw: Draw
    below: Plan
    weights: Weights | None = None
    """Those of the records; without any, all are as likely."""

    def repeats(self) -> bool:
        """Whether all epochs draw the same."""
        return self.draw.reseed == "never"

    def sequences(self, *, of_a_rank: bool) -> Int:
        """How many sequences are drawn in an epoch: one that ranks share, or one for each rank."""
        return number(1) if of_a_rank or self.draw.shared else self.below.ranks


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
    weights = None if first.uniform else weights_of((constant(first.weights) or 0) - 1)
    if not first.uniform and weights is None:
        raise Undecided("nothing is known of the weights, so that chance has no rule")
    if plan.persistent and first.reseed == "epoch":
        raise Undecided("chance has no rule where persistent workers draw the same in every epoch")
    below = base.below_draws()
    if below is None:
        raise Undecided("chance has a rule where a loader draws once, and first of all")
    if not first.shared and "rank" in below.dealt():
        raise Undecided("chance has no rule where ranks are dealt draws of their own")
    return Drawing(first, below, weights)


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


class WeightedChance(Chance):
    """The same, where not all records are as likely."""

    assumes: ClassVar[tuple[str, ...]] = (WEIGHED,)


def chance_of(loader: Loader) -> Chance:
    """The draws of a loader."""
    uniform = all(each.stage.uniform for each in loader.stages if isinstance(each.stage, Draw))
    return Chance(loader) if uniform else WeightedChance(loader)


def weights_drawn(plan: Plan) -> Counts | None:
    """How many records have each weight, where the plan draws by weights.

    Raises:
        Undecided: nothing is known of them, or it draws in some other way.
    """
    weights = drawing(plan).weights
    return None if weights is None else weights.counts


def drawn(symbols: Symbols, use: Use) -> tuple[View, Int, Int]:
    """The loader, how many records it draws from, and how many draws it reads in the window."""
    view = symbols.view(use)
    found = drawing(view.plan)
    once = view.run and found.repeats()
    read = distinct(replace(view, plan=found.below, run=once)) * found.sequences(of_a_rank=view.rank)
    # Each epoch has draws of its own, and reads as many as any other.
    return view, view.plan.size, read if once or not view.run else read * view.epochs


def counted(world: World, use: Use) -> tuple[int, int]:
    """The same on lists."""
    seen = world.seen(use)
    found = drawing(seen.lists.plan)
    numbers = seen.lists.variant(found.below)
    own = not (seen.rank or found.draw.shared)
    ranks = range(seen.lists.ranks) if own else [seen.this_rank]
    windows = [Seen(numbers, False, seen.rank or own, at, epoch) for at in ranks for epoch in seen.epochs()]  # noqa: FBT003
    if found.repeats():
        windows = [replace(each, run=seen.run) for each in windows[:: len(seen.epochs())]]
    return seen.lists.size, sum(len(each.counts()) for each in windows)
