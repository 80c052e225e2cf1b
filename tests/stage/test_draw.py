"""Draw gives what torch's samplers draw; the laws hold for whatever is drawn."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from torch.utils.data import RandomSampler, WeightedRandomSampler

from epochproof.stage._drawn import stand_in, uniform, weighted
from epochproof.stage._permutation import own_seed
from epochproof.stage._stage import Reality
from epochproof.stage.draw import Draw
from epochproof.stage.shuffle import Shuffle
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import unproved
from tests.stage.lists import built, here, places, read

SEED, N, COLUMN = variable("seed"), variable("drawn"), variable("column")
VARIANTS = [
    {"n": n, "replacement": replacement, "reseed": reseed, "shared": shared}
    for n, replacement, reseed, shared in product((None, N), (True, False), ("epoch", "never"), (True, False))
]
SIZES = (0, 1, 2, 3, 5, 8, 33)
DRAWS = (None, 0, 1, 2, 3, 7, 16, 40)
KEYS = (0, 3, 2**32 - 1, 2**32 + 5)


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def by_torch(size: int, n: int | None, key: int, *, replacement: bool) -> list[int]:
    """What `RandomSampler` draws; torch refuses to draw nothing, or from nothing."""
    if size == 0 or n == 0:
        with pytest.raises((ValueError, RuntimeError, ZeroDivisionError)):
            list(RandomSampler(range(size), replacement, n, generator(key)))
        return []
    return list(RandomSampler(range(size), replacement, n, generator(key)))


def stage(n: int | None, key: int, **options: object) -> Draw:
    return built(Draw, n=None if n is None else number(n), seed=number(key), **options)


@pytest.mark.parametrize("options", VARIANTS)
def test_laws_are_proved_for_all_parameters(options: dict[str, object]) -> None:
    assert unproved(promises.of_draw(built(Draw, **options, seed=SEED))) == []


@pytest.mark.parametrize("shared", [True, False])
def test_laws_are_proved_for_any_weights(shared: bool) -> None:  # noqa: FBT001 -- a case
    drawn = Draw(n=N, weights=COLUMN + 1, seed=SEED, shared=shared)

    assert unproved(promises.of_draw(drawn)) == []


@pytest.mark.parametrize("replacement", [True, False])
def test_draws_are_torchs(replacement: bool) -> None:  # noqa: FBT001 -- a case
    for size, n, key, epoch in product(SIZES, DRAWS, KEYS, (0, 2)):
        model = read(stage(n, key, replacement=replacement), here(size, epoch=epoch))

        assert [record for record, _ in model] == by_torch(size, n, key + epoch, replacement=replacement)


def test_draws_without_torch_are_torchs_for_many_records_and_draws() -> None:
    for size, n in ((1000, 1000), (2**28 - 1, 70), (2**28, 70), (2**33, 3)):
        assert uniform(n, size, 11) == list(RandomSampler(range(size), True, n, generator(11)))  # noqa: FBT003


def test_weighted_draws_are_torchs() -> None:
    for size, n, key, column in product((1, 2, 5, 30), (1, 2, 9, 100), KEYS, range(8)):
        weights = stand_in(column, size)

        assert weighted(n, weights, key) == list(
            WeightedRandomSampler(weights, n, replacement=True, generator=generator(key))
        )


def test_weight_zero_is_never_drawn() -> None:
    for size, column in product((1, 2, 5, 30), range(12)):
        weights = stand_in(column, size)

        assert any(weights)
        assert all(weights[record] for record in weighted(200, weights, column))


def test_first_permutation_is_that_of_shuffle() -> None:
    for size, key, epoch in product(SIZES, KEYS, (0, 2)):
        lane = here(size, epoch=epoch)
        shuffled = read(Shuffle(seed=number(key)), lane)

        assert read(stage(None, key, replacement=False), lane) == shuffled
        assert read(stage(size, key, replacement=False), lane) == shuffled


@pytest.mark.parametrize("replacement", [True, False])
def test_places_are_the_positions_in_the_order_of_the_draws(replacement: bool) -> None:  # noqa: FBT001 -- a case
    for size, n in product((0, 1, 2, 4), (0, 1, 3, 9)):
        drawn = stage(n, 5, replacement=replacement)
        order = by_torch(size, n, 5, replacement=replacement)
        own = {record: [p for p, found in enumerate(order) if found == record] for record in range(size)}

        assert places(drawn, here(size)) == {
            (record, lap): (0, 0, p) for record, found in own.items() for lap, p in enumerate(found)
        }


def test_key_is_the_seed_alone_where_it_is_never_reseeded() -> None:
    lanes = [read(stage(9, 5, reseed="never"), here(20, epoch=epoch)) for epoch in range(3)]

    assert lanes == [lanes[0]] * 3


@pytest.mark.parametrize("replacement", [True, False])
def test_ranks_with_draws_of_their_own_differ(replacement: bool) -> None:  # noqa: FBT001 -- a case
    own = [
        tuple(read(stage(30, seed, shared=False, replacement=replacement), here(20, rank, 4)))
        for seed, rank in product(range(4), range(4))
    ]
    shared = [read(stage(30, 3, replacement=replacement), here(20, rank, 4)) for rank in range(4)]

    assert len(set(own)) == 16
    assert shared == [shared[0]] * 4


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_real_sampler_draws_the_same(replacement: bool, shared: bool) -> None:  # noqa: FBT001 -- a case
    for size, n, epoch, rank in product(SIZES, DRAWS, range(2), range(2)):
        drawn = stage(n, 7, replacement=replacement, shared=shared)
        given = {"seed": 7} | ({} if n is None else {"n": n})
        real = drawn.real(list(range(size)), Reality(torch, rank, 2, epoch, given))

        assert real == [record for record, _ in read(drawn, here(size, rank, 2, epoch))]


def test_real_weighted_sampler_draws_the_same() -> None:
    for size, n, column, rank in product((0, 1, 2, 9), (None, 0, 1, 20), range(5), range(2)):
        drawn = stage(n, 7, weights=number(column + 1), shared=False)
        given = {"seed": 7, "weights": column + 1} | ({} if n is None else {"n": n})
        real = drawn.real(list(range(size)), Reality(torch, rank, 2, 0, given))

        assert real == [record for record, _ in read(drawn, here(size, rank, 2))]


def test_seeds_of_later_permutations_are_the_stream_going_on() -> None:
    order = list(RandomSampler(range(6), num_samples=20, generator=generator(own_seed(2, 3))))

    assert [
        record for record, _ in read(stage(20, 2, replacement=False, shared=False), here(6, 2, 4))
    ] == order
