"""The examples stand as `fmt` writes them, and each of their claims is as stated."""

from __future__ import annotations

from pathlib import Path

import pytest

from epochproof import check
from epochproof.language.format import format_text

FOLDER = Path(__file__).parents[2] / "examples"
FILES = [path for path in sorted(FOLDER.rglob("*.epoch")) if "faults" not in path.parts]
NAMES = [str(path.relative_to(FOLDER)) for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_example_is_formatted(path: Path) -> None:
    text = path.read_text()

    assert format_text(text) == text


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_example_is_as_stated(path: Path) -> None:
    checked = check(path)

    assert checked.claims
    assert [each.text for each in checked.claims if not each.as_stated] == []
