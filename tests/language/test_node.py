"""Nodes are frozen, equal by class and fields, and open to `match`."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from epochproof.diagnostics import Span
from epochproof.language import tree

HERE, THERE = Span(0, 1), Span(2, 3)


def test_fields_are_given_by_place_or_by_name() -> None:
    assert tree.Number(7, HERE) == tree.Number(7, span=HERE) == tree.Number(span=HERE, value=7)


def test_every_field_is_given_once() -> None:
    wrong: list[tuple[list[Any], dict[str, Any]]] = [
        ([7], {}),
        ([7, HERE, HERE], {}),
        ([7], {"value": 8}),
        ([7, HERE], {"span": HERE}),
        ([7], {"place": HERE}),
    ]
    for values, named in wrong:
        with pytest.raises(TypeError, match="`Number` takes value, span, each once"):
            tree.Number(*values, **named)


def test_node_is_never_changed() -> None:
    node = tree.Number(7, HERE)

    with pytest.raises(FrozenInstanceError, match="cannot change `value`"):
        node.value = 8  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete `value`"):
        del node.value
    with pytest.raises(FrozenInstanceError):
        node.other = 8
    assert node.value == 7


def test_equal_nodes_have_one_class_and_equal_fields() -> None:
    node = tree.Text("a", HERE)

    assert node == tree.Text("a", HERE) and hash(node) == hash(tree.Text("a", HERE))
    assert node not in (tree.Text("b", HERE), tree.Text("a", THERE))
    assert tree.Equal(node, node, HERE) != tree.Across(node, tree.Name(("a",), HERE), HERE)
    assert tree.Mix("d", (), HERE, HERE) != tree.Stage("d", (), HERE, HERE)


def test_node_matches_by_place_and_by_name() -> None:
    match tree.Negate("-", tree.Number(7, HERE), THERE):
        case tree.Negate("-", tree.Number(value=int(number)), span=span):
            found = number, span

    assert found == (7, THERE)


def test_node_shows_its_fields() -> None:
    assert repr(tree.Number(7, HERE)) == "Number(value=7, span=Span(start=0, end=1))"
    assert str(tree.Name(("a", "b"), HERE)) == "a.b"


def test_node_elsewhere_is_the_same_but_for_its_span() -> None:
    assert tree.Text("a", HERE).at(THERE) == tree.Text("a", THERE)


def test_copies_are_equal() -> None:
    node = tree.Negate("not", tree.Name(("a",), HERE), THERE)

    assert copy.deepcopy(node) == node
    assert pickle.loads(pickle.dumps(node)) == node  # noqa: S301 -- our own bytes
