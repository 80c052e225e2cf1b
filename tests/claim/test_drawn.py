"""What is said of a loader that draws at random is what its lists say, under torch's own draws."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from epochproof.claim import _counts
from epochproof.claim._counts import occurrences
from epochproof.prove.session import load, opened
from tests.claim.agreement import FREE, by_rules, in_window, numbers, proofs, sets, verdicts
from tests.worlds import Read, World, Written, batch, counts, shard, some


def draw(n: int | str = "", **options: object) -> Written:
    return Written("draw", n, dict(options))


DRAWS = [
    draw(seed=5),
    draw(0, seed=5),
    draw(1, seed=5),
    draw(3, seed=5),
    draw(7, seed=6),
    draw(4, seed=5, reseed="never"),
    draw(4, seed=5, shared=False),
    draw(replacement=False, seed=5),
    draw(2, replacement=False, seed=5),
    draw(9, replacement=False, seed=5),
    draw(6, replacement=False, seed=5, shared=False),
]


def worlds(name: str) -> list[World]:
    """Sizes 0 to 4, one rank to three, each kind of draw, above or below a deal or without one."""
    shapes: list[Callable[[Written], tuple[Written, ...]]] = [
        lambda drawn: (drawn,),
        lambda drawn: (drawn, batch(2, "drop")),
        lambda drawn: (drawn, shard(), batch(2)),
        lambda drawn: (drawn, shard(tail="drop"), batch(2, "pad")),
        lambda drawn: (shard(tail="uneven"), drawn),
        lambda drawn: (shard(), drawn, batch(2, "drop")),
    ]
    every = [
        World(size, ranks, shape(drawn), epochs)
        for size, ranks, drawn, shape, epochs in product(range(5), range(1, 4), DRAWS, shapes, (1, 2))
    ]
    return some(every, name, 40)


def readings(world: World, window: str, name: str) -> list[int]:
    """The number on the lists, in each window there is."""
    found: dict[str, Callable[[list[Read]], int]] = {
        "occurrences": lambda lanes: counts(lanes).total(),
        "distinct": lambda lanes: len(counts(lanes)),
        "padding": lambda lanes: sum(lane.padding for lane in lanes),
    }
    return [found[name](lanes) for lanes in world.window(window)]


@pytest.mark.parametrize("window", ["", "run", "rank"])
@pytest.mark.parametrize("name", ["occurrences", "distinct", "padding"])
def test_numbers_agree_with_lists(name: str, window: str) -> None:
    use = in_window(name, window)

    assert numbers(use, lambda world: readings(world, window, name), worlds(f"{name} {window}")) == []


def test_multiplicity_agrees_with_lists() -> None:
    def times(world: World) -> list[int]:
        found = [counts(world.epoch(epoch)) for epoch in range(world.epochs)]
        return [each[record] for each in found for record in range(world.size)]

    sized = [world for world in worlds("multiplicity") if world.size]

    assert numbers("l.multiplicity", times, sized) == []


def test_steps_agree_with_lists() -> None:
    def steps(world: World) -> list[int]:
        return [lane.steps for epoch in range(world.epochs) for lane in world.epoch(epoch)]

    assert numbers("l.steps", steps, worlds("steps")) == []


@pytest.mark.parametrize("name", ["omitted", "covered", "repeated"])
def test_sets_agree_with_lists(name: str) -> None:
    def members(world: World) -> list[set[int]]:
        found = [counts(lanes) for lanes in world.window("")]
        return [
            {
                "omitted": set(range(world.size)) - each.keys(),
                "covered": set(each),
                "repeated": {record for record, times in each.items() if times > 1},
            }[name]
            for each in found
        ]

    assert sets(f"l.{name}", members, worlds(name)) == []


def claims(stages: str, *formulas: str) -> list[bool]:
    """Which formulas are proved by the rules of a loader whose size, ranks and epochs are free."""
    return [holds for formula in formulas for holds in proofs(FREE.format(stages=stages, claim=formula))]


def test_what_is_certain_of_draws_with_replacement_is_proved_for_all_numbers() -> None:
    stages = "draw(in 0.., seed = any)\nshard(ranks)\nbatch(in 1.., tail = drop)"
    dealt = [
        "l.occurrences <= l.draw + l.ranks - 1",
        "l.padding <= l.ranks - 1",
        "l.distinct <= l.draw + l.ranks - 1",
        "l.distinct <= d.size",
        "l.distinct(run) <= l.epochs * l.occurrences",
        "l.steps == ceil(l.draw / l.ranks) // l.batch",
        "l.repeated == {} given l.draw <= 1 and l.ranks == 1",
    ]
    once = ["l.multiplicity <= l.draw", "l.occurrences == l.draw", "count(l.omitted) >= d.size - l.draw"]

    assert claims(stages, *dealt) == [True] * len(dealt)
    assert claims("draw(in 0.., seed = any)\nshard(ranks, tail = uneven)", *once) == [True] * len(once)


def test_what_is_certain_of_whole_permutations_is_proved_for_all_numbers() -> None:
    stages = "draw(in 0.., replacement = false, seed = any)\nshard(ranks, tail = uneven)"
    even = [
        "l.multiplicity >= l.draw // d.size",
        "l.multiplicity <= ceil(l.draw / d.size)",
        "l.distinct == min(l.draw, d.size)",
        "l.omitted == {} given l.draw >= d.size",
        "count(l.omitted) == d.size - l.draw given l.draw <= d.size",
        "l.padding == 0",
    ]

    assert claims(stages, *even) == [True] * len(even)


def test_ranks_that_draw_on_their_own_read_no_record_more_often_than_all_draw() -> None:
    stages = "draw(in 0.., seed = any, shared = false)"
    own = ["l.multiplicity <= l.ranks * l.draw", "l.occurrences == l.ranks * l.draw", "l.padding == 0"]
    shuffled = "shuffle(seed = any, shared = false)\nshard(ranks, tail = uneven)"

    assert claims(stages, *own) == [True] * len(own)
    assert claims(shuffled, "l.multiplicity <= l.ranks", "l.multiplicity <= 1") == [True, False]
    assert claims(stages, "l.multiplicity <= l.draw", "l.multiplicity < l.ranks * l.draw") == [False, False]


def test_nothing_uncertain_is_proved() -> None:
    stages = "draw(in 0.., seed = any)\nshard(ranks, tail = uneven)"
    open_ = [
        "l.omitted == {} given l.draw >= 10 * d.size",
        "l.multiplicity <= l.draw - 1 given l.draw >= 3",
        "l.multiplicity >= 1 given l.draw >= d.size",
        "l.distinct >= 2 given l.draw >= 5 and d.size >= 2",
        "l.repeated == {} given l.draw <= 2",
    ]
    weighted = "draw(in 0.., seed = any, weights = w)\nshard(ranks, tail = uneven)"

    assert claims(stages, *open_) + claims(weighted, *open_) == [False] * 2 * len(open_)


def test_certain_coverage_is_refuted_however_much_is_drawn() -> None:
    text = World(10, 2, (draw(1_000, seed="any"), shard(tail="uneven"))).text("l.omitted == {}")
    found = [each.verdict for each in opened(load(text)).checked().claims]

    assert [each.word for each in found] == ["refuted"]
    assert [each.counterexample is not None and each.counterexample.made_up for each in found] == [True]


def test_seed_that_gives_it_is_named_where_one_is_known() -> None:
    text = World(3, 1, (draw(4, seed="any"),)).text("l.omitted == {}")
    (verdict,) = [each.verdict for each in opened(load(text)).checked().claims]

    assert verdict.counterexample is not None
    assert not verdict.counterexample.made_up
    seed = verdict.counterexample.parameters["l.seed"]
    assert len(set(World(3, 1, (draw(4, seed=seed),)).lane(0, 0).records)) < 3


def test_no_draws_are_made_up_where_the_seed_is_spoken_of() -> None:
    text = World(10, 1, (draw(1_000, seed="any"),)).text("l.omitted == {} given l.seed <= 3")

    assert verdicts(text) == ["unknown"]


def test_any_record_may_weigh_nothing() -> None:
    text = World(4, 1, (draw(500, seed=3, weights="w"),)).text("l.omitted == {}", "l.multiplicity <= 500")

    assert verdicts(text) == ["refuted", "proved"]
    assert [by_rules(opened(load(text)), claim) for claim in opened(load(text)).claims] == [False, True]


def test_one_column_weighs_the_same_in_two_loaders() -> None:
    text = """edition 1
dataset d { size in 1.. }
loader a over d { draw(seed = 1, weights = w) }
loader b over d { draw(seed = 1, weights = w) }
loader c over d { draw(seed = 1, weights = v) }
prove "" : a.order equal b.order
prove "" : a.order equal c.order
"""
    assert verdicts(text) == ["proved", "refuted"]


def test_draws_are_the_permutation_of_a_shuffle_with_their_seed() -> None:
    text = """edition 1
dataset d { size in 1.. }
loader a over d { draw(in 1.., seed = any, replacement = false) }
loader b over d { shuffle(seed = any) }
loader c over d { draw(d.size, seed = any) }
prove "" : a.order equal b.order given a.seed == b.seed and a.draw == d.size
prove "" : c.order equal b.order given c.seed == b.seed
"""
    assert verdicts(text) == ["proved", "refuted"]


OVER = """edition 1
dataset d {{ size in 1.. }}
loader l over d {{
  ranks in 1..8
  draw({n}, seed = any)
  {below}
}}
prove "" : {claim}
"""
PADS, TWICE = "shard(ranks, tail = pad)", "shard(ranks, tail = pad)\n  batch(4, tail = pad)"


@pytest.mark.parametrize(
    ("n", "below", "claim", "proved"),
    [
        ("8", PADS, "l.multiplicity <= 14", True),
        ("8", PADS, "l.multiplicity <= 13", False),
        ("in 0..", PADS, "l.multiplicity < l.draw + l.ranks", True),
        ("in 0..", PADS, "l.multiplicity <= l.draw", False),
        ("7", TWICE, "l.multiplicity <= 32 and l.multiplicity(rank) <= 8", True),
        ("7", TWICE, "l.multiplicity(rank) <= 3", False),
        ("in 0..", "", "l.multiplicity == 2 * l.multiplicity(rank) given l.ranks == 2", True),
        ("in 0..", "", "l.multiplicity == 3 * l.multiplicity(rank) given l.ranks == 2", False),
        ("in 0..", "batch(3, tail = drop)", "l.multiplicity(rank) <= l.draw", True),
        (
            "in 0.., shared = false",
            "",
            "l.multiplicity == 2 * l.multiplicity(rank) given l.ranks == 2",
            False,
        ),
    ],
)
def test_no_record_is_read_more_often_than_all_are(n: str, below: str, claim: str, *, proved: bool) -> None:
    assert proofs(OVER.format(n=n, below=below, claim=claim)) == [proved]


def test_fewer_occurrences_than_there_are_prove_something_false(monkeypatch: pytest.MonkeyPatch) -> None:
    text = OVER.format(n="8", below=PADS, claim="l.multiplicity <= 13")

    assert proofs(text) == [False]
    monkeypatch.setattr(_counts, "occurrences", lambda view: occurrences(view) - 1)
    assert proofs(text) == [True]
