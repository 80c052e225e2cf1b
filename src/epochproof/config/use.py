"""What a spec takes from its bound files: which value, from where, for which words of the spec."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from epochproof.config.entry import Entry, Listed, Place, Scalar, Section, Unreadable
from epochproof.diagnostics import Diagnostic, Span
from epochproof.language.columns import safe

_OVERRIDE = "--set"
_LONGEST = 60


@dataclass(frozen=True)
class Use:
    """`name` stands at `span` of the spec, in the block or claim that begins at `owner`.

    `shown` is its value as text, `place` where that is written; `instead_of` what an override replaces;
    `composed` the config, and what a call gives it, whose composition has it there.
    """

    name: str
    shown: str
    place: Place
    span: Span
    owner: int = 0
    instead_of: str = ""
    composed: str = ""

    @property
    def overridden(self) -> bool:
        """Whether the value is from the call and not from the file."""
        return self.place.path == _OVERRIDE

    def __str__(self) -> str:
        instead = f", in place of {self.instead_of}" if self.instead_of else ""
        return f"{self.name} = {self.shown} ({self.place}{instead})"


OVERRIDE = Place(_OVERRIDE)


def shown(entry: Entry | None) -> str:
    """An entry as text, `None` for one that is absent."""
    match entry:
        case None:
            return "absent"
        case Unreadable():
            return "unreadable"
        case Section():
            return "a section"
        case Listed():
            text = f"[{', '.join(map(shown, entry.items[:9]))}{', …' if entry.items[9:] else ''}]"
            return text if len(text) <= _LONGEST else "a list"
    return _scalar(entry.value)


def _scalar(value: Scalar) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int():
            return f"{value:_}" if abs(value) < 10**_LONGEST else "a number"
        case Fraction():
            return _decimal(value)
    return f'"{safe(value[:_LONGEST])}"'


def _decimal(value: Fraction) -> str:
    """The shortest text of exactly this number, a fraction if it has none, or what it is if that is long."""
    try:
        text = f"{float(value):g}"
    except OverflowError:
        return "a number"
    exact = text if Fraction(text) == value else str(value)
    return exact if len(exact) <= _LONGEST else "a number"


def told(diagnostics: Iterable[Diagnostic], uses: Sequence[Use]) -> tuple[Diagnostic, ...]:
    """The diagnostics, each with the bound values that stand where it points."""
    return tuple(_told(each, uses) for each in diagnostics)


def _told(diagnostic: Diagnostic, uses: Sequence[Use]) -> Diagnostic:
    span = diagnostic.span
    if span is None or diagnostic.code.startswith("E7"):
        return diagnostic
    here = [each for each in uses if each.span.start < span.end and span.start < each.span.end]
    values = ", ".join(dict.fromkeys(map(str, here)))
    cure = f"{diagnostic.help}; " if diagnostic.help else ""
    return replace(diagnostic, help=f"{cure}bound here: {values}") if values else diagnostic
