"""One text for one term, whatever the process, and no larger than the term."""

from __future__ import annotations

import os
import subprocess
import sys

import z3

from epochproof.term.as_smtlib import as_smtlib
from epochproof.term.node import apply, both, choose, equal, less_equal, variable

A, B = variable("a"), variable("b")

SCRIPT = """
from random import Random
from epochproof.term.as_smtlib import as_smtlib
from epochproof.term.node import apply, equal, variable
from tests.term.terms import condition
pick = Random(3)
noise = [variable(f"noise{at}") for at in range(pick.randint(1, 50))]
for _ in range(40):
    print(as_smtlib(condition(pick, 5).bool))
print(as_smtlib(equal(apply("g", 1), apply("f", 2, 3)), equal(apply("f", 1), variable("z"))))
"""


def printed(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment
    )
    return run.stdout


def test_the_text_is_the_same_in_every_process() -> None:
    one, other = printed("1"), printed("2")

    assert one == other
    assert one.count("(assert") >= 40


def test_the_text_is_written_as_smtlib_has_it() -> None:
    text = as_smtlib(both(less_equal(-3, A), equal(A % 7, B // 2)), less_equal(apply("f", A), 0))

    assert text == (
        "(declare-const a Int)\n"
        "(declare-const b Int)\n"
        "(declare-fun f (Int) Int)\n"
        "(assert (and (<= (- 3) a) (= (mod a 7) (div b 2))))\n"
        "(assert (<= (f a) 0))\n"
    )


def test_shared_parts_are_defined_once() -> None:
    shared = A * B
    text = as_smtlib(equal(shared + 1, choose(less_equal(shared, 3), shared, B)))

    assert text.count("(* a b)") == 1
    assert text.count("define-fun") == 1


def test_a_term_doubled_two_hundred_times_stays_small() -> None:
    term = A
    for _ in range(200):
        term = term * term + B
    text = as_smtlib(equal(term, 0))
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)

    assert len(text) < 20_000
    assert text.count("define-fun") == 199
    assert len(solver.assertions()) == 1


def test_variables_with_dots_and_quotes_can_be_parsed_again() -> None:
    text = as_smtlib(equal(variable("train.ranks") + variable("train.ranks'"), variable("rank.1")))

    (parsed,) = z3.parse_smt2_string(text, ctx=z3.Context())

    assert sorted(str(each) for each in z3.z3util.get_vars(parsed)) == [
        "rank.1",
        "train.ranks",
        "train.ranks'",
    ]
