"""Comparing an interrupted run with the one that was not: records, padding left out on both sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import ClassVar

from epochproof.claim._laps import delivered, one_rank_needed
from epochproof.claim._quantity import Seen, SetQuantity
from epochproof.claim._question import ZERO, Undecided, View
from epochproof.schedule.deliveries import Lists
from epochproof.schedule.interrupted import Interrupted, interrupted
from epochproof.schedule.plan import Plan
from epochproof.stage._anyhow import Anyhow
from epochproof.term.node import Bool, Int, both, choose, number


def runs(view: View) -> Interrupted:
    """The three runs of the view's loader."""
    found = interrupted(view.plan)
    if found is None:
        raise Undecided("nothing interrupts the loader: it has no `resume`")
    if any(isinstance(stage, Anyhow) for stage in view.plan.stages):
        raise Undecided("what an interruption loses is not known where the deal is not")
    if view.plan.repeats():
        raise Undecided("what an interruption loses has no rule where a source of a mix starts again")
    return found


def read_times(view: View, record: Int) -> tuple[Int, Int]:
    """How often the record is read without the interruption, and with it; padding not counted.

    Only a record's first place is no padding, so each run reads it on all lanes that hold it, or never.
    """
    found = runs(view)
    if any(one_rank_needed(replace(view, plan=plan)) for plan in (found.whole, found.resumed)):
        raise Undecided("what an interruption loses is not known where ranks shuffle on their own")

    def times(plan: Plan) -> Int:
        first = [ZERO] * plan.padding_stages()
        return choose(delivered(replace(view, plan=plan), record, first), plan.copies(), 0)

    return times(found.whole), times(found.before) + times(found.resumed)


def counted_times(seen: Seen) -> tuple[Counter[int], Counter[int]]:
    """The same on lists."""
    lists, epoch = seen.lists, seen.this_epoch
    found = interrupted(lists.plan)
    if found is None:
        return Counter(), Counter()
    whole, before, resumed = (lists.variant(each) for each in (found.whole, found.before, found.resumed))
    return unpadded(whole, epoch), unpadded(before, epoch) + unpadded(resumed, epoch)


def stops(view: View) -> Bool:
    """The run is stopped within its epoch: after as many steps as some rank runs, or fewer."""
    found = runs(view)
    lane = found.whole.lane(number(0), view.this_epoch)
    return both(found.after <= found.whole.steps(lane), found.another)


def stopped(seen: Seen) -> bool:
    """The same on lists."""
    found = interrupted(seen.lists.plan)
    if found is None:
        return True
    whole = seen.lists.variant(found.whole)
    steps = max((lane.steps for lane in whole.epoch(seen.this_epoch)), default=0)
    return seen.lists.value(found.after) <= steps and bool(seen.lists.value(found.another))


def unpadded(lists: Lists, epoch: int) -> Counter[int]:
    """How often each record is read, padding left out."""
    return Counter(
        record
        for lane in lists.epoch(epoch)
        for record, padded in zip(lane.records, lane.padded, strict=True)
        if not padded
    )


class OfInterruption(SetQuantity):
    """What `lost` and `replayed` share: three runs, compared within the interrupted epoch."""

    at_fault: ClassVar[str] = "resume"
    limited: ClassVar[bool] = True
    windows: ClassVar[frozenset[str]] = frozenset()

    def plans(self, plan: Plan) -> list[Plan]:
        found = interrupted(plan)
        return [found.whole, found.before, found.resumed] if found else [plan]

    def meant(self, view: View) -> Bool:
        return stops(view)

    def means(self, seen: Seen) -> bool:
        return stopped(seen)

    def count(self, view: View) -> Int:
        raise Undecided(f"how many records are {self.name} has no rule")
