"""The nine laws of a stage, the promises of its tail and the laws of its steps, for all parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from epochproof.prove.solver import Solver
from epochproof.stage._stage import SINGLE, Here, Interval, Lane, Stage, Steps
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.draw import Draw
from epochproof.term.node import (
    TRUE,
    Bool,
    Int,
    both,
    equal,
    iff,
    minimum,
    negate,
    number,
    variable,
    within,
)

N, RANKS, RANK, EPOCH = variable("n"), variable("ranks"), variable("rank"), variable("epoch")
WORKERS, WORKER = variable("workers"), variable("worker")
P, LATER, Q, LAP, FLAT = variable("p"), variable("later"), variable("q"), variable("lap"), variable("flat")
OTHER_RANK, OTHER_WORKER = variable("rank.other"), variable("worker.other")
LOW, HIGH = variable("low"), variable("high")
BATCH, GROUP = variable("above.batch"), variable("above.group")

LANE = Lane(RANK, RANKS, WORKER, WORKERS, EPOCH, EPOCH)
BATCHED = Batch(n=BATCH).grouped(Here(N, LANE, SINGLE))
"""Steps as a batch above leaves them."""

TWICE = Accumulate(n=GROUP).grouped(Here(N, LANE, BATCHED))
"""Steps as a batch and an accumulation above leave them."""

ONE = number(1)

ABOVE = {"records": SINGLE, "batches": BATCHED, "accumulated batches": TWICE}

SANE = both(
    N >= 0,
    RANKS >= 1,
    within(0, RANK, RANKS),
    WORKERS >= 1,
    within(0, WORKER, WORKERS),
    EPOCH >= 0,
    BATCH >= 1,
    GROUP >= 1,
)


class Law(NamedTuple):
    """`goal` holds wherever `given` does, for all values of all variables."""

    name: str
    given: Bool
    goal: Bool


def exists(here: Here) -> Bool:
    """The lane exists."""
    return both(within(0, here.lane.rank, RANKS), within(0, here.lane.worker, WORKERS))


def unproved(laws: Iterable[Law]) -> list[str]:
    """The laws that the prover does not prove."""
    solver = Solver({}, {})
    return [law.name for law in laws if not solver.valid(law.given, law.goal)]


@dataclass(frozen=True)
class Subject:
    """A stage under test: `given` bounds its own parameters, `steps` is how the stages above group."""

    stage: Stage
    given: Bool = TRUE
    steps: Steps = SINGLE

    @property
    def here(self) -> Here:
        """Any lane, as it reaches the stage."""
        return Here(N, LANE, self.steps)

    @property
    def length(self) -> Int:
        """Positions of that lane afterwards."""
        return self.stage.length(self.here)

    @property
    def sane(self) -> Bool:
        """The lane and all parameters exist."""
        return both(SANE, self.given)

    @property
    def into(self) -> Bool:
        """`q` is a position of the input."""
        return both(self.sane, within(0, Q, N))

    @property
    def out(self) -> Bool:
        """`p` is a position of the output."""
        return both(self.sane, within(0, P, self.length))

    def on(self, rank: Int | None, worker: Int | None) -> Here:
        """The same on another lane; `None` is this lane's own."""
        rank, worker = RANK if rank is None else rank, WORKER if worker is None else worker
        return Here(N, replace(LANE, rank=rank, worker=worker), self.steps)

    @property
    def other(self) -> Here:
        """Any lane that the stage deals to, as this one; it is elsewhere along the dealt axes alone."""
        axes = self.stage.axes()
        return self.on(OTHER_RANK if "rank" in axes else None, OTHER_WORKER if "worker" in axes else None)

    def landing(self, q: Int, lap: Int) -> tuple[Here, Bool, Int]:
        """Where a position goes: the lane that gets it, whether it does, and the position there."""
        place = self.stage.place(q, lap, self.here)
        return self.on(place.rank, place.worker), place.holds, place.position


def nine(subject: Subject) -> Iterator[Law]:
    """The nine laws, in the order of `spec/semantics.md`."""
    stage, here = subject.stage, subject.here
    source, lap = stage.source(P, here), stage.lap(P, here)
    there, holds, position = subject.landing(Q, LAP)
    lands = both(exists(there), within(0, position, stage.length(there)))
    back, returns, found = subject.landing(source, lap)
    same = both(returns, equal(found, P), equal(back.lane.rank, RANK), equal(back.lane.worker, WORKER))
    into = both(subject.into, LAP >= 0)
    yield Law("1 length is never negative", subject.sane, subject.length >= 0)
    yield Law("2 empty stays empty", both(subject.sane, equal(N, 0)), equal(subject.length, 0))
    yield Law("3 source is in range", subject.out, within(0, source, N))
    yield Law("4 a place is a position", both(into, holds), lands)
    yield Law("5 the source of a place", both(into, holds), equal(stage.source(position, there), Q))
    yield Law("6 the lap of a place", both(into, holds), equal(stage.lap(position, there), LAP))
    yield Law("7 only padding has laps", subject.out, lap >= 0 if stage.pads() else equal(lap, 0))
    yield Law("8 every position is a place", subject.out, same)
    yield Law("9 laps are a prefix", both(into, subject.landing(Q, LAP + 1)[1]), holds)


def nothing_lost(subject: Subject) -> Iterator[Law]:
    """Each position has its first place."""
    yield Law("nothing is lost", subject.into, subject.landing(Q, number(0))[1])


def nothing_twice(subject: Subject) -> Iterator[Law]:
    """No position has a second place."""
    yield Law("nothing is read twice", both(subject.into, LAP >= 1), negate(subject.landing(Q, LAP)[1]))


def each_once(subject: Subject) -> Iterator[Law]:
    """Each position has exactly one place."""
    yield from nothing_lost(subject)
    yield from nothing_twice(subject)


def order_kept(subject: Subject) -> Iterator[Law]:
    """Output position p is input position p."""
    yield Law("the order is kept", subject.out, equal(subject.stage.source(P, subject.here), P))


def dealt(subject: Subject) -> Iterator[Law]:
    """`dealt` counts all lanes: the flat positions below it and the pairs (rank, p) are each other's."""
    stage, here = subject.stage, subject.here
    everything = stage.dealt(here)
    q, lap = (FLAT % N, FLAT // N) if stage.pads() else (FLAT, number(0))
    flat = stage.source(P, here) + stage.lap(P, here) * N
    inside = both(subject.sane, within(0, FLAT, everything))
    yield Law("each flat position is dealt", inside, subject.landing(q, lap)[1])
    yield Law("each position is a flat one", subject.out, within(0, flat, everything))


def fewer_added(subject: Subject, whole: Int, after: Int) -> Iterator[Law]:
    """Afterwards there are more positions, fewer than `whole` more."""
    yield Law("fewer are added than make it whole", subject.sane, within(0, after - N, whole))


def fewer_lost(subject: Subject, whole: Int, after: Int) -> Iterator[Law]:
    """Afterwards there are fewer positions, fewer than `whole` fewer."""
    yield Law("fewer are lost than make it whole", subject.sane, within(0, N - after, whole))


def numbering(subject: Subject) -> Iterator[Law]:
    """The lane of a lane's number is that lane itself."""
    stage, here = subject.stage, subject.here
    place = stage.on_lane(stage.lane_index(here), TRUE, P, here)
    back = subject.on(place.rank, place.worker).lane
    itself = both(equal(back.rank, RANK), equal(back.worker, WORKER))
    yield Law("the lane of a lane's number", subject.sane, itself)


def threshold(subject: Subject, more: int) -> Iterator[Law]:
    """The lanes on each side of the threshold are alike; those before it have `more` positions more."""
    stage, here, other = subject.stage, subject.here, subject.other
    bound, index, later = stage.threshold(here), stage.lane_index(here), stage.lane_index(other)
    yield Law(
        "a lane's number is one of the lanes", subject.sane, within(0, index, stage.lanes_dealt_to(here))
    )
    if bound is not None:
        length, beyond = subject.length, stage.length(other)
        pair = both(subject.sane, exists(other), index < later)
        yield Law("the threshold is a lane", subject.sane, within(0, bound, stage.lanes_dealt_to(here)))
        yield Law("lanes below it are alike", both(pair, bound > later), equal(length, beyond))
        yield Law("lanes from it on are alike", both(pair, bound <= index), equal(length, beyond))
        apart = both(pair, bound > index, bound <= later)
        yield Law("lanes below it have more", apart, equal(length, beyond + more))
        if (longer := stage.longer(here)) is not None:
            yield Law("so many workers are longer", subject.sane, within(0, longer, WORKERS + 1))
            yield Law("the first workers are longer", subject.sane, iff(longer > WORKER, bound > index))


def unpadded(subject: Subject) -> Iterator[Law]:
    """The hinted number of positions come before any padding, and no others."""
    hint = subject.stage.unpadded(subject.here)
    first = equal(subject.stage.lap(P, subject.here), 0)
    yield Law("what is no padding is part", subject.sane, within(0, hint, subject.length + 1))
    yield Law("padding comes last", subject.out, iff(first, hint > P))


def kept(subject: Subject, unit: Int = ONE) -> Iterator[Law]:
    """A position is in the hinted interval exactly if its first place is in the given one, of whole units."""
    stage, here = subject.stage, subject.here
    there, holds, position = subject.landing(Q, number(0))
    low, high = LOW * unit, HIGH * unit
    given = both(subject.into, LOW >= 0)
    reached = both(HIGH >= LOW, stage.length(there) >= high, subject.length >= high)
    for name, start in (("0", number(0)), ("low", low)):
        if hint := stage.kept(Interval(start, None), here):
            goal = iff(_in(hint, Q), both(holds, start <= position))
            yield Law(f"kept from {name} on", given, goal)
        if hint := stage.kept(Interval(start, high), here):
            goal = iff(_in(hint, Q), both(holds, within(start, position, high)))
            yield Law(f"kept from {name} to high", both(given, reached), goal)


def _in(span: Interval, q: Int) -> Bool:
    return span.low <= q if span.high is None else within(span.low, q, span.high)


def grouping(subject: Subject, *, afresh: bool = True) -> Iterator[Law]:
    """Steps are runs of positions in rising order, and add up over epochs of one length."""
    sane, steps = subject.sane, subject.stage.grouped(subject.here)
    own = within(steps.before(steps.of(P)), P, steps.before(steps.of(P) + 1))
    more = steps.through(N, EPOCH + 1) - steps.through(N, EPOCH)
    yield Law("a position lies in its step", both(sane, P >= 0), own)
    yield Law("steps rise", both(sane, P >= 0, P <= LATER), steps.of(P) <= steps.of(LATER))
    yield Law("no epochs have no steps", sane, equal(steps.through(N, number(0)), 0))
    yield Law("an epoch adds its steps", sane, equal(more, steps.count(N)))
    if afresh:
        last = equal(steps.count(N), steps.of(N - 1) + 1)
        yield Law("the last step holds the last position", both(sane, N >= 1), last)
        yield Law("nothing makes no steps", sane, equal(steps.count(number(0)), 0))
        yield Law("the first step starts at 0", sane, equal(steps.before(number(0)), 0))
    else:
        open_step = both(steps.of(N - 1) <= steps.count(N), steps.count(N) <= steps.of(N - 1) + 1)
        yield Law("at most the last step stays open", both(sane, N >= 1), open_step)


def whole(subject: Subject, size: Int) -> Iterator[Law]:
    """What is left makes whole batches."""
    yield Law("only whole batches are left", subject.sane, equal(subject.length % size, 0))


def unit(subject: Subject) -> Iterator[Law]:
    """What is one step above is in one step afterwards."""
    above, steps = subject.steps.of, subject.stage.grouped(subject.here).of
    one = both(subject.sane, P >= 0, P <= LATER, equal(above(P), above(LATER)))
    yield Law("a step above lies in one step", one, equal(steps(P), steps(LATER)))


def whole_steps(subject: Subject, size: Int) -> Iterator[Law]:
    """Fewer than `size` of the steps above are lost, and what is left makes whole ones."""
    count, length = subject.steps.count, subject.length
    yield Law("fewer are lost than make a step", subject.sane, within(0, count(N) - count(length), size))
    yield Law("only whole steps are left", subject.sane, equal(count(length) % size, 0))


def stopped(subject: Subject, stop: Int) -> Iterator[Law]:
    """A position is read exactly if its step comes before the stop."""
    steps = subject.steps
    holds = subject.landing(Q, number(0))[1]
    left = equal(steps.count(subject.length), minimum(steps.count(N), stop))
    yield Law("what comes before the stop is read", subject.into, iff(holds, steps.of(Q) < stop))
    yield Law("so many steps are left", subject.sane, left)


def skipped(subject: Subject, count: Int) -> Iterator[Law]:
    """The positions before `count` are left out, and no others; the rest move up."""
    _, holds, position = subject.landing(Q, number(0))
    yield Law("the first are left out", subject.into, iff(holds, count <= Q))
    yield Law("the rest move up", both(subject.into, holds), equal(position, Q - count))
    yield Law("so many are left", subject.sane, equal(subject.length, N - minimum(N, count)))


def portioned(subject: Subject, start: Int, end: Int) -> Iterator[Law]:
    """A position is read exactly if its step is one of those from `start` to `end`, both included."""
    holds, order = subject.landing(Q, number(0))[1], subject.stage.source
    between = within(start, subject.steps.of(Q), end + 1)
    pair = both(subject.out, P <= LATER, subject.length > LATER)
    yield Law("the steps of the portion are read", subject.into, iff(holds, between))
    yield Law("in their order", pair, order(P, subject.here) <= order(LATER, subject.here))


def drawn(subject: Subject, stage: Draw) -> Iterator[Law]:
    """So many are drawn; no position more often than that, and without replacement all equally often."""
    n, times = stage.asked(subject.here), subject.length
    yield Law("so many are drawn", both(subject.sane, N >= 1), equal(times, n))
    yield Law("no more often than all", both(subject.into, n <= LAP), negate(subject.landing(Q, LAP)[1]))
    if not stage.replacement:
        each, one_more = n // N, (n + N - 1) // N
        yield Law("at least so often", both(subject.into, within(0, LAP, each)), subject.landing(Q, LAP)[1])
        yield Law(
            "at most once more", both(subject.into, one_more <= LAP), negate(subject.landing(Q, LAP)[1])
        )
