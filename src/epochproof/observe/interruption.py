"""Interrupted for real: loaders that are stopped after some steps, and others that go on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from typing import Any, Protocol

from epochproof.observe.fused import Fused, Kinds, fusable
from epochproof.observe.real import Numbers, Read, Reader, StageByStage, Values, as_read, through
from epochproof.schedule.loader import Loader, Placed
from epochproof.stage._stage import Stage
from epochproof.stage.accumulate import Accumulate
from epochproof.stage.batch import Batch
from epochproof.stage.resume import Resume
from epochproof.stage.shuffle import Shuffle
from epochproof.stage.stop import Stop

Numbered = tuple[Stage, Mapping[str, int]]
"""A stage with the values of its options that are numbers."""


@dataclass(frozen=True)
class Job:
    """A loader as it runs before an interruption, and as it runs afterwards."""

    loader: Loader
    resume: Resume

    @property
    def before(self) -> Loader:
        """Without the interruption."""
        return replace(self.loader, stages=tuple(each for each in self.loader.stages if not _resumes(each)))

    @property
    def after(self) -> Loader:
        """As it is started again: on as many ranks, with such batches, under such a seed."""
        ranks = self.loader.ranks if self.resume.ranks is None else self.resume.ranks
        stages = tuple(replace(each, stage=self._changed(each)) for each in self.before.stages)
        return replace(self.loader, ranks=ranks, stages=stages)

    def _changed(self, placed: Placed) -> Any:
        stage = placed.stage
        if isinstance(stage, Batch) and self.resume.batch is not None:
            return stage.model_copy(update={"n": self.resume.batch})
        if isinstance(stage, Shuffle) and self.resume.order == "fresh":
            return stage.model_copy(update={"seed": self.resume.seed})
        return stage


def _resumes(placed: Placed) -> bool:
    return isinstance(placed.stage, Resume)


def job_of(loader: Loader) -> Job | None:
    """The loader and its `resume`, if it has one."""
    resume = next((each.stage for each in loader.stages if isinstance(each.stage, Resume)), None)
    return None if resume is None else Job(loader, resume)


@dataclass(frozen=True)
class Stopped:
    """What a rank read before it stopped, and what it saved."""

    read: Read
    saved: Any


class Way(Protocol):
    """One way to save a position and to go on from it."""

    name: str
    runs: frozenset[str]
    """Whether it is worth running `alone`, without worker processes, and with `processes`."""

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:
        """A rank stops after so many steps."""

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:
        """A rank of the new job goes on from what the ranks of the old one saved."""


def ways(torch: Any, job: Job) -> list[Way]:
    """The ways that do what the job's `resume` says; fewer without torchdata."""
    resume, found = job.resume, list[Way]()
    fused, torchdata = fusable(job.before), find_spec("torchdata") is not None
    if fused and resume.counter == "rank" and resume.position == "consumed":
        if resume.batch is None:
            found.append(_Skip(torch, job))
        if resume.order == "same" and torchdata:
            found.append(_State(torch, job))
    fetched = resume.position == "fetched" and resume.order == "same"
    if fused and resume.counter == "rank" and fetched and torchdata:
        found.append(_SamplerState(torch, job))
    if resume.position != "fetched":
        found.append(_Cut(torch, job))
    return found


class _Cut:
    """Consumed records are counted, and so many are cut off the stream of the new job."""

    name = "a count of consumed records"
    runs = frozenset({"alone"})

    def __init__(self, torch: Any, job: Job) -> None:
        self._torch, self._job = torch, job
        self._before, self._numbers = StageByStage(torch, job.before), Numbers(job.after)
        self._stages = [each.stage for each in job.after.stages]
        ends = [each.axes() if job.resume.counter == "global" else each.regroups for each in self._stages]
        self._at = next((at for at, end in enumerate(ends) if end), len(ends))

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:  # noqa: ARG002 -- as all ways
        read = self._before.open(values, rank)(epoch)
        groups = read.groups[: min(steps, read.steps)]
        return Stopped(Read(groups, len(groups), read.built[: len(groups)]), (sum(map(len, groups)), steps))

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:  # noqa: ARG002 -- as all ways
        size, ranks = self._numbers.size(values), self._numbers.ranks(values)
        stages: list[Numbered] = list(zip(self._stages, self._numbers.options(values), strict=True))
        counts, done = [count for count, _ in saved], saved[0][1]
        consumed = sum(counts) if self._job.resume.counter == "global" else counts[rank % len(counts)]
        again = self._job.resume.position == "epoch_start"
        cut = 0 if again else consumed
        stages = stages if again else [*stages[: self._at], *_budgeted(stages[self._at :], done)]
        reader = Reader(rank, ranks, epoch, self._numbers.start_epoch(values))
        above, _ = through(self._torch, stages[: self._at], size, reader)
        below, _ = through(self._torch, stages[self._at :], size, reader, stream=list(above[cut:]))
        return as_read(below)


def _budgeted(stages: Sequence[Numbered], done: int) -> list[Numbered]:
    """The stages below the cut; what is done already counts towards the budget of a `stop`."""
    found: list[Numbered] = []
    for stage, options in reversed(stages):
        given = {**options, "steps": max(0, options["steps"] - done)} if isinstance(stage, Stop) else options
        found.insert(0, (stage, given))
        done *= options["n"] if isinstance(stage, Batch | Accumulate) else 1
    return found


class _Loaders:
    """Ways with one loader before and one after."""

    name = ""
    runs = frozenset({"alone"})

    def __init__(self, torch: Any, job: Job) -> None:
        self._torch, self._old, self._new = torch, Fused(torch, job.before), Fused(torch, job.after)

    def _kinds(self) -> Kinds | None:
        """Of which classes loader and sampler are."""
        return None

    def _opened(self, fused: Fused, values: Values, rank: int, epoch: int, *, processes: bool) -> Any:
        set_epoch, loader = fused.loader(values, rank, processes=processes, kinds=self._kinds())
        set_epoch(epoch)
        return loader


class _Skip(_Loaders):
    """Plain `DataLoader`s: the new one throws away as many batches as were trained on."""

    name = "DataLoader, batches skipped"

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:
        loader = self._opened(self._old, values, rank, epoch, processes=processes)
        return Stopped(self._old.read(islice(loader, steps)), steps)

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:
        loader = self._opened(self._new, values, rank, epoch, processes=processes)
        return self._new.read(islice(loader, saved[rank % len(saved)], None))


class _State(_Loaders):
    """Torchdata's `StatefulDataLoader`: its `state_dict` after the last step, loaded by a new one."""

    name = "StatefulDataLoader"
    runs = frozenset({"alone", "processes"})

    def _kinds(self) -> Kinds | None:
        from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: PLC0415 -- only who resumes

        return StatefulDataLoader, self._torch.utils.data.DistributedSampler

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:
        loader = self._opened(self._old, values, rank, epoch, processes=processes)
        batches = iter(loader)
        read = self._old.read(islice(batches, steps))
        return Stopped(read, loader.state_dict())

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:
        loader = self._opened(self._new, values, rank, epoch, processes=processes)
        loader.load_state_dict(saved[rank % len(saved)])
        try:
            batches = iter(loader)
        except StopIteration:  # torchdata's answer to a position that lies behind the end
            return Read((), 0)
        return self._new.read(batches)


class _SamplerState(_Loaders):
    """Torchdata's `StatefulDistributedSampler` in a plain `DataLoader`: the sampler's own position."""

    name = "StatefulDistributedSampler in a DataLoader"
    runs = frozenset({"processes"})

    def _kinds(self) -> Kinds | None:
        from torchdata.stateful_dataloader.sampler import StatefulDistributedSampler  # noqa: PLC0415

        return self._torch.utils.data.DataLoader, StatefulDistributedSampler

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:
        loader = self._opened(self._old, values, rank, epoch, processes=processes)
        batches = iter(loader)
        read = self._old.read(islice(batches, steps))
        return Stopped(read, loader.sampler.state_dict())

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:
        loader = self._opened(self._new, values, rank, epoch, processes=processes)
        loader.sampler.load_state_dict(saved[rank % len(saved)])
        return self._new.read(loader)
