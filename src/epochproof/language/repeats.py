"""What a spec may hold once, or so many times, and holds more often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epochproof.diagnostics import Diagnostic, Label, Span
from epochproof.language import tree
from epochproof.language.preset import Choice, Preset, Use

MOST_STAGES = 200


def repeats(spec: tree.Spec) -> list[Diagnostic]:
    """One diagnostic for each repeated name, setting or option and each overlong loader, as the text goes."""
    blocks = [each for each in spec.statements if isinstance(each, tree.Block)]
    named = [each for each in spec.statements if isinstance(each, tree.Block | tree.Binding | Preset)]
    found = _twice("E116", "`{}` is defined twice", ((each.name, each.name_span) for each in named))
    for block in (*blocks, *(each for each in named if isinstance(each, Preset))):
        entries = block.entries if isinstance(block, tree.Loader | Preset) else block.settings
        settings = [each for each in entries if isinstance(each, tree.Setting)]
        found += _twice(
            "E117", "setting `{}` is given twice", ((each.name, each.name_span) for each in settings)
        )
        stages = [each for each in entries if isinstance(each, tree.Stage)]
        for stage in _called(entries):
            options = ((each.name, each.span) for each in stage.arguments if each.name is not None)
            found += _twice("E117", "option `{}` is given twice", options)
        found += _overlong(block.name, stages)
    return sorted(found, key=lambda each: each.span.start if each.span else 0)


def _called(entries: Iterable[tree.Setting | tree.Part]) -> Iterator[tree.Stage | Use]:
    """What has arguments, in choices too."""
    for each in entries:
        if isinstance(each, Choice):
            yield from _called((*each.then, *each.otherwise))
        elif isinstance(each, tree.Stage | Use):
            yield each


def _twice(code: str, message: str, names: Iterable[tuple[str, Span]]) -> list[Diagnostic]:
    first: dict[str, Span] = {}
    found = []
    for name, span in names:
        if name in first:
            earlier = (Label(first[name], "first here"),)
            text = message.format(name)
            found.append(Diagnostic(code, text, span, "again here", earlier, "delete one of the two"))
        first.setdefault(name, span)
    return found


def _overlong(name: str, stages: list[tree.Stage]) -> list[Diagnostic]:
    if len(stages) <= MOST_STAGES:
        return []
    message = f"loader `{name}` has {len(stages)} stages"
    most = f"a loader has at most {MOST_STAGES} stages"
    return [Diagnostic("E115", message, stages[MOST_STAGES].name_span, help=most)]
