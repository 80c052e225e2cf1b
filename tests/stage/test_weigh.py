"""Weigh says what each occurrence counts for, and changes nothing that is read."""

from __future__ import annotations

from fractions import Fraction

import pytest
import torch

from epochproof.stage._stage import Reality
from epochproof.stage.batch import Batch
from epochproof.stage.weigh import Weigh
from epochproof.term.node import number
from tests.stage import promises
from tests.stage.laws import ABOVE, unproved
from tests.stage.lists import grouped, here, places, read
from tests.stage.refusals import free, last, refused
from tests.worlds import chunks

MASK, SHARE = Weigh(padding=Fraction(0)), Weigh(by="inverse_multiplicity")


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("stage", [MASK, SHARE])
def test_laws_are_proved_for_all_parameters(stage: Weigh, above: str) -> None:
    assert unproved(promises.of_weigh(stage, above)) == []


@pytest.mark.parametrize("stage", [MASK, SHARE])
def test_lane_stays_as_it_is(stage: Weigh) -> None:
    for n in range(7):
        above = Batch(n=number(3)).grouped(here(n))

        assert read(stage, here(n)) == [(record, False) for record in range(n)]
        assert places(stage, here(n)) == {(record, 0): (0, 0, record) for record in range(n)}
        assert grouped(stage, here(n, above=above)) == chunks(range(n), 3)


@pytest.mark.parametrize(
    ("written", "stage"),
    [
        ("weigh(padding = 0)", MASK),
        ("weigh(0)", MASK),
        ("weigh(padding = 0.1)", Weigh(padding=Fraction(1, 10))),
        ("weigh(padding = 2)", Weigh(padding=Fraction(2))),
        ("weigh(by = inverse_multiplicity)", SHARE),
    ],
)
def test_weights_are_exact(written: str, stage: Weigh) -> None:
    assert last("batch(2)", written) == stage
    assert free("batch(2)", written) == set()


@pytest.mark.parametrize(
    ("argument", "code", "message"),
    [
        ("", "E208", "`weigh` needs `padding` or `by`"),
        ("padding = 0, by = inverse_multiplicity", "E203", "`weigh` takes `padding` or `by`, not both"),
        ("padding = -1", "E204", "`padding` is 0, or another number that is written out"),
        ("padding = none", "E204", "`padding` is 0, or another number that is written out"),
        ("padding in 0..1", "E204", "`padding` is 0, or another number that is written out"),
        ("by = multiplicity", "E204", "`by` cannot be `multiplicity`"),
        ("by = 3", "E204", "`by` takes a word"),
        ("mask = 0", "E203", "`weigh` has no option `mask`"),
    ],
)
def test_other_options_are_refused(argument: str, code: str, message: str) -> None:
    assert refused(f"weigh({argument})") == (code, message)


def test_records_are_weighed_once() -> None:
    wrong = ("E209", "`weigh` makes no sense here: records are weighed above")

    assert refused("weigh(padding = 0)", "batch(2)", "weigh(by = inverse_multiplicity)") == wrong


@pytest.mark.parametrize("style", ["map", "iterable"])
def test_weigh_stands_anywhere(style: str) -> None:
    assert refused(f"style = {style}", "weigh(padding = 0)", "shard(ranks)", "batch(2)") == ("", "")
    assert refused(f"style = {style}", "shard(ranks)", "batch(2)", "weigh(padding = 0)") == ("", "")


def test_weights_rest_on_code_that_uses_them() -> None:
    assert MASK.assumes() == ("the code that reads a record multiplies what it counts by its weight",)
    assert MASK.matters_to == frozenset({"weight"})


@pytest.mark.parametrize("stream", [[], [2, 0, 1], [[2, 0], [1]]])
def test_real_stream_stays_as_it_is(stream: list[object]) -> None:
    assert MASK.real(stream, Reality(torch, 0, 1, 0, {})) == stream
