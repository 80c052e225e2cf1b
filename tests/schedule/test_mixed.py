"""Wrong mixes are refused with a cure, and right ones are read, run and compared."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

import epochproof
from epochproof.observe.run import run
from epochproof.prove import picks
from epochproof.prove.session import load, opened
from epochproof.schedule.deliveries import TABLES
from epochproof.schedule.plan import plan_of
from epochproof.stage._chance import GREEDY
from epochproof.term.as_int import as_int
from epochproof.term.fold import variables
from epochproof.term.node import apply, both, variable
from tests.mixes import Mixed, some
from tests.schedule.loaders import lists
from tests.worlds import World, Written, batch

DATASETS = """edition 1
dataset web { size = 10 }
dataset code { size = 3 }
dataset any { size in 0.. }
dataset run { size = 3 }
"""
LOADER = "loader l over m { batch(2) }\n"
CURE = "write `stop = first_exhausted` or `stop = all_exhausted` in the mix"
FAULTS = [
    ("mix m { web = 3, cod = 1 }", "unknown dataset `cod`", "did you mean `code`?"),
    ("mix m { }", "mix `m` has no sources", "name each source with its weight: `web = 3, code = 1`"),
    ("mix m { web = 0 }", "`web` must be at least 1, and is 0 here", "write 1 or more"),
    ("mix m { web = -1 }", "`web` must be at least 1, and is -1 here", "write 1 or more"),
    ("mix m { web = 0.0 }", "the weight of `web` must be more than 0", "leave the source out"),
    ("mix m { web = 1, web = 2 }", "setting `web` is given twice", "delete one of the two"),
    (
        "mix n { web = 1 }\nmix m { web = 1, n = 1 }",
        "`web` is a source twice",
        "name each source once; draw from it more often by a larger weight",
    ),
    ("mix m { any = 1 }", "source `any` can be empty", "leave it out, or give it a size of 1 or more"),
    (
        "mix m { run = 1 }",
        "`run` cannot be a source: claims could not name it",
        "give the dataset another name",
    ),
    (
        "mix m { web = 1, pick = robin }",
        "`pick` is `round_robin`, `greedy` or `random`",
        "did you mean `round_robin`?",
    ),
    (
        "mix m { web = 1, stop = never }",
        "`stop` is `first_exhausted`, `all_exhausted` or `forever`",
        "did you mean `forever`?",
    ),
    (
        "mix m { web = 0.5, code in 1..2 }",
        "the weights beside decimals are fixed numbers",
        "write a number here",
    ),
    (
        "mix m { web in 1..2, pick = greedy }",
        "the weights of a mix with `pick = greedy` are fixed numbers",
        "write a number here",
    ),
    (
        "mix m { web = 1, pick = random, stop = all_exhausted }",
        "a random mix may never exhaust all sources",
        "write `stop = first_exhausted`, or `stop = forever` and a `stop(…)` in the loader",
    ),
    (
        "mix m { m = 1 }",
        "dataset `m` is declared below its mix",
        "move the dataset above the mix; none is made of itself",
    ),
    (
        f"mix m {{ web = 1, stop = forever }}\n{LOADER}",
        "`l` never ends: its mix says `stop = forever`",
        "write `stop(steps = 1_000)` in `l`, or `stop = first_exhausted` in the mix",
    ),
    (
        "mix m { web = 1, stop = forever }\nloader l over m { shuffle(seed = 1) stop(3) }",
        "`shuffle` cannot follow a mix that never ends",
        CURE,
    ),
    (
        "mix m { web = 1, stop = forever }\nloader l over m { shard(ranks, layout = blocked) stop(3) }",
        "`shard` cannot follow a mix that never ends",
        CURE,
    ),
    (
        "mix n { web = 1, stop = forever }\nmix m { n = 1 }",
        "`n` never ends, so that it is no source",
        "write `stop = first_exhausted` or `stop = all_exhausted` in it",
    ),
    (
        f'mix m {{ web = 1, code = 1 }}\n{LOADER}prove "" : l.occurrences(cod) == 1',
        "unknown window `cod`",
        "did you mean `code`?",
    ),
    (
        f'mix m {{ web = 1, code = 1 }}\n{LOADER}prove "" : l.occurrences(code, web) == 1',
        "one source is meant at a time",
        "add them up, one by one",
    ),
    (
        f'mix m {{ web = 1, code = 1 }}\n{LOADER}prove "" : l.multiplicity(code) <= l.multiplicity(web)',
        "a record of `code` is none of `web`",
        "make a claim for each source",
    ),
]


@pytest.mark.parametrize(("text", "message", "cure"), FAULTS)
def test_wrong_mix_is_refused_with_its_cure(text: str, message: str, cure: str) -> None:
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(f"{DATASETS}{text}\n")

    assert [(each.message, each.help) for each in raised.value.diagnostics] == [(message, cure)]


def test_what_reads_a_wrong_mix_is_not_told_as_well() -> None:
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(f"{DATASETS}mix n {{ web = 0 }}\nmix m {{ n = 1 }}\n{LOADER}")

    assert len(raised.value.diagnostics) == 1


def test_decimals_are_exact_shares() -> None:
    text = f"{DATASETS}mix m {{ web = 0.75, code = 0.25 }}\n{LOADER}"

    (found,) = epochproof.count(text)

    assert found.occurrences == 12


@pytest.mark.parametrize("tail", ["pad", "even", "drop", "uneven"])
def test_blocks_of_a_mix_without_an_end_are_those_of_a_long_one(tail: str) -> None:
    for ranks, block, of, steps in product((1, 2, 3), (1, 2, 3), (1, 2, 3), (0, 1, 3)):
        below = (Written("deal", "ranks", {"block": block, "tail": tail}), batch(of))
        mix = Mixed(
            {"web": 5, "code": 2}, {"web": 3, "code": 1}, "round_robin", "forever", ranks, below, steps
        )
        long = replace(mix, steps=50).picks()
        stop = Written("stop", options={"steps": steps})
        hand = World(len(long), ranks, (*below, stop)).epoch(0)
        numbers = {name: at for at, name in enumerate(mix.records)}

        model = lists(plan_of(load(mix.text()).loaders["l"])).epoch(0)

        assert [lane.records for lane in model] == [[numbers[long[p]] for p in lane.records] for lane in hand]


def test_torch_draws_what_the_model_says() -> None:
    for mix in some("torch", 10):
        session = opened(load(mix.text()))

        report = run(session, session.checked())

        assert [each.difference for each in report.loaders] == [None]


def test_what_the_prover_takes_for_known_is_true_of_every_sequence_that_is_tried() -> None:
    order, t, j, late = map(variable, ("order", "t", "j", "late"))
    key = (order, variable("epoch"), variable("w0"), variable("w1"))
    terms = [
        *(apply("picks_before", *key, source, t) for source in (0, 1)),
        *(apply("pick_of", *key, source, at) for source, at in product((0, 1), (j, late))),
        apply("source_of", *key, t),
    ]
    known = both(*picks.known(both(*(each >= 0 for each in terms))))
    names = sorted(variables(known))
    holds = as_int(known, names, TABLES)

    wrong = [
        values
        for values in (
            {"order": order, "epoch": 1, "w0": 3, "w1": 2, "t": t, "j": j, "late": late}
            for order, t, j, late in product((0, 3, 4, 5, GREEDY), range(7), range(4), range(4))
        )
        if not holds(*(values[name] for name in names))
    ]

    assert wrong == []
