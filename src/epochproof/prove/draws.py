"""What is known of draws with replacement: a draw is one place of one record, and places rise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import cast

from epochproof.term.fold import postorder
from epochproof.term.node import Bool, Int, Op, Term, apply, both, equal, implies, within


def known_draws(condition: Term) -> Iterator[Bool]:
    """Facts about the draws that the condition applies."""
    applied = [each for each in postorder(condition) if each.op is Op.APPLY]
    for each in cast("list[Int]", applied):
        if each.value in ("picked", "again"):
            yield _drawn(each)
        elif each.value == "nth":
            yield _found(each)
        elif each.value == "round":
            stream, lap = cast("tuple[Int, ...]", each.args)
            yield implies(equal(lap, 0), equal(each, stream))
    places = cast("list[Int]", [each for each in applied if each.value == "nth"])
    yield from (_rising(one, other) for one, other in permutations(places, 2))


def _drawn(term: Int) -> Bool:
    """A draw gives a record, and is one of that record's places; it comes no earlier than its lap."""
    *table, p = cast("tuple[Int, ...]", term.args)
    *_, size, n = table
    record, lap = apply("picked", *table, p), apply("again", *table, p)
    place = both(within(0, record, size), within(0, lap, p + 1), equal(apply("nth", *table, record, lap), p))
    return implies(both(size >= 1, within(0, p, n)), place)


def _found(term: Int) -> Bool:
    """A place of a record is a draw that gives it; n stands for none."""
    *table, q, lap = cast("tuple[Int, ...]", term.args)
    *_, size, n = table
    gives = both(
        lap <= term, equal(apply("picked", *table, term), q), equal(apply("again", *table, term), lap)
    )
    inside = both(within(0, q, size), lap >= 0, n >= 0)
    return implies(inside, both(within(0, term, n + 1), implies(term < n, gives)))


def _rising(one: Int, other: Int) -> Bool:
    """Of two places of a record, the one with the lower lap comes first."""
    *table, lap = cast("tuple[Int, ...]", one.args)
    *same, later = cast("tuple[Int, ...]", other.args)
    alike = both(*(equal(a, b) for a, b in zip(table, same, strict=True)))
    inside = both(lap >= 0, within(0, other, table[-2]))
    return implies(both(alike, inside, lap < later), one < other)
