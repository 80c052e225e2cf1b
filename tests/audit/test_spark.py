"""The same queries on a local Spark: they find what DuckDB finds."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from epochproof.audit.audit import audit
from tests.audit.test_audit import OPEN, faulty, spec_of
from tests.audit.traces import scheduled, write

ENGINE = "spark://local[1]"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("pyspark") is None or shutil.which("java") is None,
        reason="needs pyspark and Java",
    ),
    pytest.mark.filterwarnings("ignore"),
]
FAULTS = [("swap", 3, 30), ("drop", 9, 0), ("double", 4, 0), ("alien", 12, 21), ("stray", 1, 7)]


@pytest.mark.parametrize("name", ["shuffled", "blocked", "slots"])
def test_spark_finds_what_duckdb_finds(name: str, tmp_path: Path) -> None:
    spec = spec_of(22, 3, 2, name)
    rows = scheduled(spec, epochs=2)
    trace = write(tmp_path / "trace", faulty(rows, FAULTS, 22))
    clean = write(tmp_path / "clean", rows)

    spark, duckdb = audit(spec, trace, engine=ENGINE), audit(spec, trace)

    assert duckdb.findings and spark == duckdb
    assert audit(spec, clean, engine=ENGINE).exit_code == 0


def test_spark_learns_an_open_order(tmp_path: Path) -> None:
    trace = write(tmp_path / "trace", scheduled(OPEN, {"train.seed": 11}))

    assert audit(OPEN, trace, engine=ENGINE) == audit(OPEN, trace)
