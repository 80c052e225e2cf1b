"""Batch groups a lane's positions and keeps, drops or fills the last batch."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.batch import Batch
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import unproved
from tests.stage.lists import grouped, here, places, read, value
from tests.worlds import Marked, batched, chunks

Tail = Literal["keep", "drop", "pad"]
TAILS = get_args(Tail)
WORLDS = list(product(range(12), range(1, 6)))
SIZE = variable("batch")


def filled(n: int, size: int, tail: Tail) -> Marked:
    """The positions that are left of n, by cutting and filling a list of batches."""
    batches = batched([(record, False) for record in range(n)], size, tail)
    return [each for group in batches for each in group]


@pytest.mark.parametrize("tail", TAILS)
def test_laws_are_proved_for_all_parameters(tail: Tail) -> None:
    assert unproved(promises.of_batch(Batch(n=SIZE, tail=tail))) == []


@pytest.mark.parametrize("tail", TAILS)
def test_lane_is_cut_or_filled(tail: Tail) -> None:
    for n, size in WORLDS:
        assert read(Batch(n=number(size), tail=tail), here(n)) == filled(n, size, tail)


@pytest.mark.parametrize("tail", TAILS)
def test_places_are_where_the_list_holds_the_record(tail: Tail) -> None:
    for n, size in WORLDS:
        expected: dict[tuple[int, int], tuple[int, int, int]] = {}
        for p, (record, _) in enumerate(filled(n, size, tail)):
            expected[record, p // n] = (0, 0, p)

        assert places(Batch(n=number(size), tail=tail), here(n)) == expected


@pytest.mark.parametrize("tail", TAILS)
def test_steps_are_chunks_of_the_lane(tail: Tail) -> None:
    for n, size in WORLDS:
        positions = list(range(len(filled(n, size, tail))))

        assert grouped(Batch(n=number(size), tail=tail), here(n)) == chunks(positions, size)


@pytest.mark.parametrize("tail", TAILS)
def test_steps_are_counted_over_a_run(tail: Tail) -> None:
    for n, size, epochs in product(range(9), range(1, 4), range(3)):
        steps = Batch(n=number(size), tail=tail).grouped(here(n))

        assert value(steps.through(number(n), number(epochs))) == sum(
            len(chunks(list(range(n)), size)) for _ in range(epochs)
        )


@pytest.mark.parametrize("tail", TAILS)
def test_torch_makes_the_same_batches(tail: Tail) -> None:
    for n, size in WORLDS:
        stream = [10 * record for record in range(n)]
        real = Batch(n=number(size), tail=tail).real(stream, Reality(torch, 0, 1, 0, {"n": size}))

        assert real == chunks([10 * record for record, _ in filled(n, size, tail)], size)


def test_batches_of_batches_are_batches_of_records() -> None:
    real = Batch(n=number(3)).real([[0, 1], [2, 3], [4]], Reality(torch, 0, 1, 0, {"n": 3}))

    assert real == [[0, 1, 2], [3, 4]]
