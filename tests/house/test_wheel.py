"""The wheel holds what an installed package needs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"


@pytest.mark.slow
def test_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(tmp_path),
            str(ROOT),
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("epochproof-*.whl")

    held = set(zipfile.ZipFile(wheel).namelist())

    sources = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()}
    assert {each for each in sources if "__pycache__" not in each and ".egg-info" not in each} <= held
    assert {"epochproof/language/grammar.lark", "epochproof/py.typed"} <= held
    assert any(each.endswith("/codes.toml") for each in held)
