"""What is known of applied functions: permutations have inverses, and different seeds are different."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import cast

from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Int, Op, Term, apply, both, equal, implies, within

_INJECTIVE = ("base", "stream")
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
    for name in _INJECTIVE:
        applied = [each for each in postorder(condition) if each.op is Op.APPLY and each.value == name]
        for one, other in combinations(cast("list[Int]", applied), 2):
            alike = (equal(cast("Int", a), cast("Int", b)) for a, b in zip(one.args, other.args, strict=True))
            yield implies(equal(one, other), both(*alike))
