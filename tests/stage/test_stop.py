"""Stop ends a lane after so many steps of what the stages above form."""

from __future__ import annotations

from itertools import islice, product

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.batch import Batch
from epochproof.stage.stop import Stop
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import grouped, here, places, read
from tests.worlds import chunks

STEPS = variable("steps")


@pytest.mark.parametrize("above", ABOVE)
def test_laws_are_proved_for_all_parameters(above: str) -> None:
    assert unproved(promises.of_stop(Stop(steps=STEPS), above)) == []


def test_first_batches_are_left() -> None:
    for n, batch, steps in product(range(10), range(1, 4), range(5)):
        lane = here(n, above=Batch(n=number(batch)).grouped(here(n)))
        stage, expected = Stop(steps=number(steps)), chunks(list(range(n)), batch)[:steps]

        assert grouped(stage, lane) == expected
        assert read(stage, lane) == [(record, False) for group in expected for record in group]
        assert places(stage, lane) == {(q, 0): (0, 0, q) for q in range(sum(map(len, expected)))}


def test_records_count_where_nothing_batches() -> None:
    for n, steps in product(range(10), range(12)):
        left = list(islice(range(n), steps))

        assert read(Stop(steps=number(steps)), here(n)) == [(record, False) for record in left]


def test_real_loop_ends_after_as_many_batches() -> None:
    reality = Reality(torch, 0, 1, 0, {"steps": 2})

    assert Stop(steps=number(2)).real([[0, 1], [2, 3], [4]], reality) == [[0, 1], [2, 3]]
    assert Stop(steps=number(2)).real([[0]], reality) == [[0]]
