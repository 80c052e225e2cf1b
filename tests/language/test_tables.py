"""The shipped tables are those of the grammar, and fit only the lark that made them."""

from __future__ import annotations

import json
from pathlib import Path

import lark
import pytest
from lark import Lark

from epochproof.language import engine
from epochproof.language.build import Builder
from epochproof.language.tables import GRAMMAR, TABLES, built, loaded, written

STALE = "the grammar has changed: run `python -m epochproof.language.tables`"
SHIPPED = TABLES.read_text(encoding="utf-8")
ORIGINALS = sorted((Path(__file__).parent / "originals").glob("*.epoch"))
MAKER = json.loads(SHIPPED)["made_from"]["lark"]
only_maker = pytest.mark.skipif(
    lark.__version__ != MAKER, reason=f"the tables are by lark {MAKER}, and this is lark {lark.__version__}"
)


@pytest.fixture(name="engines")
def both_engines() -> tuple[Lark, Lark]:
    """The parser from the shipped tables, and the one from the grammar."""
    from_tables = loaded(SHIPPED, Builder())
    assert from_tables is not None, STALE
    return from_tables, built(Builder())


@only_maker
def test_shipped_tables_are_those_of_the_grammar() -> None:
    assert written() == SHIPPED, STALE


@only_maker
@pytest.mark.parametrize("path", ORIGINALS, ids=lambda path: path.stem)
def test_example_has_one_tree(path: Path, engines: tuple[Lark, Lark]) -> None:
    from_tables, from_grammar = (each.parse(path.read_text()) for each in engines)

    assert from_tables == from_grammar


@only_maker
def test_text_could_go_on_in_the_same_ways(engines: tuple[Lark, Lark]) -> None:
    from_tables, from_grammar = (each.parse_interactive('edition 1 prove "t" : a') for each in engines)
    for each in (from_tables, from_grammar):
        each.exhaust_lexer()
    accepted = from_tables.accepts()  # type: ignore[no-untyped-call]

    assert accepted == from_grammar.accepts()  # type: ignore[no-untyped-call]
    assert {"PLUS", "GIVEN", "$END"} <= accepted


@only_maker
def test_parser_takes_the_shipped_tables() -> None:
    assert engine._lark().source_path == "<deserialized>"


@pytest.mark.parametrize("made_from", [{"lark": "1.2.2"}, {"grammar": "0"}])
def test_tables_of_another_lark_or_grammar_are_left_alone(made_from: dict[str, str]) -> None:
    tables = json.loads(SHIPPED)
    tables["made_from"] |= made_from

    assert loaded(json.dumps(tables)) is None


def test_grammar_alone_is_enough() -> None:
    (path, *_) = ORIGINALS

    assert GRAMMAR.is_file()
    assert built().parse(path.read_text()).data == "start"
