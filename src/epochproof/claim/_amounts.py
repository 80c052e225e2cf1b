"""Numbers that may be fractions: bounds as quotients of terms, and what two of them are to each other."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from epochproof.claim._conditions import HOLDS
from epochproof.claim._nodes import Condition, Node, NumberNode, Symbols, World
from epochproof.claim._question import Undecided
from epochproof.claim._sided import Sided
from epochproof.term.node import Bool, Int, both, constant, either, number


@dataclass(frozen=True, eq=False, repr=False)
class Quotient:
    """A term over a positive number."""

    over: Int
    by: int = 1

    def __add__(self, other: Quotient) -> Quotient:
        return Quotient(self.over * other.by + other.over * self.by, self.by * other.by)

    def times(self, factor: Fraction) -> Quotient:
        """The quotient times a fixed number."""
        return Quotient(self.over * factor.numerator, self.by * factor.denominator)

    def __le__(self, other: Quotient) -> Bool:
        return self.over * other.by <= other.over * self.by

    def __lt__(self, other: Quotient) -> Bool:
        return self.over * other.by < other.over * self.by

    @property
    def known(self) -> Fraction | None:
        """Its value, where no parameter is in it."""
        found = constant(self.over)
        return None if found is None else Fraction(found, self.by)


def fixed(value: Fraction) -> Quotient:
    """A fixed number."""
    return Quotient(number(value.numerator), value.denominator)


@dataclass(frozen=True, eq=False, repr=False)
class Between:
    """A number between two bounds, both included."""

    low: Quotient
    high: Quotient

    def __add__(self, other: Between) -> Between:
        return Between(self.low + other.low, self.high + other.high)

    def times(self, factor: Fraction) -> Between:
        """The number times a fixed one."""
        ends = self.low.times(factor), self.high.times(factor)
        return Between(*(ends if factor >= 0 else reversed(ends)))

    @property
    def known(self) -> Fraction | None:
        """Its value, where that is fixed."""
        low, high = self.low.known, self.high.known
        return low if low is not None and low == high else None


class Amount(Node):
    """A number that may be a fraction."""

    @abstractmethod
    def between(self, symbols: Symbols) -> Between:
        """Its bounds as terms. Raises Undecided where no rule gives any."""

    @abstractmethod
    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        """Its bounds in a world, equal where it is computed exactly. Raises Undecided."""


@dataclass(frozen=True, eq=False, repr=False)
class Decimal(Amount):
    """A number as it is written."""

    written: Fraction

    def between(self, symbols: Symbols) -> Between:
        return Between(fixed(self.written), fixed(self.written))

    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        return self.written, self.written


@dataclass(frozen=True, eq=False, repr=False)
class Whole(Amount):
    """A whole number."""

    of: NumberNode

    def parts(self) -> tuple[Node, ...]:
        return (self.of,)

    def between(self, symbols: Symbols) -> Between:
        term = Quotient(self.of.term(symbols))
        return Between(term, term)

    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        value = Fraction(self.of.value(world))
        return value, value


@dataclass(frozen=True, eq=False, repr=False)
class Sum(Amount):
    """Two amounts together."""

    left: Amount
    right: Amount

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def between(self, symbols: Symbols) -> Between:
        return self.left.between(symbols) + self.right.between(symbols)

    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        (low, high), (other_low, other_high) = self.left.bounds(world), self.right.bounds(world)
        return low + other_low, high + other_high


@dataclass(frozen=True, eq=False, repr=False)
class Product(Amount):
    """Two amounts multiplied."""

    left: Amount
    right: Amount

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def between(self, symbols: Symbols) -> Between:
        left, right = self.left.between(symbols), self.right.between(symbols)
        if (factor := left.known) is not None:
            return right.times(factor)
        if (factor := right.known) is not None:
            return left.times(factor)
        raise Undecided("a product of an expectation or a fraction has a rule where one factor is fixed")

    def bounds(self, world: World) -> tuple[Fraction, Fraction]:
        ends = [a * b for a in self.left.bounds(world) for b in self.right.bounds(world)]
        return min(ends), max(ends)


@dataclass(frozen=True, eq=False, repr=False)
class CompareAmounts(Condition):
    """Two amounts compared."""

    operator: str
    left: Amount
    right: Amount

    def parts(self) -> tuple[Node, ...]:
        return self.left, self.right

    def sided(self, symbols: Symbols) -> Sided:
        one, other = self.left.between(symbols), self.right.between(symbols)
        at_most = Sided(one.high <= other.low, other.high < one.low)
        at_least = Sided(other.high <= one.low, one.high < other.low)
        if self.operator in ("==", "!="):
            same = Sided(both(at_most.yes, at_least.yes), either(at_most.no, at_least.no))
            return same if self.operator == "==" else ~same
        return {"<=": at_most, ">": ~at_most, ">=": at_least, "<": ~at_least}[self.operator]

    def holds(self, world: World) -> bool:
        (low, high), (other_low, other_high) = self.left.bounds(world), self.right.bounds(world)
        told = {HOLDS[self.operator](a, b) for a, b in ((low, other_high), (high, other_low))}
        if self.operator in ("==", "!=") and not (high < other_low or other_high < low):
            told = {self.operator == "=="} if low == high and other_low == other_high else {True, False}
        if len(told) > 1:
            raise Undecided("both sides of a comparison are equal in their first 256 bits")
        return told.pop()
