"""Interrupted for real: loaders that are stopped after some steps, and others that go on from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from typing import Any, Protocol

from epochproof.observe.fused import Fused, Kinds, fusable
from epochproof.observe.real import Numbers, Read, Reader, Values, as_read, through
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
    """A loader as it runs before one interruption, and as it runs afterwards."""

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
            return stage.changed(n=self.resume.batch)
        if isinstance(stage, Shuffle) and self.resume.order == "fresh":
            return stage.changed(seed=self.resume.seed)
        return stage


def _resumes(placed: Placed) -> bool:
    return isinstance(placed.stage, Resume)


def jobs_of(loader: Loader) -> tuple[Job, ...]:
    """One job for each interruption, which starts as the one before it goes on; none without a `resume`."""
    resume = next((each.stage for each in loader.stages if isinstance(each.stage, Resume)), None)
    found: list[Job] = []
    for each in () if resume is None else resume.each():
        found.append(Job(found[-1].after if found else loader, each))
    return tuple(found)


Saved = Sequence[Any]
"""What each rank saved when it stopped; nothing of a job that starts an epoch."""


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

    def stop(
        self, values: Values, rank: int, epoch: int, steps: int, saved: Saved = (), *, processes: bool
    ) -> Stopped:
        """A rank stops after so many steps; it had gone on from what was `saved` before, if anything was."""

    def go_on(self, values: Values, rank: int, epoch: int, saved: Saved, *, processes: bool) -> Read:
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


@dataclass(frozen=True)
class _Count:
    """What a rank had cut off when it started, how many records it has read since, and steps `spent`.

    Of the budget that a `stop` at each place of the loader would have.
    """

    cut: int = 0
    read: int = 0
    spent: tuple[int, ...] = ()


class _Cut:
    """Consumed records are counted, and so many are cut off the stream of the new job."""

    name = "a count of consumed records"
    runs = frozenset({"alone"})

    def __init__(self, torch: Any, job: Job) -> None:
        self._torch, self._resume = torch, job.resume
        self._old, self._new = job.before, job.after
        self._numbers = {False: Numbers(self._old), True: Numbers(self._new)}

    def stop(
        self,
        values: Values,
        rank: int,
        epoch: int,
        steps: int,
        saved: Saved = (),
        *,
        processes: bool,  # noqa: ARG002 -- as all ways
    ) -> Stopped:
        read, had = self._read(values, rank, epoch, saved, new=False)
        groups = read.groups[: min(steps, read.steps)]
        spent = _spent(self._numbered(values, new=False), steps)
        spent = tuple(one + more for one, more in zip(had.spent or (0,) * len(spent), spent, strict=True))
        count = _Count(had.cut, sum(map(len, groups)), spent)
        return Stopped(Read(groups, len(groups), read.built[: len(groups)]), count)

    def go_on(self, values: Values, rank: int, epoch: int, saved: Saved, *, processes: bool) -> Read:  # noqa: ARG002 -- as all ways
        return self._read(values, rank, epoch, saved, new=True)[0]

    def _numbered(self, values: Values, *, new: bool) -> list[Numbered]:
        stages = [each.stage for each in (self._new if new else self._old).stages]
        return list(zip(stages, self._numbers[new].options(values), strict=True))

    def _read(self, values: Values, rank: int, epoch: int, saved: Saved, *, new: bool) -> tuple[Read, _Count]:
        """All that is left on a rank, and what had been counted before."""
        numbers, stages = self._numbers[new], self._numbered(values, new=new)
        had = self._counted(rank, saved)
        ends = [each.axes() if self._resume.counter == "global" else each.regroups for each, _ in stages]
        at = next((at for at, end in enumerate(ends) if end), len(ends))
        size = numbers.size(values)
        reader = Reader(rank, numbers.ranks(values), epoch, numbers.start_epoch(values))
        above, _ = through(self._torch, stages[:at], size, reader)
        # What is cut off was within the budget of a stop above; one below counts what is still read.
        rest = _budgeted(stages[at:], had.spent[at:])
        below, _ = through(self._torch, rest, size, reader, stream=list(above[had.cut :]))
        return as_read(below), had

    def _counted(self, rank: int, saved: Saved) -> _Count:
        if not saved or self._resume.position == "epoch_start":
            return _Count()
        own: _Count = saved[rank % len(saved)]
        since = saved if self._resume.counter == "global" else [own]
        return _Count(own.cut + sum(each.read for each in since), 0, own.spent)


def _spent(stages: Sequence[Numbered], steps: int) -> tuple[int, ...]:
    """How much these steps are at each stage, counted in what the stages above it form."""
    found: list[int] = []
    for stage, options in reversed(stages):
        found.insert(0, steps)
        steps *= options["n"] if isinstance(stage, Batch | Accumulate) else 1
    return tuple(found)


def _budgeted(stages: Sequence[Numbered], spent: Sequence[int]) -> list[Numbered]:
    """The stages; what is spent already counts towards the budget of a `stop`."""
    found: list[Numbered] = []
    for (stage, options), done in zip(stages, spent or (0,) * len(stages), strict=True):
        given = {**options, "steps": max(0, options["steps"] - done)} if isinstance(stage, Stop) else options
        found.append((stage, given))
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

    def stop(
        self, values: Values, rank: int, epoch: int, steps: int, saved: Saved = (), *, processes: bool
    ) -> Stopped:
        loader = self._opened(self._old, values, rank, epoch, processes=processes)
        skipped = saved[rank % len(saved)] if saved else 0
        return Stopped(self._old.read(islice(loader, skipped, skipped + steps)), skipped + steps)

    def go_on(self, values: Values, rank: int, epoch: int, saved: Saved, *, processes: bool) -> Read:
        loader = self._opened(self._new, values, rank, epoch, processes=processes)
        return self._new.read(islice(loader, saved[rank % len(saved)], None))


class _State(_Loaders):
    """Torchdata's `StatefulDataLoader`: its `state_dict` after the last step, loaded by a new one."""

    name = "StatefulDataLoader"
    runs = frozenset({"alone", "processes"})

    def _kinds(self) -> Kinds | None:
        from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: PLC0415 -- only who resumes

        return StatefulDataLoader, self._torch.utils.data.DistributedSampler

    def stop(
        self, values: Values, rank: int, epoch: int, steps: int, saved: Saved = (), *, processes: bool
    ) -> Stopped:
        loader = self._opened(self._old, values, rank, epoch, processes=processes)
        batches = _loaded(loader, rank, saved)
        if batches is None:
            return Stopped(Read((), 0), saved[rank % len(saved)])
        read = self._old.read(islice(batches, steps))
        return Stopped(read, loader.state_dict())

    def go_on(self, values: Values, rank: int, epoch: int, saved: Saved, *, processes: bool) -> Read:
        loader = self._opened(self._new, values, rank, epoch, processes=processes)
        batches = _loaded(loader, rank, saved)
        return Read((), 0) if batches is None else self._new.read(batches)


def _loaded(loader: Any, rank: int, saved: Saved) -> Iterator[Any] | None:
    """The batches from the saved position on; `None` where it lies behind the end."""
    if saved:
        loader.load_state_dict(saved[rank % len(saved)])
    try:
        return iter(loader)
    except StopIteration:  # torchdata's answer
        return None


class _SamplerState(_Loaders):
    """Torchdata's `StatefulDistributedSampler` in a plain `DataLoader`: the sampler's own position."""

    name = "StatefulDistributedSampler in a DataLoader"
    runs = frozenset({"processes"})

    def _kinds(self) -> Kinds | None:
        from torchdata.stateful_dataloader.sampler import StatefulDistributedSampler  # noqa: PLC0415

        return self._torch.utils.data.DataLoader, StatefulDistributedSampler

    def stop(
        self, values: Values, rank: int, epoch: int, steps: int, saved: Saved = (), *, processes: bool
    ) -> Stopped:
        loader = self._started(self._old, values, rank, epoch, saved, processes=processes)
        batches = iter(loader)
        read = self._old.read(islice(batches, steps))
        return Stopped(read, loader.sampler.state_dict())

    def go_on(self, values: Values, rank: int, epoch: int, saved: Saved, *, processes: bool) -> Read:
        return self._new.read(self._started(self._new, values, rank, epoch, saved, processes=processes))

    def _started(
        self, fused: Fused, values: Values, rank: int, epoch: int, saved: Saved, *, processes: bool
    ) -> Any:
        loader = self._opened(fused, values, rank, epoch, processes=processes)
        if saved:
            loader.sampler.load_state_dict(saved[rank % len(saved)])
        return loader
