"""The house stays in order: short modules, short functions, a test and a page for each concept."""

from __future__ import annotations

import ast
import re
import statistics
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "epochproof"
MODULES = sorted(SOURCE.rglob("*.py"))
ROOMS = {"stage": "stages", "claim": "claims"}


def concepts(room: str) -> list[str]:
    """The modules of a room that define a stage, a quantity or a relation."""
    return sorted(path.stem for path in (SOURCE / room).glob("[!_]*.py"))


def lines(path: Path) -> int:
    return path.read_text().count("\n")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_is_short(path: Path) -> None:
    assert lines(path) <= 300


def test_modules_are_short_as_a_rule() -> None:
    assert statistics.median(lines(path) for path in MODULES if path.name != "__init__.py") <= 110


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_functions_are_short(path: Path) -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, functions) and node.end_lineno and node.end_lineno - node.lineno >= 50
    }

    assert not long


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_says_what_it_is_in_its_first_line(path: Path) -> None:
    first = (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]

    assert first
    assert "this module" not in first.lower()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_nothing_is_left_to_do(path: Path) -> None:
    assert not re.findall(r"\b(?:TODO|FIXME|XXX|HACK)\b", path.read_text())


@pytest.mark.parametrize(("room", "module"), [(room, module) for room in ROOMS for module in concepts(room)])
def test_concept_has_a_test_and_a_page(room: str, module: str) -> None:
    test = ROOT / "tests" / room / f"test_{module}.py"
    page = ROOT / "spec" / ROOMS[room] / f"{module}.md"

    assert [name(path) for path in (test, page) if not path.is_file()] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_page_has_its_concept(room: str) -> None:
    pages = {path.stem for path in (ROOT / "spec" / ROOMS[room]).glob("*.md")} - {"README"}

    assert pages - set(concepts(room)) == set()


def test_rooms_hold_concepts() -> None:
    assert {"shuffle", "shard", "batch"} <= set(concepts("stage"))
    assert {"occurrences", "distinct", "padding", "equal"} <= set(concepts("claim"))


def test_readme_and_ci_run_the_same_tests() -> None:
    readme, script = ((ROOT / file).read_text() for file in ("README.md", ".ci/run"))

    assert "pip install -e '.[dev]' && python -m tests" in readme
    assert script.rstrip().endswith("-m tests")


def test_top_level_holds_nothing_else() -> None:
    allowed = "pyproject.toml README.md LICENSE CHANGELOG.md spec src examples tests docs".split()  # noqa: SIM905
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().split()}
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}

    assert found - ignored - set(allowed) == set()
