"""Lengths are whole numbers in every format, and sums over them are those of the rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof.diagnostics import SpecError
from epochproof.manifest.lengths import (
    LENGTH,
    different_lengths,
    is_summed,
    listed_lengths,
    sums_over_lengths,
)
from epochproof.manifest.pin import Chosen
from epochproof.term.node import Int, maximum, number, variable
from tests.manifest.tables import FORMATS, HERE, Row, column, manifest, write

LENGTHS = (300, 20, 95, 0, 20)
PARTS = ("train", "val", "train", "val", "test")
CLIP: Int = maximum((variable(LENGTH) - 64) // 32 + 1, 0)


def rows(*lengths: object) -> list[Row]:
    return [{"lengths": each, "part": part} for each, part in zip(lengths, PARTS, strict=False)]


def side(value: str) -> tuple[Chosen, ...]:
    return (Chosen(column("assignment", "part"), value, HERE),)


@pytest.mark.parametrize("kind", ["INTEGER", "UBIGINT", "DOUBLE", "DECIMAL(10, 2)", "VARCHAR"])
@pytest.mark.parametrize("ending", FORMATS)
def test_formats_give_the_same_lengths(ending: str, kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"clips.{ending}", rows(*LENGTHS), lengths=kind)

    read = manifest(path, "lengths")

    assert listed_lengths(read, 5) == LENGTHS
    assert listed_lengths(read, 4) is None
    assert different_lengths(read, (), 4) == {0: 1, 20: 2, 95: 1, 300: 1}
    assert different_lengths(read, (), 3) is None
    assert different_lengths(read, side("val"), 2) == {0: 1, 20: 1}
    asked = [((), CLIP), (side("train"), CLIP), (side("val"), variable(LENGTH)), ((), number(1))]
    assert sums_over_lengths(read, asked) == [9, 9, 20, 5]


@pytest.mark.parametrize("ending", FORMATS)
def test_formats_have_the_same_faults(ending: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"clips.{ending}", rows("-1", "12.5", None, "300", "many"))

    with pytest.raises(SpecError) as raised:
        manifest(path, "lengths")

    (fault,) = raised.value.diagnostics
    assert fault.code == "E616"
    assert fault.message.startswith(
        f"column `lengths` of `clips.{ending}` holds no length in row 1 (`-1`), row 2 (`12.5`), row 3 "
    )
    assert fault.message.endswith("and 1 more row")
    assert fault.help == "a length is a whole number from 0 to 1_000_000_000_000_000"


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [("DOUBLE", "nan"), ("DOUBLE", "1.5"), ("DOUBLE", "inf"), ("DECIMAL(10, 2)", "0.25"), ("BIGINT", "-3")]
    + [("VARCHAR", each) for each in ("1e3", "0x10", "1_000", "", "9" * 30, "1000000000000001")],
)
def test_what_is_no_whole_number_is_refused(kind: str, wrong: str, tmp_path: Path) -> None:
    path = write(tmp_path / "clips.parquet", rows("64", wrong), lengths=kind)

    with pytest.raises(SpecError, match="no length in row 2"):
        manifest(path, "lengths")


def test_column_of_dates_holds_no_lengths(tmp_path: Path) -> None:
    path = write(tmp_path / "clips.parquet", rows("2026-01-01"), lengths="DATE")

    with pytest.raises(SpecError) as raised:
        manifest(path, "lengths")

    assert [each.code for each in raised.value.diagnostics] == ["E607"]


def test_part_without_rows_is_told(tmp_path: Path) -> None:
    read = manifest(write(tmp_path / "clips.csv", rows(*LENGTHS)), "lengths")

    with pytest.raises(SpecError) as raised:
        sums_over_lengths(read, [(side("tset"), CLIP)])

    assert [each.code for each in raised.value.diagnostics] == ["E615"]


def test_sums_beyond_the_integers_of_the_database_are_not_asked_for(tmp_path: Path) -> None:
    read = manifest(write(tmp_path / "clips.csv", rows(*LENGTHS)), "lengths")

    assert is_summed(read, CLIP)
    assert not is_summed(read, CLIP * 10**30)
    assert not is_summed(read, CLIP * variable(LENGTH) * variable(LENGTH))
    assert not is_summed(read, CLIP + variable("window"))
