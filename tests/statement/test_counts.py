"""The numbers of a statement against the delivered lists, counted by hand."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import epochproof
from epochproof.prove.session import opened
from epochproof.schedule.deliveries import Compiled
from epochproof.schedule.plan import plan_of
from epochproof.statement.counts import populations

SPEC = """edition 1
dataset records {{ size = {size} }}
loader train over records {{
  ranks = {ranks}
  epochs = {epochs}
  {shuffle}
  shard(ranks, tail = {tail})
  batch(2, tail = {cut})
}}
"""
SHUFFLES = ("", "shuffle(seed = 3, reseed = epoch)", "shuffle(seed = 3, reseed = never)")
GRID = [
    {"size": size, "ranks": ranks, "epochs": epochs, "tail": tail, "cut": cut, "shuffle": shuffle}
    for size, ranks, epochs, tail, cut, shuffle in product(
        (0, 2, 7), (1, 3), (1, 3), ("pad", "drop"), ("keep", "drop"), SHUFFLES
    )
]


@pytest.mark.parametrize("shuffle", SHUFFLES)
def test_counts_are_those_of_the_lists(shuffle: str) -> None:
    known = 0
    for values in (each for each in GRID if each["shuffle"] == shuffle):
        session = opened(epochproof.load(SPEC.format(**values)), all_loaders=True)
        (found,) = populations(session, {}, ids=True)
        loader = session.schedule.loaders["train"]
        lists = Compiled(plan_of(loader), loader.epochs, ()).run(())
        first, whole = lists.counts(0), lists.run_counts
        assert found.one_pass is not None and found.run is not None

        assert (int(found.one_pass.occurrences), int(found.one_pass.distinct)) == (first.total(), len(first))
        assert int(found.one_pass.omitted) == lists.size - len(first)
        assert int(found.one_pass.repeated) == sum(times > 1 for times in first.values())
        assert (int(found.run.epochs), int(found.run.occurrences)) == (values["epochs"], whole.total())
        if found.run.distinct is not None:
            known += 1
            assert int(found.run.distinct) == len(whole)
        if "twice" in found.sentence:
            assert Counter(first.values())[2] == int(found.one_pass.repeated)
    assert known > 0
