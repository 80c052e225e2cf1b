"""Whether two specs pin one manifest."""

from __future__ import annotations

from pathlib import Path

from epochproof.language.columns import safe
from epochproof.model.lineage import source
from epochproof.schedule.read import Schedule


def replaced(old: Schedule, new: Schedule, name: str) -> str:
    """Why the loader reads another manifest in the new spec, or nothing; no manifest is opened."""
    one, other = (source(spec.loaders[name].population).pin for spec in (old, new))
    if one is None or other is None:
        return ""
    if one.digest and other.digest:
        return "" if one.digest == other.digest else "its manifest is pinned by another digest"
    if _file(old, one.path) == _file(new, other.path):
        return ""
    return f"it reads manifest `{safe(other.path)}` in place of `{safe(one.path)}`"


def _file(spec: Schedule, path: str) -> Path:
    return (Path(spec.source.path).parent / path).absolute()
