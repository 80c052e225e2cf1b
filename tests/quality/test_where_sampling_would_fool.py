"""Verdicts are right where a few thousand samples would see no difference."""

from __future__ import annotations

import pytest

from tests.quality.judged import refutation, verdict

RESIDUES = """edition 1
dataset images {{ size in {size} }}
loader train over images {{
  ranks = 256
  shard(ranks, tail = {tail})
}}
"""
THOUSAND = """edition 1
dataset images { size in 1.. }
loader train over images {
  ranks = 1000
  shard(ranks, tail = drop)
  batch(1000, tail = drop)
}
"""


@pytest.mark.parametrize("residue", [0, 1, 77, 255])
def test_a_claim_that_one_residue_of_256_breaks_is_refuted_with_it(residue: int) -> None:
    found = refutation(RESIDUES.format(size="256..", tail="drop"), f"count(train.omitted) != {residue}")

    assert found.smallest
    assert dict(found.parameters) == {"images.size": 256 + residue}


def test_a_claim_that_no_residue_breaks_is_proved() -> None:
    assert verdict(RESIDUES.format(size="1..", tail="drop"), "count(train.omitted) != 256").word == "proved"
    assert verdict(RESIDUES.format(size="1..", tail="pad"), "train.padding != 256").word == "proved"


def test_a_residue_is_found_through_padding_too() -> None:
    found = refutation(RESIDUES.format(size="1..", tail="pad"), "train.padding != 77")

    assert dict(found.parameters) == {"images.size": 179}


def test_uneven_ranks_differ_at_every_residue_but_one() -> None:
    blocks = RESIDUES.format(size="1..", tail="uneven")

    assert verdict(blocks, "train.steps equal across ranks given images.size % 256 == 0").word == "proved"
    for residue in (1, 128, 255):
        found = refutation(blocks, f"train.steps equal across ranks given images.size % 256 == {residue}")
        assert dict(found.parameters) == {"images.size": residue}


@pytest.mark.parametrize(("formula", "size"), [
    ("train.occurrences < 1_000_000", 1_000_000),
    ("count(train.omitted) < 999_999", 999_999),
    ("train.omitted != {}", 1_000_000),
    ("train.steps == 0", 1_000_000),
    ("train.steps == 0 or train.omitted == {}", 1_000_001),
])  # fmt: skip
def test_a_claim_that_first_breaks_near_a_million_is_refuted_there(formula: str, size: int) -> None:
    found = refutation(THOUSAND, formula)

    assert found.smallest
    assert dict(found.parameters) == {"images.size": size}


@pytest.mark.parametrize("formula", [
    "count(train.omitted) < 1_000_000",
    "train.steps == 0 given images.size < 1_000_000",
    "train.omitted != {} given images.size % 1_000_000 != 0",
    "train.omitted == {} given images.size % 1_000_000 == 0",
])  # fmt: skip
def test_a_claim_that_is_true_up_to_its_edge_is_proved(formula: str) -> None:
    assert verdict(THOUSAND, formula).word == "proved"


def test_a_counterexample_of_a_real_size_with_many_epochs_is_replayed() -> None:
    blocks = """edition 1
dataset images { size = 128_117 }
loader train over images {
  ranks = 8
  epochs = 90
  shuffle(seed = any)
  shard(ranks, tail = pad)
  batch(32, tail = drop)
}
"""
    found = refutation(blocks, "train.omitted == {}")

    assert found.epoch == 0
    assert found.blame is not None and found.blame.stage == "batch"


def test_a_counterexample_too_large_to_be_run_is_not_called_one() -> None:
    blocks = THOUSAND.replace("batch(1000,", "batch(1_000_000_000_000,")
    found = verdict(blocks, "train.steps == 0")

    assert found.word == "unknown"
    assert "reads too many records to be run" in found.reason
