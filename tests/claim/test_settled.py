"""Manifests are read where a claim needs them, and what they settle is marked."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import epochproof
from epochproof.claim._settled import settled_claims
from epochproof.prove.verdict import Judged
from epochproof.schedule.read import Schedule

SPEC = """edition 1
dataset clips {{ {settings} }}
dataset other {{ size = 5 }}
loader train over clips {{
  ranks in 1..4
  shuffle(seed = any)
  shard(ranks, tail = pad)
}}
loader second over other {{ shard(ranks) }}
{claims}
"""
MANIFEST = 'manifest = "clips.csv"'
EXACT = 'prove "ten" : train.distinct == 10'
PROCESSED = "every delivered record is processed"
FACT = "the dataset has 10 records with ids of their own (checked against `clips.csv`)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds `clips.csv`, with ten records."""
    (tmp_path / "clips.csv").write_text("id\n" + "".join(f"c{at}\n" for at in range(10)))
    return tmp_path


def judged(folder: Path, settings: str, claims: str) -> tuple[Judged, ...]:
    (folder / "train.epoch").write_text(SPEC.format(settings=settings, claims=claims))
    return epochproof.check(folder / "train.epoch").claims


def faults(folder: Path, settings: str, claims: str = EXACT) -> list[tuple[str, str, str]]:
    with pytest.raises(epochproof.SpecError) as raised:
        judged(folder, settings, claims)
    assert raised.value.source is not None and raised.value.source.path.endswith("train.epoch")
    return [(each.code, each.message, each.help) for each in raised.value.diagnostics]


@pytest.mark.parametrize("size", ["", "size = 10", "size in 1..", "size in 5..20", "size in {10, 11}"])
def test_size_is_that_of_the_manifest(size: str, folder: Path) -> None:
    right, wrong = judged(
        folder, f"{MANIFEST}, id = id\n{size}", f'{EXACT}\nrefute "nine" : train.distinct == 9'
    )

    assert right.as_stated and wrong.as_stated
    assert right.assumptions[-1] == FACT
    assert wrong.verdict.counterexample is not None
    assert dict(wrong.verdict.counterexample.parameters) == {"train.ranks": 1}


@pytest.mark.parametrize(
    ("size", "said"), [("size = 1_001", "1_001"), ("size in 11..", "11.."), ("size in {1, 2}", "{1, 2}")]
)
def test_another_size_is_refused(size: str, said: str, folder: Path) -> None:
    assert faults(folder, f"{MANIFEST}\n{size}") == [
        (
            "E613",
            f"the size of dataset `clips` is `{said}` in the spec, and its manifest has 10 records",
            "correct the size, or leave it out: the manifest gives it",
        )
    ]


def test_manifest_is_not_opened_where_no_claim_needs_it(tmp_path: Path) -> None:
    claims = 'prove "five" : second.distinct == 5\nprove "few" : train.ranks <= 4'

    first, second = judged(tmp_path, 'manifest = "missing.parquet"', claims)

    assert first.as_stated and second.as_stated
    assert not any("checked" in text for text in (*first.assumptions, *second.assumptions))


def test_only_the_claim_that_needs_the_manifest_lists_it(folder: Path) -> None:
    needs, not_ = judged(folder, f"{MANIFEST}, id = id", f'{EXACT}\nprove "five" : second.distinct == 5')

    assert FACT in needs.assumptions
    assert FACT not in not_.assumptions


def test_without_ids_nothing_is_said_about_them(folder: Path) -> None:
    (claim,) = judged(folder, MANIFEST, EXACT)

    assert claim.assumptions[-1] == "the dataset has 10 records (checked against `clips.csv`)"


def test_assumption_that_the_manifest_settles_is_marked(folder: Path) -> None:
    assumptions = """
    assume "at least a batch"  : clips.size >= 8
    assume "an even world"     : train.ranks % 2 == 0
    assume "more than ranks"   : clips.size > train.ranks
    """

    (claim,) = judged(folder, MANIFEST, assumptions + EXACT)

    assert claim.assumptions[-4:-1] == (
        "at least a batch (checked against `clips.csv`)",
        "an even world",
        "more than ranks",
    )


def test_assumption_that_the_manifest_contradicts_makes_a_claim_vacuous(folder: Path) -> None:
    (claim,) = judged(folder, MANIFEST, f'assume "many" : clips.size >= 11\n{EXACT}')

    assert claim.verdict.word == "vacuous"
    assert "many" in claim.assumptions


def test_size_of_a_manifest_is_not_free(folder: Path) -> None:
    ((code, message, _),) = faults(folder, MANIFEST, 'prove "it" : train.order unaffected by clips.size')

    assert (code, message) == ("E304", "`clips.size` is fixed at 10, so nothing can be affected by it")


def test_loaders_over_one_dataset_still_share_it(folder: Path) -> None:
    loader = "loader third over clips { shard(ranks) }\n"

    (claim,) = judged(folder, MANIFEST, loader + 'prove "alike" : train.multiplicity >= third.multiplicity')

    assert claim.as_stated


def test_path_is_meant_from_the_folder_of_the_spec(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")

    assert judged(folder, MANIFEST, EXACT)[0].as_stated
    monkeypatch.chdir(folder)
    assert epochproof.check(SPEC.format(settings=MANIFEST, claims=EXACT)).ok


def test_every_manifest_at_fault_is_told(tmp_path: Path) -> None:
    text = SPEC.format(settings=MANIFEST, claims=EXACT).replace("size = 5", 'manifest = "other.csv"')
    (tmp_path / "train.epoch").write_text(text + '\nprove "five" : second.distinct == 5')

    with pytest.raises(epochproof.SpecError) as raised:
        epochproof.check(tmp_path / "train.epoch")

    assert [each.message for each in raised.value.diagnostics] == [
        "there is no manifest `clips.csv`",
        "there is no manifest `other.csv`",
    ]


SETTINGS = [
    ("size = 10, weight = w", "E614", "`weight` is about a manifest, and dataset `clips` has none"),
    ("size = 10, digest = d", "E614", "`digest` is about a manifest, and dataset `clips` has none"),
    (f"{MANIFEST}, start = s", "E614", "an interval has two ends, and `end` is missing"),
    (f"{MANIFEST}, id = 3", "E614", "`id` takes a name"),
    (f"{MANIFEST}, id = a.b", "E614", "`id` takes a name"),
    (f"{MANIFEST}, id in {{1, 2}}", "E614", "`id` takes a name"),
    ("manifest = clips", "E614", "`manifest` takes a text"),
    ('manifest = ""', "E614", "`manifest` takes a text"),
    (f'{MANIFEST}, digest = "sha256:0"', "E614", "a digest is `sha256:` and 64 hexadecimal digits"),
    (f"{MANIFEST}, files = 2, rows = 5", "E216", "the size of dataset `clips` is given twice"),
    (f"{MANIFEST}, wieght = w", "E201", "a dataset has no setting `wieght`"),
    ('manifest = "no such\tfile.csv"', "E602", "there is no manifest `no such    file.csv`"),
    (f"{MANIFEST}, id = idd", "E606", "`clips.csv` has no column `idd`"),
]


@pytest.mark.parametrize(("settings", "code", "message"), SETTINGS)
def test_wrong_setting_is_told(settings: str, code: str, message: str, folder: Path) -> None:
    ((found, told, cure),) = faults(folder, settings)

    assert (found, told) == (code, message)
    assert cure


def test_ids_and_groups_may_be_named_without_a_manifest(tmp_path: Path) -> None:
    (claim,) = judged(tmp_path, "size = 10, id = sha256, groups = video", EXACT)

    assert claim.as_stated


def test_count_reads_the_manifest(folder: Path) -> None:
    digest = hashlib.sha256((folder / "clips.csv").read_bytes()).hexdigest()
    (folder / "train.epoch").write_text(
        SPEC.format(settings=f'{MANIFEST}, id = id, digest = "sha256:{digest}"', claims="")
    )

    train, _ = epochproof.count(folder / "train.epoch", set={"train.ranks": 4})

    assert (train.occurrences, train.distinct, train.padding) == (12, 10, 2)


def test_loading_and_other_loaders_leave_the_manifest_alone(tmp_path: Path) -> None:
    text = SPEC.format(settings='manifest = "missing.csv"', claims="")
    loader = text[text.index("loader train") : text.index("loader second")]
    (tmp_path / "train.epoch").write_text(text.replace(loader, ""))

    assert isinstance(epochproof.load(tmp_path / "train.epoch"), Schedule)
    (second,) = epochproof.count(tmp_path / "train.epoch")
    assert second.distinct == 5


def test_sizes_that_only_loaders_need_are_read_when_asked_for(folder: Path) -> None:
    (folder / "train.epoch").write_text(SPEC.format(settings=MANIFEST, claims=""))
    schedule = epochproof.load(folder / "train.epoch")

    assert settled_claims(schedule)[0].manifests == {}
    assert settled_claims(schedule, all_loaders=True)[0].manifests.keys() == {"clips.size"}


SPLIT = """edition 1
dataset videos {{ manifest = "clips.csv", id = id, groups = id, length = 100 }}
dataset clips from videos {{ window = 64, stride = 32 }}
split whole of clips by videos {{ train = 0.5, val = 0.5 }}
split parted of clips by clips {{ train = 0.5, val = 0.5 }}
prove  "no video is in both" : whole.train disjoint from whole.val by videos
refute "no video is in both" : parted.train disjoint from parted.val by videos
{more}
"""
LOADERS = """
loader train over clips { ranks = 2 shard(ranks) }
loader part over whole.train { ranks = 2 shard(ranks) }
prove "twenty clips" : train.distinct == 20
prove "ten of them"  : part.occurrences == 10
"""


def test_claim_about_a_split_opens_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "train.epoch").write_text(SPLIT.format(more=""))

    assert epochproof.check(tmp_path / "train.epoch").ok


def test_claim_about_a_split_stands_beside_one_that_needs_the_manifest(folder: Path) -> None:
    (folder / "train.epoch").write_text(SPLIT.format(more=LOADERS))

    proved, refuted, needs, part = epochproof.check(folder / "train.epoch").claims

    assert all(each.as_stated for each in (proved, refuted, needs, part))
    assert FACT in needs.assumptions and FACT in part.assumptions
    assert FACT not in proved.assumptions and FACT not in refuted.assumptions
