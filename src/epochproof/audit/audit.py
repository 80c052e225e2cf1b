"""An audit: one trace beside one loader of a spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from epochproof.audit.as_ibis import NoExpression
from epochproof.audit.blame import broken, lists_of
from epochproof.audit.compare import Comparison
from epochproof.audit.engine import Engine, opened
from epochproof.audit.enumerated import Enumerated
from epochproof.audit.findings import Findings
from epochproof.audit.lanes import Lanes
from epochproof.audit.learned import Learned
from epochproof.audit.names import manifest_of, names_of, refuse_other_size, with_manifest
from epochproof.audit.population import Population, balance
from epochproof.audit.rows import rows_of
from epochproof.audit.scheduled import Scheduled
from epochproof.audit.trace import CODES, Trace, open_trace
from epochproof.audit.world import World, loader_of, world_of
from epochproof.diagnostics import SpecError
from epochproof.prove.session import load
from epochproof.report._audit import Audited, Finding, Portion
from epochproof.report._style import counted
from epochproof.schedule.bound import complete
from epochproof.schedule.read import Schedule
from epochproof.schedule.settle import settled
from epochproof.term.node import constant

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar


_MOST_EPOCHS = 100_000
"""A trace that names a later epoch is not believed."""


@dataclass(frozen=True)
class Asked:
    """What of a trace is audited, and how.

    `steps` are the first and the last step of the portion, `clock` its start and end in seconds since the
    recorder's start, and `duration` how long it took.
    """

    of: str | None = None
    manifest: Path | None = None
    steps: tuple[int, int] | None = None
    clock: tuple[Fraction, Fraction] | None = None
    duration: Fraction | None = None
    engine: str | None = None


def audit(  # noqa: PLR0913 -- the options of a command
    spec: str | Path,
    trace: str | Path,
    *,
    of: str | None = None,
    set: Mapping[str, int] | None = None,  # noqa: A002 -- what the option is called
    manifest: str | Path | None = None,
    steps: tuple[int, int] | None = None,
    engine: str | None = None,
    overrides: Mapping[str, Scalar] | None = None,
) -> Audited:
    """What was read, beside what the schedule says.

    A difference is no error: see `findings` and `exit_code`.

    Args:
        spec: A path, or the text itself: a string with a line break, or one that begins with `edition`.
        trace: The folder that `record` wrote.
        of: The loader that was recorded; the only one if `None`.
        set: Values of free parameters, by their names in claims; what the trace says may be left out.
        manifest: Lists the records of the dataset, where the spec names none.
        steps: First and last step of a portion of each epoch, both included; all if `None`.
        engine: `spark://HOST:PORT`, or DuckDB if `None`.
        overrides: Values in place of those of bound files: `{"t.trainer.devices": 4}`.

    Raises:
        SpecError: The spec, the trace or the call is wrong.
    """
    asked = Asked(of, None if manifest is None else Path(manifest), steps, engine=engine)
    return audited(load(spec, overrides=overrides), Path(trace), set or {}, asked)


def audited(schedule: Schedule, folder: Path, values: Mapping[str, int], asked: Asked) -> Audited:
    """What was read, beside what the schedule says; see `audit`."""
    try:
        complete(schedule)
        loader = loader_of(schedule, asked.of)
        if asked.manifest is not None:
            schedule = with_manifest(schedule, loader, asked.manifest)
        schedule = settled(schedule)
        with open_trace(folder, every_rank=False) as trace, opened(asked.engine) as engine:
            world = world_of(schedule, schedule.loaders[loader.name], trace, values)
            refuse_other_size(world.loader, manifest_of(schedule, world.loader), world.size)
            return _Audit(engine, schedule, trace, world, asked).told()
    except SpecError as error:
        if error.diagnostics[0].code not in CODES:
            error.source = error.source or schedule.source
        raise


def _absent(trace: Trace, ranks: int) -> Iterator[str]:
    """That the folders of some ranks are not there: what they read is missing, whether or not they ran."""
    absent = sorted(set(range(ranks)) - {each.about.rank for each in trace.segments})
    if absent:
        which = f"rank {absent[0]}" + (f" and {len(absent) - 1:_} more" if absent[1:] else "")
        yield f"the trace has nothing of {which}, of {ranks:_} ranks: were all folders copied here?"


def _unclosed(trace: Trace, found: Sequence[Finding]) -> Iterator[str]:
    """That something is missing where writers never came to an end, which explains it."""
    count = sum(each.recovered for each in trace.segments)
    if count and any(each.kind in ("missing", "steps") for each in found):
        those = "was" if count == 1 else "were"
        yield f"{counted(count, 'segment')} {those} never closed: the job was killed, or still runs"


class _Audit:
    """One audit; `told` runs its queries."""

    def __init__(self, engine: Engine, schedule: Schedule, trace: Trace, world: World, asked: Asked) -> None:
        self._engine, self._schedule, self._trace = engine, schedule, trace
        self._world, self._asked = world, asked
        names = names_of(engine, schedule, world.loader) if trace.records == "string" else None
        self._names, rows = names, rows_of(engine, trace, names)
        if asked.steps is not None:
            rows = rows.filter(rows.step.between(*asked.steps))
        self._rows = rows
        self._notes = list(_absent(trace, world.ranks))
        self._summary = self._summed()

    def told(self) -> Audited:
        """What was found."""
        lanes = Lanes(self._world, self._epochs(), self._asked.steps)
        expected, seen, why = self._expected(lanes)
        learned = expected if isinstance(expected, Learned) else None
        comparison = Comparison(self._engine, expected, lanes, seen)
        findings = Findings(self._engine, comparison, self._rows, self._names, learned, self._summary)
        found = findings.all()
        population = Population(self._engine, self._rows, self._world.size)
        run = population.run()
        lists = lists_of(self._engine, seen, run.occurrences) if found else {}
        return Audited(
            spec=self._schedule.source.path,
            trace=str(self._trace.folder),
            loader=self._world.loader.name,
            parameters=self._world.values,
            said=frozenset(name for name, who in self._world.sources.items() if who != "given"),
            order=self._order(expected),
            enumerated=why,
            due=lanes.due,
            epochs=tuple(sorted(population.epochs().items())),
            run=run,
            portion=self._portion(run),
            balance=balance(self._summary),
            segments=len({each.about.segment for each in self._trace.segments}),
            replayed=findings.replayed,
            first=findings.first(),
            findings=found,
            broken=broken(self._schedule, self._world, found, lists),
            notes=(*self._notes, *findings.notes, *_unclosed(self._trace, found)),
        )

    def _summed(self) -> list[dict[str, Any]]:
        """The rows, the steps and the seconds of each worker of each rank in each epoch."""
        rows = self._rows
        query = rows.group_by(["segment", "epoch", "rank", "worker"]).agg(
            rows=rows.count(), first=rows.step.min(), last=rows.step.max()
        )
        return self._engine.rows(query)

    def _epochs(self) -> int:
        """The epochs that are audited: those of the spec, and those that the trace has beyond them."""
        world, last = self._world, max((int(each["epoch"]) for each in self._summary), default=-1)
        if last >= world.epochs and constant(world.loader.epochs) == 1 and last < _MOST_EPOCHS:
            count = last + 1
            self._notes.append(f"the spec speaks of one epoch, and the trace has {count:_}: all were audited")
            return count
        return world.epochs

    def _expected(self, lanes: Lanes) -> tuple[Scheduled | Learned | Enumerated, Any, str]:
        """What is expected, the rows beside it, and why it was enumerated, if it was."""
        try:
            scheduled = Scheduled(self._engine, lanes)
            if scheduled.open_order:
                learned = Learned(self._engine, scheduled, self._rows)
                return learned, self._engine.view(learned.seen()), ""
            return scheduled, self._engine.view(scheduled.seen(self._rows)), ""
        except NoExpression as why:
            enumerated = Enumerated(self._engine, lanes, str(why))
            return enumerated, self._engine.view(enumerated.seen(self._rows)), str(why)

    def _order(self, expected: object) -> Literal["fixed", "known", "learned"]:
        if isinstance(expected, Learned):
            return "learned"
        return "known" if any(each.moves for each in self._world.plan.stages) else "fixed"

    def _portion(self, run: Any) -> Portion | None:
        asked = self._asked
        if asked.clock is None:
            if asked.steps is None and asked.duration is None:
                return None
            return Portion(run, asked.steps, None, asked.duration)
        start, end = asked.clock
        rows = self._rows.filter(self._rows.elapsed >= float(start), self._rows.elapsed < float(end))
        read = replace(Population(self._engine, rows, self._world.size).run())
        return Portion(read, asked.steps, asked.clock, end - start)
