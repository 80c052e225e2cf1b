"""Integer polynomials over named atoms: what sums and products of terms become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd

from epochproof.term import node
from epochproof.term.node import Int

Monomial = tuple[str, ...]
"""Names of atoms, sorted, one for each power; `()` is the constant."""


@dataclass(frozen=True)
class Polynomial:
    """Pairs of a monomial and its coefficient, which is never 0, in the order of the monomials."""

    terms: tuple[tuple[Monomial, int], ...]

    def __add__(self, other: Polynomial) -> Polynomial:
        total = dict(self.terms)
        for monomial, coefficient in other.terms:
            total[monomial] = total.get(monomial, 0) + coefficient
        return of(total)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other.scaled(-1)

    def __mul__(self, other: Polynomial) -> Polynomial:
        total: dict[Monomial, int] = {}
        for one, a in self.terms:
            for two, b in other.terms:
                monomial = tuple(sorted(one + two))
                total[monomial] = total.get(monomial, 0) + a * b
        return of(total)

    def scaled(self, factor: int) -> Polynomial:
        """The polynomial, times an integer."""
        return of({monomial: factor * coefficient for monomial, coefficient in self.terms})

    def plus(self, value: int) -> Polynomial:
        """The polynomial, plus an integer."""
        return self + constant(value)

    @property
    def known(self) -> int | None:
        """The value of a constant polynomial, else `None`."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    @property
    def degree(self) -> int:
        """The length of the longest monomial."""
        return max((len(monomial) for monomial, _ in self.terms), default=0)

    def monomials(self) -> list[Monomial]:
        """Those of degree 1 and more."""
        return [monomial for monomial, _ in self.terms if monomial]

    def value(self, values: Mapping[Monomial, int]) -> int:
        """The value, where each monomial has the one given."""
        return sum(
            coefficient * (values[monomial] if monomial else 1) for monomial, coefficient in self.terms
        )

    def tightened(self) -> Polynomial:
        """The same condition `polynomial >= 0`, divided by what all coefficients share."""
        share = gcd(*(coefficient for monomial, coefficient in self.terms if monomial))
        if share < 2:  # noqa: PLR2004 -- nothing to divide by
            return self
        return of({monomial: coefficient // share for monomial, coefficient in self.terms})

    def term(self, names: Mapping[Monomial, Int]) -> Int:
        """The linear term in which each monomial is the variable that stands for it."""
        return node.add(
            *(
                node.multiply(coefficient, names[monomial]) if monomial else coefficient
                for monomial, coefficient in self.terms
            )
        )


def of(total: Mapping[Monomial, int]) -> Polynomial:
    """The polynomial with these coefficients."""
    return Polynomial(tuple(sorted((monomial, each) for monomial, each in total.items() if each)))


def constant(value: int) -> Polynomial:
    """The polynomial that is always `value`."""
    return of({(): value})


def atom(name: str) -> Polynomial:
    """The polynomial that is one atom."""
    return of({(name,): 1})


ZERO, ONE = constant(0), constant(1)


def without(monomial: Monomial, part: Monomial) -> Monomial | None:
    """The monomial divided by `part`, or `None` where it is no multiple."""
    rest = list(monomial)
    for name in part:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)
