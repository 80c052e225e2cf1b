"""Asks the tool about small worlds, and compares its verdicts with what a test counts on lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import epochproof
from epochproof.claim._claim import Claim
from epochproof.claim._question import Undecided
from epochproof.prove.session import Session, load, opened
from tests.worlds import World, every_world, odd_worlds, some

WINDOWS = ("", "run", "rank", "run, rank")

FREE = """edition 1
dataset d {{ size in 1.. }}
loader l over d {{
  ranks in 1..
  epochs in 1..
{stages}
}}
prove "" : {claim}
"""
"""A spec of one claim in which the size, the ranks and the epochs are free."""


def verdicts(text: str) -> list[str]:
    """The verdict of each claim."""
    return [claim.verdict.word for claim in epochproof.check(text).claims]


def by_rules(session: Session, claim: Claim) -> bool:
    """Whether the rules and the prover prove the claim, without running a world."""
    try:
        given, goal = claim.goal(session.solver.valid, 8)
    except Undecided:
        return False
    return session.solver.valid(given, goal)


def proofs(text: str) -> list[bool]:
    """For each claim whether it is proved without running a world."""
    session = opened(load(text))
    return [by_rules(session, claim) for claim in session.claims]


def written(members: set[int]) -> str:
    """The set as a spec writes it."""
    return "{" + ", ".join(map(str, sorted(members))) + "}"


def sample(name: str, most: int = 16) -> list[World]:
    """Worlds of all kinds, other ones for each name."""
    return some(every_world(), name, most) + some(odd_worlds(), name, most // 3)


def in_window(name: str, window: str) -> str:
    """The quantity as a formula names it."""
    return f"l.{name}({window})" if window else f"l.{name}"


def numbers(use: str, readings: Callable[[World], list[int]], worlds: Iterable[World]) -> list[str]:
    """Where a verdict about a number is not what the lists say.

    `readings` are its values for each epoch, rank and record there is; asked are its values and one more.
    """
    wrong = []
    for world in worlds:
        found = readings(world)
        values = sorted({*found[:1], max(found, default=0), max(found, default=0) + 1})
        held = [all(each == value for each in found) for value in values]
        wrong += _differences(world, [f"{use} == {value}" for value in values], held)
    return wrong


def sets(use: str, readings: Callable[[World], list[set[int]]], worlds: Iterable[World]) -> list[str]:
    """Where a verdict about a set is not what the lists say: the set, another one, its count, inclusion."""
    wrong = []
    for world in worlds:
        found = readings(world)
        this, other = found[0], found[0] ^ ({world.size - 1} if world.size else {0})
        claims = [f"{use} == {written(this)}", f"{use} == {written(other)}"]
        claims += [f"count({use}) == {len(this)}", f"{use} <= {written(this)}"]
        held = [
            all(each == this for each in found),
            all(each == other for each in found),
            all(len(each) == len(this) for each in found),
            all(each <= this for each in found),
        ]
        wrong += _differences(world, claims, held)
    return wrong


def _differences(world: World, claims: list[str], held: list[bool]) -> list[str]:
    return differences(world.text(*claims), held)


def differences(text: str, held: list[bool]) -> list[str]:
    """Where verdicts on the claims of a spec differ, or the rules alone prove a claim that is false."""
    session = opened(load(text))
    told = [
        (holds, session.judged(claim).verdict.word, by_rules(session, claim))
        for holds, claim in zip(held, session.claims, strict=True)
    ]
    return [
        f"{text}\nclaim {at} is {holds}, was {verdict}, and by the rules alone {ruled}"
        for at, (holds, verdict, ruled) in enumerate(told)
        if verdict not in _right(text, holds=holds) or (ruled and not holds)
    ]


def _right(text: str, *, holds: bool) -> tuple[str, ...]:
    """The verdicts that are right: a claim about orders that no seed fixes may stay open where it holds."""
    if not holds:
        return ("refuted",)
    return ("proved", "unknown") if "shared = false" in text or "seed_2 == " in text else ("proved",)
