"""`augmentation`: the random stream of the sample at each (epoch, rank, step, slot), and its place in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from epochproof.claim._quantity import Seen, SequenceQuantity, alike, same_places
from epochproof.claim._question import Undecided, View
from epochproof.claim._sided import ALWAYS, Sided
from epochproof.schedule.draws import Draw, augment_of, draw
from epochproof.schedule.plan import Plan
from epochproof.stage._stage import Lane
from epochproof.term.fold import variables
from epochproof.term.node import FALSE, Bool, Int, both, equal, variable, within

_FAR = 1 << 20
_SEEDS: tuple[Mapping[str, Callable[..., int]], ...] = (
    {
        "base": lambda epoch, process: process + _FAR * epoch,
        "stream": lambda e, p, w: (e * _FAR + p) * _FAR + w,
    },
    {
        "base": lambda epoch, process: epoch + _FAR * process,
        "stream": lambda e, p, w: (e * _FAR + p) * _FAR + w,
    },
)
"""Two choices of different base seeds: neighbouring processes, or neighbouring epochs, have close ones."""


@dataclass(frozen=True)
class Drawn:
    """One sample: the conditions under which it exists, where it is, and what it draws."""

    exists: Bool
    rank: Int
    epoch: Int
    draw: Draw


class Augmentation(SequenceQuantity):
    """Two samples draw the same numbers exactly where stream and place are the same."""

    name: ClassVar[str] = "augmentation"
    of_all_epochs: ClassVar[bool] = True
    at_fault: ClassVar[str] = "augment"

    def depends_on(self, plan: Plan) -> set[str]:
        found = augment_of(plan)
        if found is None:
            return super().depends_on(plan)
        drawn = draw(plan, found, variable("p"), plan.lane())
        return super().depends_on(plan) | variables(*drawn.key, drawn.worker)

    def same(self, one: View, other: View) -> Sided:
        if alike(one, other):
            return ALWAYS
        p = variable("p")
        a, b = (
            one.plan.lane(one.this_rank, one.this_epoch),
            other.plan.lane(other.this_rank, other.this_epoch),
        )
        drawn = zip(_draw(one.plan, p, a).key, _draw(other.plan, p, b).key, strict=True)
        steps = equal(one.plan.step(p, a), other.plan.step(p, b))
        agree = both(*(equal(x, y) for x, y in drawn), steps)
        return Sided(same_places(one, other, p, agree), FALSE)

    def sample(self, view: View, mark: str) -> Drawn:
        """Any sample of the loader, by fresh names that end with `mark`."""
        rank, worker, epoch, p = (variable(f"{each}.{mark}") for each in ("rank", "worker", "epoch", "p"))
        plan, lane = view.plan, view.plan.lane(rank, epoch, worker)
        exists = both(
            plan.exists(rank, worker), within(0, epoch, view.epochs), within(0, p, plan.length(lane))
        )
        return Drawn(exists, rank, epoch, _draw(plan, p, lane))

    def samples(self, seen: Seen, choice: int) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
        """Rank, worker, epoch and key of each sample on the lists, under one choice of base seeds."""
        lists, p = seen.lists, variable("p")
        for epoch in range(lists.epochs):
            for rank in range(lists.ranks):
                lane = lists.plan.lane()
                drawn = _draw(lists.plan, p, lane)
                for *key, worker in lists.rows((*drawn.key, drawn.worker), rank, epoch, _SEEDS[choice]):
                    yield rank, worker, epoch, tuple(key)

    def listed(self, seen: Seen) -> object:
        lists, p = seen.lists, variable("p")
        lane = lists.plan.lane()
        terms = (*_draw(lists.plan, p, lane).key, lists.plan.step(p, lane))
        lanes = [lists.rows(terms, rank, seen.this_epoch, _SEEDS[0]) for rank in range(lists.ranks)]
        return {rank: lane for rank, lane in enumerate(lanes) if lane}


def _draw(plan: Plan, p: Int, lane: Lane) -> Draw:
    found = augment_of(plan)
    if found is None:
        raise Undecided("nothing draws random numbers: the loader has no `augment`")
    return draw(plan, found, p, lane)


CHOICES = range(len(_SEEDS))
