"""Whether the roots of a statement agree with each other, and with those that are found anew."""

from __future__ import annotations

from collections.abc import Iterator

from epochproof.language.columns import safe
from epochproof.statement.predicate import Commitments, Stream


def inconsistent(stated: Commitments) -> Iterator[str]:
    """What the statement itself contradicts: no secret is needed to see it."""
    roots = {each.dataset: each.set_root for each in stated.datasets}
    for each in stated.streams:
        if each.dataset not in roots:
            yield f"`{safe(each.loader)}` reads `{safe(each.dataset)}`, whose records have no root"
        elif each.covers_dataset != (each.set_root == roots[each.dataset]):
            told = "covers" if each.covers_dataset else "does not cover"
            yield f"`{safe(each.loader)}` {told} `{safe(each.dataset)}`, it says, and its roots do not"
        if int(each.order_root.leaves) != int(each.occurrences):
            yield f"`{safe(each.loader)}` has a root over another number of occurrences than is stated"


def followed(stated: Commitments) -> Iterator[tuple[Stream, bool]]:
    """What each trace read, and whether it is what the schedule says, in the same order."""
    planned = {each.loader: each for each in stated.streams if each.source == "schedule"}
    for each in stated.streams:
        if each.source == "trace" and each.loader in planned:
            yield each, each.order_root == planned[each.loader].order_root


def told(stated: Commitments) -> Iterator[str]:
    """What the roots say without a secret."""
    for each in stated.streams:
        covers = "reads each record of" if each.covers_dataset else "does not read exactly the records of"
        yield f"the {each.source} of `{safe(each.loader)}` {covers} `{safe(each.dataset)}`"
    planned = {each.loader: each.occurrences for each in stated.streams if each.source == "schedule"}
    for each, same in followed(stated):
        yield f"the trace of `{safe(each.loader)}` is {'' if same else 'not '}in the order of its schedule"
        due = planned[each.loader]
        if each.occurrences != due:
            name, read = safe(each.loader), each.occurrences
            yield f"the trace of `{name}` holds {read} occurrences, and {due} were due"


def unlike(stated: Commitments, found: Commitments | None, *, traced: bool) -> Iterator[str]:
    """Where the roots that are stated are not those that were found.

    Args:
        stated: What the statement says.
        found: What was computed under the same secret.
        traced: Whether the trace was at hand; else what it read is not compared.
    """
    if found is None:
        yield "the spec fixes the order of no loader, and the statement has roots"
        return
    if stated.key_commitment != found.key_commitment:
        yield "the secret that was given is not the one under which record ids are committed to"
        return
    yield from _listed(stated, found, traced=traced)
    records = {each.dataset: each.set_root for each in found.datasets}
    for dataset in stated.datasets:
        if records.get(dataset.dataset) != dataset.set_root:
            yield f"the records of `{safe(dataset.dataset)}` are not those that were committed to"
    streams = {(each.source, each.loader): each for each in found.streams}
    for each in stated.streams:
        if each.source == "schedule" or traced:
            yield from _stream(each, streams.get((each.source, each.loader)))


def _listed(stated: Commitments, found: Commitments, *, traced: bool) -> Iterator[str]:
    """Whether a root is left out, or there twice."""
    if [each.dataset for each in stated.datasets] != [each.dataset for each in found.datasets]:
        yield "the datasets that have roots are not those of the spec"
    streams = [[(each.source, each.loader) for each in some.streams] for some in (stated, found)]
    if not traced:
        streams = [[each for each in some if each[0] == "schedule"] for some in streams]
    if streams[0] != streams[1]:
        yield "the loaders that have roots are not those whose order the spec fixes"


def _stream(stated: Stream, found: Stream | None) -> Iterator[str]:
    who = f"{'the trace of ' if stated.source == 'trace' else ''}`{safe(stated.loader)}`"
    if found is None:
        yield f"there is a root of {who}, and nothing to compare it with"
    elif stated.occurrences != found.occurrences:
        yield f"{who} has {found.occurrences} occurrences, and {stated.occurrences} are stated"
    elif stated.set_root != found.set_root:
        yield f"{who} does not hold the records that were committed to"
    elif stated.order_root != found.order_root:
        yield f"{who} does not hold its records in the order that was committed to"
    elif stated != found:
        yield f"{who} has other epochs or ranks than are stated"
