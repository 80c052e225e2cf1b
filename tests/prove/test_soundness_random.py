"""What is proved is true of lists in small worlds, and what is refuted is false in the one that is shown."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest

import epochproof
from epochproof.prove.verdict import Counterexample
from tests.claim.formulas import BOUNDS, NUMBERS, OPERATORS, Formula
from tests.worlds import TAILS, World, Written, batch, shard

LOADERS, FORMULAS = 8, 6
SIZES, RANKS, BATCHES = range(7), range(1, 5), range(1, 4)


def stages(pick: Random) -> tuple[Written, ...]:
    """A deal or two, a batch, and now and then what cuts or groups steps."""
    deals = [_deal(pick) for _ in range(pick.choice((0, 1, 1, 1, 1, 2)))]
    last = [
        Written("stop", options={"steps": pick.randrange(4)}),
        Written("accumulate", pick.randrange(1, 4), {"tail": pick.choice(("keep", "drop"))}),
    ]
    return (*deals, batch("in 1..", pick.choice(TAILS)), *pick.sample(last, pick.choice((0, 0, 1))))


def _deal(pick: Random) -> Written:
    if pick.random() < 0.3:
        tail = pick.choice(("pad", "even", "drop", "uneven", "spread"))
        return Written("deal", "ranks", {"block": pick.randrange(1, 4), "tail": tail})
    return shard(
        pick.choice(("strided", "strided", "blocked", "balanced")), pick.choice(("pad", "drop", "uneven"))
    )


def formulas(pick: Random) -> list[Formula]:
    quantities = (*NUMBERS, "multiplicity", "steps", "multiplicity", "count(omitted)")
    found: list[Formula] = []
    while len(found) < FORMULAS:
        quantity, window = pick.choice(quantities), pick.choice(("", "", "rank"))
        if not (quantity == "steps" and window):
            found.append(Formula(quantity, window, pick.choice(list(OPERATORS)), pick.choice(BOUNDS)))
    return found


def spec(written: tuple[Written, ...], some: list[Formula]) -> str:
    lines = "\n".join(f"  {stage}" for stage in written)
    claims = "\n".join(f'prove "{at}" : {each}' for at, each in enumerate(some))
    return (
        f"edition 1\ndataset d {{ size in 0.. }}\nloader l over d {{\n  ranks in 1..\n{lines}\n}}\n{claims}\n"
    )


@cache
def world(written: tuple[str, ...], size: int, ranks: int, of: int) -> World:
    return World(size, ranks, _with(_KNOWN[written], of))


_KNOWN: dict[tuple[str, ...], tuple[Written, ...]] = {}


def _with(written: tuple[Written, ...], of: int) -> tuple[Written, ...]:
    return tuple(batch(of, each.options["tail"]) if each.name == "batch" else each for each in written)


def shown(found: Counterexample | None) -> tuple[int, int, int]:
    values = {} if found is None else found.parameters
    return values.get("d.size", 0), values.get("l.ranks", 1), values.get("l.batch", 1)


def wrong(seed: int) -> tuple[list[str], int, int]:
    """What is said and not so, and how many formulas were proved and refuted."""
    pick = Random(seed)  # noqa: S311 -- repeats by its seed
    written, some = stages(pick), formulas(pick)
    key = tuple(map(str, written))
    _KNOWN[key] = written
    found, proved, refuted = list[str](), 0, 0
    for formula, claim in zip(some, epochproof.check(spec(written, some)).claims, strict=True):
        verdict = claim.verdict
        if verdict.word == "proved":
            proved += 1
            false = [
                (size, ranks, of)
                for size, ranks, of in product(SIZES, RANKS, BATCHES)
                if not formula.holds(world(key, size, ranks, of), of)
            ]
            found += [f"{key}: {formula} is proved and false at {false[0]}"] if false else []
        elif verdict.word == "refuted":
            refuted += 1
            size, ranks, of = shown(verdict.counterexample)
            if formula.holds(world(key, size, ranks, of), of):
                found.append(f"{key}: {formula} is refuted by {(size, ranks, of)}, where it is true")
    return found, proved, refuted


@pytest.mark.parametrize("part", range(8))
def test_verdicts_of_random_claims_are_true(part: int) -> None:
    results = [wrong(part * LOADERS + at) for at in range(LOADERS)]

    assert [each for found, _, _ in results for each in found] == []
    assert sum(proved for _, proved, _ in results) >= 1
    assert sum(refuted for _, _, refuted in results) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_verdicts_of_many_random_claims_are_true(part: int) -> None:
    results = [wrong(10_000 + part * 100 + at) for at in range(100)]

    assert [each for found, _, _ in results for each in found] == []
