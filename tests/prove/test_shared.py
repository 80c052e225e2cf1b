"""What two sides share in a counterexample is what lists of their records share."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest

import epochproof
from epochproof.claim._claims import read_claims
from epochproof.claim.disjoint import Disjoint
from epochproof.prove import shared
from epochproof.prove.verdict import Shared
from epochproof.schedule.sources import Sources
from tests.claim.lineages import NAMES, Cut, World

HALVES, THREE = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def found(text: str) -> Shared:
    """What the two populations of the one claim share in the world of the spec, which leaves nothing open."""
    (claim,) = read_claims(epochproof.load(text))
    assert isinstance(claim.formula, Disjoint)
    return shared.shared(claim.formula.pair, Sources({}, {}))


def cases() -> Iterator[tuple[str, Shared]]:
    """Splits by time, which assign nothing, with what their sides share as a person would count it."""
    lengths, windows = [(7, 4), (5, 0, 9)], [(2, 1), (3, 1), (3, 2)]
    for own, window, shares, gap in product(lengths, windows, (HALVES, THREE), (0, 1)):
        cut = Cut("s", 1, "time", shares, gap)
        world = World(own, (window,), (cut,))
        left, right = (world.side(("s", at), {}, ()) for at in (0, len(shares) - 1))
        last = len(shares) - 1
        for margin, (here, there) in product((0, 1, 2, 4), ((0, last), (last, 0))):
            sides = (left, right) if here == 0 else (right, left)
            met = sum(any(world.meet(a, b, "frames", margin, ()) for a in sides[0]) for b in sides[1])
            yield (
                world.text(f"s.p{here} disjoint from s.p{there} by frames + {margin}"),
                Shared(met, len(sides[1]), "records", "frames", margin),
            )
        one, other = ({each.indices[:1] for each in side} for side in (left, right))
        yield (
            world.text(f"s.p0 disjoint from s.p{last} by {NAMES[0]}"),
            Shared(len(one & other), len(one | other), "values", "a", 0),
        )


def wrong() -> Iterator[str]:
    yield from (text for text, wanted in cases() if found(text) != wanted)


def test_numbers_are_those_of_the_lists() -> None:
    assert [*wrong()] == []


@pytest.mark.parametrize("name", ["bisect_left", "bisect_right"])
def test_planted_fault_at_an_edge_is_seen(name: str) -> None:
    other = {"bisect_left": bisect_right, "bisect_right": bisect_left}[name]

    with patch.object(shared, name, other):
        assert any(wrong())


def test_counterexample_says_what_is_shared_where_ranks_split_on_their_own() -> None:
    text = """edition 1
    dataset images { size = 4 }
    split s of images by images { train = 0.5, val = 0.5, shared = false }
    prove "apart" : s.train disjoint from s.val by images
    """

    (claim,) = epochproof.check(text).claims

    example = claim.verdict.counterexample
    assert example is not None and example.shared is not None
    assert 1 <= example.shared.count <= 2
    assert example.shared.count + example.shared.of == 4
