"""Each stage, in compositions that no single torch object stands for, agrees with its own torch object."""

from __future__ import annotations

import pytest
import torch

from epochproof.observe.instances import Instance
from epochproof.observe.real import StageByStage
from tests.observe.bench import Choices, bench, grid

SMALL: Choices = {
    "d.size": list(range(14)),
    "l.ranks": [1, 2, 3, 5],
    "l.batch": [1, 2, 3, 4],
    "l.seed": [0, 2**32 + 5],
    "l.accumulate": [1, 2, 3],
    "l.stop": [0, 1, 2, 9],
}
EPOCHS = "ranks in 1.., epochs = 5"


@pytest.mark.parametrize("tail", ["pad", "drop", "uneven"])
@pytest.mark.parametrize("layout", ["strided", "blocked"])
def test_layouts_and_tails(layout: str, tail: str) -> None:
    compared, differences = grid(f"shard(ranks, layout = {layout}, tail = {tail}); batch(in 1..)", SMALL)

    assert compared > 1_000
    assert differences == []


@pytest.mark.parametrize(
    "stages",
    [
        "shuffle(seed = any); shard(ranks, tail = uneven); batch(in 1.., tail = pad)",
        "shuffle(seed = any, reseed = never); shard(ranks, layout = blocked); batch(in 1.., tail = drop)",
        "shuffle(seed = any, shared = false); batch(in 1..)",
        "shuffle(seed = any, shared = false, reseed = never); shard(ranks, tail = drop)",
        "shard(ranks); shuffle(seed = any); batch(in 1.., tail = drop)",
        "shard(ranks, tail = uneven); shuffle(seed = any, shared = false); batch(in 1..)",
        "shard(ranks, tail = uneven); shard(ranks, tail = pad); batch(in 1..)",
        "shard(ranks, tail = pad); shard(ranks, layout = blocked, tail = drop)",
        "shuffle(seed = any); shuffle(seed = 3)",
        "batch(in 1.., tail = pad); batch(2, tail = drop)",
    ],
)
def test_orders_and_two_deals(stages: str) -> None:
    compared, differences = grid(stages, SMALL, settings="ranks in 1.., epochs = 2")

    assert compared > 300
    assert differences == []


@pytest.mark.parametrize(
    "stages",
    [
        "shard(ranks); batch(in 1..); accumulate(in 1.., tail = keep)",
        "shard(ranks); batch(in 1..); accumulate(in 1.., tail = drop)",
        "shard(ranks, tail = uneven); batch(in 1..); accumulate(in 1.., tail = carry)",
        "accumulate(in 1.., tail = carry)",
        "batch(2); accumulate(2); accumulate(in 1.., tail = carry)",
        "batch(in 1..); accumulate(2); fetch(3)",
    ],
)
def test_optimizer_steps(stages: str) -> None:
    compared, differences = grid(stages, SMALL, settings=EPOCHS)

    assert compared > 300
    assert differences == []


@pytest.mark.parametrize(
    "stages",
    [
        "stop(in 0..); batch(in 1..)",
        "shard(ranks); batch(in 1..); stop(in 0..)",
        "shard(ranks); batch(in 1..); accumulate(2); stop(in 0..)",
        "batch(in 1..); fetch(2); stop(in 0..)",
    ],
)
def test_stops(stages: str) -> None:
    compared, differences = grid(stages, SMALL)

    assert compared > 300
    assert differences == []


def applied_by_a_training_loop(batches: int, n: int, epochs: int) -> list[list[list[int]]]:
    """For each epoch the batches of its own that each of its steps applied: one optimizer for all epochs."""
    weights = torch.zeros(epochs * batches, requires_grad=True)
    optimizer = torch.optim.SGD([weights], lr=1.0)
    told: list[list[list[int]]] = []
    for epoch in range(epochs):
        told.append([])
        for at in range(batches):
            flat = epoch * batches + at
            weights[flat].backward()
            if (flat + 1) % n == 0:
                before = weights.detach().clone()
                optimizer.step()
                optimizer.zero_grad()
                moved = (before - weights.detach()).nonzero().flatten().tolist()
                told[-1].append([each - epoch * batches for each in moved if each >= epoch * batches])
    return told


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("batches", [0, 1, 2, 3, 5])
def test_carried_steps_are_those_of_one_training_loop(batches: int, n: int) -> None:
    real = StageByStage(torch, bench(f"accumulate({n}, tail = carry)", settings="epochs = 4")[0].loader)
    read = real.open({"d.size": batches}, 0)
    delivered = [read(epoch) for epoch in range(4)]

    assert [
        [list(group) for group in each.groups[: each.steps]] for each in delivered
    ] == applied_by_a_training_loop(batches, n, 4)


WORKED: list[tuple[str, dict[str, int]]] = [
    ("shard(ranks); batch(2); fetch(in 0..)", {"d.size": 23, "l.ranks": 2, "l.fetch": 3}),
    ("shard(ranks); batch(2); fetch(in 0..)", {"d.size": 3, "l.ranks": 2, "l.fetch": 4}),
    ("shuffle(seed = 4); batch(3, tail = drop); fetch(in 0..)", {"d.size": 16, "l.ranks": 1, "l.fetch": 2}),
    ("shuffle(seed = 4); fetch(in 0.., prefetch = 5)", {"d.size": 7, "l.ranks": 1, "l.fetch": 2}),
    ("batch(3, tail = pad); fetch(in 0..); accumulate(2)", {"d.size": 16, "l.ranks": 1, "l.fetch": 2}),
    ("fetch(in 0..); stop(steps = 2)", {"d.size": 5, "l.ranks": 1, "l.fetch": 2}),
    ("batch(2); fetch(in 0..)", {"d.size": 0, "l.ranks": 1, "l.fetch": 2}),
]


@pytest.mark.parametrize(("stages", "values"), WORKED)
def test_worker_processes_change_nothing_and_build_in_turn(stages: str, values: dict[str, int]) -> None:
    on_bench, names = bench(stages, settings="ranks in 1.., epochs = 2")
    instance = Instance({name: values[name] for name in names})

    assert on_bench.difference(instance, processes=True) is None


def test_workers_that_built_are_told() -> None:
    on_bench, _ = bench("shard(ranks); batch(2); fetch(in 0..)")

    read = on_bench.real.open({"d.size": 10, "l.ranks": 1, "l.fetch": 3}, 0, processes=True)(0)

    assert read.groups == ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9))
    assert read.built == (0, 1, 2, 0, 1)
