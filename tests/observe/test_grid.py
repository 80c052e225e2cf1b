"""The model and torch agree, occurrence by occurrence, on a grid with the awkward cases."""

from __future__ import annotations

from itertools import product

import pytest
from torch.utils.data import BatchSampler, DistributedSampler

import epochproof
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.plan import plan_of

SPEC = """edition 1
dataset data {{ size in 0.. }}
loader train over data {{
  ranks in 1..
  {shuffle}
  shard(ranks, tail = {tail})
  batch(in 1.., tail = {batch_tail})
}}
"""
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 23)
RANKS = (1, 2, 3, 4, 5, 7)
BATCHES = (1, 2, 3, 4, 5, 8)
ORDERS = ((False, 0, 0), *((True, seed, epoch) for seed in (0, 1, 2**32 + 5) for epoch in (0, 1, 5)))
"""Shuffled or not, seed, epoch."""


def model(*, shuffle: bool, drop: bool, loader_drop: bool) -> Compiled:
    text = SPEC.format(
        shuffle="shuffle(seed = any, reseed = epoch)" if shuffle else "",
        tail="drop" if drop else "pad",
        batch_tail="drop" if loader_drop else "keep",
    )
    loader = epochproof.load(text).loaders["train"]
    return Compiled(plan_of(loader), loader.epochs, ("data.size", "train.ranks", "train.batch", "train.seed"))


def batches(lane: Delivered) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(lane.steps)]
    for step, record in zip(lane.step, lane.records, strict=True):
        found[step].append(record)
    return found


def agreements(*, drop: bool, loader_drop: bool) -> int:
    """How many cases were compared; every one has to agree."""
    models = {
        shuffle: model(shuffle=shuffle, drop=drop, loader_drop=loader_drop) for shuffle in (False, True)
    }
    compared = 0
    for size, ranks, (shuffle, seed, epoch) in product(SIZES, RANKS, ORDERS):
        for rank, batch in product(range(ranks), BATCHES):
            sampler = DistributedSampler(range(size), ranks, rank, shuffle=shuffle, seed=seed, drop_last=drop)
            sampler.set_epoch(epoch)
            real = list(BatchSampler(sampler, batch, loader_drop))
            lane = models[shuffle].lane((size, ranks, batch, seed), rank, epoch)
            assert batches(lane) == real, (size, ranks, drop, shuffle, seed, epoch, rank, batch, loader_drop)
            compared += 1
    return compared


CASES = 2 * 2 * len(SIZES) * len(ORDERS) * sum(RANKS) * len(BATCHES)


def test_grid_has_enough_cases_and_the_awkward_ones() -> None:
    pads_more_than_all = [(size, ranks) for size in SIZES for ranks in RANKS if 0 < 2 * size < ranks]

    assert CASES >= 50_000
    assert 0 in SIZES
    assert pads_more_than_all
    assert any(0 < size < ranks for size in SIZES for ranks in RANKS)
    assert any(
        -(-size // ranks) % batch == batch - 1 for size in SIZES for ranks in RANKS for batch in BATCHES[1:]
    )


@pytest.mark.parametrize("loader_drop", [False, True])
@pytest.mark.parametrize("drop", [False, True])
def test_model_is_torch(drop: bool, loader_drop: bool) -> None:  # noqa: FBT001 -- parameters of a test
    assert agreements(drop=drop, loader_drop=loader_drop) == CASES // 4
