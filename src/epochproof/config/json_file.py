"""JSON: checked by the standard library, then read again for the places of its values."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from epochproof.config.entry import MOST_DEPTH, Entry, Listed, Place, Section, Value, decimal, text, whole
from epochproof.config.fault import fault
from epochproof.diagnostics import Source, SpecError

_TOKEN = re.compile(r'[ \t\r\n]*([\[\]{},:]|"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+)')
_WORDS = {"true": True, "false": False, "null": None}


def read_json(source: Source, path: str) -> Entry:
    """What a JSON document holds.

    Raises:
        SpecError: It is no JSON, repeats a key, or nests too deep.
    """
    try:
        json.loads(source.text, parse_constant=_constant, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise fault(source, error.pos, error.msg[:1].lower() + error.msg[1:]) from None
    except _NoNumberError as error:
        at = source.text.find(str(error))
        raise fault(source, max(at, 0), f"`{error}` is no number of JSON") from None
    except RecursionError:
        raise _deep(source, 0) from None
    tokens = [(each[1], each.start(1)) for each in _TOKEN.finditer(source.text)]
    return _Reading(source, path, tokens[::-1]).entry(0)


class _NoNumberError(ValueError):
    """`NaN` or `Infinity`."""


def _constant(name: str) -> object:
    raise _NoNumberError(name)


def _deep(source: Source, at: int) -> SpecError:
    return fault(source, at, f"nested more than {MOST_DEPTH} deep")


@dataclass
class _Reading:
    source: Source
    path: str
    tokens: list[tuple[str, int]]
    """What is left, the next one last."""

    def entry(self, depth: int) -> Entry:
        """The next entry of a text that is known to be JSON."""
        word, at = self.tokens.pop()
        place = Place(self.path, *self.source.position(at))
        if word not in ("{", "["):
            return _scalar(word, place)
        if depth == MOST_DEPTH:
            raise _deep(self.source, at)
        if word == "{":
            return Section(self._entries(depth + 1), place)
        items: list[Entry] = []
        while self.tokens[-1][0] != "]":
            items.append(self.entry(depth + 1))
            self._comma()
        self.tokens.pop()
        return Listed(tuple(items), place)

    def _entries(self, depth: int) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        first: dict[str, int] = {}
        while self.tokens[-1][0] != "}":
            token, at = self.tokens.pop()
            key = json.loads(token)
            if key in first:
                raise fault(self.source, at, f"key `{key}` is given twice", "E703", first[key])
            first[key] = at
            self.tokens.pop()
            entries[key] = self.entry(depth)
            self._comma()
        self.tokens.pop()
        return entries

    def _comma(self) -> None:
        if self.tokens[-1][0] == ",":
            self.tokens.pop()


def _scalar(token: str, place: Place) -> Entry:
    if token[0] == '"':
        return text(json.loads(token), place)
    if token in _WORDS:
        return Value(_WORDS[token], place)
    return decimal(token, place) if set(token) & set(".eE") else whole(token, 10, place)
