"""The lap rule: a record's deliveries are its lap vectors whose places hold, times the lanes nobody deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from epochproof.claim._question import RECORD, ZERO, Undecided, View
from epochproof.claim._sided import ALWAYS, Sided, exactly
from epochproof.term.node import (
    FALSE,
    TRUE,
    Bool,
    Int,
    both,
    ceil_divide,
    constant,
    either,
    equal,
    less_equal,
    negate,
    number,
    variable,
    within,
)

MOST_PLACES = 6
"""So many places of a record are compared at once where several stages give it further ones."""


def delivered(view: View, record: Int, laps: Sequence[Int]) -> Bool:
    """The record's place on these laps holds, on the view's rank if it is about one."""
    return _delivered_on(view, record, laps, view.this_rank if view.rank else ZERO, ZERO)


def _delivered_anywhere(view: View, record: Int, laps: Sequence[Int]) -> Bool:
    """Like `delivered`, of an unknown rank as long as the record is on none."""
    rank = view.this_rank if view.rank else view.question.fresh("rank")
    return _delivered_on(view, record, laps, rank, view.question.fresh("worker"))


def _delivered_on(view: View, record: Int, laps: Sequence[Int], rank: Int, worker: Int) -> Bool:
    witness = view.plan.witness(record, laps, rank, view.this_epoch, worker)
    here = equal(witness.rank, view.this_rank) if view.rank and "rank" in view.plan.dealt() else TRUE
    return both(view.inside(record), witness.holds, here)


def covered(view: View, record: Int) -> Sided:
    """The record is delivered in the window."""
    if view.run and not view.epoch_free():
        some = _covered(_at_epoch(view, ZERO), record)
        every = _covered(_at_epoch(view, view.question.fresh("epoch")), record)
        return Sided(some.yes, every.no)
    return _covered(view, record)


def _at_epoch(view: View, epoch: Int) -> View:
    return View(
        view.plan, view.epochs, run=False, rank=view.rank, question=view.question,
        this_rank=view.this_rank, this_epoch=epoch,
    )  # fmt: skip


def _covered(view: View, record: Int) -> Sided:
    stages = view.plan.padding_stages()
    first = [ZERO] * stages
    anywhere = one_rank_needed(view)
    if not anywhere and (stages == 0 or (not view.rank and first_place_comes_first(view))):
        return exactly(delivered(view, record, first))
    fresh = [view.question.fresh("lap") for _ in range(stages)]
    tried = _lap_vectors(stages, view.question.breadth)
    return Sided(
        either(*(delivered(view, record, laps) for laps in tried)),
        negate(_delivered_anywhere(view, record, fresh)),
    )


def one_rank_needed(view: View) -> bool:
    """Whether the order depends on the rank before the record is dealt to one, or where none ever is."""
    stages = view.plan.stages
    dealt = next((at for at, stage in enumerate(stages) if stage.axes()), len(stages))
    return any(stage.per_rank() for stage in stages[:dealt])


def _lap_vectors(stages: int, breadth: int) -> list[list[Int]]:
    """The first vectors of laps, by their sum, then in lexicographic order; each is below `breadth`."""
    highest = min(breadth, 8) if stages else 1
    sums = range(stages * (highest - 1) + 1)
    vectors = (each for total in sums for each in _summing(stages, total, highest))
    return [[number(lap) for lap in each] for each in islice(vectors, breadth)]


def _summing(stages: int, total: int, highest: int) -> Iterator[tuple[int, ...]]:
    """The vectors of so many laps, each below `highest`, with that sum, in lexicographic order."""
    if stages == 0:
        yield from [()] if total == 0 else []
        return
    most = (stages - 1) * (highest - 1)
    for lap in range(max(0, total - most), min(highest - 1, total) + 1):
        yield from ((lap, *rest) for rest in _summing(stages - 1, total - lap, highest))


def first_place_comes_first(view: View) -> bool:
    """Whether a record that is delivered on any lap is delivered on its first: proved, not assumed."""
    laps = [variable(f"lap.{at}") for at in range(view.plan.padding_stages())]
    if not laps:
        return True
    whole = View(view.plan.base(), view.epochs, run=False, rank=False, question=view.question)
    later = both(delivered(whole, RECORD, laps), *(less_equal(0, lap) for lap in laps))
    return view.question.settle(later, delivered(whole, RECORD, [ZERO] * len(laps)))


def _laps_are_a_prefix(view: View) -> bool:
    """Whether the places of a record, at the one padding stage, are its first laps: proved for the plan."""
    lap = variable("lap.0")
    whole = View(view.plan.base(), view.epochs, run=False, rank=False, question=view.question)
    later = both(less_equal(0, lap), delivered(whole, RECORD, [lap + 1]))
    return view.question.settle(later, delivered(whole, RECORD, [lap]))


def at_least(view: View, record: Int, times: Int) -> Sided:
    """The record is delivered at least so many times in the window."""
    if view.run:
        return _at_least_in_run(view, record, times)
    if view.rank:
        return _at_least_on_rank(view, record, times)
    if one_rank_needed(view):
        return _several_ranks_may(view, record, times)
    return _at_least_places(view, record, ceil_divide(times, view.plan.copies()))


def _at_least_places(view: View, record: Int, places: Int) -> Sided:
    """So many places of the record hold, each read by every lane that nobody deals."""
    stages = view.plan.padding_stages()
    if stages == 0:
        holds = delivered(view, record, [])
        return exactly(either(places <= 0, both(places <= 1, holds)))
    if stages == 1 and _laps_are_a_prefix(view):
        return exactly(either(places <= 0, delivered(view, record, [places - 1])))
    return _at_least_vectors(view, record, places)


def multiplicity(view: View, record: Int) -> Int:
    """A fresh number of which is known: so often the record is delivered, and not once more."""
    times = view.question.fresh("times")
    view.question.facts.append(negate(at_least(view, record, times).no))
    view.question.facts.append(negate(at_least(view, record, times + 1).yes))
    return times


def _one_is_enough(once: Sided, times: Int) -> Sided:
    return exactly(times <= 0) | (exactly(times <= 1) & once)


def _several_ranks_may(view: View, record: Int, times: Int) -> Sided:
    """Where ranks have orders of their own: whether it is read at all, and on each lane not too often.

    Some lane reads its share of so many times.
    """
    once, lanes = covered(view, record), view.plan.ranks * view.plan.workers
    share, never = ceil_divide(times, lanes), once.no
    if view.plan.padding_stages() == 0:
        never = either(never, share > 1)
    elif view.plan.padding_stages() == 1 and _laps_are_a_prefix_on_each_lane(view):
        never = either(never, negate(_delivered_anywhere(view, record, [share - 1])))
    return Sided(either(times <= 0, both(times <= 1, once.yes)), both(times >= 1, never))


def _laps_are_a_prefix_on_each_lane(view: View) -> bool:
    """Whether the places of a record on a lane, at the one padding stage, are its first laps."""
    lap, lane = variable("lap.0"), (variable("rank.0"), variable("worker.0"))
    later = both(less_equal(0, lap), _delivered_on(view, RECORD, [lap + 1], *lane))
    return view.question.settle(later, _delivered_on(view, RECORD, [lap], *lane))


def _at_least_vectors(view: View, record: Int, places: Int) -> Sided:
    """So many different lap vectors hold: along one axis to show it, in rising order to refute it."""
    wanted = constant(places)
    if wanted is None or wanted > MOST_PLACES:
        times = "a free number of times" if wanted is None else f"{wanted} times"
        raise Undecided(f"reading a record {times} has no rule where several stages give it further places")
    if wanted <= 0:
        return ALWAYS
    stages = view.plan.padding_stages()
    vectors = [[view.question.fresh("lap") for _ in range(stages)] for _ in range(wanted)]
    hold = [delivered(view, record, each) for each in vectors]
    rising = [_before(one, other) for one, other in pairwise(vectors)]
    chains = [
        both(*(delivered(view, record, [number(lap) if at == axis else ZERO for at in range(stages)])
               for lap in range(wanted)))
        for axis in range(stages)
    ]  # fmt: skip
    return Sided(either(*chains), negate(both(*hold, *rising)))


def _before(one: Sequence[Int], other: Sequence[Int]) -> Bool:
    """Lexicographically smaller."""
    result = FALSE
    for a, b in reversed(list(zip(one, other, strict=True))):
        result = either(a < b, both(equal(a, b), result))
    return result


def _at_least_on_rank(view: View, record: Int, times: Int) -> Sided:
    copies = view.plan.copies(of_a_rank=True)
    if view.plan.padding_stages() == 0 or injective_on_a_rank(view):
        return _one_is_enough(covered(view, record), ceil_divide(times, copies))
    if "rank" not in view.plan.dealt() and not one_rank_needed(view):
        # Each rank reads what any other does.
        return _at_least_places(replace(view, rank=False), record, ceil_divide(times, copies))
    raise Undecided("how often one rank reads a record is not known where it may read it twice")


def injective_on_a_rank(view: View) -> bool:
    """Whether no lane of a rank reads a record twice in an epoch, nor two lanes that are dealt to.

    Proved over two positions: of one lane, or of two workers where some stage deals to workers.
    """
    plan, one, other = view.plan, variable("p.1"), variable("p.2")
    first_worker, second_worker = variable("worker.1"), variable("worker.2")
    lane, second = plan.lane(worker=first_worker), plan.lane(worker=second_worker)
    same = equal(first_worker, second_worker)
    if "worker" in plan.dealt():
        apart = either(first_worker < second_worker, both(same, one < other))
    else:
        apart = both(same, one < other)
    given = both(
        plan.exists(worker=first_worker),
        plan.exists(worker=second_worker),
        within(0, one, plan.length(lane)),
        within(0, other, plan.length(second)),
        apart,
    )
    return view.question.settle(given, negate(equal(plan.record(one, lane), plan.record(other, second))))


def _at_least_in_run(view: View, record: Int, times: Int) -> Sided:
    epoch = _at_epoch(view, view.this_epoch)
    if view.epoch_free():
        return at_least(epoch, record, ceil_divide(times, view.epochs))
    least, most = _bounds(_at_epoch(view, variable("epoch.0")))
    over = FALSE if most is None else times > view.epochs * most
    return Sided(times <= view.epochs * least, over)


def _bounds(view: View) -> tuple[int, int | None]:
    """How often, at least and at most, every record is read in every epoch; up to three times."""
    inside = both(view.inside(RECORD), less_equal(0, view.this_epoch))

    def settled(times: int, *, reach: bool) -> bool:
        sided = at_least(view, RECORD, number(times))
        return view.question.settle(inside, sided.yes if reach else sided.no)

    least = next((times for times in (3, 2, 1) if settled(times, reach=True)), 0)
    most = next((times for times in range(least, 4) if settled(times + 1, reach=False)), None)
    return least, most
