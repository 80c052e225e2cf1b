"""What a question is told about permutations is true of every permutation."""

from __future__ import annotations

from itertools import permutations

from epochproof.prove.permutations import known
from epochproof.term.as_int import as_int
from epochproof.term.node import apply, both, equal, variable

P, N = variable("p"), variable("n")


def test_the_facts_hold_of_every_permutation_and_its_inverse() -> None:
    there = apply("permuted", 3, 0, N, P)
    back = apply("position", 3, 0, N, P)
    for length in range(5):
        for order in permutations(range(length)):
            functions = {
                "permuted": lambda _key, _stream, _n, p, order=order: order[p] if 0 <= p < len(order) else -7,
                "position": lambda _key, _stream, _n, q, order=order: order.index(q) if q in order else -9,
            }
            facts = as_int(both(*known(equal(there, back))), ["n", "p"], functions)

            assert all(facts(length, p) for p in range(-2, length + 2))


def test_the_facts_exclude_what_is_no_permutation() -> None:
    facts = both(*known(equal(apply("permuted", 3, 0, N, P), 0)))
    constant = {"permuted": lambda *_: 0, "position": lambda *_: 0}
    outside = {"permuted": lambda *_: 5, "position": lambda *_: 1}

    assert as_int(facts, ["n", "p"], constant)(3, 0)
    assert not as_int(facts, ["n", "p"], constant)(3, 1)
    assert not as_int(facts, ["n", "p"], outside)(3, 1)


def test_each_application_has_its_fact() -> None:
    once = list(known(equal(apply("permuted", 3, 0, N, P), 0)))
    twice = list(known(equal(apply("permuted", 3, 0, N, P), apply("permuted", 4, 0, N, P))))

    assert len(once) == 1
    assert len(twice) == 2


def test_conditions_without_permutations_have_none() -> None:
    assert list(known(equal(P, N))) == []
