"""What a segment of a trace says of itself: `about.json`, beside its parts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from epochproof.audit.schema import VERSION
from epochproof.diagnostics import fail

NAME = "about.json"

_MOST_BYTES = 1_000_000
_Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class Totals:
    """What a closed segment holds: a part or a row that is missing later is noticed."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    parts: _Count
    rows: _Count


@dataclass(frozen=True)
class About:
    """One run of one rank, from where it began.

    `workers` and `dataset` (its length) are `None` where the loader does not tell; `totals` is `None` until
    the segment is closed, and stays so when the job is killed.
    """

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    rank: _Count
    ranks: Annotated[int, Field(ge=1)]
    segment: _Count
    epoch: _Count
    step: _Count
    workers: _Count | None = None
    dataset: _Count | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    totals: Totals | None = None


_ADAPTER = TypeAdapter(About)


def write(folder: Path, about: About) -> None:
    """Replaces the file at once: a reader sees the old text or the new one, never half of it."""
    text = json.dumps({"schema": VERSION, **asdict(about)}, indent=2) + "\n"
    made = folder / f".{NAME}"
    with made.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    made.replace(folder / NAME)


def read(folder: Path) -> About:
    """What the segment in `folder` says.

    Raises:
        SpecError: E805: the file is no text of this version.
    """
    path = folder / NAME
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise fail("E805", f"`{path}` is too large to be about a trace", None)
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise fail("E805", f"`{path}` cannot be read: {_told(error)}", None) from None
    version = held.pop("schema", None) if isinstance(held, dict) else None
    if version != VERSION:
        said = "no version" if version is None else f"`{str(version)[:60]}`"
        cure = "an older or newer epochproof wrote it, or something else did"
        raise fail("E805", f"`{path}` has {said}, not `{VERSION}`", None, help=cure)
    try:
        return _ADAPTER.validate_json(json.dumps(held))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        raise fail("E805", f"`{path}` is wrong: `{where}`: {first['msg'].lower()}", None) from None


def _told(error: Exception) -> str:
    return (error.strerror or "").lower() if isinstance(error, OSError) else "it is no json"
