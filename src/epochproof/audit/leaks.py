"""What the traces of two loaders share: records, or values of a column that says where records come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from epochproof.audit.engine import Engine, opened
from epochproof.audit.names import manifest_of, values_of, with_manifest
from epochproof.audit.trace import CODES, Trace, open_trace
from epochproof.audit.world import loader_of
from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.model.lineage import source
from epochproof.report._audit import Broken, Leaked, Met
from epochproof.schedule.loader import Loader
from epochproof.schedule.read import Schedule
from epochproof.schedule.settle import settled

RECORD = "record"
_OF_TRACES = ("source", "clip")
_SHOWN = 3


def leaks(
    schedule: Schedule,
    traces: tuple[Path, Path],
    by: str = RECORD,
    *,
    of: tuple[str | None, str | None] = (None, None),
    manifest: Path | None = None,
    engine: str | None = None,
) -> Leaked:
    """What two traces share.

    Args:
        schedule: The spec of both loaders.
        traces: The traces.
        by: `record`, `source` or `clip` of the traces, or a column of the manifest.
        of: The loaders that were recorded; the only one, or two that read the same dataset, if `None`.
        manifest: Lists the records, where the spec names no manifest.
        engine: `spark://HOST:PORT`, or DuckDB if `None`.

    Raises:
        SpecError: The spec, a trace or the call is wrong.
    """
    try:
        loaders = tuple(_loader(schedule, named) for named in of)
        if manifest is not None and loaders[0] is not None:
            schedule = with_manifest(schedule, loaders[0], manifest)
        with open_trace(traces[0], every_rank=False) as one, open_trace(traces[1], every_rank=False) as other:
            _refuse_apart(one, other, loaders, by)
            with opened(engine) as found:
                return _leaked(found, settled(schedule), (one, other), by, loaders[0])
    except SpecError as error:
        if error.diagnostics[0].code not in CODES:
            error.source = error.source or schedule.source
        raise


def _loader(schedule: Schedule, named: str | None) -> Loader | None:
    """The loader that is named; without a name the only one, or any where all read one dataset."""
    if named is None and len({source(each.population).name for each in schedule.loaders.values()}) == 1:
        return next(iter(schedule.loaders.values()))
    return loader_of(schedule, named)


def _refuse_apart(one: Trace, other: Trace, loaders: tuple[Loader | None, ...], by: str) -> None:
    """Refuses traces whose records cannot be compared."""
    if one.records != other.records and by not in _OF_TRACES:
        raise fail("E826", "the records of one trace have names, and those of the other one numbers", None)
    numbered = [each for each in loaders if each is not None and each.population.origin is not None]
    if one.records == "int64" and by not in _OF_TRACES and numbered:
        whole = numbered[0]
        wrong = f"`{whole.population.name}` numbers its records afresh, so that numbers alone compare nothing"
        cure = "record names: `record(…, field = …)`; or compare by `source` or `clip`"
        raise fail("E826", wrong, whole.span, help=cure)


def _leaked(
    engine: Engine, schedule: Schedule, traces: tuple[Trace, Trace], by: str, loader: Loader | None
) -> Leaked:
    values = None
    if by not in (RECORD, *_OF_TRACES):
        found = manifest_of(schedule, loader) if loader else None
        if found is None:
            cure = "name one with `--manifest`, or compare by `record`, `source` or `clip`"
            raise fail("E823", f"no manifest says what `{safe(by)}` is", None, help=cure)
        values = values_of(engine, found, by)
    one, other = (_keys(engine, each, by, values) for each in traces)
    shared = engine.kept(one.inner_join(other, "value").rename(there="record_right"))
    count = int(engine.rows(shared.count().name("n").as_table())[0]["n"])
    rows = engine.rows(shared.order_by("value").limit(_SHOWN))
    examples = tuple(Met(str(row["value"]), row["record"], row["there"]) for row in rows)
    paths = str(traces[0].folder), str(traces[1].folder)
    broken = _claims(schedule, by) if count else ()
    return Leaked(*paths, by, count, examples, broken)


def _keys(engine: Engine, trace: Trace, by: str, values: Any | None) -> Any:
    """Each value of the key in a trace, with the least record that has it."""
    rows = engine.parquet(*trace.files).select("record", *_OF_TRACES)
    if values is not None:
        key = "name" if trace.records == "string" else "item"
        if key not in values.columns:
            raise fail(
                "E826", "the records have names, and the spec does not say in which column they are", None
            )
        rows = rows.inner_join(values, rows.record == values[key])
    else:
        rows = rows.mutate(value=rows[by])
        if by != RECORD and not engine.rows(rows.value.notnull().any().name("n").as_table())[0]["n"]:
            cure = f"record it: `record(…, {by} = …)`"
            raise fail(
                "E823", f"`{safe(str(trace.folder))}` does not say the `{by}` of a record", None, help=cure
            )
    rows = rows.filter(rows.value.notnull())
    return rows.group_by("value").agg(record=rows.record.min())


def _claims(schedule: Schedule, by: str) -> tuple[Broken, ...]:
    """The claims that two populations share nothing, by this key or one that is as fine as records."""
    from epochproof.claim._claims import read_claims  # noqa: PLC0415 -- most audits find no leak
    from epochproof.claim.disjoint import Disjoint  # noqa: PLC0415 -- as above

    found = list[Broken]()
    for claim in read_claims(schedule):
        apart = [each for each in claim.nodes() if isinstance(each, Disjoint)]
        text = schedule.source.text[claim.written.formula.span.start : claim.written.formula.span.end]
        if apart and claim.written.kind == "prove" and (by == RECORD or f"by {by}" in " ".join(text.split())):
            line = schedule.source.position(claim.written.span.start)[0]
            found.append(Broken(claim.written.text, "open", "claim", line))
    return tuple(found)
