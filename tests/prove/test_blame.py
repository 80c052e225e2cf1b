"""A counterexample names the line at fault."""

from __future__ import annotations

import pytest

import epochproof
from epochproof.prove.verdict import Blame


def blamed(stages: str, formula: str, settings: str = "ranks = 2", size: str = "= 5") -> tuple[Blame, str]:
    """The blame for the refuted formula, and the line that it points at."""
    text = f"edition 1\ndataset d {{ size {size} }}\nloader l over d {{\n  {settings}\n{stages}\n}}\n"
    checked = epochproof.check(f'{text}prove "it" : {formula}\n')
    found = checked.claims[0].verdict.counterexample
    assert found is not None and found.blame is not None
    line, _ = checked.source.position(found.blame.span.start)
    return found.blame, checked.source.line(line).strip()


LOST, AGAIN = "record {} is lost here", "record {} is read again from here on"
LAST_STAGE = [
    ("shard(ranks, tail = drop)", "l.omitted == {}", LOST.format(4)),
    ("shard(ranks)\nbatch(2, tail = drop)", "l.omitted == {}", LOST.format(4)),
    ("shard(ranks)\nshard(ranks, layout = blocked)", "l.omitted == {}", LOST.format(3)),
    ("shard(ranks)\nbatch(2)\nstop(steps = 1)", "l.omitted == {}", LOST.format(4)),
    ("shard(ranks)\nbatch(2)\naccumulate(3, tail = drop)", "l.omitted == {}", LOST.format(0)),
    ("shard(ranks)", "l.multiplicity <= 1", AGAIN.format(0)),
    ("shard(ranks, tail = drop)\nbatch(3, tail = pad)", "l.multiplicity <= 1", AGAIN.format(0)),
    ("shuffle(seed = 3)\nshard(ranks, tail = drop)", "l.distinct == 5", "drops 1 occurrences here"),
    ("shard(ranks)\nbatch(4, tail = pad)", "l.occurrences == 5", "adds 2 occurrences here"),
    (
        "shard(ranks, tail = uneven)",
        "l.steps equal across ranks",
        "the ranks have different lengths from here on: rank 1 has no step 2",
    ),
]


@pytest.mark.parametrize("below", ["", "\nfetch(2)"])
@pytest.mark.parametrize(("stages", "formula", "text"), LAST_STAGE)
def test_the_first_stage_after_which_it_is_wrong_is_blamed(
    stages: str, formula: str, text: str, below: str
) -> None:
    found, line = blamed(stages + below, formula)

    assert (line, found.text) == (stages.splitlines()[-1], text)
    assert line.startswith(found.stage)


def test_the_second_of_two_equal_shards_lost_the_record() -> None:
    blocks = "edition 1\ndataset d { size = 8 }\nloader l over d {\n  ranks = 2\n"
    text = f'{blocks}  shard(ranks)\n  shard(ranks)\n}}\nprove "it" : l.omitted == {{}}\n'
    checked = epochproof.check(text)
    found = checked.claims[0].verdict.counterexample

    assert found is not None and found.blame is not None
    assert checked.source.position(found.blame.span.start)[0] == 6


MASK, SHARE = "weigh(padding = 0)", "weigh(by = inverse_multiplicity)"
WEIGHED = [
    (f"shard(ranks)\nbatch(2)\n{MASK}", "l.weight == 2", MASK, "decided here"),
    (f"shard(ranks)\nbatch(2)\n{MASK}", "l.weight == l.multiplicity", "shard(ranks)", AGAIN.format(0)),
    (
        f"shard(ranks)\nbatch(2, tail = drop)\n{MASK}",
        "l.weight == 1",
        "batch(2, tail = drop)",
        LOST.format(4),
    ),
    (f"shard(ranks, tail = drop)\n{SHARE}", "l.weight == 1", "shard(ranks, tail = drop)", LOST.format(4)),
    (f"shard(ranks)\n{SHARE}", "l.weight == 0", "shard(ranks)", AGAIN.format(0)),
    (f"shard(ranks, tail = uneven)\n{SHARE}", "l.weight == 0", SHARE, "decided here"),
    ("shard(ranks)\nbatch(2)", "l.weight == 1", "shard(ranks)", AGAIN.format(0)),
    (f"batch(4, tail = pad)\n{MASK}", "l.weight == 1", "loader l over d {", "no stage deals `ranks`, so"),
]


@pytest.mark.parametrize(("stages", "formula", "line", "text"), WEIGHED)
def test_a_weight_is_blamed_on_what_is_weighed_or_on_the_weighing(
    stages: str, formula: str, line: str, text: str
) -> None:
    found, blamed_line = blamed(stages, formula)

    assert blamed_line == line
    assert found.text.startswith(text)


def test_a_record_of_which_only_padding_is_left_is_lost() -> None:
    dealt = f"shard(ranks, layout = blocked)\nbatch(2, tail = drop)\n{MASK}"
    found, line = blamed(dealt, "l.weight == 1 given l.multiplicity >= 1", settings="ranks = 5", size="= 11")

    assert (line, found.text) == ("batch(2, tail = drop)", f"{LOST.format(2)}, but for padding")


@pytest.mark.parametrize("stages", ["batch(2)", "shuffle(seed = 1)\nbatch(2)"])
def test_where_nobody_deals_the_header_of_the_loader_is_blamed(stages: str) -> None:
    found, line = blamed(stages, "l.multiplicity <= 1", settings="ranks = 3")

    assert (found.stage, line) == ("loader", "loader l over d {")
    assert "no stage deals `ranks`" in found.text


def test_padding_of_an_undealt_loader_is_blamed_on_the_stage_that_pads() -> None:
    found, _ = blamed("batch(2, tail = pad)", "l.multiplicity <= 3", settings="ranks = 3", size="= 3")

    assert (found.stage, found.text) == ("batch", "record 0 is read again from here on")


def test_a_parameter_that_the_claim_does_not_need_is_no_obstacle() -> None:
    found, line = blamed(
        "shard(ranks, tail = drop)\nbatch(in 1.., tail = keep)\nbatch(3, tail = keep)", "l.omitted == {}"
    )

    assert (found.stage, line) == ("shard", "shard(ranks, tail = drop)")


def test_a_world_of_more_ranks_than_records_is_blamed() -> None:
    found, _ = blamed(
        "shard(ranks, layout = blocked, tail = drop)", "l.omitted == {}", settings="ranks = 5000"
    )

    assert (found.stage, found.text) == ("shard", "record 0 is lost here")


def test_a_thousand_ranks_and_a_hundred_thousand_records_are_blamed_at_once() -> None:
    found, _ = blamed(
        "shuffle(seed = 3)\nshard(ranks)\nbatch(1000, tail = drop)",
        "l.occurrences >= 1",
        settings="ranks = 1000",
        size="= 100_000",
    )

    assert (found.stage, found.text.replace("_", "")) == ("batch", "drops 100000 occurrences here")
