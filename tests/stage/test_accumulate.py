"""Accumulate groups batches into optimizer steps and keeps, drops or carries what is left."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest
import torch

from epochproof.stage._stage import SINGLE, Reality
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.term.node import number, variable
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import grouped, here, places, read, value
from tests.worlds import chunks

Tail = Literal["keep", "drop", "carry"]
TAILS = get_args(Tail)
SIZE = variable("accumulate")
WORLDS = list(product(range(10), range(1, 4), range(1, 4)))
CASES = [case for case in product(TAILS, ABOVE) if case != ("drop", "accumulated batches")]
"""Whole steps of steps of steps divide by three numbers at once: those are tested on lists alone."""


def run(n: int, batch: int, size: int, tail: Tail, epochs: int) -> list[list[list[int]]]:
    """For each epoch the records of each optimizer step of which some are read in it: a loop over batches."""
    waiting, done = 0, []
    for _ in range(epochs):
        steps: list[list[int]] = [[]]
        for group in chunks(list(range(n)), batch):
            steps[-1] += group
            waiting += 1
            if waiting == size:
                steps.append([])
                waiting = 0
        if tail == "drop":
            steps[-1] = []
        if tail != "carry":
            waiting = 0
        done.append([step for step in steps if step])
    return done


def stepped(n: int, batch: int, size: int, tail: Tail, epochs: int) -> int:
    """How often the optimizer steps in all epochs: a loop over batches."""
    waiting, steps = 0, 0
    for _ in range(epochs):
        for _ in chunks(list(range(n)), batch):
            waiting += 1
            if waiting == size:
                steps, waiting = steps + 1, 0
        if tail != "carry":
            steps, waiting = steps + (tail == "keep" and waiting > 0), 0
    return steps


@pytest.mark.parametrize(("tail", "above"), CASES)
def test_laws_are_proved_for_all_parameters(tail: Tail, above: str) -> None:
    assert unproved(promises.of_accumulate(Accumulate(n=SIZE, tail=tail), above)) == []


@pytest.mark.parametrize("tail", TAILS)
def test_records_of_each_step_are_those_of_a_loop_over_batches(tail: Tail) -> None:
    for n, batch, size in WORLDS:
        for epoch, expected in enumerate(run(n, batch, size, tail, 3)):
            steps = Batch(n=number(batch)).grouped(here(n, epoch=epoch))
            lane = here(n, epoch=epoch, above=steps)
            stage = Accumulate(n=number(size), tail=tail)

            assert grouped(stage, lane) == expected
            assert read(stage, lane) == [(record, False) for step in expected for record in step]


@pytest.mark.parametrize("tail", TAILS)
def test_records_count_as_batches_where_nothing_batches(tail: Tail) -> None:
    for n, size in product(range(10), range(1, 4)):
        stage = Accumulate(n=number(size), tail=tail)

        assert grouped(stage, here(n)) == run(n, 1, size, tail, 1)[0]


@pytest.mark.parametrize("tail", TAILS)
def test_place_is_the_position_itself(tail: Tail) -> None:
    for n, batch, size in WORLDS:
        lane = here(n, above=Batch(n=number(batch)).grouped(here(n)))
        left = sum(map(len, run(n, batch, size, tail, 1)[0]))

        assert places(Accumulate(n=number(size), tail=tail), lane) == {(q, 0): (0, 0, q) for q in range(left)}


def test_steps_that_are_grouped_again_are_dropped_whole() -> None:
    for n, batch, size, again in product(range(13), range(1, 3), range(1, 4), range(1, 4)):
        once = run(n, batch, size, "keep", 1)[0]
        whole = range(0, len(once) // again * again, again)
        expected = [[each for step in once[at : at + again] for each in step] for at in whole]
        steps = Batch(n=number(batch)).grouped(here(n))
        steps = Accumulate(n=number(size)).grouped(here(n, above=steps))

        assert grouped(Accumulate(n=number(again), tail="drop"), here(n, above=steps)) == expected


@pytest.mark.parametrize("tail", TAILS)
def test_optimizer_steps_are_those_of_a_loop_over_epochs(tail: Tail) -> None:
    for (n, batch, size), epochs in product(WORLDS, range(4)):
        lane = here(n, epoch=epochs, above=Batch(n=number(batch)).grouped(here(n)))
        stage = Accumulate(n=number(size), tail=tail)
        steps, length = stage.grouped(lane), stage.length(lane)
        before, after = (stepped(n, batch, size, tail, each) for each in (epochs, epochs + 1))

        assert value(steps.through(length, number(epochs))) == before
        assert value(steps.count(length)) == after - before


@pytest.mark.parametrize("tail", TAILS)
def test_real_optimizer_applies_the_same_gradients(tail: Tail) -> None:
    for n, batch, size in product((0, 1, 5, 7), (1, 2), (1, 2, 3)):
        for epoch, expected in enumerate(run(n, batch, size, tail, 2)):
            reality = Reality(torch, 0, 1, epoch, {"n": size})
            real = Accumulate(n=number(size), tail=tail).real(chunks(list(range(n)), batch), reality)

            assert real == expected


def test_no_steps_above_are_records() -> None:
    assert here(4).steps is SINGLE
