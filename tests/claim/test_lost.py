"""Lost are the records that an interrupted run reads less often than the run without the interruption."""

from __future__ import annotations

from dataclasses import replace

import pytest

from epochproof.diagnostics import SpecError
from tests.claim.agreement import FREE, proofs, verdicts, written
from tests.claim.judged import untrue, wrong
from tests.claim.stopped import Stopped, again, all_small, read, worlds
from tests.worlds import Written

SHUFFLE = Written("shuffle", options={"seed": 3})


def lost(run: Stopped) -> set[int]:
    """Records of the whole run that before and after lack."""
    return set(read(run.run()) - run.both_parts())


def test_verdicts_agree_with_lists() -> None:
    assert wrong("lost", lost, worlds("lost", 30)) == []


def test_verdicts_on_several_stops_agree_with_lists() -> None:
    assert wrong("lost", lost, again(worlds("lost again", 16))) == []


def test_what_the_rules_prove_of_free_runs_is_true_in_every_small_world() -> None:
    claims = {
        "l.lost == {}": lambda run: not lost(run),
        "l.lost != {}": lambda run: bool(lost(run)),
        "l.lost <= l.covered": lambda run: lost(run) <= set(read(run.run())),
    }

    assert untrue(claims, worlds("free, lost", 10)) == []
    assert untrue(claims, again(worlds("free, lost again", 4), twice=False)) == []


@pytest.mark.parametrize(
    ("run", "missing"),
    [
        (Stopped(6, of=2, after=1), set()),
        (Stopped(6, of=2, after=3), set()),
        (Stopped(6, of=2, after=1, fetch=(1, 1), resume={"position": "fetched"}), {2, 3}),
        (Stopped(6, of=2, after=1, fetch=(0, 2), resume={"position": "fetched"}), set()),
        (Stopped(6, of=2, after=2, fetch=(2, 2), resume={"position": "fetched"}), {4, 5}),
        (Stopped(9, after=1, deal=("strided", "uneven"), resume={"ranks": 2}), {1}),
        (Stopped(9, after=1, deal=("strided", "uneven"), resume={"ranks": 2, "counter": "global"}), set()),
        (Stopped(4, after=2, shuffle=SHUFFLE, resume={"order": "fresh", "seed": 4}), {1}),
        (Stopped(9, after=1, later=(1, 1)), set()),
        (Stopped(9, after=1, fetch=(1, 1), resume={"position": "fetched"}, later=(1,)), {1, 3}),
        (Stopped(9, after=1, fetch=(1, 1), resume={"position": "fetched"}, later=(1, 0)), {1, 3, 4}),
        (Stopped(9, after=1, deal=("strided", "uneven"), resume={"ranks": 2}, later=(1,)), {1}),
        (Stopped(9, 2, 2, 1, resume={"ranks": 3, "batch": 1, "counter": "global"}, later=(1,)), set()),
    ],
)
def test_these_are_lost(run: Stopped, missing: set[int]) -> None:
    assert lost(run) == missing
    assert verdicts(run.text(f"l.lost == {written(missing)}")) == ["proved"]


def test_a_fresh_order_changes_nothing_without_a_shuffle() -> None:
    run = Stopped(5, 2, 2, 1, resume={"order": "fresh"})

    assert proofs(replace(run, deal=("strided", "uneven")).text("l.lost == {}", free=True)) == [True]
    assert all(lost(each) == set() for each in all_small(replace(run, deal=("strided", "uneven"))))


def test_stopping_later_than_the_last_step_says_nothing() -> None:
    assert verdicts(Stopped(4, of=2, after=3).text("l.lost == {}")) == ["vacuous"]


def test_stopping_again_later_than_what_is_left_says_nothing() -> None:
    assert verdicts(Stopped(6, of=2, after=1, later=(2,)).text("l.lost == {}")) == ["proved"]
    assert verdicts(Stopped(6, of=2, after=1, later=(3,)).text("l.lost == {}")) == ["vacuous"]


def test_fresh_orders_differ_from_each_other() -> None:
    run = Stopped(4, shuffle=SHUFFLE, resume={"order": "fresh", "seed": 4}, later=(0,))

    assert verdicts(run.text("l.lost == {}")) == ["proved"]
    for one, other in ((4, 4), (3, 4), (4, 3)):
        text = run.text("l.lost == {}").replace("seed == 4", f"seed == {one}")
        assert verdicts(text.replace("seed_2 == 0", f"seed_2 == {other}")) == ["vacuous"]


@pytest.mark.parametrize("times", [2, 3])
def test_exact_resumes_in_a_row_are_proved_with_all_numbers_free(times: int) -> None:
    stages = (
        "workers in 0..\n  shuffle(seed = any)\n  shard(ranks, tail = drop)\n  batch(in 1.., tail = drop)\n"
    )
    resume = f"  fetch(workers)\n  resume(times = {times})"

    assert proofs(FREE.format(stages=f"  {stages}{resume}", claim="l.lost == {} and l.replayed == {}")) == [
        True
    ]


def test_without_a_resume_nothing_can_be_lost() -> None:
    text = 'edition 1\ndataset d { size in 1.. }\nloader l over d { shard(ranks) }\nprove "" : l.lost == {}\n'

    with pytest.raises(SpecError, match="`lost` is about `resume`, and `l` has none"):
        proofs(text)


def test_an_iterable_loader_is_not_resumed() -> None:
    text = "edition 1\ndataset d { size in 1.. }\nloader l over d { style = iterable\nresume(after = any) }\n"

    with pytest.raises(SpecError, match="`resume` makes no sense here"):
        proofs(text)
