"""Each verdict word is given for its reason, and for no other."""

from __future__ import annotations

import pytest

import epochproof
from epochproof.prove.verdict import Judged

LOADER = """edition 1
dataset d {{ size {size} }}
loader l over d {{
  ranks {ranks}
  {shuffle}
  shard(ranks, tail = {tail})
  batch({batch}, tail = drop)
}}
"""
FREE = LOADER.format(size="in 1..", ranks="in 1..", shuffle="shuffle(seed = any)", tail="pad", batch="in 1..")
FIXED = LOADER.format(size="= 10", ranks="= 3", shuffle="", tail="pad", batch="4")
FEW = LOADER.format(size="in 1..6", ranks="in 1..3", shuffle="", tail="drop", batch="in 1..2")


def claim(blocks: str, formula: str, kind: str = "prove", assume: str = "") -> Judged:
    """The verdict of a claim below the blocks, and what belongs to it."""
    before = f'assume "given" : {assume}\n' if assume else ""
    (found,) = epochproof.check(f'{blocks}{before}{kind} "it" : {formula}\n').claims
    return found


@pytest.mark.parametrize(("blocks", "formula", "evidence"), [
    (FREE, "count(l.omitted) < l.ranks * l.batch", "solver"),
    (FREE, "l.steps equal across ranks", "solver"),
    (FIXED, "l.occurrences == 12", "exhausted(1)"),
    (FEW, "l.multiplicity <= 1", "solver"),
    (FREE, "d.size >= 1", "solver"),
])  # fmt: skip
def test_what_is_true_everywhere_is_proved(blocks: str, formula: str, evidence: str) -> None:
    found = claim(blocks, formula)

    assert (found.verdict.word, found.verdict.evidence) == ("proved", evidence)
    assert found.as_stated
    assert found.verdict.counterexample is None


def test_a_proof_names_the_obligations_that_were_shown() -> None:
    assert len(claim(FREE, "l.steps equal across ranks").verdict.obligations) == 1
    assert claim(FIXED, "l.occurrences == 12").verdict.obligations == ()


@pytest.mark.parametrize(("formula", "parameters"), [
    ("l.omitted == {}", {"d.size": 1, "l.ranks": 1, "l.batch": 2}),
    ("l.multiplicity <= 1", {"d.size": 1, "l.ranks": 2, "l.batch": 1}),
    ("d.size != 7", {"d.size": 7}),
])  # fmt: skip
def test_what_is_false_somewhere_is_refuted_by_the_first_such_world(
    formula: str, parameters: dict[str, int]
) -> None:
    found = claim(FREE, formula)
    shown = found.verdict.counterexample

    assert found.verdict.word == "refuted" and found.verdict.evidence == "run(1)"
    assert not found.as_stated
    assert shown is not None and shown.smallest and dict(shown.parameters) == parameters


def test_prove_is_as_stated_where_it_is_proved_and_refute_where_it_is_refuted() -> None:
    true, false = "count(l.omitted) < l.ranks * l.batch", "l.omitted == {}"

    assert claim(FREE, true).as_stated and not claim(FREE, true, "refute").as_stated
    assert claim(FREE, false, "refute").as_stated and not claim(FREE, false).as_stated
    assert claim(FREE, true, "refute").verdict.word == "proved"
    assert claim(FREE, false, "refute").verdict.word == "refuted"


@pytest.mark.parametrize(("blocks", "given"), [
    (FREE, "d.size < 1"),
    (FREE, "d.size < 4 and l.ranks > 3 and d.size > l.ranks"),
    (FREE, "l.occurrences == 5 and l.occurrences == 6"),
    (FREE, "l.padding >= l.ranks"),
    (FIXED, "l.occurrences == 13"),
    (FEW, "d.size == 2 and l.occurrences == 5"),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["prove", "refute"])
def test_premises_that_contradict_each_other_make_a_claim_vacuous(blocks: str, given: str, kind: str) -> None:
    found = claim(blocks, f"l.omitted == {{}} given {given}", kind)

    assert found.verdict.word == "vacuous"
    assert "premises" in found.verdict.reason
    assert not found.as_stated


def test_premises_that_only_meet_far_away_are_not_vacuous() -> None:
    assert claim(FREE, "l.steps >= 0 given d.size >= 10_000_000").verdict.word == "proved"
    assert claim(FREE, "l.steps >= 1 given d.size >= 1_000_000 and l.ranks == 1").verdict.word == "refuted"


def test_an_assumption_joins_every_premise() -> None:
    alone = claim(FREE, "l.multiplicity <= 2")
    together = claim(FREE, "l.multiplicity <= 2", assume="d.size >= l.ranks")

    assert alone.verdict.word == "refuted"
    assert together.verdict.word == "proved"
    assert "given" in together.assumptions and "given" not in alone.assumptions


def test_assumption_and_premise_contradict_each_other_too() -> None:
    assert claim(FREE, "l.steps >= 0 given d.size < 5", assume="d.size > 5").verdict.word == "vacuous"
    assert claim(FREE, "l.steps >= 0 given d.size > 5", assume="d.size > 5").verdict.word == "proved"


def test_an_assumption_joins_the_premises_of_all_claims() -> None:
    claims = 'prove "a" : d.size <= 3\nprove "b" : d.size < 5 given l.ranks == 2\n'
    text = f'{FREE}assume "few" : d.size <= 3\n{claims}'

    assert [each.verdict.word for each in epochproof.check(text).claims] == ["proved", "proved"]


@pytest.mark.parametrize(("blocks", "formula", "reason"), [
    (FREE, "not (l.ranks * l.batch == 1_000_003 and l.ranks > 1 and l.batch > 1)", "ran out of resources"),
    (FREE.replace("1..", "1_000_000_000..", 1), "l.omitted == {}", "too many records"),
])  # fmt: skip
def test_what_is_not_decided_is_unknown_and_says_what_was_tried(
    blocks: str, formula: str, reason: str
) -> None:
    found = claim(blocks, formula)

    assert found.verdict.word == "unknown" and not found.as_stated
    assert reason in found.verdict.reason
    assert found.verdict.reason.endswith(" small worlds do not break the claim") == (blocks == FREE)
    assert found.verdict.counterexample is None and found.verdict.evidence == ""


def test_every_world_of_a_finite_domain_is_run_where_no_rule_decides() -> None:
    blocks = FEW.replace("shard(ranks, tail = drop)", "shard(ranks)\n  shard(ranks, layout = blocked)")
    found = claim(blocks, "l.padding(rank) <= 6")

    assert found.verdict.word == "proved"
    assert found.verdict.evidence in ("exhausted(36)", "solver")


def test_open_orders_are_never_exhausted() -> None:
    blocks = FIXED.replace("shard(ranks", "shuffle(seed = any)\n  shard(ranks", 1)
    found = claim(blocks, "l.omitted == {9} or l.omitted != {9}")

    assert not found.verdict.evidence.startswith("exhausted")


def test_a_counterexample_names_the_rank_and_the_epoch_only_where_the_claim_is_about_one() -> None:
    rank = claim(FREE.replace("= pad", "= uneven"), "l.steps >= 1").verdict.counterexample
    size = claim(FREE, "d.size != 7").verdict.counterexample

    assert rank is not None and rank.rank == 0 and rank.epoch is not None
    assert size is not None and size.rank is None and size.epoch is None


def test_a_seed_is_shown_only_where_the_order_matters() -> None:
    counted = claim(FREE, "l.omitted == {}").verdict.counterexample
    named = claim(FREE, "l.omitted == {0}").verdict.counterexample

    assert counted is not None and "l.seed" not in counted.parameters
    assert named is not None and "l.seed" in named.parameters
