"""`global_batches`: for each step, the records that all ranks read together, with their multiplicity."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from epochproof.claim._laps import delivered, one_rank_needed
from epochproof.claim._quantity import Seen, SequenceQuantity, alike
from epochproof.claim._question import RECORD, ZERO, Undecided, View
from epochproof.claim._sided import ALWAYS, Sided
from epochproof.term.node import FALSE, Bool, Int, both, equal, implies


class GlobalBatches(SequenceQuantity):
    """Equal where each delivery of one has a delivery of the other, on the same lap, in the same step."""

    name: ClassVar[str] = "global_batches"

    def same(self, one: View, other: View) -> Sided:
        if alike(one, other):
            return ALWAYS
        if one.plan.has_workers or other.plan.has_workers:
            raise Undecided("in which order the workers of an iterable loader take turns has no rule")
        stages = one.plan.padding_stages()
        if other.plan.padding_stages() != stages:
            raise Undecided("global batches of schedules that pad differently have no rule")
        if one_rank_needed(one) or one_rank_needed(other):
            raise Undecided("global batches of ranks that shuffle on their own have no rule")
        laps = [one.question.fresh("lap") for _ in range(stages)]
        copies = equal(one.plan.copies(), other.plan.copies())
        return Sided(both(copies, _inside(one, other, laps), _inside(other, one, laps)), FALSE)

    def listed(self, seen: Seen) -> object:
        batches: dict[int, Counter[int]] = {}
        for lane in seen.lists.epoch(seen.this_epoch):
            for step, record in zip(lane.step, lane.records, strict=True):
                batches.setdefault(step, Counter())[record] += 1
        return batches


def _inside(one: View, other: View, laps: list[Int]) -> Bool:
    """A delivery of `one` on these laps is one of `other` on the same laps, in the same step."""
    found = delivered(one, RECORD, laps)
    return implies(found, both(delivered(other, RECORD, laps), equal(_step(one, laps), _step(other, laps))))


def _step(view: View, laps: list[Int]) -> Int:
    place = view.plan.witness(RECORD, laps, ZERO, view.this_epoch)
    return view.plan.step(place.position, view.plan.lane(place.rank, view.this_epoch))
