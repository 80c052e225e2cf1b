"""Leaks between parts of a manifest, compared with plain Python on random small tables."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from epochproof.diagnostics import SpecError
from epochproof.manifest import leaks
from epochproof.manifest.leaks import Leaks, Pair, Sides, overlaps, shared_keys, shared_records
from epochproof.manifest.parts import part_sizes
from epochproof.manifest.pin import Chosen
from tests.manifest.tables import FORMATS, HERE, Row, column, manifest, write

PARTS = ("train", "val")
KEY = column("key")
TYPES = {"start": "INTEGER", "end": "BIGINT"}
FLOATS = {"start": "DOUBLE", "end": "DOUBLE"}


def sides(*parts: str) -> Sides:
    """Each part as the rows in which `part` holds its name; all rows for an empty name."""
    one, other = (((Chosen(column("part"), part, HERE),) if part else ()) for part in parts)
    return one, other


def table(seed: int, *, unit: float = 1) -> list[Row]:
    """A random table: keys and sources in few values, intervals that are often empty or alike."""
    drawn = random.Random(seed)  # noqa: S311 -- repeats, and guards nothing
    rows: list[Row] = [
        {"part": part, "key": f"k{at}", "source": "s", "start": 0, "end": 0} for at, part in enumerate(PARTS)
    ]
    for _ in range(drawn.randrange(12)):
        start = drawn.randrange(12)
        rows.append(
            {
                "part": drawn.choice(["train", "val", "test", None]),
                "key": f"k{drawn.randrange(9)}",
                "source": drawn.choice(["s", "t"]),
                "start": start * unit,
                "end": (start + drawn.randrange(4)) * unit,
            }
        )
    drawn.shuffle(rows)
    return rows


def keys_that_meet(rows: list[Row]) -> Leaks:
    """The oracle of `shared_keys`."""
    first = {part: dict[str, int]() for part in PARTS}
    for at, row in enumerate(rows):
        if row["part"] in PARTS:
            first[row["part"]].setdefault(row["key"], at)
    both = first["train"].keys() & first["val"].keys()
    pairs = [Pair(first["train"][key], first["val"][key], key) for key in both]
    return Leaks(len(both), tuple(sorted(pairs, key=lambda pair: min(pair.one, pair.other))[:3]))


def intervals_that_meet(
    rows: list[Row], margin: Fraction | int = 0, *, sources: bool = True
) -> list[tuple[int, int]]:
    """The oracle of `overlaps`: the first overlap of each record of the other part that has one."""
    found = []
    for other, theirs in enumerate(rows):
        for one, mine in enumerate(rows):
            held = all(row["start"] < row["end"] for row in (mine, theirs))
            parts = (mine["part"], theirs["part"]) == PARTS
            near = mine["start"] - margin < theirs["end"] and theirs["start"] < mine["end"] + margin
            if held and parts and near and (not sources or mine["source"] == theirs["source"]):
                found.append((one, other))
                break
    return found


@pytest.mark.parametrize("seed", range(25))
def test_shared_keys_are_those_of_the_lists(seed: int, tmp_path: Path) -> None:
    rows = table(seed)
    path = write(tmp_path / f"clips.{FORMATS[seed % 5]}", rows, **TYPES)

    assert shared_keys(manifest(path), sides(*PARTS), KEY) == keys_that_meet(rows)


@pytest.mark.parametrize("seed", range(50))
def test_overlaps_are_those_of_the_lists(seed: int, tmp_path: Path) -> None:
    floats, margin, sources = seed % 2 == 1, seed % 3, seed % 7 > 0
    rows = table(seed, unit=0.5 if floats else 1)
    path = write(tmp_path / f"clips.{FORMATS[seed % 5]}", rows, **(FLOATS if floats else TYPES))
    expected = intervals_that_meet(rows, margin, sources=sources)

    found = overlaps(
        manifest(path, "start", "end", *(["source"] if sources else [])), sides(*PARTS), margin=margin
    )

    assert found.count == len(expected)
    assert [(pair.one, pair.other) for pair in found.pairs] == expected[:3]
    assert {pair.shared for pair in found.pairs} <= ({"s", "t"} if sources else {""})


def test_random_tables_leak_and_do_not() -> None:
    assert {bool(keys_that_meet(table(seed)).count) for seed in range(25)} == {True, False}
    assert {bool(intervals_that_meet(table(seed))) for seed in range(50)} == {True, False}


WINDOWS: list[Row] = [
    {"part": "train", "source": "a", "start": 0, "end": 64},
    {"part": "val", "source": "a", "start": 64, "end": 128},
    {"part": "val", "source": "b", "start": 0, "end": 64},
]


@pytest.mark.parametrize(("margin", "count"), [(0, 0), (Fraction(1, 10**9), 1), (1, 1)])
def test_neighbours_meet_within_a_margin(margin: Fraction | int, count: int, tmp_path: Path) -> None:
    path = write(tmp_path / "clips.csv", WINDOWS)

    found = overlaps(manifest(path, "start", "end", "source"), sides(*PARTS), margin=margin)

    assert found.count == count
    assert found.pairs == ((Pair(0, 1, "a", (("0", "64"), ("64", "128"))),) if count else ())


def test_large_bounds_are_exact(tmp_path: Path) -> None:
    far = 1_700_000_000_000_000_001
    rows = [{**row, "start": row["start"] + far, "end": row["end"] + far} for row in WINDOWS]
    rows[0]["end"] += 1
    path = write(tmp_path / "clips.csv", rows)

    assert overlaps(manifest(path, "start", "end", "source"), sides(*PARTS)).count == 1


def test_parts_that_share_records_meet_in_them(tmp_path: Path) -> None:
    rows: list[Row] = [{**row, "id": f"c{at}"} for at, row in enumerate(WINDOWS)]
    read = manifest(write(tmp_path / "clips.csv", rows), "id", "start", "end", "source")
    both = sides("val", "")

    assert part_sizes(read, both) == [2, 3]
    assert shared_records(read, both) == Leaks(
        2, (Pair(1, 1, "", ids=("c1", "c1")), Pair(2, 2, "", ids=("c2", "c2")))
    )
    assert shared_keys(read, both, column("source")).count == 2
    assert [(each.one, each.other) for each in overlaps(read, both).pairs] == [(1, 1), (2, 2)]
    assert shared_records(read, sides(*PARTS)) == Leaks(0, ())


def faults(call: object) -> list[tuple[str, str, str]]:
    with pytest.raises(SpecError) as raised:
        call()  # type: ignore[operator]
    return [(each.code, each.message, each.help) for each in raised.value.diagnostics]


def test_misspelt_part_is_told_with_a_suggestion(tmp_path: Path) -> None:
    read = manifest(write(tmp_path / "clips.csv", WINDOWS))

    assert faults(lambda: shared_keys(read, sides("train", "vall"), column("source"))) == [
        ("E615", "column `part` of `clips.csv` assigns no record to `vall`", "did you mean `val`?")
    ]


def test_missing_key_is_refused_in_a_part_and_nowhere_else(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"part": part, "key": key} for part, key in (("test", None), ("train", "a"), ("val", "b"))
    ]
    read = manifest(write(tmp_path / "clips.csv", rows))
    assert shared_keys(read, sides(*PARTS), KEY).count == 0

    rows.append({"part": "val", "key": None})
    read = manifest(write(tmp_path / "clips.csv", rows))
    ((code, message, _),) = faults(lambda: shared_keys(read, sides(*PARTS), KEY))

    assert (code, message) == ("E608", "column `key` of `clips.csv` holds nothing in row 4")


def test_intervals_and_margins_are_needed(tmp_path: Path) -> None:
    read = manifest(write(tmp_path / "clips.csv", WINDOWS))
    whole = manifest(write(tmp_path / "clips.csv", WINDOWS), "start", "end")

    assert faults(lambda: overlaps(read, sides(*PARTS)))[0][:2] == (
        "E614",
        "dataset `clips` has no intervals",
    )
    for margin in (Fraction(1, 3), -1):
        found = faults(lambda: overlaps(whole, sides(*PARTS), margin=margin))  # noqa: B023 -- called at once
        assert found[0][1] == f"`{margin}` is no margin"


def test_file_that_changed_after_it_was_checked_is_refused(tmp_path: Path) -> None:
    read = manifest(write(tmp_path / "clips.csv", WINDOWS))
    write(tmp_path / "clips.csv", WINDOWS[:2])

    assert faults(lambda: shared_keys(read, sides(*PARTS), column("source")))[0][:2] == (
        "E612",
        "`clips.csv` changed while it was read",
    )


PLANTED = [
    ("OR earliest < high", ""),
    ("latest > low OR", ""),
    ("latest > low", "latest >= low"),
    ("earliest < high", "earliest <= high"),
    ("PARTITION BY whence ORDER BY low RANGE BETWEEN UNBOUNDED", "ORDER BY low RANGE BETWEEN UNBOUNDED"),
    ("max(CASE WHEN side = 1 THEN high END)", "last_value(CASE WHEN side = 1 THEN high END)"),
    ("WHEN side = 1 THEN low", "WHEN side = 2 THEN low"),
]


@pytest.mark.parametrize(("right", "wrong"), PLANTED)
def test_planted_fault_is_caught(
    right: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert right in leaks._MEETING
    monkeypatch.setattr(leaks, "_MEETING", leaks._MEETING.replace(right, wrong))

    def differs(seed: int) -> bool:
        rows = table(seed)
        read = manifest(write(tmp_path / f"{seed}.csv", rows), "start", "end", "source")
        return overlaps(read, sides(*PARTS)).count != len(intervals_that_meet(rows))

    assert any(map(differs, range(50)))
