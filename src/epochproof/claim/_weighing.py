"""What the occurrences of a record weigh together, as terms and on lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from epochproof.claim._laps import at_least, covered, delivered, multiplicity, one_rank_needed
from epochproof.claim._quantity import Seen
from epochproof.claim._question import RECORD, ZERO, Undecided, View
from epochproof.claim._quotient import Quotient, Value
from epochproof.claim._sided import Sided, exactly
from epochproof.schedule.plan import Plan
from epochproof.stage.weigh import Weigh
from epochproof.term.node import (
    FALSE,
    Int,
    both,
    ceil_divide,
    choose,
    either,
    less_equal,
    maximum,
    number,
    variable,
)

_EVERY = Weigh(padding=Fraction(1), by=None)
"""Without a `weigh`, each occurrence weighs 1."""


def weighing(plan: Plan) -> Weigh:
    """How the plan weighs; where nothing pads, what padding weighs makes no difference."""
    found = next((stage for stage in plan.stages if isinstance(stage, Weigh)), _EVERY)
    return _EVERY if found.by is None and plan.padding_stages() == 0 else found


def fractional(view: View) -> bool:
    """Whether a record may weigh a part of what an occurrence does."""
    how = weighing(view.plan)
    return view.rank if how.padding is None else how.padding.denominator > 1


def unpadded(view: View, record: Int) -> Int:
    """How often the record is delivered in the epoch without being padding: on its first laps, or never.

    A later lap need not be padding: what is drawn again is drawn. The plan says which laps are.
    """
    lane, p = view.plan.lane(), variable("p")
    padded = view.plan.padded(p, lane)
    if padded is FALSE:
        return multiplicity(view, record)
    if padded is not either(*(lap >= 1 for lap in view.plan.laps(p, lane))):
        raise Undecided("how often a record is read unpadded has no rule where it is also drawn again")
    if one_rank_needed(view):
        raise Undecided("which ranks read a record unpadded is not known where they shuffle on their own")
    first = [ZERO] * view.plan.padding_stages()
    return choose(delivered(view, record, first), view.plan.copies(of_a_rank=view.rank), 0)


def weighs(view: View, record: Int, bound: Int) -> Sided:
    """The record weighs at least `bound`, where padding weighs 0 or 1, or all its occurrences together 1."""
    if weighing(view.plan).padding == 1:
        return at_least(view, record, bound)
    if not view.run:
        return _in_epoch(view, record, bound)
    if view.epoch_free():
        return _in_epoch(_at(view, view.this_epoch), record, ceil_divide(bound, view.epochs))
    return _over_epochs(view, bound)


def _at(view: View, epoch: Int) -> View:
    return replace(view, run=False, this_epoch=epoch)


def _in_epoch(view: View, record: Int, bound: Int) -> Sided:
    if weighing(view.plan).by is None:
        return exactly(bound <= unpadded(view, record))
    return exactly(bound <= 0) | (exactly(bound <= 1) & covered(view, record))


def _over_epochs(view: View, bound: Int) -> Sided:
    """Where epochs differ: no record weighs more than `most` in one, and perhaps all weigh that."""
    most = number(1) if weighing(view.plan).by else view.plan.copies(of_a_rank=view.rank)
    epoch = _at(view, variable("epoch.0"))
    inside = both(epoch.inside(RECORD), less_equal(0, epoch.this_epoch))
    every = view.question.settle(inside, _in_epoch(epoch, RECORD, most).yes)
    least = view.epochs * most if every else ZERO
    return Sided(bound <= least, bound > view.epochs * most)


def share(view: View, record: Int) -> Quotient:
    """The weight as a quotient, where padding weighs some number, or a rank's part of 1 is asked for."""
    if view.run and not view.epoch_free():
        raise Undecided("what a record weighs in reshuffled epochs depends on their orders")
    epoch = _at(view, view.this_epoch)
    padding = weighing(view.plan).padding
    times, factor = multiplicity(epoch, record), view.epochs if view.run else number(1)
    part = multiplicity(replace(epoch, rank=False), record) if padding is None else unpadded(epoch, record)
    if padding is None:
        view.question.facts.append(times <= part)
        return Quotient(factor * times, maximum(part, 1))
    view.question.facts.append(part <= times)
    above = part * padding.denominator + (times - part) * padding.numerator
    return Quotient(factor * above, number(padding.denominator))


def weights(seen: Seen) -> Mapping[int, Value]:
    """What each record weighs in the window, on lists; nothing where it is not named."""
    padding = weighing(seen.lists.plan).padding
    if padding == 1:
        return seen.counts()
    rank = seen.this_rank if seen.rank else None
    key = ("weights", rank, None if seen.run else seen.this_epoch)
    if key not in seen.lists.known:
        total: dict[int, Value] = {}
        for record, weight in _shares(seen) if padding is None else _masked(seen, padding):
            total[record] = total.get(record, 0) + weight
        seen.lists.known[key] = total
    found: Mapping[int, Value] = seen.lists.known[key]
    return found


def _masked(seen: Seen, padding: Fraction) -> Iterator[tuple[int, Value]]:
    """Each occurrence, and what it weighs."""
    weight = padding.numerator if padding.denominator == 1 else padding
    for epoch in seen.epochs():
        for lane in seen.lanes(epoch):
            for record, padded in zip(lane.records, lane.padded, strict=True):
                yield record, weight if padded else 1


def _shares(seen: Seen) -> Iterator[tuple[int, Value]]:
    """Each record of each epoch, and what its occurrences on the lanes of the window weigh."""
    for epoch in seen.epochs():
        every = seen.lists.counts(epoch)
        here = Counter(record for lane in seen.lanes(epoch) for record in lane.records)
        for record, times in here.items():
            yield record, 1 if times == every[record] else Fraction(times, every[record])
