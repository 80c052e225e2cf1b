"""A loader with the stages of its presets in place of each `use`: from a tree to a tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from epochproof.config.fill import LOADER_NUMBERS, filled, truth_of
from epochproof.config.literal import unread_in
from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.preset import Choice, Use
from epochproof.language.repeats import MOST_STAGES
from epochproof.language.unfolded import Given, PresetStage
from epochproof.schedule.arguments import matched, seeds, settled
from epochproof.schedule.definition import default_of, parameter_name
from epochproof.schedule.library import Definition, Library, place


def expanded(block: tree.Loader, library: Library) -> tree.Loader:
    """The loader without a `use`.

    Raises:
        SpecError: A preset is unknown or used wrongly, or its file is wrong; then its `source` is that file.
    """
    entries: list[tree.Setting | tree.Stage | Use] = []
    for entry in block.entries:
        if isinstance(entry, Use):
            entries += _of_spec(entry, block.name, library)
        else:
            entries.append(entry)
        if sum(isinstance(each, tree.Stage) for each in entries) > MOST_STAGES:
            raise fail(
                "E115",
                f"loader `{block.name}` has more than {MOST_STAGES} stages",
                entry.span,
                help=f"a loader has at most {MOST_STAGES} stages, those of its presets included",
            )
    return tree.Loader(block.name, block.over, tuple(entries), block.span, block.name_span)


def _of_spec(use: Use, loader: str, library: Library) -> Iterator[Given | tree.Stage]:
    """What a `use` of the spec stands for: the numbers that it is given, then the stages."""
    definition = library.find(use.name)
    given = matched(use, definition)
    seeding = seeds(definition)
    values: dict[str, tree.Expression] = {}
    for parameter in definition.preset.parameters:
        name, argument = parameter_name(parameter), given.get(parameter_name(parameter))
        value = _default(parameter, values, use.span) if argument is None else argument.value
        free = argument is not None and argument.free
        value = settled(name, parameter, value, free=free)
        values[name] = tree.Name((loader, name), value.span) if free else value
        if free or _counts(value, default_of(parameter)):
            span = use.span if argument is None else argument.span
            yield Given(name, free, value, span, span, name in seeding)
    writing = _Writing(definition, values, use.span, (definition.called,), definition.describes)
    yield from writing.parts(definition.preset.entries)


def _default(parameter: tree.Argument, values: Mapping[str, tree.Expression], span: Span) -> tree.Expression:
    """The default of a parameter, which may name those before it."""
    return cast("tree.Expression", filled(default_of(parameter), values, span))


def _counts(value: tree.Expression, default: tree.Expression | None) -> bool:
    """Whether a value is a number, as far as its form shows; a word is none."""
    if isinstance(default, tree.Name) and str(default) != "any":
        return False
    match value:
        case tree.Word() | tree.Text() | tree.Set() | tree.List() | tree.Range():
            return False
        case tree.Name():
            return len(value.parts) > 1 or value.parts[0] in LOADER_NUMBERS
        case tree.Number():
            return isinstance(value.value, int)
    return True


@dataclass(frozen=True)
class _Writing:
    """The parts of one preset, written out for one `use`."""

    definition: Definition
    values: Mapping[str, tree.Expression]
    span: Span
    presets: tuple[str, ...]
    describes: str

    def parts(self, parts: tuple[tree.Setting | tree.Part, ...]) -> Iterator[tree.Stage]:
        """The stages of the parts, from top to bottom."""
        for part in parts:
            if isinstance(part, tree.Stage):
                yield self._stage(part)
            elif isinstance(part, Use):
                yield from self._use(part)
            elif isinstance(part, Choice):
                yield from self.parts(part.then if self._holds(part) else part.otherwise)

    def _stage(self, stage: tree.Stage) -> PresetStage:
        source = self.definition.library.source
        return PresetStage(
            stage.name,
            tuple(map(self._argument, stage.arguments)),
            self.span,
            self.span,
            self.presets,
            self.describes,
            place(source, stage.span.start),
        )

    def _argument(self, argument: tree.Argument) -> tree.Argument:
        value = filled(argument.value, self.values, self.span)
        return tree.Argument(argument.name, False, value, value.span)  # noqa: FBT003 -- a node has no keywords

    def _use(self, use: Use) -> Iterator[tree.Stage]:
        definition = self.definition.library.find(use.name)
        given = matched(use, definition)
        values: dict[str, tree.Expression] = {}
        for parameter in definition.preset.parameters:
            name = parameter_name(parameter)
            value = (
                filled(given[name].value, self.values, self.span)
                if name in given
                else _default(parameter, values, self.span)
            )
            values[name] = settled(name, parameter, value, free=False)
        inner = replace(
            self, definition=definition, values=values, presets=(*self.presets, definition.called)
        )
        yield from inner.parts(definition.preset.entries)

    def _holds(self, choice: Choice) -> bool:
        condition = filled(choice.condition, self.values, self.span)
        for unread in unread_in(condition):
            raise fail("E709", unread.reason, unread.span, help="write the value in the spec, or `--set` it")
        truth = truth_of(condition)
        if truth is not None:
            return truth
        where = place(self.definition.library.source, choice.condition.span.start)
        raise fail(
            "E255",
            f"the condition of `if` at {where} is not decided",
            condition.span,
            help="which stages there are depends on words, truth values and fixed numbers alone",
        )
