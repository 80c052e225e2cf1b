"""Deciding a condition in its linear form: products are names, and facts about them come when missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from operator import itemgetter

import z3

from epochproof.prove.answer import GUARD, Answer, values
from epochproof.prove.normal import Normal
from epochproof.prove.polynomial import ONE, Monomial, Polynomial, of, without
from epochproof.term.as_z3 import AsZ3
from epochproof.term.bounds import Interval
from epochproof.term.fold import postorder
from epochproof.term.node import Bool, both, equal, implies, variable

ROUNDS, A_ROUND, MOST_DEGREE = (16, 16), 10, 3
"""So often z3 is asked, briefly first; so many facts are added each time, about so many factors."""

MOST_CHECKS = 4
"""So many times the limit of one check is spent in all."""

MOST_WRITTEN, MOST_NODES = 1_000, 5_000
"""Conditions of more nodes, as they are written and linear, are left undecided: others have some hundreds."""

PAIRS = 3_000
"""So many pairs are looked at for facts each time."""


def linearised(condition: Bool, ranges: Mapping[str, Interval], limit: int) -> Answer:
    """What z3 says of the linear form of the condition, within `limit` resource units."""
    searches = dict[bool, Search]()
    for rounds, merge in product(ROUNDS, (True, False)):
        if merge not in searches:
            search = search_of(condition, Normal(ranges, merge), limit // 10)
            if search is None:
                return Answer("unknown")
            searches[merge] = search
        answer = searches[merge].ask(rounds)
        if answer.status != "unknown":
            return answer
    return Answer("unknown")


def search_of(condition: Bool, normal: Normal, limit: int) -> Search | None:
    """The search in the normal form; `None` where that is too large to be worth it."""
    if _more_nodes(condition, MOST_WRITTEN):
        return None
    normal.learn(condition)
    body = normal.condition(condition)
    bounds = normal.bounds()
    compared = dict.fromkeys((*normal.compared, *normal.defined))
    both_ways = [way for each in compared for way in (each, each.scaled(-1) - ONE)]
    whole = both(bounds, *normal.facts, body)
    return None if _more_nodes(whole, MOST_NODES) else Search(normal, limit, tuple(both_ways), whole)


def _more_nodes(condition: Bool, most: int) -> bool:
    return sum(1 for _ in islice(postorder(condition), most)) == most


@dataclass
class Search:
    """A condition in its linear form, and the facts that were added so far."""

    normal: Normal
    limit: int
    compared: tuple[Polynomial, ...]
    body: Bool
    over: bool = False
    """Would more rounds be of no use?"""

    added: dict[Bool, tuple[Polynomial, Polynomial]] = field(default_factory=dict)
    """Facts about products that were missed, with both factors."""

    def __post_init__(self) -> None:
        context = z3.Context()
        self._as_z3, self._solver = AsZ3(context), z3.SimpleSolver(ctx=context)
        self._solver.set("rlimit", self.limit)
        self._solver.set("timeout", GUARD)
        # z3's newer arithmetic makes cuts whose numbers grow without end, and counts no units for them
        self._solver.set("arith.solver", 2)
        self._solver.add(self._as_z3(self.body))

    def ask(self, rounds: int) -> Answer:
        """Goes on adding facts about products until z3 finds nothing, or what is true, or misses none."""
        as_z3, solver, added = self._as_z3, self._solver, self.added
        for _ in range(0 if self.over else rounds):
            status = solver.check()
            self.over = status != z3.sat or _spent(solver) > MOST_CHECKS * self.limit
            if self.over:
                return Answer("none" if status == z3.unsat else "unknown")
            found = values(solver.model())
            wrong = self._wrong(found)
            if not wrong:
                return Answer("found", found)
            missing = (each for each in self._missed(found, wrong) if each[0] not in added)
            missed = list(islice(missing, A_ROUND))
            if not missed:
                self.over = True
                return self._pinned(as_z3, solver, found)
            added.update(missed)
            solver.add(*(as_z3(fact) for fact, _ in missed))
        return Answer("unknown")

    def _pinned(self, as_z3: AsZ3, solver: z3.Solver, found: Mapping[str, int]) -> Answer:
        """With the factors fixed as found, every product is linear and the answer exact."""
        monomials = [monomial for monomial in self.normal.names if len(monomial) > 1]
        factors = sorted({name for monomial in monomials for name in monomial[:-1]})
        solver.push()
        solver.add(*(as_z3(equal(variable(name), found.get(name, 0))) for name in factors))
        for monomial in monomials:
            share = prod(found.get(name, 0) for name in monomial[:-1])
            solver.add(as_z3(equal(self.normal.names[monomial], share * variable(monomial[-1]))))
        exact = solver.check() == z3.sat
        answer = Answer("found", values(solver.model())) if exact else Answer("unknown")
        solver.pop()
        return answer

    def _values(self, found: Mapping[str, int]) -> dict[Monomial, int]:
        named = self.normal.names
        return {monomial: found.get(str(name.value), 0) for monomial, name in named.items()}

    def _wrong(self, found: Mapping[str, int]) -> list[Monomial]:
        """The products that do not have the value of their factors' product."""
        given = self._values(found)
        return [
            monomial
            for monomial, value in given.items()
            if len(monomial) > 1 and value != prod(found.get(name, 0) for name in monomial)
        ]

    def _missed(
        self, found: Mapping[str, int], wrong: list[Monomial]
    ) -> Iterator[tuple[Bool, tuple[Polynomial, Polynomial]]]:
        """Facts `a >= 0 and b >= 0 => a * b >= 0` that the values found do not satisfy, with a and b.

        Those that name the fewest new products come first.
        """
        given, missed, compared = self._values(found), [], frozenset(self.compared)

        def negative(polynomial: Polynomial) -> bool:
            for monomial in polynomial.monomials():
                if monomial not in given:
                    given[monomial] = prod(found.get(name, 0) for name in monomial)
            return polynomial.value(given) < 0

        for factor, other in islice(self._pairs(wrong), PAIRS):
            # Most pairs end here, before their product is built.
            if negative(factor) or negative(other):
                continue
            whole = self.normal.reduced(factor * other)
            if whole.degree <= MOST_DEGREE and negative(whole):
                new = sum(each not in self.normal.names for each in whole.monomials())
                missed.append((new, other not in compared, factor, other, whole))
        linear = self.normal.non_negative
        for _, _, factor, other, whole in sorted(missed, key=itemgetter(0, 1)):
            yield implies(both(linear(factor), linear(other)), linear(whole)), (factor, other)

    def _pairs(self, wrong: list[Monomial]) -> Iterator[tuple[Polynomial, Polynomial]]:
        """A factor of a wrong product, and what it may be multiplied with: gaps, then what is compared."""
        factors = sorted({part for monomial in wrong for part in _parts(monomial)})
        for name in factors:
            factor = of({name: 1})
            for gap in self._gaps(name):
                yield factor, gap
        for name in factors:
            factor = of({name: 1})
            for each in self.compared:
                if any(tuple(sorted(name + monomial)) in self.normal.names for monomial in each.monomials()):
                    yield factor, each

    def _gaps(self, factor: Monomial) -> Iterator[Polynomial]:
        """Differences of what the factor multiplies: `b - a - 1` and `b - a` for any two, 1 included."""
        rests = [rest for monomial in self.normal.names if len(monomial) > 1
                 and (rest := without(monomial, factor)) is not None and rest]  # fmt: skip
        several = [ONE, *(of({rest: 1}) for rest in dict.fromkeys(rests))]
        for one in several:
            yield one - ONE
            yield one.scaled(-1)
            yield one.scaled(-1) - ONE
            yield one
            for other in several:
                if one != other:
                    yield one - other
                    yield one - other - ONE


def _spent(solver: z3.Solver) -> int:
    """The resource units that the solver's context has used."""
    statistics = solver.statistics()
    keys = statistics.keys()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in keys else 0


def _parts(monomial: Monomial) -> Iterator[Monomial]:
    """The proper factors of a monomial: its atoms, and all but one of them."""
    for at in range(len(monomial)):
        yield (monomial[at],)
        if len(monomial) > 2:  # noqa: PLR2004 -- of two factors, all but one is the other atom
            yield monomial[:at] + monomial[at + 1 :]
