"""What torch draws under many seeds is as frequent as the exact expectations and probabilities say.

Seeds are fixed, so that a test repeats exactly. Were the draws independent and as likely as claimed, fresh
seeds would break each bound with a probability of at most `FALSE_ALARM`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import log, sqrt

import pytest
import torch

import epochproof
from epochproof.claim._occupancy import all_drawn, distinct_odds, missed
from epochproof.claim._weighted import distinct_odds_by_weight, missed_by_weight
from epochproof.observe.real import Read, StageByStage
from epochproof.stage._drawn import stand_in
from epochproof.stage._weights import number_of

FALSE_ALARM = 1e-9
SEEDS = range(1_500)
COLUMN = 3
"""The stand-in for a column of weights: some are 0, others differ."""

SPEC = """edition 1
dataset data {{ size = {size} }}
loader train over data {{
  ranks = 2
  epochs = 2
  draw({n}, seed = any{options})
  {below}
}}
"""


def read(
    size: int,
    n: int,
    options: str = "",
    below: str = "shard(ranks, tail = uneven)",
    column: int = COLUMN,
) -> Iterator[list[Read]]:
    """What both ranks of the real loader read in epoch 0, under each seed."""
    text = SPEC.format(size=size, n=n, options=options, below=below)
    real = StageByStage(torch, epochproof.load(text).loaders["train"])
    for seed in SEEDS:
        yield [real.open({"train.seed": seed, "data.w": column}, rank)(0) for rank in (0, 1)]


def records(lanes: list[Read]) -> list[int]:
    return [record for lane in lanes for group in lane.groups for record in group]


def mean_bound(draws: int) -> float:
    """McDiarmid: one draw changes a number of different records by at most 1."""
    return sqrt(draws * log(2 / FALSE_ALARM) / (2 * len(SEEDS)))


def share_bound(trials: int, claims: int = 1) -> float:
    """Hoeffding, for so many shares at once."""
    return sqrt(log(2 * claims / FALSE_ALARM) / (2 * trials))


@pytest.mark.parametrize(
    ("size", "n", "below", "read_of_n"),
    [
        (20, 20, "shard(ranks, tail = uneven)", 20),
        (20, 7, "shard(ranks, tail = pad)", 7),
        (6, 21, "shard(ranks, tail = drop)\n  batch(4, tail = drop)", 16),
        (50, 40, "shard(ranks)\n  batch(8)\n  stop(steps = 2)", 32),
    ],
)
def test_mean_of_what_is_read_is_the_expectation(size: int, n: int, below: str, read_of_n: int) -> None:
    found = [len(set(records(lanes))) for lanes in read(size, n, below=below)]
    expected = size * (1 - missed(size, read_of_n)[0])

    assert abs(sum(found) / len(found) - float(expected)) < mean_bound(read_of_n)


@pytest.mark.parametrize(("size", "n"), [(3, 3), (4, 8), (6, 20)])
def test_full_coverage_is_as_frequent_as_its_probability(size: int, n: int) -> None:
    full = sum(len(set(records(lanes))) == size for lanes in read(size, n))

    assert abs(full / len(SEEDS) - float(all_drawn(size, n))) < share_bound(len(SEEDS))


def test_each_number_of_different_records_is_as_frequent_as_its_probability() -> None:
    odds = distinct_odds(6, 7)
    found = [len(set(records(lanes))) for lanes in read(6, 7)]

    assert sum(odds) == 1
    for k, odd in enumerate(odds):
        assert abs(found.count(k) / len(found) - float(odd)) < share_bound(len(SEEDS), len(odds)), k


def test_record_is_as_frequent_as_its_weight() -> None:
    weights = stand_in(COLUMN, 7)
    found = [record for lanes in read(7, 30, ", weights = w") for record in records(lanes)]

    assert 0 in weights
    assert len(set(weights)) > 2
    for record, weight in enumerate(weights):
        share = Fraction(weight, sum(weights))
        assert abs(found.count(record) / len(found) - float(share)) < share_bound(len(found), len(weights))


def test_mean_and_coverage_by_decimal_weights_are_as_likely_as_computed() -> None:
    exact = [Fraction(each) for each in ("0.1", "2.75", "0.5", "0", "12", "0.3", "0.3")]
    counts, column = Counter(exact), number_of(exact)
    found = [len(set(records(lanes))) for lanes in read(7, 40, ", weights = w", column=column)]
    likely = distinct_odds_by_weight(counts, 40)

    mean = 7 - float(missed_by_weight(counts, 40)[0])
    assert abs(sum(found) / len(found) - mean) < mean_bound(40)
    for k, odd in enumerate(likely):
        assert abs(found.count(k) / len(found) - float(odd)) < share_bound(len(found), len(likely)), k


def test_bound_is_narrow_enough_to_tell_two_draws_fewer() -> None:
    found = [len(set(records(lanes))) for lanes in read(20, 20)]
    mean = sum(found) / len(found)

    assert abs(mean - float(20 * (1 - missed(20, 18)[0]))) > mean_bound(20)
    assert abs(mean - float(20 * (1 - missed(20, 22)[0]))) > mean_bound(20)
