"""What is proved is true in every small world, and what is refuted is false in the world that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

import epochproof
from epochproof.prove.session import load, opened
from epochproof.prove.verdict import Counterexample
from tests.claim.agreement import by_rules
from tests.claim.formulas import Formula, formulas
from tests.worlds import World, Written, batch, shard

ORDER = Written("shuffle", options={"seed": "any"})
OWN = Written("shuffle", options={"seed": "any", "shared": False})

DRAWN = Written("draw", options={"seed": "any"})
FOUR = Written("draw", 4, {"seed": "any"})
PERMUTED = Written("draw", 4, {"replacement": False, "seed": "any"})
OWN_DRAWS = Written("draw", 3, {"seed": "any", "shared": False})

PIPELINES: dict[str, tuple[Written, ...]] = {
    "pad, drop": (shard(), batch("in 1..", "drop")),
    "drop, keep": (shard(tail="drop"), batch("in 1..")),
    "uneven, pad": (shard(tail="uneven"), batch("in 1..", "pad")),
    "blocked uneven, drop": (shard("blocked", "uneven"), batch("in 1..", "drop")),
    "balanced, drop": (shard("balanced", "uneven"), batch("in 1..", "drop")),
    "blocks evened, keep": (Written("deal", "ranks", {"block": 2, "tail": "even"}), batch("in 1..")),
    "shuffled, pad, keep": (ORDER, shard(), batch("in 1..")),
    "shuffled, drop, drop": (ORDER, shard(tail="drop"), batch("in 1..", "drop")),
    "own orders, drop, drop": (OWN, shard(tail="drop"), batch("in 1..", "drop")),
    "own orders, undealt, drop": (OWN, batch("in 1..", "drop")),
    "drawn, pad, drop": (DRAWN, shard(), batch("in 1..", "drop")),
    "drawn, uneven, keep": (FOUR, shard(tail="uneven"), batch("in 1..")),
    "dealt, drawn, drop": (shard(tail="drop"), FOUR, batch("in 1..", "drop")),
    "permuted, pad, drop": (PERMUTED, shard(), batch("in 1..", "drop")),
    "own draws, drop, keep": (OWN_DRAWS, shard(tail="drop"), batch("in 1..")),
    "undealt, drop": (batch("in 1..", "drop"),),
    "dealt twice": (shard(), shard(tail="uneven"), batch("in 1..")),
    "accumulated": (
        shard(tail="uneven"),
        batch("in 1..", "drop"),
        Written("accumulate", 2, {"tail": "drop"}),
    ),
    "stopped": (shard(), batch("in 1..", "drop"), Written("stop", options={"steps": 2})),
}
EPOCHS = 2
SLOW = ("accumulated", "dealt twice")
RULE_BY_RULE = [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in PIPELINES]
CLAIMS, RULED = 25, 25
"""So many formulas of each pipeline are judged, and so many others are put to the rules if they are false."""


def spec(name: str, some: list[Formula], given: str = "") -> str:
    stages = "\n".join(f"  {stage}" for stage in PIPELINES[name])
    claims = "\n".join(f'prove "{at}" : {each}{given}' for at, each in enumerate(some))
    return (
        f"edition 1\ndataset d {{ size in 0.. }}\nloader l over d {{\n  ranks in 1..\n  epochs = {EPOCHS}\n"
        f"{stages}\n}}\n{claims}\n"
    )


@cache
def world(name: str, size: int, ranks: int, of: int, seed: int) -> World:
    """The pipeline with every number fixed."""
    stages = tuple(
        replace(
            stage,
            first=of if stage.name == "batch" else stage.first,
            options={key: seed if value == "any" else value for key, value in stage.options.items()},
        )
        for stage in PIPELINES[name]
    )
    return World(size, ranks, stages, EPOCHS)


def small(name: str) -> Iterator[tuple[World, int]]:
    """Each small world of the pipeline, and its batch."""
    seeds = range(3) if any(each.name in ("shuffle", "draw") for each in PIPELINES[name]) else range(1)
    for size, ranks, of, seed in product(range(7), range(1, 4), range(1, 4), seeds):
        yield world(name, size, ranks, of, seed), of


def false_somewhere(name: str, formula: Formula) -> bool:
    return any(not formula.holds(each, of) for each, of in small(name))


def shown(name: str, found: Counterexample | None) -> tuple[World, int]:
    """The world that a counterexample names."""
    values = {} if found is None else found.parameters
    of = values.get("l.batch", 1)
    return world(name, values.get("d.size", 0), values.get("l.ranks", 1), of, values.get("l.seed", 0)), of


@pytest.mark.parametrize("name", PIPELINES)
def test_verdicts_are_true(name: str) -> None:
    some, wrong = formulas(name, CLAIMS), []
    for formula, claim in zip(some, epochproof.check(spec(name, some)).claims, strict=True):
        verdict = claim.verdict
        if verdict.word == "proved" and false_somewhere(name, formula):
            wrong.append(f"{formula} is proved and false")
        if verdict.word == "refuted" and formula.holds(*shown(name, verdict.counterexample)):
            wrong.append(f"{formula} is refuted by {verdict.counterexample}, where it is true")

    assert wrong == []


@pytest.mark.parametrize("name", RULE_BY_RULE)
def test_rules_alone_prove_nothing_false(name: str) -> None:
    some = [each for each in formulas(f"{name}, by the rules", RULED) if false_somewhere(name, each)]
    session = opened(load(spec(name, some)))

    assert [claim.written.formula for claim in session.claims if by_rules(session, claim)] == []


@pytest.mark.parametrize("name", RULE_BY_RULE)
def test_rules_alone_prove_nothing_false_of_one_world(name: str) -> None:
    for size, ranks, of in ((0, 2, 1), (5, 2, 2), (3, 3, 1)):
        worlds = [world(name, size, ranks, of, seed) for seed in range(6)]
        some = [
            formula
            for formula in formulas(f"{name} {size}", 8)
            if not all(formula.holds(each, of) for each in worlds)
        ]
        given = f" given d.size == {size} and l.ranks == {ranks} and l.batch == {of}"
        session = opened(load(spec(name, some, given)))

        assert [claim.written.formula for claim in session.claims if by_rules(session, claim)] == []


def test_sampled_formulas_are_proved_and_refuted() -> None:
    words = [
        claim.verdict.word
        for name in ("pad, drop", "drop, keep", "undealt, drop")
        for claim in epochproof.check(spec(name, formulas(name, CLAIMS))).claims
    ]

    assert words.count("proved") >= 5
    assert words.count("refuted") >= 50
