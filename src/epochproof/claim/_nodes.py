"""Formulas of claims: each node has a solver's reading and a reading on delivered lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from epochproof.claim._prefix import Prefix
from epochproof.claim._quantity import Quantity, Seen
from epochproof.claim._question import Question, Undecided, View
from epochproof.claim._quotient import Quotient, Value
from epochproof.claim._sided import Sided
from epochproof.diagnostics import Span
from epochproof.schedule.deliveries import Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import EPOCH, RANK, plan_of
from epochproof.term.fold import substitute
from epochproof.term.node import Int, number


@dataclass(frozen=True, eq=False, repr=False)
class Symbols:
    """What a formula is read with: loaders, the rank and epoch meant, and the values of the other run."""

    question: Question
    loaders: Mapping[str, Loader]
    changed: Mapping[str, Int] = field(default_factory=dict)
    rank: Int = RANK
    epoch: Int = EPOCH
    prefix: Int | None = None
    """So many of the first occurrences of the epoch are meant, where a formula is about prefixes."""

    def term(self, term: Int) -> Int:
        """The term in this run."""
        return substitute(term, self.changed) if self.changed else term

    def view(self, use: Use) -> View:
        """The loader as the use of its quantity sees it."""
        loader = self.loaders[use.loader]
        if self.prefix is not None and not use.quantity.of_prefixes:
            raise Undecided(f"`{use.quantity.name}` has no rule for prefixes")
        return View(
            plan_of(loader, self.changed),
            self.term(loader.epochs),
            run=use.run,
            rank=use.rank,
            question=self.question,
            this_rank=self.rank,
            this_epoch=self.epoch,
            part=use.part,
            prefix=self.prefix,
        )


@dataclass(frozen=True, eq=False, repr=False)
class World:
    """What a formula is checked on: the lists of each loader, the values of parameters, and one binding."""

    lists: Mapping[str, Lists]
    values: Mapping[str, int]
    other: World | None = None
    epoch: int = 0
    rank: int = 0
    record: int = 0
    known: dict[object, bool] = field(default_factory=dict, repr=False, compare=False)
    """What was found out about all ranks at once; shared with the same world at another rank."""

    prefix: Prefix | None = None
    """The first occurrences that are meant, where a formula is about prefixes."""

    def seen(self, use: Use) -> Seen:
        """The lists as the use of a quantity sees them."""
        return Seen(
            self.lists[use.loader],
            use.run,
            use.rank,
            self.rank,
            self.epoch,
            self.record,
            use.part,
            self.prefix,
        )

    def at(self, *, epoch: int | None = None, rank: int | None = None, record: int | None = None) -> World:
        """The same world, about another epoch, rank or record."""
        return replace(
            self,
            epoch=self.epoch if epoch is None else epoch,
            rank=self.rank if rank is None else rank,
            record=self.record if record is None else record,
        )

    def the_other_run(self) -> World:
        """The second run, about the same epoch, rank and record."""
        return (
            self
            if self.other is None
            else self.other.at(epoch=self.epoch, rank=self.rank, record=self.record)
        )


class Node:
    """A part of a formula."""

    of_prefixes: ClassVar[bool] = False
    """Is it about every prefix of an epoch?"""

    of_populations: ClassVar[bool] = False
    """Is it about populations, and about no loader?"""

    def parts(self) -> tuple[Node, ...]:
        """The nodes below."""
        return ()

    def tells_records(self) -> bool:
        """Whether its truth may change when the records are renamed."""
        return False

    def ranges_over_ranks(self) -> bool:
        """Whether it is about all ranks, so that what stands below it is about no single one."""
        return False

    def prefix_length(self, world: World) -> int | None:
        """How long the shortest prefix of an epoch is that makes it false, where it is about prefixes."""
        return None

    def of_every_size(self) -> bool:
        """Whether it is about every number of records, whatever a manifest holds."""
        return False

    def shows(self, world: World) -> frozenset[int]:
        """The records that make it false in a world, where it is about records."""
        return frozenset()

    def assumes(self) -> tuple[str, ...]:
        """What it rests on besides the spec, as sentences."""
        return ()

    def changed(self) -> Mapping[str, Int]:
        """The parameters that differ in a second run, which the node compares with the first."""
        return {}

    def walk(self) -> Iterator[Node]:
        """The node and all below it."""
        yield self
        for part in self.parts():
            yield from part.walk()


class NumberNode(Node):
    """A number."""

    @abstractmethod
    def term(self, symbols: Symbols) -> Int:
        """The number as a term. Raises Undecided where it may be no whole number."""

    @abstractmethod
    def value(self, world: World) -> Value:
        """The number in a world."""

    def fractional(self, symbols: Symbols) -> bool:
        """Whether it may be no whole number."""
        return any(each.fractional(symbols) for each in self.parts() if isinstance(each, NumberNode))

    def quotient(self, symbols: Symbols) -> Quotient:
        """The number where it may be no whole one."""
        return Quotient(self.term(symbols), number(1))

    def reaches(self, symbols: Symbols, times: Int) -> Sided | None:
        """That the number is at least `times`, where that is simpler than the number itself."""
        return None


class SetNode(Node):
    """A set of records."""

    @abstractmethod
    def member(self, symbols: Symbols, record: Int) -> Sided:
        """The record is a member."""

    @abstractmethod
    def count(self, symbols: Symbols) -> Int:
        """How many members there are."""

    @abstractmethod
    def members(self, world: World) -> frozenset[int]:
        """The members in a world; a source of a mix counts its own records from 0."""

    def start(self, world: World) -> int:
        """The record of the population that is 0 here."""
        return 0

    def candidates(self, symbols: Symbols) -> list[Int]:
        """Records that may tell this set from another."""
        return []


class Condition(Node):
    """Something that holds or does not."""

    @abstractmethod
    def sided(self, symbols: Symbols) -> Sided:
        """Sufficient reasons for it and against it."""

    @abstractmethod
    def holds(self, world: World) -> bool:
        """Whether it holds in a world."""


@dataclass(frozen=True, eq=False, repr=False)
class Use(Node):
    """A quantity of a loader, over a window."""

    loader: str
    quantity: Quantity
    run: bool
    rank: bool
    span: Span
    part: str = ""
