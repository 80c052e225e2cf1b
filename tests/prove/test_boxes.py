"""The box search gives the first of all worlds: least maximum, then in order of declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from random import Random

import pytest

from epochproof.diagnostics import Span
from epochproof.model.domain import Domain, Parameter
from epochproof.prove.answer import Answer
from epochproof.prove.boxes import MOST_ASKED, Boxes
from epochproof.prove.solver import Solver
from epochproof.term.node import Bool, Int, add, both, differ, equal, less_equal, number, variable

NAMES = ("a", "b", "c")
FREE = [Parameter(name, Domain(low, None), Span(0, 0)) for name, low in zip(NAMES, (1, 1, 0), strict=True)]
A, B, C = (variable(name) for name in NAMES)
Predicate = Callable[[Mapping[str, int]], bool]


def solver(*, limited: int | None = None) -> Solver:
    """A solver that knows the domains, and answers so many questions if it is limited."""
    ranges = {each.name: (each.domain.low, None) for each in FREE}
    domains = {each.name: each.domain.holds(each.term) for each in FREE}
    return Solver(ranges, domains) if limited is None else _Limited(ranges, domains, limited=limited)


class _Limited(Solver):
    def __init__(
        self, ranges: Mapping[str, tuple[int, None]], domains: Mapping[str, Bool], limited: int
    ) -> None:
        super().__init__(ranges, domains)
        self.limited = limited

    def find(self, *conditions: Bool) -> Answer:
        self.limited -= 1
        return super().find(*conditions) if self.limited >= 0 else Answer("unknown")


def smallest(predicate: Predicate, most: int = 25) -> dict[str, int] | None:
    """The first of all worlds, by maximum and then in order, for which the predicate holds."""
    every = product(range(1, most), range(1, most), range(most))
    for choice in sorted(every, key=lambda each: (max(each), each)):
        values = dict(zip(NAMES, choice, strict=True))
        if predicate(values):
            return values
    return None


def random_case(pick: Random) -> tuple[Bool, Predicate]:
    """A sum that has to reach something, and now and then a remainder or a bound."""
    weights = [pick.randint(-2, 4) for _ in NAMES]
    goal, modulus, rest = pick.randint(1, 30), pick.randint(2, 6), pick.randint(0, 5)
    total: Int = add(*(weight * variable(name) for weight, name in zip(weights, NAMES, strict=True)))
    conditions = [less_equal(goal, total)]
    if pick.random() < 0.5:
        conditions.append(equal(total % modulus, rest % modulus))
    if pick.random() < 0.3:
        conditions.append(less_equal(A * B, C + 7))

    def holds(values: Mapping[str, int]) -> bool:
        found = sum(weight * values[name] for weight, name in zip(weights, NAMES, strict=True))
        if found < goal:
            return False
        if len(conditions) > 1 and conditions[1].op is equal(A, B).op and found % modulus != rest % modulus:
            return False
        return less_equal(A * B, C + 7) not in conditions or values["a"] * values["b"] <= values["c"] + 7

    return both(*conditions), holds


@pytest.mark.parametrize("seed", range(40))
def test_the_smallest_world_is_found(seed: int) -> None:
    condition, holds = random_case(Random(seed))  # noqa: S311 -- repeats by its seed
    expected, asked = smallest(holds), solver()
    answer = asked.find(condition)
    if expected is None:
        return
    boxes = Boxes(asked, FREE, condition, holds)

    assert answer.status == "found"
    assert boxes.smallest(boxes.complete(answer.values)) == expected
    assert boxes.exact


def test_a_candidate_that_does_not_replay_is_passed_over() -> None:
    def holds(values: Mapping[str, int]) -> bool:
        return values["a"] >= 7

    boxes = Boxes(solver(), FREE, less_equal(3, A), holds)
    found = boxes.smallest({"a": 9, "b": 1, "c": 0})

    assert found is not None and found["a"] in (7, 8, 9)
    assert not boxes.exact


def test_nothing_is_found_where_nothing_replays() -> None:
    assert Boxes(solver(), FREE, less_equal(3, A), lambda _: False).smallest({"a": 9, "b": 1, "c": 0}) is None


def test_a_start_that_is_too_large_to_be_replayed_does_no_harm() -> None:
    boxes = Boxes(solver(), FREE, less_equal(3, A), lambda values: values["a"] < 1_000)

    assert boxes.smallest({"a": 10**30, "b": 1, "c": 0}) == {"a": 3, "b": 1, "c": 0}
    assert boxes.exact


def test_an_unknown_answer_makes_the_result_a_small_one_only() -> None:
    boxes = Boxes(solver(limited=2), FREE, less_equal(3, A), lambda values: values["a"] >= 3)
    found = boxes.smallest({"a": 40, "b": 1, "c": 0})

    assert found is not None and found["a"] >= 3
    assert not boxes.exact


def test_the_search_ends_however_large_the_candidate() -> None:
    asked = solver()
    boxes = Boxes(asked, FREE, less_equal(number(10**400), A), lambda _: False)

    assert boxes.smallest({"a": 10**450, "b": 1, "c": 0}) is None
    assert asked.asked <= MOST_ASKED


def test_a_value_that_the_answer_leaves_open_is_the_least_one() -> None:
    boxes = Boxes(solver(), FREE, differ(A, 1), lambda _: True)

    assert boxes.complete({"a": 5}) == {"a": 5, "b": 1, "c": 0}
