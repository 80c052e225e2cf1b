"""A contract for import-linter: the concepts of a room do not know each other.

The public modules of a room are its concepts; its private ones (`_stage`, `_read`) serve them or gather them.
No concept may import another one, not even through a private module, save those named as `shared`.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class ConceptsContract(Contract):
    """No public module of a room reaches another public module of the same room, save the shared ones."""

    type_name = "concepts"

    rooms = fields.ListField(subfield=fields.StringField())
    shared = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: Any, verbose: bool) -> ContractCheck:  # noqa: FBT001 -- import-linter's own signature
        rooms: Any = self.rooms
        shared: Any = self.shared
        chains = [
            graph.find_shortest_chain(importer=one, imported=other)
            for room in rooms
            if room in graph.modules
            for one, other in permutations(sorted(filter(_is_concept, graph.find_children(room))), 2)
            if other not in shared
        ]
        wrong = sorted(" -> ".join(chain) for chain in chains if chain)
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: Any) -> None:
        for line in check.metadata["wrong"]:
            output.print_error(line)


def _is_concept(module: str) -> bool:
    return not module.rpartition(".")[2].startswith("_")
