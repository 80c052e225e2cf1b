"""Iterable loaders are torch's: each worker has its stream, batches and tail, and they take turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from epochproof.observe.instances import Instance
from epochproof.observe.streamed import Streamed, streamable
from epochproof.stage.shard import Shard
from epochproof.term.node import number
from tests.observe.bench import Choices, bench, grid, ran, spec

STREAM = "style = iterable; ranks in 1..; workers in 0..".replace("; ", "\n  ")
SMALL: Choices = {
    "d.size": [0, 1, 2, 3, 5, 8, 9, 13],
    "l.ranks": [1, 2, 3],
    "l.workers": [0, 1, 2, 3, 5],
    "l.batch": [1, 2, 4],
    "l.seed": [0, 2**32 + 5],
}


@pytest.mark.parametrize("layout", ["strided", "blocked"])
@pytest.mark.parametrize("tail", ["uneven", "pad", "drop"])
@pytest.mark.parametrize(
    "lanes", ["workers", "ranks", "ranks * workers", "ranks * workers, id = worker_major"]
)
def test_deals(lanes: str, tail: str, layout: str) -> None:
    compared, differences = grid(
        f"shard({lanes}, layout = {layout}, tail = {tail}); batch(in 1.., tail = drop)",
        SMALL,
        settings=STREAM,
    )

    assert compared > 500
    assert differences == []


@pytest.mark.parametrize(
    "stages",
    [
        "copy(workers); batch(in 1..)",
        "copy(ranks * workers); batch(in 1.., tail = pad)",
        "shuffle(seed = any); shard(ranks * workers); batch(in 1..)",
        "shuffle(seed = any, shared = false); shard(workers); batch(in 1.., tail = drop)",
        "shard(ranks); shuffle(seed = any); shard(workers, layout = blocked); batch(in 1..)",
        "shard(workers); batch(in 1..); batch(2, tail = drop)",
        "shard(ranks * workers)",
    ],
)
def test_streams(stages: str) -> None:
    compared, differences = grid(stages, SMALL, settings=f"{STREAM}\n  epochs = 2")

    assert compared > 300
    assert differences == []


WORKED = [
    ("copy(workers); batch(2)", (5, 1, 2)),
    ("shard(ranks * workers); batch(2)", (10, 1, 2)),
    ("shard(ranks * workers); batch(2, tail = drop)", (11, 2, 3)),
    ("shard(ranks * workers, id = worker_major); batch(2)", (11, 2, 3)),
    ("shard(workers, layout = blocked); batch(2)", (9, 2, 4)),
    ("shard(ranks); batch(3, tail = pad)", (7, 2, 2)),
    ("shuffle(seed = 3); shard(ranks); shard(workers); batch(2)", (13, 2, 2)),
    ("shard(workers)", (5, 1, 2)),
    ("shard(workers, tail = pad); batch(2)", (5, 1, 3)),
    ("shard(workers); batch(4, tail = drop)", (9, 1, 0)),
    ("shard(workers); batch(4)", (0, 1, 2)),
]


@pytest.mark.parametrize(("stages", "values"), WORKED)
def test_worker_processes_read_what_the_model_says(stages: str, values: tuple[int, int, int]) -> None:
    on_bench, names = bench(stages, settings=f"{STREAM}\n  epochs = 2")
    instance = Instance(dict(zip(names, values, strict=True)))

    assert streamable(on_bench.loader)
    assert on_bench.difference(instance, processes=True) is None


def test_workers_that_built_are_told() -> None:
    on_bench, _ = bench("shard(workers); batch(2)", settings=STREAM)

    read = on_bench.worked.open({"d.size": 9, "l.ranks": 1, "l.workers": 3}, 0, processes=True)(0)

    assert isinstance(on_bench.worked, Streamed)
    assert read.groups == ((0, 3), (1, 4), (2, 5), (6,), (7,), (8,))
    assert read.built == (0, 1, 2, 0, 1, 2)


class Sizes(IterableDataset):  # type: ignore[misc]
    """Worker w gives `sizes[w]` items: (w, how many before)."""

    def __init__(self, *sizes: int) -> None:
        super().__init__()
        self.sizes = sizes

    def __iter__(self) -> Iterator[tuple[int, int]]:
        info = get_worker_info()
        yield from ((info.id, at) for at in range(self.sizes[info.id]))


def test_round_robin_is_over_the_workers_that_still_have_a_batch() -> None:
    """`reference/pytorch.md` 4.3, and what the model says of a blocked deal with an empty last lane."""
    loader = DataLoader(Sizes(1, 5, 2), batch_size=2, num_workers=3, collate_fn=list)

    assert list(loader) == [[(0, 0)], [(1, 0), (1, 1)], [(2, 0), (2, 1)], [(1, 2), (1, 3)], [(1, 4)]]


def delivered(
    stages: str, values: tuple[int, int, int], *, processes: bool
) -> tuple[list[int], list[int], int]:
    """Batches of each rank, slots of each rank, and how many records no rank read: from torch."""
    on_bench, names = bench(stages, settings=STREAM)
    numbers = dict(zip(names, values, strict=True))
    real = on_bench.worked if processes else on_bench.real
    reads = [real.open(numbers, rank, processes=processes)(0) for rank in range(values[1])]
    seen = {record for read in reads for group in read.groups for record in group}
    slots = [sum(map(len, read.groups)) for read in reads]
    instance = Instance(numbers)
    if len(reads) < 8:
        assert on_bench.difference(instance, processes=processes) is None
    return [read.steps for read in reads], slots, values[0] - len(seen)


NONE, WORKER, RANK, MAJOR = (
    "copy(ranks * workers)",
    "shard(workers)",
    "shard(ranks)",
    "shard(ranks * workers)",
)
MINOR, BLOCK = "shard(ranks * workers, id = worker_major)", "shard(ranks * workers, layout = blocked)"
Cell = tuple[list[int], int, int]
TABLE: list[tuple[tuple[int, int, int], int, str, Cell, Cell]] = [
    ((103, 2, 2), 4, NONE, ([52, 52], 412, 0), ([50, 50], 400, 3)),
    ((103, 2, 2), 4, WORKER, ([26, 26], 206, 0), ([25, 25], 200, 3)),
    ((103, 2, 2), 4, RANK, ([26, 26], 206, 0), ([26, 24], 200, 3)),
    ((103, 2, 2), 4, MAJOR, ([14, 14], 103, 0), ([12, 12], 96, 7)),
    ((9, 2, 2), 4, RANK, ([4, 2], 18, 0), ([2, 2], 16, 1)),
    ((9, 2, 2), 4, MAJOR, ([2, 2], 9, 0), ([0, 0], 0, 9)),
    ((50, 2, 3), 8, MAJOR, ([5, 3], 50, 0), ([3, 3], 48, 2)),
    ((50, 2, 3), 8, MINOR, ([4, 4], 50, 0), ([3, 3], 48, 2)),
    ((100, 4, 3), 7, BLOCK, ([6, 6, 6, 5], 100, 0), ([3, 3, 3, 2], 77, 23)),
    ((1000, 8, 4), 32, MAJOR, ([4] * 8, 1000, 0), ([4, 4, 0, 0, 0, 0, 0, 0], 256, 744)),
    ((1000, 8, 4), 32, MINOR, ([4] * 8, 1000, 0), ([1] * 8, 256, 744)),
]
"""`reference/pytorch.md` 4.4; what it leaves out of its last rows was read off torch."""


@pytest.mark.parametrize(("values", "batch", "policy", "kept", "cut"), TABLE)
def test_table_of_policies(
    values: tuple[int, int, int], batch: int, policy: str, kept: Cell, cut: Cell
) -> None:
    processes = values[0] <= 50

    keep = delivered(f"{policy}; batch({batch})", values, processes=processes)
    drop = delivered(f"{policy}; batch({batch}, tail = drop)", values, processes=processes)

    assert (keep[0], sum(keep[1]), keep[2]) == kept
    assert (drop[0], sum(drop[1]), drop[2]) == cut


def test_unsharded_and_sharded_streams_of_the_table() -> None:
    """`reference/pytorch.md` 4.1."""
    copied, _ = bench("copy(workers); batch(2)", settings=STREAM)
    dealt, _ = bench("shard(workers); batch(2)", settings=STREAM)
    five, ten = ({"d.size": size, "l.ranks": 1, "l.workers": 2} for size in (5, 10))

    assert copied.worked.open(five, 0, processes=True)(0).groups == (
        (0, 1),
        (0, 1),
        (2, 3),
        (2, 3),
        (4,),
        (4,),
    )
    assert dealt.worked.open(ten, 0, processes=True)(0).groups == ((0, 2), (1, 3), (4, 6), (5, 7), (8,), (9,))


def test_loss_of_worker_tails_is_at_most_one_short_of_a_batch_each() -> None:
    lost = max(
        delivered("shard(ranks * workers); batch(4, tail = drop)", (size, ranks, workers), processes=False)[2]
        - ranks * workers * 3
        for size, ranks, workers in product(range(0, 40, 3), (1, 2, 3), (1, 2, 3))
    )

    assert lost == 0


def test_epoch_reaches_workers_that_are_started_afterwards() -> None:
    text = spec(
        "shuffle(seed = 1); shard(workers); batch(2)",
        settings="style = iterable\n  workers = 2\n  epochs = 3",
        size="= 9",
    )
    (found,) = ran(text).loaders

    assert (found.difference, found.with_workers) == (None, 1)


def test_stream_without_workers_is_read_by_the_main_process() -> None:
    text = spec("shard(workers); batch(2)", settings="style = iterable\n  workers = 0", size="= 9")
    (found,) = ran(text).loaders

    assert (found.difference, found.instances, found.with_workers) == (None, 1, 1)


def test_planted_fault_shows_in_worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    _, names = bench("shard(ranks * workers); batch(2)", settings=STREAM)
    monkeypatch.setattr(
        Shard, "lane_index", lambda _, here: number(0) + here.lane.worker * here.lane.ranks + here.lane.rank
    )
    wrong, _ = bench("shard(ranks * workers); batch(2)", settings=STREAM)
    instance = Instance(dict(zip(names, (9, 2, 2), strict=True)))

    found = wrong.difference(instance, processes=True)

    assert found is not None
    assert (found.rank, found.step, found.slot, found.model, found.torch) == (1, 0, 0, "record 1", "record 2")
    assert found.real == "DataLoader over an IterableDataset with workers"


def test_batches_of_a_deal_of_which_nothing_is_known() -> None:
    text = spec(
        "shard(ranks * workers, layout = any); batch(in 1..4, tail = drop)",
        settings="style = iterable\n  ranks in 1..3\n  workers in 0..2",
    )
    (found,) = ran(text).loaders

    assert found.difference is None
    assert found.instances > 3
    assert found.occurrences > 20
