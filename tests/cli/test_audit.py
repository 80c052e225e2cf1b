"""`epochproof audit`: exit codes, options, and each fault of a trace or a call with its own message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.cli.main import main
from tests.audit.traces import Row, scheduled, write

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "spec" / "schemas" / "audit-1.json").read_text())
SPEC = """edition 1
dataset clips { size in 1.. }
loader train over clips {
  ranks in 1..64
  shard(ranks, tail = pad)
  batch(4)
}
prove "all are read" : train.omitted == {}
"""
VALUES = {"clips.size": 22, "train.ranks": 3}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.epoch").write_text(SPEC)
    return tmp_path


def recorded(folder: Path, rows: list[Row], name: str = "trace", **said: Any) -> None:
    write(folder / name, rows, **{"dataset": 22, **said})


def called(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    code = main(["audit", "train.epoch", "trace", *options])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def document(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    code, text = called(capsys, *options, "--format", "json")
    found: dict[str, Any] = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return code, found


def test_run_as_scheduled_is_0_and_what_the_trace_says_is_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(folder, scheduled(SPEC, VALUES))

    code, text = called(capsys, "--elapsed", "12s")

    assert code == 0
    assert "clips.size = 22 (as the trace says), train.ranks = 3 (as the trace says)" in text
    assert "2  occurrences per second       repeats included: 24 in 12 s" in text
    assert "1.83333  distinct records per second  each record once: 22 in 12 s" in text


def test_difference_is_1_with_its_first_place_and_what_it_breaks(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = scheduled(SPEC, VALUES)
    del rows[9]
    recorded(folder, rows)

    code, text = called(capsys)

    assert code == 1
    assert "first difference: epoch 0, rank 1, step 0, slot 1\n    expected record 4, found nothing" in text
    assert '"all are read"  line 8' in text.partition("in this run it is false that")[2]


def test_document_follows_its_schema(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = scheduled(SPEC, VALUES)
    rows[0]["record"] = 99
    recorded(folder, rows)

    code, found = document(capsys, "--steps", "0..0", "--elapsed", "2.5s")

    assert code == 1
    assert [(each["kind"], each["count"]) for each in found["differences"]] == [
        ("missing", 1),
        ("unknown", 1),
    ]
    assert found["first"]["expected"] == "record 0" and found["first"]["found"] == "record 99"
    assert found["portion"]["rates"]["occurrences_per_second"] == 4.8


def test_portion_leaves_out_what_a_running_job_has_not_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(folder, [row for row in scheduled(SPEC, VALUES) if row["step"] == 0])

    assert called(capsys, "--steps", "0..0")[0] == 0
    assert called(capsys)[0] == 1


def test_portion_by_the_clock_has_its_own_window(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(folder, [{**row, "elapsed": float(row["step"])} for row in scheduled(SPEC, VALUES)])

    _, found = document(capsys, "--elapsed", "0s..1s")

    assert found["portion"]["read"]["occurrences"] == 12
    assert found["portion"]["rates"]["seconds"] == 1


def test_segments_are_joined(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = scheduled(SPEC, VALUES, epochs=2)
    for row in rows:
        row["segment"] = row["epoch"]
    again = [{**row, "segment": 1} for row in rows if row["epoch"] == 0 and row["step"] == 1]
    recorded(folder, rows)
    recorded(folder, rows + again, "replayed")

    code, found = document(capsys)
    assert (code, found["segments"], found["replayed"]) == (0, 2, 0)

    main(["audit", "train.epoch", "replayed"])
    assert "2 segments joined into one run, which read 12 occurrences again" in capsys.readouterr().out


PINNED = SPEC.replace("size in 1.. }", 'manifest = "clips.csv" id = clip groups = video }')


@pytest.fixture
def manifest(folder: Path) -> Path:
    (folder / "train.epoch").write_text(PINNED)
    lines = ["clip,video", *(f"clip-{at},video-{at // 4}" for at in range(22))]
    (folder / "clips.csv").write_text("\n".join(lines) + "\n")
    return folder


def named(rows: list[Row]) -> list[Row]:
    return [{**row, "record": f"clip-{row['record']}"} for row in rows]


def test_names_are_looked_up_in_the_manifest(manifest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = scheduled(SPEC, VALUES)
    recorded(manifest, named(rows))
    assert called(capsys)[0] == 0

    rows[0]["record"], rows[1]["record"] = rows[1]["record"], 77
    recorded(manifest, named(rows))
    code, text = called(capsys)

    assert code == 1
    assert "expected record clip-0, found record clip-3" in text
    assert "unknown           1 occurrence" in text and "record clip-77" in text


def test_manifest_of_the_call_names_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = SPEC.replace("size in 1.. }", "size in 1.., id = clip }")
    (folder / "train.epoch").write_text(spec)
    (folder / "clips.csv").write_text("\n".join(["clip", *(f"clip-{at}" for at in range(22))]) + "\n")
    recorded(folder, named(scheduled(SPEC, VALUES)))

    assert called(capsys, "--manifest", "clips.csv")[0] == 0
    assert called(capsys)[0] == 2


def test_groups_that_two_traces_share_are_found(manifest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = named(scheduled(SPEC, VALUES))
    recorded(manifest, [row for row in rows if row["record"] in ("clip-0", "clip-9")])
    recorded(manifest, [row for row in rows if row["record"] in ("clip-3", "clip-20")], "other")

    code, found = document(capsys, "--against", "other", "--by", "video")
    assert (code, found["shared"]) == (1, 1)
    assert found["examples"] == [{"value": "video-0", "record": "clip-0", "other_record": "clip-3"}]

    code, text = called(capsys, "--against", "other")
    assert code == 0 and "no record was read in both" in text


def test_trace_that_is_no_trace_is_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = called(capsys)

    assert code == 2 and "E807" in text


@pytest.mark.parametrize("bytes_", [50, 400])
def test_truncated_part_is_2(folder: Path, capsys: pytest.CaptureFixture[str], bytes_: int) -> None:
    recorded(folder, scheduled(SPEC, VALUES))
    part = next((folder / "trace").rglob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-bytes_])

    code, text = called(capsys)

    assert code == 2 and "E806" in text and "truncated" in text


def test_damaged_part_is_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(folder, scheduled(SPEC, VALUES))
    part = next((folder / "trace").rglob("*.parquet"))
    held = bytearray(part.read_bytes())
    held[4:60] = bytes(56)
    part.write_bytes(held)

    code, text = called(capsys)

    assert code == 2 and "E829" in text


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--of", "trian"], "E823"),
        (["--set", "train.ranks=100"], "E503"),
        (["--set", "train.seed=1"], "E502"),
        (["--engine", "oracle"], "E825"),
        (["--by", "video"], "E509"),
        (["--against", "trace", "--by", "video"], "E823"),
        (["--against", "trace", "--by", "source"], "E823"),
        (["--elapsed", "9s..3s"], "E506"),
        (["--steps", "3"], "E505"),
    ],
)
def test_wrong_call_is_2(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: str
) -> None:
    recorded(folder, scheduled(SPEC, VALUES))

    found, text = called(capsys, *options)

    assert found == 2 and code in text


def test_value_that_nobody_gives_is_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "trace", scheduled(SPEC, VALUES))

    code, text = called(capsys)

    assert code == 2 and "nothing says what `clips.size` was in this run" in text
