"""Counts by the sources of a mix: what is drawn is an interval of picks, and a cycle tells whose they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from epochproof.claim import _counts
from epochproof.claim._laps import at_least
from epochproof.claim._question import RECORD, ZERO, Undecided, View
from epochproof.schedule.plan import RANK
from epochproof.term.fold import variables
from epochproof.term.node import (
    Int,
    add,
    both,
    constant,
    equal,
    maximum,
    minimum,
    number,
    variable,
    within,
)

if TYPE_CHECKING:
    from epochproof.stage._mixing import Mixing
    from epochproof.stage._stage import Here


@dataclass(frozen=True)
class _Read:
    """Which picks are read on `copies` lanes: those from `low` to `high`, and the first `twice` once more."""

    low: Int
    high: Int
    twice: Int
    copies: Int
    mixing: Mixing
    here: Here

    def count(self, name: str) -> Int:
        """How many occurrences of a source's records."""
        of = self.mixing.count
        once = of(name, self.high, self.here) - of(name, self.low, self.here)
        return self.copies * once + of(name, self.twice, self.here)

    def different(self, name: str) -> Int:
        """How many records of the source."""
        return self.mixing.different(name, self.high, self.here)

    def again(self, name: str, size: Int) -> Int:
        """How many of the source's records are read twice: drawn again, or in padding."""
        drawn, padding = (self.mixing.count(name, t, self.here) for t in (self.high, self.twice))
        return maximum(0, minimum(size, maximum(drawn - size, padding)))


def occurrences(view: View) -> Int:
    """Positions delivered in the window, of the source or the prefix that is meant."""
    if view.prefix is not None:
        return _of_prefix(view, view.prefix)
    if not view.part:
        return _counts.occurrences(view)
    return _in_run(view, _read(view).count(view.part))


def distinct(view: View) -> Int:
    """Different records delivered in the window, of the source that is meant."""
    mixing = view.plan.mixing
    if mixing is None or (view.rank and not view.part):
        return _counts.distinct(view)
    found = add(*map(_from_the_first(view).different, _meant(view, mixing)))
    _in_run(view, found)
    return found


def repeated(view: View) -> Int:
    """Records delivered at least twice in the window, of the source that is meant."""
    mixing = view.plan.mixing
    if mixing is None:
        return _counts.repeated(view)
    read = _from_the_first(view)
    inner = any(mixing.nested) and view.plan.repeats()
    if view.run or inner or constant(read.copies) != 1:
        raise Undecided("how many records are read twice has no rule here")
    return add(*(read.again(name, view.plan.part(name)[1]) for name in _meant(view, mixing)))


def _meant(view: View, mixing: Mixing) -> tuple[str, ...]:
    return (view.part,) if view.part else mixing.names


def _from_the_first(view: View) -> _Read:
    """What is read, where the first picks are: of each source the first records, then."""
    read = _read(view)
    if not view.question.settle(view.plan.exists(), equal(read.low, 0)):
        raise Undecided("the first picks of the mix are not read")
    return read


def _in_run(view: View, epoch: Int) -> Int:
    """The number of all epochs, where it is the same in each."""
    if view.run and variables(view.this_epoch) & variables(epoch):
        raise Undecided("every epoch draws anew")
    return epoch * view.epochs if view.run else epoch


def mixed(view: View) -> tuple[Mixing, Here]:
    """The mix, and the lane as it reaches it."""
    mixing, drawing = view.plan.mixing, view.plan.drawing()
    if mixing is None:
        raise Undecided("there is no mix")
    return mixing, view.plan.heres(view.plan.lane(epoch=view.this_epoch))[len(drawing) - 1]


def _read(view: View) -> _Read:
    """Which picks are read in an epoch, each rule of counts proved for the plan below the mix."""
    if view.rank:
        raise Undecided("how much a rank reads of one source has no rule")
    settle, below = view.question.settle, view.plan.drawn(view.this_epoch)
    whole = replace(view, plan=below.base(), run=False, part="")
    span = _counts.covered_interval(whole)
    if span is None or span.high is None:
        raise Undecided("what is read of the mix is no interval of its picks")
    every = settle(below.exists(), both(equal(span.low, 0), equal(span.high, below.size)))
    twice = _twice(whole)
    if below.leading() and not (every and constant(twice) == 0):
        raise Undecided("which picks are left out or padded depends on the order")
    if view.run and not (every or below.epoch_free()):
        raise Undecided("which picks are left out depends on the epoch")
    return _Read(span.low, span.high, twice, below.copies(), *mixed(view))


def _twice(whole: View) -> Int:
    """How many of the first picks are padding once more, where none is twice."""
    if whole.plan.padding_stages() == 0:
        return ZERO
    span = _counts.repeated_interval(whole)
    inside = whole.inside(RECORD)
    if constant(whole.plan.copies()) != 1 or not whole.question.settle(
        inside, at_least(whole, RECORD, number(3)).no
    ):
        raise Undecided("picks may be padding more than once")
    return ZERO if span.high is None else span.high


def _of_prefix(view: View, prefix: Int) -> Int:
    """How many of the first occurrences hold a record of the source: as many of the first picks."""
    if not view.part:
        return prefix
    plan = view.plan.drawn(view.this_epoch)
    wraps = _in_order(view)
    mixing, here = mixed(view)
    if not wraps:
        return mixing.count(view.part, prefix, here)
    rounds, rest = prefix // plan.size, prefix % plan.size
    whole = mixing.count(view.part, plan.size, here)
    return rounds * whole + mixing.count(view.part, rest, here)


def _in_order(view: View) -> bool:
    """Whether the picks begin anew in padding, where all ranks together read them in their order.

    Occurrence t by step, slot and rank is position t // ranks of rank t % ranks: shown to be pick t.
    """
    plan, p = view.plan.drawn(view.this_epoch), variable("p")
    lane = plan.lane(epoch=view.this_epoch)
    if plan.has_workers or not plan.order_free() or {"rank"} & variables(plan.step(p, lane)):
        raise Undecided("in which order all ranks together read the picks has no rule")
    at, record = p * plan.ranks + RANK, plan.record(p, lane)
    given = both(plan.exists(), within(0, p, plan.length(lane)))
    total = _counts.occurrences(replace(view, plan=plan, prefix=None, part=""))
    settle = view.question.settle
    if settle(given, at < total):
        if settle(given, equal(record, at)):
            return False
        if settle(given, equal(record, at % plan.size)):
            return True
    raise Undecided("the ranks together do not read the picks in their order")
