"""A world of sources lists the records of each population, and deals values to parts as the shares say."""

from __future__ import annotations

import epochproof
from epochproof.model.split import Part, Split
from epochproof.schedule.sources import Sources

TEXT = """edition 1
dataset videos { size in 1.., groups = speaker }
dataset clips from videos { window in 1.., stride in 1.. }
split s of clips by videos { train = 0.5, val = 0.5 }
split g of clips by speaker { train = 0.5, val = 0.5 }
split own of clips by clips { train = 0.5, val = 0.5, shared = false }
"""
VALUES = {"videos.size": 3, "clips.window": 4, "clips.stride": 2}
KNOWN = epochproof.load(TEXT).populations


def world() -> Sources:
    return Sources(VALUES, {"videos": (3, 4, 9)})


def split(name: str) -> Split:
    origin = KNOWN[f"{name}.train"].origin
    assert isinstance(origin, Part)
    return origin.split


def listed(sources: Sources, name: str, rank: int = 0) -> list[tuple[int, ...]]:
    return [each.all for each in sources.records(KNOWN[name], rank)]


def test_free_windows_have_the_values_of_the_world() -> None:
    assert listed(world(), "clips") == [(1, 0), (2, 0), (2, 1), (2, 2)]
    assert [each.end for each in world().records(KNOWN["clips"])] == [4, 4, 6, 8]


def test_only_values_that_occur_are_dealt() -> None:
    sources = world()

    assert sources.keys(split("s"), 0) == [(1,), (2,)]
    assert sources.assign(split("s"), 0, {(2,): 0})
    assert (listed(sources, "s.train"), listed(sources, "s.val")) == ([(2, 0), (2, 1), (2, 2)], [(1, 0)])


def test_assignment_that_the_shares_forbid_is_none() -> None:
    assert not world().assign(split("s"), 0, {(1,): 0, (2,): 0})
    assert not world().assign(split("s"), 0, {(0,): 0})


def test_other_values_are_dealt_from_a_turn_on() -> None:
    dealt = []
    for turn in range(2):
        sources = world()
        assert sources.assign(split("s"), 0, {}, turn)
        dealt.append(sources.sides["s", 0])

    assert dealt == [{(1,): 0, (2,): 1}, {(2,): 0, (1,): 1}]


def test_group_is_looked_up_at_the_record_that_has_it() -> None:
    sources = world()
    sources.groups.update({("videos", "speaker", (at,)): 7 for at in range(3)})

    assert sources.assign(split("g"), 0, {})
    assert (len(listed(sources, "g.train")), listed(sources, "g.val")) == (4, [])


def test_ranks_have_their_own_assignments_only_where_they_do_not_share() -> None:
    sources = world()
    assert sources.assign(split("own"), 0, {(1, 0): 0, (2, 0): 0})
    assert sources.assign(split("own"), 1, {(1, 0): 1, (2, 0): 1})

    assert listed(sources, "own.train", 0) == listed(sources, "own.val", 1) == [(1, 0), (2, 0)]
