"""Presets by their names: those of a file itself, of files that it binds, and of this package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from os.path import realpath
from pathlib import Path

from epochproof.config.read import Content, from_disk, text_of
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language import tree
from epochproof.language.node import walk
from epochproof.language.parse import parse, read
from epochproof.language.preset import Preset, Use
from epochproof.language.suggest import suggest
from epochproof.schedule.definition import wrong_in

SHIPPED = Path(__file__).parents[1] / "presets"
"""A file a framework; the first part of a preset's name is that of its file."""

READER = "presets"
"""What a binding reads a file of presets with."""


MOST_PRESETS = 200
"""So many presets may one stand for, itself included."""


@dataclass(frozen=True)
class Definition:
    """A preset, the name that it is used by, and the library of the file that it stands in."""

    preset: Preset
    called: str
    library: Library

    @property
    def describes(self) -> str:
        """What it says that it describes, "" if it says nothing."""
        found = [
            each.value
            for each in self.preset.entries
            if isinstance(each, tree.Setting) and each.name == "describes"
        ]
        return found[0].value if found and isinstance(found[0], tree.Text) else ""


class Library:
    """The presets that one file knows.

    Args:
        spec: The file, parsed.
        content: Gives the bytes of files that it binds.
        called: What other files call it: the first part of its presets' names, "" for the spec itself.
        files: All that was read, by path; shared by the libraries that come of one spec.
    """

    def __init__(
        self, spec: tree.Spec, content: Content, called: str = "", files: dict[str, Library] | None = None
    ) -> None:
        self.source, self._called, self._content = spec.source, called, content
        self._files = {} if files is None else files
        self.presets = {each.name: each for each in spec.statements if isinstance(each, Preset)}
        bindings = [each for each in spec.statements if isinstance(each, tree.Binding)]
        self.bound = {each.name: each for each in bindings if each.reader == READER}
        self._sound: dict[str, int] = {}
        self.too_large: dict[str, SpecError] = {}
        """Presets that stand for too many others, and those that use them."""

    @cached_property
    def own(self) -> tuple[Definition, ...]:
        """The presets of the file itself."""
        return tuple(Definition(each, self.named(name), self) for name, each in self.presets.items())

    def named(self, name: str) -> str:
        """What a preset of this file is called in the spec."""
        return f"{self._called}.{name}" if self._called else name

    def file(self, first: str) -> Library:
        """The library of a file that this one binds, or that is shipped.

        Raises:
            SpecError: The file cannot be read, or is wrong; then its `source` is that file.
        """
        binding = self.bound.get(first)
        folder = Path(self.source.path).parent
        path = str(SHIPPED / f"{first}.epoch" if binding is None else folder / binding.path)
        # One file may bind itself by ever longer paths.
        key = realpath(path)
        if key not in self._files:
            text = None if binding is None else text_of(binding, folder, self._content)
            spec = read(path) if text is None else parse(text, path)
            content = from_disk if text is None else self._content
            self._files[key] = Library(spec, content, first, self._files)
        return self._files[key]

    def find(self, name: tree.Name) -> Definition:
        """The preset that a `use` in this file names, sound in itself.

        Raises:
            SpecError: There is none, or its file or the preset is wrong; then its `source` is that file.
        """
        found = self._found(name)
        found.library.check(found)
        return found

    def check(self, definition: Definition, above: tuple[str, ...] = ()) -> int:
        """How many presets one of this file stands for at most, itself included, if all of them are sound.

        Raises:
            SpecError: One is not. Its `source` is the file at fault.
        """
        preset = definition.preset
        if preset.name in self.too_large:
            raise self.too_large[preset.name]
        if preset.name not in self._sound:
            wrong = list(wrong_in(preset))
            if wrong:
                raise SpecError(tuple(wrong), self.source)
            above, many = (*above, definition.called), 1
            if len(above) > MOST_PRESETS:
                raise self._too_many(preset, f"more than {MOST_PRESETS} presets use each other in a row")
            for each in walk(preset.entries):
                if isinstance(each, Use):
                    many += self._followed(each, above, preset)
            if many > MOST_PRESETS:
                raise self._too_many(preset, f"`{preset.name}` uses too many presets")
            self._sound[preset.name] = many
        return self._sound[preset.name]

    def _too_many(self, preset: Preset, message: str) -> SpecError:
        """The error about it, which is that of all that use the preset, too."""
        cure = f"a preset stands for at most {MOST_PRESETS} others"
        error = self._wrong(fail("E254", message, preset.name_span, help=cure))
        self.too_large[preset.name] = error
        return error

    def _followed(self, use: Use, above: tuple[str, ...], user: Preset) -> int:
        """How many presets a `use` in a preset of this file stands for."""
        try:
            found = self._found(use.name)
        except SpecError as error:
            raise self._wrong(error) from None
        if found.called in above:
            ring = (*above[above.index(found.called) :], found.called)
            chain = " uses ".join(f"`{each}`" for each in ring)
            cure = "write the stages out"
            raise self._wrong(fail("E253", f"a preset stands for itself: {chain}", use.span, help=cure))
        try:
            return found.library.check(found, above)
        except SpecError as error:
            if error in found.library.too_large.values():
                self.too_large[user.name] = error
            raise

    def _wrong(self, error: SpecError) -> SpecError:
        """The error, which is of this file unless another one is known."""
        error.source = error.source or self.source
        return error

    def _found(self, name: tree.Name) -> Definition:
        """The preset of a name; its own file comes first, then what is bound, then what is shipped."""
        if str(name) in self.presets:
            return Definition(self.presets[str(name)], self.named(str(name)), self)
        first, rest = name.parts[0], ".".join(name.parts[1:])
        library = self._library(first)
        if library is None or rest not in library.presets:
            raise self._unknown(name, library)
        return Definition(library.presets[rest], library.named(rest), library)

    def _unknown(self, name: tree.Name, library: Library | None) -> SpecError:
        if library is None:
            known = [each.called for each in self.own]
            known += [each.called for first in self._firsts() for each in self.file(first).own]
            cure = suggest(str(name), known) or f"presets are those of {', '.join(self._firsts())}"
        else:
            known = [each.called for each in library.own]
            cure = suggest(str(name), known) or f"`{name.parts[0]}` has {', '.join(known) or 'no presets'}"
        return fail("E251", f"unknown preset `{name}`", name.span, help=cure)

    def _firsts(self) -> list[str]:
        return sorted({*self.bound, *shipped()})

    def _library(self, first: str) -> Library | None:
        return self.file(first) if first in self.bound or first in shipped() else None

    def files(self) -> Iterator[str]:
        """The files that the file binds, and those that these bind, as far as they can be read."""
        seen: dict[str, None] = {}
        pending = [self]
        while pending:
            here = pending.pop()
            folder = Path(here.source.path).parent
            for name, binding in here.bound.items():
                if str(folder / binding.path) not in seen:
                    seen[str(folder / binding.path)] = None
                    try:
                        pending.append(here.file(name))
                    except SpecError:
                        continue
        yield from seen


def shipped() -> frozenset[str]:
    """The frameworks of which presets are shipped."""
    return frozenset(each.stem for each in SHIPPED.glob("*.epoch"))


def place(source: Source, start: int) -> str:
    """A place in a file of presets, as a message names it: `torch.epoch:7`."""
    return f"{Path(source.path).name}:{source.position(start)[0]}"
