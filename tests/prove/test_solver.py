"""An answer depends on the question alone: not on the process, the order of questions or the hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from epochproof.prove.solver import Solver, at_most, raw
from epochproof.term.node import FALSE, TRUE, apply, both, differ, equal, less_equal, negate, variable, within

A, B, N = variable("a"), variable("b"), variable("n")

VERDICTS = """
from pathlib import Path
from epochproof import check
from epochproof.prove import solver
from epochproof.term.as_smtlib import as_smtlib
asked = []
for_real = solver.raw
def noted(condition, limit, **more):
    answer = for_real(condition, limit, **more)
    asked.append((len(as_smtlib(condition)), answer.status, sorted(answer.values.items())))
    return answer
solver.raw = noted
for path in ("any-size", "migration"):
    for each in check(Path("examples") / f"{path}.epoch").claims:
        found = each.verdict
        print(each.text, found.word, found.evidence, found.reason, found.counterexample)
        print([as_smtlib(condition) for condition in each.verdict.obligations])
print(asked)
"""
COST = """
import z3
from epochproof.term.as_smtlib import as_smtlib
from epochproof.term.node import both, equal, less_equal, negate, variable
n, r, b = variable("n"), variable("r"), variable("b")
goal = less_equal(n - r * b * (n // r // b) + 1, r * b)
for _ in range(2):
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set("rlimit", 300_000)
    solver.from_string(as_smtlib(both(less_equal(1, r), less_equal(1, b), less_equal(0, n), negate(goal))))
    print(solver.check())
    print(dict((key, solver.statistics().get_key_value(key)) for key in solver.statistics().keys()
               if key == "rlimit count"))
"""


def printed(script: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    return run.stdout


def test_verdicts_and_questions_repeat_in_another_process() -> None:
    one, other = printed(VERDICTS, "1"), printed(VERDICTS, "4711")

    assert one == other
    assert one.count(" proved ") >= 6 and one.count(" refuted ") >= 3


def test_the_cost_of_a_question_repeats_in_another_process() -> None:
    one, other = printed(COST, "1"), printed(COST, "4711")

    assert one == other
    assert "rlimit count" in one


def solver(**lows: int) -> Solver:
    """A solver of parameters with these least values."""
    return Solver(
        {name: (low, None) for name, low in lows.items()},
        {name: less_equal(low, variable(name)) for name, low in lows.items()},
    )


def test_parameters_stay_in_their_domains() -> None:
    assert solver(a=5).find(less_equal(A, 4)).status == "none"
    assert solver(a=5).find(less_equal(A, 5)).values["a"] == 5
    assert solver().find(less_equal(A, 4)).status == "found"


def test_a_condition_without_parameters_is_answered() -> None:
    assert solver().find(TRUE).status == "found"
    assert solver().find(FALSE).status == "none"
    assert solver().find().status == "found"


def test_what_follows_is_valid() -> None:
    assert solver(a=1).valid(less_equal(A, B), less_equal(1, B))
    assert not solver(a=1).valid(less_equal(A, B), less_equal(2, B))


def test_a_question_is_asked_once() -> None:
    asked = solver(a=1)
    for _ in range(3):
        asked.find(less_equal(A, 3))

    assert asked.asked == 1


def test_permutations_are_bijections_in_every_question() -> None:
    one, other = (apply("permuted", 7, 0, N, each) for each in (A, B))
    inside = both(within(0, A, N), within(0, B, N))

    assert solver().valid(inside, within(0, one, N))
    assert solver().valid(both(inside, differ(A, B)), differ(one, other))
    assert not solver().valid(inside, equal(one, A))


def test_a_limit_of_resources_gives_unknown() -> None:
    cubes = equal(A * A * A + B * B * B, N * N * N)
    positive = both(*(less_equal(1, each) for each in (A, B, N)))

    assert raw(both(positive, cubes), 5_000).status == "unknown"


def test_what_is_found_satisfies_the_condition() -> None:
    found = solver(a=1, b=1).find(equal(A * B, 221), differ(A, 1), differ(B, 1))

    assert found.status in ("found", "unknown")
    assert found.status == "unknown" or found.values["a"] * found.values["b"] == 221


@pytest.mark.parametrize(("bound", "status"), [(3, "none"), (4, "found")])
def test_a_box_bounds_every_parameter(bound: int, status: str) -> None:
    assert solver().find(equal(A + B, 8), at_most(("a", "b"), bound)).status == status


def test_equal_conditions_are_one_question() -> None:
    asked = solver(a=1)
    asked.find(less_equal(A, 3), less_equal(B, 4))
    asked.find(both(less_equal(A, 3), less_equal(B, 4)))

    assert asked.asked == 1
    assert asked.find(negate(TRUE)).status == "none"


WITHOUT_END = """edition 1
dataset a { size in 1..5 }
dataset b { size = 3 }
mix m { a = 3, b = 1, pick = greedy, stop = all_exhausted }
loader l over m {
  ranks in 1..4
  style = iterable
  workers in 1..3
  shuffle(seed = any)
  copy(workers)
  batch(3, tail = drop)
}
prove "it reads what it reads" : l.covered equal l.covered
"""


def test_a_question_whose_numbers_grow_without_end_is_given_up() -> None:
    """Inside one call of z3 that spends no resource units: only the right arithmetic comes back."""
    script = f"import epochproof; print(epochproof.check({WITHOUT_END!r}).claims[0].verdict.word)"
    done = subprocess.run(
        [sys.executable, "-c", script], timeout=90, check=True, capture_output=True, text=True
    )

    assert done.stdout == "unknown\n"
