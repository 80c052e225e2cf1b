"""Shuffle gives every position one place, in the order that torch draws."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from epochproof.stage._permutation import own_seed, randperm
from epochproof.stage._stage import Reality
from epochproof.stage.shuffle import Shuffle
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import unproved
from tests.stage.lists import built, here, places, read

SEED = variable("seed")
SHARED = (True, False)
RESEED = ("epoch", "never")
SIZES = (*range(9), 37)
VARIANTS = list(product(RESEED, SHARED))


def drawn(n: int, key: int) -> list[int]:
    """What torch draws for a key."""
    order: list[int] = torch.randperm(n, generator=torch.Generator().manual_seed(key)).tolist()
    return order


@pytest.mark.parametrize(("reseed", "shared"), VARIANTS)
def test_laws_are_proved_for_all_parameters(reseed: str, shared: bool) -> None:  # noqa: FBT001 -- a case
    stage = built(Shuffle, seed=SEED, reseed=reseed, shared=shared)

    assert unproved(promises.of_shuffle(stage)) == []


@pytest.mark.parametrize(("n", "key"), [(0, 1), (1, 1), (7, 0), (13, 2**32 - 1), (500, 41), (700, 2**32 + 5)])
def test_permutation_without_torch_is_torchs(n: int, key: int) -> None:
    assert randperm(n, key) == drawn(n, key)


def test_key_is_seed_plus_epoch() -> None:
    for n, seed, epoch in product(SIZES, (0, 5), range(3)):
        lane = here(n, epoch=epoch)

        assert [record for record, _ in read(Shuffle(seed=number(seed)), lane)] == drawn(n, seed + epoch)


def test_key_is_the_seed_alone_where_it_is_never_reseeded() -> None:
    for n, seed, epoch in product(SIZES, (0, 5), range(3)):
        stage = Shuffle(seed=number(seed), reseed="never")

        assert [record for record, _ in read(stage, here(n, epoch=epoch))] == drawn(n, seed)


def test_shared_order_is_the_same_on_all_ranks() -> None:
    lanes = [read(Shuffle(seed=number(3)), here(20, rank, 4)) for rank in range(4)]

    assert lanes == [lanes[0]] * 4


def test_own_orders_differ_between_ranks_and_never_sum_rank_and_seed() -> None:
    own = {
        (seed, rank): tuple(read(Shuffle(seed=number(seed), shared=False), here(20, rank, 4)))
        for seed in range(4)
        for rank in range(4)
    }

    assert len(set(own.values())) == 16
    assert len({own_seed(seed, rank) for seed in range(99) for rank in range(99)}) == 99 * 99


def test_place_is_the_index_in_the_order() -> None:
    for n, seed in product(SIZES, (0, 5)):
        order = drawn(n, seed)

        assert places(Shuffle(seed=number(seed)), here(n)) == {
            (record, 0): (0, 0, order.index(record)) for record in range(n)
        }


@pytest.mark.parametrize(("reseed", "shared"), VARIANTS)
def test_real_sampler_gives_the_same_order(reseed: str, shared: bool) -> None:  # noqa: FBT001 -- a case
    for n, seed, epoch, rank in product((0, 1, 2, 9), (0, 7), range(3), range(2)):
        stage = built(Shuffle, seed=number(seed), reseed=reseed, shared=shared)
        real = stage.real(list(range(n)), Reality(torch, rank, 2, epoch, {"seed": seed}))

        assert real == [record for record, _ in read(stage, here(n, rank, 2, epoch))]
