"""`X equal Y` holds exactly where the numbers, sets or sequences of two loaders are the same."""

from __future__ import annotations

from itertools import product

import pytest

from epochproof.diagnostics import SpecError
from tests.claim.agreement import FREE, differences, proofs, sample
from tests.worlds import counts


def test_numbers_and_sets_agree_with_lists() -> None:
    worlds, wrong = sample("equal", 14), []
    for one, two in product(worlds, worlds[::9]):
        epochs = range(min(one.epochs, two.epochs))
        pairs = [(counts(one.epoch(epoch)), counts(two.epoch(epoch))) for epoch in epochs]
        held = [all(a.total() == b.total() for a, b in pairs), all(set(a) == set(b) for a, b in pairs)]
        claims = 'prove "n" : l.occurrences equal m.occurrences\nprove "s" : l.covered equal m.covered\n'
        wrong += differences(f"edition 1\n{one.blocks('l')}{two.blocks('m')}{claims}", held)

    assert wrong == []


def test_a_free_loader_equals_itself() -> None:
    claims = ("l.omitted equal l.omitted", "l.distinct equal l.distinct", "l.order equal l.order")

    assert [proofs(FREE.format(stages="shard(ranks)", claim=each)) for each in claims] == [[True]] * 3


def test_two_kinds_are_never_equal() -> None:
    with pytest.raises(SpecError, match="two sides of `equal` are of different kinds"):
        proofs(FREE.format(stages="shard(ranks)", claim="l.omitted equal l.distinct"))
