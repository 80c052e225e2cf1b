"""The table of small worlds agrees with lists that are dealt by hand, in every world that it holds."""

from __future__ import annotations

from itertools import product

import pytest

from epochproof.schedule.ownership import DEALS, ENDS, TAILS, numbers, residues, worlds

Steps = list[tuple[int, list[tuple[int, bool]]]]
"""The steps of a rank: the worker that reads, and each record with whether it is padding."""


def dealt(size: int, lanes: int, lane: int, tail: str) -> list[tuple[int, bool]]:
    """What a stride gives to one lane of several."""
    each = {"pad": -(-size // lanes), "drop": size // lanes, "uneven": len(range(lane, size, lanes))}[tail]
    return [(at % size, at >= size) for at in range(lane, lane + each * lanes, lanes)]


def oracle(deal: str, tail: str, end: str, world: tuple[int, int, int, int]) -> list[Steps]:
    """What each rank reads, dealt with slices and merged in turn."""
    size, ranks, workers, batch = world
    found = []
    for rank in range(ranks):
        turns = []
        for worker in range(workers):
            lanes, lane = {
                "slots": (ranks * workers, rank * workers + worker),
                "ranks": (ranks, rank),
                "workers": (workers, worker),
                "nobody": (1, 0),
            }[deal]
            read = dealt(size, lanes, lane, tail)
            steps = [read[at : at + batch] for at in range(0, len(read), batch)]
            if end == "drop":
                steps = [step for step in steps if len(step) == batch]
            turns += [(turn, worker, step) for turn, step in enumerate(steps)]
        found.append([(worker, step) for _, worker, step in sorted(turns)])
    return found


def read(written: str) -> list[Steps]:
    """The table's own letters as lists."""
    return [
        [
            (int(step[0]), [(ord(each.lower()) - 97, each.isupper()) for each in step[1:]])
            for step in rank.split()
        ]
        for rank in written.split("|")
    ]


@pytest.mark.parametrize(("deal", "tail", "end"), list(product(DEALS, TAILS, ENDS)))
def test_every_world_is_dealt_as_by_hand(deal: str, tail: str, end: str) -> None:
    written = worlds()[f"{deal} {tail} {end}"]
    if deal == "nobody" and tail != "pad":
        assert written == ""
        return
    table = dict(zip(numbers(), written.split(";"), strict=True))

    assert len(table) == 12 * 4 * 3 * 3
    assert not [world for world in table if read(table[world]) != oracle(deal, tail, end, world)]


def test_the_table_holds_as_many_worlds_as_the_pages_say() -> None:
    assert sum(len(each.split(";")) for each in worlds().values() if each) == 8_640


def test_a_counter_of_three_slots_is_at_zero_again_after_three_steps() -> None:
    assert residues(3, 1) == (0, 1, 2, 0)
    assert residues(6, 1) == (0, 1, 2, 3, 4, 5, 0)
    assert residues(6, 4) == (0, 4, 2, 0)
    assert residues(1, 1) == residues(5, 0) == (0, 0)


def test_the_counter_names_the_slot_that_owns_the_next_record() -> None:
    table = dict(zip(numbers(), worlds()["slots uneven keep"].split(";"), strict=True))

    owners = {
        record: rank * 2 + worker
        for rank, steps in enumerate(read(table[12, 3, 2, 1]))
        for worker, step in steps
        for record, _ in step
    }

    assert [owners[record] for record in range(7)] == list(residues(6, 1))
