"""Numbers in formulas."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Symbols, Use, World
from epochproof.claim._quantity import NumberQuantity
from epochproof.claim._question import Undecided
from epochproof.claim._quotient import Quotient, Value, calculated, joined, quotient
from epochproof.claim._sided import Sided
from epochproof.diagnostics import InternalError
from epochproof.model.values import combine, extremum
from epochproof.term.fold import substitute
from epochproof.term.node import Int, choose, constant, negate, number


@dataclass(frozen=True, eq=False, repr=False)
class UseNumber(NumberNode):
    """A number that a loader has."""

    use: Use
    quantity: NumberQuantity

    def parts(self) -> tuple[Node, ...]:
        return (self.use,)

    def term(self, symbols: Symbols) -> Int:
        return self.quantity.number(symbols.view(self.use))

    def reaches(self, symbols: Symbols, times: Int) -> Sided | None:
        return self.quantity.reaches(symbols.view(self.use), times)

    def fractional(self, symbols: Symbols) -> bool:
        return self.quantity.fractional(symbols.view(self.use))

    def quotient(self, symbols: Symbols) -> Quotient:
        return self.quantity.quotient(symbols.view(self.use))

    def value(self, world: World) -> Value:
        return self.quantity.counted(world.seen(self.use))


@dataclass(frozen=True, eq=False, repr=False)
class Exact(NumberNode):
    """A decimal as it is written."""

    given: Fraction

    def term(self, symbols: Symbols) -> Int:
        raise Undecided("a number that is not whole has no rule here")

    def fractional(self, symbols: Symbols) -> bool:
        return True

    def quotient(self, symbols: Symbols) -> Quotient:
        return quotient(self.given)

    def value(self, world: World) -> Value:
        return self.given


@dataclass(frozen=True, eq=False, repr=False)
class Given(NumberNode):
    """A number, a parameter, or arithmetic on them."""

    given: Int

    def term(self, symbols: Symbols) -> Int:
        return symbols.term(self.given)

    def value(self, world: World) -> int:
        values = {name: number(value) for name, value in world.values.items()}
        return _constant(substitute(self.given, values))


@dataclass(frozen=True, eq=False, repr=False)
class Arithmetic(NumberNode):
    """Two numbers and what joins them."""

    operator: str
    left: NumberNode
    right: NumberNode

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def of(self, a: Int, b: Int) -> Int:
        """The operator on two terms."""
        return _known(combine(self.operator, a, b))

    def term(self, symbols: Symbols) -> Int:
        return self.of(self.left.term(symbols), self.right.term(symbols))

    def quotient(self, symbols: Symbols) -> Quotient:
        return joined(self.operator, self.left.quotient(symbols), self.right.quotient(symbols))

    def value(self, world: World) -> Value:
        return calculated(self.operator, self.left.value(world), self.right.value(world))


@dataclass(frozen=True, eq=False, repr=False)
class Extremum(NumberNode):
    """`min`, `max` or `abs`."""

    name: str
    operands: tuple[NumberNode, ...]

    def parts(self) -> tuple[Node, ...]:
        return self.operands

    def term(self, symbols: Symbols) -> Int:
        return _known(extremum(self.name, [each.term(symbols) for each in self.operands]))

    def value(self, world: World) -> Value:
        values = [each.value(world) for each in self.operands]
        if self.name == "min":
            return min(values)
        return max(values) if self.name == "max" else max(values[0], -values[0])


@dataclass(frozen=True, eq=False, repr=False)
class Choice(NumberNode):
    """`if condition then a else b`."""

    condition: Condition
    then: NumberNode
    otherwise: NumberNode

    def parts(self) -> tuple[Node, ...]:
        return self.condition, self.then, self.otherwise

    def term(self, symbols: Symbols) -> Int:
        sided = self.condition.sided(symbols)
        if sided.no is not negate(sided.yes):
            raise Undecided("a choice by this condition has no rule")
        return choose(sided.yes, self.then.term(symbols), self.otherwise.term(symbols))

    def value(self, world: World) -> Value:
        return (self.then if self.condition.holds(world) else self.otherwise).value(world)


@dataclass(frozen=True, eq=False, repr=False)
class Count(NumberNode):
    """`count(set)`."""

    of: SetNode

    def parts(self) -> tuple[Node, ...]:
        return (self.of,)

    def term(self, symbols: Symbols) -> Int:
        return self.of.count(symbols)

    def value(self, world: World) -> int:
        return len(self.of.members(world))


def _known(term: Int | None) -> Int:
    """The term; the reader lets no unknown operator or function pass."""
    if term is None:
        raise InternalError("a formula holds an operator that means nothing")
    return term


def _constant(term: Int | None) -> int:
    """The value of a term in which a world gave every parameter a value."""
    found = constant(_known(term))
    if found is None:
        raise InternalError("a world leaves a parameter without a value")
    return found
