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
from tests.stage.refusals import last, refused
from tests.worlds import chunks

WORKERS, PREFETCH = variable("fetch"), variable("prefetch")
FETCH = Fetch(workers=number(2))


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("persistent", [False, True])
def test_laws_are_proved_for_all_parameters(persistent: bool, above: str) -> None:  # noqa: FBT001 -- a case
    stage = Fetch(workers=WORKERS, prefetch=PREFETCH, persistent=persistent)

    assert unproved(promises.of_fetch(stage, above)) == []


def test_lane_stays_as_it_is() -> None:
    for n in range(9):
        assert read(FETCH, here(n)) == [(record, False) for record in range(n)]
        assert places(FETCH, here(n)) == {(record, 0): (0, 0, record) for record in range(n)}


def test_batches_stay_as_they_are() -> None:
    for n in range(9):
        above = Batch(n=number(3)).grouped(here(n))

        assert grouped(FETCH, here(n, above=above)) == chunks(list(range(n)), 3)


@pytest.mark.parametrize("word", ["false", "true"])
def test_workers_persist_only_where_it_is_said(word: str) -> None:
    stage, silent = last("batch(2)", f"fetch(2, persistent = {word})"), last("batch(2)", "fetch(2)")

    assert isinstance(stage, Fetch) and isinstance(silent, Fetch)
    assert stage.persistent == (word == "true")
    assert not silent.persistent


@pytest.mark.parametrize(
    ("argument", "code", "message"),
    [
        ("", "E208", "`fetch` needs a value for `workers`"),
        ("0 - 1", "E205", "`workers` must be at least 0, and is -1 here"),
        ("2, prefetch = 0", "E205", "`prefetch` must be at least 1, and is 0 here"),
        ("2, persistent = 1", "E204", "`persistent` takes a word"),
        ("2, persistent in 0..1", "E204", "`persistent` cannot be left free"),
    ],
)
def test_other_options_are_refused(argument: str, code: str, message: str) -> None:
    assert refused("batch(2)", f"fetch({argument})") == (code, message)


def test_workers_of_an_iterable_loader_fetch_on_their_own() -> None:
    code, message = refused("style = iterable", "workers = 2", "batch(2)", "fetch(workers)")

    assert code == "E209"
    assert message.endswith("the workers of an iterable loader read and batch on their own")


@pytest.mark.parametrize("stream", [[], [2, 0, 1], [[2, 0], [1]]])
def test_loader_without_processes_returns_what_the_sampler_gave(stream: list[object]) -> None:
    assert FETCH.real(stream, Reality(torch, 0, 1, 0, {"workers": 2, "prefetch": 2})) == stream


def test_two_worker_processes_return_batches_in_order() -> None:
    stream = [[4, 2], [0, 1], [3, 5], [6]]
    reality = Reality(torch, 0, 1, 0, {"workers": 2, "prefetch": 2}, processes=True)

    assert FETCH.real(stream, reality) == stream
