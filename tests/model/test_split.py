"""Parts of splits: their shares as torch has them, their cuts, and their assignments."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any, cast

import pytest
from torch.utils.data import Subset, random_split

from epochproof.model.split import Part, Split
from epochproof.term.node import constant, number
from tests.claim.lineages import quotas
from tests.model.populations import listed, population, world

BASE = "dataset d { lengths = [10, 3, 7] }\ndataset w from d { window = 2 stride = 1 }\n"
ROUNDED = [
    (90, ("0.30", "0.70"), [28, 62], [27, 63]),
    (150, ("0.18", "0.82"), [28, 122], [27, 123]),
    (90, ("0.70", "0.05", "0.25"), [63, 5, 22], [64, 4, 22]),
]
"""Where torch's floats round a whole share down: what it gives, and what the shares are."""


def split(shares: tuple[str, ...], more: str = "") -> Split:
    parts = ", ".join(f"p{at} = {share}" for at, share in enumerate(shares))
    origin = population(f"{BASE}split s of d by d {{ {parts}{more} }}", "s.p0").origin
    assert isinstance(origin, Part)
    return origin.split


def model(shares: tuple[str, ...], values: int) -> list[int | None]:
    found = split(shares)
    return [constant(found.quota(at, number(values))) for at in range(len(shares))]


def real(shares: tuple[str, ...], values: int) -> list[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a part may be empty
        parts = random_split(cast("Any", range(values)), [float(each) for each in shares])
    assert all(isinstance(each, Subset) for each in parts)
    assert sorted(record for each in parts for record in each.indices) == list(range(values))
    return [len(each) for each in parts]


@pytest.mark.parametrize(
    "shares", [("0.8", "0.2"), ("0.5", "0.5"), ("0.5", "0.25", "0.25"), ("0.9", "0.05", "0.05")]
)
def test_parts_have_the_sizes_of_random_split(shares: tuple[str, ...]) -> None:
    for values in range(60):
        assert model(shares, values) == real(shares, values) == quotas([*map(Fraction, shares)], values)


@pytest.mark.parametrize(("values", "shares", "torch", "exact"), ROUNDED)
def test_random_split_rounds_where_its_floats_are_less_than_the_share(
    values: int, shares: tuple[str, ...], torch: list[int], exact: list[int]
) -> None:
    assert real(shares, values) == torch
    assert model(shares, values) == exact == quotas([*map(Fraction, shares)], values)


def test_random_split_is_one_of_the_assignments_that_are_meant() -> None:
    base = "dataset d { lengths = [10, 3, 7, 0] }\nsplit s of d by d { a = 0.5, b = 0.25, c = 0.25 }"
    origin, d = population(base, "s.a").origin, population(base, "d")
    parts = random_split(cast("Any", range(4)), [0.5, 0.25, 0.25])
    sources = world()
    given: dict[tuple[int, ...], int] = {
        (record,): at for at, part in enumerate(parts) for record in part.indices
    }

    assert [each.all for each in listed(d)] == [(0,), (1,), (2,), (3,)]
    assert isinstance(origin, Part)
    assert sources.assign(origin.split, 0, given)
    assert sources.sides["s", 0] == given


def test_part_in_time_has_whole_windows_between_its_cuts_and_none_in_the_gap() -> None:
    text = BASE + "split s of w by time { a = 0.5, b = 0.5, gap = 2 }"
    a, b = (listed(population(text, name)) for name in ("s.a", "s.b"))

    assert [(each.all[0], each.start) for each in a] == [(0, 0), (0, 1), (0, 2), (0, 3), (2, 0), (2, 1)]
    assert [(each.all[0], each.start) for each in b] == [(0, 7), (0, 8), (2, 5)]


def test_salt_names_an_assignment_of_the_same_values_in_the_same_shares() -> None:
    salted = [split(("0.8", "0.2"), f', salt = "{salt}"').assignment for salt in ("x", "x", "y")]

    assert salted[0] == salted[1] != salted[2]
    assert split(("0.5", "0.5"), ', salt = "x"').assignment != salted[0]
    assert split(("0.8", "0.2")).assignment == "s"
