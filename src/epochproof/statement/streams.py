"""The commitments of a statement: to the records of each dataset, and to what each loader reads of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from epochproof.manifest.manifest import Manifest
from epochproof.prove.session import Session
from epochproof.schedule.deliveries import Compiled, Lists
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import plan_of
from epochproof.statement.predicate import Commitments, Digest, Records, Root, Stream
from epochproof.statement.roots import Committer, Rooted, key_commitment, set_root
from epochproof.term.fold import variables
from epochproof.term.node import number

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
            manifest = self._manifest(loader)
            if manifest is None:
                self._ids[name] = tuple(map(str, range(size)))
            else:
                from epochproof.manifest.ids import ids  # noqa: PLC0415 -- few datasets have manifests

                self._ids[name] = ids(manifest)
        return self._ids[name]

    def _manifest(self, loader: Loader) -> Manifest | None:
        """The manifest that lists the records themselves: not that of what they are made of."""
        found = self.session.schedule.manifests.get(f"{loader.population.name}.size")
        return None if found is None or found.part or loader.population.origin is not None else found


def commitments(session: Session, values: Mapping[str, int], key: bytes) -> Commitments | None:
    """The roots of each loader whose order the spec and the values fix; `None` where there is no such loader.

    Args:
        session: The spec, with the sizes of its manifests.
        values: Values of free parameters.
        key: The secret under which ids are committed to.
    """
    datasets = _Datasets(session, key)
    streams = tuple(
        stream
        for loader in session.schedule.loaders.values()
        for stream in _streams(loader, values, datasets)
    )
    if not streams:
        return None
    return Commitments(
        "hmac-sha256, rfc9162-sha256",
        Digest(key_commitment(key)),
        tuple(Records(name, root) for name, root in datasets.roots.items()),
        streams,
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
    yield stream("schedule", loader, rooted, (lists.epochs, lists.ranks), datasets.roots)


def stream(
    source: str, loader: Loader, rooted: Rooted, shape: tuple[int, int], roots: Mapping[str, Root]
) -> Stream:
    """What was read, as a statement holds it."""
    found, dataset = rooted.set_root(), loader.population.name
    return Stream(
        source="trace" if source == "trace" else "schedule",
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
