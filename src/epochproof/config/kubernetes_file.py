"""Jobs of Kubernetes: how many pods a PyTorchJob or a TrainJob starts, and processes in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epochproof.config.entry import Entry, Place, Section, Value, whole
from epochproof.config.fault import fault
from epochproof.config.yaml_file import read_yaml
from epochproof.diagnostics import Source

_Keys = Sequence[str]

_JOBS: Mapping[str, tuple[str, Mapping[str, _Keys]]] = {
    "PyTorchJob": (
        "pytorchjob",
        {
            "nproc_per_node": ("spec", "nprocPerNode"),
            "master": ("spec", "pytorchReplicaSpecs", "Master", "replicas"),
            "worker": ("spec", "pytorchReplicaSpecs", "Worker", "replicas"),
        },
    ),
    "TrainJob": (
        "trainjob",
        {
            "num_nodes": ("spec", "trainer", "numNodes"),
            "num_proc_per_node": ("spec", "trainer", "numProcPerNode"),
        },
    ),
}
"""Of each kind its section in a spec, and what stands where."""


def read_kubernetes(source: Source, path: str) -> Entry:
    """A section for the job, with its counts as numbers, though the job may write them as texts.

    Raises:
        SpecError: It is no YAML, or no job of a kind that is known.
    """
    root = read_yaml(source, path)
    kind = _under(root, ("kind",))
    if not isinstance(kind, Value) or kind.value not in _JOBS:
        raise fault(source, 0, f"the `kind` of a job is {' or '.join(_JOBS)}")
    name, counts = _JOBS[str(kind.value)]
    found = {each: entry for each, keys in counts.items() if (entry := _under(root, keys)) is not None}
    place = Place(path)
    return Section({name: Section({each: _count(entry) for each, entry in found.items()}, place)}, place)


def _under(root: Entry, keys: _Keys) -> Entry | None:
    here: Entry | None = root
    for key in keys:
        here = here.entries.get(key) if isinstance(here, Section) else None
    return here


def _count(entry: Entry) -> Entry:
    if isinstance(entry, Value) and isinstance(entry.value, str):
        return whole(entry.value, 10, entry.place)
    return entry
