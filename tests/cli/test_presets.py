"""Commands that read presets: when they prove anew, and what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.cli import _store
from epochproof.cli._reading import named_files
from epochproof.cli.main import main
from epochproof.language.parse import read

JOB = """edition 1
bind team = presets("team.epoch")

dataset images { size in 1.. }

loader train over images {
  ranks = 4
  use team.Sampler(drop_last = false)
}

prove "every image is read" : train.omitted == {}
"""
TEAM = """edition 1
bind more = presets("more.epoch")
preset Sampler(drop_last) { use more.Deal(drop_last) }
"""
MORE = """edition 1
preset Deal(drop_last) { shard(ranks, tail = if drop_last then drop else pad) }
"""


@pytest.fixture
def here(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a spec, a file of presets that it binds, and one that this binds."""
    monkeypatch.setenv(_store.FOLDER, str(here / "kept"))
    for name, text in {"job": JOB, "team": TEAM, "more": MORE}.items():
        (here / f"{name}.epoch").write_text(text)
    return here


def test_all_files_of_presets_are_known(here: Path) -> None:
    assert named_files(read("job.epoch")) == ["team.epoch", "more.epoch"]


def test_file_that_cannot_be_read_is_known_all_the_same(here: Path) -> None:
    (here / "more.epoch").unlink()

    assert named_files(read("job.epoch")) == ["team.epoch", "more.epoch"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("team", "more.Deal(drop_last)", "more.Deal(true)"),
        ("more", "if drop_last then drop else pad", "drop"),
    ],
)
def test_edit_of_a_preset_alone_is_seen(
    here: Path, name: str, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [main(["check", "job.epoch", "-v"]) for _ in range(2)] == [0, 0]
    assert "from the cache" in capsys.readouterr().out

    path = here / f"{name}.epoch"
    path.write_text(path.read_text().replace(old, new))

    assert main(["check", "job.epoch"]) == 1


def test_line_at_fault_is_the_use_and_the_stage_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "job.epoch").write_text(JOB.replace("false", "true"))

    assert main(["check", "job.epoch"]) == 1
    line, _, fault = capsys.readouterr().out.partition("job.epoch:8  ")[2].partition("  <- ")
    assert line == "use team.Sampler(drop_last = true)"
    assert fault.startswith("`shard` in preset `more.Deal` of `team.Sampler`: record 0 is lost here")


def test_wrong_file_is_shown_with_its_own_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "more.epoch").write_text(MORE.replace("shard(ranks", "shard(ranks]"))

    assert main(["check", "job.epoch"]) == 2
    assert " --> more.epoch:2:" in capsys.readouterr().err


def test_page_marks_the_stage_and_not_its_neighbours(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "job.epoch").write_text(
        JOB.replace("team.Sampler(drop_last = false)", "torch.DistributedSampler(drop_last = true)")
    )
    main(["report", "job.epoch", "-o", "page.html"])
    page = (here / "page.html").read_text()

    assert page.count("the line at fault") == 1
    assert "shard in preset torch.DistributedSampler" in page
