"""`disjoint from` is proved exactly where no assignment leaks, and refuted by the least that does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

import epochproof
from epochproof.diagnostics import SpecError
from epochproof.prove.verdict import Counterexample, Verdict
from tests.claim.lineages import NAMES, Cut, Side, World

CLIPS = Path(__file__).parents[2] / "examples" / "clips.epoch"
BELOW: list[tuple[tuple[int, int] | int, ...]] = [
    ((2, 1),),
    ((3, 2),),
    (2,),
    ((2, 1), 2),
    ((2, 2), 2),
    (2, (2, 1)),
    ((3, 1), (2, 1)),
]
HALVES, FIFTHS, THREE = (
    tuple(map(Fraction, shares)) for shares in (("0.5", "0.5"), ("0.8", "0.2"), ("0.5", "0.25", "0.25"))
)
Drawn = tuple[tuple[tuple[int, int] | int, ...], tuple[Cut, ...], Side, Side, int | str, int]


def drawn(pick: Random, *, inner: bool) -> Drawn:
    """A lineage, one split or two, two of their parts, a key and a margin."""
    below = pick.choice(BELOW)

    def cut(name: str) -> Cut:
        whole = pick.randrange(len(below) + 1)
        keys: list[int | str] = [*range(whole + 1), "group"]
        keys += ["time"] * 2 * any(not isinstance(each, int) for each in below[:whole])
        key, time = pick.choice(keys), 0
        time = pick.randrange(3) if key == "time" else 0
        shared = key == "time" or pick.random() < 0.9
        return Cut(name, whole, key, pick.choice((HALVES, FIFTHS, THREE)), time, shared=shared)

    cuts = [cut("s")]
    if pick.random() < 0.3:
        cuts.append(cut("t"))
    elif inner and cuts[0].shared and cuts[0].key != "time":
        cuts.append(Cut("t", cuts[0].whole, cuts[0].key, pick.choice((HALVES, THREE)), of=("s", 0)))
    sides = [(each.name, at) for each in cuts for at in range(len(each.shares))]
    left, right = pick.choice(sides), pick.choice(sides)
    least = min(each.whole for each in cuts if each.name in (left[0], right[0]))
    key = pick.choice([*range(least + 1), "group", "frames", "frames"])
    return below, tuple(cuts), left, right, key, pick.randrange(3) if key == "frames" else 0


def formula(left: Side, right: Side, key: int | str, margin: int) -> str:
    word = NAMES[key] if isinstance(key, int) else {"group": "speaker"}.get(key, key)
    sides = [f"{name}.p{at}" for name, at in (left, right)]
    return f"{sides[0]} disjoint from {sides[1]} by {word}{f' + {margin}' if margin else ''}"


def verdict(text: str) -> Verdict:
    (claim,) = epochproof.check(text).claims
    return claim.verdict


def shown(text: str) -> Counterexample:
    found = verdict(text).counterexample
    assert found is not None
    return found


@pytest.mark.parametrize("part", range(4))
def test_verdicts_agree_with_all_assignments_of_worlds_with_listed_lengths(part: int) -> None:
    pick, wrong, ran, undecided = Random(f"listed {part}"), [], 0, 0  # noqa: S311 -- a seeded choice
    while ran < 60:
        below, cuts, left, right, key, margin = drawn(pick, inner=True)
        lengths = tuple(pick.randrange(6) for _ in range(pick.choice((1, 2, 2, 3))))
        world = World(lengths, below, cuts)
        if max(len(world.records(each.whole)) for each in cuts) > (6 if len(cuts) == 1 else 4):
            continue
        ran += 1
        text = world.text(formula(left, right, key, margin))
        found = verdict(text).word
        undecided += found == "unknown"
        held = "refuted" if world.leaks(left, right, key, margin) else "proved"
        wrong += [f"{text}{found}, but {held}"] if found not in (held, "unknown") else []

    assert wrong == []
    assert undecided <= 2


@pytest.mark.parametrize("part", range(4))
def test_with_free_lengths_no_small_world_breaks_a_proof_or_is_smaller_than_a_counterexample(
    part: int,
) -> None:
    pick, wrong = Random(f"free {part}"), []  # noqa: S311 -- a seeded choice
    for _ in range(12):
        below, cuts, left, right, key, margin = drawn(pick, inner=False)
        least = pick.randrange(3)
        claim = formula(left, right, key, margin)
        text = World((), below, cuts).text(claim, lengths=f"size in {least}..")
        found = verdict(text)
        worlds = [
            world
            for size in range(least, 4)
            for lengths in product(range(6 if size < 3 else 3), repeat=size)
            if max(map(len, map((world := World(lengths, below, cuts)).records, range(len(below) + 1)))) <= 5
        ]
        wrong += [f"{text}{found}"] if found.word == "unknown" else []
        if found.word == "proved":
            wrong += [f"{text}{world.lengths}" for world in worlds if world.leaks(left, right, key, margin)][
                :1
            ]
        elif found.counterexample is not None:
            wrong += [
                f"{text}{world.lengths} is smaller than {found.counterexample}"
                for world in worlds
                if order(sizes(world, found.counterexample))
                < order([*found.counterexample.parameters.values()])
                and world.leaks(left, right, key, margin)
            ][:1]

    assert wrong == []


def sizes(world: World, like: Counterexample) -> list[int]:
    """The parameters of a counterexample in another world."""
    return [len(world.records(NAMES.index(name[0]))) for name in like.parameters]


def order(values: list[int]) -> tuple[int, list[int]]:
    return max(values, default=0), values


def clips() -> dict[str, Verdict]:
    return {each.text: each.verdict for each in epochproof.check(CLIPS).claims}


def test_smallest_leak_of_four_fifths_by_clips_has_five_clips() -> None:
    found = clips()["splitting clips keeps a video on one side"].counterexample

    assert found is not None and found.smallest and found.meeting is not None
    assert found.parameters == {"videos.size": 2, "clips.size": 5}
    assert [each.population for each in found.meeting] == ["by_clip.train", "by_clip.val"]
    assert [each.indices["videos"] for each in found.meeting] == [0, 0]
    assert [each.frames for each in found.meeting] == [(0, 64), (32, 96)]
    assert found.blame is not None and found.blame.stage == "split"


def test_smallest_leak_by_views_has_three_clips_as_six_views_give_one_to_a_fifth() -> None:
    found = clips()["splitting views keeps them together too"].counterexample

    assert found is not None and found.parameters == {"videos.size": 2, "clips.size": 3}


WINDOWS = """edition 1
dataset series {{ size in 1.. }}
dataset windows from series {{ window = {window}, stride = {stride} }}
split s of windows by time {{ train = 0.8, val = 0.2, gap = {gap} }}
prove "" : s.train disjoint from s.val by frames + {margin}
"""


@pytest.mark.parametrize(("window", "stride"), [(3, 1), (4, 2), (8, 4), (6, 4), (24, 1), (5, 7)])
@pytest.mark.parametrize("margin", [0, 1, 3, 6])
def test_least_gap_that_is_enough_is_the_margin_less_what_the_grid_of_windows_gives(
    window: int, stride: int, margin: int
) -> None:
    # Windows that are apart are apart by a multiple of the stride, less a window: a gap that lies between two
    # such distances does as much as the larger one.
    distances = {step * stride - window for step in range(40)}
    leaks = [any(gap <= each < margin for each in distances) for gap in range(margin + 1)]
    found = [
        verdict(WINDOWS.format(window=window, stride=stride, gap=gap, margin=margin)).word
        for gap in range(margin + 1)
    ]

    assert found == ["refuted" if each else "proved" for each in leaks]


def test_margin_is_proved_for_every_gap_that_is_not_less_and_every_window() -> None:
    text = WINDOWS.format(window="0", stride="0", gap="0", margin="s.gap")
    free = text.replace("window = 0", "window in 1..").replace("stride = 0", "stride in 1..")
    free = free.replace("gap = 0", "gap in 0..")

    assert verdict(free).word == "proved"
    one_less = shown(free.replace("frames + s.gap", "frames + s.gap + 1"))
    assert one_less.parameters == {"series.size": 1, "windows.window": 1, "windows.stride": 1, "s.gap": 0}


GROUPS = """edition 1
dataset videos {{ size in 1.., groups = speaker }}
dataset clips from videos {{ window = 8 stride = 4 }}
split s of clips by {key} {{ train = 0.8, val = 0.2 {option} }}
split inner of s.train by {inner} {{ fit = 0.5, tune = 0.5 }}
prove "" : {claim}
"""


@pytest.mark.parametrize(
    ("key", "option", "claim", "word"),
    [
        ("speaker", "", "s.train disjoint from s.val by speaker", "proved"),
        ("speaker", "", "s.train disjoint from s.val by videos", "proved"),
        ("speaker", "", "s.train disjoint from s.val by frames + 100", "proved"),
        ("videos", "", "s.train disjoint from s.val by speaker", "refuted"),
        ("videos", "", "inner.fit disjoint from s.val by videos", "proved"),
        ("videos", "", "inner.fit disjoint from inner.tune by videos", "proved"),
        ("videos", "", "inner.fit disjoint from s.train by videos", "refuted"),
        ("videos", "", "clips disjoint from s.val by videos", "refuted"),
        ("clips", "", "s.train disjoint from s.val by clips", "proved"),
    ],
)
def test_side_is_a_function_of_the_key(key: str, option: str, claim: str, word: str) -> None:
    assert verdict(GROUPS.format(key=key, option=option, claim=claim, inner="videos")).word == word


def test_split_that_each_rank_makes_on_its_own_leaks_across_ranks() -> None:
    text = (
        "edition 1\ndataset d { size in 1.. }\nsplit s of d by d { train = 0.5, val = 0.5, shared = false }\n"
    )
    found = shown(text + 'prove "" : s.train disjoint from s.val by d\n')

    assert found.parameters == {"d.size": 2} and found.meeting is not None
    assert [each.rank for each in found.meeting] == [0, 1]
    assert [each.indices for each in found.meeting] == [{"d": 0}, {"d": 0}]


def test_splits_with_one_salt_are_one_assignment_and_without_are_two() -> None:
    blocks = "edition 1\ndataset d { size in 1.. }\ndataset v from d { copies = 2 }\n"
    blocks += (
        "split s of d by d { train = 0.5, val = 0.5 %s }\nsplit t of v by d { train = 0.5, val = 0.5 %s }\n"
    )
    claim = 'prove "" : s.train disjoint from t.val by d\n'

    assert verdict(blocks % (', salt = "x"', ', salt = "x"') + claim).word == "proved"
    assert verdict(blocks % (', salt = "x"', ', salt = "y"') + claim).word == "refuted"
    assert verdict(blocks % ("", "") + claim).word == "refuted"


def test_size_too_small_for_a_share_has_nothing_to_leak() -> None:
    text = "edition 1\ndataset d { size = %s }\ndataset v from d { copies = 2 }\n"
    text += "split s of v by d { a = 0.8, b = 0.2 }\n"
    text += 'prove "" : s.a disjoint from v by d\nprove "" : s.b disjoint from v by d\n'

    words = [[each.verdict.word for each in epochproof.check(text % size).claims] for size in (0, 1, 4, 5)]
    assert words == [["proved"] * 2, ["refuted", "proved"], ["refuted", "proved"], ["refuted"] * 2]


def test_premise_bounds_what_is_proved_and_may_leave_nothing() -> None:
    text = "edition 1\ndataset d { size in 1.. }\nsplit s of d by d { a = 0.8, b = 0.2 }\n"
    claim = text + 'prove "" : s.b disjoint from d by d given d.size %s\n'

    assert verdict(claim % "< 5").word == "proved"
    assert shown(claim % ">= 7").parameters == {"d.size": 7}
    assert verdict(claim % "< 1").word == "vacuous"


def test_million_records_cost_what_ten_do() -> None:
    text = "edition 1\ndataset d { size = 1_000_000, groups = g }\nsplit s of d by %s { a = 0.8, b = 0.2 }\n"
    text += 'prove "" : s.a disjoint from s.b by g\n'

    assert verdict(text % "g").word == "proved"


def test_world_with_too_many_sources_to_list_is_left_undecided_at_once() -> None:
    text = (
        "edition 1\ndataset d { size = 1_000_000_000_000 }\ndataset c from d { window = 64, stride = 32 }\n"
    )
    text += 'split s of c by c { a = 0.8, b = 0.2 }\nprove "" : s.a disjoint from s.b by frames\n'

    assert "too many records" in verdict(text).reason


MANY = """edition 1
dataset d {{ size = {size} }}
dataset c from d {{ window = 64, stride = 32 }}
split s of c by c {{ a = 0.8, b = 0.2 }}
prove "" : s.a disjoint from s.b by {key}
"""


@pytest.mark.parametrize("key", ["d", "frames"])
def test_leak_among_many_sources_is_built_of_few_that_have_frames(key: str) -> None:
    few, many = (shown(MANY.format(size=size, key=key)) for size in (300, 300_000))

    assert dict(many.parameters) == dict(few.parameters) == {"c.size": 5}
    assert (many.meeting, many.shared) == (few.meeting, few.shared)
    assert len(many.lengths["d"]) == 300_000
    assert [each for each in many.lengths["d"] if each] == [each for each in few.lengths["d"] if each]


LOADERS = """edition 1
dataset d { size in 1.. }
split s of d by d { train = 0.8, val = 0.2 }
loader train over s.train { ranks in 1..4 shuffle() shard(ranks) batch(4, tail = %s) }
prove "" : train disjoint from s.val by d
"""


def test_loader_that_leaves_nothing_out_stands_for_what_it_reads() -> None:
    assert verdict(LOADERS % "keep").word == "proved"
    with pytest.raises(SpecError, match="`train` may leave records out"):
        epochproof.check(LOADERS % "drop")
