"""A change is classified as what it does, by proofs for all values and by the smallest case."""

from __future__ import annotations

from itertools import product

import pytest

from epochproof.prove.change import Change, changes
from epochproof.prove.session import load
from tests.worlds import SHARDS, World, batch, counts

BASE = """edition 1
dataset d { size in 1.. }
loader l over d {
  ranks = 8
  workers in 0..8
  shuffle(seed = 17, reseed = epoch)
  shard(ranks, tail = drop)
  batch(32, tail = drop)
  fetch(workers)
}
"""
SMALL = """edition 1
dataset d { size in 1.. }
loader l over d {
  ranks in 1..
  shard(ranks, tail = drop)
  batch(2, tail = drop)
}
"""


def change(old: str, new: str) -> Change:
    """What changed in the one loader."""
    (found,) = changes(load(old), load(new))
    return found


def edited(text: str, *edits: tuple[str, str]) -> Change:
    """What changed from the text to the text with these edits."""
    new = text
    for old_part, new_part in edits:
        assert old_part in new
        new = new.replace(old_part, new_part)
    return change(text, new)


@pytest.mark.parametrize(
    "edits",
    [
        [("  ranks = 8\n", "\n  ranks   = 8  # as before\n")],
        [(", reseed = epoch", "")],
        [("fetch(workers)", "fetch(workers, prefetch = 4)")],
        [("workers in 0..8", "workers = 3")],
        [("fetch(workers)", "")],
        [("fetch(workers)", "fetch(workers)\n  resume(position = consumed)")],
        [("}\n", '}\nprove "none twice" : l.repeated == {}\n')],
    ],
)
def test_these_change_nothing(edits: list[tuple[str, str]]) -> None:
    found = edited(BASE, *edits)

    assert (found.kind, found.decided) == ("identical", True)


def test_twice_the_ranks_at_half_the_batch_change_the_order_and_nothing_else() -> None:
    found = edited(BASE, ("ranks = 8", "ranks = 16"), ("batch(32", "batch(16"))

    assert found.kind == "order-only"
    assert found.records and found.records.evidence == "solver"
    assert found.moved and (found.moved.rank, found.moved.step, found.moved.slot) == (0, 0, 1)


def test_another_seed_changes_the_order_and_where_a_tail_is_dropped_the_records() -> None:
    kept = BASE.replace("tail = drop", "tail = keep").replace(
        "tail = keep)\n  batch", "tail = uneven)\n  batch"
    )

    assert edited(kept, ("seed = 17", "seed = 18")).kind == "order-only"
    assert edited(BASE, ("seed = 17", "seed = 18")).kind == "population-changing"


def test_padding_in_place_of_dropping_reads_a_record_more_or_one_twice() -> None:
    found = edited(SMALL.replace("  batch(2, tail = drop)\n", ""), ("tail = drop", "tail = pad"))

    assert found.kind == "population-changing"
    assert found.records and found.records.counterexample
    assert found.records.counterexample.parameters == {"d.size": 1, "l.ranks": 2}
    assert found.counts and found.counts.times == {0: (0, 2)}


def test_the_smallest_case_may_be_far() -> None:
    found = edited(BASE, ("shard(ranks, tail = drop)", "shard(ranks, tail = pad)"))

    assert found.records and found.records.counterexample and found.counts
    assert found.records.counterexample.parameters["d.size"] == 249
    assert (len(found.counts.come), len(found.counts.times)) == (249, 249)


@pytest.mark.parametrize(
    ("edits", "goes_on"),
    [
        ([("batch(2, tail = drop)", "batch(2)")], "proved"),
        (
            [("batch(2, tail = drop)", "batch(2, tail = drop)\n  fetch(3)\n  augment(stream = record)")],
            "proved",
        ),
        ([("batch(2", "batch(3")], "refuted"),
    ],
)
def test_a_checkpoint_goes_on_where_ranks_and_batches_stay(
    edits: list[tuple[str, str]], goes_on: str
) -> None:
    found = edited(SMALL, *edits)

    assert found.resume and found.resume.word == goes_on


def test_other_ranks_lose_and_repeat_unless_the_count_is_global() -> None:
    wide = (("ranks = 8", "ranks = 16"), ("batch(32", "batch(16"))
    per_rank = edited(BASE, *wide)
    shared = edited(BASE, *wide, ("fetch(workers)", "fetch(workers)\n  resume(counter = global)"))

    assert per_rank.resume and shared.resume
    assert [per_rank.resume.word, shared.resume.word] == ["refuted", "proved"]
    assert per_rank.resume.counterexample and per_rank.handed_over
    assert per_rank.resume.counterexample.parameters == {"d.size": 512, "after": 1}
    assert (len(per_rank.handed_over.gone), len(per_rank.handed_over.more)) == (256, 0)


def test_a_resume_that_loses_is_a_change_where_the_records_stay() -> None:
    found = edited(BASE, ("fetch(workers)", "fetch(workers)\n  resume(position = fetched)"))

    assert found.kind == "resume-incompatible"
    assert found.order and found.order.word == "proved"
    assert found.handed_over and found.handed_over.gone and not found.handed_over.more


def test_workers_change_what_is_drawn_and_not_what_is_read() -> None:
    drawing = BASE.replace("fetch(workers)", "fetch(4)\n  augment(stream = worker)")
    found = edited(drawing, ("fetch(4)", "fetch(2)"))
    by_record = edited(drawing.replace("stream = worker", "stream = record"), ("fetch(4)", "fetch(2)"))

    assert (found.kind, found.order and found.order.word, found.draws and found.draws.word) == (
        "order-only", "proved", "refuted",
    )  # fmt: skip
    assert by_record.kind == "identical"


def test_numbers_that_only_one_spec_draws_are_not_compared() -> None:
    found = edited(BASE, ("fetch(workers)", "fetch(workers)\n  augment(stream = worker)"))

    assert (found.kind, found.decided) == ("order-only", False)


def test_iterable_loaders_are_themselves_and_else_run() -> None:
    stream = "edition 1\ndataset d { size in 0.. }\nloader l over d {\n  style = iterable\n  workers in 0..\n"
    stream += "  shard(workers)\n  batch(in 1..)\n}\n"

    assert edited(stream, ("style = iterable", "style = iterable  # as before")).kind == "identical"
    assert edited(stream, ("shard(workers)", "copy(workers)")).kind == "population-changing"


def test_loaders_come_and_go() -> None:
    other = BASE.replace("loader l", "loader m")
    found = changes(load(BASE), load(other))

    assert [(each.loader, each.kind, each.decided) for each in found] == [
        ("m", "added", True), ("l", "removed", True),
    ]  # fmt: skip


def test_another_dataset_or_another_number_of_epochs_is_another_population() -> None:
    renamed = edited(BASE, ("dataset d ", "dataset e "), ("over d ", "over e "))
    longer = edited(BASE, ("ranks = 8", "ranks = 8\n  epochs = 3"))
    larger = edited(BASE.replace("in 1..", "= 512"), ("size = 512", "size = 513"))

    assert [each.kind for each in (renamed, longer, larger)] == ["population-changing"] * 3
    assert renamed.reason == "it reads dataset `e` in place of `d`"
    assert longer.reason == "it runs 3 epochs in place of 1"


def test_free_values_are_the_same_in_both_specs_or_it_is_left_open() -> None:
    found = edited(SMALL, ("ranks in 1..", "ranks in 1..4"), ("size in 1..", "size = 100"))
    fixed = edited(SMALL.replace("in 1..\n  shard", "in 1..4\n  shard"), ("ranks in 1..4", "ranks = 8"))
    apart = change(
        SMALL.replace("in 1..\n  shard", "in 1..4\n  shard"),
        SMALL.replace("in 1..\n  shard", "in 8..16\n  shard"),
    )

    assert found.kind == "identical"
    assert (apart.kind, apart.reason) == ("unknown", "no value of `l.ranks` is allowed by both specs")
    assert (fixed.kind, fixed.reason) == (apart.kind, apart.reason)


def test_changes_of_fixed_worlds_agree_with_lists() -> None:
    wrong = []
    for size, one, other in product((0, 3, 4, 6), SHARDS[::2], SHARDS):
        worlds = [World(size, 2, (dealt, batch(2))) for dealt in (one, other)]
        orders = [
            [
                (rank, *at)
                for rank, lane in enumerate(world.epoch(0))
                for at in zip(lane.step, lane.records, strict=True)
            ]
            for world in worlds
        ]
        read = [counts(world.epoch(0)) for world in worlds]
        kind = (
            "identical"
            if orders[0] == orders[1]
            else "order-only"
            if read[0] == read[1]
            else "population-changing"
        )
        found = change(*(world.text() for world in worlds))
        wrong += [] if found.kind == kind else [f"{worlds} {found.kind} {kind}"]
        if found.counts:
            told = {
                each: (read[0][each], read[1][each]) for each in range(size) if read[0][each] != read[1][each]
            }
            wrong += [] if found.counts.times == told else [f"{worlds} {found.counts} {told}"]

    assert wrong == []


CLIPS = """edition 1
dataset videos { size in 5.. }
dataset clips from videos { window = 64 stride = 32 }
split s of clips by clips { train = 0.8, val = 0.2 }
loader l over s.train { batch(4) }
"""


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (("stride = 32", "stride = 64"), "`clips` is made otherwise"),
        (("train = 0.8, val = 0.2", "train = 0.6, val = 0.4"), "`s.train` is made otherwise"),
        (("by clips", "by videos"), "`s.train` is made otherwise"),
        (("size in 5..", "size in 5.., length = 300"), "`videos` is made otherwise"),
        (("size in 5..", 'manifest = "a.csv", lengths = frames'), "`videos` is made otherwise"),
    ],
)
def test_population_that_is_made_otherwise_is_another_one(edit: tuple[str, str], reason: str) -> None:
    found = edited(CLIPS, edit)

    assert (found.kind, found.reason) == ("population-changing", reason)


def test_population_that_is_made_alike_is_the_same() -> None:
    assert edited(CLIPS, ("batch(4)", "batch(4, tail = keep)")).kind == "identical"
    assert change(CLIPS.replace("window = 64", "window in 1..,"), CLIPS).kind == "identical"


MIXED = """edition 1
dataset web { size = 100 }
dataset code { size = 30 }
mix m { web = 3, code = 1 }
loader l over m { batch(4) }
"""


@pytest.mark.parametrize(
    ("edit", "kind", "reason"),
    [
        (("web = 3", "web = 2"), "population-changing", ""),
        (("size = 30", "size = 31"), "population-changing", "`code` of its mix has another size"),
        (("web = 3, code = 1", "web = 6, code = 2, pick = greedy"), "population-changing", ""),
        (("web = 3, code = 1", "web = 3.0, code = 1"), "identical", ""),
        (
            ("web = 3, code = 1", "code = 1, web = 3"),
            "population-changing",
            "it draws from `code`, `web` in place of `web`, `code`",
        ),
        (("over m", "over web"), "population-changing", "it reads dataset `web` in place of `m`"),
    ],
)
def test_changed_mix_is_told_by_what_it_draws(edit: tuple[str, str], kind: str, reason: str) -> None:
    found = edited(MIXED, edit)

    assert (found.kind, found.reason) == (kind, reason)
