"""The fenced blocks of a page as text: finding them, comparing outputs, reading promised verdicts."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n((?:.*\n)*?)\1\2$", re.MULTILINE)
CLAIM = re.compile(r'^\s*(?:prove|refute)\s+"')
VERDICT = re.compile(r"#\s*(proved|refuted|vacuous|unknown)\s*$")
STAGES_ALONE = re.compile(r"\s*(?!(?:edition|dataset|split|mix|loader|bind|preset|assume|prove|refute)\b)\w")
TIMES = ((r" *\b\d+(\.\d+)? m?s\b", " N s"), (r'("seconds": ?)[\d.e-]+', r"\1N"), (r" +$", ""))


@dataclass(frozen=True)
class Block:
    """One fenced block: its info words, its text, the page's line, and the span of its text."""

    words: tuple[str, ...]
    body: str
    line: int
    span: tuple[int, int]
    indent: str

    def option(self, name: str) -> str | None:
        """The value of the info word `name=value`."""
        return next((word[len(name) + 1 :] for word in self.words if word.startswith(f"{name}=")), None)


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, from top to bottom."""
    return [
        Block(
            words=tuple(found[3].split()) or ("",),
            body=re.sub(f"^{found[1]}", "", found[4], flags=re.MULTILINE),
            line=page.count("\n", 0, found.start()) + 1,
            span=found.span(4),
            indent=found[1],
        )
        for found in FENCE.finditer(page)
    ]


def matches(expected: str, actual: str) -> bool:
    """Whether an output is as the page shows it: `...` stands for anything, a time for any time."""
    for pattern, instead in TIMES:
        expected, actual = (
            re.sub(pattern, instead, text, flags=re.MULTILINE)
            for text in (expected.strip("\n"), actual.strip("\n"))
        )
    lines = [re.escape(line).replace(r"\.\.\.", ".*") + "\n" for line in expected.split("\n")]
    pattern = "".join("(?:.*\n)*?" if line == ".*\n" else line for line in lines)
    return re.fullmatch(pattern, actual + "\n") is not None


def spec(text: str, *, fragment: bool) -> str:
    """The spec that an `epoch` block stands for: its edition and, for stages alone, a loader added."""
    if fragment and STAGES_ALONE.match(re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)):
        text = f"dataset page {{ size = 1 }}\nloader part over page {{\n{text}}}\n"
    return text if re.search(r"^edition\b", text, re.MULTILINE) else f"edition 1\n\n{text}"


def promised(text: str) -> list[str | None]:
    """For each claim the verdict that a trailing comment promises; `None`: that it is as stated."""
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if CLAIM.match(line)]
    return [
        next((said[1] for line in lines[a:b] if (said := VERDICT.search(line))), None)
        for a, b in pairwise([*starts, len(lines)])
    ]


def unknown_names(script: str, folders: tuple[Path, ...]) -> list[str]:
    """The extras, modules and files that a shell script names and that do not exist."""
    extras = {each for some in re.findall(r"\[([\w,-]+)\]", script) for each in some.split(",")}
    modules = {each for each in re.findall(r"python3? -m ([\w.]+)", script) if not find_spec(each)}
    words = {word.strip("'\"") for word in script.split()}
    path = re.compile(r"(?!/|-|\.venv)[\w./-]*(/[\w.-]+|\.(epoch|py|toml))")
    files = {word for word in words if path.fullmatch(word)}
    files -= {file for file in files if any((folder / file).exists() for folder in folders)}
    return sorted((extras - EXTRAS) | modules | files)
