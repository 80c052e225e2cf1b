"""An offer: what one provider says that a pass reads, from a spec or from a signed statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.language.suggest import suggest
from epochproof.statement.evidence import NOBODY
from epochproof.statement.predicate import Population, Statement, Stream

if TYPE_CHECKING:
    from epochproof.schedule.read import Schedule


@dataclass(frozen=True)
class Window:
    """Steps of an epoch, both ends included, or the whole epoch, and how long it took."""

    steps: tuple[int, int] | None = None
    seconds: Fraction | None = None


@dataclass(frozen=True)
class Timed:
    """What was read in a window, and how long that took."""

    occurrences: int
    distinct: int
    seconds: Fraction
    steps: tuple[int, int] | None


@dataclass(frozen=True)
class Committed:
    """What the schedule reads, as roots, and the digest of the key of the commitments."""

    key: str
    stream: Stream


@dataclass(frozen=True)
class Offer:
    """What one side reads; `schedule` is known where it is a spec, not where it is a statement."""

    path: str
    population: Population
    manifest: str | None
    """The SHA-256 of the manifest that lists the records, where one is named."""
    not_claimed: tuple[str, ...]
    signature: str = ""
    """What is known of who signed; empty for a spec, which nobody signs."""
    assumptions: tuple[str, ...] = ()
    timed: Timed | None = None
    committed: Committed | None = None
    schedule: Schedule | None = None
    values: Mapping[str, int] = field(default_factory=dict)
    open: tuple[str, ...] | None = None
    """The parameters, seeds among them, on which it depends what is read; `None` if not known."""
    meaning: str = ""
    """The digest of what the spec means."""


def chosen(names: Mapping[str, object], wanted: str, path: str) -> str:
    """The loader that is meant; the only one where none is named.

    Raises:
        SpecError: There is no such loader, or none is named and there are several.
    """
    known = [f"`{safe(each)}`" for each in names]
    if wanted and wanted not in names:
        help_ = suggest(wanted, list(names)) or f"loaders are {', '.join(known)}"
        raise fail("E920", f"`{safe(path)}` has no loader `{safe(wanted)}`", None, help=help_)
    if not wanted and len(known) != 1:
        told = f"`{safe(path)}` has {len(known)} loaders" if known else f"`{safe(path)}` has no loader"
        cure = f"name one, as in `{safe(path)}:{safe(next(iter(names)))}`" if known else "write one"
        raise fail("E920", told, None, help=cure)
    return wanted or next(iter(names))


def of_statement(path: str, statement: Statement, loader: str, window: Window, signature: str) -> Offer:
    """What a statement says of a loader; its rates only over a whole pass, which is what it counts.

    Raises:
        SpecError: It does not speak of the loader, or was asked about steps.
    """
    predicate = statement.predicate
    populations = {each.loader: each for each in predicate.populations}
    found = populations[chosen(populations, loader, path)]
    if window.steps is not None:
        cure = "give the spec in its place, or leave `--steps` out"
        raise fail("E920", f"`{safe(path)}` states whole passes, not steps", None, help=cure)
    return Offer(
        path,
        found,
        None if found.manifest is None else found.manifest.sha256,
        predicate.not_claimed,
        signature,
        tuple(each.text for each in predicate.assumptions if each.checked_by == NOBODY),
        _timed(found, window, path),
        committed := _committed(statement, found.loader),
        open=None if committed is None else (),
        meaning=predicate.language.semantic_digest.sha256,
    )


def _timed(population: Population, window: Window, path: str) -> Timed | None:
    if window.seconds is None:
        return None
    if population.one_pass is None:
        raise no_numbers(path, population)
    read = population.one_pass
    return Timed(int(read.occurrences), int(read.distinct), window.seconds, None)


def no_numbers(path: str, population: Population) -> SpecError:
    """The error where a rate is asked for, and nothing was counted."""
    cure = f"give values, as in `--set {population.open[0]}=8`" if population.open else "leave the time out"
    return fail("E920", f"`{safe(path)}`: {population.sentence}", None, help=cure)


def _committed(statement: Statement, loader: str) -> Committed | None:
    """The roots of the schedule, which it has only where nothing about it is open: not those of a trace."""
    roots = statement.predicate.commitments
    for each in () if roots is None else roots.streams:
        if roots is not None and each.loader == loader and each.source == "schedule":
            return Committed(roots.key_commitment.sha256, each)
    return None
