"""Deal hands out blocks in turn, and does with what is left after the last whole round what its tail says."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest
import torch

from epochproof.stage._stage import Here, Reality
from epochproof.stage.deal import Deal
from epochproof.term.node import TRUE, Bool, Int, both, number, variable, within
from tests.claim.agreement import proofs, verdicts
from tests.observe.bench import Choices, grid
from tests.stage import promises
from tests.stage.laws import RANKS, N, unproved
from tests.stage.lists import here, places, read, value
from tests.stage.refusals import free, refused
from tests.worlds import Marked, World, Written, batch, counts, in_blocks

Tail = Literal["pad", "even", "drop", "uneven", "spread"]
TAILS: tuple[Tail, ...] = get_args(Tail)
RANK = frozenset({"rank"})
BLOCK, ROUNDS, SHARE = variable("block"), variable("rounds"), variable("share")
WORLDS = list(product(range(14), range(1, 5), range(1, 5)))


class Defined(Deal):
    """The rounds and the share are any numbers that have the property which defines them."""

    def _rounds(self, here: Here) -> Int:
        return ROUNDS

    def _share(self, here: Here) -> Int:
        return SHARE


def defined() -> Bool:
    """What the rounds and the share are: each has one value."""
    whole = ROUNDS * RANKS * BLOCK
    left = N - whole
    return both(ROUNDS >= 0, within(0, left, RANKS * BLOCK), within(0, RANKS * SHARE - left, RANKS))


def dealt(n: int, ranks: int, block: int, tail: str) -> list[Marked]:
    return in_blocks([(record, False) for record in range(n)], ranks, block, tail)


def deal(block: int, tail: Tail) -> Deal:
    return Deal(lanes=RANK, block=number(block), tail=tail)


LAWFUL = [pytest.param(each, marks=() if each in ("even", "uneven") else pytest.mark.slow) for each in TAILS]
"""`even` is `pad` where there are several ranks, so that its laws are those of both."""


@pytest.mark.parametrize("tail", LAWFUL)
def test_laws_are_proved_for_all_parameters(tail: Tail) -> None:
    spread = tail == "spread"
    stage = (Defined if spread else Deal)(lanes=RANK, block=BLOCK, tail=tail)

    assert unproved(promises.of_deal(stage, defined() if spread else TRUE)) == []


@pytest.mark.parametrize("tail", TAILS)
def test_ranks_take_blocks_in_turn(tail: Tail) -> None:
    for n, ranks, block in WORLDS:
        read_by = [read(deal(block, tail), here(n, rank, ranks)) for rank in range(ranks)]

        assert read_by == dealt(n, ranks, block, tail), (n, ranks, block)


@pytest.mark.parametrize("tail", TAILS)
def test_places_are_where_the_lists_hold_the_record(tail: Tail) -> None:
    for n, ranks, block in product((0, 1, 4, 9), (1, 3), range(1, 4)):
        lanes = dealt(n, ranks, block, tail)
        held = [
            (record, padded, rank, p)
            for rank, lane in enumerate(lanes)
            for p, (record, padded) in enumerate(lane)
        ]
        found = places(deal(block, tail), here(n, 0, ranks))

        assert sorted((q, lap > 0, rank, p) for (q, lap), (rank, _, p) in found.items()) == sorted(held)
        assert all((q, lap - 1) in found for q, lap in found if lap > 0)


@pytest.mark.parametrize("tail", TAILS)
def test_totals_and_hints_are_those_of_the_lists(tail: Tail) -> None:
    for n, ranks, block in WORLDS:
        lanes, stage = dealt(n, ranks, block, tail), deal(block, tail)

        assert value(stage.dealt(here(n, 0, ranks))) == sum(map(len, lanes))
        if stage.pads():
            hints = [value(stage.unpadded(here(n, rank, ranks))) for rank in range(ranks)]
            assert hints == [sum(not padded for _, padded in lane) for lane in lanes]


@pytest.mark.parametrize("tail", TAILS)
def test_torch_deals_the_same(tail: Tail) -> None:
    for n, ranks, block in WORLDS:
        stream = [10 * record for record in range(n)]
        real = [
            deal(block, tail).real(stream, Reality(torch, rank, ranks, 0, {"block": block}))
            for rank in range(ranks)
        ]

        assert real == [[10 * record for record, _ in lane] for lane in dealt(n, ranks, block, tail)]


def test_ten_on_two_in_blocks_of_three() -> None:
    def records(tail: Tail) -> list[list[int]]:
        return [[record for record, _ in read(deal(3, tail), here(10, rank, 2))] for rank in range(2)]

    assert records("pad") == [[0, 1, 2, 6, 7, 8], [3, 4, 5, 9, 0, 1]]
    assert records("drop") == [[0, 1, 2], [3, 4, 5]]
    assert records("uneven") == [[0, 1, 2, 6, 7, 8], [3, 4, 5, 9]]
    assert records("spread") == [[0, 1, 2, 6, 7], [3, 4, 5, 8, 9]]


def test_even_pads_nothing_where_one_rank_reads_alone() -> None:
    def records(ranks: int) -> list[list[int]]:
        return [
            [record for record, _ in read(deal(4, "even"), here(5, rank, ranks))] for rank in range(ranks)
        ]

    assert records(1) == [[0, 1, 2, 3, 4]]
    assert records(2) == [[0, 1, 2, 3], [4, 0, 1, 2]]


def test_blocks_of_one_are_a_shard() -> None:
    one, strided = "l over d {{ ranks in 1.. \n {} }}", "deal(ranks, block = 1, tail = {})"
    for tail in ("pad", "drop", "uneven"):
        text = "edition 1\ndataset d { size in 0.. }\n" + "\n".join(
            "loader " + one.replace("l", name, 1).format(stages)
            for name, stages in (("a", strided.format(tail)), ("b", f"shard(ranks, tail = {tail})"))
        )

        assert proofs(f'{text}\nprove "" : a.order equal b.order given a.ranks == b.ranks\n') == [True]


@pytest.mark.parametrize("tail", TAILS)
def test_real_objects_agree_in_a_schedule(tail: Tail) -> None:
    choices: Choices = {
        "d.size": [0, 1, 4, 7, 13],
        "l.ranks": [1, 2, 3],
        "l.block": [1, 3],
        "l.seed": [7],
        "l.batch": [2],
    }
    compared, differences = grid(
        f"shuffle(seed = any); deal(ranks, block in 1.., tail = {tail}); batch(l.block)", choices
    )

    assert compared > 100
    assert differences == []


def test_counts_of_small_worlds_are_those_of_lists() -> None:
    for n, ranks, block, tail in product((5, 11), (1, 3), (1, 3), TAILS):
        stages = (Written("deal", "ranks", {"block": block, "tail": tail}), batch(block))
        world = World(n, ranks, stages)
        lanes = world.epoch(0)
        read_at_all, steps = counts(lanes), {lane.steps for lane in lanes}
        claims = [
            f"l.occurrences == {sum(read_at_all.values())}",
            f"l.distinct == {len(read_at_all)}",
            f"l.padding == {sum(lane.padding for lane in lanes)}",
            f"l.multiplicity <= {max(read_at_all.values(), default=0)}",
            f"l.steps <= {max(steps)} and l.steps >= {min(steps)}",
            "l.steps equal across ranks",
        ]

        assert verdicts(world.text(*claims)) == [*["proved"] * 5, "proved" if len(steps) == 1 else "refuted"]


EVERYTHING_FREE = """edition 1
dataset d {{ size in 1.. }}
loader l over d {{
  ranks in 1..
  shuffle(seed = any)
  deal(ranks, block in 1.., tail = {tail})
  batch(l.block)
}}
prove "" : {claim}
"""
PROVED = [
    ("pad", "l.omitted == {}"),
    ("pad", "l.padding == ceil(d.size / (l.ranks * l.block)) * l.ranks * l.block - d.size"),
    ("pad", "l.steps == ceil(d.size / (l.ranks * l.block))"),
    ("pad", "l.multiplicity <= 2 given d.size >= l.ranks * l.block"),
    ("pad", "l.global_batches unaffected by ranks, block given l.ranks * l.block == 12"),
    ("even", "l.omitted == {}"),
    ("even", "l.padding == 0 given l.ranks == 1"),
    (
        "even",
        "l.padding == ceil(d.size / (l.ranks * l.block)) * l.ranks * l.block - d.size given l.ranks >= 2",
    ),
    ("even", "l.steps == ceil(d.size / (l.ranks * l.block))"),
    ("drop", "l.global_batches unaffected by ranks, block given l.ranks * l.block == 256"),
    ("drop", "count(l.omitted) == d.size % (l.ranks * l.block)"),
    ("drop", "l.steps == d.size // (l.ranks * l.block)"),
    ("uneven", "l.multiplicity == 1"),
    ("uneven", "l.occurrences == d.size"),
    ("uneven", "l.steps <= d.size // (l.ranks * l.block) + 1"),
    ("spread", "l.omitted == {}"),
    ("spread", "l.padding < l.ranks"),
    ("spread", "l.steps == ceil(d.size / (l.ranks * l.block))"),
]


@pytest.mark.parametrize(("tail", "claim"), PROVED)
def test_claims_are_proved_with_everything_free(tail: Tail, claim: str) -> None:
    assert proofs(EVERYTHING_FREE.format(tail=tail, claim=claim)) == [True]


def test_free_block_is_a_parameter() -> None:
    assert free("ranks = 2", "deal(ranks, block in 1..)") == {"l.block"}


def test_batches_are_not_dealt_and_blocks_are_not_empty() -> None:
    assert refused("batch(2)", "deal(ranks, block = 2)")[0] == "E209"
    assert refused("deal(ranks, block = 0)")[0] == "E205"


def test_blocks_are_dealt_to_ranks_alone() -> None:
    code, message = refused("style = iterable", "workers = 2", "deal(workers, block = 2)")

    assert (code, message) == ("E209", "`deal` makes no sense here: blocks are dealt to ranks alone")
