"""The recorder writes what a loop gets, and the loop gets what it got without it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from torch.utils.data import (  # noqa: E402 -- after the skip
    BatchSampler,
    DataLoader,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    WeightedRandomSampler,
    get_worker_info,
)
from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: E402 -- after the skip

from epochproof import SpecError, record  # noqa: E402 -- after the skip
from epochproof.audit.trace import open_trace  # noqa: E402 -- after the skip
from tests.traces import rows, steps, told  # noqa: E402 -- after the skip


class Shards(IterableDataset[Any]):  # type: ignore[misc]  # torch is not seen by mypy
    """Records `0..size - 1`, dealt to workers."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        info = get_worker_info()
        first, stride = (0, 1) if info is None else (info.id, info.num_workers)
        for each in range(first, self.size, stride):
            yield {"id": each, "name": f"clip-{each}", "pixels": torch.full((2,), float(each))}


class Twice(DataLoader[Any]):  # type: ignore[misc]  # as above
    """Hands out each batch twice."""

    def __iter__(self) -> Any:
        for batch in super().__iter__():
            yield from (batch, batch)


class Keyed:
    """A dataset whose keys are texts."""

    def __getitem__(self, key: str) -> int:
        return int(key, 16)

    def __len__(self) -> int:
        return 16


def shuffled(**options: Any) -> DataLoader[Any]:
    """Ten records in shuffled batches of three."""
    generator = torch.Generator().manual_seed(7)
    return DataLoader(range(10), **{"batch_size": 3, "shuffle": True, "generator": generator} | options)


LOADERS: dict[str, Callable[[], Any]] = {
    "in order": lambda: DataLoader(range(10), batch_size=3),
    "shuffled": shuffled,
    "shuffled by the global generator": lambda: DataLoader(range(10), batch_size=3, shuffle=True),
    "dropped tail": lambda: shuffled(drop_last=True),
    "no batches": lambda: DataLoader(range(4), batch_size=None, shuffle=True),
    "batches from the sampler": lambda: DataLoader(
        torch.arange(10), batch_size=None, sampler=BatchSampler(RandomSampler(range(10)), 3, drop_last=False)
    ),
    "weighted draws": lambda: DataLoader(
        range(4), sampler=WeightedRandomSampler([1, 2, 3, 4], 9), batch_size=2
    ),
    "a batch sampler of one's own": lambda: DataLoader(range(6), batch_sampler=[(0, 3), [5], [1, 2, 4]]),
    "one rank of three": lambda: DataLoader(range(10), 2, sampler=DistributedSampler(range(10), 3, 1)),
    "nothing": lambda: DataLoader([], batch_size=3),
    "two workers": lambda: shuffled(num_workers=2),
    "two workers that stay": lambda: shuffled(num_workers=2, persistent_workers=True),
    "stateful": lambda: StatefulDataLoader(range(10), batch_size=3, shuffle=True),
    "stateful, two workers": lambda: StatefulDataLoader(range(10), batch_size=3, shuffle=True, num_workers=2),
}


def listed(batch: Any) -> list[int]:
    return [int(each) for each in torch.as_tensor(batch).reshape(-1)]


def passes(loader: Any) -> tuple[list[list[list[int]]], list[Any]]:
    """What two passes over a loader hand out, and the states of every generator after each."""
    seen, states = [], []
    for _ in range(2):
        seen.append([listed(batch) for batch in loader])
        own = getattr(loader, "generator", None)
        states += [torch.get_rng_state().tolist(), random.getstate(), own and own.get_state().tolist()]
    return seen, states


@pytest.mark.parametrize("name", LOADERS)
def test_loop_gets_what_it_gets_without_the_recorder(name: str, tmp_path: Path) -> None:
    torch.manual_seed(3)
    bare = passes(LOADERS[name]())
    torch.manual_seed(3)
    recorded = passes(record(LOADERS[name](), tmp_path))

    assert recorded == bare


@pytest.mark.parametrize("name", LOADERS)
def test_trace_is_what_the_loop_got(name: str, tmp_path: Path) -> None:
    with record(LOADERS[name](), tmp_path) as loader:
        seen, _ = passes(loader)

    batches = [(epoch, step, tuple(each)) for epoch, one in enumerate(seen) for step, each in enumerate(one)]
    assert steps(tmp_path) == batches


def test_order_of_other_draws_does_not_matter(tmp_path: Path) -> None:
    """`iter` draws the seed of the workers at once, as it does without the recorder."""

    def drawn(loader: Any) -> list[Any]:
        torch.manual_seed(5)
        batches = iter(loader)
        return [torch.rand(1).item(), *(listed(each) for each in batches)]

    bare = drawn(DataLoader(range(10), batch_size=3, shuffle=True))

    assert drawn(record(DataLoader(range(10), batch_size=3, shuffle=True), tmp_path)) == bare


def test_worker_is_the_one_that_built_the_batch(tmp_path: Path) -> None:
    def collate(records: list[int]) -> tuple[list[int], int]:
        info = get_worker_info()
        return records, -1 if info is None else info.id

    with record(shuffled(num_workers=2, collate_fn=collate), tmp_path) as loader:
        built = [(step, worker, each) for step, (some, worker) in enumerate(loader) for each in some]

    assert rows(tmp_path, "step", "worker", "record") == built


def test_batches_that_come_in_any_order_are_written_as_they_come(tmp_path: Path) -> None:
    with record(shuffled(num_workers=2, in_order=False, batch_size=1), tmp_path) as loader:
        seen = [(step, *listed(batch)) for step, batch in enumerate(loader)]

    assert rows(tmp_path, "step", "record") == seen
    assert set(rows(tmp_path, "padded")) == {(None,)}


def test_main_process_is_worker_0_and_slots_count_within_a_batch(tmp_path: Path) -> None:
    for _ in record(DataLoader(range(5), batch_size=2), tmp_path):
        pass

    assert rows(tmp_path) == [
        (0, 0, 0, 0, 0),
        (0, 0, 0, 1, 1),
        (0, 0, 1, 0, 2),
        (0, 0, 1, 1, 3),
        (0, 0, 2, 0, 4),
    ]


@pytest.mark.parametrize(("size", "ranks", "batch"), [(10, 3, 2), (2, 5, 1), (1, 4, 3), (9, 3, 2), (7, 2, 4)])
def test_padding_of_a_distributed_sampler_is_marked(
    size: int, ranks: int, batch: int, tmp_path: Path
) -> None:
    """Taken together, what is not marked is each record once."""
    for rank in range(ranks):
        sampler = DistributedSampler(range(size), ranks, rank)
        for _ in record(DataLoader(range(size), batch, sampler=sampler), tmp_path, rank=rank, ranks=ranks):
            pass

    found = rows(tmp_path, "record", "padded")
    assert sorted(each for each, padded in found if padded is False) == list(range(size))
    assert len(found) == -(-size // ranks) * ranks


def test_nothing_is_said_of_padding_where_the_sampler_is_not_torchs(tmp_path: Path) -> None:
    for _ in record(DataLoader(range(6), batch_sampler=[[0, 3], [5]]), tmp_path):
        pass

    assert set(rows(tmp_path, "padded")) == {(None,)}


@pytest.mark.parametrize("workers", [0, 2])
def test_ids_of_an_iterable_loader_are_in_a_field(workers: int, tmp_path: Path) -> None:
    loader = DataLoader(Shards(5), batch_size=2, num_workers=workers)
    with record(loader, tmp_path, field="id", clip="name", view=lambda each: each["id"] % 2) as batches:
        seen = [each["id"].tolist() for each in batches]

    assert [list(each) for _, _, each in steps(tmp_path)] == seen
    assert set(rows(tmp_path, "record", "clip", "view")) == {
        (each, f"clip-{each}", each % 2) for each in range(5)
    }
    assert {worker for (worker,) in rows(tmp_path, "worker")} == set(range(max(workers, 1)))


def test_any_iterable_is_recorded_with_a_function(tmp_path: Path) -> None:
    batches = [(["a", "b"], 1), (["c"], 2)]
    recorded = record(
        batches, tmp_path, ids=lambda each: each[0], padded=lambda each: [each[1] == 2] * len(each[0])
    )

    assert list(recorded) == batches and len(recorded) == 2
    recorded.close()
    assert rows(tmp_path, "worker", "step", "record", "padded", "source") == [
        (-1, 0, "a", False, None),
        (-1, 0, "b", False, None),
        (-1, 1, "c", True, None),
    ]


def test_keys_that_are_texts_are_the_ids(tmp_path: Path) -> None:
    for _ in record(DataLoader(Keyed(), sampler=["a", "f", "3"], batch_size=2), tmp_path):
        pass

    assert rows(tmp_path, "step", "record") == [(0, "a"), (0, "f"), (1, "3")]


@pytest.mark.parametrize("records", [[2**32, 5], [-1, 3], [2**63 - 1]])
def test_ids_of_any_size_are_kept(records: list[int], tmp_path: Path) -> None:
    for _ in record([records, [1]], tmp_path, ids=list):
        pass

    assert rows(tmp_path, "record") == [*((each,) for each in records), (1,)]


def test_elapsed_rises_and_is_left_out_unless_asked_for(tmp_path: Path) -> None:
    for _ in record(DataLoader(range(4), batch_size=2), tmp_path / "timed", elapsed=True):
        pass
    for _ in record(DataLoader(range(4), batch_size=2), tmp_path / "bare"):
        pass

    first, same, second, _ = (each for (each,) in rows(tmp_path / "timed", "elapsed"))
    assert 0 <= first == same < second
    assert set(rows(tmp_path / "bare", "elapsed")) == {(None,)}


def test_exception_of_the_loader_passes_through_and_its_batch_is_not_written(tmp_path: Path) -> None:
    class Fails:
        def __getitem__(self, at: int) -> int:
            if at == 3:
                raise LookupError("3 is lost")
            return at

        def __len__(self) -> int:
            return 6

    with record(DataLoader(Fails(), batch_size=2), tmp_path) as loader:
        batches = iter(loader)
        assert listed(next(batches)) == [0, 1]
        with pytest.raises(LookupError, match="3 is lost"):
            next(batches)
        assert listed(next(batches)) == [4, 5]

    assert [(step, records) for _, step, records in steps(tmp_path)] == [(0, (0, 1)), (1, (4, 5))]


def test_exception_of_the_loop_passes_through_and_the_trace_is_whole(tmp_path: Path) -> None:
    def stops() -> None:
        with record(DataLoader(range(4), batch_size=2), tmp_path) as loader:
            for _ in loader:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stops()

    assert [records for _, _, records in steps(tmp_path)] == [(0, 1)]


@pytest.mark.parametrize("workers", [0, 2])
def test_pass_that_is_broken_off_holds_what_was_handed_out(workers: int, tmp_path: Path) -> None:
    with record(DataLoader(range(10), batch_size=2, num_workers=workers), tmp_path) as loader:
        for _ in loader:
            break
        for step, _ in enumerate(loader):
            if step == 1:
                break

    assert [(epoch, step) for epoch, step, _ in steps(tmp_path)] == [(0, 0), (1, 0), (1, 1)]


def test_two_passes_at_a_time_are_two_epochs(tmp_path: Path) -> None:
    with record(DataLoader(range(4), batch_size=2), tmp_path) as loader:
        seen = list(zip(loader, loader, strict=True))

    assert len(seen) == 2
    assert sorted(steps(tmp_path)) == [(0, 0, (0, 1)), (0, 1, (2, 3)), (1, 0, (0, 1)), (1, 1, (2, 3))]


def test_epochs_are_counted_from_the_first_and_can_be_set(tmp_path: Path) -> None:
    told_to: list[int] = []

    class Own(DataLoader[Any]):  # type: ignore[misc]  # as above
        def set_epoch(self, epoch: int) -> None:
            told_to.append(epoch)

    with record(Own(range(2), batch_size=2), tmp_path, epoch=3) as loader:
        list(loader)
        list(loader)
        loader.set_epoch(9)
        list(loader)

    assert [epoch for epoch, _, _ in steps(tmp_path)] == [3, 4, 9]
    assert told_to == [9]


def test_what_the_loader_has_the_recorded_one_has(tmp_path: Path) -> None:
    loader = shuffled()
    recorded = record(loader, tmp_path)

    assert len(recorded) == 4
    assert recorded.dataset is loader.dataset and recorded.batch_sampler is loader.batch_sampler
    with pytest.raises(AttributeError):
        recorded.nothing  # noqa: B018 -- the look-up is the test


def test_loader_is_its_own_again_when_the_trace_is_closed(tmp_path: Path) -> None:
    loader = shuffled()
    before = dict(loader.__dict__)
    with record(loader, tmp_path) as recorded:
        list(recorded)
        assert type(iter(loader)) is not torch.utils.data.dataloader._SingleProcessDataLoaderIter

    assert loader.__dict__ == before
    assert type(iter(loader)) is torch.utils.data.dataloader._SingleProcessDataLoaderIter


def test_passes_over_the_bare_loader_are_not_written(tmp_path: Path) -> None:
    loader = shuffled()
    with record(loader, tmp_path) as recorded:
        list(loader)
        list(recorded)
        list(loader)

    assert {epoch for epoch, _, _ in steps(tmp_path)} == {0}
    assert len(rows(tmp_path)) == 10


@pytest.mark.parametrize("workers", [0, 2])
def test_stateful_loader_goes_on_in_a_segment_of_its_own(workers: int, tmp_path: Path) -> None:
    def loader() -> StatefulDataLoader[Any]:
        return StatefulDataLoader(range(12), batch_size=2, num_workers=workers)

    with record(loader(), tmp_path) as first:
        for step, _ in enumerate(first):
            if step == 2:
                state = first.state_dict()
                break
    with record(loader(), tmp_path, resume=True) as second:
        second.load_state_dict(state)
        list(second)

    assert steps(tmp_path) == [(0, step, (2 * step, 2 * step + 1)) for step in range(6)]
    with open_trace(tmp_path) as trace:
        assert [(each.about.segment, each.about.epoch, each.about.step) for each in trace.segments] == [
            (0, 0, 0),
            (1, 0, 3),
        ]


def test_padding_is_marked_after_a_resume(tmp_path: Path) -> None:
    def loader() -> StatefulDataLoader[Any]:
        sampler = DistributedSampler(range(5), 4, 1, shuffle=False)
        return StatefulDataLoader(range(5), 1, sampler=sampler)

    bare = loader()
    for _ in bare:
        break
    with record(loader(), tmp_path, rank=1, ranks=4, resume=True) as second:
        second.load_state_dict(bare.state_dict())
        list(second)

    assert rows(tmp_path, "step", "record", "padded", every_rank=False) == [(1, 0, True)]


def test_nothing_is_said_of_padding_where_only_the_user_knows_the_step(tmp_path: Path) -> None:
    sampler = DistributedSampler(range(5), 4, 1)
    list(record(DataLoader(range(5), sampler=sampler), tmp_path, rank=1, ranks=4, step=7))

    assert set(rows(tmp_path, "padded", every_rank=False)) == {(None,)}


def test_run_that_goes_on_says_where(tmp_path: Path) -> None:
    list(record(DataLoader(range(4), batch_size=2), tmp_path))
    list(record(DataLoader(range(4), batch_size=2), tmp_path, epoch=1, step=5))

    assert [(epoch, step) for epoch, step, _ in steps(tmp_path)] == [(0, 0), (0, 1), (1, 5), (1, 6)]


def test_accelerates_loader_looks_ahead_and_is_written_in_step(tmp_path: Path) -> None:
    accelerate = pytest.importorskip("accelerate")
    loader = accelerate.data_loader.prepare_data_loader(shuffled(), num_processes=2, process_index=1)

    with record(loader, tmp_path, rank=1, ranks=2) as recorded:
        seen = [(0, step, tuple(listed(batch))) for step, batch in enumerate(recorded)]
        written = len(rows(tmp_path, every_rank=False))

    assert written == sum(len(each) for *_, each in seen)
    assert [tuple(each) for each in rows(tmp_path, "record", every_rank=False)] == [
        (each,) for *_, some in seen for each in some
    ]


def test_batches_that_accelerate_skips_are_not_written(tmp_path: Path) -> None:
    accelerate = pytest.importorskip("accelerate")
    loader = accelerate.data_loader.DataLoaderShard(range(10), batch_size=3, skip_batches=2)

    with record(loader, tmp_path) as recorded:
        seen = [listed(batch) for batch in recorded]

    assert seen == [[6, 7, 8], [9]]
    assert steps(tmp_path) == [(0, 2, (6, 7, 8)), (0, 3, (9,))]


FAULTS: dict[str, tuple[Callable[[Path], Any], str, str]] = {
    "iterable without ids": (
        lambda at: record(DataLoader(Shards(3)), at),
        "E809",
        "nothing says which records a DataLoader hands out",
    ),
    "any iterable without ids": (
        lambda at: record([[1]], at),
        "E809",
        "nothing says which records a list hands out",
    ),
    "no such field": (
        lambda at: list(record(DataLoader(Shards(3), batch_size=2), at, field="ids")),
        "E809",
        "a batch has no field `ids`: it has `id`, `name`, `pixels` (epoch 0, step 0)",
    ),
    "field of numbers that are no ids": (
        lambda at: list(record([{"id": [0.5]}], at, field="id")),
        "E809",
        "`0.5` is a float, no record id (epoch 0, step 0)",
    ),
    "too few sources": (
        lambda at: list(record([[1, 2]], at, ids=list, source=lambda _: ["a"])),
        "E809",
        "`source` has 1 values for 2 records (epoch 0, step 0)",
    ),
    "loader that is iterated in its own way": (
        lambda at: record(Twice(range(3)), at),
        "E809",
        "nothing says which records a Twice hands out",
    ),
    "keys of two kinds": (
        lambda at: list(record(DataLoader({1: 5, "a": 6}, batch_sampler=[["a"], [1]]), at)),
        "E809",
        "record ids are whole numbers here, and were texts before",
    ),
    "ids of two kinds": (
        lambda at: list(record([[1], ["a"]], at, ids=list)),
        "E809",
        "record ids are texts here, and were whole numbers before",
    ),
    "keys that are no ids": (
        lambda at: list(record(DataLoader({(0, 1): 5}, sampler=[(0, 1)], batch_size=None), at)),
        "E809",
        "`(0, 1)` is a tuple, no record id (epoch 0, step 0)",
    ),
    "id that is too large": (
        lambda at: list(record([[2**63]], at, ids=list)),
        "E809",
        "9223372036854775808 is too large for the column `record` (epoch 0, step 0)",
    ),
    "rank alone": (lambda at: record(shuffled(), at, rank=1), "E810", "`rank` is given without `ranks`"),
    "rank out of range": (
        lambda at: record(shuffled(), at, rank=4, ranks=4),
        "E810",
        "`rank` is 4, and `ranks` is 4",
    ),
    "field and function": (
        lambda at: record(shuffled(), at, field="id", ids=list),
        "E810",
        "`field` and `ids` are both given",
    ),
    "negative epoch": (
        lambda at: record(shuffled(), at, epoch=-1),
        "E810",
        "`epoch` is -1 and `step` is 0",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_told(name: str, tmp_path: Path) -> None:
    call, code, message = FAULTS[name]

    with pytest.raises(SpecError) as raised:
        call(tmp_path / "trace")

    assert told(raised.value) == (code, message)


def test_workers_that_started_before_the_recorder_are_refused(tmp_path: Path) -> None:
    loader = shuffled(num_workers=1, persistent_workers=True)
    list(loader)

    with pytest.raises(SpecError) as raised:
        iter(record(loader, tmp_path))

    assert told(raised.value) == ("E809", "the loader keeps workers that were started before it was recorded")


def test_rank_is_that_of_the_process_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = torch.distributed
    monkeypatch.setenv("RANK", "4")
    distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
    try:
        list(record(DataLoader(range(2)), tmp_path))
    finally:
        distributed.destroy_process_group()

    assert set(rows(tmp_path, "rank")) == {(0,)}


def test_rank_is_that_of_torchrun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "2")
    monkeypatch.setenv("WORLD_SIZE", "5")
    list(record(DataLoader(range(2)), tmp_path))

    assert set(rows(tmp_path, "rank", every_rank=False)) == {(2,)}
    monkeypatch.setenv("WORLD_SIZE", "five")
    with pytest.raises(SpecError, match="E810 `RANK` is `2` and `WORLD_SIZE` is `five`"):
        record(DataLoader(range(2)), tmp_path / "other")
