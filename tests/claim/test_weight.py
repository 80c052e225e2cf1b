"""A record weighs what its delivered occurrences weigh together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from epochproof.claim import _weighing
from epochproof.claim._laps import delivered
from epochproof.claim._question import View
from epochproof.schedule.plan import Plan
from epochproof.term.node import FALSE, Int, choose, number
from tests.claim.agreement import FREE, WINDOWS, differences, proofs, sample, verdicts
from tests.claim.ruled import PIPELINES, untrue
from tests.claim.weighed import FORMS, compared, weighed
from tests.worlds import World, Written, batch, chunks, shard

TWICE = [
    World(size, ranks, (shard(), batch(of, "pad"), *below), 2)
    for size, ranks, of in product((0, 1, 2, 5), (1, 2, 3), (1, 3))
    for below in ((), (Written("stop", options={"steps": 1}),))
]
"""Two stages that pad, and perhaps one that cuts what they added."""


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("form", FORMS)
def test_verdicts_agree_with_lists(form: str, window: str) -> None:
    wrong = []
    for world in [*sample(f"weight {form} {window}", 9), *TWICE[:: 8 if window else 4]]:
        here = weighed(world, FORMS[form])
        claims, held = compared(here, window)
        wrong += differences(here.text(*claims), held)

    assert wrong == []


PADDED = "shuffle(seed = any)\nshard(ranks, tail = pad)\nbatch(in 1.., tail = pad)"


@pytest.mark.parametrize("how", ["padding = 0", "by = inverse_multiplicity"])
def test_padded_ranks_weigh_each_record_once(how: str) -> None:
    stages = f"{PADDED}\nweigh({how})"
    one = FREE.format(stages=stages, claim="l.weight == 1")
    every = FREE.format(stages=stages, claim="l.weight(run) == l.epochs")
    alike = FREE.format(stages=stages, claim="l.weight unaffected by ranks, batch")
    zero = FREE.format(stages=f"{PADDED}\nbatch(3, tail = drop)\nweigh({how})", claim="l.weight <= 1")

    assert [proofs(text) for text in (one, every, alike, zero)] == [[True]] * 4


def test_without_a_mask_padding_weighs_as_much_as_anything() -> None:
    padded = "shard(ranks, tail = pad)\nbatch(in 1..)"
    claims = ("l.weight == 1", "l.weight == l.multiplicity", "l.weight <= l.ranks", "l.weight >= 1")

    assert [verdicts(FREE.format(stages=padded, claim=claim)) for claim in claims] == [
        ["refuted"], ["proved"], ["proved"], ["proved"],
    ]  # fmt: skip


def test_decimals_are_exact() -> None:
    third = "shard(ranks, tail = pad)\nweigh(padding = 0.1)"
    sums = (
        "10 * l.weight == 9 + l.multiplicity",
        "l.weight <= 1.1 given d.size >= l.ranks",
        "l.weight <= 1.1",
    )

    assert [verdicts(FREE.format(stages=third, claim=claim)) for claim in sums] == [
        ["proved"], ["proved"], ["refuted"],
    ]  # fmt: skip


def test_a_stage_below_that_pads_is_weighed_too() -> None:
    above = "shard(ranks, tail = pad)\nweigh({})\nbatch(4, tail = pad)"

    for how in ("padding = 0", "by = inverse_multiplicity"):
        assert proofs(FREE.format(stages=above.format(how), claim="l.weight == 1")) == [True]


def test_a_repeat_that_is_no_padding_weighs_as_much_as_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    text = FREE.format(stages="shard(ranks)\nweigh(padding = 0)", claim="l.weight == l.multiplicity")

    assert proofs(text) == [False]
    monkeypatch.setattr(Plan, "padded", lambda *_: FALSE)
    assert proofs(text) == [True]


def test_where_some_repeats_are_padding_and_others_not_no_rule_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    padded = "shard(ranks)\nbatch(in 1.., tail = pad)\nweigh({})"
    mask, share = (padded.format(how) for how in ("padding = 0", "by = inverse_multiplicity"))
    monkeypatch.setattr(Plan, "padded", lambda plan, p, lane: plan.laps(p, lane)[-1] >= 1)

    assert proofs(FREE.format(stages=mask, claim="l.weight == 1")) == [False]
    assert proofs(FREE.format(stages=share, claim="l.weight == 1")) == [True]


def test_a_mask_and_a_share_of_the_same_ranks_weigh_alike() -> None:
    text = (
        "edition 1\ndataset d { size in 1.. }\n"
        "loader a over d {\nranks in 1..\nshard(ranks)\nweigh(padding = 0)\n}\n"
        "loader b over d {\nranks in 1..\nshard(ranks)\nweigh(by = inverse_multiplicity)\n}\n"
        'prove "" : a.weight == b.weight\nprove "" : a.weight equal b.weight\n'
    )

    assert proofs(text) == [True, True]


def copied(size: int, ranks: int, workers: int, of: int) -> list[list[tuple[int, bool]]]:
    """What each worker of each rank reads, where nobody deals and batches are padded."""
    runs = chunks([(record, False) for record in range(size)], of)
    if runs and len(runs[-1]) < of:
        runs[-1] += [(at % size, True) for at in range(of - len(runs[-1]))]
    return [[each for run in runs for each in run]] * (ranks * workers)


@pytest.mark.parametrize(("how", "per_lane"), [("padding = 0", True), ("by = inverse_multiplicity", False)])
def test_copies_of_an_iterable_loader_are_no_padding(how: str, *, per_lane: bool) -> None:
    for size, ranks, workers, of in product((1, 4), (1, 2), (1, 3), (1, 3)):
        lanes = copied(size, ranks, workers, of)
        found = {sum(not padded for lane in lanes for each, padded in lane if each == r) for r in range(size)}
        text = (
            f"edition 1\ndataset d {{ size = {size} }}\nloader l over d {{\nstyle = iterable\n"
            f"ranks = {ranks}\nworkers = {workers}\n"
            f"copy(ranks * workers)\nbatch({of}, tail = pad)\nweigh({how})\n}}\n"
        )
        weight = found.pop() if per_lane else 1
        claims = f'prove "" : l.weight == {weight}\nprove "" : l.weight == {weight + 1}\n'

        assert found == set() or not per_lane
        assert verdicts(text + claims) == ["proved", "refuted"]


@pytest.mark.parametrize("form", ["masked", "half", "shared"])
@pytest.mark.parametrize("name", PIPELINES)
def test_rules_prove_nothing_false(name: str, form: str) -> None:
    assert untrue(name, form) == []


def _copies_forgotten(view: View, record: Int) -> Int:
    return choose(delivered(view, record, _first(view)), 1, 0)


def _always(view: View, record: Int) -> Int:
    return view.plan.copies(of_a_rank=view.rank)


def _of_all_ranks(view: View, record: Int) -> Int:
    whole = replace(view, rank=False)
    return choose(delivered(whole, record, _first(view)), view.plan.copies(), 0)


def _first(view: View) -> list[Int]:
    return [number(0)] * view.plan.padding_stages()


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (_copies_forgotten, "undealt, pad"),
        (_always, "pad, drop"),
        (_of_all_ranks, "pad, keep"),
    ],
)
def test_faulty_rules_prove_something_false(
    fault: Callable[[View, Int], Int], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_weighing, "unpadded", fault)

    assert untrue(name, "masked") != []
