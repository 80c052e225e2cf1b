"""The permutations of the model are torch's own."""

from __future__ import annotations

import pytest
import torch

from epochproof.stage._permutation import own_seed, randperm

SEEDS = (0, 1, 42, 2**31, 2**32 - 1, 2**32, 2**40 + 7)
SIZES = (*range(41), 1_000)


def torchs(n: int, seed: int) -> list[int]:
    order: list[int] = torch.randperm(n, generator=torch.Generator().manual_seed(seed)).tolist()
    return order


@pytest.mark.parametrize("seed", SEEDS)
def test_permutation_is_torchs(seed: int) -> None:
    assert [randperm(n, seed) for n in SIZES] == [torchs(n, seed) for n in SIZES]


def test_only_the_low_32_bits_of_a_key_count() -> None:
    assert torchs(100, 2**32) == torchs(100, 0) == randperm(100, 2**32)
    assert torchs(100, 2**40 + 7) == torchs(100, 7) == randperm(100, 7)


def test_seed_and_epoch_are_only_summed() -> None:
    sampler = torch.utils.data.DistributedSampler(range(100), 1, 0, seed=5)
    sampler.set_epoch(2)

    assert list(sampler) == randperm(100, 7)


def test_own_orders_of_ranks_differ() -> None:
    seeds = {own_seed(key, stream) for key in range(40) for stream in range(1, 40)}

    assert len(seeds) == 40 * 39


def test_length_that_torch_draws_otherwise_is_refused() -> None:
    with pytest.raises(ValueError, match="too long to draw"):
        randperm(214_748_364, 0)


def test_no_records_are_an_error_of_some_objects_and_no_error_of_others() -> None:
    data = torch.utils.data
    with pytest.raises(ValueError, match="num_samples"):
        data.DataLoader(range(0), shuffle=True)

    assert list(data.DistributedSampler(range(0), 3, 0)) == []
    assert list(data.DataLoader(range(0), sampler=data.DistributedSampler(range(0), 3, 0))) == []
