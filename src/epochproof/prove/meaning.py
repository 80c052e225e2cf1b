"""What the names of a normal form stand for: terms over the variables of the condition itself."""

from __future__ import annotations

from functools import reduce
from typing import cast

from epochproof.prove.normal import Normal
from epochproof.prove.polynomial import Polynomial
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Bool, Int, add, both, choose, floor_divide, multiply, number, variable


class Meaning:
    """Reads what is said in the names of a normal form as something about the condition."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal
        self._monomials = {cast("str", name.value): monomial for monomial, name in normal.names.items()}
        self._known = dict[str, Int]()

    def condition(self, linear: Bool) -> Bool:
        """The same, without the names."""
        names = sorted(variables(linear))
        return substitute(linear, {name: self._product(self._monomials.get(name, (name,))) for name in names})

    def _product(self, monomial: tuple[str, ...]) -> Int:
        return reduce(multiply, map(self._atom, monomial), number(1))

    def _polynomial(self, polynomial: Polynomial) -> Int:
        return add(*(multiply(times, self._product(monomial)) for monomial, times in polynomial.terms))

    def _atom(self, name: str) -> Int:
        if name not in self._known:
            self._known[name] = self._meant(name)
        return self._known[name]

    def _meant(self, name: str) -> Int:
        if name in self._normal.sources:
            return floor_divide(*map(self._polynomial, self._normal.sources[name]))
        meant = self._normal.meant.get(name)
        if meant is None or isinstance(meant, Int):
            return variable(name) if meant is None else meant
        *first, (_, found) = ((guards, self._polynomial(value)) for guards, value in meant)
        for guards, value in reversed(first):
            found = choose(both(*map(self.condition, guards)), value, found)
        return found
