"""A config file that breaks a rule of its format: an error that points into that file."""

from __future__ import annotations

from epochproof.diagnostics import Label, Source, Span, SpecError, fail

_CURES = {
    "E702": "mend the file: it is read as data before any claim is judged",
    "E703": "delete one of the two: which one counts differs between loaders",
}


def fault(source: Source, at: int, message: str, code: str = "E702", first: int | None = None) -> SpecError:
    """The error at an offset of the file; `first` is where the other one of two stands."""
    at = min(at, len(source.text))
    secondary = () if first is None else (Label(Span(first, first + 1), "first here"),)
    error = fail(code, message, Span(at, at + 1), secondary=secondary, help=_CURES[code])
    error.source = source
    return error
