"""Domains of parameters: a range, or a set of values."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.diagnostics import Span
from epochproof.term.node import Bool, Int, either, equal, less_equal, variable
from epochproof.term.node import both as _both


@dataclass(frozen=True)
class Domain:
    """`low..high`, both included (`high` may be open), or exactly `values` where they are given."""

    low: int
    high: int | None
    values: tuple[int, ...] | None = None

    def holds(self, term: Int) -> Bool:
        """The condition that the term lies in the domain."""
        if self.values is not None:
            return either(*(equal(term, value) for value in self.values))
        upper = () if self.high is None else (less_equal(term, self.high),)
        return _both(less_equal(self.low, term), *upper)

    def up_to(self, bound: int) -> tuple[int, ...] | range:
        """The values that are at most `bound`, rising."""
        if self.values is not None:
            return tuple(value for value in self.values if value <= bound)
        return range(self.low, (bound if self.high is None else min(bound, self.high)) + 1)

    def shared(self, other: Domain) -> Domain:
        """The values that both hold; this domain where they hold none in common."""
        values = self.values or other.values
        if values is not None:
            found = tuple(value for value in values if value in self and value in other)
            return Domain(found[0], found[-1], found) if found else self
        highs = [high for high in (self.high, other.high) if high is not None]
        low, high = max(self.low, other.low), min(highs, default=None)
        return self if high is not None and high < low else Domain(low, high)

    def meets(self, other: Domain) -> bool:
        """Whether both hold a value."""
        shared = self.shared(other)
        return shared.low in self and shared.low in other

    def count(self) -> int | None:
        """How many values there are; `None` without an upper end."""
        if self.values is not None:
            return len(self.values)
        return None if self.high is None else self.high - self.low + 1

    def __contains__(self, value: int) -> bool:
        if self.values is not None:
            return value in self.values
        return self.low <= value and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self.values is not None:
            return "{" + ", ".join(map(str, self.values)) + "}"
        return f"{self.low}..{'' if self.high is None else self.high}"


@dataclass(frozen=True)
class Parameter:
    """A free value of the spec: every value of its domain is meant.

    `seed` marks the key of a permutation, which stands for every order. `slack` marks the size of a derived
    population: 1 if every value is possible as long as no other size depends on it, 2 if some may not be.
    `listed` marks weights that a manifest lists and no rule follows: what holds for any weights holds there.
    `unread` says why a fixed value is not known: a claim that depends on it is undecided.
    """

    name: str
    domain: Domain
    span: Span
    seed: bool = False
    slack: int = 0
    listed: bool = False
    unread: str = ""

    @property
    def term(self) -> Int:
        """The variable that stands for the parameter."""
        return variable(self.name)
