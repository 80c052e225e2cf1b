"""Counterexamples on the real loader: the claim has to be false on the lists that it delivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from epochproof.claim._chance import Chance
from epochproof.claim._claim import Claim
from epochproof.model.values import Scope
from epochproof.observe.bench import MOST, TORCH_REFUSES
from epochproof.observe.draws import Draws, Sample, Where
from epochproof.observe.fused import Fused, fusable
from epochproof.observe.interruption import Job, Stopped, Way, jobs_of, ways
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
        found = interrupted(self.plan)
        if plan == self.plan or found is None:
            return super().variant(plan)
        turns = [(job, way) for job in jobs_of(self._loader) for way in ways(self._torch, job)[:1]]
        if not turns:
            raise _TooMuch("no real object is interrupted like this")
        stops: list[Int | None] = [each.resume.after for each, _ in turns]
        if plan in found.runs:
            return _Interrupted(plan, turns, [*stops[: found.runs.index(plan)], None], self.names)
        return _Interrupted(plan, turns, stops[: found.parts.index(plan) + 1], self.names)


class _Interrupted(Compiled):
    """Lists of one part of a run: after some stops, up to the next one; to the end where that is `None`."""

    def __init__(
        self,
        plan: Plan,
        turns: Sequence[tuple[Job, Way]],
        stops: Sequence[Int | None],
        names: tuple[str, ...],
    ) -> None:
        super().__init__(plan, turns[0][0].loader.epochs, names)
        self._turns, (*self._before, self._until) = turns, stops
        self._ranks = [Numbers(job.before).ranks for job, _ in turns]
        self._workers = turns[0][0].resume.position == "fetched"

    def lane(self, values: tuple[int, ...], rank: int, epoch: int) -> Delivered:
        """What one rank really reads."""
        given = dict(zip(self.names, values, strict=True))
        saved: list[Any] = []
        turn = len(self._before)

        def stopped(turn: int, at: int, after: Int | None) -> Stopped:
            steps = 2**62 if after is None else int(as_int(after, self.names)(*values))
            return self._turns[turn][1].stop(given, at, epoch, steps, saved, processes=self._workers)

        for each, after in enumerate(self._before):
            saved = [stopped(each, at, after).saved for at in range(self._ranks[each](given))]
        if turn < len(self._turns):
            return _delivered(super().lane(values, rank, epoch), stopped(turn, rank, self._until).read)
        read = self._turns[-1][1].go_on(given, rank, epoch, saved, processes=self._workers)
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
