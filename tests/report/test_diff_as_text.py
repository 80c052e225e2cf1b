"""Changes as people read them: which records, how many, the first place that differs, and checkpoints."""

from __future__ import annotations

from epochproof.prove.change import changes
from epochproof.prove.session import load
from epochproof.report.diff_as_text import render
from tests.report.diffs import CHANGES, OLD


def lines(new: str, old: str = OLD) -> list[str]:
    return [each.rstrip() for each in render(changes(load(old), load(new))).splitlines()]


def test_nothing_changed_is_one_line() -> None:
    assert lines(CHANGES["identical"]) == [
        "l  identical            every rank reads the same records in the same places",
        "",
        "1 loader: 1 identical",
    ]


def test_records_are_counted_and_named() -> None:
    assert lines(CHANGES["population-changing"]) == [
        "l  population-changing  other records, or not equally often",
        "   the smallest case: size 3",
        "     read anew: record 2",
        "     read more often: record 0, 2 times in place of 1",
        "   a checkpoint of the old spec goes on in the new one: nothing is lost, nothing repeated",
        "",
        "1 loader: 1 changed",
    ]


def test_the_first_place_that_differs_is_named() -> None:
    assert lines(CHANGES["order-only"])[:3] == [
        "l  order-only           the same records, each equally often, in other places",
        "   with the values of the specs",
        "     first difference at rank 0, step 0, slot 0: record 0 before, record 2 now",
    ]


def test_a_place_that_is_not_there_holds_nothing() -> None:
    assert lines(OLD.replace("batch(1)", "batch(2)"))[1:3] == [
        "   the smallest case: size 4",
        "     first difference at rank 0, step 0, slot 1: nothing before, record 2 now",
    ]


def test_what_a_checkpoint_loses_is_counted() -> None:
    uneven = OLD.replace("drop", "uneven")

    assert lines(OLD.replace("ranks = 2", "ranks = 4"), uneven) == [
        "l  population-changing  other records, or not equally often",
        "   the smallest case: size 1",
        "     read no more: record 0",
        "   resume-incompatible: a checkpoint of the old spec loses or repeats records",
        "   the smallest case: size 4, after 1",
        "     lost: 2 records, 2 and 3",
        "",
        "1 loader: 1 changed",
    ]


def test_other_random_numbers_are_no_other_places() -> None:
    two, three = (OLD.replace("batch(1)", f"fetch({n})\n  augment(stream = worker)") for n in (2, 3))

    assert lines(three, two)[:2] == [
        "l  order-only           the same records in the same places, with other random numbers",
        "   the smallest case: size 6",
    ]
    assert lines(two)[0].endswith("in the same places; with which random numbers was not decided")
    assert lines(two)[1] == "   only the new spec says, by `augment`, where random numbers come from"


def test_a_checkpoint_that_starts_the_epoch_again_repeats() -> None:
    assert lines(CHANGES["resume-incompatible"]) == [
        "l  resume-incompatible  the same records in the same places, but no checkpoint goes on",
        "   resume-incompatible: a checkpoint of the old spec loses or repeats records",
        "   the smallest case: size 2, after 1",
        "     repeated: 2 records, 0 and 1, 2 times in place of 1",
        "",
        "1 loader: 1 changed",
    ]


def test_what_is_undecided_says_why() -> None:
    assert lines(CHANGES["unknown"]) == [
        "l  unknown              whether the same records are read was not decided",
        "   no value of `d.size` is allowed by both specs",
        "",
        "1 loader: 1 undecided",
    ]


def test_loaders_that_come_and_go_are_named() -> None:
    assert lines(OLD.replace("loader l", "loader m")) == [
        "m  added                only in the new spec",
        "l  removed              only in the old spec",
        "",
        "2 loaders: 2 changed",
    ]


def test_colours_are_written_where_asked_for() -> None:
    found = changes(load(OLD), load(CHANGES["population-changing"]))

    assert "\x1b[1;31mpopulation-changing\x1b[0m" in render(found, colour=True)
    assert "\x1b" not in render(found)
