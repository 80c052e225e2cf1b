"""Augmentation is the random stream of each sample, and how much was drawn from it before."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from epochproof.diagnostics import SpecError
from tests.claim.agreement import differences, proofs, verdicts
from tests.claim.drawing import Drawing, sequence, spec

SEEDS = ("same", "distinct", "independent")


def test_verdicts_on_two_worker_counts_agree_with_lists() -> None:
    wrong = []
    for size, seed, stream in product((0, 2, 5), SEEDS, ("worker", "record")):
        for few, more in combinations(range(4), 2):
            run = Drawing(size, 2, 2, few, seed, stream)
            same = sequence(run) == sequence(replace(run, workers=more))
            text = run.text("l.augmentation unaffected by workers", workers=f"workers in {{{few}, {more}}}")
            wrong += differences(text, [same])

    assert wrong == []


def test_accumulated_steps_leave_the_workers_their_batches() -> None:
    wrong = []
    for size, few, more in ((8, 1, 2), (8, 2, 4), (3, 2, 3), (12, 2, 3)):
        run = Drawing(size, 1, 2, few, accumulated=2)
        same = sequence(run) == sequence(replace(run, workers=more))
        text = run.text("l.augmentation unaffected by workers", workers=f"workers in {{{few}, {more}}}")
        wrong += differences(text, [same])

    assert wrong == []


@pytest.mark.parametrize(("iterable", "workers"), [(False, 3), (True, 0), (True, 3)])
def test_a_loader_draws_what_it_draws(iterable: bool, workers: int) -> None:  # noqa: FBT001 -- a case
    run = Drawing(5, 2, 2, workers, iterable=iterable)

    assert verdicts(run.text("l.augmentation equal l.augmentation")) == ["proved"]


FREE = ("size in 0..", "ranks in 1..", "workers in 0..", "in 1..", "epochs in 1..")


def test_a_stream_of_the_record_is_free_of_workers() -> None:
    by_record, by_worker = (
        spec(FREE, Drawing(0, 1, 1, 0, stream=stream), "l.augmentation unaffected by workers")
        for stream in ("record", "worker")
    )

    assert [proofs(by_record), proofs(by_worker)] == [[True], [False]]
    assert [verdicts(by_record), verdicts(by_worker)] == [["proved"], ["refuted"]]


def test_without_augment_nothing_is_drawn() -> None:
    text = "edition 1\ndataset d { size in 1.. }\nloader l over d { workers in 0..\nfetch(workers) }\n"

    with pytest.raises(SpecError, match="`augmentation` is about `augment`, and `l` has none"):
        proofs(text + 'prove "" : l.augmentation unaffected by workers\n')
