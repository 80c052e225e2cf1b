"""Splits by a column of the manifest: what is refused, what is read, and what is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epochproof
from epochproof.cli.main import main
from epochproof.prove.verdict import Judged
from tests.manifest.tables import Row, write

ROWS: list[Row] = [
    {"clip": "a0", "video": "a", "start": 0, "end": 64, "by_name": "train", "by_video": "train"},
    {"clip": "a1", "video": "a", "start": 32, "end": 96, "by_name": "val", "by_video": "train"},
    {"clip": "b0", "video": "b", "start": 0, "end": 64, "by_name": "train", "by_video": "val"},
    {"clip": "c0", "video": "c", "start": 0, "end": 64, "by_name": "test", "by_video": ""},
]
SPEC = """edition 1
dataset plain {{ size = 10 }}
dataset clips {{ manifest = "clips.csv", id = clip, groups = video, source = video
  start = start, end = end }}
dataset views from clips {{ copies = 2 }}
split open of clips by clips {{ train = 0.5, val = 0.5 }}
split videos of clips by video {{ train = 0.5, val = 0.5 }}
split {split}
{claims}
"""
GOOD = 's of clips by clips { assignment = by_name, train = "train", val = "val" }'
LEAK = 'prove "apart" : s.train disjoint from s.val by video'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "clips.csv", ROWS)
    return tmp_path


def judged(folder: Path, claims: str, split: str = GOOD) -> tuple[Judged, ...]:
    (folder / "clips.epoch").write_text(SPEC.format(split=split, claims=claims))
    return epochproof.check(folder / "clips.epoch").claims


def words(folder: Path, *claims: str) -> list[str]:
    return [each.verdict.word for each in judged(folder, "\n".join(f'prove "" : {each}' for each in claims))]


REFUSED = [
    (
        "s of clips by clips { assignment = by_name, train = 0.8 }",
        "E236",
        "nothing says what `by_name` holds",
    ),
    (
        "s of clips by clips { assignment = by_name, train = train }",
        "E236",
        "nothing says what `by_name` holds",
    ),
    (GOOD.replace('"val"', '""'), "E236", "nothing says what `by_name` holds for the records of part `val`"),
    ("s of clips by clips { assignment = by_name }", "E236", "split `s` has no parts"),
    (GOOD.replace('"val"', '"train"'), "E236", "parts `train` and `val` have the same records"),
    (GOOD.replace("val =", "salt ="), "E236", "the column says which records a part has"),
    (GOOD.replace("by clips", "by video"), "E236", "a column assigns records one by one"),
    (GOOD.replace("of clips", "of views"), "E236", "no row of the manifest is a record of `views`"),
    (GOOD.replace("of clips", "of open.train"), "E236", "no row of the manifest is a record of `open.train`"),
    (
        GOOD.replace("clips", "plain"),
        "E614",
        "`assignment` is about a manifest, and dataset `plain` has none",
    ),
    (GOOD.replace("by_name", "3"), "E614", "`assignment` takes a name"),
    (GOOD.replace("assignment = by_name,", ""), "E233", "part `train` has no share"),
    (GOOD.replace("by_name", "by_nam"), "E606", "`clips.csv` has no column `by_nam`"),
    (GOOD.replace('"val"', '"vall"'), "E615", "column `by_name` of `clips.csv` assigns no record to `vall`"),
]


@pytest.mark.parametrize(("split", "code", "message"), REFUSED)
def test_wrong_split_is_told(split: str, code: str, message: str, folder: Path) -> None:
    with pytest.raises(epochproof.SpecError) as raised:
        judged(folder, LEAK, split)

    (found,) = raised.value.diagnostics
    assert raised.value.source is not None
    assert (found.code, found.message[: len(message)]) == (code, message)
    assert found.help and found.span is not None


def test_all_parts_at_fault_are_told_once(folder: Path) -> None:
    split = GOOD.replace('"val"', '"vall"').replace('"train"', '"tain"')
    claims = "".join(
        f'prove "" : {one} disjoint from {other}\n'
        for one, other in (
            ("s.train", "s.val by video"),
            ("s.train", "s.val by frames"),
            ("s.val", "s.train by video"),
        )
    )

    with pytest.raises(epochproof.SpecError) as raised:
        judged(folder, claims, split)

    assert [(each.message[-6:], each.help) for each in raised.value.diagnostics] == [
        ("`tain`", "did you mean `train`?"),
        ("`vall`", "did you mean `val`?"),
    ]


def test_rows_whose_value_names_no_part_are_in_none(folder: Path) -> None:
    one, other = judged(
        folder, 'prove "of four" : s.train.size + s.val.size == 3\nprove "all" : clips.size == 4'
    )

    assert one.as_stated and other.as_stated
    assert one.assumptions == (
        "`s.train` has 2 records (checked against `clips.csv`)",
        "`s.val` has 1 record (checked against `clips.csv`)",
    )


def test_assumption_about_sizes_of_parts_is_marked_once(folder: Path) -> None:
    (claim,) = judged(folder, f'assume "more to learn" : s.train.size > s.val.size\n{LEAK}')

    assert "more to learn (checked against `clips.csv`)" in claim.assumptions


def test_leak_names_rows_ids_and_the_split(folder: Path) -> None:
    (claim,) = judged(folder, LEAK)
    found = claim.verdict.counterexample

    assert (claim.verdict.word, claim.verdict.evidence) == ("refuted", "manifest(4)")
    assert found is not None and found.leak is not None and found.replayed == "manifest"
    ((shared, one, other),) = found.leak.pairs
    assert (shared, one.record, one.id, other.record, other.id) == ("a", 0, "a0", 1, "a1")
    assert found.blame is not None and found.blame.stage == "split"
    assert found.blame.text == "this does not keep `video` on one side"


def test_leak_is_shown_as_text_and_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged(folder, 'prove "apart" : s.train disjoint from s.val by frames')
    path = str(folder / "clips.epoch")

    assert main(["check", path]) == 1
    said = capsys.readouterr().out
    assert "in `clips.csv`, 1 record of s.val overlaps one of s.train" in said
    assert "a: 0 to 64 in row 1 of s.train (a0), 32 to 96 in row 2 of s.val (a1)" in said
    assert main(["check", "--format", "json", path]) == 1
    (claim,) = json.loads(capsys.readouterr().out)["files"][0]["claims"]
    assert claim["counterexample"]["leak"]["pairs"][0]["records"][1] == {
        "population": "s.val",
        "record": 1,
        "id": "a1",
        "interval": ["32", "96"],
    }


def test_claim_that_is_true_for_all_sizes_reads_nothing(tmp_path: Path) -> None:
    claims = [
        "open.train disjoint from open.val by clips",
        "videos.train disjoint from videos.val by video",
        "videos.train disjoint from videos.val by frames + 16",
    ]

    assert words(tmp_path, *claims) == ["proved"] * 3
    assert not any(
        "checked" in text for each in judged(tmp_path, f'prove "" : {claims[0]}') for text in each.assumptions
    )


def test_claim_about_an_open_split_is_about_every_number_of_records(tmp_path: Path) -> None:
    claims = ["open.train disjoint from open.val by video", "open.train disjoint from clips by clips"]

    assert words(tmp_path, *claims) == ["refuted"] * 2


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("open.train disjoint from open.val by frames", "the intervals of `clips` stand in `clips.csv`"),
        ("open.train disjoint from s.val by clips", "a manifest lists the parts of `s`"),
    ],
)
def test_no_intervals_are_made_up_beside_a_manifest(claim: str, reason: str, folder: Path) -> None:
    (found,) = judged(folder, f'prove "" : {claim}')

    assert found.verdict.word == "unknown"
    assert found.verdict.reason.startswith(reason)


def test_what_is_made_of_parts_keeps_apart_what_they_keep_apart(folder: Path) -> None:
    split = f"{GOOD}\n" + "\n".join(
        f"dataset {part}_{kind} from s.{part} {{ {how} }}"
        for part in ("train", "val")
        for kind, how in (("cuts", "window = 8, stride = 4"), ("views", "copies = 2"))
    )
    claims = ["train_cuts disjoint from val_cuts by clips", "train_views disjoint from val_views by clips"]
    claims += ["train_views disjoint from val_views by video", "train_cuts disjoint from val_cuts by video"]
    claims += ["train_views.size != 2 * s.train.size"]

    found = judged(folder, "\n".join(f'prove "" : {each}' for each in claims), split)

    assert [each.verdict.word for each in found] == ["proved", "proved", "refuted", "unknown", "refuted"]
    good = judged(folder, f'prove "" : {claims[3]}', split.replace("by_name", "by_video"))
    assert [each.verdict.word for each in good] == ["proved"]


def test_premise_is_met_by_the_values_that_are_shown(folder: Path) -> None:
    loader = "loader train over s.train { ranks in 1..\nshard(ranks) }\n"
    claims = f"{LEAK} given train.ranks >= 3 and train.padding >= 1\n{LEAK} given train.ranks < 1"

    refuted, vacuous = judged(folder, loader + claims)

    assert refuted.verdict.counterexample is not None
    assert dict(refuted.verdict.counterexample.parameters) == {"train.ranks": 3}
    assert vacuous.verdict.word == "vacuous"


def test_margin_that_is_left_free_is_undecided(folder: Path) -> None:
    split = f"{GOOD}\ndataset other {{ size in 1..9 }}"
    (claim,) = judged(folder, 'prove "" : s.train disjoint from s.val by frames + other.size', split)

    assert claim.verdict.word == "unknown"


def test_diff_tells_another_column_and_another_manifest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loader = "loader train over s.train { batch(2) }"
    for name, old, new in (
        ("old", "", ""),
        ("column", "by_name", "by_video"),
        ("file", '"clips.csv"', '"other.csv"'),
    ):
        text = SPEC.format(split=GOOD, claims=loader)
        (folder / f"{name}.epoch").write_text(text.replace(old, new) if old else text)

    said = {}
    for name in ("old", "column", "file"):
        main(["diff", str(folder / "old.epoch"), str(folder / f"{name}.epoch")])
        said[name] = capsys.readouterr().out

    assert "identical" in said["old"]
    assert "`s.train` is made otherwise" in said["column"]
    assert "it reads manifest `other.csv` in place of `clips.csv`" in said["file"]
