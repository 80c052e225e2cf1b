"""An audit as a person reads it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from epochproof.report._audit import At, Audited, Balance, Broken, Finding, Leaked, Met, Portion, Read
from epochproof.report.audit_as_text import leaks, render

READ = Read(12, 10, 2, 0, 2)
AUDITED = Audited(
    spec="train.epoch",
    trace="trace",
    loader="train",
    parameters={"train.ranks": 3},
    said=frozenset(),
    order="fixed",
    enumerated="",
    due=12,
    epochs=((0, READ),),
    run=READ,
    portion=None,
    balance=None,
    segments=1,
    replayed=0,
    first=None,
    findings=(),
    broken=(),
    notes=(),
)
FIRST = At(0, 1, 2, 3, "record 4", "nothing")


def test_run_as_scheduled_has_its_figures_and_one_sentence() -> None:
    text = render(AUDITED)

    assert "  epoch 0           12        10        2        0         2" in text
    assert text.endswith("\n\nwhat was read is what the schedule says: 12 occurrences")


def test_difference_is_told_with_its_first_place_and_what_it_breaks() -> None:
    findings = (Finding("missing", 1, FIRST, (4,)), Finding("unmarked", 2, FIRST))
    broken = (Broken("all are read", "false", "claim", 8), Broken("nothing is lost", "broken", "assumption"))
    text = render(replace(AUDITED, findings=findings, first=FIRST, broken=broken), symbols=False)

    assert "first difference: epoch 0, rank 1, step 2, slot 3\n    expected record 4, found nothing" in text
    assert "x missing           1 occurrence was due and not read: record 4" in text
    assert "x unmarked padding  2 occurrences are padding, and not marked" in text
    assert 'in this run it is false that\n    "all are read"  line 8' in text
    assert text.endswith("what was read is not what the schedule says: missing and unmarked padding")


def test_portion_has_both_rates_over_its_own_window() -> None:
    portion = Portion(READ, None, (Fraction(10), Fraction(35, 2)), Fraction(15, 2))
    text = render(replace(AUDITED, portion=portion, balance=Balance(2, 5, 7, (0, 0), (1, 0))))

    assert "from 10 s to 17.5 s" in text
    assert "1.6  occurrences per second       repeats included: 12 in 7.5 s" in text
    assert "1.33333  distinct records per second  each record once: 10 in 7.5 s" in text
    assert "2 workers read 5 by worker 0 of rank 0 to 7 by worker 0 of rank 1" in text


def test_ranks_without_workers_are_called_ranks() -> None:
    text = render(replace(AUDITED, balance=Balance(2, 5, 7, (0, 0), (1, 0), by_rank=True)))

    assert "2 ranks read 5 by rank 0 to 7 by rank 1" in text


def test_texts_of_a_trace_cannot_steer_a_terminal() -> None:
    assert "\x1b" not in render(replace(AUDITED, trace="a\x1b[31mb"))


def test_leak_is_told_with_a_record_of_each_side() -> None:
    found = Leaked("trace", "other", "video", 1, (Met("v7", "clip 1", "clip 2"),))

    assert "`video` v7: record clip 1 here, record clip 2 there" in leaks(found)
    assert leaks(found).endswith("1 value of `video` was read in both")
    assert leaks(replace(found, count=0, examples=())).endswith("no `video` was read in both")
