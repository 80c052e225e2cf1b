"""What is known of a permutation: each applied position and its record are each other's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Int, Op, Term, apply, both, equal, implies, within

_INVERSE = {"permuted": "position", "position": "permuted"}


def bijections(condition: Term) -> Iterator[Bool]:
    """For each application: inside the length, it stays inside, and its inverse leads back."""
    for term in postorder(condition):
        if term.op is Op.APPLY:
            *table, at = cast("tuple[Int, ...]", term.args)
            back = apply(_INVERSE[cast("str", term.value)], *table, cast("Int", term))
            length = table[-1]
            yield implies(within(0, at, length), both(within(0, cast("Int", term), length), equal(back, at)))
