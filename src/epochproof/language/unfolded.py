"""Nodes that no text holds: what stands in a loader in place of a `use`."""

from __future__ import annotations

from epochproof.diagnostics import Span
from epochproof.language.tree import Argument, Expression, Setting, Stage


class PresetStage(Stage):
    """A stage that a preset stands for; its spans are that of the `use`, but for values that this gives.

    `presets` are the names of the presets around it, the one in the spec first; `describes` is what that one
    says it describes, `place` where the stage itself is written.
    """

    name: str
    arguments: tuple[Argument, ...]
    span: Span
    name_span: Span
    presets: tuple[str, ...]
    describes: str
    place: str


class Given(Setting):
    """A number that a preset is given: claims and the stages of the preset know it by its name."""

    name: str
    free: bool
    value: Expression
    span: Span
    name_span: Span
    seed: bool
