"""Every public fault under `examples/faults` is as its spec states it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epochproof import check
from epochproof.language.format import format_text
from epochproof.prove.session import Checked

FOLDER = Path(__file__).parents[2] / "examples" / "faults"
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.epoch"))}
ROW = re.compile(
    r"^\| \[`(?P<id>[^`]+)`\]\((?P=id)\.epoch\) \| (?P<kind>\w+) \| .+ \| \[.+\]\((?P<thread>\S+)\) \|$",
    re.MULTILINE,
)
ROWS = {row["id"]: row for row in ROW.finditer((FOLDER / "README.md").read_text())}
KINDS = [
    "duplication",
    "omission",
    "coverage",
    "leakage",
    "weights",
    "resume",
    "uneven",
    "determinism",
    "randomness",
    "accounting",
    "other",
]
THREAD = re.compile(r"^# (https://github\.com/\S+/\S+/(?:issues|pull)/\d+)$", re.MULTILINE)


def wrong(checked: Checked) -> list[tuple[str, str]]:
    """Text and verdict of the claims that are not as stated."""
    return [(each.text, each.verdict.word) for each in checked.claims if not each.as_stated]


@pytest.mark.parametrize("path", FILES.values(), ids=FILES)
def test_fault_is_as_stated(path: Path) -> None:
    checked = check(path)

    assert wrong(checked) == []


@pytest.mark.parametrize("path", FILES.values(), ids=FILES)
def test_fault_names_the_thread_that_the_page_names(path: Path) -> None:
    threads = THREAD.findall(path.read_text())

    assert threads == [ROWS[path.stem]["thread"]]


@pytest.mark.parametrize("path", FILES.values(), ids=FILES)
def test_fault_is_formatted(path: Path) -> None:
    text = path.read_text()

    assert format_text(text) == text


def test_page_lists_each_fault_once_grouped_by_kind() -> None:
    kinds = [row["kind"] for row in ROWS.values()]

    assert sorted(ROWS) == list(FILES)
    assert kinds == sorted(kinds, key=KINDS.index)
    assert set(kinds) == set(KINDS)


def test_at_least_ninety_faults_are_told() -> None:
    assert len(FILES) >= 90
