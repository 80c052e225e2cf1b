"""Facts that make a condition linear, each with the condition that has no solution where it is true.

A fact is about names: what a step of the condition comes to, where a quotient lies, what a product is at least.
Its proof needs few others: those about names that it holds, and instances of three schemas on integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import cast

from epochproof.prove.linear import Search
from epochproof.prove.named import Named, as_product
from epochproof.prove.obligations import conjuncts
from epochproof.prove.polynomial import ONE, Polynomial, of, without
from epochproof.term.fold import postorder, variables
from epochproof.term.node import (
    TRUE,
    Bool,
    Int,
    Op,
    add,
    both,
    equal,
    floor_divide,
    implies,
    less_equal,
    multiply,
    variable,
)

_PLAIN = {Op.NUMBER, Op.VARIABLE, Op.ADD, Op.MULTIPLY, Op.EQUAL}


@dataclass(frozen=True)
class Fact:
    """What is `true` of names, as a linear condition; `said` says what it is about.

    `goal` is the same with what the names stand for; it follows from `meant`, what a name is, from `hints`,
    instances of schemas, and from the facts whose names it holds. A definition needs no proof: it has no goal.
    """

    said: str
    true: Bool
    goal: Bool = TRUE
    meant: tuple[Bool, ...] = ()
    hints: tuple[Bool, ...] = ()


@dataclass(frozen=True)
class Facts:
    """All facts about one condition; `found` is how its linear form was shown to have no solution."""

    condition: Bool
    named: Named
    found: Search

    @cached_property
    def known(self) -> dict[str, Fact]:
        """Each fact by a name of its own: that of what it is about."""
        facts = dict(self._steps())
        facts |= self._quotients()
        facts |= self._cases()
        facts |= {f"product {at}": each for at, each in enumerate(self._products(), 1)}
        return facts

    @cached_property
    def given(self) -> tuple[Bool, ...]:
        """What the condition says itself, and facts may use: least values, and equations between products."""
        said = conjuncts(self.condition)
        lows = [each for each in said if each.op is Op.LESS_EQUAL and each.args[1].op is Op.VARIABLE]
        plain = [each for each in said if each.op is Op.EQUAL and _is_plain(each)]
        return tuple(dict.fromkeys((*lows, *plain)))

    def rests_on(self, name: str) -> list[str]:
        """The names of the facts that the proof of one may use, none of which uses it."""
        fact = self.known[name]
        atoms = {atom for held in variables(fact.goal, *fact.meant, *fact.hints) for atom in held.split("*")}
        places = {each: at for at, each in enumerate(self.known)}
        lows = [f"{atom} at least" for atom in atoms]
        whole = [] if name.endswith(" at least") or name in self.named.normal.sources else [*atoms]
        used = [each for each in (*lows, *whole) if each in places and not self._leads_to(each, name)]
        for each in [each for each in used if each in self.named.steps]:
            used += [low for low in self._names_in(each) if low not in used]
        return sorted(set(used) - {name}, key=lambda each: places[each])

    def _names_in(self, step: str) -> list[str]:
        """The facts about the quotients that a step comes to."""
        atoms = {atom for held in variables(self.known[step].true) for atom in held.split("*")}
        sources = self.named.normal.sources
        return [
            each
            for atom in sorted(atoms & sources.keys())
            for each in (atom, f"{atom} at least")
            if each in self.known
        ]

    def _leads_to(self, used: str, name: str) -> bool:
        """Whether the one comes after the other, among the lows of quotients or among steps."""
        kinds = (self.named.normal.sources, self.named.steps)
        about, other = used.removesuffix(" at least"), name.removesuffix(" at least")
        for names in kinds:
            if about in names and other in names:
                order = list(names)
                return order.index(about) >= order.index(other)
        return False

    def _steps(self) -> Iterator[tuple[str, Fact]]:
        for name, (term, step) in self.named.steps.items():
            cases = self.named.normal.cases(term)
            value = self.named.in_cases(cases)
            values = [as_product(each) for _, each in cases]
            hints = (*_alone(step, values), *self._nested(term)) if step.op is Op.FLOOR_DIVIDE else ()
            goal = self.named.spelled(equal(step, value))
            yield name, Fact(f"what {name} is", equal(variable(name), value), goal, hints=hints)

    def _nested(self, term: Int) -> Iterator[Bool]:
        """What makes nested floors one: how far the inner one is from the multiples of the outer divisor."""
        normal = self.named.normal
        if not normal.merge:
            return
        xs, ds = (normal.cases(cast("Int", each)) for each in term.args)
        for (_, x), (_, d), (_, q) in product(xs, ds, normal.cases(term)):
            inner = {name for monomial in x.monomials() for name in monomial} & normal.sources.keys()
            for name in sorted(inner):
                for gap in (d * q - x - ONE, x - d * q - d):
                    yield _not_negative(normal.sources[name][1], gap)

    def _quotients(self) -> dict[str, Fact]:
        normal, facts = self.named.normal, dict[str, Fact]()
        for name, (x, d) in normal.sources.items():
            rest = x - normal.reduced(d * of({(name,): 1}))
            inside = both(*(less_equal(0, normal.linear(each)) for each in (rest, d - rest - ONE)))
            positive = (normal.low(d) or 0) >= 1
            true = inside if positive else implies(less_equal(1, normal.linear(d)), inside)
            meant = (equal(variable(name), floor_divide(as_product(x), as_product(d))),)
            facts[name] = Fact(f"where {name} lies", true, self.named.spelled(true), meant)
            if (least := normal.least(name)) is not None:
                low = less_equal(least, variable(name))
                facts[f"{name} at least"] = Fact(f"the least value of {name}", low, low, meant)
        return facts

    def _cases(self) -> dict[str, Fact]:
        meant = self.named.normal.meant
        cases = {name: each for name, each in meant.items() if not isinstance(each, Int)}
        return {
            name: Fact(f"what {name} is", equal(variable(name), self.named.in_cases(each)))
            for name, each in cases.items()
        }

    def _products(self) -> Iterator[Fact]:
        rewritten = self.named.normal.rewritten
        for true, (one, other) in self.found.added.items():
            hints = [_not_negative(one, other)]
            for part, value in rewritten.items():
                rests = [without(monomial, part) for monomial in (one * other).monomials()]
                hints += [_alike(of({part: 1}), value, of({rest: 1})) for rest in rests if rest]
            yield Fact("a product is not negative", true, self.named.spelled(true), hints=tuple(hints))


def _is_plain(term: Bool) -> bool:
    nodes = list(postorder(term))
    return all(each.op in _PLAIN for each in nodes) and any(each.op is Op.MULTIPLY for each in nodes)


def _not_negative(one: Polynomial, other: Polynomial) -> Bool:
    """The schema `0 <= a and 0 <= b => 0 <= a * b`."""
    a, b = as_product(one), as_product(other)
    return implies(both(less_equal(0, a), less_equal(0, b)), less_equal(0, multiply(a, b)))


def _alike(one: Polynomial, other: Polynomial, factor: Polynomial) -> Bool:
    """The schema `a == b => a * c == b * c`."""
    a, b, c = as_product(one), as_product(other), as_product(factor)
    return implies(equal(a, b), equal(multiply(a, c), multiply(b, c)))


def _alone(step: Int, values: list[Int]) -> tuple[Bool, ...]:
    """The schema `1 <= d and d * q <= x < d * q + d => x // d == q`, for each of the values."""
    x, d = (cast("Int", each) for each in step.args)
    return tuple(
        implies(
            both(
                less_equal(1, d), less_equal(multiply(d, q), x), less_equal(add(x, 1), add(multiply(d, q), d))
            ),
            equal(step, q),
        )
        for q in values
    )
