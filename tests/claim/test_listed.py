"""Claims about parts that a column of the manifest lists agree with plain Python on the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

import epochproof
from epochproof.claim._rows import Rows
from epochproof.manifest import leaks
from epochproof.manifest._parts import Parts
from epochproof.prove.session import Checked
from tests.manifest.tables import FORMATS, Row, write

DATASET = """edition 1
dataset clips {{ manifest = "{file}", id = clip, groups = video, source = video, start = start, end = end }}
split s of clips by clips {{ assignment = part, train = "train", val = "val" }}
split t of clips by clip {{ assignment = "the fold", zero = "0", one = "1" }}
split n of s.train by clips {{ assignment = "the fold", zero = "0", one = "1" }}
"""
CHOSEN = {
    "clips": {},
    "s.train": {"part": "train"},
    "s.val": {"part": "val"},
    "t.zero": {"the fold": "0"},
    "t.one": {"the fold": "1"},
    "n.zero": {"part": "train", "the fold": "0"},
    "n.one": {"part": "train", "the fold": "1"},
}
KEYS = ("clips", "clip", "video", "frames", "frames + 1", "frames + 3")


@dataclass(frozen=True)
class Claimed:
    """A claim that two populations share no value of a key."""

    left: str
    right: str
    key: str

    @property
    def text(self) -> str:
        return f'prove "" : {self.left} disjoint from {self.right} by {self.key}\n'


def table(pick: Random) -> list[Row]:
    """Few videos, short intervals, some rows in no part; each part has a row."""
    parts, folds = ["train", "val", "test", ""], ["0", "1", "2", ""]
    places = [("train", "0"), ("train", "1"), ("val", pick.choice(folds))]
    places += [(pick.choice(parts), pick.choice(folds)) for _ in range(pick.randrange(9))]
    pick.shuffle(places)
    videos, grid, rows = pick.choice((1, 3, 9)), pick.choice((1, 2)), list[Row]()
    for at, (part, fold) in enumerate(places):
        start = grid * pick.randrange(7)
        rows.append(
            {
                "clip": f"c{at}",
                "video": f"v{pick.randrange(videos)}",
                "start": start,
                "end": start + grid * pick.randrange(3),
                "part": part,
                "the fold": fold,
            }
        )
    return rows


def members(rows: list[Row], name: str) -> list[int]:
    """The rows that a population has."""
    return [at for at, row in enumerate(rows) if all(row[each] == is_ for each, is_ in CHOSEN[name].items())]


def leak(rows: list[Row], claimed: Claimed) -> tuple[int, list[tuple[int, int]]]:
    """How often two populations meet, and the first three pairs: the oracle."""
    left, right = members(rows, claimed.left), members(rows, claimed.right)
    if claimed.key in ("clips", "clip"):
        met = sorted(set(left) & set(right))
        return len(met), [(row, row) for row in met[:3]]
    if claimed.key == "video":
        own, their = ({rows[at]["video"]: at for at in reversed(side)} for side in (left, right))
        pairs = [(own[video], their[video]) for video in own.keys() & their.keys()]
        return len(pairs), sorted(pairs, key=min)[:3]
    margin = int(claimed.key.removeprefix("frames").strip("+ ") or 0)
    near = [
        (next((one for one in left if _near(rows[one], rows[other], margin)), -1), other) for other in right
    ]
    found = [pair for pair in near if pair[0] >= 0]
    return len(found), found[:3]


def _near(one: Row, other: Row, margin: int) -> bool:
    """Whether both have frames, in one video, that are the same or have fewer than so many between them."""
    frames = range(one["start"], one["end"])
    near = {at + step for at in frames for step in range(-margin, margin + 1)}
    return one["video"] == other["video"] and not near.isdisjoint(range(other["start"], other["end"]))


def drawn(seed: int, folder: Path) -> tuple[list[Row], list[Claimed], str]:
    """A table that was written, claims about it, and the spec without claims."""
    pick = Random(f"listed {seed}")  # noqa: S311 -- a seeded choice
    rows, names = table(pick), [*CHOSEN]
    path = write(folder / f"{seed}.{FORMATS[seed % 5]}", rows, start="INTEGER", end="INTEGER")
    claims = [Claimed(pick.choice(names), pick.choice(names[1:]), pick.choice(KEYS)) for _ in range(6)]
    claims += [Claimed("s.train", "s.val", key) for key in ("video", "frames")]
    return rows, claims, DATASET.format(file=path.name)


def judged(text: str, folder: Path) -> Checked:
    (folder / "clips.epoch").write_text(text)
    return epochproof.check(folder / "clips.epoch")


def wrong(seed: int, folder: Path, key: str = "") -> Iterator[str]:
    """The claims by some key, or by those that begin so, whose verdicts are not those of the oracle."""
    rows, claims, text = drawn(seed, folder)
    claims = [each for each in claims if each.key.startswith(key)]
    found = judged(text + "".join(each.text for each in claims), folder)
    for claimed, each in zip(claims, found.claims, strict=True):
        count, pairs = leak(rows, claimed)
        shown = each.verdict.counterexample and each.verdict.counterexample.leak
        told = (
            (shown.count, [(one.record, other.record) for _, one, other in shown.pairs]) if shown else (0, [])
        )
        right = each.verdict.word == ("refuted" if count else "proved") and told == (count, pairs)
        if not right:
            yield f"{claimed.text}{rows}\n{each.verdict.word} {told}, but {count, pairs}"


SEEDS = range(30)


@pytest.mark.parametrize("part", range(3))
def test_verdicts_counts_and_pairs_are_those_of_the_rows(part: int, tmp_path: Path) -> None:
    assert [each for seed in SEEDS[part::3] for each in wrong(seed, tmp_path)] == []


def test_drawn_claims_hold_and_do_not(tmp_path: Path) -> None:
    held = {
        (each.key, leak(rows, each)[0] > 0)
        for seed in SEEDS
        for rows, claims, _ in [drawn(seed, tmp_path)]
        for each in claims
    }

    assert held == {(key, leaks) for key in KEYS for leaks in (True, False)}


@pytest.mark.parametrize("seed", range(6))
def test_sizes_of_parts_are_those_of_the_rows(seed: int, tmp_path: Path) -> None:
    rows, _, text = drawn(seed, tmp_path)
    sizes = {name: len(members(rows, name)) for name in CHOSEN}
    loaders = "".join(f"loader l{at} over {name} {{ batch(2) }}\n" for at, name in enumerate(sizes))
    claims = "".join(
        f'prove "" : {name}.size == {size}\nprove "" : l{at}.occurrences == {size}\n'
        f'refute "" : {name}.size == {size + 1}\n'
        for at, (name, size) in enumerate(sizes.items())
    )

    assert judged(text + loaders + claims, tmp_path).ok
    assert [each.occurrences for each in epochproof.count(tmp_path / "clips.epoch")] == [*sizes.values()]


def _swapped(self: Parts) -> list[str]:
    return [*CONDITIONS(self)][::-1]


def _either(self: Parts) -> list[str]:
    return [each.replace(" AND ", " OR ") for each in CONDITIONS(self)]


CONDITIONS: Callable[[Parts], list[str]] = vars(Parts)["conditions"].fget
LEAKS, MEETING = Rows.leaks, leaks._MEETING
PLANTED = {
    "wrong part": (Parts, "conditions", property(_swapped)),
    "either of two columns": (Parts, "conditions", property(_either)),
    "margin one less": (Rows, "leaks", lambda self, margin: LEAKS(self, max(margin - 1, 0))),
    "margin one more": (Rows, "leaks", lambda self, margin: LEAKS(self, margin + 1)),
    "groups for frames": (
        Rows,
        "leaks",
        lambda self, margin: LEAKS(replace(self, key=replace(self.key, kind="group")), margin),
    ),
    "<= for < behind": (leaks, "_MEETING", MEETING.replace("latest > low", "latest >= low")),
    "<= for < before": (leaks, "_MEETING", MEETING.replace("earliest < high", "earliest <= high")),
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_planted_fault_is_caught(
    planted: tuple[object, str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*planted)

    assert any(next(wrong(seed, tmp_path, "frames"), "") for seed in SEEDS)
