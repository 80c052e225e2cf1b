"""Whether two schedules read the same records, and whether one can go on where the other stopped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from epochproof.claim._laps import delivered, one_rank_needed
from epochproof.claim._nodes import Condition, Node, Symbols, Use, World
from epochproof.claim._question import RECORD, ZERO, Undecided, View
from epochproof.claim._sided import Sided
from epochproof.schedule.interrupted import handed_over
from epochproof.schedule.plan import Plan
from epochproof.stage._anyhow import Anyhow
from epochproof.term.node import (
    FALSE,
    Bool,
    Int,
    both,
    choose,
    either,
    equal,
    iff,
    implies,
    maximum,
    minimum,
    negate,
    number,
)


@dataclass(frozen=True, eq=False, repr=False)
class SameRecords(Condition):
    """Both loaders read each record equally often in an epoch: on the same laps, on equally many lanes."""

    left: Use
    right: Use

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def tells_records(self) -> bool:
        return True

    def sided(self, symbols: Symbols) -> Sided:
        one, other = symbols.view(self.left), symbols.view(self.right)
        _refuse_own_orders(one, other)
        stages = one.plan.padding_stages()
        copies = equal(one.plan.copies(), other.plan.copies())
        if other.plan.padding_stages() != stages:
            firsts = iff(*(_first_place(view) for view in (one, other)))
            return Sided(both(copies, firsts, _never_again(one), _never_again(other)), FALSE)
        laps = [symbols.question.fresh("lap") for _ in range(stages)]
        return Sided(both(copies, iff(delivered(one, RECORD, laps), delivered(other, RECORD, laps))), FALSE)

    def holds(self, world: World) -> bool:
        return not self.shows(world)

    def shows(self, world: World) -> frozenset[int]:
        return _apart(world.seen(self.left).counts(), world.seen(self.right).counts())


@dataclass(frozen=True, eq=False, repr=False)
class GoesOn(Condition):
    """Where the left loader stopped after `after` steps, the right one goes on; nothing lost or repeated.

    Lost is what is read less often than by either loader uninterrupted, repeated what is read more often.
    """

    left: Use
    right: Use
    after: Int

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def tells_records(self) -> bool:
        return True

    def sided(self, symbols: Symbols) -> Sided:
        one, other = symbols.view(self.left), symbols.view(self.right)
        _refuse_own_orders(one, other)
        if one.plan.repeats() or other.plan.repeats():
            raise Undecided("where a source of a mix starts again, going on is only compared by running it")
        before, resumed = handed_over(one.plan, other.plan, self.after)

        def times(plan: Plan) -> Int:
            first = [ZERO] * plan.padding_stages()
            return choose(delivered(replace(one, plan=plan), RECORD, first), plan.copies(), 0)

        stopped = self.after <= one.plan.steps(one.plan.lane(number(0), one.this_epoch))
        either_way, parts = (times(one.plan), times(other.plan)), times(before) + times(resumed)
        fits = both(minimum(*either_way) <= parts, parts <= maximum(*either_way))
        return Sided(implies(stopped, fits), FALSE)

    def holds(self, world: World) -> bool:
        return not self.shows(world)

    def shows(self, world: World) -> frozenset[int]:
        return _apart(*self.counted(world))

    def counted(self, world: World) -> tuple[Counter[int], Counter[int]]:
        """How often each record would be read without the change, and is; padding not counted.

        Where the loaders differ, by the one that is nearer to what is read.
        """
        one, other = world.lists[self.left.loader], world.lists[self.right.loader]
        before, resumed = handed_over(one.plan, other.plan, self.after)
        if one.value(self.after) > max((lane.steps for lane in one.epoch(world.epoch)), default=0):
            return Counter(), Counter()
        parts = [one.variant(plan).unpadded(world.epoch) for plan in (before, resumed)]
        wholes, read = [each.unpadded(world.epoch) for each in (one, other)], parts[0] + parts[1]
        least, most = wholes[0] & wholes[1], wholes[0] | wholes[1]
        return (read | least) & most, read


def _refuse_own_orders(*views: View) -> None:
    """Where ranks shuffle on their own, or nobody knows the deal, one rank does not show what all read."""
    unknown = any(isinstance(stage, Anyhow) for view in views for stage in view.plan.stages)
    if any(view.plan.draws() for view in views):
        raise Undecided("loaders that may draw a record again are only compared by running them")
    if unknown or any(one_rank_needed(view) for view in views):
        raise Undecided("loaders whose ranks have orders of their own are only compared by running them")


def _first_place(view: View) -> Bool:
    """The record is read, not as padding."""
    return delivered(view, RECORD, [ZERO] * view.plan.padding_stages())


def _never_again(view: View) -> Bool:
    """The record is never padding."""
    laps = [view.question.fresh("lap") for _ in range(view.plan.padding_stages())]
    return implies(either(*(lap >= 1 for lap in laps)), negate(delivered(view, RECORD, laps)))


def _apart(one: Counter[int], other: Counter[int]) -> frozenset[int]:
    """The records that are not read equally often."""
    return frozenset((one - other) | (other - one))
