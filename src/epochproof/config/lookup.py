"""A value of a bound file by its dotted name: there, or absent."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.config.entry import Entry, Listed, Place, Section, Unreadable, Value
from epochproof.config.use import shown
from epochproof.diagnostics import SpecError, fail
from epochproof.language import tree
from epochproof.language.columns import safe
from epochproof.language.suggest import suggest


@dataclass(frozen=True)
class Absent:
    """The file has no such key: which one is missing in which place, and a key that reads alike."""

    name: str
    key: str
    near: str
    place: Place


def found(root: Entry, name: tree.Name) -> Entry | Absent:
    """What stands under the keys after the first part of a name; below what is unreadable, that.

    Raises:
        SpecError: A value stands where a section should.
    """
    here = root
    for at, key in enumerate(name.parts[1:], 1):
        if isinstance(here, Unreadable):
            return here
        if isinstance(here, Value) and here.value is None:
            return Absent(str(name), key, "", here.place)
        if isinstance(here, Listed) and key.isdigit():
            if int(key) >= len(here.items):
                return Absent(str(name), key, "", here.place)
            here = here.items[int(key)]
            continue
        if not isinstance(here, Section):
            outer = ".".join(name.parts[:at])
            what = f"`{outer}` is {shown(here)} at {safe(str(here.place))}, and has no `{key}`"
            raise fail("E706", what, name.span, help="name a value of the config")
        if key not in here.entries:
            return Absent(str(name), key, suggest(key, list(here.entries)), here.place)
        here = here.entries[key]
    return here


def missing(absent: Absent, name: tree.Name) -> SpecError:
    """The error of a name whose value is absent, where no `??` says what then."""
    cure = absent.near or f"add the key, or say what is meant without it: `{name} ?? 0`"
    return fail("E705", f"`{name}` is absent from `{safe(absent.place.path)}`", name.span, help=cure)
