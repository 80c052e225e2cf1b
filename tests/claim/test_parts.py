"""Verdicts about the sources of a mix agree with lists that a person drew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

import pytest

import epochproof
from epochproof.prove.session import load, opened
from tests.claim.agreement import by_rules, differences, verdicts, written
from tests.mixes import Mixed, some
from tests.worlds import Written, batch, shard

FREE = "size in 1..\n"
SIZES = range(1, 8)


def facts(mix: Mixed) -> list[tuple[str, bool]]:
    """Claims about each source and about all, and whether they hold on the lists."""
    read, found = mix.read(), list[tuple[str, bool]]()
    counts = Counter(read)
    for name, size in mix.sizes.items():
        times = [counts[name, at] for at in range(size)]
        covered = {at for at, each in enumerate(times) if each}
        again = {at for at, each in enumerate(times) if each > 1}
        found += [
            (f"l.occurrences({name}) == {sum(times)}", True),
            (f"l.occurrences({name}) < {sum(times)}", False),
            (f"l.distinct({name}) == {len(covered)}", True),
            (f"l.distinct({name}) > {len(covered)}", False),
            (f"l.omitted({name}) == {written(set(range(size)) - covered)}", True),
            (f"count(l.omitted({name})) == {size - len(covered)}", True),
            (f"l.covered({name}) == {written(covered ^ {0})}", False),
            (f"l.repeated({name}) == {written(again)}", True),
            (f"count(l.repeated({name})) == {len(again)}", True),
            (f"l.multiplicity({name}) <= {max(times)} and l.multiplicity({name}) >= {min(times)}", True),
            (f"l.multiplicity({name}) < {max(times)}", False),
        ]
    return [
        *found,
        (f"l.occurrences == {len(read)} and l.distinct == {len(counts)}", True),
        (f"l.padding == {mix.padding}", True),
        (f"l.padding == {mix.padding + 1}", False),
        (f"count(l.omitted) == {sum(mix.sizes.values()) - len(counts)}", True),
    ]


@pytest.mark.parametrize("at", range(4))
def test_verdicts_agree_with_lists(at: int) -> None:
    wrong = list[str]()
    for mix in some(f"parts {at}", 6):
        claims = facts(mix)
        wrong += differences(mix.text(*(claim for claim, _ in claims)), [holds for _, holds in claims])

    assert wrong == []


@dataclass(frozen=True)
class Counts:
    """What one mix reads, counted."""

    sizes: Mapping[str, int]
    times: Counter[tuple[str, int]]
    padding: int

    def of(self, source: str) -> int:
        """Occurrences of a source's records."""
        return sum(self.each(source))

    def each(self, source: str) -> list[int]:
        """How often each record of the source is read."""
        return [self.times[source, at] for at in range(self.sizes[source])]

    @property
    def all(self) -> list[int]:
        """How often each record is read."""
        return [times for source in self.sizes for times in self.each(source)]


GENERAL: dict[str, Callable[[Counts], bool]] = {
    "l.omitted == {}": lambda read: min(read.all) >= 1,
    "l.omitted(a) == {}": lambda read: min(read.each("a")) >= 1,
    "l.multiplicity <= 1": lambda read: max(read.all) <= 1,
    "l.multiplicity(b) <= 3": lambda read: max(read.each("b")) <= 3,
    "l.padding == 0": lambda read: read.padding == 0,
    "l.distinct == a.size + b.size": lambda read: min(read.all) >= 1,
    "l.distinct(b) == l.occurrences(b)": lambda read: max(read.each("b")) <= 1,
    "l.occurrences(a) <= a.size": lambda read: read.of("a") <= read.sizes["a"],
    "l.occurrences(a) <= 3 * l.occurrences(b) + 3": lambda read: read.of("a") <= 3 * read.of("b") + 3,
    "count(l.repeated(b)) <= l.occurrences(a)": lambda read: (
        sum(times > 1 for times in read.each("b")) <= read.of("a")
    ),
}
PIPELINES: list[tuple[int, tuple[Written, ...]]] = [
    (1, (batch(2),)),
    (1, (batch(2, "drop"),)),
    (1, (Written("shuffle", options={"seed": 3}), batch(2, "drop"))),
    (2, (shard(), batch(2))),
    (2, (shard(tail="drop"),)),
    (3, (Written("shuffle", options={"seed": 3}), shard(tail="uneven"))),
]


@pytest.mark.parametrize(("pick", "stop"), list(product(["round_robin", "greedy"], ["first", "all"])))
@pytest.mark.parametrize("pipeline", range(len(PIPELINES)))
def test_what_rules_prove_for_all_sizes_is_true_of_small_ones(pick: str, stop: str, pipeline: int) -> None:
    ranks, stages = PIPELINES[pipeline]
    mixes = [
        Mixed({"a": a, "b": b}, {"a": 3, "b": 1}, pick, f"{stop}_exhausted", ranks, stages)
        for a, b in product(SIZES, SIZES)
    ]
    worlds = [Counts(each.sizes, Counter(each.read()), each.padding) for each in mixes]
    free = mixes[0].blocks({"a": FREE, "b": FREE}, "{}")
    claims = "\n".join(f'prove "{claim}" : {claim}' for claim in GENERAL)

    session = opened(load(f"edition 1\n{free}\n{claims}\n"))

    ruled = {claim.written.text for claim in session.claims if by_rules(session, claim)}
    assert [claim for claim in GENERAL if claim in ruled and not all(map(GENERAL[claim], worlds))] == []
    assert "l.padding == 0" in ruled or ranks > 1


def test_exhausting_all_reads_all_whatever_the_sizes() -> None:
    mix = Mixed({"a": 1, "b": 1}, {"a": 3, "b": 1}, "round_robin", "all_exhausted", 1, (batch(4),))
    claims = ["l.omitted == {}", "l.distinct(a) == a.size", "l.padding == 0", "l.multiplicity(b) <= 4"]
    text = mix.blocks({"a": FREE, "b": FREE}, "{}") + "".join(f'\nprove "{each}" : {each}' for each in claims)

    assert verdicts(f"edition 1\n{text}") == ["proved"] * 3 + ["refuted"]


def test_sets_of_a_source_hold_its_own_numbers() -> None:
    mix = Mixed({"a": 5, "b": 3}, {"a": 3, "b": 1}, "round_robin", "first_exhausted", 1, ())

    assert mix.read()[-1] == ("a", 4)
    assert verdicts(mix.text("l.omitted(b) == {1, 2}", "l.omitted == {6, 7}")) == ["proved", "proved"]


def test_a_run_repeats_what_an_epoch_reads() -> None:
    text = """edition 1
dataset a { size in 1..
}
dataset b { size in 1..
}
mix m { a = 2, b = 1 }
loader l over m { epochs in 1..
  shuffle(seed = any)
  batch(4) }
prove "four times at most, in four epochs" : l.multiplicity(run, b) <= 4 given l.epochs <= 4
prove "an epoch over and over" : l.occurrences(run, a) == l.epochs * l.occurrences(a)
refute "no source of one record more than once" : l.multiplicity(run, b) <= 1
"""
    assert verdicts(text) == ["proved", "proved", "refuted"]


NESTED = """edition 1
dataset a { size = 3 }
dataset b { size = 2 }
dataset c { size in 1..
}
mix inner { a = 1, b = 1, stop = all_exhausted }
mix m { inner = 2, c = 1, stop = all_exhausted }
loader l over m { batch(4) }
prove "all are read" : l.omitted == {}
prove "so many" : l.distinct == 5 + c.size and l.distinct(inner) == 5 and l.distinct(a) == 3
prove "the inner mix keeps its share" : abs(l.occurrences(inner) - 2 * l.occurrences(c)) <= 2 per prefix
prove "and its own for a while" : abs(l.occurrences(a) - l.occurrences(b)) <= 1 per prefix given c.size <= 2
refute "but not for ever" : abs(l.occurrences(a) - l.occurrences(b)) <= 1 per prefix
"""


def test_mixes_inside_mixes() -> None:
    assert verdicts(NESTED) == ["proved"] * 4 + ["refuted"]


RESUMED = """edition 1
dataset a { size in 1..
}
dataset b { size in 1..
}
mix first { a = 3, b = 1 }
mix every { a = 3, b = 1, stop = all_exhausted }
loader l over first { shuffle(seed = any)  batch(4)  resume(after in 0..9, position = consumed) }
loader m over every { batch(4)  resume(after in 0..9, position = epoch_start) }
prove "going on where it stopped loses and repeats nothing" : l.lost == {} and l.replayed == {}
refute "an epoch from its start repeats what was read" : m.replayed == {}
prove "no rule tells what it loses" : m.lost == {}
"""


def test_interrupted_mix_goes_on() -> None:
    assert verdicts(RESUMED) == ["proved", "refuted", "unknown"]


def test_numbers_that_move_are_not_compared() -> None:
    text = """edition 1
dataset a { size in 1..5 }
dataset b { size = 3 }
mix m { a = 1, b = 1 }
loader l over m { batch(4) }
refute "the same of b is left out" : l.omitted(b) unaffected by a.size
"""

    assert verdicts(text) == ["refuted"]
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(text.replace("omitted(b)", "omitted"))
    assert [each.code for each in raised.value.diagnostics] == ["E340"]
