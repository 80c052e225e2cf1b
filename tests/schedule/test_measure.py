"""Sizes that follow from a column of lengths are those of lists, whether rows are read or summed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest

import epochproof
from epochproof.prove.verdict import Judged
from epochproof.schedule import measure
from epochproof.term.as_sql import _Sql
from tests.claim.lineages import Cut, World

HALVES = (Fraction(1, 2), Fraction(1, 2))
BELOW: list[tuple[tuple[int, int] | int, ...]] = [
    ((2, 1),),
    ((3, 2),),
    ((2, 1), 2),
    (2, (2, 1)),
    ((4, 2), (2, 1)),
]
LENGTHS = [(0,), (5, 5, 5), (4, 0, 6, 1)]
COLUMN = 'manifest = "videos.csv", lengths = frames'


def judged(
    folder: Path, text: str, lengths: tuple[int, ...], parts: tuple[str, ...] = ()
) -> tuple[Judged, ...]:
    """The verdicts on a spec beside a manifest with these lengths."""
    rows = [f"{each},{part},s\n" for each, part in zip(lengths, parts or ("a",) * len(lengths), strict=True)]
    (folder / "videos.csv").write_text("frames,part,speaker\n" + "".join(rows))
    (folder / "train.epoch").write_text(text)
    return epochproof.check(folder / "train.epoch").claims


def wrong(folder: Path) -> Iterator[str]:
    """Sizes that are not those of the lists."""
    for lengths, below in product(LENGTHS, BELOW):
        cuts = (Cut("s", 1, "time", HALVES, 1),) if below[0] != 2 and len(below) == 1 else ()
        world, name = World(lengths, below, cuts), "abc"[len(below)]
        sizes = {name: len(world.records(len(below)))}
        sizes |= {f"s.p{at}": len(world.side(("s", at), {}, lengths)) for at in range(2) if cuts}
        claims = [f"{each}.size == {size}" for each, size in sizes.items()]
        verdicts = judged(folder, world.text(*claims, lengths=COLUMN), lengths)
        yield from (claims[at] for at, each in enumerate(verdicts) if each.verdict.word != "proved")


@pytest.mark.parametrize("listed", [200, 1, 0])
def test_size_is_that_of_the_lists(listed: int, tmp_path: Path) -> None:
    with patch.object(measure, "MOST_LENGTHS", listed):
        assert [*wrong(tmp_path)] == []


def towards_zero(_: _Sql, a: str, b: str) -> str:
    return f"({a} // {b})"


def one_more(_: _Sql, condition: str, then: str, otherwise: str) -> str:
    return f"(CASE WHEN {condition} THEN {then} + 1 ELSE {otherwise} END)"


@pytest.mark.parametrize(
    ("method", "fault"), [("floor_divide", towards_zero), ("choose", one_more)], ids=["towards 0", "one more"]
)
def test_fault_planted_in_the_sum_is_seen(method: str, fault: object, tmp_path: Path) -> None:
    with patch.object(measure, "MOST_LENGTHS", 0), patch.object(_Sql, method, fault):
        assert any(wrong(tmp_path))


PICKED = """edition 1
dataset videos { manifest = "videos.csv", lengths = frames }
split s of videos by videos { assignment = part, train = "train", val = "val" }
dataset clips from s.train { window in 2..3, stride = 2 }
dataset fixed from s.val { window = 2, stride = 2 }
loader train over clips { batch(2) }
prove  "of train alone" : clips.size == 3 + 1 given clips.window == 2
prove  "whatever"       : clips.size == 2 + 1 given clips.window == 3
prove  "of val"         : fixed.size == 2
prove  "all are read"   : train.omitted == {}
refute "many"           : train.occurrences > 3
"""


@pytest.mark.parametrize("listed", [200, 2])
def test_parts_of_a_column_have_the_windows_of_their_rows(listed: int, tmp_path: Path) -> None:
    with patch.object(measure, "MOST_LENGTHS", listed):
        claims = judged(tmp_path, PICKED, (6, 5, 3, 0), ("train", "val", "train", "val"))

    assert [each.verdict.word for each in claims] == ["proved"] * 4 + ["refuted"]
    example = claims[-1].verdict.counterexample
    assert example is not None and dict(example.parameters) == {"clips.window": 3}
    assert claims[0].assumptions == (
        "the lengths of `videos`, of which `clips` is made, are listed (checked against `videos.csv`)",
    )
    assert claims[2].assumptions == ("`fixed` has 2 records (checked against `videos.csv`)",)


OPEN = """edition 1
dataset videos { manifest = "videos.csv", lengths = frames, groups = part }
dataset clips from videos { window in 2..3, stride = 2 }
split s of clips by videos { train = 0.5, val = 0.5 }
split t of clips by time { train = 0.5, val = 0.5 }
prove "more than none" : clips.size > 0
prove "few"            : s.train.size < 100
prove "apart"          : t.train disjoint from t.val by frames
prove "further apart"  : t.train disjoint from t.val by frames + 1
prove "by video"       : s.train disjoint from s.val by videos
"""


def test_what_lengths_alone_could_refute_is_unknown_where_they_are_too_many(tmp_path: Path) -> None:
    with patch.object(measure, "MOST_LENGTHS", 1):
        found = [each.verdict.word for each in judged(tmp_path, OPEN, (6, 5), ("a", "b"))]

    assert found == ["unknown", "unknown", "proved", "unknown", "proved"]


def test_leaks_in_time_are_those_of_the_lengths(tmp_path: Path) -> None:
    for lengths, word in (((6, 5), "refuted"), ((3, 2), "proved")):
        verdicts = [each.verdict for each in judged(tmp_path, OPEN, lengths, ("a", "b"))]

        assert [each.word for each in verdicts][2:] == ["proved", word, "proved"]


def test_lengths_and_weights_of_one_manifest_are_read_for_one_spec(tmp_path: Path) -> None:
    text = """edition 1
    dataset videos { manifest = "videos.csv", lengths = frames, weight = frames }
    dataset clips from videos { window = 2, stride = 2 }
    loader eval over clips { ranks = 2 shard(ranks) weigh(by = videos) }
    loader train over videos { draw(2, seed = any, weights = frames) }
    prove "each video weighs 1" : eval.weight(videos) == 1 and eval.occurrences == 6
    prove "one is missed"       : 121 * expected(count(train.omitted)) == 36 + 25
    """

    assert [each.verdict.word for each in judged(tmp_path, text, (6, 5))] == ["proved", "proved"]


def test_claim_by_source_opens_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "train.epoch").write_text(OPEN[: OPEN.index("prove")] + OPEN[OPEN.rindex("prove") :])

    assert epochproof.check(tmp_path / "train.epoch").ok


def test_count_and_a_claim_about_the_sources_read_it(tmp_path: Path) -> None:
    text = OPEN[: OPEN.index("prove")].replace("in 2..3", "= 2") + "loader l over clips { batch(4) }\n"

    (claim,) = judged(tmp_path, text + 'prove "two" : videos.size == 2', (6, 5), ("a", "b"))

    assert claim.as_stated
    assert [each.occurrences for each in epochproof.count(tmp_path / "train.epoch")] == [5]


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ("size = 3, lengths = frames", "E614"),
        ('manifest = "videos.csv", lengths = frames, length = 4', "E216"),
        ('manifest = "videos.csv", lengths = frame', "E606"),
        ('manifest = "videos.csv", lengths = ""', "E614"),
        ('manifest = "videos.csv", lengths in {1, 2}', "E214"),
        ('manifest = "videos.csv", lengths = part', "E616"),
    ],
)
def test_wrong_column_is_told(settings: str, code: str, tmp_path: Path) -> None:
    text = f"edition 1\ndataset a {{ {settings} }}\ndataset b from a {{ window = 2, stride = 1 }}\n"

    with pytest.raises(epochproof.SpecError) as raised:
        judged(tmp_path, text + 'prove "" : b.size > 0', (6, 5), ("a", "b"))

    assert [each.code for each in raised.value.diagnostics] == [code]
