"""Interpolations of OmegaConf: `${a.b}` is the entry under these keys, `${oc.env:X}` what the spec gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from epochproof.config.entry import MOST_DEPTH, Entry, Listed, Section, Unreadable, Value
from epochproof.config.environment import Environment

_KEYS = re.compile(r"\$\{\s*([\w-]+(?:\.[\w-]+|\[[0-9]+\])*)\s*\}", re.ASCII)
_KEY = re.compile(r"[\w-]+", re.ASCII)
_VARIABLE = re.compile(r"\$\{\s*oc\.env:\s*(\w+)\s*(?:,[^{}$]*)?\}", re.ASCII)
_DECODED = re.compile(r"\$\{\s*oc\.decode:\s*(\$\{[^{}]*\})\s*\}", re.ASCII)


def interpolated(root: Entry, environment: Environment) -> Entry:
    """The config with what its interpolations stand for, each as far as it can be known.

    One that leads nowhere, in a circle or to the environment stays unreadable, and no other value minds.
    """
    return _Config(root, environment).entry(root)


@dataclass
class _Config:
    root: Entry
    environment: Environment
    done: dict[int, Entry] = field(default_factory=dict)
    """By the identity of an entry: aliases name one entry several times."""

    open: set[int] = field(default_factory=set)

    def entry(self, entry: Entry) -> Entry:
        if isinstance(entry, Value):
            return entry
        if id(entry) not in self.done:
            if id(entry) in self.open or len(self.open) > 2 * MOST_DEPTH:
                return Unreadable("it stands for itself, or for too much", entry.place)
            self.open.add(id(entry))
            self.done[id(entry)] = self._fresh(entry)
            self.open.remove(id(entry))
        return self.done[id(entry)]

    def _fresh(self, entry: Entry) -> Entry:
        match entry:
            case Unreadable(written=str(text)) if text:
                return self._stands_for(entry, text) or entry
            case Section():
                return replace(entry, entries={key: self.entry(each) for key, each in entry.entries.items()})
            case Listed():
                return replace(entry, items=tuple(map(self.entry, entry.items)))
        return entry

    def _stands_for(self, entry: Unreadable, text: str) -> Entry | None:
        if decoded := _DECODED.fullmatch(text):
            text = decoded[1]
        if variable := _VARIABLE.fullmatch(text):
            return self._variable(entry, variable[1])
        keys = _KEYS.fullmatch(text)
        return None if keys is None else self._under(_KEY.findall(keys[1]))

    def _variable(self, entry: Unreadable, name: str) -> Entry | None:
        if name not in self.environment:
            return None
        return Value(self.environment[name], replace(entry.place, given=f"env.{name}"))

    def _under(self, keys: Sequence[str]) -> Entry | None:
        """What stands under keys from the root."""
        here: Entry = self.root
        for key in keys:
            if isinstance(here, Unreadable):
                here = self.entry(here)
            match here:
                case Section() if key in here.entries:
                    here = here.entries[key]
                case Listed() if key.isdigit() and int(key) < len(here.items):
                    here = here.items[int(key)]
                case _:
                    return None
        return self.entry(here)
