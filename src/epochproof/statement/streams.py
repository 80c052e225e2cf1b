"""The commitments of a statement: to the records of each dataset, and to what each loader reads of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from epochproof.diagnostics import fail
from epochproof.language.columns import safe
from epochproof.language.suggest import suggest
from epochproof.manifest.manifest import Manifest
from epochproof.manifest.pin import Side
from epochproof.model.population import Population
from epochproof.model.split import listed_rows
from epochproof.prove.session import Session
from epochproof.schedule.deliveries import Compiled, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.statement.predicate import Commitments, Digest, Records, Root, Stream
from epochproof.statement.roots import Committer, Rooted, key_commitment, set_root
from epochproof.term.fold import variables
from epochproof.term.node import constant, number

_ONE = number(1)

MOST = 1_000_000
"""So many records, and so many occurrences, are committed to; larger schedules go without."""


@dataclass
class _Datasets:
    """The records of each dataset by their ids, read when they are first needed."""

    session: Session
    key: bytes
    roots: dict[str, Root] = field(default_factory=dict)
    _committers: dict[str, Committer] = field(default_factory=dict)
    _ids: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def committer(self, loader: Loader, size: int) -> Committer:
        """What commits to the ids of the records that the loader reads; their root is known from then on."""
        name = loader.population.name
        if name not in self.roots:
            self._committers[name] = committer = Committer(self.key, name)
            self.roots[name] = set_root(map(committer.commit, self.ids(loader, size)))
        return self._committers[name]

    def ids(self, loader: Loader, size: int) -> tuple[str, ...]:
        """The id of each record: that of the manifest, or its number."""
        name = loader.population.name
        if name not in self._ids:
            listed = listing(self.session.schedule, loader.population)
            if listed is None:
                self._ids[name] = tuple(map(str, range(size)))
            else:
                from epochproof.manifest.ids import ids  # noqa: PLC0415 -- few datasets have manifests

                self._ids[name] = ids(*listed)
        return self._ids[name]


def listing(schedule: Schedule, population: Population) -> tuple[Manifest, Side] | None:
    """The manifest and the rows of it that are the records themselves: not what they are made of."""
    found = listed_rows(population)
    if found is None:
        return None
    manifest = schedule.manifests.get(f"{found[0].name}.size")
    if manifest is None or manifest.part or not (found[1] == () or manifest.column("id")):
        return None
    return manifest, found[1]


def commitments(
    session: Session,
    values: Mapping[str, int],
    key: bytes,
    trace: Path | None = None,
    of: str | None = None,
) -> Commitments | None:
    """The roots of each loader whose order the spec and the values fix; `None` where there is no such loader.

    Args:
        session: The spec, with the sizes of its manifests.
        values: Values of free parameters.
        key: The secret under which ids are committed to.
        trace: What a run of a loader recorded.
        of: That loader; the only one if `None`.

    Raises:
        SpecError: There is a trace, and it cannot be read, or nothing says which loader or dataset it is of.
    """
    datasets = _Datasets(session, key)
    loaders = session.schedule.loaders.values()
    streams = [stream for loader in loaders for stream in _streams(loader, values, datasets)]
    if trace is not None:
        streams.append(_traced(_recorded(session.schedule.loaders, of), values, datasets, trace))
    if not streams:
        return None
    return Commitments(
        "hmac-sha256, rfc9162-sha256",
        Digest(key_commitment(key)),
        tuple(Records(name, root) for name, root in datasets.roots.items()),
        tuple(streams),
    )


def _streams(loader: Loader, values: Mapping[str, int], datasets: _Datasets) -> Iterator[Stream]:
    lists = _lists(loader, values)
    if lists is None:
        return
    committer, ids = datasets.committer(loader, lists.size), datasets.ids(loader, lists.size)
    rooted = Rooted(committer)
    for epoch in range(lists.epochs):
        for rank in range(lists.ranks):
            rooted.read(epoch, rank, (ids[record] for record in lists.lane(epoch, rank).records))
    yield _stream("schedule", loader, rooted, (lists.epochs, lists.ranks), datasets.roots)


def _recorded(loaders: Mapping[str, Loader], named: str | None) -> Loader:
    """The loader that was recorded."""
    if named is None and len(loaders) == 1:
        return next(iter(loaders.values()))
    known = ", ".join(f"`{each}`" for each in loaders)
    if named is None:
        wrong = f"a trace is of one loader, and the spec has {known or 'none'}"
        raise fail("E908", wrong, None, help="name the one that was recorded with `--of`" if loaders else "")
    if named not in loaders:
        cure = suggest(named, loaders) or f"loaders are {known}"
        raise fail("E908", f"the spec has no loader `{safe(named)}`", None, help=cure)
    return loaders[named]


def _traced(loader: Loader, values: Mapping[str, int], datasets: _Datasets, folder: Path) -> Stream:
    """What a run of the loader recorded."""
    from epochproof.audit.pieces import pieces  # noqa: PLC0415 -- many statements have no trace
    from epochproof.audit.trace import open_trace  # noqa: PLC0415 -- as above

    plan = plan_of(loader, {name: number(value) for name, value in values.items()})
    size = constant(plan.size)
    if size is None or size > MOST:
        name = loader.population.name
        wrong = f"how many records `{name}` has is free, or more than {MOST:,}"
        raise fail("E908", wrong, loader.population.span, help=f"`--set {name}.size=1_000` says how many")
    rooted, ids = Rooted(datasets.committer(loader, size)), datasets.ids(loader, size)
    with open_trace(folder) as trace:
        for each in pieces(trace):
            rooted.read(each.epoch, each.rank, (_named(record, ids) for record in each.records))
    return _stream("trace", loader, rooted, (rooted.epochs, rooted.ranks), datasets.roots)


def _named(record: int | str, ids: Sequence[str]) -> str:
    """The id of a record of a trace: a number is that of a row, as long as there is one."""
    return ids[record] if isinstance(record, int) and 0 <= record < len(ids) else str(record)


def _stream(
    source: Literal["schedule", "trace"],
    loader: Loader,
    rooted: Rooted,
    shape: tuple[int, int],
    roots: Mapping[str, Root],
) -> Stream:
    """What was read, as a statement holds it."""
    found, dataset = rooted.set_root(), loader.population.name
    return Stream(
        source=source,
        loader=loader.name,
        dataset=dataset,
        epochs=str(shape[0]),
        ranks=str(shape[1]),
        order_root=rooted.order_root(),
        set_root=found,
        occurrences=str(rooted.occurrences),
        covers_dataset=found == roots[dataset],
    )


def _lists(loader: Loader, values: Mapping[str, int]) -> Lists | None:
    """What the loader delivers, where nothing about it is open and it is not too much.

    Epochs that are free are taken to be one.
    """
    plan = plan_of(loader)
    if plan.draws() or any(stage.per_rank() for stage in plan.stages):
        return None
    if not plan.parameters() <= values.keys():
        return None
    epochs = loader.epochs if variables(loader.epochs) <= values.keys() else None
    names = tuple(sorted(plan.parameters() | (variables(epochs) if epochs is not None else set())))
    compiled = Compiled(plan, _ONE if epochs is None else epochs, names)
    given = tuple(values[name] for name in names)
    lists = compiled.run(given)
    weight = compiled.weight(given, all_epochs=True) + lists.size
    return lists if weight <= MOST else None
