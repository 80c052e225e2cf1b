"""`order`: the record at each (epoch, rank, step, slot)."""

from __future__ import annotations

from typing import ClassVar

from epochproof.claim._quantity import Seen, SequenceQuantity, alike, same_places
from epochproof.claim._question import View
from epochproof.claim._sided import ALWAYS, Sided
from epochproof.term.node import FALSE, both, equal, variable


class Order(SequenceQuantity):
    """Two orders are equal where the same coordinates exist and hold the same records.

    Positions of a lane are ordered like (step, slot), so the coordinates are the same exactly where the
    lengths are and each position lies in the same step.
    """

    name: ClassVar[str] = "order"

    def same(self, one: View, other: View) -> Sided:
        if alike(one, other):
            return ALWAYS
        p = variable("p")
        a = one.plan.lane(one.this_rank, one.this_epoch)
        b = other.plan.lane(other.this_rank, other.this_epoch)
        agree = both(
            equal(one.plan.record(p, a), other.plan.record(p, b)),
            equal(one.plan.step(p, a), other.plan.step(p, b)),
        )
        return Sided(same_places(one, other, p, agree), FALSE)

    def listed(self, seen: Seen) -> object:
        lanes = enumerate(seen.lists.epoch(seen.this_epoch))
        return {rank: list(zip(lane.step, lane.records, strict=True)) for rank, lane in lanes if lane.records}
