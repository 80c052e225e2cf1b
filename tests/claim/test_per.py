"""A formula per prefix holds of each first part of an epoch, the empty one and the whole included."""

from __future__ import annotations

import pytest

import epochproof
from tests.claim.agreement import differences, verdicts
from tests.mixes import Mixed, some
from tests.worlds import World, batch, shard


def strays(mix: Mixed) -> list[int]:
    """How far a and b are from their shares, in each prefix."""
    a, b = mix.weights["a"], mix.weights["b"]
    names = [name for name, _ in mix.read()]
    return [abs(b * names[:end].count("a") - a * names[:end].count("b")) for end in range(len(names) + 1)]


def _of(mix: Mixed, source: str) -> list[tuple[str, int]]:
    return [record for record in mix.records if record[0] == source]


@pytest.mark.parametrize("at", range(4))
def test_verdicts_agree_with_lists(at: int) -> None:
    wrong = list[str]()
    for mix in some(f"prefixes {at}", 10):
        most, read = max(strays(mix)), mix.read()
        often, mine = (max(map(read.count, each)) for each in (mix.records, _of(mix, "a")))
        stray = f"abs({mix.weights['b']} * l.occurrences(a) - {mix.weights['a']} * l.occurrences(b))"
        claims = {
            f"{stray} <= {most} per prefix": True,
            f"{stray} < {most} per prefix": False,
            f"not ({stray} < {most} per prefix)": True,
            "l.occurrences(a) == 0 per prefix": mine == 0,
            "l.distinct(a) <= l.occurrences(a) per prefix": True,
            f"l.multiplicity(a) < {often} per prefix": mine < often,
        }
        wrong += differences(mix.text(*claims), list(claims.values()))

    assert wrong == []


def test_prefixes_are_read_by_step_then_slot_then_rank() -> None:
    mix = Mixed({"a": 4, "b": 4}, {"a": 1, "b": 1}, "round_robin", "first_exhausted", 2, (shard(), batch(2)))

    assert [name for name, _ in mix.read()] == ["a", "b"] * 3 + ["a", "a"]
    assert verdicts(mix.text("l.occurrences(a) - l.occurrences(b) <= 2 per prefix")) == ["proved"]
    assert verdicts(mix.text("l.occurrences(a) - l.occurrences(b) <= 1 per prefix")) == ["refuted"]


def test_the_whole_epoch_is_a_prefix_and_so_is_nothing() -> None:
    world = World(5, 1, (batch(2),))

    assert verdicts(world.text("l.occurrences <= 4 per prefix", "l.occurrences >= 1 per prefix")) == [
        "refuted",
        "refuted",
    ]
    assert verdicts(world.text("l.occurrences <= 5 per prefix")) == ["proved"]


def test_free_weights_are_proved_for_all() -> None:
    text = """edition 1
dataset a { size in 1..
}
dataset b { size in 1..
}
mix m { a in 1..
  b in 1..
}
loader l over m { ranks in 1..
  shard(ranks, tail = drop)
  batch(in 1..)
}
prove "within a cycle" : abs(m.b * l.occurrences(a) - m.a * l.occurrences(b)) <= m.a * m.b per prefix
refute "within less" : abs(m.b * l.occurrences(a) - m.a * l.occurrences(b)) < m.a * m.b per prefix
"""
    assert verdicts(text) == ["proved", "refuted"]


def test_shortest_prefix_is_shown() -> None:
    text = """edition 1
dataset a { size = 9 }
dataset b { size = 9 }
mix m { a = 1, b = 1, pick = random }
loader l over m { batch(4) }
refute "fair" : abs(l.occurrences(a) - l.occurrences(b)) <= 1 per prefix
"""
    (claim,) = epochproof.check(text).claims

    found = claim.verdict.counterexample
    assert found is not None
    assert len(found.records) == 6
    assert sum(record < 9 for record in found.records) == 4
    assert found.blame is not None
    assert (found.blame.stage, found.blame.text) == ("mix", "the first 6 occurrences break it")


FAULTS = [
    ("l.occurrences <= 1 per step", "there is no `per step`", "write `per prefix`"),
    (
        "l.steps <= 1 per prefix",
        "`per prefix` cannot speak of `steps`",
        "count `occurrences`, as in `train.occurrences(web)`",
    ),
    (
        "l.occurrences(run) <= 1 per prefix",
        "`per prefix` is about all ranks in one epoch",
        "leave `run` and `rank` out",
    ),
    (
        "1 <= 1 per prefix",
        "`per prefix` is about the occurrences of one loader",
        "name one loader in it",
    ),
    (
        "l.occurrences unaffected by d.size per prefix",
        "`per prefix` takes a formula about one run",
        "compare numbers or sets in it",
    ),
]


@pytest.mark.parametrize(("formula", "message", "cure"), FAULTS)
def test_other_formulas_are_refused_with_a_cure(formula: str, message: str, cure: str) -> None:
    text = (
        f'edition 1\ndataset d {{ size in 1..9 }}\nloader l over d {{ batch(2) }}\nprove "it" : {formula}\n'
    )

    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(text)

    assert [(each.message, each.help) for each in raised.value.diagnostics] == [(message, cure)]
