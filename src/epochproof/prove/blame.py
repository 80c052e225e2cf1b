"""Whose fault a counterexample is: the first stage after which the schedule is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from epochproof.claim._claim import Claim
from epochproof.claim._nodes import World
from epochproof.claim._sets import UseSet
from epochproof.claim.across import AcrossRanks
from epochproof.prove.verdict import Blame
from epochproof.schedule.deliveries import Compiled, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of

SHOWN = 20
"""So many records are shown at most."""


def shown_records(claim: Claim, world: World) -> tuple[int, ...]:
    """The records that show that the claim is false."""
    if claim.per_record:
        return (world.record,)
    for node in claim.formula.walk():
        if records := node.shows(world):
            return tuple(sorted(records)[:SHOWN])
    for node in claim.formula.walk():
        if isinstance(node, UseSet) and (members := node.members(world)):
            return tuple(sorted(members)[:SHOWN])
    return ()


def blame(claim: Claim, world: World, records: tuple[int, ...]) -> Blame | None:
    """The line at fault, or `None` where no single one is."""
    for use in claim.uses:
        loader = claim.loaders[use.loader]
        trial = _Trial(loader, world, world.lists[use.loader])
        if use.quantity.at_fault:
            found = trial.written(use.quantity.at_fault)
        elif any(isinstance(node, AcrossRanks) for node in claim.formula.walk()):
            found = trial.uneven()
        else:
            found = trial.of(records)
        if found is not None:
            return found
    return None


class _Trial:
    """One loader, run with its first stages only, then with one more, and so on."""

    def __init__(self, loader: Loader, world: World, lists: Lists) -> None:
        self._loader, self._world, self._lists = loader, world, lists
        self._names = tuple(world.values)

    def _prefixes(self) -> Iterator[tuple[Lists, int]]:
        """What the first k stages deliver, for each k from 0, and on how many lanes each place is."""
        plan = plan_of(self._loader)
        for k in range(len(plan.stages) + 1):
            short = replace(plan, stages=plan.stages[:k])
            compiled = Compiled(short, self._loader.epochs, self._names)
            lists = compiled.run(tuple(self._world.values.values()))
            yield lists, lists.value(short.copies())

    def _first(self, wrong: Callable[[Lists, int], bool], text: str) -> Blame | None:
        for k, (lists, copies) in enumerate(self._prefixes()):
            if k and wrong(lists, copies):
                placed = self._loader.stages[k - 1]
                return Blame(placed.name, placed.span, text)
        return None

    def of(self, records: tuple[int, ...]) -> Blame | None:
        """The stage that lost or copied one of the records; without any, the last that changed a length."""
        epoch = self._world.epoch
        counts = self._lists.counts(epoch)
        for record in records:
            if counts[record] == 0 and record < self._lists.size:
                return self.lost(record, epoch)
            if counts[record] > 1:
                return self.copied(record, epoch)
        return self.resized() if not records else None

    def written(self, name: str) -> Blame | None:
        """The stage that is called so, where the loader has one."""
        for placed in self._loader.stages:
            if placed.name == name:
                return Blame(name, placed.span, "decided here")
        return None

    def lost(self, record: int, epoch: int) -> Blame | None:
        """The first stage after which nobody reads the record."""
        return self._first(lambda lists, _: lists.counts(epoch)[record] == 0, f"record {record} is lost here")

    def copied(self, record: int, epoch: int) -> Blame | None:
        """The first stage after which it is read twice, or the header where nothing deals."""

        def twice(lists: Lists, copies: int) -> bool:
            return lists.counts(epoch)[record] > copies

        if (found := self._first(twice, f"record {record} is read again from here on")) is not None:
            return found
        return Blame("loader", self._loader.span, "no stage deals `ranks`, so every rank reads everything")

    def uneven(self) -> Blame | None:
        """The first stage after which the ranks have different lengths."""
        epoch = self._world.epoch
        return self._first(
            lambda lists, _: len({len(lane.records) for lane in lists.epoch(epoch)}) > 1,
            "the ranks have different lengths from here on",
        )

    def resized(self) -> Blame | None:
        """The last stage that changed how much is read."""
        epoch, found, before = self._world.epoch, None, 0
        for k, (lists, copies) in enumerate(self._prefixes()):
            total = sum(len(lane.records) for lane in lists.epoch(epoch)) // copies
            if k and total != before:
                placed, verb = self._loader.stages[k - 1], "adds" if total > before else "drops"
                found = Blame(placed.name, placed.span, f"{verb} {abs(total - before)} occurrences here")
            before = total
        return found
