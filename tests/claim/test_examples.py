"""Every claim of every example is as stated, refuted ones by the smallest worlds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import epochproof

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALLEST = {
    ("stream", "ranks then run the same number of steps"): [2, 3, 1],
    ("stream", "or read everything"): [1, 1, 3],
    ("resume", "but repeats nothing"): [1, 1, 1, 1],
    ("resume", "saving the sampler's own position loses nothing"): [1, 1, 1, 0],
    ("resume", "a per-rank offset survives a change of world size"): [9, 1, 2, 1],
    ("evaluation", "the plain mean counts every record once"): [1, 2, 1],
    ("migration", "padding instead of dropping reads the same records"): [249],
}


def parameters(example: str, text: str) -> Mapping[str, int]:
    claims = epochproof.check(EXAMPLES / f"{example}.epoch").claims
    found = next(claim.verdict.counterexample for claim in claims if claim.text == text)
    return found.parameters if found else {}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.epoch")), ids=lambda path: path.stem)
def test_claims_are_as_stated(path: Path) -> None:
    claims = epochproof.check(path).claims

    assert claims
    assert [claim.text for claim in claims if not claim.as_stated] == []


@pytest.mark.parametrize(("example", "text"), SMALLEST)
def test_counterexample_is_the_smallest(example: str, text: str) -> None:
    assert list(parameters(example, text).values()) == SMALLEST[example, text]
