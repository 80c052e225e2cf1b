"""`explain`: codes, and claims with what was proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.cli.main import main


def test_code_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "e105"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("E105 missing-edition\nthe file does not begin with its edition\n\n")
    assert "\nwrong:\n\n    dataset images { size = 10 }\n\ninstead:\n\n    edition 1\n" in out


def test_code_without_an_example_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "E501"]) == 0
    assert "wrong:" not in capsys.readouterr().out


@pytest.mark.parametrize("code", ["E999", "nonsense"])
def test_unknown_code_is_an_error(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == 2
    assert f"error[E511]: there is no code `{code}`" in capsys.readouterr().err


def test_refuted_claim_shows_its_counterexample(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "refuted.epoch", "all"]) == 0

    assert capsys.readouterr().out == (
        "refuted.epoch:8\n"
        'prove "all" : train.omitted == {}\n'
        "\n"
        "refuted, and `prove` states otherwise\n"
        "evidence run(1): the world below was run as lists, and the claim is false in it\n"
        "\n"
        "the smallest counterexample, replayed in the model\n"
        "  images.size = 1, train.ranks = 1\n"
        "  record 0\n"
        "refuted.epoch:6  batch(4, tail = drop)  <- record 0 is lost here\n"
        "\n"
        "assuming\n"
        "  the dataset does not change\n"
        "  every delivered record is processed\n"
        "  all ranks agree on the order of the stream\n"
    )


@pytest.mark.parametrize("which", ["1", "costs little", "COSTS"])
def test_claim_is_found_by_number_text_or_part(
    specs: Path, which: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "right.epoch", which]) == 0

    out = capsys.readouterr().out
    assert "\nproved, as stated\nevidence solver" in out
    assert "\nobligation 1: no values make all of this true\n      0 <= epoch\n  and epoch + 1 <= 1\n" in out


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("77", "there is no claim `77`"),
        ("a padded pass reads each record exactly twice", "did you mean `a padded pass reads each record"),
        ("record", "7 claims hold `record`"),
    ],
)
def test_claim_that_is_not_found_is_an_error(
    specs: Path, which: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "sc241.epoch", which]) == 2

    err = capsys.readouterr().err
    assert "error[E512]" in err and said in err


def test_spec_without_a_claim_named_lists_its_claims(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "right.epoch"]) == 2
    assert "help: claims are 1 `costs little`" in capsys.readouterr().err


def test_formula_too_long_to_read_is_measured(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stages = "shard(ranks, tail = pad)\n" * 3 + "batch(7, tail = drop)\n"
    (here / "long.epoch").write_text(
        "edition 1\ndataset d { size in 1.. }\n"
        f"loader l over d {{\n  ranks in 1..\n{stages}}}\n"
        'prove "t" : l.occurrences % 7 == 0\n'
    )

    assert main(["explain", "long.epoch", "t"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100
