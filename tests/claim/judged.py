"""Compares what the tool says about interrupted runs with what a test counts on their lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from epochproof.prove.session import load, opened
from tests.claim.agreement import by_rules, differences, written
from tests.claim.stopped import Stopped, all_small


def wrong(name: str, oracle: Callable[[Stopped], set[int]], runs: Iterable[Stopped]) -> list[str]:
    """Where a verdict on the set is not what the lists say, the numbers fixed by the spec or by premises."""
    found = []
    for run in runs:
        this = oracle(run)
        other = this ^ ({run.size - 1} if run.size else {0})
        claims = [
            f"l.{name} == {written(this)}",
            f"l.{name} == {written(other)}",
            f"l.{name} <= {written(other)}",
        ]
        held = [True, False, this <= other]
        found += differences(run.text(*claims), held)
        session = opened(load(run.text(*claims, free=True)))
        found += [
            f"{run}\nclaim {at} is {holds}, and not by the rules"
            for at, (holds, claim) in enumerate(zip(held, session.claims, strict=True))
            if by_rules(session, claim) != holds and not (holds and run.depends_on_an_order(this))
        ]
    return found


def untrue(claims: Mapping[str, Callable[[Stopped], bool]], likes: Iterable[Stopped]) -> list[str]:
    """What the rules prove of runs with free numbers, and a small world in which it is false."""
    found = []
    for like in likes:
        text = like.text(*claims, free=True).replace(" given ", "  # ")
        session = opened(load(text))
        for (formula, holds), claim in zip(claims.items(), session.claims, strict=True):
            if by_rules(session, claim):
                found += [f"{text}\n{formula}\n{run}" for run in all_small(like) if not holds(run)][:1]
    return found
