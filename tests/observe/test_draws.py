"""Two samples draw the same numbers in real workers exactly where the model says that they do."""

from __future__ import annotations

import pytest
import torch

import epochproof
from epochproof.observe.draws import Draws, Sample, Where, first_apart
from epochproof.schedule import draws as model
from epochproof.term.node import number
from tests.observe.bench import spec


def drawing(stages: str, settings: str, size: int = 8) -> Draws:
    loader = epochproof.load(spec(stages, settings=settings, size=f"= {size}")).loaders["l"]
    return Draws(torch, loader)


MAP = [
    (f"shuffle(seed = 3); shard(ranks); batch(2); fetch({workers}{more}); augment({augment})", 2)
    for workers, more in ((0, ""), (2, ""), (3, ""), (3, ", persistent = true"))
    for augment in (
        "stream = worker",
        "stream = worker, process_seed = distinct",
        "stream = worker, process_seed = independent",
        "stream = record",
    )
]
STREAMS = [
    (f"{deal}; batch(2); augment(stream = worker, process_seed = {seed})", workers)
    for deal, seed, workers in (
        ("shard(ranks * workers)", "same", 2),
        ("shard(ranks * workers)", "distinct", 3),
        ("copy(workers)", "same", 2),
        ("shard(workers)", "independent", 2),
        ("shard(workers)", "same", 0),
    )
]


@pytest.mark.parametrize(("stages", "ranks"), MAP)
def test_keys_of_map_style_loaders(stages: str, ranks: int) -> None:
    draws = drawing(stages, f"ranks = {ranks}\n  epochs = 2", 11)

    assert first_apart(draws, {}, Where(range(ranks), (0, 1))) is None


@pytest.mark.parametrize(("stages", "workers"), STREAMS)
def test_keys_of_iterable_loaders(stages: str, workers: int) -> None:
    draws = drawing(stages, f"style = iterable\n  ranks = 2\n  workers = {workers}\n  epochs = 2", 11)

    assert first_apart(draws, {}, Where((0, 1), (0, 1))) is None


@pytest.mark.parametrize("more", ["", ", persistent = true"])
def test_worker_seeds_are_base_plus_id(more: str) -> None:
    draws = drawing(f"batch(1); fetch(3{more}); augment(stream = worker)", "epochs = 2", 6)

    samples = draws.samples({}, Where((0,), (0, 1)))
    bases = [
        {each.seed - each.worker for each in samples if each.epoch == epoch and each.seed} for epoch in (0, 1)
    ]

    assert [len(each) for each in bases] == [1, 1]
    assert (bases[0] == bases[1]) is bool(more)


def numbers(samples: list[Sample], rank: int) -> set[tuple[float, ...]]:
    return {each.numbers for each in samples if each.rank == rank}


def test_equal_process_seeds_give_equal_numbers_on_all_ranks() -> None:
    same = drawing("shard(ranks); batch(2); fetch(2); augment(stream = worker)", "ranks = 2")
    distinct = drawing(
        "shard(ranks); batch(2); fetch(2); augment(stream = worker, process_seed = distinct)", "ranks = 2"
    )

    alike, apart = (each.samples({}, Where((0, 1), (0,))) for each in (same, distinct))

    assert numbers(alike, 0) == numbers(alike, 1)
    assert not numbers(apart, 0) & numbers(apart, 1)


def test_distinct_process_seeds_meet_where_a_worker_adds_its_id() -> None:
    """`manual_seed(seed + rank + worker)` in a `worker_init_fn`: rank 0's worker 1 is rank 1's worker 0."""
    draws = drawing(
        "shard(ranks); batch(1); fetch(2); augment(stream = worker, process_seed = distinct)", "ranks = 2"
    )
    where = Where((0, 1), (0,))

    samples = draws.samples({}, where, lambda _, process, worker: 100 + process + worker)
    keys = draws.keys({}, where, {"base": lambda _, process: 100 + process})

    one = {each.numbers for each in samples if (each.rank, each.worker) == (0, 1)}
    assert one == {each.numbers for each in samples if (each.rank, each.worker) == (1, 0)}
    equal = [(a, b) for a in range(8) for b in range(8) if keys[a][:3] == keys[b][:3]]
    assert equal == [(a, b) for a in range(8) for b in range(8) if samples[a].numbers == samples[b].numbers]


def test_steps_that_stop_early_and_are_accumulated() -> None:
    for more in ("", ", persistent = true"):
        draws = drawing(
            f"batch(2); fetch(2{more}); augment(stream = worker)\n  accumulate(2)", "epochs = 1", 11
        )
        assert first_apart(draws, {}, Where((0,), (0,))) is None


def test_planted_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_a_pass", lambda *_: number(0))
    draws = drawing("batch(2); fetch(2, persistent = true); augment(stream = worker)", "epochs = 2")

    found = first_apart(draws, {}, Where((0,), (0, 1)))

    assert found is not None
    assert (found[0].epoch, found[1], found[2]) == (1, "the random numbers of an earlier sample", "others")
