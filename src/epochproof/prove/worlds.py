"""Small worlds: every choice of parameters by rising maximum, run as lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from epochproof.claim._claim import Claim
from epochproof.claim._nodes import World
from epochproof.model.domain import Parameter
from epochproof.schedule.deliveries import Compiled
from epochproof.schedule.plan import plan_of

SEEDS = range(24)
"""The seeds whose orders are tried where the order matters."""

Values = Mapping[str, int]


class Worlds:
    """Builds and checks the worlds of one claim."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.free = [each for each in claim.parameters if not each.seed]
        self.seeds = [each for each in claim.parameters if each.seed]
        self._pinned = {each.name: each.domain.low for each in (*claim.pinned, *self.seeds)}
        self._all_epochs = claim.open_epochs or any(use.run for use in claim.uses)
        names = tuple(each.name for each in (*claim.parameters, *claim.pinned))
        self._plans = {
            name: Compiled(plan_of(loader), loader.epochs, names) for name, loader in claim.loaders.items()
        }

    def world(self, values: Values) -> World:
        """The world with these parameters, and its second run where the claim has one."""
        second = None
        if self.claim.changed:
            second = self._run({**values, **{name: values[f"{name}'"] for name in self.claim.changed}})
        return self._run(values, second)

    def _run(self, values: Values, second: World | None = None) -> World:
        values = {**self._pinned, **values}
        lists = {
            name: plan.run(tuple(values[each] for each in plan.names)) for name, plan in self._plans.items()
        }
        return World(lists, values, second)

    def weight(self, values: Values) -> int:
        """Roughly how many positions the world delivers."""
        values = {**self._pinned, **values}
        return sum(
            plan.weight(tuple(values[each] for each in plan.names), all_epochs=self._all_epochs)
            for plan in self._plans.values()
        )

    def small(self) -> Iterator[Values]:
        """All choices of the free parameters by rising maximum, then in order of declaration."""
        return rising(self.free)

    def orders(self, values: Values) -> Iterator[Values]:
        """The same world under each seed that is tried; one seed where the order does not matter."""
        seeds = SEEDS if self.claim.order_matters else SEEDS[:1]
        tried = [[seed for seed in seeds if seed in each.domain] or [each.domain.low] for each in self.seeds]
        short = tried if len(tried) < 2 else [each[:5] for each in tried]  # noqa: PLR2004 -- two seeds, few pairs
        for choice in product(*short):
            yield {**values, **{each.name: seed for each, seed in zip(self.seeds, choice, strict=True)}}

    def violation(self, values: Values) -> tuple[Values, World] | None:
        """The first order in which the claim is false, and the world about its epoch, rank and record."""
        for ordered in self.orders(values):
            if (found := self.claim.violation(self.world(ordered))) is not None:
                return ordered, found
        return None


def rising(free: Sequence[Parameter]) -> Iterator[Values]:
    """All choices of the parameters by rising maximum, then in order of declaration."""
    bound: int | None = max((each.domain.low for each in free), default=0)
    fresh = True
    while bound is not None:
        for choice in product(*(each.domain.up_to(bound) for each in free)):
            if fresh or max(choice) == bound:
                yield {each.name: value for each, value in zip(free, choice, strict=True)}
        fresh, bound = False, _next(free, bound)


def _next(free: Sequence[Parameter], bound: int) -> int | None:
    """The least value above the bound that a parameter can take; none begins above the bound."""
    above: list[int] = []
    for each in free:
        if each.domain.values is not None:
            above += [value for value in each.domain.values if value > bound][:1]
        elif each.domain.high is None or each.domain.high > bound:
            above.append(bound + 1)
    return min(above, default=None)
