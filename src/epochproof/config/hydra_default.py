"""Entries of a defaults list of Hydra: which file each one names, and where its keys go."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.config.entry import Entry, Listed, Place, Scalar, Section, Unreadable, Value

SELF = "_self_"
MISSING = "???"

Option = Scalar | tuple[str, ...]


class UncomposedError(Exception):
    """A defaults list that is not followed, and where."""

    def __init__(self, why: str, place: Place | None = None) -> None:
        super().__init__(why)
        self.place = place


@dataclass(frozen=True)
class Default:
    """One entry: `group` is the folder of its file, `package` where its keys go below its parent.

    `chosen` entries take their option from elsewhere where that names one; an `override` is such a choice.
    """

    place: Place
    group: str = ""
    package: str = ""
    option: Option = SELF
    chosen: bool = False
    override: bool = False
    optional: bool = False

    @property
    def itself(self) -> bool:
        """Whether it stands for the config that holds the list."""
        return not self.chosen and not self.override and self.option == SELF


def default(entry: Entry, base: str) -> Default:
    """The entry of a list in a config of the folder `base`.

    Raises:
        UncomposedError: It has a form that is not followed.
    """
    if isinstance(entry, Value) and isinstance(entry.value, str):
        return _named(entry.value, base, entry.place)
    if isinstance(entry, Section) and len(entry.entries) == 1:
        ((key, option),) = entry.entries.items()
        return _group(key, option, base)
    raise UncomposedError("an entry names no config", entry.place)


def _named(path: str, base: str, place: Place) -> Default:
    if path == SELF:
        return Default(place)
    folder, _, name = path.removeprefix("/").rpartition("/")
    return Default(place, _from_root(path, folder, base), folder.replace("/", "."), name)


def _group(key: str, option: Entry, base: str) -> Default:
    *keywords, group = key.split()
    if "@" in key or not set(keywords) <= {"override", "optional"}:
        raise UncomposedError(f"`{key}` is not followed", option.place)
    name = group.removeprefix("/")
    return Default(
        option.place,
        _from_root(group, name, base),
        name.replace("/", "."),
        _option(option),
        chosen=True,
        override="override" in keywords,
        optional="optional" in keywords,
    )


def _from_root(written: str, folder: str, base: str) -> str:
    if "@" in written:
        raise UncomposedError(f"`{written}` is not followed")
    return folder if written.startswith("/") else "/".join(filter(None, (base, folder)))


def _option(entry: Entry) -> Option:
    match entry:
        case Value():
            return entry.value
        case Listed():
            return tuple(str(each.value) if isinstance(each, Value) else MISSING for each in entry.items)
        case Unreadable():
            return entry.written or MISSING
        case Section():
            return MISSING
