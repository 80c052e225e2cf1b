"""Small worlds: every choice of parameters by rising maximum, run as lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from epochproof.claim._claim import Claim
from epochproof.claim._nodes import World
from epochproof.claim._numbers import Given
from epochproof.model.domain import Domain, Parameter
from epochproof.schedule.deliveries import Compiled, Lists
from epochproof.schedule.plan import Plan, plan_of
from epochproof.stage._drawn import MADE_UP
from epochproof.term.fold import variables

SEEDS = range(24)
"""The seeds whose orders are tried where the order matters."""

_KEPT, _DRAWN = 500, 800
"""So many orders are kept; to draw another one takes as long as so many positions."""

_FEW = 5
"""So many seeds are tried where there are several, each with each."""

Values = Mapping[str, int]


class Worlds:
    """Builds and checks the worlds of one claim."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.free = [each for each in claim.parameters if not each.seed]
        self.seeds = [each for each in claim.parameters if each.seed]
        self._pinned = {each.name: each.domain.low for each in (*claim.pinned, *self.seeds)}
        self._runs = any(use.run or use.quantity.of_all_epochs for use in claim.uses)
        self._all_epochs = claim.open_epochs or self._runs
        names = tuple(each.name for each in (*claim.parameters, *claim.pinned))
        self._plans = {
            name: Compiled(plan_of(loader), loader.epochs, names) for name, loader in claim.loaders.items()
        }

    def world(self, values: Values) -> World:
        """The world with these parameters, and its second run where the claim has one."""
        second = None
        if self.claim.changed:
            second = self._run(self._second(values))
        return self._run(values, second)

    def _run(self, values: Values, second: World | None = None) -> World:
        values = {**self._pinned, **values}
        lists = {
            name: plan.run(tuple(values[each] for each in plan.names)) for name, plan in self._plans.items()
        }
        return World(lists, values, second)

    def weight(self, values: Values) -> int:
        """Roughly how many positions the world delivers, in all epochs that the claim is about."""
        weight = self._weight(values, all_epochs=self._all_epochs)
        # Where each rank is compared with what all ranks read, each looks at everything.
        ranks = min(each.ranks for each in self._lists(values)) if self.claim.entangles_ranks else 1
        return self.claim.effort(weight * ranks)

    def least(self, values: Values) -> int:
        """Roughly what one epoch, or a run, costs to look at, in positions; a lane costs as much as eight."""
        lanes = sum(each.ranks for each in self._lists(values))
        return self.claim.effort(self._weight(values, all_epochs=self._runs) + 7 * lanes)

    def _weight(self, values: Values, *, all_epochs: bool) -> int:
        delivered = sum(
            plan.weight(tuple(run[each] for each in plan.names), all_epochs=all_epochs)
            for run in self._both_runs(values)
            for plan in self._plans.values()
        )
        # Records that nobody reads are looked at, too; and an order that is not drawn yet takes its time.
        lists = self._lists(values)
        drawn = sum(each.ranks * (each.epochs if all_epochs else 1) for each in lists if _own(each.plan))
        return delivered + sum(each.size for each in lists) + _DRAWN * max(0, drawn - _KEPT)

    def _lists(self, values: Values) -> list[Lists]:
        """The lists of each loader in each run, none of them delivered yet."""
        return [
            plan.run(tuple(run[each] for each in plan.names))
            for run in self._both_runs(values)
            for plan in self._plans.values()
        ]

    def _both_runs(self, values: Values) -> list[Values]:
        """The values of each run: there is one, or a second one with other values."""
        values = {**self._pinned, **values}
        return [values, self._second(values)] if self.claim.changed else [values]

    def _second(self, values: Values) -> Values:
        return {**values, **{name: values[f"{name}'"] for name in self.claim.changed}}

    def small(self) -> Iterator[Values]:
        """All choices of the free parameters by rising maximum, then in order of declaration."""
        return rising(self.free)

    def orders(self, values: Values) -> Iterator[Values]:
        """The same world under each seed that is tried; one seed where the order does not matter."""
        seeds = SEEDS if self.claim.order_matters else SEEDS[:1]
        tried = [[seed for seed in seeds if seed in each.domain] or [each.domain.low] for each in self.seeds]
        loaders = Counter(each.name.partition(".")[0] for each in self.seeds)
        # So many that the orders of one loader can all differ, and from one that is fixed.
        few = max(_FEW, 1 + max(loaders.values(), default=0))
        for choice in _few(tried, few):
            yield {**values, **{each.name: seed for each, seed in zip(self.seeds, choice, strict=True)}}

    def violation(self, values: Values, most: int | None = None) -> tuple[Values, World] | None:
        """The first order in which the claim is false, and the world about its epoch, rank and record.

        With `most`, about so many positions are looked at: first those of the first epoch in the first order.
        """
        epochs, ranks, orders = None, None, None
        if most is not None:
            epochs = max(1, most // max(1, self.least(values)))
            ranks = epochs if self.claim.entangles_ranks else None
            orders = max(1, most // max(1, min(self.weight(values), most)))
        for ordered in islice(self.orders(values), orders):
            if (found := self.claim.violation(self.world(ordered), epochs, ranks)) is not None:
                return ordered, found
        return None

    def made_up(self, values: Values) -> tuple[Values, World] | None:
        """Like `violation`, under draws that the model allows and that no seed is known to give."""
        stages = [each.stage for loader in self.claim.loaders.values() for each in loader.stages]
        told = variables(*(each.given for each in self.claim.nodes() if isinstance(each, Given)))
        free = {name for stage in stages for name in stage.made_up()} - told
        names = [each.name for each in self.seeds if each.name in free and each.domain.count() is None]
        if not names:
            return None
        for choice in product(MADE_UP, repeat=len(names)):
            ordered = {**values, **dict(zip(names, choice, strict=True))}
            if (found := self.claim.violation(self.world(ordered))) is not None:
                return {name: value for name, value in ordered.items() if value >= 0}, found
        return None


def _own(plan: Plan) -> bool:
    """Whether ranks have orders of their own."""
    return any(stage.per_rank() for stage in plan.stages)


def _few(tried: Sequence[Sequence[int]], few: int) -> Iterator[tuple[int, ...]]:
    """Choices of one seed each: all of one seed, all pairs of the first few, and as many of more seeds."""
    if len(tried) < 2:  # noqa: PLR2004 -- no pairs
        yield from product(*tried)
    else:
        for first, apart in product(range(_FEW), repeat=2):
            yield tuple(each[(first + at * apart) % min(few, len(each))] for at, each in enumerate(tried))


def rising(free: Sequence[Parameter]) -> Iterator[Values]:
    """All choices of the parameters by rising maximum, then in order of declaration."""
    bound: int | None = max((each.domain.low for each in free), default=0)
    fresh = True
    while bound is not None:
        for choice in _choices([each.domain for each in free], bound, reached=fresh):
            yield {each.name: value for each, value in zip(free, choice, strict=True)}
        fresh, bound = False, _next(free, bound)


def _choices(domains: Sequence[Domain], bound: int, *, reached: bool) -> Iterator[tuple[int, ...]]:
    """Values up to the bound, in lexicographic order; one of them is the bound, unless that was `reached`."""
    if not domains:
        yield from [()] if reached else []
        return
    first, later = domains[0].up_to(bound), any(bound in each for each in domains[1:])
    for value in first if reached or later else [bound] if bound in domains[0] else []:
        for rest in _choices(domains[1:], bound, reached=reached or value == bound):
            yield (value, *rest)


def _next(free: Sequence[Parameter], bound: int) -> int | None:
    """The least value above the bound that a parameter can take; none begins above the bound."""
    above: list[int] = []
    for each in free:
        if each.domain.values is not None:
            above += [value for value in each.domain.values if value > bound][:1]
        elif each.domain.high is None or each.domain.high > bound:
            above.append(bound + 1)
    return min(above, default=None)
