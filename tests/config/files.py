"""Bound files and specs for the tests: written, read, checked."""

from __future__ import annotations

from pathlib import Path

import epochproof
from epochproof.config.entry import Entry, Listed, Scalar, Section, Unreadable, Value
from epochproof.config.read import from_disk, read_config
from epochproof.diagnostics import Diagnostic, Source, Span, SpecError
from epochproof.language import tree

_NOWHERE = Span(0, 1)


def read(folder: Path, name: str, text: str | bytes) -> Entry:
    """What the file holds with this text."""
    content = text.encode() if isinstance(text, str) else text
    (folder / name).write_bytes(content)
    return read_config(
        tree.Binding("t", "config", name, (), _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE), folder, from_disk
    )


def plain(entry: Entry) -> object:
    """The values alone; the reason of what is unreadable in angle brackets."""
    match entry:
        case Value():
            return entry.value
        case Unreadable():
            return f"<{entry.reason}>"
        case Listed():
            return [plain(each) for each in entry.items]
        case Section():
            return {name: plain(each) for name, each in entry.entries.items()}


def places(entry: Entry) -> dict[str, str]:
    """Where each value stands, by its dotted name."""
    if isinstance(entry, Section):
        return {
            ".".join(filter(None, (name, inner))): place
            for name, each in entry.entries.items()
            for inner, place in places(each).items()
        }
    return {"": str(entry.place)}


def fault(folder: Path, name: str, text: str | bytes) -> tuple[str, str, tuple[int, int] | None]:
    """Code, message and place of what is wrong with the file."""
    try:
        read(folder, name, text)
    except SpecError as error:
        return told(error.diagnostics[0], error.source)
    raise AssertionError("it was read")


def told(wrong: Diagnostic, source: Source | None) -> tuple[str, str, tuple[int, int] | None]:
    """Code, message and place of a diagnostic; no place where it points into the spec."""
    place = source.position(wrong.span.start) if source and wrong.span else None
    return wrong.code, wrong.message, place


def spec(folder: Path, text: str) -> Path:
    """The path of a spec with this text, without its edition."""
    path = folder / "train.epoch"
    path.write_text(f"edition 1\n{text}")
    return path


def words(path: Path, **overrides: Scalar) -> dict[str, str]:
    """The verdict of each claim by its text; overrides are of names in `t`, `__` for a dot."""
    values = {f"t.{name.replace('__', '.')}": value for name, value in overrides.items()}
    return {each.text: each.verdict.word for each in epochproof.check(path, overrides=values).claims}


def refused(path: Path) -> list[tuple[str, str, str]]:
    """Code, message and help of each thing that is wrong with the spec."""
    try:
        epochproof.check(path)
    except SpecError as error:
        return [(each.code, each.message, each.help) for each in error.diagnostics]
    return []
