"""A contract for import-linter: the concepts of a room do not know each other.

Inside a room only private modules (`_stage`, `_options`) and those named as `shared` may be imported.
"""

from __future__ import annotations

from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class ConceptsContract(Contract):
    """No module of a room imports a public module of the same room, save the shared ones."""

    type_name = "concepts"

    rooms = fields.ListField(subfield=fields.StringField())
    shared = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: Any, verbose: bool) -> ContractCheck:  # noqa: FBT001 -- import-linter's own signature
        rooms: Any = self.rooms
        shared: Any = self.shared
        wrong = [
            f"{importer} -> {concept}"
            for room in rooms
            if room in graph.modules
            for concept in sorted(graph.find_children(room))
            if not concept.rpartition(".")[2].startswith("_") and concept not in shared
            for importer in sorted(graph.find_modules_that_directly_import(concept))
            if importer.startswith(f"{room}.")
        ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: Any) -> None:
        for line in check.metadata["wrong"]:
            output.print_error(line)
