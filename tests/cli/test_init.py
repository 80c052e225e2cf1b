"""`init`: where the draft goes, what the call says, and what it never overwrites."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.cli.main import main

CONFIG = "num_train_epochs: 2\nper_device_train_batch_size: 4\n"


@pytest.fixture
def here(here: Path) -> Path:
    """A working folder with a config."""
    (here / "train.yaml").write_text(CONFIG)
    return here


def test_draft_stands_beside_its_config_and_passes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "train.yaml"]) == 0

    assert capsys.readouterr().out == (
        "train.epoch: a draft for Hugging Face Trainer (transformers 5.24)\n"
        "it needs you to say\n"
        "  dataset records { size in 1.. }: the records of the training, `size = 1_000`\n"
        "  ranks in 1..64: how many processes the job starts; or give its launch script, too\n"
        "a first verdict: epochproof check train.epoch\n"
    )
    assert main(["fmt", "--check", "train.epoch"]) == 0
    assert main(["check", "train.epoch"]) == 0


def test_paths_are_meant_from_the_folder_of_the_spec(here: Path) -> None:
    (here / "conf").mkdir()
    (here / "specs").mkdir()
    (here / "conf" / "train.yaml").write_text(CONFIG)

    assert main(["init", "conf/train.yaml", "-o", "specs/train.epoch"]) == 0
    assert main(["init", "conf/train.yaml"]) == 0
    assert main(["init", str(here / "conf" / "train.yaml"), "-o", "absolute.epoch"]) == 0

    assert 'config("../conf/train.yaml")' in (here / "specs" / "train.epoch").read_text()
    assert 'config("train.yaml")' in (here / "conf" / "train.epoch").read_text()
    assert 'config("conf/train.yaml")' in (here / "absolute.epoch").read_text()
    assert main(["check", "specs"]) == 0


def test_draft_goes_to_the_standard_output(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "train.yaml", "-o", "-"]) == 0

    assert capsys.readouterr().out.startswith("edition 1\n")
    assert [each.name for each in here.iterdir()] == ["train.yaml"]


def test_file_that_is_there_is_kept_unless_forced(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.epoch").write_text("mine\n")

    assert main(["init", "train.yaml"]) == 2
    assert "cannot write `train.epoch`: it is there already" in capsys.readouterr().err
    assert (here / "train.epoch").read_text() == "mine\n"

    assert main(["init", "train.yaml", "--force"]) == 0
    assert (here / "train.epoch").read_text().startswith("edition 1\n")


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ([], "E509"),
        (["none.yaml"], "E701"),
        (["train.yaml", "-o", "train.yaml"], "E510"),
        (["train.yaml", "-o", "none/train.epoch"], "E510"),
        (["other.yaml"], "E516"),
        (["train.yaml", "other.yaml"], "E516"),
        ([".", "train.yaml"], "E701"),
    ],
)
def test_wrong_calls_write_nothing(
    here: Path, capsys: pytest.CaptureFixture[str], argv: list[str], code: str
) -> None:
    (here / "other.yaml").write_text("a: 1\n")

    assert main(["init", *argv]) == 2

    assert f"error[{code}" in capsys.readouterr().err
    assert sorted(each.name for each in here.iterdir()) == ["other.yaml", "train.yaml"]
    assert (here / "train.yaml").read_text() == CONFIG
