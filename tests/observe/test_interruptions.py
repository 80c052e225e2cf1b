"""Interrupted for real: what a skip, a loaded state or a count leads to is what the model says."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

import epochproof
from epochproof.observe.interruption import Job, jobs_of, ways
from epochproof.observe.interruptions import ENDED, SHORT, Interruptions
from epochproof.observe.torch_room import quiet
from epochproof.stage._skip import Skip
from epochproof.term.node import number
from tests.observe.bench import ran, spec

WORLDS = (
    "",
    ", ranks = 1",
    ", ranks = 3",
    ", ranks = 4",
    ", batch = 1",
    ", batch = 3",
    ", ranks = 3, batch = 4",
)
SIZES = (0, 1, 11, 24, 25)


def interruptions(stages: str, settings: str, size: int) -> tuple[Interruptions, dict[str, int]]:
    """The loader, ready to be interrupted after any number of steps."""
    schedule = epochproof.load(spec(stages, settings=settings, size=f"= {size}"))
    loader = schedule.loaders["l"]
    values = {
        name: at if each.seed else 0 for at, (name, each) in enumerate(schedule.scope.parameters.items())
    }
    return Interruptions(torch, loader, tuple(values)), values


def differences(stages: str, settings: str, size: int, *, processes: bool = False) -> object:
    found, values = interruptions(stages, settings, size)
    with quiet():
        return found.difference(values, (0, 1), processes=processes)


@pytest.mark.parametrize("batch", ["keep", "drop"])
@pytest.mark.parametrize("tail", ["pad", "drop"])
@pytest.mark.parametrize("options", WORLDS)
def test_every_stopping_step_on_other_ranks_and_batches(options: str, tail: str, batch: str) -> None:
    stages = f"shuffle(seed = 3); shard(ranks, tail = {tail}); batch(2, tail = {batch})"
    for size in SIZES:
        for counter in ("rank", "global"):
            resume = f"resume(position = consumed, counter = {counter}{options})"
            assert differences(f"{stages}; {resume}", "ranks = 2\n  epochs = 2", size) is None


@pytest.mark.parametrize(
    "stages",
    [
        "shuffle(seed = 0); batch(2); resume(order = fresh, seed = 4)",
        "shuffle(seed = 0); batch(2); resume(position = epoch_start)",
        "shuffle(seed = 0); resume(position = consumed)",
        "shard(ranks, tail = uneven); batch(2); resume(position = consumed, ranks = 3)",
        "shard(ranks, layout = blocked); batch(3, tail = pad); resume(position = consumed)",
        "batch(2); stop(steps = 4); resume(position = consumed, batch = 3)",
        "shuffle(seed = 3); shard(ranks); batch(2, tail = drop); accumulate(2); resume(ranks = 3)",
    ],
)
def test_other_ways_to_go_on(stages: str) -> None:
    for size in SIZES:
        assert differences(stages, "ranks = 2\n  epochs = 2", size) is None


@pytest.mark.parametrize(
    "stages",
    [
        "shuffle(seed = 0); batch(2); fetch(2); resume(position = fetched)",
        "shuffle(seed = 0); batch(3, tail = drop); fetch(1, prefetch = 4); resume(position = fetched)",
        "shuffle(seed = 0); shard(ranks); batch(2); fetch(2); resume(position = consumed)",
        "shard(ranks); batch(2); fetch(3); resume(position = consumed, batch = 3)",
    ],
)
def test_with_worker_processes(stages: str) -> None:
    for size in (11, 26):
        assert differences(stages, "ranks = 2", size, processes=True) is None


@pytest.mark.parametrize("counter", ["rank", "global"])
@pytest.mark.parametrize("options", WORLDS)
def test_several_stops_in_a_row_on_other_ranks_and_batches(options: str, counter: str) -> None:
    for size, tail, batch in (
        (0, "pad", "keep"),
        (11, "uneven", "drop"),
        (24, "drop", "keep"),
        (25, "pad", "drop"),
    ):
        for words in ("position = consumed", "position = epoch_start", "order = fresh"):
            stages = f"shuffle(seed = 3); shard(ranks, tail = {tail}); batch(2, tail = {batch})"
            resume = f"resume({words}, counter = {counter}{options}, times = 2)"
            assert differences(f"{stages}; {resume}", "ranks = 2", size) is None


@pytest.mark.parametrize(
    "stages",
    [
        "shuffle(seed = 0); batch(2); resume(times = 8)",
        "shuffle(seed = 0); resume(order = fresh, times = 3)",
        "shard(ranks, layout = blocked); batch(3, tail = pad); resume(times = 3)",
        "batch(2); stop(steps = 4); resume(batch = 3, times = 3)",
        "shard(ranks); stop(steps = 5); batch(2); resume(batch = 3, counter = global, times = 3)",
        "shuffle(seed = 3); shard(ranks); batch(2, tail = drop); accumulate(2); resume(ranks = 3, times = 3)",
    ],
)
def test_other_ways_to_go_on_several_times(stages: str) -> None:
    for size in SIZES:
        assert differences(stages, "ranks = 2\n  epochs = 2", size) is None


@pytest.mark.parametrize(
    "stages",
    [
        "shuffle(seed = 0); batch(2); fetch(2, prefetch = 1); resume(position = fetched, times = 2)",
        "batch(1); fetch(1, prefetch = 2); resume(position = fetched, batch = 2, times = 3)",
        "shuffle(seed = 0); shard(ranks); batch(2); fetch(2); resume(times = 2)",
        "shard(ranks); batch(2); fetch(2); resume(batch = 3, times = 2)",
    ],
)
def test_several_stops_with_worker_processes(stages: str) -> None:
    assert differences(stages, "ranks = 2", 26, processes=True) is None


@pytest.mark.parametrize(
    ("stages", "ranks"),
    [
        ("shard(ranks, tail = uneven); batch(2, tail = drop); resume(batch = 1)", 2),
        ("shard(ranks, tail = uneven); batch(1); resume(ranks = 3)", 4),
    ],
)
def test_position_of_ranks_that_ended_earlier_is_left_out(stages: str, ranks: int) -> None:
    found, values = interruptions(stages, f"ranks = {ranks}", 10 if ranks == 4 else 11)

    assert found.difference(values, (0,), processes=False) is None
    assert found.left_out == {ENDED: None}


def test_steps_of_a_budget_above_the_batches_are_those_of_the_old_ones() -> None:
    stages = "shard(ranks); stop(steps = 10); batch(4); resume(counter = global, batch = 2)"

    assert differences(stages, "ranks = 1", 20) is None


def read_of(stages: str, size: int, ranks: int, stop: int, *, way: int = 0) -> tuple[list[int], list[int]]:
    """What is lost and what is read twice, by torch's own lists, without padding."""
    loader = epochproof.load(spec(stages, settings=f"ranks = {ranks}", size=f"= {size}")).loaders["l"]
    (job,) = jobs_of(loader)
    values = {"l.after": stop, "l.resumed.seed": 0}
    chosen = ways(torch, job)[way]
    with quiet():
        stopped = [chosen.stop(values, rank, 0, stop, processes=False) for rank in range(ranks)]
        saved = [each.saved for each in stopped]
        later = range(_ranks(job))
        reads = [each.read for each in stopped] + [
            chosen.go_on(values, rank, 0, saved, processes=False) for rank in later
        ]
    seen = Counter(record for read in reads for group in read.groups for record in group)
    return [each for each in range(size) if not seen[each]], sorted((seen - Counter(range(size))).elements())


def _ranks(job: Job) -> int:
    value = job.after.ranks.value
    assert isinstance(value, int)
    return value


ELASTIC = [
    (2, 4, list(range(8, 16)), []),
    (4, 2, [], list(range(8, 16))),
    (4, 3, [], list(range(12, 16))),
]
"""`reference/pytorch.md` 5.6: N = 24, B = 2, stopped after 2 steps."""


@pytest.mark.parametrize("way", [0, 1, 2])
@pytest.mark.parametrize(("ranks", "then", "lost", "replayed"), ELASTIC)
def test_world_size_change(ranks: int, then: int, lost: list[int], replayed: list[int], way: int) -> None:
    stages = f"shard(ranks); batch(2); resume(position = consumed, ranks = {then})"

    assert read_of(stages, 24, ranks, 2, way=way) == (lost, replayed)


def table(resume: str, *, seed: int = 0, ranks: int = 1) -> tuple[int, int]:
    """`reference/pytorch.md` 6: N = 1000, B = 10, stopped after 30 steps."""
    found = read_of(f"shuffle(seed = {seed}); shard(ranks); batch(10); {resume}", 1000, ranks, 30 // ranks)
    return len(found[1]), len(found[0])


def test_table_of_plain_resumes() -> None:
    assert table("resume(position = consumed)") == (0, 0)
    assert table("resume(position = epoch_start)") == (300, 0)
    repeated, omitted = table("resume(order = fresh, seed = 77)")
    assert repeated == omitted and 150 < repeated < 270
    assert table("resume(position = consumed, batch = 20)") == (0, 0)


def test_resume_on_more_ranks() -> None:
    stages = "shuffle(seed = 0); shard(ranks); batch(10); resume(position = consumed, ranks = 4)"
    lost, replayed = read_of(stages, 1000, 2, 20)

    assert (len(replayed), len(lost)) == (0, 400)


def test_what_is_compared_with_the_model_and_replayed() -> None:
    text = spec(
        "shard(ranks); batch(2); resume(position = consumed, ranks = 4)",
        settings="ranks = 2",
        size="= 24",
        claims='refute "nothing is lost" : l.lost == {}\nprove "nothing is read twice" : l.replayed == {}',
    )
    report = ran(text)

    assert report.exit_code == 0
    assert [each.replayed for each in report.counterexamples] == ["torch"]


def test_counterexample_of_several_stops_is_replayed() -> None:
    text = spec(
        "batch(2); fetch(1); resume(position = fetched, times = 2)",
        size="in 1..",
        claims='refute "nothing is lost" : l.lost == {}\nprove "nothing is read twice" : l.replayed == {}',
    )
    report = ran(text)

    assert report.exit_code == 0
    assert [each.replayed for each in report.counterexamples] == ["torch"]


def test_planted_fault_is_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    text = spec("batch(2); resume(position = consumed)", size="= 9")
    assert ran(text).exit_code == 0
    monkeypatch.setattr(Skip, "source", lambda self, p, _: p + self.count + number(1))

    (found,) = (each.difference for each in ran(text).loaders)

    assert found is not None
    assert (found.real, found.step, found.slot) == ("DataLoader, batches skipped, resumed after 0", 0, 0)


def test_what_does_not_run_is_said() -> None:
    (short,) = ran(
        spec(
            "shard(ranks); batch(2); resume(position = consumed, ranks = 1)", settings="ranks = 2", size="= 9"
        )
    ).loaders

    assert (short.difference, short.left_out) == (None, (SHORT,))


@pytest.mark.parametrize(
    "stages",
    [
        "shard(ranks); stop(steps = 2); resume(after = 1)",
        "shard(ranks); stop(steps in 0..4); resume(times = 2)",
        "shard(ranks); stop(steps = 3); batch(2); resume(batch = 1)",
        "stop(steps = 3); shard(ranks); batch(1); resume(counter = global)",
    ],
)
def test_stop_above_what_is_counted_keeps_its_budget(stages: str) -> None:
    assert ran(spec(stages, settings="ranks in 1..2", size="= 5")).exit_code == 0
