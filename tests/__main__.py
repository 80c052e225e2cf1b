"""`python -m tests`: format, lint, types, rooms, then pytest; stops at the first failure.

Arguments go to pytest: `python -m tests tests/stage -k shard`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGES: dict[str, tuple[str, ...]] = {
    "format": ("-m", "ruff", "format", "--check", "--quiet", "."),
    "lint": ("-m", "ruff", "check", "--quiet", "."),
    "types": ("-m", "mypy", "--no-error-summary"),
    "rooms": ("-c", "from importlinter.cli import lint_imports_command as run; run()"),
}


def main(arguments: list[str]) -> int:
    """The exit code of the first stage that fails, else pytest's."""
    for name, command in STAGES.items():
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
        )
        verdict = "failed" if done.returncode else "passed"
        print(f"{name:7}{verdict}  {time.perf_counter() - start:5.1f} s", flush=True)
        if done.returncode:
            print(done.stdout + done.stderr, flush=True)
            return done.returncode
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", *arguments], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
