"""Which epoch number a sampler has: persistent workers keep their first, others get each one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from epochproof.observe.instances import Instance
from epochproof.schedule.plan import Plan
from epochproof.stage._permutation import randperm
from epochproof.term.node import Int, number
from tests.observe.bench import bench, grid, ran, spec

FROZEN = "style = iterable\n  workers in 0..\n  persistent = true\n  epochs = 3\n  start_epoch in 0.."
STREAM = "shuffle(seed = 5); shard(workers); batch(2, tail = drop)"
AUGMENTED = f"{STREAM}; augment(stream = worker)"


def model_and_torch(stages: str, settings: str, workers: int, start: int, *, size: int = 7) -> object:
    """What differs first with real worker processes, `None` where nothing does."""
    on_bench, names = bench(stages, settings=settings)
    values = {"d.size": size, "l.workers": workers, "l.start_epoch": start, "l.ranks": 1}
    return on_bench.difference(Instance({name: values[name] for name in names}), processes=True)


@pytest.mark.parametrize(("workers", "start"), list(product((0, 1, 3), (0, 4))))
def test_model_is_torch(workers: int, start: int) -> None:
    assert model_and_torch(AUGMENTED, FROZEN, workers, start) is None
    assert model_and_torch(STREAM, FROZEN.replace("true", "false"), workers, start) is None


def test_persistent_workers_never_see_another_epoch() -> None:
    on_bench, _ = bench("shuffle(seed = 5); shard(workers); batch(2)", settings=FROZEN)
    for workers, reached in ((2, [4, 4, 4]), (0, [4, 5, 6])):
        values = {"d.size": 6, "l.workers": workers, "l.start_epoch": 4}
        read = on_bench.worked.open(values, 0, processes=True)
        orders = [randperm(6, 5 + told) for told in reached]

        for epoch, order in enumerate(orders):
            assert sorted(record for group in read(epoch).groups for record in group) == list(range(6))
            lanes = [order[at :: max(1, workers)] for at in range(max(1, workers))]
            assert read(epoch).groups[0] == tuple(lanes[0][:2])


def test_first_epoch_has_the_number_that_the_spec_gives() -> None:
    choices = {"d.size": [0, 1, 5, 8], "l.ranks": [1, 3], "l.start_epoch": [0, 1, 7], "l.batch": [2]}
    settings = "ranks in 1..\n  epochs = 2\n  start_epoch in 0.."
    compared, differences = grid("shuffle(seed = 2); shard(ranks); batch(in 1..)", choices, settings=settings)

    assert compared > 100
    assert differences == []


def test_interrupted_and_epochs_that_start_later() -> None:
    text = spec(
        "shuffle(seed = 3); shard(ranks); batch(2); resume(position = consumed)",
        settings="ranks = 2\n  epochs = 2\n  start_epoch = 5",
        size="= 9",
    )

    assert ran(text).loaders[0].difference is None


def test_number_that_is_said_to_reach_every_worker_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "reaches", lambda _, epoch: epoch)

    assert model_and_torch(STREAM, FROZEN, 2, 0) is not None


def test_number_that_is_said_to_reach_nobody_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: Plan, epoch: Int) -> Int:
        return number(0) * epoch

    monkeypatch.setattr(Plan, "reaches", nobody)

    assert model_and_torch(STREAM, FROZEN, 0, 0) is not None


def test_start_that_is_forgotten_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    lane = Plan.lane
    monkeypatch.setattr(Plan, "lane", lambda plan, *where: lane(replace(plan, start_epoch=number(0)), *where))

    assert model_and_torch(STREAM, FROZEN, 2, 4) is not None
