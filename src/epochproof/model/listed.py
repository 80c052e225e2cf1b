"""Splits that a column of the manifest makes, read into populations."""

from __future__ import annotations

from dataclasses import replace

from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.language.columns import safe
from epochproof.manifest.pin import Chosen, Column
from epochproof.model import pin as pinning
from epochproof.model.domain import Domain, Parameter
from epochproof.model.lineage import ZERO, line, source
from epochproof.model.population import Population
from epochproof.model.split import Key, Listed, Part, parts
from epochproof.model.values import Scope

ASSIGNMENT = "assignment"
OPTIONS = ("gap", "salt", "shared")
"""Settings of a split that are no parts of it."""


def is_listed(block: tree.Split) -> bool:
    """Whether the split names a column that says which records its parts have."""
    return any(each.name == ASSIGNMENT for each in block.settings)


def read_listed(block: tree.Split, whole: Population, key: Key, scope: Scope) -> dict[str, Population]:
    """The parts by their full names; their sizes are parameters until the manifest is read."""
    named = {each.name: each for each in block.settings}
    _check_whole(block, whole, key, named[ASSIGNMENT])
    column = Column(ASSIGNMENT, pinning.column_name(named[ASSIGNMENT]), named[ASSIGNMENT].value.span)
    split = Listed(block.name, whole, key, (), block.span, choices=_choices(block, column))
    found = {}
    for name, part in parts(split):
        size = f"{name}.size"
        span = named[name.rpartition(".")[2]].name_span
        scope.parameters[size] = Parameter(size, Domain(1, None), span)
        scope.names[size] = scope.parameters[size].term
        found[name] = replace(Population(name, ZERO, span, origin=part), size=scope.names[size])
    return found


def _check_whole(block: tree.Split, whole: Population, key: Key, setting: tree.Setting) -> None:
    """Refuses a whole whose records are no rows of a manifest, and a key that is not the record."""
    top = source(whole)
    if top.pin is None:
        cure = f'write `manifest = "…"` in dataset `{top.name}`, or give each part its share'
        wrong = f"`{ASSIGNMENT}` is about a manifest, and dataset `{top.name}` has none"
        raise fail("E614", wrong, setting.name_span, help=cure)
    cut = next((each for each in line(whole) if not _of_rows(each)), None)
    if cut is not None:
        how = (
            "records of a part are dealt"
            if isinstance(cut.origin, Part)
            else f"`{cut.name}` is made of others"
        )
        raise fail(
            "E236",
            f"no row of the manifest is a record of `{whole.name}`: {how}",
            block.whole.span,
            help=f"split `{top.name}` by the column, and make the rest of its parts",
        )
    if key.kind != "record":
        raise fail(
            "E236",
            "a column assigns records one by one",
            block.key.span,
            help=f"write `by {top.name}`; what it keeps together is a claim, which the rows decide",
        )


def _of_rows(population: Population) -> bool:
    """Whether it is the dataset, or a part whose rows are listed."""
    origin = population.origin
    return origin is None or (isinstance(origin, Part) and isinstance(origin.split, Listed))


def _choices(block: tree.Split, column: Column) -> tuple[tuple[str, Chosen], ...]:
    """For each part the rows that it has."""
    found: dict[str, Chosen] = {}
    for setting in (each for each in block.settings if each.name != ASSIGNMENT):
        value = setting.value
        if setting.name in OPTIONS:
            cure = f"leave `{setting.name}` out"
            raise fail("E236", "the column says which records a part has", setting.name_span, help=cure)
        if setting.free or not isinstance(value, tree.Text) or not value.value:
            raise fail(
                "E236",
                f"nothing says what `{safe(column.name)}` holds for the records of part `{setting.name}`",
                value.span,
                help=f'write the text that stands in the column, as in `{setting.name} = "{setting.name}"`',
            )
        for name, other in found.items():
            if other.value == value.value:
                raise fail(
                    "E236",
                    f"parts `{name}` and `{setting.name}` have the same records",
                    value.span,
                    secondary=(Label(other.span, "the same text"),),
                    help="give each part a text of its own",
                )
        found[setting.name] = Chosen(column, value.value, value.span)
    if not found:
        cure = 'name them, as in `train = "train", val = "val"`'
        raise fail("E236", f"split `{block.name}` has no parts", block.name_span, help=cure)
    return tuple(found.items())
