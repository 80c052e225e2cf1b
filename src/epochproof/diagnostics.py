"""What can be wrong with a spec or a run, and where: spans, diagnostics, errors."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Source:
    """One text and where it came from; turns offsets into lines and columns."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for at, character in enumerate(self.text):
            if character == "\n":
                starts.append(at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number`, counted from 1, without its line break."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@dataclass(frozen=True)
class Span:
    """Characters `start <= at < end` of a source."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from this one's start to the other one's end."""
        return Span(self.start, other.end)


@dataclass(frozen=True)
class Label:
    """A second place that a diagnostic points at, and why."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One finding about a text.

    `message` is lower case, has no period and holds the user's words in backticks; `help` says what to do
    about it. `span` is `None` only where there is no text to point at (an unreadable file).
    """

    code: str
    message: str
    span: Span | None = None
    label: str = ""
    secondary: tuple[Label, ...] = ()
    help: str = ""
    severity: Severity = "error"


class EpochproofError(Exception):
    """Any error that this package raises on purpose."""


@dataclass
class SpecError(EpochproofError):
    """The spec, or the call, is wrong: the user's to mend; exit code 2."""

    diagnostics: tuple[Diagnostic, ...]
    source: Source | None = field(default=None)

    def __str__(self) -> str:
        return "; ".join(f"{each.code} {each.message}" for each in self.diagnostics)


class Drift(EpochproofError):
    """The model and the real loader differ: exit code 4."""


class InternalError(EpochproofError):
    """A promise of this package does not hold: our bug, exit code 70. Please report it."""


def fail(
    code: str,
    message: str,
    span: Span | None,
    *,
    help: str = "",  # noqa: A002 -- the word that the message shows
    label: str = "",
    secondary: tuple[Label, ...] = (),
) -> SpecError:
    """The error that holds one diagnostic, ready to raise."""
    return SpecError((Diagnostic(code, message, span, label, secondary, help),))
