"""What is known of applied functions: permutations have inverses, and different seeds are different."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import cast

from epochproof.prove import picks
from epochproof.prove.draws import known_draws
from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Int, Op, Term, apply, both, equal, implies, within

_INJECTIVE = ("base", "stream")
_DEALT = ("whose", "turn", "share", "which")
_INVERSE = {"permuted": "position", "position": "permuted"}


def known(condition: Term) -> Iterator[Bool]:
    """Facts about the functions that the condition applies.

    Inside its length, a permutation stays inside, and its inverse leads back; equal seeds have equal origins.
    """
    for term in postorder(condition):
        if term.op is Op.APPLY and term.value in _INVERSE:
            *table, at = cast("tuple[Int, ...]", term.args)
            back = apply(_INVERSE[term.value], *table, cast("Int", term))
            length = table[-1]
            yield implies(within(0, at, length), both(within(0, cast("Int", term), length), equal(back, at)))
        if term.op is Op.APPLY and term.value in _DEALT:
            yield from _dealing(cast("Int", term))
    yield from known_draws(condition)
    yield from picks.known(condition)
    for name in _INJECTIVE:
        applied = [each for each in postorder(condition) if each.op is Op.APPLY and each.value == name]
        for one, other in combinations(cast("list[Int]", applied), 2):
            alike = (equal(cast("Int", a), cast("Int", b)) for a, b in zip(one.args, other.args, strict=True))
            yield implies(equal(one, other), both(*alike))


def _dealing(term: Int) -> Iterator[Bool]:
    """A position is one turn of one lane that exists, and each turn of a lane is one position."""
    dealing, lanes, n, *rest = cast("tuple[Int, ...]", term.args)

    def of(function: str, *arguments: Int) -> Int:
        return apply(function, dealing, lanes, n, *arguments)

    match term.value, rest:
        case "share", _:
            yield within(0, term, n + 1)
        case "which", [lane, p]:
            back = both(equal(of("whose", term), lane), equal(of("turn", term), p))
            yield implies(within(0, p, of("share", lane)), both(within(0, term, n), back))
        case _, [q]:
            lane, p = of("whose", q), of("turn", q)
            inside = both(
                within(0, lane, lanes), within(0, p, of("share", lane)), equal(of("which", lane, p), q)
            )
            yield implies(within(0, q, n), inside)
