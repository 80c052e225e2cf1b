"""The function `epochproof.audit`, whose name is that of the room, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import epochproof
from tests.audit.traces import scheduled, write

SPEC = """edition 1
dataset records { size = 10 }
loader train over records { ranks = 3, shard(ranks, tail = pad), batch(4) }
""".replace(", ", "\n")


def test_function_has_the_name_of_the_room(tmp_path: Path) -> None:
    spec = SPEC.replace("shard(ranks\n", "shard(ranks, ")
    write(tmp_path / "trace", scheduled(spec))

    assert epochproof.audit(spec, tmp_path / "trace").exit_code == 0


@pytest.mark.parametrize("first", ["import epochproof.audit.trace", "from epochproof.observe import record"])
def test_function_is_called_whatever_was_imported_before(first: str) -> None:
    script = f"{first}\nimport epochproof\nassert callable(epochproof.audit)"

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
