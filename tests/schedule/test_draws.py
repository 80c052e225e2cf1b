"""Each sample draws from the state of the process that reads it: processes that count are run by hand."""

from __future__ import annotations

from itertools import product

import pytest

from epochproof.schedule.draws import augment_of
from epochproof.schedule.plan import Plan
from tests.schedule.loaders import plan
from tests.schedule.processes import EPOCHS, MAIN, PROCESS, RECORD, Drawing, Sample, mapped, started
from tests.worlds import batched, chunks, sharded


def modelled(of: Plan, rank: int, epoch: int) -> list[Sample]:
    """What each position of the rank draws in a plan without free parameters."""
    return Drawing(of).samples(rank=rank, epoch=epoch)


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("process_seed", ["same", "distinct", "independent"])
@pytest.mark.parametrize("tail", ["keep", "drop", "pad"])
def test_workers_of_a_map_style_loader_count_their_batches(
    tail: str,
    process_seed: str,
    persistent: bool,  # noqa: FBT001 -- a case
) -> None:
    of = plan(
        None,
        "ranks in 1..",
        f"epochs = {EPOCHS}",
        "shard(ranks, tail = uneven)",
        f"batch(in 1.., tail = {tail})",
        f"fetch(in 0.., persistent = {str(persistent).lower()})",
        f"augment(process_seed = {process_seed})",
    )
    model = Drawing(of, "d.size", "l.ranks", "l.batch", "l.fetch")
    for n, ranks, size, workers in product((0, 1, 5, 11, 12, 17), (1, 2), (1, 2, 3), range(4)):
        lanes = sharded([(record, False) for record in range(n)], ranks, "strided", "uneven")
        for rank, lane in enumerate(lanes):
            batches = batched(lane, size, tail)
            expected = mapped(batches, workers, rank, process_seed, persistent=persistent)

            assert [
                model.samples(n, ranks, size, workers, rank=rank, epoch=epoch) for epoch in range(EPOCHS)
            ] == list(expected)


@pytest.mark.parametrize(
    "below", ["accumulate(2)", "accumulate(2, tail = carry)", "accumulate(3, tail = drop)"]
)
def test_batches_are_built_before_they_are_accumulated(below: str) -> None:
    for n, workers in product((5, 12, 13), range(4)):
        of = plan(n, "epochs = 3", "batch(2)", f"fetch({workers})", below, "augment()")
        expected = list(mapped(chunks(range(n), 2), workers, 0, "same", persistent=False))
        left = len(modelled(of, 0, 0))

        assert modelled(of, 0, 0) == expected[0][:left]
        assert workers == 0 or modelled(of, 0, 1) == expected[1][:left]


def test_records_that_are_not_batched_are_dealt_to_the_workers_one_by_one() -> None:
    of = plan(5, "fetch(2)", "augment()")

    assert modelled(of, 0, 0) == [
        (PROCESS, 1000, 0, 0),
        (PROCESS, 1001, 0, 1),
        (PROCESS, 1000, 1, 0),
        (PROCESS, 1001, 1, 1),
        (PROCESS, 1000, 2, 0),
    ]


def test_main_process_goes_on_from_epoch_to_epoch() -> None:
    for entries in (("batch(2)",), ("batch(2)", "fetch(0)"), ("style = iterable", "batch(2)")):
        of = plan(3, "epochs = 3", *entries, "augment()")

        assert [[each[:3] for each in modelled(of, 0, epoch)] for epoch in range(3)] == [
            [(MAIN, 0, 0), (MAIN, 0, 1), (MAIN, 0, 2)],
            [(MAIN, 0, 3), (MAIN, 0, 4), (MAIN, 0, 5)],
            [(MAIN, 0, 6), (MAIN, 0, 7), (MAIN, 0, 8)],
        ]


def test_persistent_workers_go_on_where_the_short_batch_left_them() -> None:
    of = plan(5, "epochs = 2", "batch(2)", "fetch(2, persistent = true)", "augment()")

    assert modelled(of, 0, 1) == [
        (PROCESS, 1000, 3, 0),
        (PROCESS, 1000, 4, 0),
        (PROCESS, 1001, 2, 1),
        (PROCESS, 1001, 3, 1),
        (PROCESS, 1000, 5, 0),
    ]


def test_distinct_base_seeds_meet_where_base_and_worker_add_up() -> None:
    of = plan(8, "ranks = 2", "shard(ranks)", "batch(1)", "fetch(71)", "augment(process_seed = distinct)")
    seeds = [{seed for _, seed, _, _ in modelled(of, rank, 0)} for rank in range(2)]
    further = plan(
        200, "ranks = 2", "shard(ranks)", "batch(1)", "fetch(71)", "augment(process_seed = distinct)"
    )
    met = [{seed for _, seed, _, _ in modelled(further, rank, 0)} for rank in range(2)]

    assert seeds[0] & seeds[1] == set()
    assert met[0] & met[1] == {1070}


@pytest.mark.parametrize("process_seed", ["same", "distinct", "independent"])
@pytest.mark.parametrize("tail", ["keep", "drop", "pad"])
def test_workers_of_an_iterable_loader_count_their_own_records(tail: str, process_seed: str) -> None:
    of = plan(
        None,
        "style = iterable",
        "ranks in 1..",
        "workers in 0..",
        f"epochs = {EPOCHS}",
        "shard(ranks * workers)",
        f"batch(in 1.., tail = {tail})",
        f"augment(process_seed = {process_seed})",
    )
    model = Drawing(of, "d.size", "l.ranks", "l.workers", "l.batch")
    for n, ranks, size, workers in product((0, 1, 7, 12, 13), (1, 2), (1, 2), range(1, 4)):
        lanes = sharded([(record, False) for record in range(n)], ranks * workers, "strided", "uneven")
        for rank, epoch in product(range(ranks), range(EPOCHS)):
            processes = started(workers, epoch, rank, process_seed)
            expected = [
                process.sample(worker)
                for worker, process in enumerate(processes)
                for batch in batched(lanes[rank * workers + worker], size, tail)
                for _ in batch
            ]

            assert model.samples(n, ranks, workers, size, rank=rank, epoch=epoch) == expected


@pytest.mark.parametrize("tail", ["keep", "drop"])
def test_persistent_workers_of_an_iterable_loader_draw_for_what_they_drop(tail: str) -> None:
    of = plan(
        None,
        "style = iterable",
        "workers in 1..",
        "persistent = true",
        f"epochs = {EPOCHS}",
        "shard(workers)",
        f"batch(3, tail = {tail})",
        "augment()",
    )
    model = Drawing(of, "d.size", "l.workers")
    for n, workers in product((0, 1, 7, 12, 13), range(1, 4)):
        lanes = sharded([(record, False) for record in range(n)], workers, "strided", "uneven")
        processes = started(workers, 0, 0, "same")
        for epoch in range(EPOCHS):
            drawn = [
                [process.sample(worker) for _ in lanes[worker]] for worker, process in enumerate(processes)
            ]
            kept = [len(lane) // 3 * 3 if tail == "drop" else len(lane) for lane in lanes]
            expected = [sample for own, many in zip(drawn, kept, strict=True) for sample in own[:many]]

            assert model.samples(n, workers, epoch=epoch) == expected


@pytest.mark.parametrize(
    "entries", [("batch(2)", "fetch(3)"), ("style = iterable", "workers = 3", "shard(workers)", "batch(2)")]
)
def test_record_draws_from_itself_whoever_reads_it(entries: tuple[str, ...]) -> None:
    of = plan(7, "epochs = 2", *entries, "augment(stream = record)")

    for epoch in range(2):
        assert sorted(each[:3] for each in modelled(of, 0, epoch)) == [(RECORD, at, 0) for at in range(7)]


def test_nothing_draws_without_an_augment() -> None:
    assert augment_of(plan(5, "batch(2)")) is None
