"""The normal form of a condition: choices lifted, floors merged, products named; what is left is linear.

Each rewriting is a lemma over integers with divisors of at least 1, proved in `tests/prove/test_normal.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from operator import add, sub
from typing import cast

from epochproof.prove.cases import Case, chosen, consistent, joined, multiples
from epochproof.prove.polynomial import ONE, ZERO, Monomial, Polynomial, atom, constant, of, without
from epochproof.term import node
from epochproof.term.bounds import Interval
from epochproof.term.fold import postorder
from epochproof.term.node import TRUE, Bool, Int, Op, Term

MOST_CASES = 48
"""An integer with more cases than this becomes a variable of its own, defined case by case."""


@dataclass
class Normal:
    """Rewrites the parts of one condition, and collects what it names on the way.

    `names` maps each monomial to its variable, `facts` define the quotients, and `compared` lists each
    polynomial that the condition compares with 0. `merge` makes nested floors one: it decides most
    conditions, and hides a few.
    """

    lows: Mapping[str, Interval]
    merge: bool = True
    names: dict[Monomial, Int] = field(default_factory=dict)
    facts: list[Bool] = field(default_factory=list)
    compared: dict[Polynomial, None] = field(default_factory=dict)
    defined: list[Polynomial] = field(default_factory=list)
    rewritten: dict[Monomial, Polynomial] = field(default_factory=dict)
    meant: dict[str, Int | list[Case]] = field(default_factory=dict)
    """What the atoms stand for that are no variables of the condition and no quotients."""

    _low: dict[str, int] = field(default_factory=dict)
    _quotients: dict[tuple[Polynomial, Polynomial], str] = field(default_factory=dict)
    sources: dict[str, tuple[Polynomial, Polynomial]] = field(default_factory=dict)
    """What each quotient divides, and by what."""

    _memo: dict[Term, list[Case] | Bool] = field(default_factory=dict)

    def condition(self, term: Bool) -> Bool:
        """The condition as a linear one over the names."""
        for each in postorder(term, known=self._memo):
            self._memo[each] = self._read(each)
        return cast("Bool", self._memo[term])

    def linear(self, polynomial: Polynomial) -> Int:
        """The polynomial with a variable for each monomial."""
        for monomial in polynomial.monomials():
            self.name(monomial)
        return polynomial.term(self.names)

    def name(self, monomial: Monomial) -> Int:
        """The variable that stands for the monomial."""
        if monomial not in self.names:
            known = len(monomial) == 1
            self.names[monomial] = node.variable(monomial[0] if known else "*".join(monomial))
        return self.names[monomial]

    def non_negative(self, polynomial: Polynomial) -> Bool:
        """`polynomial >= 0`, linear."""
        polynomial = polynomial.tightened()
        if (known := polynomial.known) is not None:
            return node.truth(known >= 0)
        if (low := self.low(polynomial)) is not None and low >= 0:
            return TRUE
        self.compared[polynomial] = None
        return node.less_equal(0, self.linear(polynomial))

    def reduced(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with the premises between products used as rewritings."""
        for part, value in self.rewritten.items():
            for monomial, coefficient in polynomial.terms:
                rest = without(monomial, part)
                if rest is not None:
                    rewritten = of({rest: coefficient}) * value
                    return self.reduced(polynomial - of({monomial: coefficient}) + rewritten)
        return polynomial

    def _read(self, term: Term) -> list[Case] | Bool:  # noqa: C901, PLR0911 -- one arm a head
        args = [self._memo[each] for each in term.args]
        cases = cast("list[list[Case]]", args)
        match term.op:
            case Op.NUMBER:
                return [((), constant(cast("int", term.value)))]
            case Op.VARIABLE:
                return [((), self._atom(cast("str", term.value)))]
            case Op.ADD:
                return self._sum(cases)
            case Op.MULTIPLY:
                return self._capped(joined(cases[0], cases[1], lambda a, b: self.reduced(a * b)))
            case Op.FLOOR_DIVIDE:
                return self._capped(joined(cases[0], cases[1], self.quotient))
            case Op.MODULO:
                return self._capped(
                    joined(cases[0], cases[1], lambda a, b: a - self.reduced(b * self.quotient(a, b)))
                )
            case Op.CHOOSE:
                return self._capped(chosen(cast("Bool", args[0]), cases[1], cases[2]))
            case Op.APPLY:
                return [((), self._applied(cast("Int", term), cases))]
            case _:
                return self._read_condition(term, args, cases)

    def _read_condition(self, term: Term, args: list[list[Case] | Bool], cases: list[list[Case]]) -> Bool:
        parts = cast("list[Bool]", args)
        match term.op:
            case Op.TRUTH:
                return node.truth(bool(term.value))
            case Op.LESS_EQUAL:
                return self._compared(cases[1], cases[0], self.non_negative)
            case Op.EQUAL:
                return self._compared(cases[1], cases[0], self._is_zero)
            case Op.NOT:
                return node.negate(parts[0])
            case Op.ALL:
                return node.both(*parts)
            case _:
                return node.either(*parts)

    def _compared(self, left: list[Case], right: list[Case], test: Callable[[Polynomial], Bool]) -> Bool:
        differences = joined(left, right, sub)
        return node.either(*(node.both(*guards, test(value)) for guards, value in differences))

    def _is_zero(self, polynomial: Polynomial) -> Bool:
        if (known := polynomial.known) is not None:
            return node.truth(known == 0)
        for each in (polynomial, polynomial.scaled(-1)):
            self.compared[each] = None
        return node.equal(0, self.linear(polynomial))

    def _atom(self, name: str) -> Polynomial:
        low, high = self.lows.get(name, (None, None))
        if low is not None:
            self._low[name] = low
            if low == high:
                return constant(low)
        return atom(name)

    def _sum(self, cases: list[list[Case]]) -> list[Case]:
        total: list[Case] = [((), ZERO)]
        for each in cases:
            total = self._capped(joined(total, each, add))
        return total

    def _capped(self, cases: list[Case]) -> list[Case]:
        if len(cases) <= MOST_CASES:
            return cases
        name = f"case.{len(self.facts)}"
        self.meant[name], value = cases, atom(name)
        self.facts.append(node.either(*(node.both(*g, self._is_zero(p - value)) for g, p in cases)))
        return [((), value)]

    def _applied(self, term: Int, cases: list[list[Case]]) -> Polynomial:
        """A variable for the applied function, equal to it for each case of its arguments."""
        function = cast("str", term.value)
        name = f"{function}.{len(self.facts)}"
        self.meant[name], value = term, atom(name)
        ways = []
        for choice in product(*cases):
            guards = tuple(dict.fromkeys(guard for guards, _ in choice for guard in guards))
            if consistent(guards):
                result = node.apply(function, *(self.linear(argument) for _, argument in choice))
                ways.append(node.both(*guards, node.equal(self.linear(value), result)))
        self.facts.append(node.either(*ways))
        return value

    def low(self, polynomial: Polynomial) -> int | None:
        """A lower bound of the polynomial that the atoms' own bounds give, or `None`."""
        total = 0
        for monomial, coefficient in polynomial.terms:
            lows = [self._low.get(name, -1) for name in monomial]
            if monomial and (coefficient < 0 or min(lows) < 0):
                return None
            least = coefficient
            for each in lows:
                least *= each
            total += least
        return total

    def quotient(self, x: Polynomial, d: Polynomial) -> Polynomial:
        """`x // d`: multiples of d taken out, nested floors merged, the rest named."""
        outside, x = multiples(x, d)
        known, divisor = x.known, d.known
        if known is not None and (known in (0, -1) or (divisor is not None and divisor > 0)):
            return outside.plus(known // divisor if divisor else known)
        positive = (self.low(d) or 0) >= 1
        if positive and self.merge and (merged := self._merged(x, d)) is not None:
            return outside + merged
        return outside + atom(self._named(x, d, positive=positive))

    def _merged(self, x: Polynomial, d: Polynomial) -> Polynomial | None:
        """`(y // a + c) // d` is `(y + a * c) // (a * d)`."""
        for monomial, coefficient in x.terms:
            if coefficient == 1 and len(monomial) == 1 and monomial[0] in self.sources:
                y, a = self.sources[monomial[0]]
                if (self.low(a) or 0) >= 1 and a.degree + d.degree <= 3:  # noqa: PLR2004 -- lemmas end there
                    rest = x - atom(monomial[0])
                    return self.quotient(self.reduced(y + a * rest), self.reduced(a * d))
        return None

    def _named(self, x: Polynomial, d: Polynomial, *, positive: bool) -> str:
        key = (x, d)
        if key not in self._quotients:
            name = f"q.{len(self._quotients)}"
            self._quotients[key], self.sources[name] = name, key
            low = self.low(x)
            if positive and low is not None and low >= 0:
                self._low[name] = 0
            remainder = x - self.reduced(d * atom(name))
            inside = (remainder, d - remainder - ONE)
            self.defined.extend(inside)
            bounds = node.both(*(self.non_negative(each) for each in inside))
            self.facts.append(bounds if positive else node.implies(self.non_negative(d - ONE), bounds))
        return self._quotients[key]

    def least(self, name: str) -> int | None:
        """The least value of an atom, as far as it is known."""
        return self._low.get(name)

    def bounds(self) -> Bool:
        """The least values of the atoms, which conditions that follow from them alone leave out."""
        used = {name for monomial in self.names for name in monomial}
        lows = sorted((name, low) for name, low in self._low.items() if name in used)
        return node.both(*(node.less_equal(low, self.name((name,))) for name, low in lows))

    def learn(self, condition: Bool) -> None:
        """Uses what holds at the top of the condition: least values, and equations between products."""
        for each in condition.args if condition.op is Op.ALL else (condition,):
            if each.op is Op.LESS_EQUAL and each.args[0].op is Op.NUMBER and each.args[1].op is Op.VARIABLE:
                name, low = cast("str", each.args[1].value), cast("int", each.args[0].value)
                self._low[name] = max(low, self._low.get(name, low))
        for each in condition.args if condition.op is Op.ALL else (condition,):
            if each.op is Op.EQUAL:
                self._learn_product(cast("Bool", each))

    def _learn_product(self, equation: Bool) -> None:
        apart = Normal(self.lows, self.merge, _low=dict(self._low))
        sides = [apart.cases(cast("Int", side)) for side in equation.args]
        if any(len(each) != 1 for each in sides):
            return
        difference = sides[0][0][1] - sides[1][0][1]
        products = [each for each in difference.terms if len(each[0]) > 1]
        if len(products) == 1 and abs(products[0][1]) == 1 and not apart.names_part_of(difference):
            monomial, coefficient = products[0]
            value = (difference - of({monomial: coefficient})).scaled(-coefficient)
            self.rewritten[monomial] = value
            self.facts.append(node.equal(self.name(monomial), self.linear(value)))

    def cases(self, term: Int) -> list[Case]:
        """What the integer is, case by case."""
        for each in postorder(term, known=self._memo):
            self._memo[each] = self._read(each)
        return cast("list[Case]", self._memo[term])

    def names_part_of(self, polynomial: Polynomial) -> bool:
        """Whether an atom of the polynomial is none of the condition's variables, and only named here."""
        atoms = {name for monomial, _ in polynomial.terms for name in monomial}
        return not atoms.isdisjoint({*self.sources, *self.meant})
