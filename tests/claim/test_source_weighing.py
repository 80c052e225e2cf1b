"""What is made of one source weighs what its delivered occurrences weigh together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest

import epochproof
from epochproof.claim import _source_weighing, _sources
from epochproof.claim._quantity import Seen
from epochproof.claim._quotient import Value
from epochproof.claim._sided import ALWAYS
from epochproof.claim._source_weighing import Weighed
from epochproof.model import tally
from epochproof.model.population import Population
from epochproof.term.node import Int
from tests.claim.agreement import proofs, verdicts
from tests.claim.formulas import OPERATORS
from tests.claim.lineages import NAMES, Cut
from tests.claim.lineages import World as Lineage
from tests.worlds import World, Written, batch, shard

HALVES = (Fraction(1, 2), Fraction(1, 2))


@dataclass(frozen=True)
class Case:
    """A loader over the last dataset of a lineage, or over a part of it, that weighs `by` a dataset."""

    lineage: Lineage
    world: World
    by: str = ""
    part: str = ""

    def keys(self, level: str) -> list[tuple[int, ...]]:
        """What each record is made of."""
        records = self.lineage.records(len(self.lineage.below))
        if self.part:
            chosen = next(self.lineage.assigned({}, (), self.lineage.cuts))
            records = self.lineage.side(("s", int(self.part[-1])), chosen, ())
        return [each.indices[: NAMES.index(level) + 1] for each in records]

    def weights(self, level: str, window: str = "") -> Iterator[Fraction]:
        """What is made of each source weighs, in each window there is."""
        world = replace(self.world, size=len(self.keys(level)))
        epochs = [[*range(world.epochs)]] if "run" in window else [[epoch] for epoch in range(world.epochs)]
        ranks = [[rank] for rank in range(world.ranks)] if "rank" in window else [[*range(world.ranks)]]
        of, by = self.keys(level), self.keys(self.by) if self.by else []
        for some_epochs, some_ranks in product(epochs, ranks):
            total: dict[tuple[int, ...], Fraction] = dict.fromkeys(of, Fraction(0))
            for epoch in some_epochs:
                read = [each for lane in world.epoch(epoch) for each in lane.records]
                everyone = Counter(by[each] for each in read) if by else {}
                for rank in some_ranks:
                    for record in world.lane(epoch, rank).records:
                        total[of[record]] += Fraction(1, everyone[by[record]] if by else 1)
            yield from total.values()

    def text(self, *claims: str) -> str:
        """The spec, with these formulas as claims."""
        over = self.part or NAMES[len(self.lineage.below)]
        stages = [*self.world.stages, *([Written("weigh", options={"by": self.by})] if self.by else [])]
        lines = "\n".join(map(str, stages))
        settings = f"ranks = {self.world.ranks}, epochs = {self.world.epochs}"
        loader = f"loader l over {over} {{ {settings}\n{lines} }}\n"
        proofs = "".join(f'prove "{at}" : {claim}\n' for at, claim in enumerate(claims))
        return self.lineage.text() + loader + proofs


BELOW: list[tuple[tuple[int, int] | int, ...]] = [((2, 1),), (3,), ((2, 1), 2)]
STAGES: list[tuple[Written, ...]] = [
    (shard(),),
    (shard("blocked", "drop"), batch(2, "pad")),
    (Written("shuffle", options={"seed": 3}), shard(), batch(2, "drop")),
]


def cases() -> Iterator[tuple[Case, str, str]]:
    """Small worlds, each with a dataset of its lineage and a window to ask about."""
    for at, (lengths, below, stages) in enumerate(product([(2, 4), (3, 0, 3), (1,)], BELOW, STAGES)):
        names = NAMES[: len(below) + 1]
        for turn, by in enumerate(["", *names]):
            level, window = names[(at + turn) % len(names)], ("", "", "run", "rank")[(at + turn) % 4]
            yield Case(Lineage(lengths, below, ()), World(0, 1 + at % 3, stages, 2), by), level, window


def wrong() -> Iterator[str]:
    """Claims whose verdict is another one than the lists give."""
    for case, level, window in cases():
        weights, use = [*case.weights(level, window)], f"l.weight({', '.join(filter(None, (window, level)))})"
        claims, held = [], []
        for sign, value in product(("==", "<="), sorted({*weights[:1], *weights[-1:], Fraction(1)})):
            claims.append(f"{value.denominator} * {use} {sign} {value.numerator}")
            held.append(all(OPERATORS[sign](each, value) for each in weights))  # type: ignore[arg-type]
        for claim, right, verdict in zip(claims, held, verdicts(case.text(*claims)), strict=True):
            if verdict != ("proved" if right else "refuted"):
                yield f"{case.text(claim)} {verdict}"


def test_verdicts_agree_with_lists() -> None:
    assert [*wrong()] == []


PARTS = [
    Cut("s", 1, 0, HALVES),
    Cut("s", 1, 1, HALVES),
    Cut("s", 1, "time", HALVES, 1),
]


@pytest.mark.parametrize("cut", PARTS, ids=lambda cut: cut.text().strip())
def test_parts_of_a_split_are_weighed_as_they_are_dealt(cut: Cut) -> None:
    lineage = Lineage((4, 4, 4), ((2, 1),), (cut,))
    for by, at in product(("", "a"), (0, 1)):
        case = Case(lineage, World(0, 2, (shard(tail="drop"),)), by, f"s.p{at}")
        claims = [f"l.weight(a) <= {most}" for most in (0, 1, 2, 3)]
        if cut.key == 1:
            assert "proved" not in verdicts(case.text(claims[0]))
            continue
        weights = [*case.weights("a")]

        assert verdicts(case.text(*claims)) == [
            "proved" if max(weights, default=0) <= most else "refuted" for most in (0, 1, 2, 3)
        ]


FREE = """edition 1
dataset a {{ size in 1..{length} }}
dataset b from a {{ window = 2, stride = 1 }}
dataset c from b {{ copies = 2 }}
loader l over {over} {{
  ranks in 1..
  epochs in 1..
  {stages}
}}
prove "" : {claim}
"""
PADDED = "shuffle(seed = any)\nshard(ranks)\nbatch(in 1.., tail = pad)\n"


@pytest.mark.parametrize(
    ("over", "stages", "claim", "proved"),
    [
        ("b", f"{PADDED}weigh(by = a)", "l.weight(a) == 1", True),
        ("c", f"{PADDED}weigh(by = a)", "l.weight(a) == 1", True),
        ("c", f"{PADDED}weigh(by = b)", "l.weight(b) == 1", True),
        ("c", f"{PADDED}weigh(by = b)", "l.weight(b) + 1 == 2", True),
        ("c", f"{PADDED}weigh(by = a)", "l.weight(run, a) == l.epochs", True),
        ("b", "shard(ranks, tail = drop)\nweigh(by = a)", "l.weight(a) <= 1", True),
        ("b", "shard(ranks, tail = drop)\nweigh(by = a)", "l.weight(a) == 1 given l.multiplicity >= 1", True),
        ("b", "shard(ranks, tail = drop)\nweigh(by = a)", "l.weight(a) == 1", False),
        ("b", f"{PADDED}weigh(padding = 0)", "l.weight(a) == 1", False),
        ("c", f"{PADDED}weigh(padding = 0)", "l.weight(b) == 2", True),
        ("c", "shard(ranks, tail = uneven)", "l.weight(b) == 2 and l.weight(run, b) == 2 * l.epochs", True),
        ("c", f"{PADDED}weigh(by = inverse_multiplicity)", "l.weight(b) == 2", True),
        ("c", "shard(ranks, tail = drop)", "l.weight(b) == 2 given l.multiplicity >= 1", False),
    ],
)
def test_rules_prove_it_for_all_lengths(over: str, stages: str, claim: str, proved: bool) -> None:  # noqa: FBT001 -- a case
    text = FREE.format(over=over, stages=stages, claim=claim, length="")

    assert proofs(text) == [proved]


def test_one_length_for_all_gives_each_source_as_many() -> None:
    text = FREE.format(over="c", stages=f"{PADDED}weigh(padding = 0)", claim="l.weight(a) == 6", length="")
    text = text.replace("size in 1..", "size in 1.., length = 4")

    assert proofs(text) == [True]


def test_smallest_counterexample_drops_the_only_clip_of_a_source() -> None:
    stages = "batch(2, tail = drop)\nweigh(by = a)"

    (claim,) = epochproof.check(
        FREE.format(over="b", stages=stages, claim="l.weight(a) == 1", length="")
    ).claims

    example = claim.verdict.counterexample
    assert example is not None and example.blame is not None
    assert dict(example.parameters) == {"a.size": 1, "b.size": 1, "l.ranks": 1}
    assert (example.records, example.blame.stage) == ((0,), "batch")


def of_the_rank(weighed: Weighed, seen: Seen) -> Mapping[int, Value]:
    """Occurrences are counted on the rank alone."""
    of, found = _sources.keys(seen, weighed.population, weighed.by), dict[int, Value]()
    for epoch in seen.epochs():
        for lane in seen.lanes(epoch):
            every = Counter(of[record] for record in lane.records)
            for record in lane.records:
                found[record] = found.get(record, 0) + Fraction(1, every[of[record]])
    return found


def of_the_record(weighed: Weighed, seen: Seen) -> Mapping[int, Value]:
    """A record shares 1 with its own occurrences alone."""
    return {record: Fraction(1) for record in seen.counts()}


@pytest.mark.parametrize("fault", [of_the_rank, of_the_record])
def test_planted_fault_in_the_lists_is_seen(fault: Callable[[Weighed, Seen], Mapping[int, Value]]) -> None:
    with patch.object(Weighed, "_shared", fault):
        assert any(wrong())


def one_more(population: Population, level: Population) -> Int | None:
    own = _EACH(population, level)
    return None if own is None else own + 1


_EACH = tally.each


def test_planted_fault_in_the_rules_proves_something_false() -> None:
    masked = FREE.format(over="c", stages=f"{PADDED}weigh(padding = 0)", claim="l.weight(b) == 3", length="")
    dropped = FREE.format(
        over="b", stages="shard(ranks, tail = drop)\nweigh(by = a)", claim="l.weight(a) == 1", length=""
    )

    assert proofs(masked) == proofs(dropped) == [False]
    with patch.object(tally, "each", one_more):
        assert proofs(masked) == [True]
    with patch.object(_source_weighing, "covered", lambda *_: ALWAYS):
        assert proofs(dropped) == [True]


@pytest.mark.parametrize(
    ("by", "window", "code"),
    [("clip", "a", "E204"), ("source", "a", "E204"), ("a", "video", "E301"), ("a", "a, b", "E301")],
)
def test_wrong_dataset_is_told(by: str, window: str, code: str) -> None:
    text = FREE.format(over="b", stages=f"weigh(by = {by})", claim=f"l.weight({window}) == 1", length="")

    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(text)

    assert [each.code for each in raised.value.diagnostics] == [code]
    assert "a" in raised.value.diagnostics[0].help
