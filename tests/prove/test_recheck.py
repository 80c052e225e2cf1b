"""Two solvers: where they agree, where one does not know, and where they differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
import z3

import epochproof
from epochproof.diagnostics import InternalError
from epochproof.prove import recheck, solver
from epochproof.prove.answer import Answer
from epochproof.prove.obligations import conjuncts, obligations, written
from epochproof.prove.recheck import ask
from epochproof.prove.second import LAST, Prover, Word, kept_in, rechecked
from epochproof.prove.session import Checked
from epochproof.term import as_smtlib
from epochproof.term.as_int import as_int
from epochproof.term.fold import postorder, variables
from epochproof.term.node import TRUE, Bool, Op

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("any-size", "resume")
TRUE_CLAIM, FALSE_CLAIM, EXHAUSTED = "l.omitted == {}", "l.padding == 0", "m.occurrences == 4"


def spec(*formulas: str) -> str:
    claims = "\n".join(f'prove "{each}" : {each}' for each in formulas)
    return (
        "edition 1\ndataset d { size in 1.. }\ndataset e { size = 4 }\n"
        "loader l over d {\n  ranks in 1..\n  shard(ranks, tail = pad)\n}\n"
        f"loader m over e {{\n  ranks = 2\n  shard(ranks)\n}}\n{claims}\n"
    )


def stand_in(word: Word, folder: Path) -> Prover:
    return Prover("stand-in 1", lambda *_: word, lambda each: kept_in(folder, each))


def evidence(checked: Checked) -> dict[str, str]:
    return {each.text: each.verdict.evidence for each in checked.claims}


def test_where_cvc5_agrees_there_are_two_solvers() -> None:
    found = recheck.recheck(epochproof.check(spec(TRUE_CLAIM, EXHAUSTED)))
    second = found.claims[0].second

    assert evidence(found) == {TRUE_CLAIM: "two solvers", EXHAUSTED: "exhausted(1)"}
    assert second is not None and re.fullmatch(r"cvc5 1\.\d+\.\d+", second.solver)
    assert second.raw + second.linear == len(found.claims[0].verdict.shown) and second.undecided == 0
    assert found.claims[1].second is None and found.exit_code == 0


def test_vacuous_claims_are_proved_again() -> None:
    found = recheck.recheck(epochproof.check(spec("l.padding == 0 given l.ranks < 1")))

    assert found.claims[0].verdict.word == "vacuous"
    assert found.claims[0].verdict.evidence == "two solvers"


def test_where_the_second_does_not_know_the_evidence_stays(tmp_path: Path) -> None:
    found = rechecked(epochproof.check(spec(TRUE_CLAIM)), stand_in("unknown", tmp_path))
    second = found.claims[0].second

    assert found.claims[0].verdict.evidence == "solver" and found.exit_code == 0
    assert second is not None and second.undecided == len(found.claims[0].verdict.shown)
    assert list(tmp_path.iterdir()) == []


def test_where_they_differ_nothing_is_proved_and_both_texts_are_kept(tmp_path: Path) -> None:
    before = epochproof.check(spec(TRUE_CLAIM))
    found = rechecked(before, stand_in("sat", tmp_path / "kept"))
    asked = obligations(before.claims[0])
    second = found.claims[0].second

    assert found.exit_code == 4
    assert found.claims[0].verdict.word == "unknown" and "disagree" in found.claims[0].verdict.reason
    assert second is not None and second.disputed == len(asked)
    assert Path(second.files[0]).read_text() == asked[0].text
    assert all(each in found.claims[0].verdict.reason for each in second.files)
    assert len(second.files) == 2 * len(asked)


def test_wrong_answer_of_z3_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert epochproof.check(spec(FALSE_CLAIM)).claims[0].verdict.word == "refuted"

    monkeypatch.setattr("epochproof.prove.judge.FIRST", 0)
    monkeypatch.setattr("epochproof.prove.judge._Case._vacuous", lambda _: None)
    monkeypatch.setattr(solver, "raw", lambda *_, **__: Answer("none"))
    wrong = epochproof.check(spec(FALSE_CLAIM))
    assert wrong.claims[0].verdict.word == "proved"

    found = recheck.recheck(wrong)
    assert found.exit_code == 4 and not found.claims[0].as_stated
    assert sorted(each.name for each in (tmp_path / "epochproof-disputed").iterdir())


def test_text_that_is_none_is_our_fault() -> None:
    with pytest.raises(InternalError, match="cvc5 cannot read an obligation"):
        ask("(assert (<= 0 unknown))(check-sat)", LAST)
    with pytest.raises(InternalError, match="cvc5 cannot read an obligation"):
        ask("(declare-const a Int)", LAST)


def test_limit_gives_the_same_answer_each_time() -> None:
    claims = epochproof.check(EXAMPLES / "resume.epoch").claims
    text = next(obligations(each)[0].text for each in claims if "exact resume" in each.text)

    assert [ask(text, 1_000) for _ in range(3)] == ["unknown"] * 3


def number(function: str, *arguments: int) -> int:
    """What a function is taken to be where texts are evaluated."""
    return sum((at + 2) * each for at, each in enumerate(arguments)) % 5


def grounded(text: str, values: dict[str, int]) -> str:
    """The text with a value for each constant, and a definition of each function."""

    def constant(found: re.Match[str]) -> str:
        value = values[found[1].strip("|")]
        return f"(define-fun {found[1]} () Int {value})"

    def function(found: re.Match[str]) -> str:
        names = [f"x{at}" for at in range(len(found[2].split()))]
        total = " ".join(f"(* {at + 2} {name})" for at, name in enumerate(names))
        inner = " ".join(f"({name} Int)" for name in names)
        return f"(define-fun {found[1]} ({inner}) Int (mod (+ 0 {total}) 5))"

    text = re.sub(r"\(declare-const (\S+) Int\)", constant, text)
    return re.sub(r"\(declare-fun (\S+) \(([^)]*)\) Int\)", function, text)


def by_z3(text: str) -> str:
    solved = z3.SimpleSolver(ctx=z3.Context())
    solved.from_string(text)
    return str(solved.check())


def by_cvc5(text: str) -> str:
    return ask(re.sub(r"set-logic \w+", "set-logic ALL", text), LAST)


@cache
def conditions() -> tuple[Bool, ...]:
    """The conditions that the obligations of two examples join."""
    claims = [each for name in NAMES for each in epochproof.check(EXAMPLES / f"{name}.epoch").claims]
    asked = [each.whole for claim in claims for each in claim.verdict.shown]
    parts = dict.fromkeys(part for each in asked for part in conjuncts(each))
    return tuple(each for each in parts if each is not TRUE)


def misread(read: Callable[[str], str]) -> int:
    """How many conditions of examples, at random values, are read otherwise than they are run."""
    pick, wrong = Random(7), 0  # noqa: S311 -- not for cryptography
    for condition in conditions():
        names = sorted(variables(condition))
        functions = {str(each.value) for each in postorder(condition) if each.op is Op.APPLY}
        run = as_int(condition, names, {name: lambda *given: number("", *given) for name in functions})
        text = written([], [("", (condition,))])
        values = [pick.randint(1, 9) for _ in names]
        answer = read(grounded(text, dict(zip(names, values, strict=True))))
        wrong += answer != ("sat" if run(*values) else "unsat")
    return wrong


@pytest.mark.parametrize("read", [by_z3, by_cvc5])
def test_texts_say_what_the_terms_do(read: Callable[[str], str]) -> None:
    assert misread(read) == 0


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("floor_divide", "(div {b} {a})"),
        ("less_equal", "(< {a} {b})"),
        ("add", "(- {a} {b})"),
    ],
)
def test_fault_of_the_printer_is_noticed(head: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: object, a: str | list[str], b: str = "") -> str:
        if isinstance(a, list):
            a, b, *_ = a
        return text.format(a=a, b=b)

    assert conditions()
    monkeypatch.setattr(as_smtlib._Sexpr, head, wrong)

    assert misread(by_z3) > 0


@pytest.mark.slow
def test_cvc5_agrees_on_every_proved_claim_of_all_examples() -> None:
    specs = sorted(EXAMPLES.rglob("*.epoch"))
    claims = [each for path in specs for each in recheck.recheck(epochproof.check(path)).claims]
    asked = [each for each in claims if each.second is not None]

    assert [(each.text, each.second) for each in asked if each.verdict.evidence != "two solvers"] == []
    assert len(asked) > 200
