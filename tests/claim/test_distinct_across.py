"""`distinct across` holds exactly where no two samples apart can draw the same random numbers."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from epochproof.diagnostics import SpecError
from tests.claim.agreement import differences, proofs, verdicts
from tests.claim.drawing import Drawing, distinct, spec

AXES = ("ranks", "workers", "epochs")
SEEDS = ("same", "distinct", "independent")
CLAIMS = [f"l.augmentation distinct across {axis}" for axis in AXES]
FREE = ("size in 0..", "ranks in 1..", "workers in {workers}", "in 1..", "epochs in 1..")
KINDS = [
    Drawing(0, 1, 1, 0, seed, stream, persistent=persistent, iterable=iterable)
    for seed, stream, (persistent, iterable) in product(
        SEEDS, ("worker", "record"), ((False, False), (True, False), (False, True))
    )
]


def small(kind: Drawing, workers: range) -> list[Drawing]:
    return [
        Drawing(
            size, ranks, of, of_rank, kind.process_seed, kind.stream, epochs, kind.persistent, kind.iterable
        )
        for size, ranks, of, of_rank, epochs in product((0, 3, 5), (1, 2, 3), (1, 2), workers, (1, 2))
    ]


def test_verdicts_agree_with_lists() -> None:
    pick, wrong = Random("distinct across"), []  # noqa: S311 -- a seeded choice
    for kind in KINDS:
        for run in pick.sample(small(kind, range(4)), 5):
            wrong += differences(run.text(*CLAIMS), [distinct(run, axis) for axis in AXES])

    assert wrong == []


@pytest.mark.parametrize(
    ("kinds", "workers"), [(KINDS[::2], range(4)), (KINDS[1::4], range(1, 4)), (KINDS, range(1, 2))]
)
def test_what_the_rules_prove_is_true_in_every_small_world_and_all_else_is_false_in_one(
    kinds: list[Drawing], workers: range
) -> None:
    written, wrong = f"{workers.start}..{'' if workers.stop > 2 else 1}", []
    for kind in kinds:
        axes = AXES[:2] if kind.persistent else AXES
        text = spec([each.format(workers=written) for each in FREE], kind, *CLAIMS[: len(axes)])
        proved = proofs(text)
        held = [all(distinct(run, axis) for run in small(kind, workers)) for axis in axes]
        wrong += [f"{kind} {proved} {held}"] if proved != held else []

    assert wrong == []


def test_streams_of_persistent_workers_go_on_in_the_next_epoch() -> None:
    one, two = (Drawing(5, 1, 2, 2, "same", epochs=2, persistent=persistent) for persistent in (True, False))
    texts = [run.text(CLAIMS[2]) for run in (one, two)]

    assert [distinct(run, "epochs") for run in (one, two)] == [True, False]
    assert [verdicts(text) for text in texts] == [["proved"], ["refuted"]]


def test_base_and_worker_id_collide_across_ranks_unless_there_is_one_worker() -> None:
    run = Drawing(4, 2, 1, 2, "distinct")
    text = run.text(CLAIMS[0], workers="workers in 1..")

    assert [distinct(run, "ranks"), distinct(Drawing(4, 2, 1, 1, "distinct"), "ranks")] == [False, True]
    assert verdicts(text) == ["refuted"]
    assert verdicts(text.replace("in 1..", "= 1")) == ["proved"]


def test_only_augmentation_is_distinct_across_ranks_workers_or_epochs() -> None:
    run = Drawing(4, 2, 1, 2)
    with pytest.raises(SpecError, match="only `augmentation`"):
        proofs(run.text("l.order distinct across ranks"))
    with pytest.raises(SpecError, match="nothing is `distinct across rank`"):
        proofs(run.text("l.augmentation distinct across rank"))
