"""Records of derived datasets: their identity, their frames, and how many there are."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from epochproof.model.lineage import Windows, datasets, line, source
from epochproof.model.population import Population
from epochproof.prove.solver import Solver
from epochproof.term.as_int import as_int
from tests.laws.lineages import LAWS
from tests.model.populations import listed, population, real_windows

CHAIN = """
dataset videos { lengths = [300, 20, 95] }
dataset clips from videos { window = 64 stride = 32 }
dataset views from clips { copies = 2 }
"""


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_law_holds_for_all_windows_copies_splits_and_lengths(law: object) -> None:
    assert Solver({}, {}).valid(law.given, law.goal)  # type: ignore[attr-defined] # one of `LAWS`


def test_record_has_its_source_its_interval_and_its_view() -> None:
    views = listed(population(CHAIN, "views"))

    assert len(views) == 2 * (8 + 0 + 1)
    assert views[3].indices == {"videos": (0,), "clips": (0, 1), "views": (0, 1, 1)}
    assert (views[3].start, views[3].end) == (32, 96)
    assert (views[-1].all, views[-1].end) == ((2, 0, 1), 64)


def test_lineage_goes_from_a_population_up_to_its_source() -> None:
    split = "split s of views by videos { a = 0.5, b = 0.5 }\ndataset more from s.a { copies = 3 }"
    more = population(CHAIN + split, "more")

    assert [each.name for each in line(more)] == ["more", "s.a", "views", "clips", "videos"]
    assert [each.name for each in datasets(more)] == ["videos", "clips", "views", "more"]
    assert source(more).name == "videos"


def test_windows_of_windows_are_cut_from_the_frames_of_their_own() -> None:
    inner = listed(population(CHAIN + "dataset inner from clips { window = 40 stride = 20 }", "inner"))

    assert [(each.all, each.start, each.end) for each in inner[:4]] == [
        ((0, 0, 0), 0, 40),
        ((0, 0, 1), 20, 60),
        ((0, 1, 0), 32, 72),
        ((0, 1, 1), 52, 92),
    ]


GRID = list(product(range(1, 5), range(1, 5)))


@pytest.mark.parametrize(("window", "stride"), GRID)
def test_windows_are_those_of_a_real_dataset_sources_shorter_than_the_window_included(
    window: int, stride: int
) -> None:
    pick = Random(window * 10 + stride)  # noqa: S311 -- a seeded choice
    for lengths in [(0,), (window - 1,), (window,), (0, 9, 2), (3, 0, 7), *_drawn(pick)]:
        text = f"dataset v {{ lengths = {list(lengths)} }}\n"
        clips = population(text + f"dataset c from v {{ window = {window}, stride = {stride} }}", "c")
        found = [(each.all[0], list(range(each.start, each.end))) for each in listed(clips)]
        real = list(real_windows(lengths, window, stride))

        assert found == real
        assert size(clips) == len(real)


def _drawn(pick: Random) -> list[tuple[int, ...]]:
    return [tuple(pick.randrange(12) for _ in range(pick.randrange(1, 4))) for _ in range(4)]


def size(found: Population) -> int:
    value: int = as_int(found.size, ())()
    return value


def test_windows_say_what_they_are_made_with() -> None:
    origin = population(CHAIN, "clips").origin

    assert isinstance(origin, Windows)
    assert [as_int(each, ())() for each in origin.terms()] == [64, 32]
