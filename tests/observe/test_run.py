"""A run compares model and torch, replays counterexamples, and hides no difference."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import epochproof
from epochproof.observe import bench as benches
from epochproof.observe.run import run
from epochproof.prove.session import opened
from epochproof.prove.verdict import Counterexample, Verdict
from epochproof.report._run import Delivery, LoaderRun, RunReport
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.fetch import Fetch
from epochproof.stage.shard import Shard
from epochproof.stage.shuffle import Shuffle
from epochproof.term.node import number
from tests.observe.bench import ran, spec

ORIGINALS = Path(__file__).parents[1] / "language" / "originals"
FULL = "shuffle(seed = any); shard(ranks); batch(in 1..4, tail = drop); fetch(workers)"
SETTINGS = "ranks in 1.., workers in 0..3, epochs in 2.."


@pytest.fixture(scope="module")
def article() -> dict[str, LoaderRun]:
    """The loaders of the article about ten records on three ranks, run."""
    return {each.name: each for each in original("sc241").loaders}


def original(name: str) -> RunReport:
    return ran((ORIGINALS / f"{name}.epoch").read_text())


def delivered(found: LoaderRun) -> list[list[int]]:
    assert found.delivery is not None
    return [[record for batch in rank for record in batch] for rank in found.delivery.ranks]


def test_article_padded_pass_reads_twelve_occurrences(article: dict[str, LoaderRun]) -> None:
    lists = delivered(article["padded"])
    often = Counter(record for rank in lists for record in rank)

    assert lists == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]
    assert article["padded"].occurrences == 12
    assert [len(set(rank)) for rank in lists] == [4, 4, 4]
    assert {record for record, times in often.items() if times == 2} == {0, 1}
    assert len(often) == 10


def test_article_trimmed_pass_reads_nine_and_omits_the_last(article: dict[str, LoaderRun]) -> None:
    lists = delivered(article["trimmed"])

    assert lists == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    assert {record for rank in lists for record in rank} == set(range(9))


def test_article_padded_then_cut_loses_the_last_of_each_rank(article: dict[str, LoaderRun]) -> None:
    padded, cut = delivered(article["padded"]), delivered(article["padded_then_cut"])

    assert [set(a) - set(b) for a, b in zip(padded, cut, strict=True)] == [{9}, {0}, {1}]
    assert article["padded_then_cut"].occurrences == 9


def test_article_agrees_and_its_counterexample_is_torchs() -> None:
    report = original("sc241")

    assert (report.exit_code, report.occurrences, report.torch.split("+")[0]) == (0, 48, "2.13.0")
    assert [each.replayed for each in report.counterexamples] == ["torch"]
    shown = [each.verdict.counterexample for each in report.checked.claims]
    assert [each.replayed for each in shown if each] == ["torch"]


def test_free_parameters_run_in_many_instances_and_with_workers() -> None:
    report = original("any-size")

    assert report.exit_code == 0
    assert [each.replayed for each in report.counterexamples] == ["torch"] * 3
    train, whole = report.loaders
    assert train.instances >= 60 and whole.instances >= 20
    assert train.with_workers >= 10 and whole.with_workers == 0


def test_progress_counts_up_to_all() -> None:
    session = opened(epochproof.load(spec("batch(in 1..3)")))
    told: list[tuple[int, int]] = []

    run(session, session.checked(), progress=lambda done, total: told.append((done, total)))

    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert {total for _, total in told} == {len(told)}


def wrong_order(self: Shard, p: Any, here: Any) -> Any:
    return p * here.lane.ranks + (here.lane.ranks - 1 - here.lane.rank)


DEALT = spec("shard(ranks); batch(in 1..4)", settings="ranks in 1..")
ORDERED = spec("shuffle(seed = 1); batch(in 1..4)", size="= 5", settings="epochs = 2")
CUT = spec("batch(in 1..4, tail = drop)")
FETCHED = spec("batch(2); fetch(workers)", settings="workers in 0..3")
RESUMED = spec("batch(2); accumulate(2, tail = carry)", size="= 6", settings="epochs = 2")


def no_epoch(self: Shuffle, here: Any) -> Any:
    return self.seed


def kept_tail(self: Batch, here: Any) -> Any:
    return here.n


def zero(self: Any, about: Any) -> Any:
    return number(0)


PLANTED: dict[str, tuple[str, type, str, Any, tuple[object, ...]]] = {
    "shard deals backwards": (DEALT, Shard, "_flat", wrong_order, (0, 0, 0, 0, "record 1", "record 0")),
    "the epoch is not in the key": (
        ORDERED,
        Shuffle,
        "key",
        no_epoch,
        (1, 0, 0, 0, "record 0", "record 3"),
    ),
    "the tail is kept": (
        CUT,
        Batch,
        "length",
        kept_tail,
        (0, 0, 0, 0, "record 0", "nothing"),
    ),
    "worker 0 builds everything": (
        FETCHED,
        Fetch,
        "worker",
        zero,
        (0, 0, 1, None, "worker 0", "worker 1"),
    ),
    "nothing waits for the next epoch": (
        RESUMED,
        Accumulate,
        "_waiting",
        zero,
        (1, 0, 0, 2, "record 2", "nothing"),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_fault_is_drift_with_its_first_difference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, stage, method, fault, first = PLANTED[name]
    assert ran(text).exit_code == 0
    monkeypatch.setattr(stage, method, fault)

    report = ran(text)

    (found,) = (each.difference for each in report.loaders)
    assert report.exit_code == 4
    assert found is not None
    assert (found.epoch, found.rank, found.step, found.slot, found.model, found.torch) == first


def test_counterexample_that_torch_contradicts_is_drift() -> None:
    claims = 'prove "all" : l.omitted == {}'
    session = opened(epochproof.load(spec("batch(2)", size="in 1..", claims=claims)))
    checked = session.checked()
    invented = Verdict(
        "refuted", "run(1)", Counterexample({"d.size": 4}, (0,), None, None, None, smallest=True)
    )
    wrong = replace(checked, claims=(replace(checked.claims[0], verdict=invented),))

    report = run(session, wrong)

    assert report.exit_code == 4
    assert [each.replayed for each in report.counterexamples] == ["contradicted"]
    shown = report.checked.claims[0].verdict.counterexample
    assert shown is not None and shown.replayed == "model"


def test_counterexample_of_two_runs_is_replayed() -> None:
    claims = 'refute "the ranks do not matter" : l.order unaffected by ranks'
    report = ran(spec("shard(ranks); batch(2)", settings="ranks in 1..3", size="in 1..", claims=claims))

    assert [each.replayed for each in report.counterexamples] == ["torch"]


def test_error_of_torch_is_drift() -> None:
    report = ran(spec("shuffle(seed = 18_446_744_073_709_551_616)", size="= 3"))

    (found,) = (each.difference for each in report.loaders)
    assert report.exit_code == 4
    assert found is not None and found.model == "3 steps" and "Error: " in found.torch


def test_no_records_are_zero_steps() -> None:
    (found,) = ran(spec(FULL, settings=SETTINGS, size="= 0")).loaders

    assert found.difference is None
    assert found.occurrences == 0 and found.instances > 0


def test_too_large_instance_is_left_out_and_said() -> None:
    (found,) = ran(spec("batch(7)", size="= 1_000_000_000_000")).loaders

    assert (found.instances, found.difference) == (0, None)
    assert found.left_out == ("1 instance: each rank would read or list too much",)


def test_instance_that_is_too_large_for_all_epochs_runs_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benches, "MOST", 250)

    (found,) = ran(spec("batch(7)", size="= 100", settings="epochs = 9")).loaders

    assert (found.instances, found.occurrences) == (1, 200)


def test_too_many_ranks_run_on_a_few_and_it_is_said() -> None:
    (found,) = ran(spec("shard(ranks); batch(7)", size="= 40_000", settings="ranks = 2_000")).loaders

    assert (found.instances, found.occurrences, found.difference) == (1, 4 * 20, None)
    assert found.left_out == ("all but a few ranks of 1 instance: the others would list too much",)


def test_delivery_is_shown_for_a_small_fixed_loader_only() -> None:
    (fixed,) = ran(spec("batch(2, tail = pad)", size="= 3")).loaders
    (free,) = ran(spec("batch(2, tail = pad)", size="in 3..")).loaders
    (large,) = ran(spec("batch(2)", size="= 101")).loaders

    assert fixed.delivery == Delivery({}, (((0, 1), (2, 0)),))
    assert free.delivery is large.delivery is None


def test_loader_over_a_part_of_clips_runs_and_a_leak_of_the_split_is_not_replayed() -> None:
    report = ran("""edition 1
    dataset videos { size in 2.. }
    dataset clips from videos { window = 64 stride = 32 }
    split s of clips by clips { train = 0.8, val = 0.2 }
    loader train over s.train { ranks in 1..3 shuffle() shard(ranks) batch(4, tail = drop) }
    refute "a pass reads all of it" : train.omitted == {}
    refute "no video is on both sides" : s.train disjoint from s.val by videos
    """)

    assert report.exit_code == 0
    assert [each.replayed for each in report.counterexamples] == ["torch"]


def test_loader_without_stages_runs_on_any_number_of_ranks() -> None:
    assert ran(spec("", settings="ranks in 1..", size="= 6")).exit_code == 0
