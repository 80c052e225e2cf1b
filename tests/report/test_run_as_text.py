"""What a run found reads well, and a difference is told in full."""

from __future__ import annotations

from dataclasses import replace

from epochproof.diagnostics import Source, Span
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Judged, Verdict
from epochproof.report._run import Delivery, Difference, LoaderRun, Replay, RunReport
from epochproof.report.run_as_text import render

CLAIM = Judged("all is read", "prove", Span(0, 1), Verdict("proved", "solver"), 0.1, ())
PADDED = LoaderRun("padded", 1, 12, 0, None, Delivery({}, (((0, 3), (6,)), ((1, 4), (7,)), ())), ())
TRAIN = LoaderRun("train", 76, 1_369, 16, None, None, ())
DIFFERENCE = Difference(
    "train", {"d.size": 10_000, "train.ranks": 3}, "DataLoader", 0, 2, 3, 1, "record 4", "record 5"
)
REPORT = RunReport("2.13.0", (PADDED, TRAIN), (), Checked("a.epoch", (CLAIM,), Source("a.epoch", "x")))


def test_agreement_is_a_line_a_loader() -> None:
    assert render(REPORT).splitlines() == [
        "a.epoch, run by torch 2.13.0",
        "  ✓ padded  12 occurrences in 1 instance",
        "      rank 0: [0, 3] [6]",
        "      rank 1: [1, 4] [7]",
        "      rank 2: nothing",
        "  ✓ train   1_369 occurrences in 76 instances, 16 with worker processes",
        "",
        "the model and torch agree on 1_381 occurrences",
    ]


def test_difference_is_told_in_full() -> None:
    found = replace(TRAIN, difference=DIFFERENCE, left_out=("the instances after the first difference",))
    report = replace(REPORT, loaders=(found,))

    assert render(report, symbols=False).splitlines() == [
        "a.epoch, run by torch 2.13.0",
        "  x train  torch differs",
        "      d.size = 10_000, train.ranks = 3",
        "      DataLoader, epoch 0, rank 2, step 3, slot 1",
        "      the model says record 4, torch says record 5",
        "      left out: the instances after the first difference",
        "",
        "drift: the model and torch differ",
    ]


def test_difference_of_a_whole_epoch_has_no_step() -> None:
    whole = replace(DIFFERENCE, parameters={}, step=None, slot=None, model="3 steps", torch="2 steps")
    text = render(replace(REPORT, loaders=(replace(TRAIN, difference=whole),)))

    assert "      every value is fixed by the spec\n      DataLoader, epoch 0, rank 2\n" in text
    assert "the model says 3 steps, torch says 2 steps" in text


def test_counterexamples_say_where_they_were_replayed() -> None:
    replays = (
        Replay("one", {}, "torch"),
        Replay("two", {}, "model", "too many occurrences to run"),
        Replay("three", {"d.size": 4}, "contradicted", "the claim is true on what torch delivers"),
    )
    lines = render(replace(REPORT, counterexamples=replays), symbols=False).splitlines()

    assert '  + "one" is false on torch, too' in lines
    assert '  ? "two" was not replayed on torch: too many occurrences to run' in lines
    assert (
        '  x "three" is refuted in the model only (d.size = 4): the claim is true on what torch delivers'
        in lines
    )
    assert lines[-1] == "drift: the model and torch differ"


def test_claim_that_is_not_as_stated_is_named() -> None:
    wrong = replace(CLAIM, kind="refute")
    checked = replace(REPORT.checked, claims=(CLAIM, wrong))

    lines = render(replace(REPORT, checked=checked)).splitlines()

    assert '  ✗ refute "all is read" is proved' in lines
    assert lines[-1] == "the model and torch agree on 1_381 occurrences; 1 claim not as stated"


def test_loader_that_did_not_run_is_not_called_agreeing() -> None:
    still = replace(TRAIN, instances=0, occurrences=0, with_workers=0, left_out=("an instance of too many",))

    lines = render(replace(REPORT, loaders=(still,))).splitlines()

    assert lines[1] == "  ✗ train  did not run"
    assert lines[-1] == "nothing ran"


def test_colours_are_written_if_asked_for_and_nothing_steers_a_terminal() -> None:
    hostile = replace(REPORT, checked=replace(REPORT.checked, path="a\x1b[31m.epoch"))

    assert "\x1b" not in render(hostile)
    assert "\x1b[32m✓\x1b[0m" in render(REPORT, colour=True)
