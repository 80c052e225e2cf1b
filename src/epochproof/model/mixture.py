"""Mixes: populations that draw from several others in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal, TypeVar, get_args

from epochproof.diagnostics import fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.population import Population
from epochproof.model.values import Scope
from epochproof.term.bounds import interval
from epochproof.term.node import Int, add, constant, number

Pick = Literal["round_robin", "greedy", "random"]
Stop = Literal["first_exhausted", "all_exhausted", "forever"]
_PICKS: tuple[Pick, ...] = get_args(Pick)
_STOPS: tuple[Stop, ...] = get_args(Stop)
_WINDOWS = ("run", "rank")
_Word = TypeVar("_Word", Pick, Stop)


@dataclass(frozen=True)
class Drawn:
    """One source of a mix, as the mix names it, and its weight, a whole number of at least 1."""

    name: str
    population: Population
    weight: Int


@dataclass(frozen=True)
class Mixture(Population):
    """A population whose records are those of its sources, numbered source after source.

    `order` stands for the sequence of picks, where any one is meant.
    """

    sources: tuple[Drawn, ...] = ()
    pick: Pick = "round_robin"
    stop: Stop = "first_exhausted"
    order: Int | None = None

    @property
    def components(self) -> frozenset[str]:
        """The names of its sources, of theirs, and so on."""
        return frozenset(name for each in self.sources for name in (each.name, *each.population.components))


def read_mix(block: tree.Mix, find: Callable[[tree.Name], Population], scope: Scope) -> Mixture:
    """The population of a `mix` block; its size and its weights join the scope as `<name>.<setting>`.

    Args:
        block: The block as written.
        find: The population of a name; raises SpecError where there is none.
        scope: The names that a weight may use.
    """
    given = {each.name: each for each in block.settings}
    pick, stop = _word(given.get("pick"), _PICKS), _word(given.get("stop"), _STOPS)
    named = [each for name, each in given.items() if name not in ("pick", "stop")]
    if not named:
        cure = "name each source with its weight: `web = 3, code = 1`"
        raise fail("E240", f"mix `{block.name}` has no sources", block.name_span, help=cure)
    found = [_source(each, find, scope) for each in named]
    _refuse_twice(found, named)
    weights = _weights(block.name, named, pick, scope)
    if (pick, stop) == ("random", "all_exhausted"):
        raise fail(
            "E241",
            "a random mix may never exhaust all sources",
            block.name_span,
            help="write `stop = first_exhausted`, or `stop = forever` and a `stop(…)` in the loader",
        )
    size = add(*(each.size for each in found))
    scope.names[f"{block.name}.size"] = size
    order = _order(block, scope) if pick == "random" else None
    sources = tuple(map(Drawn, [each.name for each in named], found, weights))
    return Mixture(
        name=block.name, size=size, span=block.span, sources=sources, pick=pick, stop=stop, order=order
    )


def _word(setting: tree.Setting | None, known: tuple[_Word, ...]) -> _Word:
    """The word that a setting gives, the first one where it is left out."""
    if setting is None:
        return known[0]
    word = str(setting.value) if isinstance(setting.value, tree.Name) else ""
    if setting.free or word not in known:
        raise fail(
            "E204",
            f"`{setting.name}` is {', '.join(f'`{each}`' for each in known[:-1])} or `{known[-1]}`",
            setting.value.span,
            help=suggest(word, known),
        )
    return next(each for each in known if each == word)


def _source(setting: tree.Setting, find: Callable[[tree.Name], Population], scope: Scope) -> Population:
    if setting.name in _WINDOWS:
        raise fail(
            "E240",
            f"`{setting.name}` cannot be a source: claims could not name it",
            setting.name_span,
            help="give the dataset another name",
        )
    found = find(tree.Name(tuple(setting.name.split(".")), setting.name_span))
    if isinstance(found, Mixture) and found.pick == "random":
        raise fail(
            "E241",
            f"`{setting.name}` is drawn at random, so that nobody knows when it ends as a source",
            setting.name_span,
            help="write `pick = round_robin` or `pick = greedy` in it, or name its sources here",
        )
    if isinstance(found, Mixture) and found.stop == "forever":
        raise fail(
            "E241",
            f"`{setting.name}` never ends, so that it is no source",
            setting.name_span,
            help="write `stop = first_exhausted` or `stop = all_exhausted` in it",
        )
    if (interval(found.size, scope.ranges())[0] or 0) < 1:
        state = "is" if constant(found.size) is not None else "can be"
        raise fail(
            "E240",
            f"source `{setting.name}` {state} empty",
            setting.name_span,
            help="leave it out, or give it a size of 1 or more",
        )
    return found


def _refuse_twice(found: Sequence[Population], named: Sequence[tree.Setting]) -> None:
    """A record is known by its source and index: of a source met twice, it would be two."""
    met = set[str]()
    for population, setting in zip(found, named, strict=True):
        inside = {setting.name, *population.components}
        if twice := sorted(inside & met):
            raise fail(
                "E240",
                f"`{twice[0]}` is a source twice",
                setting.name_span,
                help="name each source once; draw from it more often by a larger weight",
            )
        met |= inside


def _weights(mix: str, named: Sequence[tree.Setting], pick: str, scope: Scope) -> list[Int]:
    """The weights as whole numbers; decimals are multiplied by what makes them all whole."""
    exact = [each.value.value for each in named if isinstance(each.value, tree.Number)]
    scale = lcm(*(value.denominator for value in exact if isinstance(value, Fraction)))
    weights = [_weight(mix, each, scale, scope) for each in named]
    for weight, setting in zip(weights, named, strict=True):
        if constant(weight) is None and (pick != "round_robin" or scale > 1):
            beside = "beside decimals" if scale > 1 else f"of a mix with `pick = {pick}`"
            raise fail(
                "E213",
                f"the weights {beside} are fixed numbers",
                setting.value.span,
                label="depends on a free value",
                help="write a number here",
            )
    return weights


def _weight(mix: str, setting: tree.Setting, scale: int, scope: Scope) -> Int:
    called, value = f"{mix}.{setting.name}", setting.value
    if setting.free:
        weight = scope.free(called, value, least=1, span=setting.span)
    elif isinstance(value, tree.Number) and isinstance(value.value, Fraction):
        if value.value <= 0:
            found = f"the weight of `{setting.name}` must be more than 0"
            raise fail("E205", found, value.span, help="leave the source out")
        return number(int(value.value * scale))
    else:
        weight = scope.at_least(value, 1, setting.name)
    scope.names[called] = weight
    return scale * weight


def _order(block: tree.Mix, scope: Scope) -> Int:
    """The parameter that stands for every sequence of picks."""
    span = block.name_span
    everything = tree.Range(tree.Number(0, span), None, span)
    return scope.free(f"{block.name}.order", everything, least=0, span=span, seed=True)
