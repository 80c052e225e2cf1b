"""The files that a statement is about, by name and digest: the spec, bound configs, manifests, a trace."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.statement.predicate import Subject

if TYPE_CHECKING:
    from epochproof.language import tree
    from epochproof.schedule.read import Schedule

FILE, FOLDER = "sha256", "dirHash"
"""The names of in-toto for the digest of a file, and for that of the sorted listing of a folder's digests."""

MOST_FILES = 1_000_000


def named(spec: tree.Spec, schedule: Schedule) -> tuple[str, ...]:
    """The files that a spec is made of, as it names them; itself first, by its name alone."""
    from epochproof.language import tree  # noqa: PLC0415 -- digests alone need no tree
    from epochproof.schedule.preset import preset_files  # noqa: PLC0415 -- as above

    path = Path(spec.source.path)
    bound = [each.path for each in spec.statements if isinstance(each, tree.Binding)]
    presets = [_from(path.parent, each) for each in preset_files(spec)]
    pins = [each.pin.path for each in schedule.populations.values() if each.pin]
    return tuple(dict.fromkeys([path.name, *bound, *presets, *pins]))


def _from(folder: Path, path: str) -> str:
    """The path from the folder of the spec, if it begins with that."""
    found = Path(path)
    return str(found.relative_to(folder)) if found.is_relative_to(folder) else path


def subjects(folder: Path, names: Mapping[str, Path | None]) -> tuple[Subject, ...]:
    """A subject for each name; it lies at the path, or under its name in the folder."""
    return tuple(Subject(name, digest(path or folder / name)) for name, path in names.items())


def digest(path: Path) -> dict[str, str]:
    """The digest of a file or a folder, under the name of its kind.

    Raises:
        SpecError: It cannot be read.
    """
    try:
        if path.is_dir():
            return {FOLDER: _of_folder(path)}
        return {FILE: _of_file(path)}
    except OSError as error:
        raise _unreadable(path, str(error.strerror).lower()) from None


def _of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, FILE).hexdigest()


def _of_folder(path: Path) -> str:
    """What `find . -type f | cut -c3- | LC_ALL=C sort | xargs sha256sum | sha256sum` prints in the folder."""
    found = hashlib.sha256()
    for name in sorted(_below(path)):
        found.update(f"{_of_file(path / name)}  {name}\n".encode())
    return found.hexdigest()


def _below(path: Path) -> Iterator[str]:
    seen = 0
    for here, folders, files in os.walk(path, onerror=_raised):
        folders.sort()
        for each in files:
            seen += 1
            if seen > MOST_FILES:
                raise _unreadable(path, f"it holds more than {MOST_FILES:,} files")
            yield Path(here, each).relative_to(path).as_posix()


def _raised(error: OSError) -> None:
    raise error


def _unreadable(path: Path, why: str) -> SpecError:
    return fail("E903", f"cannot read `{safe(str(path))}`: {why}", None, help="check the path")
