"""Counts of what a mix reads agree with lists, and cost the same for any size."""

from __future__ import annotations

from collections import Counter

import pytest

import epochproof
from epochproof.prove.population import Records
from tests.mixes import Mixed, some

HUGE = """edition 1
dataset web { size = 700_000_000_000 }
dataset code { size = 100_000_000_000 }
mix both { web = 3, code = 1, stop = all_exhausted }
loader train over both {
  ranks = 8
  shard(ranks)
  batch(4)
}
"""


def members(records: Records) -> list[int]:
    return sorted(at for run in records.runs or () for at in range(run.first, run.last + 1, run.stride))


def wrong(mix: Mixed) -> bool:
    """Whether a count of the mix is not what its lists say."""
    (found,) = epochproof.count(mix.text())
    read = Counter(map(mix.records.index, mix.read()))
    omitted = [each for each in range(len(mix.records)) if each not in read]
    repeated = sorted(each for each, times in read.items() if times > 1)
    numbers = (found.occurrences, found.distinct, found.padding)
    by_order = found.omitted.runs is None or found.repeated.runs is None
    sets = (found.omitted.count, found.repeated.count)
    return (
        numbers != (read.total(), len(read), mix.padding)
        or sets != (len(omitted), len(repeated))
        or (not by_order and (members(found.omitted), members(found.repeated)) != (omitted, repeated))
    )


@pytest.mark.parametrize("at", range(3))
def test_counts_agree_with_lists(at: int) -> None:
    assert [mix for mix in some(f"counts {at}", 12) if wrong(mix)] == []


def test_hundreds_of_billions_are_counted_in_closed_form() -> None:
    (found,) = epochproof.count(HUGE)

    assert found.how == "closed form"
    assert (found.occurrences, found.padding) == (933_333_333_336, 3)
    assert found.distinct == 800_000_000_000
    assert found.repeated.count == 100_000_000_003
