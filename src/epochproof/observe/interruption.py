"""Interrupted for real: loaders that are stopped after some steps, and others that go on from there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol

from epochproof.observe.fused import Fused, Kinds, fusable
from epochproof.observe.real import Numbers, Read, StageByStage, Values, as_read, in_turn, through
from epochproof.schedule.loader import Loader, Placed
from epochproof.stage.batch import Batch
from epochproof.stage.resume import Resume
from epochproof.stage.shuffle import Shuffle


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
    looks_ahead: bool
    """Whether what it saves depends on what worker processes were given ahead of time."""

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:
        """A rank stops after so many steps."""

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:
        """A rank of the new job goes on from what the ranks of the old one saved."""


def ways(torch: Any, job: Job) -> list[Way]:
    """The ways that do what the job's `resume` says."""
    resume, found = job.resume, list[Way]()
    fused = fusable(job.before)
    if fused and resume.counter == "rank" and resume.position == "consumed":
        if resume.batch is None:
            found.append(_Skip(torch, job))
        if resume.order == "same":
            found.append(_State(torch, job))
    if fused and resume.counter == "rank" and resume.position == "fetched" and resume.order == "same":
        found.append(_SamplerState(torch, job))
    if resume.position != "fetched":
        found.append(_Cut(torch, job))
    return found


class _Cut:
    """Consumed records are counted, and so many are cut off the stream of the new job."""

    name = "a count of consumed records"
    looks_ahead = False

    def __init__(self, torch: Any, job: Job) -> None:
        self._torch, self._job = torch, job
        self._before, self._numbers = StageByStage(torch, job.before), Numbers(job.after)
        self._stages = [each.stage for each in job.after.stages]
        ends = [each.axes() if job.resume.counter == "global" else each.regroups for each in self._stages]
        self._at = next((at for at, end in enumerate(ends) if end), len(ends))

    def stop(self, values: Values, rank: int, epoch: int, steps: int, *, processes: bool) -> Stopped:
        read = self._before.open(values, rank)(epoch)
        groups = read.groups[: min(steps, read.steps)]
        return Stopped(Read(groups, len(groups), read.built[: len(groups)]), sum(map(len, groups)))

    def go_on(self, values: Values, rank: int, epoch: int, saved: list[Any], *, processes: bool) -> Read:
        size, ranks = self._numbers.size(values), self._numbers.ranks(values)
        stages = list(zip(self._stages, self._numbers.options(values), strict=True))
        consumed = sum(saved) if self._job.resume.counter == "global" else saved[rank % len(saved)]
        cut = 0 if self._job.resume.position == "epoch_start" else consumed
        where = (rank, ranks, 0, 1)
        above, _ = through(self._torch, stages[: self._at], size, where, epoch)
        below, _ = through(self._torch, stages[self._at :], size, where, epoch, stream=list(above[cut:]))
        read = as_read(below)
        return in_turn([read]) if self._job.loader.iterable else read


class _Loaders:
    """Ways with one loader before and one after."""

    name = ""
    looks_ahead = False

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
    looks_ahead = True

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
