"""What is loaded when: a fresh interpreter prints it, and the texts are compared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("click", "duckdb", "lark", "numpy", "pyarrow", "pydantic", "rich", "torch", "yaml", "z3")
SPEC = """edition 1
dataset records { size = 10 }
loader padded over records {
  ranks = 3
  shard(ranks, tail = pad)
}
prove "twelve occurrences" : padded.occurrences == 12
"""
UNREAD = SPEC.replace("size = 10", 'manifest = "clips.parquet", id = clip_id').replace(
    "padded.occurrences == 12", "padded.ranks == 3"
)
CHECK = f"import epochproof; epochproof.check({SPEC!r})"
HELP = """import sys
from epochproof.cli.main import main
try:
    sys.exit(main(["--help"]))
except SystemExit:
    pass
"""


def loaded(script: str, *names: str) -> str:
    """Which of the names a fresh interpreter has loaded after the script, as it prints them."""
    probe = f"{script}\nimport sys\nprint('loaded:', *[name for name in {names} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout.strip().splitlines()[-1]


@pytest.mark.parametrize("name", HEAVY)
def test_probe_sees_what_is_loaded(name: str) -> None:
    pytest.importorskip(name)

    assert loaded(f"import {name}", name) == f"loaded: {name}"


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded("import epochproof", *HEAVY) == "loaded:"


def test_check_loads_neither_torch_nor_numpy() -> None:
    assert loaded(CHECK, "torch", "numpy", "z3") == "loaded: z3"


def test_help_loads_nothing_heavy() -> None:
    assert loaded(HELP, *HEAVY) == "loaded:"


def test_check_loads_no_reader_of_files_that_nothing_binds() -> None:
    assert loaded(CHECK, "yaml", "tomllib", "epochproof.config.bind") == "loaded:"


def test_repeated_check_loads_no_prover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPOCHPROOF_CACHE_DIR", str(tmp_path / "kept"))
    spec = tmp_path / "records.epoch"
    spec.write_text(SPEC)
    again = f"from epochproof.cli.main import main; main(['check', {str(spec)!r}])"

    assert loaded(again, "z3") == "loaded: z3"
    assert loaded(again, *HEAVY, "argparse", "dataclasses", "hashlib", "pathlib", "typing") == "loaded:"


def test_check_loads_no_reader_of_manifests_that_no_claim_needs() -> None:
    reader = ("duckdb", "epochproof.manifest._table", "epochproof.manifest.read")

    assert loaded(CHECK, *reader, "epochproof.schedule.settle") == "loaded:"
    assert loaded(f"import epochproof; epochproof.check({UNREAD!r})", *reader) == "loaded:"
