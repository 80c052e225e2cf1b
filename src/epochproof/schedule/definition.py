"""What a definition of a preset may hold."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.config.fill import LOADER_NUMBERS
from epochproof.diagnostics import Diagnostic, fail
from epochproof.language import tree
from epochproof.language.node import walk
from epochproof.language.preset import Preset, Use
from epochproof.language.suggest import suggest
from epochproof.stage._room import names

LOADER_SETTINGS = (*LOADER_NUMBERS, "style", "persistent")
"""Settings that a loader gives itself."""

_SETTINGS = ("describes",)
_TAKEN = (*LOADER_SETTINGS, "any", "true", "false")


def wrong_in(preset: Preset) -> Iterator[Diagnostic]:
    """What is wrong with a preset, whoever uses it."""
    yield from _wrong_parameters(preset)
    for entry in preset.entries:
        if isinstance(entry, tree.Setting):
            yield from _wrong_setting(entry)
    yield from _outside(preset)
    for part in walk(preset.entries):
        if isinstance(part, tree.Stage) and part.name not in names():
            cure = suggest(part.name, names()) or f"stages are {', '.join(names())}"
            yield from fail("E202", f"unknown stage `{part.name}`", part.name_span, help=cure).diagnostics
        elif isinstance(part, tree.Argument) and part.free:
            yield from _refused(
                "a preset leaves nothing free by itself",
                part,
                "make it a parameter, which a `use` may leave free",
            )


def _outside(preset: Preset) -> Iterator[Diagnostic]:
    """Names with dots, which would be those of some spec."""
    used = {id(each.name) for each in walk(preset.entries) if isinstance(each, Use)}
    for each in walk((*(each.value for each in preset.parameters if each.name), *preset.entries)):
        if isinstance(each, tree.Name) and len(each.parts) > 1 and id(each) not in used:
            cure = "make it a parameter, which a `use` gives"
            message = f"a preset names nothing of a spec, as `{each}` is"
            yield from fail("E254", message, each.span, help=cure).diagnostics


def parameter_name(parameter: tree.Argument) -> str:
    """What a parameter is called, "" where it is none."""
    if parameter.name is not None:
        return parameter.name
    value = parameter.value
    return value.parts[0] if isinstance(value, tree.Name) and len(value.parts) == 1 else ""


def default_of(parameter: tree.Argument) -> tree.Expression | None:
    """What a parameter is where a `use` does not give it; `None` for one that must be given."""
    return None if parameter.name is None else parameter.value


def _wrong_parameters(preset: Preset) -> Iterator[Diagnostic]:
    seen: list[str] = []
    optional = False
    for each in preset.parameters:
        name, default = parameter_name(each), default_of(each)
        if not name or each.free:
            yield from _refused(
                "this is no parameter of a preset",
                each,
                "write `batch_size`, or `drop_last = false` with a default",
            )
        elif name in _TAKEN:
            yield from _refused(
                f"`{name}` is no name for a parameter",
                each,
                "stages of a preset can name the settings of the loader",
            )
        elif name in seen:
            yield from _refused(f"parameter `{name}` is declared twice", each, "delete one of the two")
        elif default is None and optional:
            yield from _refused(
                f"parameter `{name}` has no default, and one before it has",
                each,
                "let parameters without a default come first",
            )
        seen.append(name)
        optional |= default is not None


def _wrong_setting(setting: tree.Setting) -> Iterator[Diagnostic]:
    if setting.name in LOADER_SETTINGS:
        cure = "write it in the loader; stages of the preset can name it"
        yield from _refused(f"a preset does not set `{setting.name}`", setting, cure)
    elif setting.name not in _SETTINGS:
        cure = suggest(setting.name, _SETTINGS) or 'a preset has one setting: `describes = "torch 2.13"`'
        yield from _refused(f"a preset has no setting `{setting.name}`", setting, cure)
    elif setting.free or not isinstance(setting.value, tree.Text):
        yield from _refused("`describes` is a text", setting, 'write `describes = "torch 2.13"`')


def _refused(message: str, part: tree.Argument | tree.Setting, cure: str) -> tuple[Diagnostic, ...]:
    return fail("E254", message, part.span, help=cure).diagnostics
