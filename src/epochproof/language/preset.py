"""The nodes of presets, as written: what defines one, and what stands for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epochproof.diagnostics import Span
from epochproof.language.node import Node

if TYPE_CHECKING:
    from epochproof.language import tree


class Use(Node):
    """`use torch.DistributedSampler(drop_last = false)`: the stages of a preset."""

    name: tree.Name
    arguments: tuple[tree.Argument, ...]
    span: Span


class Choice(Node):
    """`if condition { … } else { … }` in a preset."""

    condition: tree.Expression
    then: tuple[tree.Part, ...]
    otherwise: tuple[tree.Part, ...]
    span: Span


class Preset(Node):
    """`preset name(parameters) { entries }`. `name_span` covers the name alone."""

    name: str
    parameters: tuple[tree.Argument, ...]
    entries: tuple[tree.Setting | tree.Part, ...]
    span: Span
    name_span: Span
