"""One instance for each feasible path, as small as it goes; seeds and epochs where any is meant."""

from __future__ import annotations

import pytest

import epochproof
from epochproof.observe import paths as searching
from epochproof.observe.instances import SEEDS, Instance, Instances, epochs, parameters
from epochproof.observe.paths import Path, Paths
from epochproof.prove.session import opened
from tests.observe.bench import spec


def paths(text: str) -> tuple[list[Path], list[str]]:
    session = opened(epochproof.load(text))
    loader, scope = session.schedule.loaders["l"], session.schedule.scope
    search = Paths(loader, parameters(loader, scope), session.solver)
    return search.all(), search.left_out


def instances(text: str, *counterexamples: dict[str, int]) -> list[Instance]:
    session = opened(epochproof.load(text))
    choice = Instances(session.schedule.loaders["l"], session.schedule.scope)
    return choice.choose(session.solver, counterexamples)


def test_each_feasible_path_has_its_smallest_instance() -> None:
    found, left_out = paths(spec("shard(ranks)", settings="ranks in 1.."))

    assert {each.cases[0]: each.values for each in found} == {
        "no records": {"d.size": 0, "l.ranks": 1},
        "divides": {"d.size": 1, "l.ranks": 1},
        "tail": {"d.size": 3, "l.ranks": 2},
        "fewer than ranks": {"d.size": 1, "l.ranks": 2},
        "pads more than all": {"d.size": 1, "l.ranks": 3},
    }
    assert left_out == []


def test_path_that_contradicts_itself_is_not_there() -> None:
    found, _ = paths(spec("shard(ranks); batch(in 1.., tail = drop)", settings="ranks in 1..", size="in 1.."))

    assert ("divides", "no batch") not in {each.cases for each in found}
    assert len(found) == 4 + 4 + 3 + 3


def test_far_path_is_found_by_the_solver() -> None:
    text = spec("batch(in 1..); stop(steps = 1_000)", size="in 0..")

    found, _ = paths(text)

    far = {each.cases: each.values for each in found}
    assert far["full batches", "stops midway"] == {"d.size": 1_001, "l.batch": 1}


def test_many_paths_are_cut_and_each_case_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_PATHS", 3)
    text = spec("shard(ranks); batch(in 1..); stop(in 0..)", settings="ranks in 1..")

    found, left_out = paths(text)

    assert {each.cases[0] for each in found} >= {"divides", "tail", "fewer than ranks", "pads more than all"}
    assert len(found) < 15
    assert left_out == ["some combinations of cases: there are too many to run them all"]


def test_set_with_a_gap_is_no_trap() -> None:
    found, _ = paths(spec("batch(in {1, 1_000_000_000_000})", size="in {1, 1_000_000_000_000}"))

    assert {each.values["l.batch"] for each in found} == {1, 1_000_000_000_000}


def test_any_seed_means_several() -> None:
    text = spec("shuffle(seed = any)", size="= 5")

    assert [each.values for each in instances(text)] == [{"l.seed": seed} for seed in SEEDS]


def test_seed_outside_the_domain_is_not_taken() -> None:
    text = spec("shuffle(seed in 7..9)", size="= 5")

    assert [each.values for each in instances(text)] == [{"l.seed": 7}]


def test_free_epochs_are_enough_to_see_a_later_one() -> None:
    text = spec("shuffle(seed = 1)", size="= 5", settings="epochs in 1..")

    assert [each.values for each in instances(text)] == [{"l.epochs": 3}]
    assert (epochs(1), epochs(2), epochs(3), epochs(90)) == ((0,), (0, 1), (0, 1, 2), (0, 1, 89))


def test_counterexample_is_completed_and_runs_once() -> None:
    text = spec("shard(ranks); batch(in 1..)", settings="ranks in 1..")

    with_it = instances(text, {"d.size": 50, "l.ranks": 9}, {"d.size": 50, "l.ranks": 9})

    assert with_it[-1].values == {"d.size": 50, "l.ranks": 9, "l.batch": 1}
    assert len(with_it) == len(instances(text)) + 1
