"""What a spec says about a manifest: where it lies, its digest, and which columns mean what."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.diagnostics import Span


@dataclass(frozen=True)
class Column:
    """A column of a manifest: what it is for (`id`, `groups`, …), its name, and where the spec names it."""

    role: str
    name: str
    span: Span


@dataclass(frozen=True)
class Chosen:
    """The rows of a manifest in which a column holds a value; `span` is where the spec names the value."""

    column: Column
    value: str
    span: Span


Side = tuple[Chosen, ...]
"""The rows that are chosen by all of them; by none of them, all rows."""


@dataclass(frozen=True)
class Pin:
    """The manifest of a dataset as the spec names it; nothing was opened.

    A relative `path` is meant from the folder of the spec. `digest` is 64 hexadecimal digits, if pinned.
    """

    dataset: str
    path: str
    columns: tuple[Column, ...]
    span: Span
    digest: str | None = None
    digest_span: Span | None = None

    def column(self, role: str) -> Column | None:
        """The column that plays the role, if the spec names one."""
        return next((each for each in self.columns if each.role == role), None)
