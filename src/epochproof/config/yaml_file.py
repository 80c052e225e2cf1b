"""YAML: composed to nodes by PyYAML with the rules of its safe loader; nothing is constructed."""

from __future__ import annotations

from typing import Any

import yaml

from epochproof.config.entry import (
    MOST_DEPTH,
    Entry,
    Listed,
    Place,
    Section,
    Unreadable,
    Value,
    decimal,
    text,
    whole,
)
from epochproof.config.fault import fault
from epochproof.diagnostics import Source

_TAG = "tag:yaml.org,2002:"
_MERGE = f"{_TAG}merge"
_MOST_MERGED = 100_000
"""So many keys may merges copy in all."""

_SEXAGESIMAL = 60


class _Composer(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """Composes nodes up to a depth."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            where = self.peek_event().start_mark
            raise yaml.composer.ComposerError(None, None, f"nested more than {MOST_DEPTH} deep", where)
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1


def read_yaml(source: Source, path: str) -> Entry:
    """What a YAML document holds.

    Raises:
        SpecError: It is no YAML, holds several documents, repeats a key, or nests too deep.
    """
    try:
        loader = _Composer(source.text)
        root = loader.get_single_node()
    except yaml.reader.ReaderError as error:
        raise fault(source, error.position, f"a character that YAML does not allow: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = error.problem if error.problem_mark else error.context
        raise fault(source, mark.index if mark else 0, str(what)) from None
    return Section({}, Place(path)) if root is None else _Reading(source, path).entry(root)


class _Reading:
    """One document: each node is read once, however often it is named by an alias."""

    def __init__(self, source: Source, path: str) -> None:
        self._source, self._path = source, path
        self._read: dict[int, Entry] = {}
        self._open: set[int] = set()
        self._merged = 0

    def entry(self, node: Any) -> Entry:
        """What a node holds."""
        known = self._read.get(id(node))
        if known is None:
            if id(node) in self._open:
                return Unreadable("it contains itself by an alias", self._place(node))
            self._open.add(id(node))
            known = self._read[id(node)] = self._fresh(node)
            self._open.remove(id(node))
        return known

    def _fresh(self, node: Any) -> Entry:
        place = self._place(node)
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node.tag, node.value, place)
        if isinstance(node, yaml.MappingNode):
            entries = self._entries(node)
            return Section(entries, place) if node.tag == f"{_TAG}map" else _tagged(node.tag, place)
        if node.tag != f"{_TAG}seq":
            return _tagged(node.tag, place)
        return Listed(tuple(map(self.entry, node.value)), place)

    def _entries(self, node: Any) -> dict[str, Entry]:
        own: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        first: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in first:
                earlier = first[key.value].start_mark.index
                raise fault(
                    self._source, key.start_mark.index, f"key `{key.value}` is given twice", "E703", earlier
                )
            first[key.value] = key
            if key.tag == _MERGE:
                self._merge(value, merged)
            else:
                own[key.value] = self.entry(value)
        return merged | own

    def _merge(self, value: Any, merged: dict[str, Entry]) -> None:
        for each in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            found = self.entry(each)
            if not isinstance(found, Section):
                what = found.reason if isinstance(found, Unreadable) else "it is no mapping"
                raise fault(self._source, each.start_mark.index, f"`<<` cannot merge this: {what}")
            self._merged += len(found.entries)
            if self._merged > _MOST_MERGED:
                raise fault(
                    self._source, each.start_mark.index, f"`<<` copies more than {_MOST_MERGED:,} keys"
                )
            for name, entry in found.entries.items():
                merged.setdefault(name, entry)

    def _place(self, node: Any) -> Place:
        return Place(self._path, node.start_mark.line + 1, node.start_mark.column + 1)


def _tagged(tag: str, place: Place) -> Unreadable:
    return Unreadable(f"what the tag `{tag.replace(_TAG, '!!')}` makes of it is known only to the job", place)


def _scalar(tag: str, value: str, place: Place) -> Entry:
    match tag.removeprefix(_TAG):
        case "null":
            return Value(None, place)
        case "bool" if value.lower() in yaml.SafeLoader.bool_values:
            return Value(yaml.SafeLoader.bool_values[value.lower()], place)
        case "int":
            return _integer(value, place)
        case "float":
            return decimal(value.replace("_", ""), place)
        case "str":
            return text(value, place)
        case _:
            return _tagged(tag, place)


def _integer(value: str, place: Place) -> Entry:
    """A whole number as YAML 1.1 writes it: `017` is octal, `1:30` counts by sixties."""
    digits = value.replace("_", "").lower()
    bare = digits.lstrip("+-")
    if ":" in bare:
        return _sixties(bare, place, negative=digits.startswith("-"))
    for prefix, base in (("0b", 2), ("0x", 16), ("0", 8)):
        if bare.startswith(prefix) and bare != "0":
            return whole(digits, base, place)
    return whole(digits, 10, place)


def _sixties(digits: str, place: Place, *, negative: bool) -> Entry:
    total = 0
    for part in digits.split(":"):
        found = whole(part, 10, place)
        if not isinstance(found, Value) or not isinstance(found.value, int) or total > _SEXAGESIMAL**9:
            return Unreadable("a number with too many digits", place)
        total = total * _SEXAGESIMAL + found.value
    return Value(-total if negative else total, place)
