"""What each loader reads, in numbers and in a sentence that a buyer can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from epochproof.claim import _counts, _parts
from epochproof.claim._question import Question, Undecided, View
from epochproof.diagnostics import SpecError
from epochproof.model.split import listed_rows
from epochproof.prove import population as counting
from epochproof.prove.population import Records, missing, population
from epochproof.prove.session import Session
from epochproof.report._style import listed, with_s
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import Plan, plan_of
from epochproof.statement.predicate import Digest, Pass, Population, Run, Steps
from epochproof.statement.subjects import FILE, digest
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Int, constant, number

_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905

_MOST_NAMED = 8
"""So many records are named in a sentence."""

_MOST_LISTED = 1_000
"""So many runs of records are listed where ids are shown."""


def populations(session: Session, values: Mapping[str, int], *, ids: bool) -> tuple[Population, ...]:
    """What each loader reads; where a value is missing, only that it is.

    Args:
        session: The spec, with the sizes of its manifests.
        values: Values of free parameters.
        ids: Whether records may be named.
    """
    return tuple(_population(each, session, values, ids=ids) for each in session.schedule.loaders.values())


def _population(loader: Loader, session: Session, given: Mapping[str, int], *, ids: bool) -> Population:
    lacking = tuple(each.name for each in missing(loader, session.schedule, given))
    dataset = loader.population.name
    if lacking:
        free = listed([f"`{each}`" for each in lacking])
        sentence = f"what `{loader.name}` reads depends on {free}, which the spec leaves free"
        return Population(loader.name, dataset, sentence, {}, lacking)
    try:
        found = population(loader, given, None, session.solver)
    except SpecError as error:
        return Population(loader.name, dataset, error.diagnostics[0].message, {}, ())
    plan = plan_of(loader, {name: number(value) for name, value in given.items()})
    run = _run(loader, plan, given, session)
    size, ranks = (constant(each) or 0 for each in (plan.size, plan.ranks))
    manifest, chosen = _listed(loader, session)
    return Population(
        loader.name,
        dataset,
        _sentence(found, size, ranks, run, ids=ids),
        {name: str(value) for name, value in found.parameters.items()},
        (),
        records=str(size),
        ranks=str(ranks),
        manifest=manifest,
        rows=chosen,
        one_pass=_pass(found, ids=ids),
        run=run,
    )


def _listed(loader: Loader, session: Session) -> tuple[Digest | None, Mapping[str, str] | None]:
    """The digest of the file that lists the records themselves, and what chooses its rows, if not all."""
    found = listed_rows(loader.population)
    if found is None or found[0].pin is None:
        return None, None
    manifest = Digest(digest(Path(session.source.path).parent / found[0].pin.path)[FILE])
    return manifest, {each.column.name: each.value for each in found[1]} or None


def _pass(found: counting.Population, *, ids: bool) -> Pass:
    return Pass(
        occurrences=str(found.occurrences),
        distinct=str(found.distinct),
        padding=str(found.padding),
        omitted=str(found.omitted.count),
        repeated=str(found.repeated.count),
        steps=Steps(str(found.steps_min), str(found.steps_max)),
        condition=_condition(found),
        omitted_records=_named(found.omitted) if ids else None,
        repeated_records=_named(found.repeated) if ids else None,
    )


def _condition(found: counting.Population) -> str | None:
    """The draws under which it was run, where no rule counts it for all of them."""
    return (found.omitted.note or None) if found.how == "counted" else None


def _named(records: Records) -> tuple[str, ...] | None:
    """The records, or runs of them; `None` where it depends on something which they are, or they are many."""
    if records.runs is None or len(records.runs) > _MOST_LISTED:
        return None
    return tuple(
        str(each)
        for run in records.runs
        for each in (
            range(run.first, run.last + 1, run.stride)
            if run.last - run.first <= run.stride * _MOST_LISTED // max(len(records.runs), 1) // 2
            else [f"{run.first}..{run.last}" + ("" if run.stride == 1 else f" by {run.stride}")]
        )
    )


def _run(loader: Loader, plan: Plan, given: Mapping[str, int], session: Session) -> Run | None:
    """What all epochs read together; `None` where nothing says how many there are, or no rule counts it."""
    terms = {name: number(value) for name, value in given.items()}
    epochs = constant(substitute(loader.epochs, terms))
    if epochs is None:
        return None
    view = View(
        plan,
        number(epochs),
        run=True,
        rank=False,
        question=Question(session.solver.valid),
        this_epoch=number(0),
    )
    occurrences = _known(_counts.occurrences, view)
    if occurrences is None:
        return None
    distinct = _known(_parts.distinct, view)
    return Run(str(epochs), str(occurrences), None if distinct is None else str(distinct))


def _known(count: Callable[[View], Int], view: View) -> int | None:
    try:
        found = count(view)
    except Undecided:
        return None
    return constant(substitute(found, dict.fromkeys(variables(found) & {"epoch"}, number(0))))


def _sentence(found: counting.Population, size: int, ranks: int, run: Run | None, *, ids: bool) -> str:
    """`ten fixed records, three ranks, twelve occurrences in one padded pass, ten distinct records, …`."""
    padded = " padded" if found.padding else ""
    parts = [
        _counted(size, "fixed record"),
        _counted(ranks, "rank"),
        f"{_counted(found.occurrences, 'occurrence')} in one{padded} pass",
        _counted(found.distinct, "distinct record"),
    ]
    if found.repeated.count:
        each = "more than once" if found.occurrences > found.distinct + found.repeated.count else "twice"
        parts.append(f"{_these(found.repeated, ids=ids)} {each}")
    if found.omitted.count:
        parts.append(f"omission of {_these(found.omitted, ids=ids)}")
    if run is not None and run.epochs != "1":
        parts.append(_of_run(run))
    condition = _condition(found)
    return ", ".join(parts) + (f", all of this {condition}" if condition else "")


def _of_run(run: Run) -> str:
    whole = f"{_counted(int(run.occurrences), 'occurrence')} in {_counted(int(run.epochs), 'pass')}es"
    if run.distinct is None:
        return whole
    return f"{whole}, {_counted(int(run.distinct), 'distinct record')} over all of them"


def _these(records: Records, *, ids: bool) -> str:
    """The records by their numbers, where they may be named and are few; else how many."""
    named = _named(records) if ids else None
    if named is not None and len(named) <= _MOST_NAMED and all(each.isdecimal() for each in named):
        return listed(named)
    return _counted(records.count, "record")


def _counted(count: int, noun: str) -> str:
    """`ten records`; from thirteen on in digits."""
    word = _WORDS[count] if count < len(_WORDS) else f"{count:,}"
    return f"{word} {noun if noun == 'pass' else with_s(noun, count)}"
