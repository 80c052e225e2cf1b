"""Windows of listed parts share what their rows share that are long enough, as plain Python has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

import epochproof
from epochproof.manifest._parts import Parts
from epochproof.term.node import Int
from tests.manifest.tables import Row, write

SPEC = """edition 1
dataset takes {{ manifest = "{file}", id = take, groups = video, lengths = frames }}
split s of takes by takes {{ assignment = part, train = "train", val = "val" }}
dataset a from s.train {{ window = {one}, stride = 2 }}
dataset b from s.val   {{ window = {other}, stride = 1 }}
dataset deep from b    {{ window = 2, stride = 2 }}
dataset views from a   {{ copies = 2 }}
dataset all from takes {{ window = {one}, stride = 1 }}
dataset open from s.val {{ window in 2..4, stride = 1 }}
"""
PAIRS = [("a", "b"), ("views", "deep"), ("s.train", "b"), ("all", "b")]
KEYS = {"takes": "take", "video": "video"}


def rows(pick: Random) -> list[Row]:
    """A few takes of few videos, of up to six frames; each part has one."""
    parts = ["train", "val", *(pick.choice(("train", "val", "test")) for _ in range(pick.randrange(6)))]
    return [
        {"take": f"t{at}", "video": f"v{pick.randrange(3)}", "frames": pick.randrange(7), "part": part}
        for at, part in enumerate(parts)
    ]


def values(table: Sequence[Row], name: str, key: str, one: int, other: int) -> set[str]:
    """The values of the key that a population has."""
    least = {"a": one, "views": one, "b": other, "deep": max(2, other), "all": one}.get(name, 0)
    part = {"a": "train", "views": "train", "s.train": "train", "all": ""}.get(name, "val")
    some = [row for row in table if row["frames"] >= least and (not part or row["part"] == part)]
    return {row[key] for row in some}


def wrong(folder: Path, form: str, times: int) -> Iterator[str]:
    """What is said otherwise than the rows have it."""
    pick = Random(5)  # noqa: S311 -- repeats by its seed
    for _ in range(times):
        table, one, other = rows(pick), pick.randint(1, 5), pick.randint(2, 5)
        write(folder / f"takes.{form}", table, frames="INTEGER")
        text = SPEC.format(file=f"{folder}/takes.{form}", one=one, other=other)
        pairs = [*product(PAIRS, KEYS)]
        claims = [f'prove "" : {left} disjoint from {right} by {key}' for (left, right), key in pairs]
        verdicts = [each.verdict for each in epochproof.check("\n".join([text, *claims])).claims]
        for ((left, right), key), verdict in zip(pairs, verdicts, strict=True):
            both = [values(table, each, KEYS[key], one, other) for each in (left, right)]
            met = len(both[0] & both[1])
            leak = verdict.counterexample and verdict.counterexample.leak
            assert verdict.evidence == f"manifest({len(table)})"
            if (verdict.word, leak.count if leak else 0) != ("refuted" if met else "proved", met):
                yield f"{table} {left} {right} {key} {verdict}"


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_windows_share_what_rows_share_that_are_long_enough(form: str, tmp_path: Path) -> None:
    assert [*wrong(tmp_path, form, 3)] == []


def test_planted_fault_in_what_is_long_enough_is_seen(tmp_path: Path) -> None:
    def longer(parts: Parts, made: Int) -> str:
        return _MAKES(parts, made - 1)

    with patch.object(Parts, "_makes", longer):
        assert any(wrong(tmp_path, "csv", 8))
    with patch.object(Parts, "_makes", lambda *_: "true"):
        assert any(wrong(tmp_path, "csv", 8))


_MAKES = Parts._makes


def test_window_that_is_free_leaves_it_open(tmp_path: Path) -> None:
    write(
        tmp_path / "takes.csv",
        [{"take": at, "video": "v", "frames": 3, "part": at} for at in ("train", "val")],
    )
    text = SPEC.format(file=f"{tmp_path}/takes.csv", one=3, other=3)

    found = epochproof.check(
        text + 'prove "" : a disjoint from open by video\nprove "" : a disjoint from b by video'
    )

    assert [each.verdict.word for each in found.claims] == ["unknown", "refuted"]


def test_part_that_is_misspelt_is_told_and_one_of_short_rows_is_not(tmp_path: Path) -> None:
    write(
        tmp_path / "takes.csv",
        [{"take": at, "video": "v", "frames": 1, "part": at} for at in ("train", "val")],
    )
    text = SPEC.format(file=f"{tmp_path}/takes.csv", one=2, other=2) + 'prove "" : a disjoint from b by video'

    assert epochproof.check(text).ok
    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(text.replace('val = "val"', 'val = "vla"'))
    assert [each.code for each in raised.value.diagnostics] == ["E615"]
