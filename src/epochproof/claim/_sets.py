"""Sets and sequences in formulas."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.claim._nodes import Node, NumberNode, SetNode, Symbols, Use, World
from epochproof.claim._quantity import SequenceQuantity, SetQuantity
from epochproof.claim._sided import Sided, exactly
from epochproof.term.node import Int, add, both, choose, differ, either, equal, number


@dataclass(frozen=True, eq=False, repr=False)
class UseSet(SetNode):
    """A set that a loader has."""

    use: Use
    quantity: SetQuantity

    def parts(self) -> tuple[Node, ...]:
        return (self.use,)

    def member(self, symbols: Symbols, record: Int) -> Sided:
        view = symbols.view(self.use)
        record = record + view.plan.part(view.part)[0]
        return exactly(view.inside(record)) & self.quantity.member(view, record)

    def count(self, symbols: Symbols) -> Int:
        return self.quantity.count(symbols.view(self.use))

    def members(self, world: World) -> frozenset[int]:
        start = self.start(world)
        return frozenset(record - start for record in self.quantity.collected(world.seen(self.use)))

    def start(self, world: World) -> int:
        return world.seen(self.use).members().start

    def candidates(self, symbols: Symbols) -> list[Int]:
        view = symbols.view(self.use)
        return [number(0), view.plan.part(view.part)[1] - 1]


@dataclass(frozen=True, eq=False, repr=False)
class UseSequence(Node):
    """A sequence that a loader has."""

    use: Use
    quantity: SequenceQuantity

    def parts(self) -> tuple[Node, ...]:
        return (self.use,)

    def listed(self, world: World) -> object:
        """The sequence in a world."""
        return self.quantity.listed(world.seen(self.use))


@dataclass(frozen=True, eq=False, repr=False)
class Literal(SetNode):
    """`{0, 1}`."""

    items: tuple[NumberNode, ...]

    def parts(self) -> tuple[Node, ...]:
        return self.items

    def member(self, symbols: Symbols, record: Int) -> Sided:
        return exactly(either(*(equal(record, item.term(symbols)) for item in self.items)))

    def count(self, symbols: Symbols) -> Int:
        terms = [item.term(symbols) for item in self.items]
        new = [both(*(differ(term, before) for before in terms[:at])) for at, term in enumerate(terms)]
        return add(*(choose(each, 1, 0) for each in new))

    def members(self, world: World) -> frozenset[int]:
        values = [item.value(world) for item in self.items]
        return frozenset(value.numerator for value in values if value.denominator == 1)

    def candidates(self, symbols: Symbols) -> list[Int]:
        return [item.term(symbols) for item in self.items]
