"""Populations by their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.population import Population

_MADE_OF_IT = {
    "dataset": "one that is made of it; none is made of itself",
    "mix": "mix; none is made of itself",
}


def population_of(
    name: tree.Name, populations: Mapping[str, Population], declared: Collection[str], reader: str
) -> Population:
    """The population with this name, declared above what reads it, which is called `reader` in messages."""
    found = populations.get(str(name))
    if found is not None:
        _check_shared(found, name, reader)
        return found
    owned = [f"`{each}`" for each in populations if each.startswith(f"{name.parts[0]}.")]
    if owned:
        said = f"split `{name.parts[0]}` has no part `{'.'.join(name.parts[1:])}`"
        if len(name.parts) == 1:
            said = f"`{name}` is a split, not one population"
        cure = suggest(str(name), populations) or f"name one of its parts: {', '.join(owned)}"
        raise fail("E200", said, name.span, help=cure)
    known = {each.partition(".")[0] for each in populations}
    if name.parts[0] in set(declared) - known:
        raise fail(
            "E200",
            f"dataset `{name}` is declared below its {reader}",
            name.span,
            help=f"move the dataset above the {_MADE_OF_IT.get(reader, reader)}",
        )
    cure = suggest(str(name), populations) or "declare it above with `dataset`"
    raise fail("E200", f"unknown dataset `{name}`", name.span, help=cure)


def _check_shared(population: Population, name: tree.Name, reader: str) -> None:
    """Refuses a population that is another one on each rank."""
    made = None if population.origin is None else population.origin.made_on_each_rank()
    if made is not None:
        raise fail(
            "E235",
            f"each rank has a `{name}` of its own, and a {reader} reads one",
            name.span,
            secondary=(Label(made, "made on each rank"),),
            help="leave `shared = false` out, or state with `disjoint from` what such a split does",
        )
