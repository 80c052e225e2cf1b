"""Faults of meaning are told in the words of the user, each with its cure."""

from __future__ import annotations

import pytest

import epochproof

DATASET = "dataset images { size in 1..100 }"
STAGES = "ranks in 1..4  shuffle(seed = any)  shard(ranks)  batch(in 1..4)  fetch(2)"
FAULTS_OF_BLOCKS = [
    ("rank = 4", "a loader has no setting `rank`", "did you mean `ranks`?"),
    ("shrad(ranks)", "unknown stage `shrad`", "did you mean `shard`?"),
    ("batch(4, tial = drop)", "`batch` has no option `tial`", "did you mean `tail`?"),
    ("batch(4, drop, 5)", "`batch` takes no further argument", "options are n, tail"),
    ("batch(4, n = 5)", "`n` is given twice", "delete one of the two"),
    ("shard(ranks, tail in {pad, drop})", "`tail` cannot be left free", "name one of pad, drop, uneven"),
    ("shard(in ranks)", "`lanes` cannot be left free", "write `ranks`"),
    ("shard(ranks, tail = 3)", "`tail` takes a word", "name one of pad, drop, uneven"),
    ("ranks = 0", "`ranks` must be at least 1, and is 0 here", "write 1 or more"),
    ("ranks in 0..4", "`train.ranks` must be at least 1, and can be 0 here", "begin the domain at 1"),
    (
        "batch(images.size - 3)",
        "`n` must be at least 1, and can be -2 here",
        "write `max(…, 1)`, or narrow a domain",
    ),
    ("batch(8 // workers)", "this divisor can be zero", "write `max(…, 1)`, or narrow a domain"),
    ("batch(worker)", "unknown name `worker`", "did you mean `workers`?"),
    ("batch(xyz)", "unknown name `xyz`", "known here are images.size, ranks, workers, epochs, start_epoch"),
    ("batch(count(4))", "unknown function `count`", "functions are min, max, abs, and `ceil(a / b)`"),
    ("batch(abs(1, 2))", "`abs` takes one number", "write `min(a, b)`, `max(a, b)` or `abs(a - b)`"),
    ("batch(max(n = 3))", "`max` takes one number or more", "write `min(a, b)`, `max(a, b)` or `abs(a - b)`"),
    ("batch()", "`batch` needs a value for `n`", "write `batch(4)`, or `batch(in 1..64)` to leave it free"),
    ("shard()", "`shard` needs to know whom it deals to", "write `shard(ranks)`"),
    (
        "batch(4)\nshuffle()",
        "`shuffle` makes no sense here: records were put into batches above",
        "move `shuffle` further up",
    ),
    ("draw(-1)", "`n` must be at least 0, and is -1 here", "write 0 or more"),
    ("draw(weight = w)", "`draw` has no option `weight`", "did you mean `weights`?"),
    (
        "draw(8, weights = size)",
        "`images.size` is a number of the dataset, not a column",
        "name the column otherwise",
    ),
    (
        "draw(8, weights = 3)",
        "`weights` takes a word",
        "write `uniform`, or the name of a column of the dataset",
    ),
    (
        "draw(weights in w)",
        "`weights` takes a word",
        "write `uniform`, or the name of a column of the dataset",
    ),
    (
        "draw(8, replacement = false, weights = w)",
        "`draw` makes no sense here: torch gives records of weight 0, too, once the others are used up",
        "write `replacement = true`, or leave `weights` out",
    ),
    (
        "batch(4)\ndraw(8)",
        "`draw` makes no sense here: records were put into batches above",
        "move `draw` further up",
    ),
    ("ranks in 4..1", "the range `4..1` is empty", "put the smaller end first"),
    (
        "ranks in 1..images.size",
        "a domain is written with fixed numbers",
        "write a number here; how free values relate is a premise, after `given` or `assume`",
    ),
    ("ranks = 1..4", "a number is needed here", "leave a value free with `in`"),
    ("ranks in 8", "`in` takes a range or a set", "write `in 1..64`, `in 1..`, `in {0, 2}`, or `= value`"),
]
FAULTS_OF_CLAIMS = [
    ("trian.omitted == {}", "unknown name `trian.omitted`", "did you mean `train`?"),
    ("train.omited(run) == {}", "loader `train` has no `omited`", "did you mean `omitted`?"),
    ("train == 3", "`train` is a loader, not a value", "name something that it has, as in `train.steps`"),
    ("train.batch(run) == 3", "`train.batch` has no windows", "write `train.batch` alone"),
    ("train.order(run) equal train.order", "unknown window `run`", "it has no windows"),
    ("train.omitted(3) == {}", "a window is a word", "windows are `run`, `rank`"),
    (
        "expected(train.distinct) <= 3",
        "`expected` is about `draw`, and `train` has none",
        "write `draw(…)` in `train`, or leave the claim out",
    ),
    (
        "expected(train.steps) <= 3",
        "`expected` does not know this",
        "write `count(train.omitted)`, `count(train.covered)` or `train.distinct`",
    ),
    (
        "probability(train.steps == 1) <= 0.5",
        "`probability` does not know this",
        "write `train.omitted == {}`, or compare `count(train.omitted)` or `train.distinct` with a number",
    ),
    (
        "max(1, probability(train.omitted == {})) <= 3",
        "`probability` stands on one side of a comparison",
        "write `probability(…) <= 0.5`, or the like; only `+`, `-` and `*` may join it",
    ),
    ("train.steps", "a condition is needed here", "compare it with something"),
    ("train.omitted + 1 == 2", "a number is needed here", "write `count(…)` for the size of a set"),
    (
        "train.order == train.order",
        "`==` compares two numbers or two sets",
        "compare orders and batches of two loaders by `equal`",
    ),
    ('train.steps == "ten"', "a text means nothing in a formula", "write a number or a set"),
    (
        "count(1..3) == 1",
        "a range means nothing in a formula",
        "compare with both ends, as in `1 <= x and x <= 64`",
    ),
    (
        "count(train.steps) == 1",
        "`count` takes one set",
        "write `count(train.omitted)`, or the like for another set",
    ),
    (
        "sum(train.omitted) == 1",
        "unknown function `sum`",
        "functions are min, max, abs, count, and `ceil(a / b)`",
    ),
    ("min(a = 3) == 3", "`min` takes one number or more", "write `min(a, b)`, `max(a, b)` or `abs(a - b)`"),
    (
        "images.size equal across ranks",
        "this is the same on every rank by itself",
        "compare something that a loader has, as in `train.steps equal across ranks`",
    ),
    (
        "train.order equal across ranks",
        "only numbers and sets can be `equal across ranks`",
        "compare `steps`, or a set over the window `rank`, as in `train.covered(rank)`",
    ),
    (
        "images.size unaffected by ranks",
        "`unaffected by` takes a number, a set or an order of one loader",
        "name something that a loader has, and make one claim for each loader",
    ),
    (
        "train.order unaffected by fetch",
        "`train.fetch` is fixed at 2, so nothing can be affected by it",
        "leave it free with `in`",
    ),
    ("train.order unaffected by sede", "unknown free value `sede`", "did you mean `seed`?"),
]


def faults(text: str) -> list[tuple[str, str]]:
    """The messages of a spec, each with its help."""
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(f"edition 1\n{text}")
    return [(each.message, each.help) for each in raised.value.diagnostics]


@pytest.mark.parametrize(("entries", "message", "cure"), FAULTS_OF_BLOCKS)
def test_fault_of_a_block_is_told_with_its_cure(entries: str, message: str, cure: str) -> None:
    assert faults(f"{DATASET}\nloader train over images {{\n{entries}\n}}") == [(message, cure)]


@pytest.mark.parametrize(("formula", "message", "cure"), FAULTS_OF_CLAIMS)
def test_fault_of_a_claim_is_told_with_its_cure(formula: str, message: str, cure: str) -> None:
    loader = f"{DATASET}\nloader train over images {{ {STAGES} }}"

    assert faults(f'{loader}\nprove "it" : {formula}') == [(message, cure)]


def test_value_made_of_others_is_not_free_by_itself() -> None:
    loader = "loader train over images { batch(images.size // 2 + 1) }"

    assert faults(f'{DATASET}\n{loader}\nprove "it" : train.order unaffected by batch') == [
        ("`train.batch` is not free by itself", "name what it is made of: images.size")
    ]


def test_dataset_below_its_loader_is_found() -> None:
    assert faults(f"loader train over images {{ batch(4) }}\n{DATASET}") == [
        ("dataset `images` is declared below its loader", "move the dataset above the loader")
    ]


def test_wrong_dataset_is_told_once() -> None:
    assert faults("dataset images { }\nloader train over images { batch(4) }") == [
        (
            "dataset `images` has no size",
            "write `size = 10`, `size in 1..` for every size, or `files` and `rows`",
        )
    ]
