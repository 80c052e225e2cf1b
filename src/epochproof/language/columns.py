"""How a text stands in a terminal: how wide it is, and without what could steer the terminal."""

from __future__ import annotations

import re
from unicodedata import combining, east_asian_width

HIDDEN = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
"""Control characters save tab and line breaks, and marks of writing direction, for a class of a pattern."""

_TAB = "    "
_UNSAFE = re.compile(rf"[\r\n{HIDDEN}]")


def width(text: str) -> int:
    """The columns that `text` takes: two for a wide character, none for a combining one."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def padded(text: str, columns: int) -> str:
    """`text` with spaces after it, `columns` wide at least."""
    return text + " " * (columns - width(text))


def safe(text: str) -> str:
    """`text` on one line, tabs as spaces, with U+FFFD for what could steer a terminal."""
    return _UNSAFE.sub("\ufffd", text.replace("\t", _TAB))


def _columns(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
