"""Shapes: what is written is read, what does not fit is told, and the schema says the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import jsonschema
import pytest

from epochproof.statement.shape import ShapeError, read, schema, written


@dataclass(frozen=True)
class Inner:
    """A part."""

    count: Annotated[str, "[0-9]+"]


@dataclass(frozen=True)
class Outer:
    """A whole."""

    two_words: str
    kind: Literal["a", "b"]
    number: int
    good: bool
    parts: tuple[Inner, ...]
    named: Mapping[str, Inner]
    maybe: Annotated[str, "x+"] | None = None
    whole: Inner | None = None


FULL = Outer("text", "a", 3, good=True, parts=(Inner("1"),), named={"n": Inner("2")}, maybe="xx")
WRITTEN = {
    "twoWords": "text",
    "kind": "a",
    "number": 3,
    "good": True,
    "parts": [{"count": "1"}],
    "named": {"n": {"count": "2"}},
    "maybe": "xx",
}
SCHEMA = schema(Outer, "urn:outer", "Outer")


def fits(document: object) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(document))


def test_written_is_read() -> None:
    assert written(FULL) == WRITTEN
    assert read(Outer, WRITTEN) == FULL
    assert fits(WRITTEN)


def test_unknown_field_is_ignored() -> None:
    assert read(Outer, {**WRITTEN, "more": 1}) == FULL
    assert fits({**WRITTEN, "more": 1})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"twoWords": 1}, "`twoWords` is not a text"),
        ({"kind": "c"}, "`kind` is none of a, b"),
        ({"kind": ["a"]}, "`kind` is none of a, b"),
        ({"number": True}, "`number` is not a number"),
        ({"number": 1.5}, "`number` is not a number"),
        ({"good": 1}, "`good` is not true or false"),
        ({"parts": {}}, "`parts` is not a list"),
        ({"parts": [{"count": "x"}]}, "`parts[0].count` is malformed"),
        ({"parts": [{"count": "1\n"}]}, "`parts[0].count` is malformed"),
        ({"parts": [{}]}, "`parts[0]` has no `count`"),
        ({"named": {"n": 1}}, "`named.n` is not an object"),
        ({"maybe": "y"}, "`maybe` is malformed"),
    ],
)
def test_what_does_not_fit_is_told(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ShapeError) as caught:
        read(Outer, {**WRITTEN, **change})

    assert str(caught.value).startswith(said)
    assert not fits({**WRITTEN, **change}) or change["parts"] == [{"count": "1\n"}]


def test_whole_document_of_another_kind_is_told() -> None:
    with pytest.raises(ShapeError, match="`the document` is not an object"):
        read(Outer, [])
