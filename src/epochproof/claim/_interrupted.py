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
from epochproof.term.node import Bool, Int, add, both, choose, number


def runs(view: View) -> Interrupted:
    """The interrupted runs of the view's loader."""
    found = interrupted(view.plan)
    if found is None:
        raise Undecided("nothing interrupts the loader: it has no `resume`")
    if any(isinstance(stage, Anyhow) for stage in view.plan.stages):
        raise Undecided("what an interruption loses is not known where the deal is not")
    if view.plan.draws():
        raise Undecided("what an interruption loses is not known where a draw may give a record again")
    if view.plan.repeats():
        raise Undecided("what an interruption loses has no rule where a source of a mix starts again")
    return found


def read_times(view: View, record: Int) -> tuple[Int, Int]:
    """How often the record is read without the interruption, and with it; padding not counted.

    Only a record's first place is no padding, so each run reads it on all lanes that hold it, or never.
    """
    found = runs(view)
    if any(one_rank_needed(replace(view, plan=plan)) for plan in found.runs):
        raise Undecided("what an interruption loses is not known where ranks shuffle on their own")

    def times(plan: Plan) -> Int:
        first = [ZERO] * plan.padding_stages()
        return choose(delivered(replace(view, plan=plan), record, first), plan.copies(), 0)

    return times(found.whole), add(*map(times, found.parts))


def counted_times(seen: Seen) -> tuple[Counter[int], Counter[int]]:
    """The same on lists."""
    lists, epoch = seen.lists, seen.this_epoch
    found = interrupted(lists.plan)
    if found is None:
        return Counter(), Counter()
    parts = (lists.variant(each).unpadded(epoch) for each in found.parts)
    return lists.variant(found.whole).unpadded(epoch), sum(parts, Counter())


def stops(view: View) -> Bool:
    """Each time the run is stopped within its epoch: after the steps that some rank still runs, or fewer."""
    found = runs(view)
    left = [run.steps(run.lane(number(0), view.this_epoch)) for run in found.runs[:-1]]
    return both(*(after <= steps for after, steps in zip(found.after, left, strict=True)), found.another)


def stopped(seen: Seen) -> bool:
    """The same on lists."""
    found = interrupted(seen.lists.plan)
    if found is None:
        return True
    left = [_most_steps(seen.lists.variant(run), seen.this_epoch) for run in found.runs[:-1]]
    within = all(seen.lists.value(after) <= most for after, most in zip(found.after, left, strict=True))
    return within and bool(seen.lists.value(found.another))


def _most_steps(lists: Lists, epoch: int) -> int:
    return max((lane.steps for lane in lists.epoch(epoch)), default=0)


class OfInterruption(SetQuantity):
    """What `lost` and `replayed` share: the whole run and its parts, compared within one epoch."""

    at_fault: ClassVar[str] = "resume"
    limited: ClassVar[bool] = True
    windows: ClassVar[frozenset[str]] = frozenset()

    def plans(self, plan: Plan) -> list[Plan]:
        found = interrupted(plan)
        return [found.whole, *found.parts] if found else [plan]

    def meant(self, view: View) -> Bool:
        return stops(view)

    def means(self, seen: Seen) -> bool:
        return stopped(seen)

    def count(self, view: View) -> Int:
        raise Undecided(f"how many records are {self.name} has no rule")
