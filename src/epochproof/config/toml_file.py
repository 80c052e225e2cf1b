"""TOML: read by the standard library; the places of its keys are looked up in the text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace

from epochproof.config.entry import (
    MOST_DEPTH,
    MOST_DIGITS,
    Entry,
    Listed,
    Place,
    Section,
    Unreadable,
    Value,
    decimal,
    text,
)
from epochproof.config.fault import fault
from epochproof.diagnostics import Source, SpecError

Keys = tuple[str, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\\\n]*"|'[^'\n]*')"""
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*\]")
_KEY = re.compile(rf"[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*=[ \t]*")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(source: Source, path: str) -> Entry:
    """What a TOML document holds.

    Raises:
        SpecError: It is no TOML, repeats a key, or nests too deep.
    """
    try:
        found = tomllib.loads(source.text, parse_float=lambda digits: decimal(digits, Place(path)))
    except tomllib.TOMLDecodeError as error:
        raise _broken(source, str(error)) from None
    except RecursionError:
        raise fault(source, 0, f"nested more than {MOST_DEPTH} deep") from None
    return _Reading(source, path, _places(source, path)).entry(found, ())


def _broken(source: Source, message: str) -> SpecError:
    found = _AT.search(message)
    what = message[: found.start()] if found else message
    at = len(source.text)
    if found and found[1]:
        lines = source.text.splitlines(keepends=True)
        at = sum(map(len, lines[: int(found[1]) - 1])) + int(found[2]) - 1
    twice = "overwrite" in what or "twice" in what or "Cannot mutate" in what or "Cannot declare" in what
    return fault(source, at, what[:1].lower() + what[1:], "E703" if twice else "E702")


class _Reading:
    def __init__(self, source: Source, path: str, places: Mapping[Keys, Place]) -> None:
        self._source, self._path, self._places = source, path, places

    def entry(self, found: object, keys: Keys) -> Entry:
        """What stands under the keys; a place that is not known is that of what it stands in."""
        if len(keys) > MOST_DEPTH:
            raise fault(self._source, 0, f"nested more than {MOST_DEPTH} deep")
        place = next(
            (self._places[keys[:end]] for end in range(len(keys), 0, -1) if keys[:end] in self._places),
            Place(self._path),
        )
        match found:
            case dict():
                return Section({name: self.entry(each, (*keys, name)) for name, each in found.items()}, place)
            case list():
                return Listed(tuple(self.entry(each, (*keys, "")) for each in found), place)
            case Value() | Unreadable():
                return replace(found, place=place)
            case _:
                return _scalar(found, place)


def _scalar(found: object, place: Place) -> Entry:
    match found:
        case str():
            return text(found, place)
        case bool():
            return Value(found, place)
        case int() if abs(found) < 10**MOST_DIGITS:
            return Value(found, place)
    reason = "a number with too many digits" if isinstance(found, int) else f"`{found}` is a date or a time"
    return Unreadable(reason, place)


def _places(source: Source, path: str) -> dict[Keys, Place]:
    """Where the value of each key begins, as far as lines show it; a key that is seen twice has no place."""
    found: dict[Keys, Place] = {}
    doubtful: set[Keys] = set()
    table: Keys = ()
    inside = ""
    for number, line in enumerate(source.text.split("\n"), 1):
        before, inside = inside, _still_inside(line, inside)
        if before:
            continue
        if header := _HEADER.match(line):
            table = (*_parts(header[2]), *([""] if header[1] == "[[" else []))
            continue
        if key := _KEY.match(line):
            keys = (*table, *_parts(key[1]))
            doubtful |= {keys} & found.keys()
            found[keys] = Place(path, number, key.end() + 1)
    return {keys: place for keys, place in found.items() if keys not in doubtful}


def _parts(dotted: str) -> Keys:
    return tuple(each.strip("\"'") for each in re.findall(_PART, dotted))


def _still_inside(line: str, inside: str) -> str:
    """Which quotes of several lines are open after the line, if some are."""
    for quotes in [inside] if inside else ['"""', "'''"]:
        if line.count(quotes) % 2:
            return "" if inside else quotes
    return inside
