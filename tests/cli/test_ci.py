"""The workflows of docs/how-to/use-in-ci.md: their calls are calls, and what they hand on was written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from epochproof.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "use-in-ci.md"


def workflow(file: str) -> dict[Any, Any]:
    """The YAML block that the page keeps in the file."""
    found = re.search(
        rf"^```yaml file={re.escape(file)}\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    assert found
    return dict(yaml.safe_load(found[1]))


def call(script: list[str]) -> int:
    """What the one call of ours in a script ends with."""
    (found,) = [each for each in script if each.startswith("epochproof ")]
    return main(shlex.split(found)[1:])


def test_github_uploads_what_its_check_writes(
    specs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(specs / "summary.md"))
    found = workflow("schedule.yml")
    steps = found["jobs"]["check"]["steps"]

    assert call([each.get("run", "") for each in steps]) == 2
    assert "::error file=refuted.epoch" in capsys.readouterr().out
    (upload,) = [each for each in steps if "upload-sarif" in each.get("uses", "")]
    assert (specs / upload["with"]["sarif_file"]).is_file() and (specs / "summary.md").is_file()
    assert found["permissions"] == {"contents": "read", "security-events": "write"}


def test_gitlab_reads_what_its_check_writes(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = workflow("gitlab.yml")["schedule"]

    assert call(job["script"]) == 2
    assert (specs / job["artifacts"]["reports"]["junit"]).is_file()
