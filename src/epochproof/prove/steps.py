"""An obligation in linear steps: a text without products that has no solution, and one for each fact in it.

Together the texts show the obligation itself: the linear one is the obligation with names in place of its
products and quotients, and every further assertion in it is a fact that another text shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import z3

from epochproof.prove.answer import GUARD
from epochproof.prove.facts import Facts
from epochproof.prove.linear import ROUNDS, search_of
from epochproof.prove.named import Named, as_product
from epochproof.prove.normal import Normal
from epochproof.prove.obligations import Part, conjuncts, written
from epochproof.prove.shown import Shown
from epochproof.term.as_smtlib import script
from epochproof.term.as_z3 import AsZ3
from epochproof.term.fold import variables
from epochproof.term.node import TRUE, Bool, Term, floor_divide, negate

LIMIT = 600_000
"""Resource units of z3 for one search."""


@dataclass(frozen=True)
class Steps:
    """Texts of which none has a solution: one is `linear`, and the others show the facts in it."""

    linear: str
    facts: tuple[str, ...]


def steps(shown: Shown) -> Iterator[Steps]:
    """Ways to show what was shown in linear steps; none where z3 knows no way, or where all is linear."""
    for merge in (False, True):
        normal = Normal({}, merge)
        found = search_of(shown.whole, normal, LIMIT)
        if found is None or found.ask(sum(ROUNDS)).status != "none":
            continue
        named = Named(normal)
        said = conjuncts(named.condition(shown.whole))
        facts = Facts(shown.whole, named, found)
        needed = _needed([*said, *named.applied.values()], facts)
        if needed is not None:
            yield Steps(_linear(*needed, facts), tuple(_shown(needed[1], facts)))


def _needed(said: Sequence[Bool], facts: Facts) -> tuple[list[Bool], list[str]] | None:
    """What of the condition, and which facts by their names, z3 needs for its answer."""
    names, every = list(facts.known), [*said, *(each.true for each in facts.known.values())]
    context = z3.Context()
    solver, as_z3 = z3.SimpleSolver(ctx=context), AsZ3(context)
    for option, value in {
        "rlimit": 10 * LIMIT,
        "timeout": GUARD,
        "arith.solver": 2,
        "unsat_core": True,
    }.items():
        solver.set(option, value)
    for at, each in enumerate(every):
        solver.assert_and_track(as_z3(each), z3.Bool(f"{at}", context))
    if solver.check() != z3.unsat:
        return None
    core = sorted(int(str(each)) for each in solver.unsat_core())
    kept = [said[at] for at in core if at < len(said)]
    return kept, [names[at - len(said)] for at in core if at >= len(said)]


def _linear(said: Sequence[Bool], used: Sequence[str], facts: Facts) -> str:
    parts: list[Part] = [("the obligation, with names", tuple(said))]
    parts += [(facts.known[each].said, (facts.known[each].true,)) for each in used]
    head = ["in linear steps: names stand for products, quotients and applied functions"]
    return written([*head, *_meanings(facts)], parts)


def _meanings(facts: Facts) -> Iterator[str]:
    """What each name stands for, as comments."""
    named = facts.named
    for name, (_, step) in named.steps.items():
        yield f"{name} is {_expression(step)}"
    for name, (x, d) in named.normal.sources.items():
        yield f"{name} is {_expression(floor_divide(as_product(x), as_product(d)))}"


def _expression(term: Term) -> str:
    found = script(term)
    return " ".join([found.expressions[0], *(f"with {each}" for each in found.definitions)])


def _shown(used: Sequence[str], facts: Facts) -> Iterator[str]:
    """A text for each fact that is used, also in the proof of another."""
    pending, seen = list(used), dict.fromkeys(used)
    while pending:
        name = pending.pop(0)
        fact, others = facts.known[name], facts.rests_on(name)
        pending += [each for each in others if each not in seen]
        seen |= dict.fromkeys(others)
        if fact.goal is TRUE:
            continue
        spelled = tuple(facts.named.spelled(facts.known[each].true) for each in others)
        told = variables(fact.goal, *spelled, *fact.meant, *fact.hints)
        parts: list[Part] = [
            ("what is given", _about(facts.given, told)),
            ("other facts", spelled),
            ("what the name stands for", fact.meant),
            ("instances of schemas", fact.hints),
            ("the contrary of the fact", (negate(fact.goal),)),
        ]
        yield written([f"a fact: {fact.said}"], [each for each in parts if each[1]])


def _about(given: Sequence[Bool], names: Collection[str]) -> tuple[Bool, ...]:
    """What is given of these names alone: so one fact is the same in many obligations."""
    return tuple(each for each in given if variables(each).issubset(names))
