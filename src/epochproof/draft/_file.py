"""A file of a project as a draft reads it: its values by dotted names, and its name in the spec."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from epochproof.config.entry import Entry, Listed, Section, Unreadable, Value
from epochproof.config.hydra_read import read_hydra
from epochproof.config.read import from_disk, read_config
from epochproof.diagnostics import Span, SpecError, fail
from epochproof.language import tree

_HERE = Span(0, 0)
_CONFIGS = (".yaml", ".yml", ".toml", ".json")
_JOBS = (("kind", "PyTorchJob"), ("kind", "TrainJob"))


@dataclass(frozen=True)
class File:
    """What a file holds; `name` is what the spec binds it to, `reader` with what, `path` its path there."""

    path: str
    reader: str
    root: Entry
    name: str = "t"

    def entry(self, key: str) -> Entry | None:
        """What stands under the keys of a dotted name, `None` if nothing does."""
        here: Entry | None = self.root
        for each in key.split("."):
            match here:
                case Section():
                    here = here.entries.get(each)
                case Listed() if each.isdigit() and int(each) < len(here.items):
                    here = here.items[int(each)]
                case _:
                    return None
        return here

    def has(self, key: str) -> bool:
        """Whether there is something under the name, be it null."""
        return self.entry(key) is not None

    def value(self, key: str) -> int | Fraction | bool | str | None:
        """The value under the name; `None` also for a section, a list and what is unreadable."""
        found = self.entry(key)
        return found.value if isinstance(found, Value) else None

    def whole(self, key: str) -> int | None:
        """The value under the name if it is a whole number, such as 3 or 3.0."""
        found = self.value(key)
        if isinstance(found, bool) or not isinstance(found, int | Fraction) or found.denominator != 1:
            return None
        return int(found)

    def sets(self, key: str) -> bool:
        """Whether the name has a value that is neither null nor absent, readable or not."""
        found = self.entry(key)
        return found is not None and not (isinstance(found, Value) and found.value is None)

    def unreadable(self, key: str) -> bool:
        """Whether what stands there is known only when the job runs."""
        return isinstance(self.entry(key), Unreadable)

    def place(self, key: str) -> str:
        """Where the value under the name stands."""
        found = self.entry(key)
        return self.path if found is None else str(found.place)


def read(path: Path, written: str) -> File:
    """What a file holds.

    Args:
        path: Where it is.
        written: Its path as the spec will write it.

    Raises:
        SpecError: It cannot be read, or breaks a rule of its format.
    """
    if '"' in written or not written.isprintable():
        raise fail("E516", f"`{written!a}` is no path that a spec can write", None, help="rename the file")
    reader = "config" if path.suffix.lower() in _CONFIGS else "launch"
    if reader == "launch" and path.is_file() and path.read_bytes()[:2] != b"#!":
        cure = f"configs end in {', '.join(_CONFIGS)}, and launch scripts begin with `#!`"
        if path.suffix.lower() == ".py":
            cure = 'nothing is run: write it out, as `Config.fromfile("config.py").dump("config.json")` does'
        raise fail("E516", f"`{path}` is neither a config nor a launch script", None, help=cure)
    file = _read(path, written, reader)
    if any(file.value(key) == kind for key, kind in _JOBS):
        return _read(path, written, "launch")
    return _composed(path, written, file) if isinstance(file.entry("defaults"), Listed) else file


def _composed(path: Path, written: str, alone: File) -> File:
    """The config with those that its defaults list names, or alone where they are not there."""
    try:
        composed = _read(path, written, "hydra")
    except SpecError:
        return alone
    return composed if isinstance(composed.root, Section) else alone


def _read(path: Path, written: str, reader: str) -> File:
    home = Path(written).parent
    binding = tree.Binding("t", reader, written, (), _HERE, _HERE, _HERE, _HERE)
    try:
        reads = read_hydra if reader == "hydra" else read_config
        found = reads(binding, Path(), lambda asked: from_disk(path.parent / os.path.relpath(asked, home)))
    except SpecError as error:
        if error.source is not None:
            error.source = type(error.source)(str(path), error.source.text)
            raise
        (wrong,) = error.diagnostics
        cure = "check the path" if wrong.message.endswith("is not there") else wrong.help
        raise fail(wrong.code, wrong.message.replace(written, str(path)), None, help=cure) from None
    return File(written, reader, found)
