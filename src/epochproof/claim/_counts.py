"""How many: sums over lanes, and counts of sets that are intervals or hold no record twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import prod

from epochproof.claim._drawn import bounded_distinct, drawn_distinct
from epochproof.claim._laps import at_least, covered, delivered, injective_on_a_rank
from epochproof.claim._question import RECORD, ZERO, Question, Undecided, View
from epochproof.claim._sided import Sided
from epochproof.schedule.plan import RANK, WORKER, Plan
from epochproof.stage._stage import Here, Interval, Stage
from epochproof.term.fold import substitute, variables
from epochproof.term.node import (
    Int,
    Op,
    add,
    both,
    constant,
    equal,
    iff,
    less_equal,
    maximum,
    minimum,
    negate,
    number,
    variable,
    within,
)

_UNROLLED = 64


def occurrences(view: View) -> Int:
    """Positions delivered in the window."""
    plan = view.plan.base()
    length = plan.length(plan.lane(view.this_rank))
    epoch = over_workers(plan, length, view) if view.rank else over_lanes(plan, length, view)
    return epoch * view.epochs if view.run else epoch


def over_workers(plan: Plan, each: Int, view: View) -> Int:
    """The sum of a lane's number over the workers of the view's rank."""
    if "worker" not in variables(each):
        return plan.workers * each
    unrolled = _unrolled(each, {"worker": plan.workers})
    if unrolled is not None:
        return unrolled
    first, last = substitute(each, {"worker": ZERO}), substitute(each, {"worker": plan.workers - 1})
    exists = plan.exists(view.this_rank)
    settle = view.question.settle
    if settle(exists, equal(each, first)):
        return plan.workers * first
    here = _dealing(plan, "worker", view.this_rank)
    longer = here and here[0].longer(here[1])
    if (
        longer is not None
        and settle(both(exists, longer > WORKER), equal(each, first))
        and settle(both(exists, longer <= WORKER), equal(each, last))
    ):
        some = view.question.named(longer)
        return some * first + (plan.workers - some) * last
    raise Undecided("the workers read different numbers of records, and their sum has no rule")


def over_lanes(plan: Plan, each: Int, view: View) -> Int:
    """The sum of a lane's number over all lanes: all that is dealt, a product, unrolled, or two-valued."""
    each, done = _dealt_in_all(plan, each)
    extents = {
        axis: extent for axis, extent in (("rank", plan.ranks), ("worker", plan.workers)) if axis not in done
    }
    depends = {axis: extent for axis, extent in extents.items() if axis in variables(each)}
    factor = number(1)
    for axis, extent in extents.items():
        factor = factor if axis in depends else factor * extent
    if not depends:
        return factor * each
    if (found := _unrolled(each, depends)) is not None:
        return factor * found
    first, _ = _ends(each, plan)
    if view.question.settle(plan.exists(), equal(each, first)):
        for extent in depends.values():
            factor = factor * extent
        return factor * first
    return factor * _two_valued(plan, each, view.question)


def _dealt_in_all(plan: Plan, each: Int) -> tuple[Int, frozenset[str]]:
    """A lane's length summed along every axis of the last deals, where no stage adds or drops any below.

    Returns the sum, and the axes that it covers. Lanes that are dealt streams of different lengths are left.
    """
    heres, done = plan.heres(plan.lane()), frozenset[str]()
    for at in reversed(range(len(plan.stages))):
        stage = plan.stages[at]
        if heres[at + 1].n is not each or stage.axes() & done:
            break
        if stage.axes():
            dealt, covered_axes = stage.dealt(heres[at]), done | stage.axes()
            if covered_axes & variables(dealt):
                break
            each, done = dealt, covered_axes
    return each, done


def _unrolled(each: Int, extents: Mapping[str, Int]) -> Int | None:
    """The sum written out, where there are few lanes."""
    sizes = {axis: constant(extent) for axis, extent in extents.items()}
    if any(size is None for size in sizes.values()) or prod(size or 0 for size in sizes.values()) > _UNROLLED:
        return None
    lanes = product(*(range(size or 0) for size in sizes.values()))
    return add(*(substitute(each, dict(zip(sizes, map(number, lane), strict=True))) for lane in lanes))


def _dealing(plan: Plan, axis: str, rank: Int = RANK) -> tuple[Stage, Here] | None:
    """The one stage that deals along the axis, and the lane as it reaches it."""
    heres = plan.heres(plan.lane(rank))
    found = [(stage, heres[at]) for at, stage in enumerate(plan.stages) if axis in stage.axes()]
    return found[0] if len(found) == 1 else None


def _two_valued(plan: Plan, length: Int, question: Question) -> Int:
    """Lanes before a threshold have one length, the others another: both proved, then two products.

    The same holds for the length right after the deal, whose sum over the lanes is all that is dealt.
    """
    heres = plan.heres(plan.lane())
    deals = [at for at, stage in enumerate(plan.stages) if stage.axes()]
    stage, here = plan.stages[deals[0]], heres[deals[0]]
    threshold = stage.threshold(here) if len(deals) == 1 else None
    if threshold is None or not _changes_at(threshold, length, stage, here, plan, question):
        raise Undecided("the lanes read different numbers of records, and their sum has no rule")
    lanes = stage.lanes_dealt_to(here)
    lanes = question.named(lanes) if lanes.op is Op.MULTIPLY else lanes
    longer, shorter = question.named(threshold), question.named(lanes - threshold)

    def total(each: Int) -> Int:
        first, last = _ends(each, plan)
        return longer * first + shorter * last

    dealt = heres[deals[0] + 1].n
    if _changes_at(threshold, dealt, stage, here, plan, question):
        question.facts.append(equal(total(dealt), stage.dealt(here)))
    return total(length)


def _ends(each: Int, plan: Plan) -> tuple[Int, Int]:
    """The number of the first lane, and of the last."""
    last = {"rank": plan.ranks - 1, "worker": plan.workers - 1}
    return substitute(each, {"rank": ZERO, "worker": ZERO}), substitute(each, last)


def _changes_at(
    threshold: Int, length: Int, stage: Stage, here: Here, plan: Plan, question: Question
) -> bool:
    """Whether the length is the first lane's before the threshold, and the last lane's from there on."""
    index = stage.lane_index(here)
    first, last = _ends(length, plan)
    return question.settle(both(plan.exists(), index < threshold), equal(length, first)) and question.settle(
        both(plan.exists(), threshold <= index), equal(length, last)
    )


def distinct(view: View) -> Int:
    """Different records delivered in the window."""
    if view.rank:
        return _distinct_on_a_rank(view)
    if view.run and not view.epoch_free():
        return _all_or_nothing(view)
    epoch = View(view.plan.base(), view.epochs, run=False, rank=False, question=view.question)
    if (span := covered_interval(epoch)) is not None:
        return _high(span) - span.low
    settle, inside = view.question.settle, epoch.inside(RECORD)
    if settle(inside, at_least(epoch, RECORD, number(2)).no):
        return occurrences(epoch)
    if epoch.plan.draws():
        return drawn_distinct(epoch, occurrences(epoch))
    raise Undecided("the records that are read are no interval, and some are read twice")


def _high(span: Interval) -> Int:
    return span.high if span.high is not None else ZERO


def covered_interval(view: View) -> Interval | None:
    """The records that are delivered, if they are an interval: hinted by the stages, then proved."""
    plan = view.plan
    hint = plan.kept(plan.lane())
    if hint is None or hint.high is None:
        return None
    span = Interval(hint.low, maximum(hint.low, minimum(hint.high, plan.size)))
    inside = both(
        less_equal(0, span.low), less_equal(span.low, _high(span)), less_equal(_high(span), plan.size)
    )
    if not view.question.settle(plan.exists(), inside):
        return None
    return span if _is_member_set(view, covered(view, RECORD), span) else None


def _is_member_set(view: View, member: Sided, span: Interval) -> bool:
    between = within(span.low, RECORD, _high(span))
    settle = view.question.settle
    inside = view.inside(RECORD)
    return settle(both(inside, between), member.yes) and settle(both(inside, negate(between)), member.no)


def _distinct_on_a_rank(view: View) -> Int:
    if view.run and not view.epoch_free():
        raise Undecided("how many different records a rank reads in reshuffled epochs depends on the orders")
    if injective_on_a_rank(view):
        plan = view.plan
        if "worker" not in plan.dealt():
            return plan.length(plan.lane(view.this_rank, view.this_epoch))
        return occurrences(replace(view, run=False))
    raise Undecided("a rank may read a record twice, so its different records have no rule")


def _all_or_nothing(view: View) -> Int:
    epoch = View(view.plan, view.epochs, run=False, rank=False, question=view.question)
    if view.question.settle(epoch.inside(RECORD), covered(epoch, RECORD).yes):
        return view.plan.size
    if view.plan.draws():
        return bounded_distinct(view, occurrences(view))
    raise Undecided("which records reshuffled epochs read together depends on their orders")


def padding(view: View) -> Int:
    """Delivered positions that padding introduced: all but the first places."""
    view = replace(view, plan=view.plan.drawn(view.this_epoch))
    if all(stage.repeats() for stage in view.plan.stages if stage.pads()):
        return ZERO
    below = view.plan.below_draws()
    if below is None:
        raise Undecided("how often padding is drawn again depends on the draws")
    view = replace(view, plan=below)
    if view.rank:
        return _padding_of_a_rank(view)
    epoch = View(view.plan.base(), view.epochs, run=False, rank=False, question=view.question)
    plan = epoch.plan
    span = plan.kept(plan.lane())
    first = delivered(epoch, RECORD, [ZERO] * plan.padding_stages())
    if span is None or span.high is None:
        raise Undecided("the records that are read without padding are no interval")
    high = maximum(span.low, minimum(span.high, plan.size))
    if not view.question.settle(epoch.inside(RECORD), iff(first, within(span.low, RECORD, high))):
        raise Undecided("the records that are read without padding are no interval")
    once = occurrences(epoch) - plan.copies() * (high - span.low)
    return once * view.epochs if view.run else once


def _padding_of_a_rank(view: View) -> Int:
    """The positions of a rank from where its padding begins: hinted by the one padding stage, then proved."""
    plan = view.plan.base()
    lane, p = plan.lane(view.this_rank), variable("p")
    heres, length = plan.heres(lane), plan.length(lane)
    hints = [stage.unpadded(here) for stage, here in zip(plan.stages, heres, strict=False) if stage.pads()]
    begins = minimum(length, hints[0])
    given = both(plan.exists(view.this_rank), within(0, p, length))
    if len(hints) > 1 or not view.question.settle(given, iff(plan.padded(p, lane), begins <= p)):
        raise Undecided("where the padding of a rank begins has no rule")
    each = over_workers(plan, length - begins, view)
    return each * view.epochs if view.run else each


def repeated(view: View) -> Int:
    """Records delivered at least twice in the window."""
    return _high(repeated_interval(view))


def repeated_interval(view: View) -> Interval:
    """The positions of those records before any shuffle: the first ones, as far as later laps reach."""
    epoch = View(view.plan.base(), view.epochs, run=False, rank=False, question=view.question)
    if view.rank or (view.run and not view.epoch_free()):
        raise Undecided("how many records are read twice has no rule for this window")
    whole = View(view.plan.base(), view.epochs, run=view.run, rank=False, question=view.question)
    once = distinct(epoch)
    for high in (minimum(once, occurrences(epoch) - once), once, ZERO):
        span = Interval(ZERO, high)
        if _is_member_set(epoch, at_least(whole, RECORD, number(2)), span):
            return span
    raise Undecided("the records that are read twice are no interval")
