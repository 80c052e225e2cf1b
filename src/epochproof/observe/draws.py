"""What samples really draw: `torch.rand` in real workers, and the model's word on which are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from epochproof.observe.real import Numbers, StageByStage, Values
from epochproof.observe.streamed import Streamed
from epochproof.schedule.deliveries import TABLES
from epochproof.schedule.draws import augment_of, draw
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.stage._permutation import own_seed
from epochproof.stage.fetch import Fetch
from epochproof.term.as_int import as_rows
from epochproof.term.node import variable

SEED = 1_234
"""The seed of the run: ranks are seeded with it alone, with it plus their number, or each on its own."""

_PATIENCE = 60
"""Seconds until a worker that does not answer is an error."""

Seeds = Callable[[int, int, int], int]
"""The seed of a worker process, by epoch, process and worker: what a `worker_init_fn` may set."""


@dataclass(frozen=True)
class Sample:
    """One sample that was read: `numbers` is what it drew, `seed` that of `WorkerInfo` or none."""

    rank: int
    epoch: int
    worker: int
    record: int
    numbers: tuple[float, ...]
    seed: int | None


@dataclass(frozen=True)
class Where:
    """Which ranks and epochs are looked at."""

    ranks: Sequence[int]
    epochs: Sequence[int]


class Drawing:
    """Records whose items draw: from ambient state, or from a generator seeded with the record."""

    def __init__(self, torch: Any, size: int, *, own: bool) -> None:
        self._torch, self._size, self._own = torch, size, own

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, record: int) -> tuple[int, int, int | None, tuple[float, ...]]:
        torch = self._torch
        generator = torch.Generator().manual_seed(record) if self._own else None
        numbers = tuple(torch.rand(2, generator=generator).tolist())
        info = torch.utils.data.get_worker_info()
        return record, 0 if info is None else info.id, None if info is None else info.seed, numbers


class Draws:
    """The samples of one loader with an `augment`, with all its worker processes."""

    def __init__(self, torch: Any, loader: Loader) -> None:
        augment = augment_of(plan_of(loader))
        if augment is None:
            raise ValueError(f"{loader.name} draws nothing")
        self._torch, self._loader, self._augment = torch, loader, augment
        self._numbers = Numbers(loader)
        fetch = next((at for at, each in enumerate(loader.stages) if isinstance(each.stage, Fetch)), None)
        above = loader.stages if fetch is None else loader.stages[: fetch + 1]
        self._fetch = None if fetch is None else loader.stages[fetch].stage
        self._above = StageByStage(torch, replace(loader, stages=above))
        self._all = StageByStage(torch, loader)

    @property
    def independent(self) -> bool:
        """Whether no process's seed tells another one's."""
        return self._augment.process_seed == "independent"

    def processes(self, values: Values) -> int:
        """How many worker processes a rank has."""
        if self._loader.iterable:
            return self._numbers.workers(values)
        return max((each.get("workers", 0) for each in self._numbers.options(values)), default=0)

    def process(self, rank: int) -> int:
        """Which process seed a rank has."""
        return 0 if self._augment.process_seed == "same" else rank

    def samples(self, values: Values, where: Where, seeds: Seeds | None = None) -> list[Sample]:
        """What is drawn, rank by rank and epoch by epoch, in the order in which it is read.

        Args:
            values: Of the loader's parameters.
            where: Ranks, and epochs that follow each other from 0.
            seeds: What a `worker_init_fn` sets; torch's own seeds if `None`.
        """
        found: list[Sample] = []
        for rank in where.ranks:
            with self._torch.random.fork_rng(devices=[]):
                self._torch.manual_seed(self._process_seed(rank))
                found += self._of_rank(values, rank, where.epochs, seeds)
        return found

    def _process_seed(self, rank: int) -> int:
        if self.independent:
            return own_seed(SEED, rank)
        return SEED + self.process(rank)

    def _of_rank(
        self, values: Values, rank: int, epochs: Sequence[int], seeds: Seeds | None
    ) -> Iterator[Sample]:
        started = [0]
        init = None
        if seeds is not None:
            process, given = self.process(rank), seeds

            def init(worker: int) -> None:
                self._torch.manual_seed(given(started[0], process, worker))

        read = (self._streamed if self._loader.iterable else self._mapped)(values, rank, init)
        length = self._all.open(values, rank)
        for epoch in epochs:
            started[0] = epoch
            wanted = sum(map(len, length(epoch).groups))
            for record, worker, seed, numbers in islice(read(epoch), wanted):
                yield Sample(rank, epoch, worker, record, numbers, seed)

    def _mapped(self, values: Values, rank: int, init: Any) -> Callable[[int], Iterator[Any]]:
        """One loader for all epochs, whose batches are those of the stages above `fetch`."""
        fetch = self._fetch
        at = next((at for at, each in enumerate(self._loader.stages) if each.stage is fetch), None)
        options = {} if at is None else self._numbers.options(values)[at]
        workers = options.get("workers", 0)
        persistent = isinstance(fetch, Fetch) and fetch.persistent and workers > 0
        above, batches = self._above.open(values, rank), list[list[int]]()
        loader = self._torch.utils.data.DataLoader(
            Drawing(self._torch, self._numbers.size(values), own=self._augment.stream == "record"),
            batch_sampler=batches,
            num_workers=workers,
            prefetch_factor=options["prefetch"] if workers else None,
            persistent_workers=persistent,
            collate_fn=list,
            timeout=_PATIENCE if workers else 0,
            worker_init_fn=init,
        )

        def read(epoch: int) -> Iterator[Any]:
            batches[:] = [list(group) for group in above(epoch).groups]
            for batch in loader:
                yield from batch

        return read

    def _streamed(self, values: Values, rank: int, init: Any) -> Callable[[int], Iterator[Any]]:
        drawing = Drawing(self._torch, self._numbers.size(values), own=self._augment.stream == "record")
        dataset, loader = Streamed(self._torch, self._loader).loader(
            values, rank, processes=True, item=drawing.__getitem__, worker_init_fn=init
        )
        batched = loader.batch_size is not None
        first = self._numbers.start_epoch(values)

        def read(epoch: int) -> Iterator[Any]:
            dataset.epoch = first + epoch
            for batch in loader:
                yield from batch if batched else [batch]

        return read

    def keys(
        self, values: Values, where: Where, functions: Mapping[str, Callable[..., int]]
    ) -> list[tuple[int, ...]]:
        """What the model says that the same samples draw from, and whether a worker; in the same order."""
        plan, p = plan_of(self._loader), variable("p")
        drawn = draw(plan, self._augment, p, plan.lane())
        names = sorted(values)
        inside = [*names, "rank", "epoch", "worker"]
        terms = (*drawn.key, drawn.worker, plan.record(p, plan.lane()), plan.step(p, plan.lane()))
        rows = as_rows(terms, "p", plan.length(plan.lane()), inside, {**TABLES, **functions})
        lanes = max(1, self._numbers.workers(values)) if self._loader.iterable else 1
        given = [values[name] for name in names]
        found: list[tuple[int, ...]] = []
        for rank in where.ranks:
            for epoch in where.epochs:
                each = [(*row, at) for at in range(lanes) for row in rows(*given, rank, epoch, at)]
                found += sorted(each, key=lambda row: (row[-2], row[-1])) if lanes > 1 else each
        return [row[:5] for row in found]


def first_apart(draws: Draws, values: Values, where: Where) -> tuple[Sample, str, str] | None:
    """The first sample that differs, what the model says of it, and what torch did; torch's own seeds.

    Two samples draw the same numbers exactly where the model's keys are equal.
    """
    samples = draws.samples(values, where)
    bases: dict[tuple[int, int], int] = {}
    seeds: dict[tuple[int, int, int], int] = {}
    for each in samples:
        if each.seed is not None:
            process = draws.process(each.rank)
            bases.setdefault((each.epoch, process), each.seed - each.worker)
            seeds.setdefault((each.epoch, process, each.worker), each.seed)
    functions: Mapping[str, Callable[..., int]] = {
        "base": lambda epoch, process: bases.get((epoch, process), -1 - epoch),
        "stream": lambda epoch, process, worker: seeds.get((epoch, process, worker), -1 - epoch),
    }
    return _compared(samples, draws.keys(values, where, functions))


def _compared(samples: Sequence[Sample], keys: Sequence[tuple[int, ...]]) -> tuple[Sample, str, str] | None:
    numbers: dict[tuple[int, ...], tuple[float, ...]] = {}
    first: dict[tuple[float, ...], tuple[tuple[int, ...], Sample]] = {}
    for sample, (*parts, worker, record) in zip(samples, keys, strict=True):
        key = tuple(parts)
        if (worker, record) != (sample.worker, sample.record):
            return sample, f"worker {worker} reads {record}", f"worker {sample.worker} reads {sample.record}"
        if numbers.setdefault(key, sample.numbers) != sample.numbers:
            return sample, "the random numbers of an earlier sample", "others"
        known, earlier = first.setdefault(sample.numbers, (key, sample))
        if known != key:
            where = f"rank {earlier.rank} drew for record {earlier.record} in epoch {earlier.epoch}"
            return sample, "random numbers of its own", f"those that {where}"
    return None
