"""Commands that read bound files: what they show, what they take in place of it, and when they change."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from epochproof.cli._reading import named_files
from epochproof.cli.main import main
from epochproof.language.parse import read
from tests.pages import ROOT

SPEC = """edition 1

bind t = config("train.yaml")

dataset images { size = 100 }

loader train over images {
  ranks = t.devices
  shuffle(seed = t.seed ?? 0)
  shard(ranks, tail = pad)
  batch(8, tail = if t.drop_last then drop else keep)
}

prove "four ranks"          : train.ranks == 4
prove "every image is read" : train.omitted == {}
"""
CONFIG = "devices: 4\nseed: null\ndrop_last: false\n"


@pytest.fixture
def here(here: Path) -> Path:
    """A working folder with a spec and its config."""
    (here / "train.epoch").write_text(SPEC)
    (here / "train.yaml").write_text(CONFIG)
    return here


def test_bindings_are_shown_on_demand(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "train.epoch"]) == 0
    assert "bound" not in capsys.readouterr().out

    assert main(["check", "train.epoch", "--show-bindings"]) == 0
    shown = capsys.readouterr().out
    assert "  bound      t.devices = 4 (train.yaml:1:10)\n" in shown
    assert "             t.seed = null (train.yaml:2:7)\n" in shown


def test_edit_of_the_config_alone_changes_what_a_hook_sees(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "."]) == 0
    (here / "train.yaml").write_text(CONFIG.replace("4", "3"))
    capsys.readouterr()

    assert main(["check", "."]) == 1

    shown = capsys.readouterr().out
    assert '✗ refuted  prove "four ranks"' in shown and '✓ proved   "every image is read"' in shown
    assert "bound to  t.devices = 3 (train.yaml:1:10)" in shown

    (here / "train.yaml").write_text(CONFIG.replace("4", "${GPUS}"))
    assert main(["check", "."]) == 3
    (here / "train.yaml").write_text("devices: [4")
    assert main(["check", "."]) == 2
    assert "train.yaml:1:12" in capsys.readouterr().err
    (here / "train.yaml").unlink()
    assert main(["check", "."]) == 2


@pytest.mark.parametrize("options", [[], ["-v"], ["--show-bindings"], ["--format", "json"]])
def test_kept_answer_counts_only_while_the_config_is_the_same(
    options: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EPOCHPROOF_CACHE_DIR", str(here / "kept"))
    assert main(["check", "train.epoch", *options]) == 0
    first = capsys.readouterr().out
    assert main(["check", "train.epoch", *options]) == 0
    assert capsys.readouterr().out.removesuffix("from the cache\n") == first
    assert list((here / "kept").iterdir())

    (here / "train.yaml").write_text(CONFIG.replace("4", "3"))
    assert main(["check", "train.epoch", *options]) == 1
    (here / "train.yaml").write_text(CONFIG)
    assert main(["check", "train.epoch", *options]) == 0
    (here / "train.yaml").unlink()
    assert main(["check", "train.epoch", *options]) == 2


def test_nothing_is_kept_where_a_config_names_the_manifest(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setenv("EPOCHPROOF_CACHE_DIR", str(here / "kept"))
    (here / "train.yaml").write_text("file: clips.csv\n")
    (here / "clips.csv").write_text("id\n1\n2\n")
    (here / "train.epoch").write_text(
        'edition 1\nbind t = config("train.yaml")\ndataset d { manifest = t.file }\nloader l over d { }\n'
        'prove "two" : l.occurrences == 2\n'
    )

    assert main(["check", "train.epoch"]) == 0
    (here / "clips.csv").write_text("id\n1\n2\n3\n")
    assert main(["check", "train.epoch"]) == 1


def test_override_is_no_answer_for_a_later_call(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPOCHPROOF_CACHE_DIR", str(here / "kept"))

    assert main(["check", "train.epoch", "--set", "t.devices=3"]) == 1
    assert main(["check", "train.epoch"]) == 0


def test_watch_sees_bound_files_and_takes_no_override(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert named_files(read("train.epoch")) == ["train.yaml"]
    assert main(["check", "train.epoch", "--watch", "--set", "t.devices=3"]) == 2
    assert "`--watch` and `--set` do not go together" in capsys.readouterr().err


def test_page_names_the_values_behind_a_claim(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "train.epoch", "-o", "page.html", "--set", "t.devices=3"]) == 0

    assert "t.devices = 3 (--set, in place of 4 at train.yaml:1:10)" in (here / "page.html").read_text()


def test_override_is_told_with_the_verdicts(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "train.epoch", "--set", "t.devices=3", "--set", "t.drop_last = true"]) == 1

    shown = capsys.readouterr().out
    assert "  bound      t.devices = 3 (--set, in place of 4 at train.yaml:1:10)\n" in shown
    assert "t.drop_last = true (--set, in place of false at train.yaml:3:12)" in shown


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--set", "t.device=3"], "E708"),
        (["--set", "train.ranks=3"], "E708"),
        (["--set", "t.devices"], "E513"),
        (["--set", "t.devices="], "E513"),
        (["--set", "t.devices=3", "--set", "t.devices=4"], "E513"),
    ],
)
def test_override_that_says_nothing_is_refused(
    options: list[str], code: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "train.epoch", *options]) == 2
    assert f"error[{code}]" in capsys.readouterr().err


def test_override_of_several_specs_must_be_used_by_one(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "other.epoch").write_text("edition 1\ndataset d { size = 1 }\n")

    assert main(["check", ".", "--set", "t.devices=3"]) == 1
    assert main(["check", ".", "--set", "t.device=3"]) == 2
    assert "no spec binds `t.device`" in capsys.readouterr().err


def test_json_has_the_bindings(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "train.epoch", "--format", "json", "--set", "t.drop_last=true"])

    document = json.loads(capsys.readouterr().out)
    schema = json.loads((ROOT / "spec" / "schemas" / "check-1.json").read_text())
    jsonschema.validate(document, schema)
    (file,) = document["files"]
    assert file["bindings"] == [
        {"name": "t.devices", "value": "4", "path": "train.yaml", "line": 1, "column": 10},
        {"name": "t.seed", "value": "null", "path": "train.yaml", "line": 2, "column": 7},
        {"name": "t.drop_last", "value": "true", "path": "--set", "instead_of": "false at train.yaml:3:12"},
    ]
    assert file["claims"][0]["bindings"] == ["t.devices", "t.seed", "t.drop_last"]


def test_count_takes_bound_and_free_values(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.epoch").write_text(SPEC.replace("size = 100", "size in 1.."))

    assert main(["count", "train.epoch", "--set", "images.size=10", "--set", "t.devices=3"]) == 0
    assert "occurrences  12" in capsys.readouterr().out


def test_count_needs_what_cannot_be_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.yaml").write_text(CONFIG.replace("4", "auto").replace("false", "auto"))

    assert main(["count", "train.epoch"]) == 2
    assert "`t.drop_last` cannot be read: `auto`" in capsys.readouterr().err
    assert main(["count", "train.epoch", "--set", "t.drop_last=false"]) == 2
    assert "`train` needs a value for `t.devices`" in capsys.readouterr().err
    assert main(["count", "train.epoch", "--set", "t.drop_last=false", "--set", "t.devices=3"]) == 0


def test_explain_shows_the_values_of_one_claim(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "train.epoch", "1", "--set", "t.devices=3"]) == 0

    shown = capsys.readouterr().out
    assert shown.splitlines()[2:4] == ["", "refuted, and `prove` states otherwise"]
    assert "bound to  t.devices = 3 (--set, in place of 4 at train.yaml:1:10)" in shown


def test_diff_reads_the_config_of_the_revision(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "First"],
    ):
        subprocess.run(["git", *command], check=True, cwd=here)  # noqa: S607 -- the git of the machine

    assert main(["diff", "train.epoch", "--against", "git:HEAD"]) == 0
    (here / "train.yaml").write_text(CONFIG.replace("4", "3"))
    assert main(["diff", "train.epoch", "--against", "git:HEAD"]) == 1
    (here / "train.yaml").write_text(CONFIG.replace("4", "auto"))
    assert main(["diff", "train.epoch", "--against", "git:HEAD"]) == 2
    assert "`t.devices` cannot be read" in capsys.readouterr().err


def test_spec_on_the_standard_input_is_bound_from_here(
    here: Path, typed: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed(SPEC.encode())

    assert main(["check", "-"]) == 0


def test_bindings_are_formatted(
    here: Path, typed: Callable[[bytes], None], capsys: pytest.CaptureFixture[str]
) -> None:
    typed(
        b'edition 1\nbind   t=config( "train.yaml" ) # one\nbind launch = config("l.json")\n'
        b"dataset d { size = t.n??launch . n }\n".replace(b" . ", b".")
    )

    assert main(["fmt", "-"]) == 0

    assert capsys.readouterr().out == (
        'edition 1\nbind t      = config("train.yaml")  # one\nbind launch = config("l.json")\n'
        "dataset d { size = t.n ?? launch.n }\n"
    )
