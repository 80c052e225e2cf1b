"""What has no solution where a claim is true: one SMT-LIB text for each condition that its proof rests on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Literal

from epochproof.prove.shown import Shown
from epochproof.prove.verdict import Judged
from epochproof.term.as_smtlib import logic, script
from epochproof.term.fold import variables
from epochproof.term.node import TRUE, Bool, Op, both, negate

Part = tuple[str, tuple[Bool, ...]]
"""What is said of some conditions, and the conditions."""

Role = Literal["claim", "side condition", "premises"]

_SAID: dict[Role, str] = {
    "claim": "the claim is true where this has no solution and its side conditions have none",
    "side condition": "the rule behind the claim rests on it, and it is true where this has no solution",
    "premises": "the premises contradict each other where this has no solution",
}


@dataclass(frozen=True)
class Obligation:
    """A text that has no solution; the same text for the same claim of the same spec, in every process.

    `number` counts the obligations of a claim from 1. `shown` is what the text says, as terms.
    """

    claim: str
    kind: Literal["prove", "refute"]
    role: Role
    number: int
    logic: str
    text: str
    shown: Shown

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the text, in hexadecimal digits."""
        return sha256(self.text.encode("ascii")).hexdigest()


def obligations(judged: Judged) -> tuple[Obligation, ...]:
    """The obligations of a verdict: the claim first, then the side conditions that its rule rests on.

    There are none where no solver had a part in the verdict: where worlds were run, or rows compared.
    """
    return tuple(_obligations(judged))


def _obligations(judged: Judged) -> Iterator[Obligation]:
    for at, shown in enumerate(judged.verdict.shown):
        first: Role = "claim" if judged.verdict.word == "proved" else "premises"
        role: Role = "side condition" if at else first
        head = (
            f"obligation {at + 1} of {len(judged.verdict.shown)}: {role}",
            f"of {judged.kind} {json.dumps(judged.text)}",
            _SAID[role],
        )
        yield Obligation(
            judged.text, judged.kind, role, at + 1, logic(shown.whole), as_text(shown, head), shown
        )


def as_text(shown: Shown, head: Sequence[str]) -> str:
    """The condition as SMT-LIB 2.6: a comment for each line of the head, logic, declarations, assertions."""
    return written(head, list(_parts(shown)))


def written(head: Sequence[str], parts: Sequence[Part]) -> str:
    """The conditions of all parts as one text, each part behind what is said of it."""
    conditions = [each for _, some in parts for each in some]
    found = script(*conditions)
    lines = [f"; {each}" for each in head]
    lines += ["(set-info :smt-lib-version 2.6)", f"(set-logic {logic(*conditions)})"]
    lines += [*sorted(found.declarations), *found.definitions]
    expressions = iter(found.expressions)
    for said, some in parts:
        lines += [f"; {said}", *(f"(assert {next(expressions)})" for _ in some)]
    return "\n".join([*lines, "(check-sat)", ""])


def _parts(shown: Shown) -> Iterator[Part]:
    """The conditions, each group behind what is said of it."""
    for each in shown.domains:
        yield f"the domain of {' and '.join(sorted(variables(each)))}", (each,)
    if shown.facts:
        yield "what is known of the functions", shown.facts
    if shown.given is not TRUE:
        yield "what is given", conjuncts(shown.given)
    contrary = negate(shown.goal)
    if contrary is not TRUE:
        yield "the contrary of the goal", (contrary,)
    if both(shown.given, contrary) is TRUE:
        yield "nothing else", ()


def conjuncts(condition: Bool) -> tuple[Bool, ...]:
    """The conditions that it joins."""
    if condition.op is not Op.ALL:
        return (condition,)
    return tuple(each for each in condition.args if isinstance(each, Bool))
