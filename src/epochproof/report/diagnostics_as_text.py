"""A diagnostic as a person reads it: the message, the place in the text, help."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.diagnostics import Diagnostic, Source, Span
from epochproof.language.columns import safe, width

MOST_COLUMNS = 100
_BEFORE_MARK = 30

_RED, _YELLOW, _BLUE, _CYAN, _BOLD = "1;31", "1;33", "1;34", "1;36", "1"


@dataclass(frozen=True)
class _Mark:
    """An underline: where it begins in the text, its extent on its first line, what stands after it."""

    line: int
    start: int
    end: int
    sign: str
    label: str


@dataclass(frozen=True)
class _Ink:
    colour: bool

    def __call__(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def render(diagnostic: Diagnostic, source: Source | None, *, colour: bool = False) -> str:
    """Several lines without a line break at the end.

    Args:
        diagnostic: What to show.
        source: The text its spans point into; `None` where there is none.
        colour: Whether to write ANSI colours.

    Returns:
        Message, place, excerpt with carets (dashes for second places) and help; nothing in it can steer a
        terminal, whatever the source holds.
    """
    ink = _Ink(colour)
    strong = _RED if diagnostic.severity == "error" else _YELLOW
    head = ink(strong, f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [f"{head}{ink(_BOLD, ': ' + safe(diagnostic.message))}"]
    marks = _marks(diagnostic, source) if source is not None else []
    margin = " " * len(str(max((mark.line for mark in marks), default=1)))
    if source is not None:
        lines.append(f"{margin}{ink(_BLUE, '-->')} {safe(source.path)}{_where(diagnostic.span, source)}")
        lines += _excerpt(marks, source, margin, ink, strong)
    if diagnostic.help:
        lines.append(f"{margin} {ink(_BLUE, '=')} {ink(_CYAN, 'help')}: {safe(diagnostic.help)}")
    return "\n".join(lines)


def _where(span: Span | None, source: Source) -> str:
    if span is None:
        return ""
    line, column = source.position(span.start)
    return f":{line}:{column}"


def _marks(diagnostic: Diagnostic, source: Source) -> list[_Mark]:
    found = [_mark(each.span, "-", each.text, source) for each in diagnostic.secondary]
    if diagnostic.span is not None:
        found.append(_mark(diagnostic.span, "^", diagnostic.label, source))
    return sorted(found, key=lambda mark: (mark.line, mark.sign == "-", mark.start))


def _mark(span: Span, sign: str, label: str, source: Source) -> _Mark:
    line, column = source.position(min(span.start, len(source.text)))
    start = column - 1
    last = len(source.line(line).rstrip())
    end = min(start + max(span.end - span.start, 1), max(last, start + 1))
    return _Mark(line, start, end, sign, safe(label))


def _excerpt(marks: list[_Mark], source: Source, margin: str, ink: _Ink, strong: str) -> list[str]:
    if not marks:
        return []
    bar = ink(_BLUE, f"{margin} |")
    lines = [bar]
    shown = 0
    for number in sorted({mark.line for mark in marks}):
        if shown and number > shown + 1:
            lines.append(ink(_BLUE, "..."))
        shown = number
        here = [mark for mark in marks if mark.line == number]
        text = source.line(number)
        low, high = _window(text, here[0])
        gutter = ink(_BLUE, f"{number:>{len(margin)}} |")
        lines.append(f"{gutter} {_cut(text, low, high)}".rstrip())
        for mark in here:
            under = ink(strong if mark.sign == "^" else _BLUE, _underline(text, mark, low, high))
            lines.append(f"{bar} {under}")
    return [*lines, bar]


def _window(text: str, mark: _Mark) -> tuple[int, int]:
    """The part `low <= at < high` of a line that is shown, around the first mark."""
    if width(safe(text)) <= MOST_COLUMNS:
        return 0, len(text)
    low = max(0, mark.start - _BEFORE_MARK)
    high = low
    columns = 0
    while high < len(text) and columns < MOST_COLUMNS - 2:
        columns += width(safe(text[high]))
        high += 1
    return low, high


def _cut(text: str, low: int, high: int) -> str:
    return f"{'…' if low else ''}{safe(text[low:high])}{'…' if high < len(text) else ''}"


def _underline(text: str, mark: _Mark, low: int, high: int) -> str:
    start = min(max(mark.start, low), high)
    end = min(max(mark.end, start), high)
    indent = width(safe(text[low:start])) + (1 if low else 0)
    signs = mark.sign * max(width(safe(text[start:end])), 1)
    return f"{' ' * indent}{signs} {mark.label}".rstrip()
