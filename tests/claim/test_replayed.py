"""Replayed are the records that an interrupted run reads more often than the run without the interruption."""

from __future__ import annotations

import pytest

from tests.claim.agreement import verdicts, written
from tests.claim.judged import untrue, wrong
from tests.claim.stopped import Stopped, again, read, worlds


def replayed(run: Stopped) -> set[int]:
    """Records that before and after have beyond the whole run."""
    return set(run.both_parts() - read(run.run()))


def test_verdicts_agree_with_lists() -> None:
    assert wrong("replayed", replayed, worlds("replayed", 30)) == []


def test_verdicts_on_several_stops_agree_with_lists() -> None:
    assert wrong("replayed", replayed, again(worlds("replayed again", 16))) == []


def test_what_the_rules_prove_of_free_runs_is_true_in_every_small_world() -> None:
    claims = {
        "l.replayed == {}": lambda run: not replayed(run),
        "l.replayed != {}": lambda run: bool(replayed(run)),
        "l.replayed <= l.covered": lambda run: replayed(run) <= set(read(run.run())),
    }

    assert untrue(claims, worlds("free, replayed", 10)) == []
    assert untrue(claims, again(worlds("free, replayed again", 4), twice=False)) == []


@pytest.mark.parametrize(
    ("run", "again"),
    [
        (Stopped(6, of=2, after=1), set()),
        (Stopped(6, of=2, after=1, resume={"position": "epoch_start"}), {0, 1}),
        (Stopped(6, of=2, after=3, resume={"position": "epoch_start"}), set(range(6))),
        (Stopped(6, of=2, after=0, resume={"position": "epoch_start"}, later=(1,)), {0, 1}),
        (Stopped(6, of=2, after=2, resume={"position": "epoch_start"}, later=(1, 0)), {0, 1, 2, 3}),
        (Stopped(6, 2, after=2, deal=("strided", "drop"), resume={"ranks": 1}, later=(1,)), {2, 3}),
        (Stopped(6, of=2, after=1, fetch=(2, 2), resume={"position": "fetched"}), set()),
        (Stopped(6, 2, after=2, deal=("strided", "drop"), resume={"ranks": 1}), {2, 3}),
        (Stopped(6, 2, after=2, deal=("strided", "drop"), resume={"ranks": 1, "counter": "global"}), set()),
        (Stopped(5, of=2, after=1, tail="drop", resume={"batch": 1}), {4}),
        (Stopped(4, 3, after=1, resume={"ranks": 3}), set()),
        (Stopped(6, 2, after=3, deal=None, resume={"position": "epoch_start"}), {0, 1, 2}),
    ],
)
def test_these_are_replayed(run: Stopped, again: set[int]) -> None:
    assert replayed(run) == again
    assert verdicts(run.text(f"l.replayed == {written(again)}")) == ["proved"]


def test_what_is_fetched_ahead_ends_with_the_epoch() -> None:
    ahead = Stopped(8, 2, after=3, fetch=(2, 2), resume={"position": "fetched", "ranks": 1})

    assert (ahead.steps, ahead.position(3, 4), replayed(ahead)) == (4, 4, {4, 5})
    assert verdicts(ahead.text("l.replayed == {4, 5}", "l.lost == {6, 7}")) == ["proved", "refuted"]
