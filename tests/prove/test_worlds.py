"""Small worlds come by rising maximum, each once, and none is listed before it is asked for."""

from __future__ import annotations

from itertools import islice, product

import pytest

from epochproof.diagnostics import Span
from epochproof.model.domain import Domain, Parameter
from epochproof.prove.session import load, opened
from epochproof.prove.worlds import Worlds, rising

NOWHERE = Span(0, 0)


def parameters(*domains: Domain) -> list[Parameter]:
    """One free parameter for each domain, called `a`, `b` and so on."""
    return [Parameter(chr(ord("a") + at), domain, NOWHERE) for at, domain in enumerate(domains)]


def met(*domains: Domain, most: int | None = None) -> list[tuple[int, ...]]:
    """The choices in the order in which they come."""
    return [tuple(values.values()) for values in islice(rising(parameters(*domains)), most)]


def one_of(*values: int) -> Domain:
    return Domain(values[0], values[-1], values)


SMALL = [
    (Domain(1, 3), Domain(0, 2)),
    (Domain(2, 2),),
    (Domain(0, 4), one_of(0, 3, 8), Domain(1, 2)),
    (one_of(1, 5, 6), one_of(2, 5)),
    (Domain(3, 5), Domain(1, 1), Domain(0, 6)),
]


@pytest.mark.parametrize("domains", SMALL)
def test_every_choice_comes_once_by_its_maximum_then_in_order(domains: tuple[Domain, ...]) -> None:
    values = [each.values or range(each.low, (each.high or 0) + 1) for each in domains]
    every = sorted(product(*values), key=lambda choice: (max(choice), choice))
    highest_low = max(each.low for each in domains)
    first = [choice for choice in every if max(choice) <= highest_low]
    found = met(*domains)

    assert sorted(found) == sorted(every)
    assert found[: len(first)] == sorted(first)
    assert found[len(first) :] == every[len(first) :]


def test_open_domains_never_end() -> None:
    assert met(Domain(1, None), Domain(1, None), most=9) == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (1, 3),
        (2, 3),
        (3, 1),
        (3, 2),
        (3, 3),
    ]
    assert met(one_of(2, 100), Domain(0, None), most=200)[-1][0] in (2, 100)


def test_without_parameters_there_is_one_world() -> None:
    assert met() == [()]


def test_ranges_far_from_zero_are_not_listed() -> None:
    assert met(Domain(10**400, None), most=2) == [(10**400,), (10**400 + 1,)]
    assert met(Domain(1, None), Domain(10**12, None), most=2) == [(1, 10**12), (2, 10**12)]
    assert met(Domain(0, 10**30), one_of(5, 10**20), most=3) == [(0, 5), (1, 5), (2, 5)]


SPEC = """edition 1
dataset d {{ size in 0.. }}
loader l over d {{
  ranks in 1..
  {epochs}
  {shuffle}
  shard(ranks, tail = drop)
  batch(in 1..)
}}
prove "it" : {formula}
"""


def worlds(formula: str, shuffle: str = "", epochs: str = "") -> Worlds:
    text = SPEC.format(formula=formula, shuffle=shuffle, epochs=epochs)
    (claim,) = opened(load(text)).claims
    return Worlds(claim)


def test_a_world_that_breaks_the_claim_is_found_with_its_record() -> None:
    found = worlds("l.multiplicity == 1").violation({"d.size": 5, "l.ranks": 2, "l.batch": 1})

    assert found is not None
    assert (found[1].record, found[1].values["d.size"]) == (4, 5)


def test_a_world_in_which_the_claim_is_true_breaks_nothing() -> None:
    assert worlds("l.multiplicity == 1").violation({"d.size": 6, "l.ranks": 2, "l.batch": 1}) is None


def test_orders_are_tried_only_where_they_matter() -> None:
    counted, named = (
        worlds("l.occurrences < 9", "shuffle(seed = any)"),
        worlds("l.omitted == {0}", "shuffle(seed = any)"),
    )

    assert len(list(counted.orders({}))) == 1
    assert len(list(named.orders({}))) == 24
    assert [each["l.seed"] for each in islice(named.orders({}), 3)] == [0, 1, 2]


def test_seeds_stay_in_their_domain() -> None:
    assert [each["l.seed"] for each in worlds("l.omitted == {0}", "shuffle(seed in {3, 99})").orders({})] == [
        3
    ]
    assert [each["l.seed"] for each in worlds("l.omitted == {0}", "shuffle(seed in 70..)").orders({})] == [70]


def test_several_seeds_are_tried_in_few_combinations() -> None:
    loaders = "".join(
        f"loader l{at} over d {{\nranks = 2\nshuffle(seed = any)\nshard(ranks)\n}}\n" for at in range(40)
    )
    formula = " and ".join(f"l{at}.covered equal l{at + 1}.covered" for at in range(39))
    (claim,) = opened(load(f'edition 1\ndataset d {{ size = 3 }}\n{loaders}prove "it" : {formula}\n')).claims
    tried = list(Worlds(claim).orders({}))

    assert len(tried) == 25
    assert {each["l0.seed"] for each in tried} == {each["l1.seed"] for each in tried} == set(range(5))
    assert len({(each["l0.seed"], each["l39.seed"]) for each in tried}) == 25 or len(tried[0]) == 40


def test_a_world_of_a_billion_ranks_is_weighed_and_not_run() -> None:
    heavy = worlds("l.occurrences < 9", epochs="epochs = 1_000").weight(
        {"d.size": 10, "l.ranks": 10**9, "l.batch": 1}
    )

    assert heavy >= 10**9


def test_of_many_epochs_only_the_first_are_looked_at_where_the_world_is_heavy() -> None:
    some = worlds("l.omitted == {}", "shuffle(seed = any)", "epochs = 1_000_000")
    found = some.violation({"d.size": 5, "l.ranks": 2, "l.batch": 1}, 100)

    assert found is not None and found[1].epoch == 0
    assert some.violation({"d.size": 6, "l.ranks": 2, "l.batch": 1}, 100) is None


def test_the_weight_of_a_claim_about_two_runs_is_that_of_both() -> None:
    some = worlds("l.omitted unaffected by ranks")
    light = {"d.size": 10, "l.ranks": 1, "l.batch": 1, "l.ranks'": 1}

    assert some.weight({**light, "l.ranks'": 10**9}) >= 10**9 > some.weight(light)


def test_records_that_nobody_reads_have_their_weight() -> None:
    assert worlds("l.omitted == {}").weight({"d.size": 10**9, "l.ranks": 2 * 10**9, "l.batch": 1}) >= 10**9


def test_orders_of_their_own_have_their_weight_where_ranks_are_many() -> None:
    own, shared = "shuffle(seed = 1, shared = false)", "shuffle(seed = 1)"
    values = {"d.size": 10, "l.ranks": 5_000, "l.batch": 1}

    assert worlds("l.omitted == {}", own).weight(values) > 50 * worlds("l.omitted == {}", shared).weight(
        values
    )


def test_orders_of_one_loader_can_all_differ() -> None:
    found = worlds("l.lost == {}", "shuffle(seed = 0)\nresume(order = fresh, times = 8)")
    tried = [set(each.values()) for each in found.orders({})]

    assert any(len(seeds) == 8 and 0 not in seeds for seeds in tried)
