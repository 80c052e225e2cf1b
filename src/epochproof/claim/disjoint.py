"""`A disjoint from B by KEY`: no record of A shares its key with one of B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from epochproof.claim._nodes import Condition, Node, Symbols, World
from epochproof.claim._numbers import Given
from epochproof.claim._pair import Pair
from epochproof.claim._question import Undecided
from epochproof.claim._rows import Rows, rows_of
from epochproof.claim._sided import Sided
from epochproof.diagnostics import InternalError, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.derived import key_of
from epochproof.model.lineage import datasets, line, source
from epochproof.model.population import Population
from epochproof.schedule.loader import Placed
from epochproof.schedule.read import Schedule
from epochproof.term.node import FALSE, Int, both, negate, number

_KEEPING = ("shuffle", "shard", "deal", "copy", "batch", "fetch", "augment")
"""Stages that leave no record out, unless their tail does."""


@dataclass(frozen=True, eq=False, repr=False)
class Disjoint(Condition):
    """No two records, one of each population, share the key: for all lengths, groups and assignments."""

    of_populations: ClassVar[bool] = True

    pair: Pair
    rows: Rows | None = None
    """Where both populations are rows of one manifest that a column picked: then the manifest decides."""

    def parts(self) -> tuple[Node, ...]:
        terms = _terms(self.pair) if self.rows is None else [self.pair.margin, self.rows.dataset.size]
        return tuple(Given(each) for each in terms)

    def sided(self, symbols: Symbols) -> Sided:
        if symbols.changed:
            raise Undecided("no rule compares two runs of populations")
        return Sided(negate(both(self.pair.exists(), self.pair.meets())), FALSE)

    def holds(self, world: World) -> bool:
        raise InternalError("what populations share is found out on lists of their records")

    def of_every_size(self) -> bool:
        return self.rows is None

    def assumes(self) -> tuple[str, ...]:
        shared = [f"`{each.name}`" for each in self.pair.splits.values() if each.shared]
        once = [f"all who read a part of {' or '.join(shared)} use one assignment"] if shared else []
        return ("the dataset does not change", *once)


def _terms(pair: Pair) -> list[Int]:
    """What the populations depend on."""
    found = [pair.margin, *(pair.values_of(name) for name in pair.splits)]
    for population in (pair.left, pair.right):
        for each in line(population):
            found += () if each.origin is None else each.origin.terms()
        top = source(population)
        found += [top.size, top.lengths] if isinstance(top.lengths, Int) else [top.size]
    return list(dict.fromkeys(found))


def disjoint(written: tree.Disjoint, schedule: Schedule) -> Condition:
    """The condition that two populations share no value of a key."""
    left, right = (_population(each, schedule) for each in (written.left, written.right))
    name, margin = _key(written.key)
    key = key_of(name, left)
    if key.kind == "time":
        raise fail("E232", "records do not share a time", name.span, help="write `by frames`")
    if key.level not in datasets(right):
        cure = f"name what both are made of: {_common(left, right)}"
        raise fail("E232", f"`{name}` is no key of `{right.name}`", name.span, help=cure)
    if margin is not None and key.kind != "frames":
        raise fail("E232", f"`{name}` has no margin", written.key.span, help="only `frames` has one")
    distance = number(0) if margin is None else schedule.scope.at_least(margin, 0, "margin")
    return Disjoint(Pair(left, right, key, distance), rows_of(left, right, key, schedule.manifests))


def _common(left: Population, right: Population) -> str:
    names = [f"`{each.name}`" for each in datasets(left) if each in datasets(right)]
    return ", ".join(names) or "nothing, so they can share nothing"


def _key(written: tree.Expression) -> tuple[tree.Name, tree.Expression | None]:
    """The name of the key, and the margin if there is one."""
    match written:
        case tree.Name():
            return written, None
        case tree.Binary(operator="+" | "-" as operator, left=left, right=right, span=span):
            name, margin = _key(left)
            return name, tree.Binary(operator, margin or tree.Number(0, span), right, span)
        case _:
            cure = "write `by videos`, `by frames`, or `by frames + 16`"
            raise fail("E232", "a key is a name, or `frames` and a margin", written.span, help=cure)


def _population(written: tree.Expression, schedule: Schedule) -> Population:
    if not isinstance(written, tree.Name):
        cure = "name a dataset, or a part of a split as in `s.train`"
        raise fail("E303", "only populations are `disjoint from` each other", written.span, help=cure)
    known = schedule.populations
    if str(written) in known:
        return known[str(written)]
    loader = schedule.loaders.get(str(written))
    if loader is None:
        raise _unknown(written, schedule)
    leaving = next((each for each in loader.stages if _leaves_out(each)), None)
    if leaving is not None:
        raise fail(
            "E331",
            f"`{written}` may leave records out, so what it shares is not known",
            written.span,
            help=f"name what it reads: `{loader.population.name}`",
        )
    return loader.population


def _leaves_out(placed: Placed) -> bool:
    return placed.name not in _KEEPING or getattr(placed.stage, "tail", "") == "drop"


def _unknown(name: tree.Name, schedule: Schedule) -> SpecError:
    known = [*schedule.populations, *schedule.loaders]
    owned = [f"`{each}`" for each in known if each.startswith(f"{name}.")]
    cure = suggest(str(name), known) or f"populations are {', '.join(known)}"
    if owned:
        return fail(
            "E302", f"`{name}` is a split, not one population", name.span, help=f"name {', '.join(owned)}"
        )
    return fail("E300", f"unknown population `{name}`", name.span, help=cure)
