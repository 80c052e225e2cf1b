"""Bound values of a schedule: put in place, told where they are wrong, followed where they are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from epochproof.diagnostics import Diagnostic, Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.node import walk

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar
    from epochproof.config.read import Content
    from epochproof.config.use import Use
    from epochproof.schedule.loader import Loader
    from epochproof.schedule.read import Schedule

_LACKING = ("E208", "E216")
"""Faults of a block that lacks a value, or has two: which of its settings count may be unknown."""


def placed(
    spec: tree.Spec, overrides: Mapping[str, Scalar], content: Content | None
) -> tuple[tree.Spec, tuple[Use, ...]]:
    """The spec with the values of its bindings in place, and what was taken from where."""
    if not overrides and not any(isinstance(each, tree.Binding) for each in spec.statements):
        return spec, ()
    from epochproof.config.bind import bound  # noqa: PLC0415 -- many specs bind nothing
    from epochproof.config.read import from_disk  # noqa: PLC0415 -- many specs bind nothing

    found = bound(spec, overrides, content or from_disk)
    return found.spec, found.uses


def told(wrong: Iterable[Diagnostic], uses: tuple[Use, ...]) -> tuple[Diagnostic, ...]:
    """The diagnostics, each with the bound values that stand where it points."""
    if not uses:
        return tuple(wrong)
    from epochproof.config.use import told as with_uses  # noqa: PLC0415 -- many specs bind nothing

    return with_uses(wrong, uses)


def reads(block: tree.Block) -> set[str]:
    """The blocks that it is made of, or that it reads."""
    match block:
        case tree.Loader():
            return {block.over.parts[0]}
        case tree.Split():
            return {block.whole.parts[0]}
        case tree.Mix():
            return {each.name.partition(".")[0] for each in block.settings}
        case tree.Dataset():
            return set() if block.source is None else {block.source.parts[0]}


def follow(block: tree.Block, schedule: Schedule) -> None:
    """Notes what the block is made of, and whether some of it could not be read."""
    parts = [schedule.made_of.get(each, frozenset()) for each in reads(block)]
    schedule.made_of[block.name] = frozenset({block.span.start}).union(*parts)
    why = next((schedule.unread[each] for each in reads(block) if each in schedule.unread), "")
    schedule.unread.update({block.name: why} if why else {})


def undecided(block: object, error: SpecError, unread: Mapping[str, str]) -> str:
    """Why the block cannot be read, if all that is wrong with it is a bound value that cannot be read.

    Raises:
        SpecError: The error itself, where it is that of another file.
    """
    if error.source is not None:
        raise error
    reasons = list(unknown(block, unread))
    found = [_why(each, reasons) for each in error.diagnostics]
    return found[0] if found and all(found) else ""


def _why(wrong: Diagnostic, reasons: list[tuple[Span, str]]) -> str:
    if reasons and wrong.code in _LACKING:
        return reasons[0][1]
    return next((why for at, why in reasons if wrong.span is not None and _meet(at, wrong.span)), "")


def unknown(written: object, unread: Mapping[str, str]) -> Iterator[tuple[Span, str]]:
    """Where something depends on what cannot be read, and why it cannot."""
    for each in walk(written):
        if isinstance(each, tree.Unread):
            yield each.span, each.reason
        elif isinstance(each, tree.Name) and each.parts[0] in unread:
            yield each.span, unread[each.parts[0]]


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def complete(schedule: Schedule, *, values: bool = False) -> Schedule:
    """The schedule, if all of its blocks could be read; with `values`, all of its values, too.

    Raises:
        SpecError: A bound value cannot be read.
    """
    found = dict.fromkeys(schedule.unread.values())
    found |= dict.fromkeys(
        each.unread for each in schedule.scope.parameters.values() if each.unread and values
    )
    if found:
        cure = "give the value with `--set`, or write it in the spec"
        wrong = [each for why in found for each in fail("E709", why, None, help=cure).diagnostics]
        raise SpecError(tuple(wrong), schedule.source)
    return schedule


def uses_of(written: tree.Claim, schedule: Schedule) -> tuple[Use, ...]:
    """The bound values in a claim, in what it is about, and in what all claims assume."""
    if not schedule.uses:
        return ()
    names = {each.parts[0] for each in walk(written) if isinstance(each, tree.Name)}
    blocks = [schedule.made_of[each] for each in names if each in schedule.made_of]
    owners = frozenset({written.span.start, *(each.span.start for each in schedule.assumptions)}).union(
        *blocks
    )
    found = [each for each in schedule.uses if each.owner in owners]
    return tuple({(each.name, each.place): each for each in found[::-1]}.values())[::-1]


def trusted(uses: tuple[Use, ...], loaders: Iterable[Loader]) -> tuple[str, ...]:
    """What a verdict about these loaders rests on, read with these values and presets, as sentences."""
    paths = dict.fromkeys(each.place.path for each in uses if not each.overridden)
    given = dict.fromkeys(each.place.given for each in uses if each.place.given and not each.overridden)
    presets = dict.fromkeys(each.described for loader in loaders for each in loader.stages if each.described)
    composed = dict.fromkeys(each.composed for each in uses if each.composed and not each.overridden)
    return (
        *(f"the job runs with what `{path}` says" for path in paths),
        *(f"the job composes {config}" for config in composed),
        *(f"the job runs with the `{name}` that the spec gives" for name in given),
        *(f"the job runs {preset}" for preset in presets),
    )
