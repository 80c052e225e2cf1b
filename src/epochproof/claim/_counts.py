"""How many: sums over lanes, and counts of sets that are intervals or hold no record twice."""

from __future__ import annotations

from epochproof.claim._laps import at_least, covered, delivered, injective_on_a_rank
from epochproof.claim._question import RECORD, ZERO, Question, Undecided, View
from epochproof.claim._sided import Sided
from epochproof.schedule.plan import RANK, Plan
from epochproof.stage._stage import Interval
from epochproof.term.fold import substitute, variables
from epochproof.term.node import (
    Int,
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
    epoch = length if view.rank else _over_ranks(plan, length, view)
    return epoch * view.epochs if view.run else epoch


def _over_ranks(plan: Plan, length: Int, view: View) -> Int:
    """The sum of a lane's length over all ranks: a product, all lanes' total, unrolled, or two-valued."""
    if RANK not in _leaves(length):
        return plan.ranks * length
    if (total := _dealt_in_all(plan, length)) is not None:
        return total
    ranks = constant(plan.ranks)
    if ranks is not None and ranks <= _UNROLLED:
        return add(*(substitute(length, {"rank": number(rank)}) for rank in range(ranks)))
    return _two_valued(plan, length, view.question)


def _leaves(term: Int) -> set[Int]:
    return {variable(name) for name in variables(term)}


def _dealt_in_all(plan: Plan, length: Int) -> Int | None:
    """All positions that the one deal gives out, where no stage below it adds or drops any."""
    heres = plan.heres(plan.lane())
    deals = [at for at, stage in enumerate(plan.stages) if stage.deals]
    if len(deals) != 1 or heres[deals[0] + 1].n is not length:
        return None
    return plan.stages[deals[0]].dealt(heres[deals[0]])


def _two_valued(plan: Plan, length: Int, question: Question) -> Int:
    """Ranks below a threshold have one length, the others another: both proved, then two products.

    The same holds for the length right after the deal, whose sum over the ranks is all that is dealt.
    """
    heres = plan.heres(plan.lane())
    deals = [at for at, stage in enumerate(plan.stages) if stage.deals]
    here = heres[deals[0]] if len(deals) == 1 else heres[0]
    threshold = plan.stages[deals[0]].threshold(here) if len(deals) == 1 else None
    if threshold is None or not _changes_at(threshold, length, plan, question):
        raise Undecided("the ranks read different numbers of records, and their sum has no rule")
    longer, shorter = question.named(threshold), question.named(plan.ranks - threshold)

    def total(each: Int) -> Int:
        first, last = substitute(each, {"rank": ZERO}), substitute(each, {"rank": plan.ranks - 1})
        return longer * first + shorter * last

    dealt = heres[deals[0] + 1].n
    if _changes_at(threshold, dealt, plan, question):
        question.facts.append(equal(total(dealt), plan.stages[deals[0]].dealt(here)))
    return total(length)


def _changes_at(threshold: Int, length: Int, plan: Plan, question: Question) -> bool:
    """Whether the length is the first rank's below the threshold, and the last rank's from there on."""
    lane = within(0, RANK, plan.ranks)
    first, last = substitute(length, {"rank": ZERO}), substitute(length, {"rank": plan.ranks - 1})
    return question.settle(both(lane, threshold > RANK), equal(length, first)) and question.settle(
        both(lane, threshold <= RANK), equal(length, last)
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
    if view.question.settle(epoch.inside(RECORD), at_least(epoch, RECORD, number(2)).no):
        return occurrences(epoch)
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
    if not view.question.settle(within(0, RANK, plan.ranks), inside):
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
        return occurrences(View(view.plan, view.epochs, run=False, rank=True, question=view.question,
                                this_rank=view.this_rank))  # fmt: skip
    raise Undecided("a rank may read a record twice, so its different records have no rule")


def _all_or_nothing(view: View) -> Int:
    epoch = View(view.plan, view.epochs, run=False, rank=False, question=view.question)
    if view.question.settle(epoch.inside(RECORD), covered(epoch, RECORD).yes):
        return view.plan.size
    raise Undecided("which records reshuffled epochs read together depends on their orders")


def padding(view: View) -> Int:
    """Delivered positions that padding introduced: all but the first places."""
    if view.plan.padding_stages() == 0:
        return ZERO
    if view.rank:
        raise Undecided("how much padding one rank reads has no rule for free numbers")
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
