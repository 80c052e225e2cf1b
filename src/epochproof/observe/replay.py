"""Counterexamples on the real loader: the claim has to be false on the lists that it delivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from epochproof.claim._chance import Chance
from epochproof.claim._claim import Claim
from epochproof.model.values import Scope
from epochproof.observe.bench import MOST, TORCH_REFUSES
from epochproof.observe.draws import Draws, Sample, Where
from epochproof.observe.fused import Fused, fusable
from epochproof.observe.interruption import Job, Stopped, Way, job_of, ways
from epochproof.observe.real import Numbers, Read, RealObject, StageByStage, settled
from epochproof.observe.streamed import streamable
from epochproof.prove.verdict import Counterexample
from epochproof.prove.worlds import Worlds
from epochproof.report._run import Replay
from epochproof.schedule.deliveries import Compiled, Delivered, Lists
from epochproof.schedule.interrupted import interrupted
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.term.as_int import as_int
from epochproof.term.node import Int

MOST_PROCESSES = 150
"""A counterexample about random numbers is not replayed where it would start more worker processes."""


class _TooMuch(Exception):  # noqa: N818 -- no error: it says why something did not run
    """A replay would take too long, or no real object does what is replayed."""


class _RealLists(Compiled):
    """A plan whose lists are the real loader's; only which occurrences are padding is the model's word."""

    def __init__(self, torch: Any, loader: Loader, names: tuple[str, ...]) -> None:
        super().__init__(plan_of(loader), loader.epochs, names)
        self._torch, self._loader = torch, loader
        self._real: RealObject = Fused(torch, loader) if fusable(loader) else StageByStage(torch, loader)

    def lane(self, values: tuple[int, ...], rank: int, epoch: int) -> Delivered:
        """What one rank really reads in one epoch."""
        read: Read = self._real.open(dict(zip(self.names, values, strict=True)), rank)(epoch)
        return _delivered(super().lane(values, rank, epoch), read)

    def run(self, values: tuple[int, ...]) -> Lists:
        """The lists of the world, whose random numbers are drawn for real."""
        lists = super().run(values)
        return _Drawn(self._torch, self._loader, self, values, lists)

    def variant(self, plan: Plan) -> Compiled:
        """The part of an interrupted run that the plan describes, really interrupted."""
        found, job = interrupted(self.plan), job_of(self._loader)
        if plan == self.plan or found is None or job is None:
            return super().variant(plan)
        known = ways(self._torch, job)
        if not known or plan not in (found.whole, found.before, found.resumed):
            raise _TooMuch("no real object is interrupted like this")
        part = (found.whole, found.before, found.resumed).index(plan)
        return _Interrupted(plan, job, self.names, known[0], part)


class _Interrupted(Compiled):
    """Lists of a run without the interruption (part 0), before it (1) or after it (2)."""

    def __init__(self, plan: Plan, job: Job, names: tuple[str, ...], way: Way, part: int) -> None:
        super().__init__(plan, job.loader.epochs, names)
        self._job, self._way, self._part = job, way, part
        self._ranks = Numbers(job.loader).ranks
        self._workers = job.resume.position == "fetched"

    def lane(self, values: tuple[int, ...], rank: int, epoch: int) -> Delivered:
        """What one rank really reads."""
        given = dict(zip(self.names, values, strict=True))
        after = 2**62 if self._part == 0 else int(as_int(self._job.resume.after, self.names)(*values))

        def stopped(at: int) -> Stopped:
            return self._way.stop(given, at, epoch, after, processes=self._workers)

        if self._part < 2:  # noqa: PLR2004 -- the part after the interruption
            return _delivered(super().lane(values, rank, epoch), stopped(rank).read)
        saved = [stopped(at).saved for at in range(self._ranks(given))]
        read = self._way.go_on(given, rank, epoch, saved, processes=self._workers)
        return _delivered(super().lane(values, rank, epoch), read)


def _delivered(model: Delivered, read: Read) -> Delivered:
    records = [record for group in read.groups for record in group]
    step = [at for at, group in enumerate(read.groups) for _ in group]
    padded = model.padded if len(model.padded) == len(records) else [False] * len(records)
    same = model.records == records
    worker, place = (model.worker, model.place) if same else ([0] * len(records), list(range(len(records))))
    return Delivered(records, padded, step, read.steps, worker, place)


class _Drawn(Lists):
    """A world in which the key of a sample is what a real worker process drew for it."""

    def __init__(
        self, torch: Any, loader: Loader, compiled: _RealLists, values: tuple[int, ...], lists: Lists
    ) -> None:
        super().__init__(compiled, values, lists.size, lists.ranks, lists.epochs)
        self._torch, self._loader = torch, loader
        self._given = dict(zip(compiled.names, values, strict=True))
        self._known: dict[tuple[int, int], list[Sample]] = {}

    def rows(
        self, terms: tuple[Int, ...], rank: int, epoch: int, functions: Mapping[str, Callable[..., int]]
    ) -> list[tuple[Any, ...]]:
        """The terms, of which the first three are the key; torch's numbers stand in its place."""
        rows = super().rows(terms, rank, epoch, functions)
        if "base" not in functions:
            return rows
        samples = [each for each in self._samples(rank, functions) if each.epoch == epoch]
        samples.sort(key=lambda each: each.worker if self._loader.iterable else 0)
        pairs = zip(rows, samples, strict=True)
        return [(*each.numbers, 0, *row[3:]) for row, each in pairs]

    def _samples(self, rank: int, functions: Mapping[str, Callable[..., int]]) -> list[Sample]:
        key = (rank, id(functions["base"]))
        if key in self._known:
            return self._known[key]
        draws = Draws(self._torch, self._loader)
        if self._loader.iterable and not streamable(self._loader):
            raise _TooMuch("no one real object draws like this")
        if draws.processes(self._given) * self.epochs * self.ranks > MOST_PROCESSES:
            raise _TooMuch("too many worker processes to start")

        def seeds(epoch: int, process: int, worker: int) -> int:
            own = draws.independent
            return (
                functions["stream"](epoch, process, worker)
                if own
                else functions["base"](epoch, process) + worker
            )

        where = Where((rank,), range(self.epochs))
        self._known[key] = draws.samples(self._given, where, seeds)
        return self._known[key]


class _RealWorlds(Worlds):
    """The worlds of a claim, delivered by the real loaders."""

    def __init__(self, torch: Any, claim: Claim, scope: Scope) -> None:
        super().__init__(claim)
        lows = {name: each.domain.low for name, each in scope.parameters.items()}
        self._plans = {
            name: _really(torch, claim.loaders[name], plan.names, lows) for name, plan in self._plans.items()
        }


def _really(torch: Any, loader: Loader, names: tuple[str, ...], lows: Mapping[str, int]) -> Compiled:
    """The real loader; a parameter on which the claim does not depend has its least value."""
    fixed = settled(loader, {name: low for name, low in lows.items() if name not in names})
    return _RealLists(torch, fixed, names)


def replay(torch: Any, claim: Claim, scope: Scope, found: Counterexample) -> Replay:
    """The counterexample, and whether the claim is false on what torch delivers, too."""
    text = claim.written.text
    worlds = _RealWorlds(torch, claim, scope)
    if reason := _not_run(claim, found, worlds):
        return Replay(text, found.parameters, "model", reason)
    try:
        violation = claim.violation(worlds.world(found.parameters))
    except _TooMuch as reason:
        return Replay(text, found.parameters, "model", str(reason))
    except TORCH_REFUSES as refusal:
        return Replay(text, found.parameters, "contradicted", f"{type(refusal).__name__}: {refusal}")
    if violation is None:
        return Replay(text, found.parameters, "contradicted", "the claim is true on what torch delivers")
    return Replay(text, found.parameters, "torch")


def _not_run(claim: Claim, found: Counterexample, worlds: Worlds) -> str:
    """Why no run of torch can show the counterexample; empty where one can."""
    if found.made_up:
        return "no seed is known that draws this"
    if any(isinstance(use.quantity, Chance) for use in claim.uses):
        return "no single run shows what is likely"
    return "too many occurrences to run" if worlds.weight(found.parameters) > MOST else ""
