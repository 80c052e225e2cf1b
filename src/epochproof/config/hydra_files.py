"""Configs of Hydra: the primary one with those that its defaults list names, in Hydra's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from epochproof.config.entry import Entry, Listed, Place, Scalar, Section, Unreadable, Value
from epochproof.config.hydra_default import MISSING, Default, UncomposedError, default

_DEFAULTS = "defaults"
_PACKAGE = "@package "
_GLOBAL = "_global_"
_MOST_FILES = 100

Parts = list[tuple[str, Entry]]
"""What is merged, in order: packages, and what stands in them."""


@dataclass(frozen=True)
class Config:
    """A file as it was read: its text, and what it holds."""

    text: str
    root: Entry


Read = Callable[[str, bool], Config | None]
"""The config under a path from the root; `None` where there is none, if that may be."""


def composed(primary: Config, read: Read, given: Mapping[str, Scalar]) -> tuple[Entry, frozenset[str]]:
    """The primary config with all that its defaults list stands for, and which of the given keys are used.

    A composition that cannot be followed is unreadable as a whole: nobody knows which keys it sets.

    Args:
        primary: The config that the job names.
        read: Gives the other ones.
        given: Options of groups and values of keys, as a call of the job gives them.
    """
    composition = _Composition(read, dict(given))
    try:
        parts = composition.parts(primary, "", "")
    except UncomposedError as error:
        reason = f"the defaults list is not composed: {error}"
        return Unreadable(reason, error.place or primary.root.place), frozenset(given)
    found: Entry = Section({}, primary.root.place)
    for package, root in parts:
        found = joined(found, _inside(package, root))
    used = set(composition.used & given.keys())
    for name, value in given.items():
        changed = None if name in used else put(found, name.split("."), name, value)
        if changed is not None:
            found = changed
            used.add(name)
    return found, frozenset(used)


@dataclass
class _Composition:
    read: Read
    choices: dict[str, Scalar | tuple[str, ...]]
    """The options that a call or an `override` names, by their groups."""

    used: set[str] = field(default_factory=set)
    files: int = 0

    def parts(self, config: Config, base: str, package: str) -> Parts:
        """What a config in the folder `base` stands for."""
        self.files += 1
        if self.files > _MOST_FILES:
            raise UncomposedError(f"it takes more than {_MOST_FILES} files", config.root.place)
        if not isinstance(config.root, Section):
            return [(package, config.root)]
        entries = dict(config.root.entries)
        listed = entries.pop(_DEFAULTS, Listed((), config.root.place))
        if not isinstance(listed, Listed):
            raise UncomposedError("`defaults` is no list", listed.place)
        defaults = [default(each, base) for each in listed.items]
        if not any(each.itself for each in defaults):
            defaults.append(Default(config.root.place))
        for each in defaults:
            if each.override:
                self.choices.setdefault(each.group, each.option)
        # The last one is followed first: its overrides count before those of the ones above it.
        own: Parts = [(package, replace(config.root, entries=entries))]
        found = [own if each.itself else self._default(each, package) for each in reversed(defaults)]
        return [part for parts in reversed(found) for part in parts]

    def _default(self, each: Default, package: str) -> Parts:
        option = each.option
        if each.override or each.group.partition("/")[0] == "hydra":
            return []
        if each.chosen:
            self.used.add(each.group)
            option = self.choices.get(each.group, option)
        options = option if isinstance(option, tuple) else () if option is None else (option,)
        return [part for one in options for part in self._option(each, one, package)]

    def _option(self, each: Default, option: Scalar, package: str) -> Parts:
        if not isinstance(option, str) or option == MISSING or "${" in option:
            raise UncomposedError(f"`{each.group}: {option}` names no file", each.place)
        config = self.read("/".join(filter(None, (each.group, option))), each.optional)
        if config is None:
            return []
        header = _header(config, each.place)
        inner = ".".join(filter(None, (package, each.package))) if header is None else header
        return self.parts(config, each.group, inner)


def _header(config: Config, place: Place) -> str | None:
    """The package that the comments at the top of a file name, from the root."""
    for line in config.text.splitlines():
        bare = line.strip()
        if bare and not bare.startswith("#"):
            return None
        comment = bare.removeprefix("#").strip()
        if comment.startswith(_PACKAGE):
            package = comment.removeprefix(_PACKAGE).strip()
            if "_group_" in package or "_name_" in package:
                raise UncomposedError(f"`{comment}` is not followed", place)
            return package.removeprefix(_GLOBAL).removeprefix(".")
    return None


def _inside(package: str, root: Entry) -> Entry:
    for key in reversed(package.split(".") if package else []):
        root = Section({key: root}, root.place)
    return root


def joined(first: Entry, second: Entry) -> Entry:
    """Two entries of one place: sections are joined key by key, else the second one counts."""
    if not isinstance(first, Section) or not isinstance(second, Section):
        return second
    entries = dict(first.entries)
    for key, each in second.entries.items():
        entries[key] = joined(entries[key], each) if key in entries else each
    return replace(first, entries=entries)


def put(root: Entry, keys: Sequence[str], name: str, value: Scalar) -> Entry | None:
    """The config with a value in place of the one that is there; `None` where none is."""
    if not keys:
        return Value(value, replace(root.place, given=name))
    if not isinstance(root, Section) or keys[0] not in root.entries:
        return None
    inner = put(root.entries[keys[0]], keys[1:], name, value)
    return None if inner is None else replace(root, entries={**root.entries, keys[0]: inner})
