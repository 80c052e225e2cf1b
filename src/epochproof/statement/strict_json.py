"""JSON from a stranger: no key twice, no number that is no number, not too deep."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MOST_DEPTH = 64


class JsonError(Exception):
    """The bytes are no JSON that everybody reads alike; holds why."""


def loads(content: bytes) -> Any:
    """What the bytes hold.

    Raises:
        JsonError: They are not UTF-8, no JSON, repeat a key, or nest too deep.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise JsonError("it is not UTF-8") from None
    if _depth(text) > MOST_DEPTH:
        raise JsonError(f"it nests more than {MOST_DEPTH} deep")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise JsonError("it is no JSON") from None


def _depth(text: str) -> int:
    """How many brackets are open at once, at most; those in texts count, too."""
    deepest = depth = 0
    for each in text:
        if each in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif each in "]}":
            depth -= 1
    return deepest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        again = next(name for name in names if names.count(name) > 1)
        raise JsonError(f"it gives the key `{again}` twice")
    return found


def _refused(word: str) -> NoReturn:
    raise JsonError(f"it holds `{word}`, which is no number")
