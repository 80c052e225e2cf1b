"""What a quantity is: its formula, and the same fact counted on delivered lists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from epochproof.claim._prefix import Prefix
from epochproof.claim._question import Undecided, View
from epochproof.claim._quotient import Quotient, Value
from epochproof.claim._sided import Sided
from epochproof.schedule.deliveries import Delivered, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import WORKER, Plan
from epochproof.term.fold import variables
from epochproof.term.node import (
    TRUE,
    Bool,
    Int,
    both,
    either,
    equal,
    implies,
    negate,
    number,
    variable,
    within,
)


@dataclass(frozen=True, eq=False, repr=False)
class Seen:
    """The lists of one world as one quantity sees them: a window, and the rank, epoch and record meant."""

    lists: Lists
    run: bool
    rank: bool
    this_rank: int = 0
    this_epoch: int = 0
    this_record: int = 0
    part: str = ""
    prefix: Prefix | None = None

    def members(self) -> range:
        """The records of the population, or of the part of it that is meant."""
        low, size = map(self.lists.value, self.lists.plan.part(self.part))
        return range(low, low + size)

    def occurrences(self) -> int:
        """How many occurrences there are in the window."""
        if self.prefix is not None:
            return self.prefix.read(self.members() if self.part else None)
        return self.counts().total()

    def counts(self) -> Counter[int]:
        """How often each record is delivered in the window."""
        every = self._counts() if self.prefix is None else self.prefix.counts()
        if not self.part:
            return every
        members = self.members()
        return Counter({record: times for record, times in every.items() if record in members})

    def _counts(self) -> Counter[int]:
        if not self.rank:
            return self.lists.run_counts if self.run else self.lists.counts(self.this_epoch)
        return Counter(
            record for epoch in self.epochs() for record in self.lists.lane(epoch, self.this_rank).records
        )

    def epochs(self) -> range:
        """The epochs of the window."""
        return range(self.lists.epochs) if self.run else range(self.this_epoch, self.this_epoch + 1)

    def lanes(self, epoch: int) -> list[Delivered]:
        """What the ranks of the window read in an epoch."""
        return [self.lists.lane(epoch, self.this_rank)] if self.rank else self.lists.epoch(epoch)

    def padding(self) -> int:
        """Delivered positions of the window that padding introduced."""
        return sum(lane.padding for epoch in self.epochs() for lane in self.lanes(epoch))


class Quantity(ABC):
    """Something that a loader has: a number, a set of records, or a sequence."""

    name: ClassVar[str]
    windows: ClassVar[frozenset[str]] = frozenset({"run", "rank"})
    per_rank: ClassVar[bool] = False
    """Is it about one rank even without the window `rank`?"""

    per_record: ClassVar[bool] = False
    """Is it about one record?"""

    of_all_epochs: ClassVar[bool] = False
    """Does it depend on how many epochs there are even without the window `run`?"""

    of_parts: ClassVar[bool] = False
    """Can it be about one source of a mix?"""

    of_prefixes: ClassVar[bool] = False
    """Is there a rule for it about the first occurrences of an epoch?"""

    of_lengths: ClassVar[bool] = False
    """Is it about how much is read alone, whatever that is?"""

    limited: ClassVar[bool] = False
    """Are there worlds in which it is nothing?"""

    at_fault: ClassVar[str] = ""
    """The stage that it is about, and to blame for a claim, where it is always the same one."""

    assumes: ClassVar[tuple[str, ...]] = ()
    """What a claim with it rests on besides the stages, as sentences."""

    decided_by: ClassVar[str] = ""
    """The stage that is to blame where a loader has it, and no stage lost or copied a record."""

    def parts(self, loader: Loader) -> frozenset[str]:
        """What it can be about in place of all records: sources of a mix, or of a lineage."""
        return loader.population.components if self.of_parts else frozenset()

    def of(self, loader: Loader, part: str) -> tuple[Quantity, str]:
        """The quantity of a part, and the source of a mix that is meant by it."""
        return self, part

    def leaves_padding_out(self, plan: Plan) -> bool:
        """Whether what padding repeats makes no difference to it."""
        return False

    def depends_on(self, plan: Plan) -> set[str]:
        """The variables that it depends on where it reads this plan."""
        lane, p = plan.lane(), variable("p")
        delivered = (plan.record(p, lane), plan.length(lane), plan.steps(lane), plan.step(p, lane))
        return variables(*delivered, plan.ranks, plan.workers, plan.size)

    def meant(self, view: View) -> Bool:
        """The condition under which it is something: a claim with it is about nothing else."""
        return TRUE

    def means(self, seen: Seen) -> bool:
        """The same on the lists."""
        return True

    def kinds(self, seen: Seen) -> Mapping[int, Value]:
        """What tells one record from another, where it is about each: how often it is delivered."""
        return seen.counts()

    def plans(self, plan: Plan) -> list[Plan]:
        """The plans that it reads: the loader's own, unless it compares several runs."""
        return [plan]


class NumberQuantity(Quantity):
    """A number."""

    @abstractmethod
    def number(self, view: View) -> Int:
        """The number as a term. Raises Undecided where no rule gives one."""

    def reaches(self, view: View, times: Int) -> Sided | None:
        """That the number is at least `times`, where that is simpler than the number itself."""
        return None

    def fractional(self, view: View) -> bool:
        """Whether it may be no whole number."""
        return False

    def quotient(self, view: View) -> Quotient:
        """The number where it may be no whole one."""
        return Quotient(self.number(view), number(1))

    @abstractmethod
    def counted(self, seen: Seen) -> Value:
        """The number on the lists."""


class SetQuantity(Quantity):
    """A set of records."""

    @abstractmethod
    def member(self, view: View, record: Int) -> Sided:
        """The record, which belongs to the population, is a member."""

    @abstractmethod
    def count(self, view: View) -> Int:
        """How many members there are. Raises Undecided where no rule tells."""

    @abstractmethod
    def collected(self, seen: Seen) -> frozenset[int]:
        """The members on the lists."""


def alike(one: View, other: View) -> bool:
    """Whether both are one schedule, about the same rank and epoch."""
    return one.plan == other.plan and one.this_rank is other.this_rank and one.this_epoch is other.this_epoch


def same_places(one: View, other: View, p: Int, agree: Bool) -> Bool:
    """Both have the same positions on the rank that is meant, and agree at position `p`, whichever it is.

    Where as many workers of an iterable loader read the same, they take turns alike.

    Raises:
        Undecided: the number of workers differs, and with it whose turn it is.
    """
    if one.plan.workers is not other.plan.workers:
        raise Undecided("in which order the workers of an iterable loader take turns has no rule")
    here, there = (within(0, each.this_rank, each.plan.ranks) for each in (one, other))
    lengths = [each.plan.length(each.plan.lane(each.this_rank, each.this_epoch)) for each in (one, other)]
    worker = within(0, WORKER, one.plan.workers) if one.plan.has_workers else TRUE
    same = implies(worker, both(equal(*lengths), implies(within(0, p, lengths[0]), agree)))
    if one.plan.ranks is other.plan.ranks:
        return implies(here, same)
    nothing = both(either(negate(here), equal(lengths[0], 0)), either(negate(there), equal(lengths[1], 0)))
    return either(nothing, both(here, there, same))


class SequenceQuantity(Quantity):
    """A sequence: it can be compared, nothing else."""

    windows: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def same(self, one: View, other: View) -> Sided:
        """Both sequences are equal. Raises Undecided where no rule tells."""

    @abstractmethod
    def listed(self, seen: Seen) -> object:
        """The sequence on the lists, as something that `==` compares."""
