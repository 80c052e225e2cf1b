"""`epochproof run`: what it prints and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from epochproof.cli.main import main
from epochproof.stage.shard import Shard

SPEC = """edition 1
dataset d { size in 1.. }
loader l over d {
  ranks = 3
  shard(ranks, tail = pad)
}
prove "nothing is lost" : l.omitted == {}
"""


def _shifted(self: Shard, p: Any, here: Any) -> Any:
    return p + here.lane.rank


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.epoch"
    path.write_text(SPEC)
    return path


def test_agreement_ends_with_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["run", str(file)])

    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert "the model and torch agree on " in out


def test_json_is_one_document(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["run", "--format", "json", str(file)])

    document = json.loads(capsys.readouterr().out)
    assert (code, document["schema"], document["drift"]) == (0, "epochproof/run/1", False)
    assert document["loaders"][0]["agrees"] is True


def test_claim_that_is_not_as_stated_ends_with_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SPEC.replace("omitted == {}", "padding == 0"))

    code = main(["run", str(file)])

    assert code == 1
    assert 'prove "nothing is lost" is refuted' in capsys.readouterr().out


def test_drift_ends_with_4(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Shard, "_flat", _shifted)

    code = main(["run", str(file)])

    out = capsys.readouterr().out
    assert code == 4
    assert "the model says record 1, torch says record 3" in out
    assert out.endswith("drift: the model and torch differ\n")


def test_wrong_spec_ends_with_2(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SPEC.replace("shard", "shrad"))

    code = main(["run", str(file)])

    assert code == 2
    assert "unknown stage `shrad`" in capsys.readouterr().err


def test_without_torch_one_line_says_how_to_install_it(file: Path) -> None:
    script = f"""import sys
sys.modules["torch"] = None
from epochproof.cli.main import main
sys.exit(main(["run", {str(file)!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error[E401]: running the loader needs torch: `pip install 'epochproof[torch]'`\n"


def test_folder_stands_for_the_specs_below_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file.parent / "b.epoch").write_text(SPEC.replace("ranks = 3", "ranks = 2"))

    code = main(["run", str(file.parent)])

    out, err = capsys.readouterr()
    assert (code, err, out.count("the model and torch agree on ")) == (0, "", 2)


def test_wrong_spec_stops_no_other_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file.parent / "0.epoch").write_text(SPEC.replace("shard", "shrad"))

    code = main(["run", str(file.parent)])

    out, err = capsys.readouterr()
    assert (code, out.count("the model and torch agree on ")) == (2, 1)
    assert "unknown stage `shrad`" in err


def test_drift_is_worse_than_a_wrong_spec(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "0.epoch").write_text("edition 1\nnonsense\n")
    monkeypatch.setattr(Shard, "_flat", _shifted)

    code = main(["run", str(file.parent)])

    assert code == 4
    assert "drift: the model and torch differ" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--processes"], ["--format", "json"], ["--loader", "a:b"]])
def test_some_options_are_for_one_spec(
    file: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "b.epoch").write_text(SPEC)

    code = main(["run", *option, str(file.parent)])

    assert code == 2
    assert "are for one spec" in capsys.readouterr().err
