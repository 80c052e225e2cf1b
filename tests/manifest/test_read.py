"""Manifests of all formats say the same, and each fault is told with its place."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from epochproof.diagnostics import SpecError
from epochproof.manifest.groups import Groups, groups, sizes
from epochproof.manifest.read import read_manifest
from tests.manifest.tables import FORMATS, Row, column, manifest, pin, write

ROLES = ("id", "groups", "weight", "start", "end", "source")
TYPES = {"groups": "INTEGER", "weight": "DOUBLE", "start": "BIGINT", "end": "DECIMAL(10, 2)"}
CLIPS: list[Row] = [
    {
        "id": f"c, {at}",
        "groups": at // 3,
        "weight": at / 4,
        "start": 16 * at,
        "end": 16 * at + 32,
        "source": "a",
    }
    for at in range(7)
]


def faults(path: Path, *roles: str, digest: str | None = None) -> list[tuple[str, str]]:
    """Code and message of each fault of the manifest at the path."""
    with pytest.raises(SpecError) as raised:
        read_manifest(pin(path.name, *roles, digest=digest), path.parent)
    return [(each.code, each.message) for each in raised.value.diagnostics]


@pytest.mark.parametrize("ending", FORMATS)
def test_formats_give_the_same_facts(ending: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"clips.{ending}", CLIPS, **TYPES)

    read = manifest(path, *ROLES)

    assert read.records == 7
    assert read.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert groups(read, column("groups")) == Groups(3, 1, 3)
    assert list(sizes(read, column("groups")).items()) == [("0", 3), ("1", 3), ("2", 1)]
    assert read.fact == f"the dataset has 7 records with ids of their own (checked against `clips.{ending}`)"


@pytest.mark.parametrize("ending", FORMATS)
def test_formats_have_the_same_faults(ending: str, tmp_path: Path) -> None:
    rows: list[Row] = [{**row} for row in CLIPS]
    rows[1]["id"] = rows[4]["id"] = rows[6]["id"] = "twice"
    rows[2]["groups"] = None
    for at, weight in ((0, "nan"), (3, "-1"), (4, "inf"), (5, "-inf"), (6, None)):
        rows[at]["weight"] = weight
    rows[5]["end"] = 79
    path = write(tmp_path / f"clips.{ending}", rows, **TYPES)

    found = faults(path, *ROLES)

    assert [code for code, _ in found] == ["E608", "E610", "E611", "E609"]
    empty, weight, interval, repeated = (message for _, message in found)
    assert empty == f"column `groups` of `clips.{ending}` holds nothing in row 3"
    assert weight.startswith(
        f"column `weight` of `clips.{ending}` holds no weight in row 1 (`nan`), row 4 (`-1"
    )
    assert weight.endswith("row 5 (`inf`) and 2 more rows")
    assert interval.startswith(
        f"columns `start` and `end` of `clips.{ending}` hold no interval in row 6 (`80`, `79"
    )
    assert (
        repeated == f"column `id` of `clips.{ending}` repeats ids: `twice` in rows 2 and 5 (3 times in all)"
    )


WRONG = [
    ("none.csv", None, "E602", "there is no manifest `none.csv`"),
    ("clips.txt", "id\n1\n", "E603", "`clips.txt` is no manifest by its name"),
    ("clips.csv", "", "E604", "`clips.csv` is empty"),
    ("clips.csv", "id\n", "E604", "`clips.csv` has no rows"),
    ("clips.jsonl", "\n\n", "E604", "`clips.jsonl` has no rows"),
    ("clips.csv", "id,w\na,1\n\nb,2,3\n", "E605", "row 2 of `clips.csv` has 3 values under 2 columns"),
    ("clips.csv", "id,w\na,1\nb\n", "E605", "row 2 of `clips.csv` has 1 value under 2 columns"),
    ("clips.csv", 'id,w\na,"1\n', "E605", "row 1 of `clips.csv` is no row of values: unexpected end of data"),
    ("clips.csv", b"id\na\n\xff\n", "E605", "line 3 of `clips.csv` is not UTF-8"),
    (
        "clips.jsonl",
        '{"id": 1}\n\n{"id": \n',
        "E605",
        "row 2 of `clips.jsonl` is no JSON: expecting value at character 9",
    ),
    ("clips.jsonl", '{"id": 1}\n[2]\n', "E605", "row 2 of `clips.jsonl` is no JSON object"),
    ("clips.jsonl", '{"id": 1, "id": 2}\n', "E605", "row 1 of `clips.jsonl` is no JSON: a key stands twice"),
    ("clips.jsonl", b'{"id": "\xff"}\n', "E605", "row 1 of `clips.jsonl` is not UTF-8"),
    ("clips.parquet", "PAR1", "E605", "`clips.parquet` is malformed: file too small to be a parquet file"),
    ("clips.csv", "ident\n1\n", "E606", "`clips.csv` has no column `id`"),
    ("clips.jsonl", '{"ident": 1}\n', "E606", "`clips.jsonl` has no column `id`"),
    ("clips.csv", "id,id\n1,2\n", "E606", "`clips.csv` has two columns `id`"),
    ("clips.csv", 'id,w\n"",1\n', "E608", "column `id` of `clips.csv` holds nothing in row 1"),
]


@pytest.mark.parametrize(("name", "content", "code", "message"), WRONG)
def test_fault_of_a_file_is_told_with_its_place(
    name: str, content: str | bytes | None, code: str, message: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)

    assert faults(tmp_path / name, "id") == [(code, message)]


@pytest.mark.parametrize(("name", "content"), [("c.csv", "a,b\n1,2\n3\n"), ("c.jsonl", '{"a": 1}\n[2]\n')])
def test_malformed_row_is_seen_where_no_column_is_named(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)

    assert [code for code, _ in faults(tmp_path / name)] == ["E605"]


@pytest.mark.parametrize("kept", [0.5, 0.9, 0.99])
def test_parquet_that_was_cut_off_is_malformed(kept: float, tmp_path: Path) -> None:
    path = write(tmp_path / "clips.parquet", CLIPS, **TYPES)
    content = path.read_bytes()
    path.write_bytes(content[: int(kept * len(content))])

    ((code, message),) = faults(path, "id")

    assert (code, message) == ("E605", "`clips.parquet` is malformed: no magic bytes found at end of file")


def test_directory_and_what_is_no_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")

    assert faults(tmp_path / "folder.csv") == [("E602", "`folder.csv` is a directory")]
    assert faults(tmp_path / "pipe.csv") == [("E602", "cannot read `pipe.csv`: it is no file on a disk")]


@pytest.mark.parametrize(
    ("role", "kind", "value"),
    [("id", "DOUBLE", 1.0), ("groups", "INTEGER[]", [1]), ("weight", "DATE", "2026-01-01")],
)
def test_column_of_an_unfit_type_is_refused(role: str, kind: str, value: object, tmp_path: Path) -> None:
    path = write(tmp_path / "clips.parquet", [{role: value}], **{role: kind})

    assert faults(path, role) == [("E607", f"column `{role}` of `clips.parquet` has type `{kind.lower()}`")]


def test_changed_digest_is_told_with_both(tmp_path: Path) -> None:
    path = write(tmp_path / "clips.csv", CLIPS)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()

    assert read_manifest(pin("clips.csv", digest=digest), tmp_path).records == 7
    ((code, message),) = faults(path, digest="0" * 64)
    assert code == "E612"
    assert f"`sha256:{digest}`" in message and f"`sha256:{'0' * 64}`" in message


def test_ids_of_texts_differ_as_they_are_written(tmp_path: Path) -> None:
    path = write(tmp_path / "clips.csv", [{"id": each} for each in ("7", "07", "7.0", " 7", "a", "A")])

    assert manifest(path, "id").records == 6


def test_rare_column_of_json_is_found(tmp_path: Path) -> None:
    path = tmp_path / "clips.jsonl"
    path.write_text('{"id": 1}\n' * 1_500 + '{"id": 1, "groups": 2}\n')

    ((code, message),) = faults(path, "groups")

    assert code == "E608"
    assert message.endswith("holds nothing in row 1, row 2, row 3 and 1_497 more rows")


HOSTILE = "\x1b[31m=cmd|'/c calc'!A1\u202e\"; DROP TABLE rows; --"


@pytest.mark.parametrize("ending", FORMATS)
def test_hostile_ids_are_told_safely(ending: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"clips.{ending}", [{"id": HOSTILE}, {"id": HOSTILE}])

    ((code, message),) = faults(path, "id")

    assert code == "E609"
    assert message.isprintable() and "DROP TABLE rows" in message and "in rows 1 and 2" in message


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("name", ["cl'ips", 'cl"ips; --', "a=1", "[c]*?", "$one", "räcords 名"])
def test_hostile_names_are_nothing_but_names(name: str, ending: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"plain.{ending}", [{"n": "1", name.replace('"', "'"): "a"}])
    path = path.rename(tmp_path / f"{name}.{ending}")
    ids = column("id", name.replace('"', "'"))

    read = read_manifest(pin(path.name), tmp_path)

    assert groups(read, ids) == Groups(1, 1, 1)


def test_nothing_is_left_in_the_folder_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "clips.csv", CLIPS)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))

    manifest(path, "id")

    assert list((tmp_path / "temporary").iterdir()) == []
    assert path.is_file()


def test_missing_folder_of_temporary_files_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "clips.csv", CLIPS)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))

    ((code, message),) = faults(path, "id")

    assert (code, message) == (
        "E602",
        "there is no room for temporary files: no such file or directory",
    )
