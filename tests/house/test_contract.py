"""The contract about concepts notices who knows whom."""

from __future__ import annotations

import pytest
from grimp import ImportGraph

from tests.house.contract import ConceptsContract


def wrong(imports: dict[str, str], shared: tuple[str, ...] = ()) -> list[str]:
    """What the contract refuses in a room `home.room`, given who imports whom in it."""
    graph = ImportGraph()
    graph.add_module("home.room")
    for importer, imported in imports.items():
        graph.add_import(importer=f"home.room.{importer}", imported=f"home.room.{imported}")
    options = {"rooms": ["home.room"], "shared": [f"home.room.{each}" for each in shared]}
    contract = ConceptsContract("concepts", session_options={}, contract_options=options)
    found: list[str] = contract.check(graph, verbose=False).metadata["wrong"]
    return [each.replace("home.room.", "") for each in found]


@pytest.mark.parametrize(
    "imports", [{}, {"one": "_base"}, {"one": "_base", "other": "_base"}, {"_gather": "one", "one": "_base"}]
)
def test_concepts_share_and_are_gathered_by_private_modules(imports: dict[str, str]) -> None:
    assert wrong(imports) == []


def test_concept_that_imports_another_is_refused() -> None:
    assert wrong({"one": "other"}) == ["one -> other"]


def test_way_through_a_private_module_is_refused() -> None:
    assert wrong({"one": "_base", "_base": "other"}) == ["one -> _base -> other"]


def test_shared_concept_may_be_imported() -> None:
    assert wrong({"one": "other"}, shared=("other",)) == []
