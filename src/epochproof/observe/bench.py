"""One loader on the bench: its model, its real objects, and the two compared on an instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from epochproof.model.values import Scope
from epochproof.observe.compare import Apart, apart
from epochproof.observe.draws import Draws, Where, first_apart
from epochproof.observe.fused import Fused, fusable
from epochproof.observe.instances import Instance, epochs, only_epochs, parameters
from epochproof.observe.interruptions import Interruptions
from epochproof.observe.real import Numbers, Read, RealObject, StageByStage
from epochproof.observe.streamed import Streamed, streamable
from epochproof.report._run import Delivery, Difference
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.draws import augment_of
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.term.as_int import as_int
from epochproof.term.node import Int, variable

MOST, MOST_LISTED = 2_000_000, 20_000_000
"""So many occurrences of an instance run at most, on ranks that together list so many records.

Each rank of a `DistributedSampler` lists the whole population first.
"""

MOST_WORKERS = 16
"""An instance of more worker processes runs without them."""

TORCH_REFUSES = (ValueError, TypeError, RuntimeError, LookupError, ArithmeticError, AssertionError)
"""What torch raises where it cannot build or run a loader."""

_STEP = variable("step")


@dataclass(frozen=True)
class Extent:
    """The ranks, of `all_ranks`, and the epochs of an instance that run; none where one would be too much."""

    ranks: tuple[int, ...]
    epochs: tuple[int, ...]
    all_ranks: int


@dataclass(frozen=True)
class Lane:
    """One rank in one epoch of an instance."""

    rank: int
    epoch: int


class Bench:
    """Runs instances of one loader.

    `real` is the object that trains: the fused one, where there is one. With worker processes it is `worked`.
    """

    def __init__(self, torch: Any, loader: Loader, scope: Scope) -> None:
        self.loader = loader
        self._names = tuple(each.name for each in parameters(loader, scope))
        self._model = Compiled(plan_of(loader), loader.epochs, self._names)
        self._lists = lru_cache(maxsize=1)(self._model.run)
        self._numbers, self._epochs = Numbers(loader), as_int(loader.epochs, self._names)
        self.objects: list[RealObject] = [StageByStage(torch, loader)]
        if fusable(loader):
            self.objects.append(Fused(torch, loader))
        self.real = self.objects[-1]
        self.worked: RealObject = Streamed(torch, loader) if streamable(loader) else self.real
        drawn = augment_of(plan_of(loader)) is not None and (not loader.iterable or streamable(loader))
        self._draws = Draws(torch, loader) if drawn else None
        self._ranks = scope.parameters.get(str(loader.ranks.value))
        self.interruptions = Interruptions(torch, loader, self._names)
        self._free = set(self._names) - only_epochs(loader)
        self._worker = _worker(loader, self._names)

    @property
    def free(self) -> bool:
        """Whether what an epoch delivers depends on free parameters."""
        return bool(self._free)

    def extent(self, instance: Instance) -> Extent:
        """What of the instance runs: fewer epochs, then fewer ranks where all would be too much."""
        values = self._values(instance)
        size, every = self._numbers.size(instance.values), range(self._numbers.ranks(instance.values))
        few = sorted({each for each in (0, 1, len(every) // 2, len(every) - 1) if each in every})
        wanted = epochs(int(self._epochs(*values)))
        occurrences = self._model.weight(values, all_epochs=False) // len(every) + 1
        for ranks in (every, few):
            most = min(MOST // (occurrences * len(ranks)), MOST_LISTED // ((size + 1) * len(ranks)))
            if wanted[:most]:
                return Extent(tuple(ranks), wanted[:most], len(every))
        return Extent((), (), len(every))

    def ranks(self, instance: Instance) -> int:
        """The ranks of the instance."""
        return self._numbers.ranks(instance.values)

    def on_ranks(self, instance: Instance, ranks: int) -> Instance | None:
        """The instance on another number of ranks, if the loader leaves that free."""
        if self._ranks is None or ranks not in self._ranks.domain:
            return None
        values = {**instance.values, self._ranks.name: ranks}
        return Instance(values, (*instance.cases, f"on {ranks} ranks"))

    def workers(self, instance: Instance) -> int:
        """The worker processes of each rank."""
        given = [each.get("workers", 0) for each in self._numbers.options(instance.values)]
        own = self._numbers.workers(instance.values) if self.loader.iterable else 0
        return max([own, *given])

    def runs_with_processes(self, instance: Instance) -> bool:
        """Whether the instance can run as it trains: with few workers; a stream with none runs so, too."""
        if self.loader.iterable and not streamable(self.loader):
            return False
        alone = self.loader.iterable or self._draws is not None
        return (0 if alone else 1) <= self.workers(instance) <= MOST_WORKERS

    def occurrences(self, instance: Instance) -> int:
        """What the model delivers in the epochs that run."""
        return sum(len(self.delivered(instance, lane).records) for lane in self._lanes(instance))

    def difference(self, instance: Instance, *, processes: bool = False) -> Difference | None:
        """The first difference between the model and each real object; `None` where they agree.

        With `processes`, the object that trains runs with its worker processes, on the last rank in two
        epochs.
        """
        objects = [self.worked] if processes else self.objects
        for real in objects:
            for rank in self.extent(instance).ranks[-1 if processes else 0 :]:
                found = self._rank_difference(instance, real, rank, processes=processes)
                if found is not None:
                    return found
        found = self._interruption_difference(instance, processes=processes)
        return found or (self._draws_difference(instance) if processes else None)

    def _interruption_difference(self, instance: Instance, *, processes: bool) -> Difference | None:
        """What an interrupted run reads otherwise than the model says."""
        try:
            found = self.interruptions.difference(
                instance.values, self.extent(instance).epochs, processes=processes
            )
        except TORCH_REFUSES as refusal:
            raised = Apart(None, None, "an interrupted run", f"{type(refusal).__name__}: {refusal}")
            return self.told(instance, "an interruption", Lane(0, 0), raised)
        if found is None:
            return None
        epoch, rank, name, wrong = found
        return self.told(instance, name, Lane(rank, epoch), wrong)

    def _draws_difference(self, instance: Instance) -> Difference | None:
        """Two samples whose random numbers are equal and should not be, or the other way round."""
        if self._draws is None:
            return None
        extent = self.extent(instance)
        where = Where(sorted({extent.ranks[0], extent.ranks[-1]}), extent.epochs[:2])
        found = first_apart(self._draws, instance.values, where)
        if found is None:
            return None
        sample, model, torch = found
        lane = Lane(sample.rank, sample.epoch)
        return self.told(
            instance, f"random numbers of record {sample.record}", lane, Apart(None, None, model, torch)
        )

    def _rank_difference(
        self, instance: Instance, real: RealObject, rank: int, *, processes: bool
    ) -> Difference | None:
        name, lane = f"{real.name} with workers" if processes else real.name, Lane(rank, 0)
        try:
            read = real.open(instance.values, rank, processes=processes)
            for epoch in self.extent(instance).epochs[: 2 if processes else None]:
                lane = Lane(rank, epoch)
                model = self.delivered(instance, lane)
                found = apart(model, read(epoch), self._worker_of(instance, model, processes=processes))
                if found is not None:
                    return self.told(instance, name, lane, found)
        except TORCH_REFUSES as refusal:
            said = f"{self.delivered(instance, lane).steps} steps"
            raised = Apart(None, None, said, f"{type(refusal).__name__}: {refusal}")
            return self.told(instance, name, lane, raised)
        return None

    def told(self, instance: Instance, real: str, lane: Lane, found: Apart) -> Difference:
        """The difference, with all that says where it is."""
        return Difference(
            self.loader.name,
            instance.values,
            real,
            lane.epoch,
            lane.rank,
            found.step,
            found.slot,
            found.model,
            found.torch,
        )

    def delivery(self, instance: Instance, ranks: int, occurrences: int) -> Delivery | None:
        """What the object that trains delivers in epoch 0; `None` for more ranks or occurrences."""
        extent = self.extent(instance)
        if extent.ranks != tuple(range(min(extent.all_ranks, ranks))):
            return None
        if sum(len(self.delivered(instance, Lane(rank, 0)).records) for rank in extent.ranks) > occurrences:
            return None
        reads: list[Read] = [self.real.open(instance.values, rank)(0) for rank in extent.ranks]
        return Delivery(instance.values, tuple(each.groups for each in reads))

    def _values(self, instance: Instance) -> tuple[int, ...]:
        return tuple(instance.values[name] for name in self._names)

    def _lanes(self, instance: Instance) -> Iterator[Lane]:
        extent = self.extent(instance)
        for rank in extent.ranks:
            yield from (Lane(rank, epoch) for epoch in extent.epochs)

    def delivered(self, instance: Instance, lane: Lane) -> Delivered:
        """What the model says of one rank in one epoch."""
        return self._lists(self._values(instance)).lane(lane.epoch, lane.rank)

    def _worker_of(
        self, instance: Instance, model: Delivered, *, processes: bool
    ) -> Callable[[int], int] | None:
        """Who builds each step, where the real object tells it."""
        if self.loader.iterable:
            return dict(zip(model.step, model.worker, strict=True)).__getitem__
        worker, values = self._worker, self._values(instance)
        return None if worker is None or not processes else lambda step: int(worker(*values, step))


def _worker(loader: Loader, names: tuple[str, ...]) -> Callable[..., int] | None:
    """Which worker builds a step, where a stage has workers; the last such stage counts."""
    terms = [each.stage.worker(_STEP) for each in loader.stages]
    known = [each for each in terms if isinstance(each, Int)]
    return as_int(known[-1], [*names, "step"]) if known else None
