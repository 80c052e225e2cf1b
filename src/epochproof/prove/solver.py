"""Asking z3: text in a context of its own, under a resource limit, so that an answer repeats exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import z3

from epochproof.prove.answer import GUARD, Answer, values
from epochproof.prove.permutations import known
from epochproof.prove.shown import Shown
from epochproof.term.as_smtlib import as_smtlib
from epochproof.term.bounds import Interval
from epochproof.term.fold import variables
from epochproof.term.node import FALSE, TRUE, Bool, both, less_equal, negate, variable

RAW, FULL = 300_000, 6_000_000
"""Resource units of z3 for the text as it is, and for its linear form."""


@dataclass
class Solver:
    """Answers conditions over the parameters whose ranges and domains are given; remembers its answers."""

    ranges: Mapping[str, Interval]
    domains: Mapping[str, Bool]
    asked: int = 0
    _known: dict[Bool, Answer] = field(default_factory=dict)

    def find(self, *conditions: Bool) -> Answer:
        """Values of the parameters, in their domains, that satisfy all conditions."""
        condition = self.whole(both(*conditions)).whole
        if condition not in self._known:
            self._known[condition] = self._ask(condition)
        return self._known[condition]

    def valid(self, given: Bool, goal: Bool) -> bool:
        """Whether the goal was proved wherever `given` holds."""
        return self.find(given, negate(goal)).status == "none"

    def show(self, given: Bool, goal: Bool = FALSE) -> Shown | None:
        """That the goal was proved wherever `given` holds; `None` if it was not."""
        return self.whole(given, goal) if self.valid(given, goal) else None

    def whole(self, given: Bool, goal: Bool = FALSE) -> Shown:
        """The question whether the goal follows, with the domains and the facts that belong to it."""
        condition = both(given, negate(goal))
        facts = tuple(dict.fromkeys(fact for fact in known(condition) if fact is not TRUE))
        names = sorted(variables(condition, *facts))
        domains = (self.domains[name] for name in names if name in self.domains)
        return Shown(given, goal, tuple(each for each in domains if each is not TRUE), facts)

    def _ask(self, condition: Bool) -> Answer:
        self.asked += 1
        for bases in (False, True):
            answer = raw(condition, RAW, bases=bases)
            if answer.status != "unknown":
                return answer
        from epochproof.prove.linear import linearised  # noqa: PLC0415 -- most conditions do not need it

        return linearised(condition, self.ranges, FULL)


def raw(condition: Bool, limit: int, *, bases: bool = False) -> Answer:
    """What z3 says of the condition as it is written.

    Groebner `bases` take more than half of the time where they are not needed, and find some values.
    Without them Horner forms can be rewritten for ever, at no cost that `limit` would count.
    """
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", limit)
    solver.set("timeout", GUARD)
    solver.set("arith.nl.grobner", bases)
    solver.set("arith.nl.horner", bases)
    solver.from_string(as_smtlib(condition))
    status = solver.check()
    if status == z3.unsat:
        return Answer("none")
    return Answer("found", values(solver.model())) if status == z3.sat else Answer("unknown")


def at_most(names: tuple[str, ...], bound: int) -> Bool:
    """Each of the parameters is at most the bound."""
    return both(*(less_equal(variable(name), bound) for name in names))
