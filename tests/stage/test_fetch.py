"""Fetch changes neither what is read nor its order."""

from __future__ import annotations

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.batch import Batch
from epochproof.stage.fetch import Fetch
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import grouped, here, places, read
from tests.worlds import chunks

WORKERS = variable("workers")
FETCH = Fetch(workers=number(2))


@pytest.mark.parametrize("above", ABOVE)
def test_laws_are_proved_for_all_parameters(above: str) -> None:
    assert unproved(promises.of_fetch(Fetch(workers=WORKERS), above)) == []


def test_lane_stays_as_it_is() -> None:
    for n in range(9):
        assert read(FETCH, here(n)) == [(record, False) for record in range(n)]
        assert places(FETCH, here(n)) == {(record, 0): (0, record) for record in range(n)}


def test_batches_stay_as_they_are() -> None:
    for n in range(9):
        above = Batch(n=number(3)).grouped(here(n))

        assert grouped(FETCH, here(n, above=above)) == chunks(list(range(n)), 3)


@pytest.mark.parametrize("stream", [[], [2, 0, 1], [[2, 0], [1]]])
def test_loader_without_processes_returns_what_the_sampler_gave(stream: list[object]) -> None:
    assert FETCH.real(stream, Reality(torch, 0, 1, 0, {"workers": 2, "prefetch": 2})) == stream


def test_two_worker_processes_return_batches_in_order() -> None:
    stream = [[4, 2], [0, 1], [3, 5], [6]]
    reality = Reality(torch, 0, 1, 0, {"workers": 2, "prefetch": 2}, processes=True)

    assert FETCH.real(stream, reality) == stream
