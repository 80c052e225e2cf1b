"""The recorder of bare loops: as many calls are made as a run made."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SPEC = """edition 1
dataset records { size in 1..9 }
loader train over records {
  ranks in 1..3
  shuffle(seed = any)
  shard(ranks)
  batch(2)
  resume(position = consumed)
}
refute "twelve are read" : train.occurrences == 12
"""


@pytest.mark.slow
def test_the_bare_loops_make_the_calls_of_a_run(tmp_path: Path) -> None:
    spec, calls = tmp_path / "train.epoch", tmp_path / "calls.json"
    spec.write_text(SPEC)
    for does in ("record", "loop"):
        command = [sys.executable, "-m", "tests.bare_loops", does, str(spec), str(calls)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    written = json.loads(calls.read_text())
    assert done.stdout == f"{len(written)} objects read\n"
    assert {"StageByStage", "Fused"} <= {each.get("object") for each in written}
    assert "StatefulDataLoader" in {each.get("way") for each in written}
