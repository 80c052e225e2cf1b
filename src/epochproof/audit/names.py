"""Records by name: which number a manifest gives each, and what its other columns say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from epochproof.audit.engine import Engine
from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.manifest._parts import Parts
from epochproof.manifest._table import opened
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Column, Pin
from epochproof.model.lineage import source
from epochproof.model.population import Population
from epochproof.model.split import rows as rows_of
from epochproof.schedule.loader import Loader
from epochproof.schedule.read import Schedule

_BATCH = 100_000


def with_manifest(schedule: Schedule, loader: Loader, path: Path) -> Schedule:
    """The schedule whose loader reads what is listed in a manifest that the call names.

    Raises:
        SpecError: The loader reads a part of a dataset, whose rows the spec's own manifest lists.
    """
    whole = source(loader.population)
    if whole is not loader.population:
        cure = f'write `manifest = "{safe(str(path))}"` in dataset `{whole.name}`'
        wrong = f"`--manifest` is for a loader that reads a whole dataset, and `{loader.name}` does not"
        raise fail("E823", wrong, loader.span, help=cure)
    pin = whole.pin or Pin(whole.name, "", whole.columns, whole.span)
    pinned = replace(whole, pin=replace(pin, path=str(path.absolute()), digest=None, digest_span=None))

    def changed(population: Population) -> Population:
        return pinned if population is whole else population

    return replace(
        schedule,
        populations={name: changed(each) for name, each in schedule.populations.items()},
        loaders={
            name: replace(each, population=changed(each.population))
            for name, each in schedule.loaders.items()
        },
    )


def names_of(engine: Engine, schedule: Schedule, loader: Loader) -> Any:
    """A table of the number (`item`) of each record and its `name`, from the manifest.

    Raises:
        SpecError: No manifest, or no column of it, says what the records are called.
    """
    found = rows_of(loader.population)
    manifest = manifest_of(schedule, loader)
    column = manifest.column("id") if manifest else None
    if found is None or manifest is None or column is None:
        what = (
            "no manifest lists them" if manifest is None else "the spec does not say in which column they are"
        )
        cure = "give the dataset `manifest = …` and `id = …`, or name the manifest with `--manifest`"
        wrong = f"the records of this trace have names, and {what}"
        raise fail("E826", wrong, loader.population.span, help=cure)
    return engine.parquet(_written(engine, manifest, {"name": column}, found[1]))


def manifest_of(schedule: Schedule, loader: Loader) -> Manifest | None:
    """The manifest of the dataset that the loader reads, if it was read."""
    return schedule.manifests.get(f"{source(loader.population).name}.size")


def values_of(engine: Engine, manifest: Manifest, by: str) -> Any:
    """A table of the number (`item`) of each record of the dataset, its `name`, and its `value` in a column.

    Raises:
        SpecError: The manifest has no such column.
    """
    column, ids = Column("groups", by, manifest.pin.span), manifest.column("id")
    columns = {"value": column, **({"name": ids} if ids else {})}
    return engine.parquet(_written(engine, manifest, columns, ()))


def _written(engine: Engine, manifest: Manifest, columns: Mapping[str, Column], side: Any) -> Path:
    """Some columns of the rows of a part as Parquet, numbered in their order; all as texts."""
    with opened(manifest.pin, manifest.file, manifest.state) as table:
        parts = Parts(table, (side,))
        texts = ", ".join(f'CAST("{called}" AS VARCHAR) AS "{called}"' for called in columns)
        query = (  # names are quoted, values bound
            f"SELECT CAST(row_number() OVER (ORDER BY row) - 1 AS BIGINT) AS item, {texts}"
            f" FROM ({parts.rows(columns, numbered=True)}) WHERE {parts.conditions[0]}"
        )
        answer = table.connection.sql(query, params=parts.values)
        schema = pa.schema([("item", pa.int64()), *((called, pa.string()) for called in columns)])
        file = engine.file()
        with pq.ParquetWriter(file, schema) as writer:
            for batch in answer.to_arrow_reader(_BATCH):
                writer.write_table(pa.Table.from_batches([batch]).cast(schema))
    return file


def refuse_other_size(loader: Loader, manifest: Manifest | None, size: int) -> None:
    """Refuses a manifest of the call that lists another number of records than the spec says."""
    whole = source(loader.population) is loader.population
    if whole and manifest is not None and not manifest.part and manifest.records != size:
        raise _other(loader, manifest, size)


def _other(loader: Loader, manifest: Manifest, size: int) -> SpecError:
    wrong = (
        f"`{loader.population.name}` has {size:_} records in the spec,"
        f" and `{safe(manifest.pin.path)}` lists {manifest.records:_}"
    )
    return fail("E613", wrong, loader.population.span, help="audit with the manifest that was read")
