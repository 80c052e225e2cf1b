"""The page of the language shows the grammar that is used, and names every word it reserves."""

from __future__ import annotations

import re
from pathlib import Path

from epochproof.language.engine import keywords
from epochproof.language.tables import GRAMMAR

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "language.md").read_text(encoding="utf-8")


def test_page_shows_the_grammar_verbatim() -> None:
    shown = re.findall(r"^```lark\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

    assert shown == [GRAMMAR.read_text(encoding="utf-8")]


def test_page_lists_the_reserved_words() -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith("`edition dataset"))

    assert sorted(line.strip("`.").split()) == sorted(keywords().values())
