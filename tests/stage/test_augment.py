"""Augment says where a sample's random numbers come from, and changes nothing that is read."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.augment import Augment
from epochproof.stage.batch import Batch
from epochproof.term.node import number
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import grouped, here, places, read
from tests.stage.refusals import free, last, refused
from tests.worlds import chunks

From = Literal["worker", "record"]
Seeded = Literal["same", "distinct", "independent"]
VARIANTS = list(product(get_args(From), get_args(Seeded)))


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize(("stream", "process_seed"), VARIANTS)
def test_laws_are_proved_for_all_parameters(stream: From, process_seed: Seeded, above: str) -> None:
    assert unproved(promises.of_augment(Augment(stream=stream, process_seed=process_seed), above)) == []


@pytest.mark.parametrize(("stream", "process_seed"), VARIANTS)
def test_lane_stays_as_it_is(stream: From, process_seed: Seeded) -> None:
    stage = Augment(stream=stream, process_seed=process_seed)
    for n in range(7):
        above = Batch(n=number(3)).grouped(here(n))

        assert read(stage, here(n)) == [(record, False) for record in range(n)]
        assert places(stage, here(n)) == {(record, 0): (0, 0, record) for record in range(n)}
        assert grouped(stage, here(n, above=above)) == chunks(range(n), 3)


@pytest.mark.parametrize(("stream", "process_seed"), VARIANTS)
def test_options_are_read_as_they_are_written(stream: From, process_seed: Seeded) -> None:
    written = f"augment(stream = {stream}, process_seed = {process_seed})"

    assert last("batch(2)", written) == Augment(stream=stream, process_seed=process_seed)
    assert free("batch(2)", written) == set()


def test_workers_that_are_seeded_alike_are_the_default() -> None:
    assert last("augment()") == last("augment(worker, same)") == Augment(stream="worker", process_seed="same")


@pytest.mark.parametrize(
    ("argument", "code", "message"),
    [
        ("stream = rank", "E204", "`stream` cannot be `rank`"),
        ("stream = any", "E204", "`stream` cannot be `any`"),
        ("stream in 1..2", "E204", "`stream` cannot be left free"),
        ("process_seed = 3", "E204", "`process_seed` takes a word"),
        ("seed = 3", "E203", "`augment` has no option `seed`"),
        ("worker, stream = worker", "E203", "`stream` is given twice"),
    ],
)
def test_other_options_are_refused(argument: str, code: str, message: str) -> None:
    assert refused(f"augment({argument})") == (code, message)


def test_sample_draws_once() -> None:
    wrong = ("E209", "`augment` makes no sense here: a sample draws its random numbers once")

    assert refused("augment(stream = record)", "batch(2)", "augment()") == wrong


@pytest.mark.parametrize("style", ["map", "iterable"])
def test_augment_stands_anywhere(style: str) -> None:
    assert refused(f"style = {style}", "augment()", "shard(ranks)", "batch(2)") == ("", "")
    assert refused(f"style = {style}", "shard(ranks)", "batch(2)", "augment()") == ("", "")


def test_what_workers_draw_rests_on_assumptions() -> None:
    each = "each sample draws the same amount of random numbers"
    apart = "streams of independently seeded processes do not meet"

    assert Augment().assumes() == Augment(process_seed="distinct").assumes() == (each,)
    assert Augment(process_seed="independent").assumes() == (each, apart)
    assert Augment(stream="record", process_seed="independent").assumes() == ()


@pytest.mark.parametrize("stream", [[], [2, 0, 1], [[2, 0], [1]]])
def test_real_stream_stays_as_it_is(stream: list[object]) -> None:
    assert Augment().real(stream, Reality(torch, 0, 1, 0, {})) == stream
