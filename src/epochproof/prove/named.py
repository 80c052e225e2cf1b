"""A condition with names in place of all that is not linear, and what each of these names stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import cast

from epochproof.prove.cases import Case
from epochproof.prove.normal import Normal
from epochproof.prove.polynomial import Polynomial
from epochproof.term.fold import postorder, rebuilt, substitute
from epochproof.term.node import Bool, Int, Op, Term, add, both, choose, equal, multiply, variable


@dataclass
class Named:
    """Names products, quotients and applied functions; `steps` says what each new name stands for.

    A step is about names alone: the operation `n.3 = n.2 * ranks`, as it stands in the condition.
    """

    normal: Normal
    steps: dict[str, tuple[Int, Int]] = field(default_factory=dict)
    """With each name the part of the condition, and the same over the names."""

    applied: dict[str, Bool] = field(default_factory=dict)
    """With each name of an applied function the equation that says so."""

    def condition(self, condition: Bool) -> Bool:
        """The condition over the names: it is built as before."""
        functions = {meant: name for name, meant in self.normal.meant.items() if isinstance(meant, Int)}
        memo = dict[Term, Term]()
        for each in postorder(condition):
            found = rebuilt(each, [memo[arg] for arg in each.args])
            if is_step(each):
                name = f"n.{len(self.steps)}"
                self.steps[name] = cast("Int", each), cast("Int", found)
                found = variable(name)
            elif each.op is Op.APPLY:
                name = functions[cast("Int", each)]
                self.applied[name] = equal(variable(name), cast("Int", found))
                found = variable(name)
            memo[each] = found
        return cast("Bool", memo[condition])

    def in_cases(self, cases: list[Case]) -> Int:
        """The integer that is so, case by case."""
        *first, (_, value) = cases
        found = self.normal.linear(value)
        for guards, each in reversed(first):
            found = choose(both(*guards), self.normal.linear(each), found)
        return found

    def spelled(self, linear: Bool) -> Bool:
        """The same with products in place of their names."""
        products = {str(name.value): of for of, name in self.normal.names.items() if len(of) > 1}
        return substitute(linear, {name: product(of) for name, of in products.items()})


def is_step(term: Term) -> bool:
    """Whether it multiplies two integers of which none is a number, or divides."""
    if term.op is Op.MULTIPLY:
        return all(each.op is not Op.NUMBER for each in term.args)
    return term.op in (Op.FLOOR_DIVIDE, Op.MODULO)


def product(monomial: tuple[str, ...]) -> Int:
    """The product of the atoms."""
    return reduce(multiply, map(variable, monomial))


def as_product(polynomial: Polynomial) -> Int:
    """The polynomial with products in place of names."""
    return add(*(times * product(of) if of else times for of, times in polynomial.terms))
