"""`check --recheck`: evidence, exit codes, documents, and what is kept of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.cli.main import main
from epochproof.prove import recheck

SCHEMA = json.loads((Path(__file__).parents[2] / "spec" / "schemas" / "check-1.json").read_text())


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPOCHPROOF_CACHE_DIR", str(tmp_path / "kept"))


def answers(monkeypatch: pytest.MonkeyPatch, word: str) -> list[str]:
    """Lets the second solver answer so; the texts that it is asked."""
    asked: list[str] = []

    def ask(text: str, limit: int) -> str:
        asked.append(text)
        return word

    monkeypatch.setattr(recheck, "ask", ask)
    return asked


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    main(["check", "--format", "json", "--recheck", *words])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def test_two_solvers_are_the_evidence(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "right.epoch", "sc241.epoch", "--recheck"]) == 0

    out = capsys.readouterr().out
    assert "  evidence   1 two solvers\n" in out
    assert "  evidence   7 exhausted, 1 two solvers, 1 run\n" in out


def test_json_says_by_which_texts(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (claim,) = document(capsys, "right.epoch")["files"][0]["claims"]
    again = claim["recheck"]

    assert claim["evidence"] == "two solvers" and again["solver"].startswith("cvc5 ")
    assert again["raw"] + again["linear"] >= 2 and again["undecided"] == again["disputed"] == 0


def test_where_it_does_not_know_a_line_says_so(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "unknown")

    assert main(["check", "right.epoch", "--recheck"]) == 0
    out = capsys.readouterr().out
    assert "  evidence   1 solver\n  recheck    cvc5 " in out and 'of "costs little" undecided\n' in out
    assert document(capsys, "right.epoch")["files"][0]["claims"][0]["recheck"]["undecided"] >= 2


def test_disagreement_is_exit_code_4(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, "sat")

    assert main(["check", "right.epoch", "refuted.epoch", "wrong.epoch", "--recheck"]) == 4
    out = capsys.readouterr().out
    files = sorted(each.name for each in (specs / "epochproof-disputed").iterdir())
    assert "z3 and cvc5 " in out and " disagree; what each of them was asked is in " in out
    assert files and all(f"epochproof-disputed/{each}" in out for each in files)
    claim = document(capsys, "right.epoch")["files"][0]["claims"][0]
    assert claim["verdict"] == "unknown" and claim["recheck"]["disputed"] >= 2


def test_kept_verdicts_are_kept_apart(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def evidence(*words: str) -> str:
        main(["check", "right.epoch", "-v", *words])
        return capsys.readouterr().out.partition("evidence ")[2].partition(",")[0]

    assert [evidence(), evidence("--recheck"), evidence(), evidence("--recheck")] == [
        "solver",
        "two solvers",
        "solver",
        "two solvers",
    ]
    assert answers(monkeypatch, "unknown") == [] and evidence("--recheck") == "two solvers"
    assert evidence("--recheck", "--no-cache") == "solver"


def test_disagreement_is_not_kept(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = answers(monkeypatch, "sat")
    main(["check", "right.epoch", "--recheck"])
    before = len(asked)

    assert main(["check", "right.epoch", "--recheck"]) == 4
    assert len(asked) == 2 * before


def test_missing_cvc5_is_an_error(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)

    assert main(["check", "right.epoch", "--recheck"]) == 2
    err = capsys.readouterr().err
    assert "error[E540]: proving claims again needs cvc5" in err
    assert "pip install 'epochproof[recheck]'" in err


def test_watching_does_not_recheck(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "right.epoch", "--watch", "--recheck"]) == 2
    assert "`--watch` and `--recheck` do not go together" in capsys.readouterr().err
