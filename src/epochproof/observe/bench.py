"""One loader on the bench: its model, its real objects, and the two compared on an instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from epochproof.model.values import Scope
from epochproof.observe.compare import Apart, apart
from epochproof.observe.fused import Fused, fusable
from epochproof.observe.instances import Instance, epochs, only_epochs, parameters
from epochproof.observe.real import Numbers, Read, RealObject, StageByStage
from epochproof.report._run import Delivery, Difference
from epochproof.schedule.deliveries import Compiled, Delivered
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.term.as_int import as_int
from epochproof.term.node import Int, variable

MOST, MOST_LISTED = 2_000_000, 20_000_000
"""An instance of more occurrences, or one whose ranks together list more records, does not run.

Each rank of a `DistributedSampler` lists the whole population first.
"""

MOST_WORKERS = 16
"""An instance of more worker processes runs without them."""

TORCH_REFUSES = (ValueError, TypeError, RuntimeError, LookupError, ArithmeticError, AssertionError)
"""What torch raises where it cannot build or run a loader."""

_STEP = variable("step")


@dataclass(frozen=True)
class Lane:
    """One rank in one epoch of an instance."""

    rank: int
    epoch: int


class Bench:
    """Runs instances of one loader; `real` is the object that trains: the fused one, where there is one."""

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
        self._free = set(self._names) - only_epochs(loader)
        self._worker = _worker(loader, self._names)

    @property
    def free(self) -> bool:
        """Whether what an epoch delivers depends on free parameters."""
        return bool(self._free)

    def epochs(self, instance: Instance) -> tuple[int, ...]:
        """The epochs that run: fewer where all of them would be too much, none where one is."""
        values = self._values(instance)
        size, ranks = self._numbers.size(instance.values), self._numbers.ranks(instance.values)
        listed = (size + 1) * ranks
        if listed > MOST_LISTED:
            return ()
        once, wanted = self._model.weight(values, all_epochs=False), epochs(int(self._epochs(*values)))
        most = min(MOST // max(once, 1), MOST_LISTED // listed)
        return wanted[:most]

    def workers(self, instance: Instance) -> int:
        """The worker processes of each rank."""
        given = [each.get("workers", 0) for each in self._numbers.options(instance.values)]
        return max(given, default=0)

    def occurrences(self, instance: Instance) -> int:
        """What the model delivers in the epochs that run."""
        return sum(len(self._delivered(instance, lane).records) for lane in self._lanes(instance))

    def difference(self, instance: Instance, *, processes: bool = False) -> Difference | None:
        """The first difference between the model and each real object; `None` where they agree.

        With `processes`, the object that trains runs with its worker processes, on the last rank in two
        epochs.
        """
        objects = [self.real] if processes else self.objects
        for real in objects:
            for rank in self._ranks(instance)[-1 if processes else 0 :]:
                found = self._rank_difference(instance, real, rank, processes=processes)
                if found is not None:
                    return found
        return None

    def _rank_difference(
        self, instance: Instance, real: RealObject, rank: int, *, processes: bool
    ) -> Difference | None:
        name, lane = f"{real.name} with workers" if processes else real.name, Lane(rank, 0)
        worker = self._worker_of(instance) if processes else None
        try:
            read = real.open(instance.values, rank, processes=processes)
            for epoch in self.epochs(instance)[: 2 if processes else None]:
                lane = Lane(rank, epoch)
                found = apart(self._delivered(instance, lane), read(epoch), worker)
                if found is not None:
                    return self._told(instance, name, lane, found)
        except TORCH_REFUSES as refusal:
            said = f"{self._delivered(instance, lane).steps} steps"
            raised = Apart(None, None, said, f"{type(refusal).__name__}: {refusal}")
            return self._told(instance, name, lane, raised)
        return None

    def _told(self, instance: Instance, real: str, lane: Lane, found: Apart) -> Difference:
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

    def shown(self, instance: Instance, ranks: int, occurrences: int) -> bool:
        """Whether epoch 0 has at most so many ranks and occurrences."""
        lanes = [Lane(rank, 0) for rank in self._ranks(instance)[: ranks + 1]]
        read = sum(len(self._delivered(instance, lane).records) for lane in lanes)
        return len(lanes) <= ranks and read <= occurrences

    def delivery(self, instance: Instance) -> Delivery:
        """What the object that trains delivers in epoch 0."""
        reads: list[Read] = [self.real.open(instance.values, rank)(0) for rank in self._ranks(instance)]
        return Delivery(instance.values, tuple(each.groups for each in reads))

    def _values(self, instance: Instance) -> tuple[int, ...]:
        return tuple(instance.values[name] for name in self._names)

    def _ranks(self, instance: Instance) -> range:
        return range(self._numbers.ranks(instance.values))

    def _lanes(self, instance: Instance) -> Iterator[Lane]:
        for rank in self._ranks(instance):
            yield from (Lane(rank, epoch) for epoch in self.epochs(instance))

    def _delivered(self, instance: Instance, lane: Lane) -> Delivered:
        return self._lists(self._values(instance)).lane(lane.epoch, lane.rank)

    def _worker_of(self, instance: Instance) -> Callable[[int], int] | None:
        worker, values = self._worker, self._values(instance)
        return None if worker is None else lambda step: int(worker(*values, step))


def _worker(loader: Loader, names: tuple[str, ...]) -> Callable[..., int] | None:
    """Which worker builds a step, where a stage has workers; the last such stage counts."""
    terms = [each.stage.worker(_STEP) for each in loader.stages]
    known = [each for each in terms if isinstance(each, Int)]
    return as_int(known[-1], [*names, "step"]) if known else None
