"""Running the real loaders of a spec, and its counterexamples, beside the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from epochproof.claim._claim import Claim
from epochproof.claim.unaffected import other
from epochproof.observe.bench import Bench, Extent
from epochproof.observe.cover import pairwise
from epochproof.observe.group import taken_part
from epochproof.observe.instances import Instance, Instances
from epochproof.observe.ranks import Launched, chosen, started, with_ranks
from epochproof.observe.replay import replay
from epochproof.observe.torch_room import load_torch, quiet
from epochproof.prove.session import Checked, Session
from epochproof.prove.verdict import Counterexample, Judged
from epochproof.report._run import Delivery, Difference, LoaderRun, Replay, RunReport
from epochproof.schedule.loader import Loader
from epochproof.schedule.read import Schedule

Progress = Callable[[int, int], None]
"""Called with how many instances ran, of how many."""

SHOWN_RANKS, SHOWN_OCCURRENCES = 8, 100
"""What a loader without free parameters delivers is shown up to here."""


def run(
    session: Session, checked: Checked, *, progress: Progress | None = None, processes: bool = False
) -> RunReport:
    """What the real loaders of a spec do, compared with the model occurrence by occurrence.

    Args:
        session: Whose loaders run.
        checked: The verdicts on its claims; each counterexample runs, too.
        progress: Told after each instance.
        processes: Whether a cover of the instances also runs on real ranks: those of the launcher that
            started this process, or ranks of its own.

    Raises:
        SpecError: torch is not installed.
    """
    torch = load_torch()
    pairs = list(zip(session.claims, checked.claims, strict=True))
    jobs = [_prepared(torch, session, loader, pairs) for loader in session.schedule.loaders.values()]
    tick = _Ticks(sum(len(each.instances) + len(each.processes) for each in jobs), progress)
    with quiet():
        loaders = tuple(each.run(tick) for each in jobs)
        if processes:
            loaders = _on_real_ranks(torch, loaders, jobs)
        replays = [_replayed(torch, session, claim, each) for claim, each in pairs]
    claims = tuple(_marked(each, found) for each, found in zip(checked.claims, replays, strict=True))
    return RunReport(
        torch.__version__,
        loaders,
        tuple(each for each in replays if each is not None),
        replace(checked, claims=claims),
    )


def _on_real_ranks(torch: Any, loaders: tuple[LoaderRun, ...], jobs: Sequence[_Job]) -> tuple[LoaderRun, ...]:
    world = taken_part()
    launched = Launched(torch) if world else None
    found = []
    for each, job in zip(loaders, jobs, strict=True):
        instances = chosen(job.bench, job.instances, world[1] if world else None)
        found.append(with_ranks(each, job.bench, instances, launched or started(torch)))
    if launched:
        launched.done()
    return tuple(found)


def follow(schedule: Schedule) -> None:
    """Takes part as a rank other than 0 of a launcher: rank 0 decides what runs, and reports."""
    torch = load_torch()
    with quiet():
        Launched(torch).follow(lambda name: Bench(torch, schedule.loaders[name], schedule.scope))


class _Ticks:
    """Counts what is done."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._done, self._total, self._progress = 0, total, progress

    def __call__(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)


@dataclass
class _Job:
    """One loader and its instances; those in `processes` run with worker processes, too."""

    bench: Bench
    instances: list[Instance]
    processes: list[Instance]
    left_out: list[str] = field(default_factory=list)

    def run(self, tick: Callable[[], None]) -> LoaderRun:
        """Runs all instances, up to the first difference."""
        ran = occurrences = with_workers = 0
        difference: Difference | None = None
        for instance, processes in self._runs():
            difference = difference or self.bench.difference(instance, processes=processes)
            tick()
            if difference is None and not processes:
                ran, occurrences = ran + 1, occurrences + self.bench.occurrences(instance)
            with_workers += difference is None and processes
        self.left_out += self.bench.interruptions.left_out
        if difference is not None:
            self.left_out.append("the instances after the first difference")
        return LoaderRun(
            self.bench.loader.name,
            ran,
            occurrences,
            with_workers,
            difference,
            None if difference else self._delivery(),
            tuple(self.left_out),
        )

    def _runs(self) -> Iterator[tuple[Instance, bool]]:
        yield from ((each, False) for each in self.instances)
        yield from ((each, True) for each in self.processes)

    def _delivery(self) -> Delivery | None:
        if self.bench.free or not self.instances:
            return None
        return self.bench.delivery(self.instances[0], SHOWN_RANKS, SHOWN_OCCURRENCES)


def _prepared(torch: Any, session: Session, loader: Loader, pairs: Sequence[tuple[Claim, Judged]]) -> _Job:
    scope = session.schedule.scope
    bench, choice = Bench(torch, loader, scope), Instances(loader, scope)
    chosen = choice.choose(session.solver, _counterexamples(loader, pairs))
    extents = [bench.extent(each) for each in chosen]
    small = [each for each, extent in zip(chosen, extents, strict=True) if extent.ranks]
    large = [each for each, extent in zip(chosen, extents, strict=True) if not extent.ranks]
    busy = [(each, each.cases) for each in small if bench.runs_with_processes(each)]
    left_out = [*choice.left_out, *_too_large(large), *_few_ranks(extents)]
    return _Job(bench, small, pairwise(busy), left_out)


def _too_large(instances: Sequence[Instance]) -> Iterator[str]:
    if instances:
        values = ", ".join(f"{name} = {value:_}" for name, value in instances[0].values.items())
        which = f"1 instance{f' ({values})' if values else ''}"
        if len(instances) > 1:
            which = f"{len(instances)} instances (the first: {values})"
        yield f"{which}: each rank would read or list too much"


def _few_ranks(extents: Sequence[Extent]) -> Iterator[str]:
    """Says where only some ranks run."""
    few = [each for each in extents if 0 < len(each.ranks) < each.all_ranks]
    if few:
        instances = f"{len(few)} instance{'' if len(few) == 1 else 's'}"
        yield f"all but a few ranks of {instances}: the others would list too much"


def _counterexamples(loader: Loader, pairs: Sequence[tuple[Claim, Judged]]) -> Iterator[Mapping[str, int]]:
    """The parameters of each counterexample that is about the loader; of two runs, both."""
    for claim, judged in pairs:
        found = judged.verdict.counterexample
        if found is None or loader.name not in claim.loaders:
            continue
        yield found.parameters
        if claim.changed:
            second = {name: found.parameters[other(name)] for name in claim.changed}
            yield {**found.parameters, **second}


def _replayed(torch: Any, session: Session, claim: Claim, judged: Judged) -> Replay | None:
    found = judged.verdict.counterexample
    if found is not None and found.of_records:
        return None  # no loader has a part in it
    return None if found is None else replay(torch, claim, session.schedule.scope, found)


def _marked(judged: Judged, found: Replay | None) -> Judged:
    """The verdict, whose counterexample says that torch showed it."""
    shown: Counterexample | None = judged.verdict.counterexample
    if found is None or shown is None or found.replayed != "torch":
        return judged
    counterexample = replace(shown, replayed="torch")
    return replace(judged, verdict=replace(judged.verdict, counterexample=counterexample))
