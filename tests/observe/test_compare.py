"""The first difference is found, whatever differs."""

from __future__ import annotations

import pytest

from epochproof.observe.compare import Apart, apart
from epochproof.observe.real import Read
from epochproof.schedule.deliveries import Delivered

MODEL = Delivered([0, 3, 6, 9, 1], [False] * 4 + [True], [0, 0, 1, 1, 2], 3, [0] * 5, [*range(5)])


def read(*groups: tuple[int, ...], steps: int | None = None, built: tuple[int, ...] = ()) -> Read:
    return Read(groups, len(groups) if steps is None else steps, built)


def test_equal_deliveries_are_not_apart() -> None:
    assert apart(MODEL, read((0, 3), (6, 9), (1,))) is None


@pytest.mark.parametrize(
    ("real", "found"),
    [
        (read((0, 3), (6, 8), (1,)), Apart(1, 1, "record 9", "record 8")),
        (read((0, 3), (6, 9)), Apart(2, 0, "record 1", "nothing")),
        (read((0, 3), (6, 9), (1, 4)), Apart(2, 1, "nothing", "record 4")),
        (read((0, 3, 6), (9, 1)), Apart(0, 2, "nothing", "record 6")),
        (read((0,), (3,), (6,), (9,), (1,)), Apart(0, 1, "record 3", "nothing")),
        (read(), Apart(0, 0, "record 0", "nothing")),
        (read((0, 3), (6, 9), (1,), steps=2), Apart(None, None, "3 steps", "2 steps")),
    ],
)
def test_first_coordinate_is_told(real: Read, found: Apart) -> None:
    assert apart(MODEL, real) == found


def test_nothing_and_something_are_apart() -> None:
    nothing = Delivered([], [], [], 0, [], [])

    assert apart(nothing, read((5,))) == Apart(0, 0, "nothing", "record 5")


def test_worker_that_built_another_batch_is_told() -> None:
    real = read((0, 3), (6, 9), (1,), built=(0, 1, 1))

    assert apart(MODEL, real, worker=lambda step: min(step, 1)) is None
    assert apart(MODEL, real, worker=lambda step: step % 2) == Apart(2, None, "worker 0", "worker 1")
