"""One spec that was checked, and the files that its verdicts rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from epochproof.cli._inputs import parsed
from epochproof.cli._versions import State, state
from epochproof.diagnostics import SpecError
from epochproof.language import tree
from epochproof.prove.session import Checked, opened
from epochproof.prove.solver import GUARD
from epochproof.schedule.read import read_schedule

_KNOWN = (
    tree.Dataset
    | tree.Split
    | tree.Mix
    | tree.Loader
    | tree.Claim
    | tree.Assumption
    | tree.Setting
    | tree.Stage
)
"""Nodes of which it is known which files they name."""


@dataclass(frozen=True)
class Reading:
    """The verdicts of a spec, or why it is wrong, and the files that it names.

    `files` holds the state of each of them before it was read, all of them if they are `complete`.
    """

    outcome: Checked | SpecError
    files: Mapping[str, State | None] = field(default_factory=dict)
    complete: bool = False

    @property
    def repeats(self) -> bool:
        """Whether the same files give the same verdicts: no fault, and no clock that stopped the prover."""
        if not self.complete or isinstance(self.outcome, SpecError):
            return False
        return all(each.seconds < GUARD / 1000 for each in self.outcome.claims)


def reading(path: str) -> Reading:
    """The spec, read and checked."""
    files: dict[str, State | None] = {}
    complete = False
    try:
        spec = parsed(path)
        complete = all(isinstance(each, _KNOWN) for each in _nodes(spec))
        files = {each: state(each) for each in named_files(spec)}
        return Reading(opened(read_schedule(spec)).checked(), files, complete)
    except SpecError as error:
        return Reading(error, files, complete)


def named_files(spec: tree.Spec) -> list[str]:
    """The files that the spec names, whether a claim needs them or not."""
    folder = Path(spec.source.path).parent
    settings = [each for node in spec.statements if isinstance(node, tree.Dataset) for each in node.settings]
    values = [each.value for each in settings if each.name == "manifest"]
    return [str(folder / each.value) for each in values if isinstance(each, tree.Text)]


def _nodes(spec: tree.Spec) -> list[object]:
    """The statements, and what stands in the loaders."""
    loaders = [each for each in spec.statements if isinstance(each, tree.Loader)]
    return [*spec.statements, *(entry for each in loaders for entry in each.entries)]
