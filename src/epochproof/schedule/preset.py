"""Presets where a schedule is read: each `use` unfolded, its numbers named, its stages told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from epochproof.diagnostics import Diagnostic, SpecError
from epochproof.language import tree
from epochproof.language.preset import Preset, Use
from epochproof.language.unfolded import Given, PresetStage
from epochproof.model.values import Scope

if TYPE_CHECKING:
    from epochproof.config.read import Content

Unfold = Callable[[tree.Loader], tree.Loader]
"""A loader with the stages of its presets in place of each `use`."""

_READER = "presets"


def unfolding(spec: tree.Spec, content: Content | None) -> tuple[tree.Spec, Unfold]:
    """The spec without its presets and without the bindings of some, and how its loaders unfold.

    Raises:
        SpecError: A preset of the spec is wrong, used or not.
    """
    if not any(map(_concerned, spec.statements)):
        return spec, lambda block: block
    from epochproof.config.read import from_disk  # noqa: PLC0415 -- many specs use no preset
    from epochproof.schedule.expansion import expanded  # noqa: PLC0415 -- many specs use no preset
    from epochproof.schedule.library import Library  # noqa: PLC0415 -- many specs use no preset

    library, wrong = Library(spec, content or from_disk), list[Diagnostic]()
    for each in library.own:
        try:
            library.check(each)
        except SpecError as error:
            if error.source is not spec.source:
                raise
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(dict.fromkeys(wrong)), spec.source)
    kept = [each for each in spec.statements if not isinstance(each, Preset) and not _binds(each)]
    return tree.Spec(spec.source, spec.edition, tuple(kept)), lambda block: expanded(block, library)


def preset_files(spec: tree.Spec) -> list[str]:
    """The files of presets that a spec binds, and those that these bind."""
    if not any(_binds(each) for each in spec.statements):
        return []
    from epochproof.config.read import from_disk  # noqa: PLC0415 -- many specs use no preset
    from epochproof.schedule.library import Library  # noqa: PLC0415 -- many specs use no preset

    return list(Library(spec, from_disk).files())


@dataclass(frozen=True)
class PresetFile:
    """A file of presets: the files that it binds, by their names and numbers, and its presets."""

    bound: tuple[tuple[str, int], ...]
    presets: tuple[Preset, ...]


def without_files(spec: tree.Spec) -> tuple[tree.Spec, tuple[PresetFile, ...]]:
    """The spec without its bindings of presets, and all files that these lead to; number 0 is the spec.

    Raises:
        SpecError: One of them cannot be read, or is wrong.
    """
    if not any(map(_binds, spec.statements)):
        return spec, ()
    from epochproof.config.read import from_disk  # noqa: PLC0415 -- many specs use no preset
    from epochproof.schedule.library import Library  # noqa: PLC0415 -- many specs use no preset

    libraries, found = [Library(spec, from_disk)], list[PresetFile]()
    for library in libraries:
        bound = [(name, library.file(name)) for name in library.bound]
        libraries += [each for each in dict.fromkeys(each for _, each in bound) if each not in libraries]
        numbers = tuple((name, libraries.index(each)) for name, each in bound)
        found.append(PresetFile(numbers, tuple(library.presets.values()) if found else ()))
    kept = tuple(each for each in spec.statements if not _binds(each))
    return tree.Spec(spec.source, spec.edition, kept), tuple(found)


def _concerned(statement: tree.Statement) -> bool:
    """Whether a preset is defined here, bound or used."""
    if isinstance(statement, tree.Loader):
        return any(isinstance(each, Use) for each in statement.entries)
    return isinstance(statement, Preset) or _binds(statement)


def _binds(statement: tree.Statement) -> bool:
    return isinstance(statement, tree.Binding) and statement.reader == _READER


def stages(block: tree.Loader, scope: Scope) -> Iterator[tree.Stage]:
    """The stages of an unfolded loader; the numbers that presets are given join the scope on the way."""
    for entry in block.entries:
        if isinstance(entry, Given):
            _give(entry, block.name, scope)
        elif isinstance(entry, tree.Stage):
            yield entry


def _give(given: Given, loader: str, scope: Scope) -> None:
    """Lets `<loader>.<parameter>` stand for a number that a preset is given."""
    called = f"{loader}.{given.name}"
    if given.free:
        value = scope.free(called, given.value, least=0, span=given.span, seed=given.seed)
    elif isinstance(given.value, tree.Unread):
        value = scope.unread(given.value, 0, seed=given.seed)
    else:
        value = scope.term(given.value)
    scope.name(called, value, given.span)


@contextmanager
def named(stage: tree.Stage) -> Iterator[None]:
    """Errors of the stage say where it is written, if a preset stands for it."""
    try:
        yield
    except SpecError as error:
        if not isinstance(stage, PresetStage):
            raise
        raise _told(error, stage) from None


def origin(stage: tree.Stage) -> tuple[str, str]:
    """The presets around a stage, and the outer one with what it describes; both "" for one of the spec."""
    if not isinstance(stage, PresetStage):
        return "", ""
    names = " of ".join(f"`{each}`" for each in reversed(stage.presets))
    return names, f"`{stage.presets[0]}` as in {stage.describes}" if stage.describes else ""


def _told(error: SpecError, stage: PresetStage) -> SpecError:
    """The error of a stage that a preset stands for, saying where that is written."""
    where = f"`{stage.name}` stands in preset {origin(stage)[0]} ({stage.place})"

    def with_place(wrong: Diagnostic) -> Diagnostic:
        apart = " " if wrong.help.endswith("?") else "; "
        return replace(wrong, help=f"{wrong.help}{apart}{where}" if wrong.help else where)

    return SpecError(tuple(map(with_place, error.diagnostics)), error.source)
