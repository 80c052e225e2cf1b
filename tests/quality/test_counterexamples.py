"""The counterexample that is shown is the smallest one: least maximum, then in order of declaration."""

from __future__ import annotations

import pytest

from epochproof import check
from tests.quality.judged import FREE, TRAIN, refutation

KEPT = FREE.format(ranks="pad", batch="keep")
MIGRATION = """edition 1
dataset records { size in 1.. }
loader old over records {
  ranks = 8
  shuffle(seed = 17)
  shard(ranks, tail = drop)
  batch(32, tail = drop)
}
loader padded over records {
  ranks = 8
  shuffle(seed = 17)
  shard(ranks, tail = pad)
  batch(32, tail = drop)
}
"""


@pytest.mark.parametrize(("blocks", "formula", "size", "ranks", "batch"), [
    (TRAIN, "train.multiplicity <= 2", 1, 3, 1),
    (KEPT, "train.multiplicity <= 2", 1, 3, 1),
    (TRAIN, "count(train.omitted) < 200", 200, 2, 101),
    (TRAIN, "count(train.omitted) < 100_000", 100_000, 2, 50_001),
    (TRAIN, "train.padding <= 299", 1, 301, 1),
    (TRAIN, "train.occurrences < 1000", 501, 500, 1),
    (TRAIN, "train.steps < 17", 17, 1, 1),
    (TRAIN, "train.omitted == {}", 1, 1, 2),
])  # fmt: skip
def test_no_smaller_world_breaks_the_claim(
    blocks: str, formula: str, size: int, ranks: int, batch: int
) -> None:
    found = refutation(blocks, formula)

    assert found.smallest
    assert found.parameters == {"images.size": size, "train.ranks": ranks, "train.batch": batch}


def test_padding_instead_of_dropping_first_reads_other_records_at_249() -> None:
    found = refutation(MIGRATION, "old.covered equal padded.covered")

    assert found.smallest
    assert dict(found.parameters) == {"records.size": 249}
    assert len(found.records) == 20


@pytest.mark.parametrize(("formula", "stage", "text"), [
    ("count(train.omitted) < 200", "batch", "record 0 is lost here"),
    ("train.multiplicity <= 2", "shard", "record 0 is read again from here on"),
    ("train.padding <= 299", "shard", "adds 300 occurrences here"),
])  # fmt: skip
def test_the_stage_at_fault_is_named(formula: str, stage: str, text: str) -> None:
    blame = refutation(TRAIN, formula).blame

    assert blame is not None
    assert (blame.stage, blame.text.replace("_", "")) == (stage, text)


def test_the_parameters_stand_in_the_order_in_which_they_are_declared() -> None:
    turned = "edition 1\ndataset images { size in 1.. }\n"
    turned += "loader train over images {\n  shard(ranks)\n  batch(in 1..)\n  ranks in 1..\n}\n"

    assert next(iter(refutation(turned, "train.multiplicity <= 2").parameters)) == "images.size"


def test_a_smaller_candidate_that_is_true_is_not_shown() -> None:
    claim = "train.omitted == {} or count(train.omitted) < 50"
    found = refutation(TRAIN, claim)

    assert found.smallest
    assert found.parameters == {"images.size": 50, "train.ranks": 2, "train.batch": 26}


def test_the_same_claim_gets_the_same_counterexample_again() -> None:
    text = f'{TRAIN}refute "it" : count(train.omitted) < 200\n'
    one, other = check(text).claims[0].verdict, check(text).claims[0].verdict

    assert one.counterexample == other.counterexample
