"""The Python interface: paths and texts, typed answers, errors with their source, no printing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import epochproof

SOURCE = Path(__file__).resolve().parents[1] / "src"
ORIGINALS = Path(__file__).parent / "language" / "originals"
TEXT = """edition 1
dataset records { size = 10 }
loader padded over records {
  ranks in 1..64
  shard(ranks, tail = pad)
}
prove "all" : padded.omitted == {}
"""


@pytest.mark.parametrize("kind", [str, Path])
def test_path_is_read(kind: type) -> None:
    checked = epochproof.check(kind(ORIGINALS / "sc241.epoch"))

    assert checked.path == str(ORIGINALS / "sc241.epoch")
    assert checked.ok and checked.exit_code == 0
    assert [each.verdict.word for each in checked.claims] == ["proved"] * 8 + ["refuted"]


def test_text_is_read() -> None:
    checked = epochproof.check(TEXT)

    assert (checked.path, checked.source.text) == ("<spec>", TEXT)
    assert checked.claims[0].text == "all" and checked.claims[0].as_stated


def test_text_of_one_line_is_read() -> None:
    assert epochproof.check("edition 1").claims == ()


def test_claim_that_is_not_as_stated_is_no_error() -> None:
    checked = epochproof.check(TEXT.replace("tail = pad", "tail = drop"))

    assert not checked.ok and checked.exit_code == 1
    counterexample = checked.claims[0].verdict.counterexample
    assert counterexample is not None and counterexample.parameters == {"padded.ranks": 3}


def test_load_reads_without_proving() -> None:
    schedule = epochproof.load(TEXT)

    assert list(schedule.loaders) == ["padded"]
    assert [str(each.domain) for each in schedule.scope.parameters.values()] == ["1..64"]


def test_count_takes_values() -> None:
    (population,) = epochproof.count(TEXT, set={"padded.ranks": 3})

    assert (population.loader, population.occurrences, population.distinct) == ("padded", 12, 10)
    assert (population.padding, population.repeated.count) == (2, 2)


@pytest.mark.parametrize(
    ("values", "code"), [({}, "E504"), ({"padded.ranks": 65}, "E503"), ({"padded.rank": 3}, "E502")]
)
def test_count_refuses_wrong_values(values: dict[str, int], code: str) -> None:
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.count(TEXT, set=values)

    assert [each.code for each in raised.value.diagnostics] == [code]
    assert raised.value.source is not None and raised.value.source.text == TEXT


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("nowhere.epoch", "E119"),
        ("nowhere", "E119"),
        ("edition 1\ndataset {", "E1"),
        (TEXT.replace("shard", "shrad"), "E2"),
        (TEXT.replace("omitted", "omited"), "E3"),
    ],
)
def test_error_knows_its_source(spec: str, code: str) -> None:
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(spec)

    assert raised.value.diagnostics[0].code.startswith(code)
    assert raised.value.source is not None


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    epochproof.check(ORIGINALS / "sc241.epoch")
    epochproof.load(ORIGINALS / "sc241.epoch")

    assert capfd.readouterr() == ("", "")


def test_every_public_name_is_there() -> None:
    assert [name for name in epochproof.__all__ if not hasattr(epochproof, name)] == []
    assert set(epochproof.__all__) <= set(dir(epochproof))


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute `chekc`"):
        epochproof.chekc  # noqa: B018 -- the misspelling is the test


def test_names_can_be_imported_from_the_package() -> None:
    script = "from epochproof import Checked, SpecError, check, count, load; print(check('edition 1').ok)"

    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SOURCE)},
    )

    assert done.stdout == "True\n"
