"""The hooks, as the real pre-commit installs and runs them in a project's repository, without a network.

The environments of the hooks are built from a copy of this tree. Their pip may ask no index, so what the
package depends on is lent to them through `PYTHONPATH`, and torch only where a hook asks for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("pre_commit", reason="pre-commit is not installed")
pytest.importorskip("hatchling", reason="hatchling is not installed, and pip may not fetch it")
pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
CONFIG = """repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: epochproof-fmt
      - id: epochproof-check{files}
      - id: epochproof-run
"""
WIDENED = "\n        files: (\\.epoch|clips\\.csv|train\\.yaml)$"
ROWS = "clip_id\na\nb\nc\nd\n"
SPEC = """edition 1

dataset clips {
  manifest = "clips.csv"
  id       = clip_id
}

loader train over clips {
  ranks = 2
  shard(ranks, tail = pad)
}

prove "nothing is read twice" : train.multiplicity == 1
"""
CONFIG_OF_A_TRAINING = "trainer:\n  devices: 4\n"
BOUND = """edition 1

bind t = config("train.yaml")

dataset images { size = 8 }

loader train over images {
  ranks = t.trainer.devices
  shard(ranks, tail = pad)
}

prove "no image is read twice" : train.multiplicity == 1
"""


@dataclass(frozen=True)
class Project:
    """A git repository that uses the hooks, with a spec, the manifest that it reads, and a config."""

    at: Path
    env: dict[str, str]

    def call(self, *command: str) -> tuple[int, str]:
        """The exit code of a command, and what it wrote to both streams."""
        done = subprocess.run(
            command,
            cwd=self.at,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout

    def commit(self, name: str, text: str) -> tuple[int, str]:
        """What `git commit` says about a file that is written."""
        (self.at / name).write_text(text)
        self.call("git", "add", "-A")
        return self.call("git", "commit", "-m", "change")

    def pre_commit(self, *arguments: str) -> tuple[int, str]:
        return self.call(sys.executable, "-m", "pre_commit", *arguments)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the tests share: the hooks' repository, their environments, lent packages."""
    place = tmp_path_factory.mktemp("hooks")
    (place / "gitconfig").write_text("[user]\nname = someone\nemail = someone@example.org\n")
    repository = place / "epochproof"
    shutil.copytree(ROOT / "src", repository / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for part in PARTS:
        shutil.copy(ROOT / part, repository / part)
    made = Project(repository, environment(place, "light"))
    for command in ("init", "add -A", "commit -m all"):
        code, said = made.call("git", *command.split())
        assert code == 0, said
    lend(place / "light", without=("epochproof", "__editable__", "torch", "functorch"))
    lend(place / "heavy", without=("epochproof", "__editable__"))
    return place


def lend(folder: Path, without: tuple[str, ...]) -> None:
    """A folder of links to the packages that are installed here."""
    folder.mkdir()
    sites = [Path(each) for each in sys.path if each.endswith("site-packages")]
    for each in (each for site in sites for each in site.iterdir() if not each.name.startswith(without)):
        if not (folder / each.name).exists():
            (folder / each.name).symlink_to(each)


def environment(place: Path, lent: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "GIT_CONFIG_GLOBAL": str(place / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as the value of `build_isolation`
        "PIP_NO_INDEX": "1",
        "PRE_COMMIT_HOME": str(place / f"cache-{lent}"),
        "PYTHONPATH": str(place / lent),
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
        "VIRTUALENV_OVERRIDE_APP_DATA": str(place / "virtualenv"),
    }


def project(place: Path, at: Path, *, lent: str = "light", files: str = WIDENED) -> Project:
    """A project with the hooks installed, whose first commit has passed them."""
    new = Project(at / "project", environment(place, lent))
    new.at.mkdir()
    revision = Project(place / "epochproof", new.env).call("git", "rev-parse", "HEAD")[1].strip()
    config = CONFIG.format(repository=place / "epochproof", revision=revision, files=files)
    (new.at / ".pre-commit-config.yaml").write_text(config)
    (new.at / "clips.csv").write_text(ROWS)
    (new.at / "train.yaml").write_text(CONFIG_OF_A_TRAINING)
    new.call("git", "init")
    new.pre_commit("install", "--hook-type", "pre-commit")
    code, said = new.commit("train.epoch", SPEC)
    assert code == 0, said
    return new


def test_manifest_of_the_hooks_is_valid(place: Path, tmp_path: Path) -> None:
    here = Project(tmp_path, environment(place, "light"))

    assert here.pre_commit("validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")) == (0, "")


def test_right_spec_passes(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)

    code, said = here.commit("train.epoch", SPEC.replace("ranks = 2", "ranks = 4"))

    assert (code, said.count("Passed")) == (0, 2), said


def test_claim_that_is_not_as_stated_is_refused(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)

    code, said = here.commit("train.epoch", SPEC.replace("ranks = 2", "ranks = 3"))

    assert code == 1
    assert 'refuted  prove "nothing is read twice"' in said


def test_wrong_spec_is_refused(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)

    code, said = here.commit("train.epoch", SPEC.replace("shard", "shrad"))

    assert code == 1
    assert "unknown stage `shrad`" in said


def test_badly_formatted_spec_is_formatted_and_passes_then(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)
    before = SPEC.replace("ranks = 2", "ranks   =    4")

    code, said = here.commit("train.epoch", before)
    written = (here.at / "train.epoch").read_text()

    assert code == 1 and "train.epoch formatted" in said
    assert written == SPEC.replace("ranks = 2", "ranks = 4")
    assert here.commit("train.epoch", written)[0] == 0


def test_change_of_the_manifest_alone_has_the_claims_judged(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)

    code, said = here.commit("clips.csv", ROWS + "e\n")

    assert code == 1
    assert 'refuted  prove "nothing is read twice"' in said


def test_change_of_the_config_alone_has_the_claims_judged(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)
    assert here.commit("bound.epoch", BOUND)[0] == 0

    code, said = here.commit("train.yaml", CONFIG_OF_A_TRAINING.replace("4", "3"))

    assert code == 1
    assert 'refuted  prove "no image is read twice"' in said
    assert "t.trainer.devices = 3 (train.yaml:2:12)" in said


def test_without_wider_files_the_manifest_alone_does_not(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path, files="")

    code, said = here.commit("clips.csv", ROWS + "e\n")

    assert (code, said.count("(no files to check)Skipped")) == (0, 2), said


def test_check_has_no_torch(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path)
    pythons = sorted((place / "cache-light").glob("repo*/py_env*/bin/python"))

    assert pythons
    for python in pythons:
        code, said = here.call(str(python), "-c", "import torch")
        assert (code, "No module named 'torch'" in said) == (1, True)


@pytest.mark.slow
def test_run_waits_for_the_push_and_runs_torch(place: Path, tmp_path: Path) -> None:
    here = project(place, tmp_path, lent="heavy")

    code, said = here.pre_commit("run", "--all-files", "--hook-stage", "pre-push", "--verbose")

    assert code == 0, said
    assert "the model and torch agree on " in said
    assert "epochproof-run" not in here.pre_commit("run", "--all-files", "--verbose")[1]
