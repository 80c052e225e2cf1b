"""Copy says aloud that every lane reads everything, and changes nothing."""

from __future__ import annotations

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.batch import Batch
from epochproof.stage.copy import Copy
from epochproof.stage.shard import BOTH, RANK, WORKER
from epochproof.term.node import number
from tests.schedule.loaders import delivered
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import grouped, here, places, read
from tests.stage.refusals import last, refused
from tests.worlds import chunks

LANES = {"ranks": RANK, "workers": WORKER, "ranks * workers": BOTH, "workers * ranks": BOTH}
ITERABLE = ("style = iterable", "workers = 2")


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("lanes", [RANK, WORKER, BOTH])
def test_laws_are_proved_for_all_parameters(lanes: frozenset[str], above: str) -> None:
    assert unproved(promises.of_copy(Copy(lanes=lanes), above)) == []


@pytest.mark.parametrize("lanes", [RANK, WORKER, BOTH])
def test_every_lane_reads_the_whole_stream(lanes: frozenset[str]) -> None:
    for n in range(5):
        lane = here(n, 1, 2, worker=2, workers=3)

        assert read(Copy(lanes=lanes), lane) == [(record, False) for record in range(n)]
        assert places(Copy(lanes=lanes), lane) == {(record, 0): (1, 2, record) for record in range(n)}


def test_batches_stay_as_they_are() -> None:
    for n in range(7):
        above = Batch(n=number(3)).grouped(here(n))

        assert grouped(Copy(lanes=RANK), here(n, above=above)) == chunks(range(n), 3)


@pytest.mark.parametrize("written", LANES)
def test_lanes_are_ranks_workers_or_both(written: str) -> None:
    stage = last(*ITERABLE, f"copy({written})")

    assert stage == Copy(lanes=LANES[written])
    assert stage.axes() == frozenset()


@pytest.mark.parametrize(
    ("argument", "code", "message"),
    [
        ("", "E208", "`copy` needs to know whom it deals to"),
        ("4", "E204", "these are no lanes of `copy`"),
        ("records", "E204", "these are no lanes of `copy`"),
        ("ranks * ranks", "E204", "these are no lanes of `copy`"),
        ("in 1..", "E204", "`lanes` cannot be left free"),
        ("ranks, tail = pad", "E203", "`copy` has no option `tail`"),
    ],
)
def test_other_arguments_are_refused(argument: str, code: str, message: str) -> None:
    assert refused(*ITERABLE, f"copy({argument})") == (code, message)


def test_workers_of_a_map_style_loader_are_no_lanes() -> None:
    message = "the workers of a map-style loader are dealt nothing: the main process hands out indices"

    assert refused("copy(workers)") == ("E211", message)
    assert refused("copy(ranks)") == ("", "")


def test_lanes_that_were_dealt_to_read_no_copies() -> None:
    message = "these lanes were dealt to above, so that none reads everything"
    wrong = ("E209", f"`copy` makes no sense here: {message}")

    assert refused(*ITERABLE, "shard(workers)", "copy(workers)") == wrong
    assert refused(*ITERABLE, "shard(ranks * workers)", "copy(ranks)") == wrong
    assert refused(*ITERABLE, "shard(ranks)", "copy(workers)") == ("", "")
    assert refused(*ITERABLE, "copy(workers)", "shard(workers)") == ("", "")


def test_copy_is_what_is_read_where_nothing_deals() -> None:
    silent = delivered(3, *ITERABLE, "ranks = 2", "shard(ranks)")

    assert delivered(3, *ITERABLE, "ranks = 2", "shard(ranks)", "copy(workers)") == silent
    assert silent == [[[0], [0], [2], [2]], [[1], [1]]]


def test_copies_of_a_stream_are_dealt_like_the_stream() -> None:
    assert delivered(5, *ITERABLE, "copy(workers)", "shard(workers)") == [[[0], [1], [2], [3], [4]]]


@pytest.mark.parametrize("stream", [[], [2, 0, 1], [[2, 0], [1]]])
def test_real_stream_stays_as_it_is(stream: list[object]) -> None:
    assert Copy(lanes=RANK).real(stream, Reality(torch, 0, 1, 0, {})) == stream
