"""Every preset that is shipped says what it describes, has a page, and a grid against its package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import epochproof
from epochproof.config.read import from_disk
from epochproof.language.format import format_text
from epochproof.language.parse import read
from epochproof.schedule.library import SHIPPED, Definition, Library

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(SHIPPED.glob("*.epoch"))
DEFINITIONS = [each for path in FILES for each in Library(read(path), from_disk, path.stem).own]
GRIDS = {
    name
    for path in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r'\b(?:Grid|Split|Whole)\(\s*"([^"]+)"', path.read_text())
}


def called(definition: Definition) -> str:
    return definition.called


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_is_formatted_and_sound(path: Path) -> None:
    text = path.read_text()

    assert format_text(text) == text
    assert epochproof.check(path).ok


@pytest.mark.parametrize("definition", DEFINITIONS, ids=called)
def test_preset_says_what_it_describes(definition: Definition) -> None:
    version_or_commit = r"\d.*|[0-9a-f]{7}"

    assert re.fullmatch(rf"[A-Za-z0-9_-]+ (?:{version_or_commit})", definition.describes)


@pytest.mark.parametrize("definition", DEFINITIONS, ids=called)
def test_page_of_the_framework_names_it_with_its_parameters(definition: Definition) -> None:
    page = (ROOT / "spec" / "presets" / f"{definition.called.partition('.')[0]}.md").read_text()
    source, preset = definition.library.source, definition.preset
    parameters = [source.text[each.span.start : each.span.end] for each in preset.parameters]

    assert f"`{definition.called}({', '.join(parameters)})`" in page


def test_every_preset_has_a_grid_and_every_grid_a_preset() -> None:
    assert {each.called for each in DEFINITIONS} == GRIDS
