"""`order`: the record at each (epoch, rank, step, slot)."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._quantity import Seen, SequenceQuantity, alike
from epochproof.claim._question import Undecided, View
from epochproof.claim._sided import ALWAYS, Sided
from epochproof.term.node import FALSE, both, equal, iff, implies, variable, within


class Order(SequenceQuantity):
    """Two orders are equal where the same coordinates exist and hold the same records.

    Positions of a lane are ordered like (step, slot), so the coordinates are the same exactly where the
    lengths are and each position lies in the same step.
    """

    name: ClassVar[str] = "order"

    def same(self, one: View, other: View) -> Sided:
        if alike(one, other):
            return ALWAYS
        if one.plan.has_workers or other.plan.has_workers:
            raise Undecided("in which order the workers of an iterable loader take turns has no rule")
        p = variable("p")
        a = one.plan.lane(one.this_rank, one.this_epoch)
        b = other.plan.lane(other.this_rank, other.this_epoch)
        here = within(0, one.this_rank, one.plan.ranks)
        length = one.plan.length(a)
        agree = both(
            equal(one.plan.record(p, a), other.plan.record(p, b)),
            equal(one.plan.step(p, a), other.plan.step(p, b)),
        )
        same = both(equal(length, other.plan.length(b)), implies(within(0, p, length), agree))
        there = within(0, other.this_rank, other.plan.ranks)
        return Sided(both(iff(here, there), implies(here, same)), FALSE)

    def listed(self, seen: Seen) -> object:
        return [list(zip(lane.step, lane.records, strict=True)) for lane in seen.lists.epoch(seen.this_epoch)]
