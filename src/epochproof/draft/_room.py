"""The frameworks that there are: the public modules of this room."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

import epochproof.draft
from epochproof.draft._draft import Draft, Files
from epochproof.draft._file import File


class Framework(Protocol):
    """What a module of this room offers."""

    TITLE: str
    """Its name and the version whose rules are meant."""

    SIGNS: str
    """How its config is known."""

    def recognises(self, file: File) -> int:
        """How sure it is that the file is its config, 0 for not at all."""

    def draft(self, files: Files) -> Draft:
        """The draft of a spec."""


@cache
def frameworks() -> tuple[Framework, ...]:
    """All of them, in the order of their names."""
    names = sorted(each.name for each in iter_modules(epochproof.draft.__path__))
    return tuple(
        cast("Framework", import_module(f"epochproof.draft.{name}")) for name in names if name[0] != "_"
    )
