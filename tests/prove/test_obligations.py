"""Obligations as text: all that a proof rests on, and the same bytes for the same claim."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import z3

import epochproof
from epochproof.prove.obligations import Obligation, obligations

EXAMPLES = Path(__file__).parents[2] / "examples"

SPEC = """\
edition 1
dataset d { size in 1.. }
loader l over d {
  ranks in 1..
  shuffle(seed = any)
  shard(ranks, tail = pad)
  batch(in 1..8, tail = keep)
}
prove "all is read" : l.omitted == {}
prove "counted" : l.padding < l.ranks
"""

REORDERED = """\
edition 1
# another loader, which no claim below is about, and other lines
dataset e {
  size in 2..9
}
dataset d {
  size in 1.. }
prove "counted"   :   l.padding < l.ranks
loader m over e { ranks in 1..4 shard(ranks) }
loader l over d {
  ranks in 1..,
    shuffle(seed = any)
  shard(ranks, tail = pad)   # pads
  batch(in 1..8, tail = keep)
}
prove "something else" : m.omitted == {}
prove "all is read" : l.omitted == {}
"""

SCRIPT = """
import epochproof
from epochproof.prove.obligations import obligations
for claim in epochproof.check(input().replace("\\\\n", "\\n")).claims:
    for each in obligations(claim):
        print(each.digest)
"""


def found(spec: str | Path) -> dict[str, tuple[Obligation, ...]]:
    return {claim.text: obligations(claim) for claim in epochproof.check(spec).claims}


def test_claim_comes_first_and_then_what_its_rule_rests_on() -> None:
    roles = {text: [each.role for each in some] for text, some in found(SPEC).items()}

    assert roles["all is read"][0] == "claim"
    assert roles["counted"][0] == "claim" and "side condition" in roles["counted"]
    assert all(each[1:] == ["side condition"] * (len(each) - 1) for each in roles.values())


def test_text_is_whole() -> None:
    first, *_ = found(SPEC)["counted"]
    lines = first.text.splitlines()

    assert lines[1] == '; of prove "counted"'
    assert lines[3:5] == ["(set-info :smt-lib-version 2.6)", f"(set-logic {first.logic})"]
    assert "(declare-const l.ranks Int)" in lines
    assert lines[lines.index("; the domain of l.ranks") + 1] == "(assert (<= 1 l.ranks))"
    assert lines[-2].startswith("(assert (not ") and lines[-3] == "; the contrary of the goal"
    assert lines[-1] == "(check-sat)" and first.text.endswith("\n")


def test_digest_is_that_of_the_text() -> None:
    first, *_ = found(SPEC)["counted"]

    assert first.digest == hashlib.sha256(first.text.encode()).hexdigest()


def test_laws_of_permutations_are_part_of_the_text() -> None:
    first, *_ = found(EXAMPLES / "resume.epoch")["an exact resume loses and repeats nothing"]
    laws = first.text.partition("; what is known of the functions\n")[2].partition("\n;")[0]

    assert laws.count("(permuted s3! 0 records.size") == 2
    assert first.logic == "QF_UFNIA"


def test_formatting_comments_and_order_of_blocks_do_not_matter() -> None:
    one, other = found(SPEC), found(REORDERED)

    for text in one:
        assert [each.text for each in one[text]] == [each.text for each in other[text]]


def test_text_is_the_same_in_every_process() -> None:
    def printed(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=SPEC.replace("\n", "\\n"),
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        return run.stdout

    digests = printed("1")
    assert digests == printed("2") and len(digests.splitlines()) >= 3


def test_vacuous_claims_have_obligations() -> None:
    some = found(SPEC + 'prove "never" : l.omitted == {} given l.batch > 8\n')["never"]

    assert some[0].role == "premises" and "the contrary" not in some[0].text


def test_worlds_that_were_run_leave_no_obligation() -> None:
    assert all(each == () for text, each in found(EXAMPLES / "tiny.epoch").items() if "any" not in text)


@pytest.mark.parametrize("name", ["any-size", "clips", "stream"])
def test_each_text_alone_is_proved_by_z3(name: str) -> None:
    texts = [each.text for some in found(EXAMPLES / f"{name}.epoch").values() for each in some]
    answers = []
    for text in texts:
        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.set("rlimit", 10_000_000)
        solver.from_string(text)
        answers.append(solver.check())

    assert answers and z3.sat not in answers
    assert answers.count(z3.unsat) >= 0.8 * len(answers)
