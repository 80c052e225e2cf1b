"""Sizes in closed form are those of the lists, and a size without one is any number."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import epochproof
from tests.claim.lineages import Cut, World

BELOW: list[tuple[tuple[int, int] | int, ...]] = [
    ((2, 1),),
    ((3, 2),),
    (3,),
    ((2, 1), 2),
    (2, (2, 1)),
    ((4, 2), (2, 1)),
]
HALVES, FIFTHS = (Fraction(1, 2), Fraction(1, 2)), (Fraction(4, 5), Fraction(1, 5))


def size(text: str, name: str) -> str:
    """The verdicts on the size of a population: what it is, and that it is no other."""
    return " ".join(each.verdict.word for each in epochproof.check(text).claims)


@pytest.mark.parametrize("below", BELOW, ids=str)
def test_size_is_that_of_the_lists_with_one_length_or_listed_ones(
    below: tuple[tuple[int, int] | int, ...],
) -> None:
    for lengths in [(0,), (1, 1), (5, 5, 5), (4, 0, 6), (7, 2)]:
        given = [""] + ([f"size = {len(lengths)}, length = {lengths[0]}"] if len(set(lengths)) == 1 else [])
        world, name = World(lengths, below, ()), "abc"[len(below)]
        wanted = len(world.records(len(below)))
        for written in given:
            claims = [f"{name}.size == {wanted}", f"{name}.size != {wanted}"]
            assert size(world.text(*claims, lengths=written), name) == "proved refuted"


CUTS = [
    Cut("s", whole, key, shares, gap)
    for (whole, key), shares, gap in product(
        ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (0, 0)), (HALVES, FIFTHS), (0,)
    )
] + [Cut("s", whole, "time", shares, gap) for whole, shares, gap in product((1, 2), (HALVES, FIFTHS), (0, 1))]


@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: cut.text().strip())
def test_size_of_a_part_is_that_of_the_lists(cut: Cut) -> None:
    for count, length in product((1, 2, 3), (1, 3)):
        world = World((length,) * count, ((2, 1), 2), (cut,))
        chosen = next(world.assigned({}, tuple(range(count)), world.cuts))
        wanted = [len(world.side(("s", at), chosen, tuple(range(count)))) for at in range(2)]
        claims = [f"s.p{at}.size == {each}" for at, each in enumerate(wanted)]
        text = world.text(*claims, lengths=f"size = {count}, length = {length}")
        assert size(text, "s") == "proved proved"


def test_size_of_a_part_of_parts_is_a_share_of_a_share() -> None:
    text = """edition 1
    dataset d { size in 1.. }
    dataset v from d { copies = 3 }
    split s of v by d { train = 0.8, test = 0.2 }
    split t of s.train by d { fit = 0.5, tune = 0.5 }
    dataset more from t.fit { copies = 2 }
    prove "parts are all" : t.fit.size + t.tune.size + s.test.size == v.size
    prove "ten"           : s.train.size == 24 and t.fit.size == 12 and more.size == 24 given d.size == 10
    """

    assert epochproof.check(text).ok


FREE = """edition 1
dataset d {{ size in 0.. }}
dataset c from d {{ window = 4 stride = 2 }}
dataset v from c {{ copies = 2 }}
split s of c by d {{ a = 0.5, b = 0.5 }}
loader l over {over} {{ batch(4, tail = {tail}) }}
prove "" : {claim}
"""


@pytest.mark.parametrize(
    ("over", "tail", "claim", "word"),
    [
        ("c", "keep", "l.omitted == {}", "proved"),
        ("c", "drop", "l.omitted == {}", "refuted"),
        ("v", "keep", "l.occurrences == 2 * c.size", "proved"),
        ("v", "keep", "l.occurrences != 3", "proved"),
        ("c", "keep", "l.occurrences == 0 given d.size == 0", "proved"),
        ("c", "keep", "l.occurrences < 7", "refuted"),
        ("s.a", "keep", "l.omitted == {}", "proved"),
        ("s.a", "keep", "l.occurrences < 7", "unknown"),
        ("s.a", "keep", "l.occurrences <= c.size", "unknown"),
    ],
)
def test_loader_over_sources_of_free_lengths_reads_any_number(
    over: str, tail: str, claim: str, word: str
) -> None:
    (found,) = epochproof.check(FREE.format(over=over, tail=tail, claim=claim)).claims

    assert found.verdict.word == word


def test_far_counterexample_names_the_size_of_the_derived_population() -> None:
    (claim,) = epochproof.check(FREE.format(over="v", tail="keep", claim="l.occurrences < 7")).claims

    assert claim.verdict.counterexample is not None
    assert claim.verdict.counterexample.parameters == {"d.size": 1, "c.size": 4}
