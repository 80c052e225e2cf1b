"""Traces beside schedules: random faults are each caught, counted and named as plain lists say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from epochproof.audit.audit import audit
from epochproof.report._audit import Audited
from tests.audit.differences import differences, first
from tests.audit.traces import Row, scheduled, write

SPEC = """edition 1
dataset records {{ size = {size} }}
loader train over records {{
  {style}
  ranks = {ranks}
  workers = {workers}
  {stages}
}}
"""
STAGES = {
    "padded": "shard(ranks, tail = pad)  batch(3)",
    "dropped": "shard(ranks, tail = drop)  batch(3, tail = drop)",
    "blocked": "shard(ranks, layout = blocked, tail = uneven)  batch(2, tail = pad)",
    "shuffled": "shuffle(seed = 7)  shard(ranks, tail = pad)  batch(4)  fetch(workers)",
    "own orders": "shuffle(seed = 2, shared = false)  batch(5, tail = drop)",
    "copied": "batch(3)  stop(steps = 2)",
    "twice dealt": "shard(ranks, tail = pad)  shuffle(seed = 1)  batch(2)",
    "single": "shard(ranks, tail = uneven)",
    "drawn": "draw(7, seed = 3)  batch(2)",
}
STREAMS = {
    "slots": "shard(ranks * workers)  batch(2)",
    "blocked slots": "shard(ranks * workers, layout = blocked)  batch(2)",
    "workers": "shard(workers)  batch(3, tail = drop)",
    "worker major": "shard(ranks * workers, id = worker_major, tail = drop)  batch(1)",
}
FAULTS = ("drop", "double", "swap", "move", "alien", "stray", "unmark", "mark")


def spec_of(size: int, ranks: int, workers: int, name: str) -> str:
    stream = name in STREAMS
    stages = (STREAMS if stream else STAGES)[name]
    style = "style = iterable" if stream else ""
    return SPEC.format(size=size, ranks=ranks, workers=workers, stages=stages, style=style)


def faulty(  # noqa: C901 -- one arm a fault
    rows: list[Row], faults: list[tuple[str, int, int]], size: int
) -> list[Row]:
    """The rows with some faults."""
    rows = [dict(row) for row in rows]
    for fault, one, other in faults:
        if not rows:
            break
        a, b = rows[one % len(rows)], rows[other % len(rows)]
        match fault:
            case "drop":
                rows.remove(a)
            case "double":
                rows.append(dict(a))
            case "swap":
                a["record"], b["record"] = b["record"], a["record"]
            case "move":
                a["rank"], a["step"], a["slot"] = b["rank"], b["step"], b["slot"]
            case "alien":
                a["record"] = (a["record"] + other) % (2 * size)
            case "stray":
                rows.append({**a, "step": a["step"] + other})
            case "unmark" | "mark":
                a["padded"] = fault == "mark"
    return rows


def told(found: Audited) -> dict[str, int]:
    return {each.kind: each.count for each in found.findings}


def place(found: Audited) -> tuple[Any, ...] | None:
    at = found.first
    return None if at is None else (at.epoch, at.rank, at.step, at.slot)


@pytest.fixture
def audited(tmp_path: Path) -> Callable[..., Audited]:
    def run(spec: str, rows: list[Row], **options: Any) -> Audited:
        said = options.pop("said", {})
        return audit(spec, write(tmp_path / "trace", rows, **said), **options)

    return run


@pytest.mark.parametrize("name", [*STAGES, *STREAMS])
def test_scheduled_run_is_as_scheduled(name: str, audited: Callable[..., Audited]) -> None:
    spec = spec_of(17, 3, 2, name)
    rows = scheduled(spec, epochs=2)

    found = audited(spec, rows)

    assert told(found) == {} and found.exit_code == 0
    assert found.run.occurrences == found.due == len(rows)
    assert found.run.distinct == len({row["record"] for row in rows})


_RANDOM = settings(deadline=None, derandomize=True, phases=[Phase.generate])


@pytest.mark.parametrize("name", ["padded", "blocked", "own orders", "slots", "worker major"])
def test_scheduled_run_of_too_few_records_is_as_scheduled(name: str, audited: Callable[..., Audited]) -> None:
    spec = spec_of(2, 4, 3, name)

    assert audited(spec, scheduled(spec)).exit_code == 0


@given(st.data())
@settings(_RANDOM, max_examples=8)
def test_random_faults_are_named_as_lists_name_them(data: st.DataObject) -> None:
    check_random_faults(data)


@pytest.mark.slow
@given(st.data())
@settings(_RANDOM, max_examples=100, derandomize=False)
def test_many_random_faults_are_named_as_lists_name_them(data: st.DataObject) -> None:
    check_random_faults(data)


def check_random_faults(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*STAGES, *STREAMS]))
    size, ranks, workers = (
        data.draw(st.integers(1, 40)),
        data.draw(st.integers(1, 4)),
        data.draw(st.integers(0, 3)),
    )
    number = st.integers(0, 60)
    faults = data.draw(st.lists(st.tuples(st.sampled_from(FAULTS), number, number), min_size=1, max_size=6))
    spec = spec_of(size, ranks, workers, name)
    due = scheduled(spec, epochs=2)
    read = faulty(due, faults, size)

    with TemporaryDirectory() as folder:
        found = audit(spec, write(Path(folder), read), set={})

    wanted = differences(due, read, size)
    assert told(found) == wanted
    if first(due, read) is not None:
        assert place(found) == first(due, read)


OPEN = spec_of(23, 4, 0, "padded").replace("shard(", "shuffle(seed = any)  shard(", 1)


def test_open_order_is_learned(audited: Callable[..., Audited]) -> None:
    rows = scheduled(OPEN, {"train.seed": 11}, epochs=2)

    found = audited(OPEN, rows)

    assert (found.exit_code, found.order) == (0, "learned")


def test_swap_under_an_open_order_is_another_order(audited: Callable[..., Audited]) -> None:
    rows = faulty(scheduled(OPEN, {"train.seed": 11}), [("swap", 3, 9)], 23)

    assert audited(OPEN, rows).exit_code == 0


def test_padding_that_repeats_another_record_is_no_order(audited: Callable[..., Audited]) -> None:
    rows = scheduled(OPEN, {"train.seed": 11})
    last = next(row for row in rows if row["padded"])
    last["record"] = (last["record"] + 1) % 23

    found = audited(OPEN, rows)

    assert found.exit_code == 1
    assert (found.first and found.first.rank, last["rank"]) == (3, 3)


def test_record_at_two_positions_is_no_order(audited: Callable[..., Audited]) -> None:
    rows = scheduled(OPEN, {"train.seed": 11})
    rows[1]["record"] = rows[0]["record"]

    found = audited(OPEN, rows)

    assert told(found)["repeated"] == 1


def test_ranks_that_disagree_on_the_order_are_seen(audited: Callable[..., Audited]) -> None:
    rows = [row for row in scheduled(OPEN, {"train.seed": 11}) if row["rank"] < 2]
    rows += [row for row in scheduled(OPEN, {"train.seed": 12}) if row["rank"] >= 2]

    found = audited(OPEN, rows)

    assert found.exit_code == 1
    assert "all ranks agree on the seed and the epoch" in [each.text for each in found.broken]


def test_known_order_is_another_one_than_what_was_read(audited: Callable[..., Audited]) -> None:
    rows = scheduled(OPEN, {"train.seed": 11})

    found = audited(OPEN, rows, set={"train.seed": 12})

    assert found.exit_code == 1 and found.order == "known"
    assert set(told(found)) <= {"rank", "step", "order", "missing", "repeated"}
