"""Whose fault a counterexample is: the first stage after which the schedule is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from epochproof.claim._claim import Claim
from epochproof.claim._nodes import World
from epochproof.claim._sets import UseSet
from epochproof.claim.across import AcrossRanks
from epochproof.prove.verdict import Blame
from epochproof.schedule.deliveries import Compiled, Delivered, Lists
from epochproof.schedule.loader import Loader, Placed
from epochproof.schedule.plan import Plan, plan_of
from epochproof.term.node import number

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
            return tuple(sorted(node.start(world) + each for each in members)[:SHOWN])
    return ()


def blame(claim: Claim, world: World, records: tuple[int, ...]) -> Blame | None:
    """The line at fault, or `None` where no single one is."""
    for use in claim.uses:
        loader = claim.loaders[use.loader]
        masked = use.quantity.leaves_padding_out(plan_of(loader))
        trial = _Trial(loader, world, world.lists[use.loader], unpadded=masked)
        if use.quantity.at_fault:
            found = trial.written(use.quantity.at_fault)
        elif prefixes := [node for node in claim.formula.walk() if node.of_prefixes]:
            found = trial.drawn(prefixes[0].prefix_length(world) or 0)
        elif any(isinstance(node, AcrossRanks) for node in claim.formula.walk()):
            found = trial.uneven()
        else:
            found = trial.of(records)
        if found is not None:
            return found
    decisions = (_written(claim.loaders[use.loader], use.quantity.decided_by) for use in claim.uses)
    return next((each for each in decisions if each), None)


def _written(loader: Loader, name: str) -> Blame | None:
    """The stage that is called so, where the loader has one."""
    placed = next((placed for placed in loader.stages if placed.name == name), None)
    return _at(placed, "decided here") if placed else None


def _at(placed: Placed, text: str) -> Blame:
    """The blame of a stage; one that a preset stands for is named, as its line is that of the `use`."""
    where = f"`{placed.name}` in preset {placed.within}: " if placed.within else ""
    return Blame(placed.name, placed.span, f"{where}{text}")


@dataclass(frozen=True)
class _Prefix:
    """What the first stages of a loader deliver in one epoch: one stream, or one for each rank."""

    plan: Plan
    lists: Lists
    epoch: int
    unpadded: bool

    @property
    def alike(self) -> bool:
        """Whether all ranks read the same, so that one of them shows it."""
        own = any(each.per_rank() for each in self.plan.stages)
        return "rank" not in self.plan.dealt() and not own

    @property
    def streams(self) -> int:
        """How many lanes read everything that reaches them."""
        return self.lists.value(self.plan.copies(of_a_rank=self.alike))

    def keeps(self, record: int) -> bool:
        """Whether the record is read: its first place shows it at once, where that holds."""
        laps = [number(0)] * self.plan.padding_stages()
        place = self.plan.witness(number(record), laps, number(0), number(self.epoch))
        return self.lists.holds(place.holds) or self.times(record) > 0

    def times(self, record: int) -> int:
        """How often the record is read."""
        if self.unpadded:
            return sum(
                _times(lane, record) for lane in self.lists.epoch(self.epoch)[: 1 if self.alike else None]
            )
        if self.alike:
            return self.lists.lane(self.epoch, 0).records.count(record)
        return self.lists.counts(self.epoch)[record]

    def lengths(self) -> list[int]:
        """How much each rank reads; of ranks that read the same, the first one."""
        ranks = 1 if self.alike else self.lists.ranks
        return [self.lists.length(self.epoch, rank) for rank in range(ranks)]


def _times(lane: Delivered, record: int) -> int:
    """How often the lane reads the record without its being padding."""
    return sum(each == record and not padded for each, padded in zip(lane.records, lane.padded, strict=True))


class _Trial:
    """One loader, run with its first stages only, then with one more, and so on."""

    def __init__(self, loader: Loader, world: World, lists: Lists, *, unpadded: bool) -> None:
        self._loader, self._world, self._lists, self._unpadded = loader, world, lists, unpadded

    def _prefixes(self) -> Iterator[_Prefix]:
        """What the first k stages deliver, for each k from 0."""
        plan, epoch = plan_of(self._loader), self._world.epoch
        for k in range(len(plan.stages)):
            short = replace(plan, stages=plan.stages[:k])
            # What the last stages make no difference to may have any value that is allowed.
            values = {**dict.fromkeys(sorted(short.parameters()), 1), **self._world.values}
            compiled = Compiled(short, self._loader.epochs, tuple(values))
            yield _Prefix(short, compiled.run(tuple(values.values())), epoch, self._unpadded)
        yield self._whole()

    def _whole(self) -> _Prefix:
        return _Prefix(plan_of(self._loader), self._lists, self._world.epoch, self._unpadded)

    def _first(self, wrong: Callable[[_Prefix], bool], text: str) -> Blame | None:
        for k, prefix in enumerate(self._prefixes()):
            if k and wrong(prefix):
                placed = self._loader.stages[k - 1]
                return _at(placed, text)
        return None

    def of(self, records: tuple[int, ...]) -> Blame | None:
        """The stage that lost or copied one of the records; without any, the last that changed a length."""
        epoch = self._world.epoch
        counts = self._lists.unpadded(epoch) if self._unpadded else self._lists.counts(epoch)
        for record in records:
            if counts[record] == 0 and record < self._lists.size:
                return self.lost(record)
            if counts[record] > 1:
                return self.copied(record)
        return self.resized() if not records else None

    def written(self, name: str) -> Blame | None:
        """The stage that is called so, where the loader has one."""
        return _written(self._loader, name)

    def drawn(self, length: int) -> Blame:
        """The mix that draws the occurrences of a prefix, or the header where none does."""
        text = (
            f"the first {length:_} occurrences break it" if length != 1 else "the first occurrence breaks it"
        )
        mix = self.written("mix")
        return replace(mix, text=text) if mix else Blame("loader", self._loader.span, text)

    def lost(self, record: int) -> Blame | None:
        """The first stage after which nobody reads the record."""
        rest = ", but for padding" if self._lists.counts(self._world.epoch)[record] else ""
        return self._first(lambda prefix: not prefix.keeps(record), f"record {record:_} is lost here{rest}")

    def copied(self, record: int) -> Blame | None:
        """The first stage after which it is read twice, or the header where nothing deals."""
        text = f"record {record:_} is read again from here on"
        found = self._first(lambda prefix: prefix.times(record) > prefix.streams, text)
        if found is not None:
            return found
        return self._undealt()

    def _undealt(self) -> Blame:
        """The `copy` of the lanes that nobody deals to, or the header of the loader."""
        plan = plan_of(self._loader)
        lanes = "rank" if "rank" not in plan.dealt() and self._lists.ranks > 1 else "worker"
        text = f"no stage deals `{lanes}s`, so every {lanes} reads everything"
        copy = self.written("copy")
        return replace(copy, text=text) if copy else Blame("loader", self._loader.span, text)

    def uneven(self) -> Blame | None:
        """The first stage after which the ranks have different lengths."""
        text = f"the ranks have different lengths from here on{self._missing()}"
        return self._first(lambda prefix: len(set(prefix.lengths())) > 1, text)

    def _missing(self) -> str:
        """Which rank is missing first, and at which step; empty where all run as many steps."""
        steps = [self._lists.lane(self._world.epoch, rank).steps for rank in range(self._lists.ranks)]
        fewest = min(steps)
        return f": rank {steps.index(fewest)} has no step {fewest}" if fewest < max(steps) else ""

    def resized(self) -> Blame | None:
        """The last stage that changed how much is read."""
        found, before = None, 0
        for k, prefix in enumerate(self._prefixes()):
            total = sum(prefix.lengths()) // prefix.streams
            if k and total != before:
                placed, verb = self._loader.stages[k - 1], "adds" if total > before else "drops"
                found = _at(placed, f"{verb} {abs(total - before):_} occurrences here")
            before = total
        return found
