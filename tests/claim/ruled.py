"""What the rules prove of what records weigh, set against all small worlds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

from epochproof.prove.session import load, opened
from tests.claim.agreement import FREE, WINDOWS, by_rules
from tests.claim.formulas import OPERATORS
from tests.claim.weighed import FORMS, weighed, weights
from tests.worlds import World, Written, batch, shard

PIPELINES: dict[str, tuple[Written, ...]] = {
    "pad, keep": (shard(), batch("in 1..")),
    "pad, pad": (shard(), batch("in 1..", "pad")),
    "pad, drop": (shard(), batch("in 1..", "drop")),
    "drop, pad": (shard(tail="drop"), batch("in 1..", "pad")),
    "shuffled, pad, drop": (Written("shuffle", options={"seed": "any"}), shard(), batch("in 1..", "drop")),
    "own orders, pad": (Written("shuffle", options={"seed": "any", "shared": False}), shard(), batch(1)),
    "undealt, pad": (batch("in 1..", "pad"),),
    "undealt, drop": (batch("in 1..", "drop"),),
}
BOUNDS: dict[str, Callable[[World], Fraction]] = {
    "0": lambda _: Fraction(0),
    "1": lambda _: Fraction(1),
    "1.5": lambda _: Fraction(3, 2),
    "l.ranks": lambda world: Fraction(world.ranks),
    "l.epochs * l.ranks": lambda world: Fraction(world.ranks * world.epochs),
    "0.5 * (l.epochs + 1)": lambda world: Fraction(world.epochs + 1, 2),
}


@cache
def _small(name: str, form: str) -> list[World]:
    seeds = (0, 3) if PIPELINES[name][0].name == "shuffle" else (0,)
    return [
        weighed(World(size, ranks, tuple(_fixed(each, of, seed) for each in PIPELINES[name]), 2), FORMS[form])
        for size, ranks, of, seed in product((1, 2, 3, 5), (1, 2, 3), (1, 2, 4), seeds)
    ]


def _fixed(stage: Written, of: int, seed: int) -> Written:
    first = of if stage.first == "in 1.." else stage.first
    options = {key: seed if value == "any" else value for key, value in stage.options.items()}
    return replace(stage, first=first, options=options)


@cache
def _weights(name: str, form: str, window: str) -> list[tuple[World, set[Fraction]]]:
    return [(world, set(weights(world, window))) for world in _small(name, form)]


def untrue(name: str, form: str) -> list[str]:
    """Formulas that the rules prove of a pipeline, each with a small world in which it is false."""
    stages = "\n".join(str(each) for each in (*PIPELINES[name], FORMS[form]) if each)
    false = _false(name, form)
    text = FREE.format(stages=stages, claim="1 == 1") + "".join(f'prove "" : {each}\n' for each in false)
    session = opened(load(text))
    claims = zip(false.items(), session.claims[1:], strict=True)
    return [f"{text}\n{formula}\n{world}" for (formula, world), claim in claims if by_rules(session, claim)]


def _false(name: str, form: str) -> dict[str, World]:
    """Formulas that are false, each with a small world."""
    found = {}
    for window, sign, bound in product(WINDOWS, ("==", "<=", ">="), BOUNDS):
        formula = f"l.weight({window}) {sign} {bound}".replace("()", "")
        for world, values in _weights(name, form, window):
            if not all(OPERATORS[sign](each, BOUNDS[bound](world)) for each in values):  # type: ignore[arg-type]
                found[formula] = world
                break
    return found
