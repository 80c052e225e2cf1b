"""What two populations share in a manifest: its rows are the one world there is, and all are compared."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from epochproof.claim._claim import Claim
from epochproof.claim._pair import Pair
from epochproof.claim._question import Undecided
from epochproof.claim._rows import Rows
from epochproof.model.lineage import line
from epochproof.model.split import Part
from epochproof.prove.answer import Answer
from epochproof.prove.verdict import Blame, Counterexample, Leak, Row, Verdict
from epochproof.prove.worlds import Worlds
from epochproof.term.node import constant

if TYPE_CHECKING:
    from epochproof.manifest.leaks import Leaks
    from epochproof.manifest.leaks import Pair as Found

_SMALL, _WEIGHT = 240, 12_000
"""So many small worlds are asked whether they meet the premise, of so many positions at most."""


def leak_in_rows(claim: Claim, rows: Rows, pair: Pair, some: Answer) -> Verdict:
    """The verdict of the manifest; `some` are values of the parameters under the premise.

    Raises:
        SpecError: A column is missing or unfit, or no row is on a side.
    """
    margin = constant(pair.margin)
    if margin is None:
        return Verdict("unknown", reason="no rule compares rows for every margin: give it a number")
    found = rows.leaks(margin)
    records = constant(rows.dataset.size)
    evidence = f"manifest({records})"
    if not found.count:
        return Verdict("proved", evidence)
    if not rows.exact:
        return Verdict("unknown", reason="rows share it, and no rule tells which of them have windows")
    values = _meeting_the_premise(claim, some)
    if values is None:
        return Verdict("unknown", reason="no small world meets the premise")
    example = Counterexample(
        parameters=values,
        records=(),
        rank=None,
        epoch=None,
        blame=blamed(pair),
        smallest=True,
        replayed="manifest",
        leak=_leak(rows, pair, margin, found),
    )
    return Verdict("refuted", evidence, example)


def _meeting_the_premise(claim: Claim, some: Answer) -> Mapping[str, int] | None:
    """Values of the parameters for which the premise holds; without a premise there are none to give."""
    if not claim.premise.operands:
        return {}
    worlds = Worlds(claim)
    first = {each.name: some.values.get(each.name, each.domain.low) for each in worlds.free}
    for values in chain([first], islice(worlds.small(), _SMALL)):
        try:
            if worlds.weight(values) <= _WEIGHT and claim.meets_premise(worlds.world(values)):
                return values
        except Undecided:
            continue
    return None


def _leak(rows: Rows, pair: Pair, margin: int, found: Leaks) -> Leak:
    counts: Literal["values", "records"] = "values" if pair.key.kind == "group" else "records"
    pairs = tuple(_shown(pair, each) for each in found.pairs)
    path = rows.dataset.pin.path if rows.dataset.pin else ""
    return Leak(path, pair.key.name, margin, found.count, counts, pairs)


def _shown(pair: Pair, found: Found) -> tuple[str, Row, Row]:
    names, records = (pair.left.name, pair.right.name), (found.one, found.other)
    one, other = (
        Row(name, record, found.ids and found.ids[at], found.intervals and found.intervals[at])
        for at, (name, record) in enumerate(zip(names, records, strict=True))
    )
    return found.shared, one, other


def blamed(pair: Pair) -> Blame | None:
    """The split that has both on different sides, or else the last one that cut either."""
    cuts = [
        {each.origin.split.name: each.origin for each in line(population) if isinstance(each.origin, Part)}
        for population in (pair.left, pair.right)
    ]
    apart = [own.split for name, own in cuts[0].items() if name in cuts[1] and cuts[1][name].at != own.at]
    found = apart or [own.split for side in cuts for own in side.values()]
    if not found:
        return None
    if pair.key.kind == "frames" and apart and apart[0].key.kind == "time":
        return Blame("split", apart[0].span, "this leaves too little between its parts")
    what = "frames" if pair.key.kind == "frames" else f"`{pair.key.name}`"
    return Blame("split", found[0].span, f"this does not keep {what} on one side")
