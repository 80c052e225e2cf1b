"""An integer case by case, and a polynomial as a multiple of another and a rest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from epochproof.prove.polynomial import ZERO, Monomial, Polynomial, of, without
from epochproof.term import node
from epochproof.term.node import TRUE, Bool

Case = tuple[tuple[Bool, ...], Polynomial]
"""Guards that hold together, as linear conditions, and what the integer is then."""


def multiples(x: Polynomial, d: Polynomial) -> tuple[Polynomial, Polynomial]:
    """`x` as `outside * d + rest`: exact multiples of d, and for a constant d whole parts, taken out."""
    if divisor := d.known:  # a case that no values reach may divide by 0
        outside = of({monomial: coefficient // divisor for monomial, coefficient in x.terms})
        return outside, x - outside.scaled(divisor)
    if len(d.terms) != 1 or d.terms[0][1] != 1:
        return ZERO, x
    part, factors = d.terms[0][0], dict[Monomial, int]()
    for monomial, coefficient in x.terms:
        rest = without(monomial, part)
        if rest is not None:
            factors[rest] = coefficient
    taken = of(factors)
    return taken, x - taken * d


def consistent(guards: tuple[Bool, ...]) -> bool:
    """Whether no guard is the contrary of another."""
    return node.FALSE not in guards and not any(node.negate(guard) in guards for guard in guards)


def joined(
    left: list[Case], right: list[Case], combine: Callable[[Polynomial, Polynomial], Polynomial]
) -> list[Case]:
    """Each pair of cases whose guards can hold together."""
    found: list[Case] = []
    for (some, a), (more, b) in product(left, right):
        guards = tuple(dict.fromkeys((*some, *more)))
        if consistent(guards):
            found.append((guards, combine(a, b)))
    return found


def chosen(condition: Bool, then: list[Case], otherwise: list[Case]) -> list[Case]:
    """The cases of a choice, each behind the condition or its contrary."""
    if condition is TRUE:
        return then
    sides = ((condition, then), (node.negate(condition), otherwise))
    return [
        (tuple(dict.fromkeys((guard, *guards))), value)
        for guard, cases in sides
        for guards, value in cases
        if consistent((guard, *guards))
    ]
