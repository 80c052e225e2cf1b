"""What the JSON reports share: exact integers, places in a text, diagnostics."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from epochproof.diagnostics import Diagnostic, Source, Span

EXACT = 2**53
"""Beyond it a JSON number loses digits in common readers; such an integer is written as a string."""

_BREAK = r"\n\s+"
_NUMBERS = re.compile(rf"\[{_BREAK}(-?\d+(?:,{_BREAK}-?\d+)*){_BREAK}\]")
"""A list of integers over several lines; no text holds a line break, JSON escapes it."""


def written(document: Mapping[str, object]) -> str:
    """The document as ASCII, lists of numbers on one line, without a line break at the end."""
    indented = json.dumps(_exact(document), indent=2)
    return _NUMBERS.sub(lambda found: f"[{re.sub(_BREAK, ' ', found[1])}]", indented)


def _exact(value: object) -> object:
    match value:
        case bool():
            return value
        case int():
            return value if abs(value) <= EXACT else str(value)
        case Mapping():
            return {key: _exact(each) for key, each in value.items()}
        case list() | tuple():
            return [_exact(each) for each in value]
        case _:
            return value


def diagnostics(found: Sequence[Diagnostic], source: Source | None) -> list[dict[str, object]]:
    """Each diagnostic with its places as lines and columns, counted from 1."""
    return [
        {
            "code": each.code,
            "severity": each.severity,
            "message": each.message,
            "help": each.help,
            "span": _place(each.span, source),
            "label": each.label,
            "secondary": [
                {"span": _place(label.span, source), "label": label.text} for label in each.secondary
            ],
        }
        for each in found
    ]


def _place(span: Span | None, source: Source | None) -> dict[str, object] | None:
    if span is None or source is None:
        return None
    start, end = (
        dict(zip(("line", "column"), source.position(min(at, len(source.text))), strict=True))
        for at in (span.start, span.end)
    )
    return {"start": start, "end": end}
