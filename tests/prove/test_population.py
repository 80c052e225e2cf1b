"""What `count` says of a loader is what a person counts on lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from epochproof.prove.population import Population, Records, Run
from tests.worlds import Read, World, batch, counts, every_world, odd_worlds, shard, some

WORLDS = [*some(every_world(), "population", 500), *some(odd_worlds(), "population", 200)]


def counted(world: World, steps: tuple[int, int] | None = None) -> Population:
    (found,) = epochproof.count(world.text(), steps=steps)
    return found


def members(records: Records) -> set[int] | None:
    """The records, if they are known."""
    if records.runs is None:
        return None
    return {record for run in records.runs for record in range(run.first, run.last + 1, run.stride)}


def portion(lane: Read, first: int, last: int) -> Read:
    """The part of a lane that lies in some of its steps."""
    inside = [at for at, step in enumerate(lane.step) if first <= step <= last]
    steps = len({lane.step[at] for at in inside})
    return replace(lane, marked=[lane.marked[at] for at in inside], step=[], steps=steps)


def agrees(found: Population, world: World, lanes: list[Read]) -> bool:
    """Whether all numbers are those of the lists, and all sets that are named."""
    times = counts(lanes)
    omitted = set(range(world.size)) - times.keys()
    repeated = {record for record, each in times.items() if each > 1}
    return (
        (found.occurrences, found.distinct) == (times.total(), len(times))
        and found.padding == sum(lane.padding for lane in lanes)
        and (found.omitted.count, found.repeated.count) == (len(omitted), len(repeated))
        and members(found.omitted) in (None, omitted)
        and members(found.repeated) in (None, repeated)
    )


def test_counts_are_those_of_lists() -> None:
    wrong = []
    for world in WORLDS:
        found, lanes = counted(world), world.epoch(0)
        steps = [lane.steps for lane in lanes]
        if not agrees(found, world, lanes) or (found.steps_min, found.steps_max) != (min(steps), max(steps)):
            wrong.append((world.text(), found))

    assert wrong == []


def test_closed_forms_and_runs_both_occur() -> None:
    ways = [counted(world).how for world in WORLDS[::5]]

    assert ways.count("closed form") > 30
    assert ways.count("counted") > 5


@pytest.mark.parametrize(("first", "last"), [(0, 0), (1, 1), (1, 2), (3, 9)])
def test_portions_are_those_of_lists(first: int, last: int) -> None:
    wrong = []
    for world in some(WORLDS, f"portion {first}", 90):
        if any(stage.option("tail", "") == "carry" for stage in world.stages):
            continue
        lanes = [portion(lane, first, last) for lane in world.epoch(0)]
        if not agrees(counted(world, (first, last)), world, lanes):
            wrong.append((world.text(), counted(world, (first, last))))

    assert wrong == []


def test_ten_records_on_three_ranks() -> None:
    found = counted(World(10, 3, (shard(), batch(4))))

    assert (found.occurrences, found.distinct, found.padding) == (12, 10, 2)
    assert found.omitted == Records(0, ())
    assert found.repeated == Records(2, (Run(0, 1, 1),))
    assert (found.steps_min, found.steps_max, found.how) == (1, 1, "closed form")


def test_a_trillion_records_are_counted_in_closed_form() -> None:
    found = counted(World(10**12, 4096, (shard(), batch(32, "drop"))))

    # 10^12 = 4096 * 244_140_625 exactly, and 244_140_625 = 32 * 7_629_394 + 17.
    assert found.how == "closed form"
    assert (found.steps_min, found.steps_max) == (7_629_394, 7_629_394)
    assert found.occurrences == found.distinct == 4096 * 32 * 7_629_394
    assert found.omitted == Records(17 * 4096, (Run(10**12 - 17 * 4096, 10**12 - 1, 1),))


def test_two_million_uneven_ranks_have_the_steps_of_the_first_and_the_last() -> None:
    found = counted(World(1_500_000, 2_000_000, (shard(tail="uneven"), batch(1))))

    assert (found.steps_min, found.steps_max) == (0, 1)
    assert (found.occurrences, found.distinct) == (1_500_000, 1_500_000)


def test_steps_of_a_rank_are_those_of_all_its_workers() -> None:
    blocks = "edition 1\ndataset d { size = 10 }\nloader l over d {\n  style = iterable\n  ranks = 2\n"
    (copied,) = epochproof.count(f"{blocks}  workers = 2\n  batch(2, tail = drop)\n}}\n")
    (dealt,) = epochproof.count(
        f"{blocks}  workers = 2\n  shard(ranks * workers)\n  batch(2, tail = drop)\n}}\n"
    )
    (ranked,) = epochproof.count(f"{blocks}  workers = 3\n  shard(ranks)\n  batch(2, tail = drop)\n}}\n")

    assert (copied.steps_min, copied.steps_max, copied.occurrences) == (10, 10, 40)
    assert (dealt.steps_min, dealt.steps_max, dealt.occurrences) == (2, 2, 8)
    assert (ranked.steps_min, ranked.steps_max, ranked.occurrences) == (6, 6, 24)


def test_what_depends_on_the_order_is_counted_and_not_named() -> None:
    text = (
        "edition 1\ndataset d { size = 10 }\nloader l over d {\n  ranks = 3\n"
        "  shuffle(seed = any)\n  shard(ranks, tail = drop)\n  batch(3)\n}\n"
    )
    (found,) = epochproof.count(text)

    assert found.omitted == Records(1, None, "which ones depends on the order")
    assert found.distinct == 9


def test_what_no_rule_counts_is_run_or_refused() -> None:
    twice = World(1000, 3, (shard(), shard("blocked"), batch(1)))

    assert counted(twice).how == "counted"
    with pytest.raises(SpecError, match="E507"):
        counted(replace(twice, size=10**9))
