"""One spec that was checked, and the files that its verdicts rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from epochproof.cli import _kept
from epochproof.cli._inputs import STANDARD_INPUT, parsed
from epochproof.cli._overrides import Overrides
from epochproof.cli._verdicts import restored, written
from epochproof.cli._versions import State, state
from epochproof.config.read import Content, from_disk
from epochproof.diagnostics import SpecError
from epochproof.language import tree
from epochproof.language.preset import Preset, Use
from epochproof.prove.answer import GUARD
from epochproof.prove.session import Checked, opened
from epochproof.schedule.preset import preset_files
from epochproof.schedule.read import read_schedule

_KNOWN = (
    tree.Binding
    | Preset
    | tree.Dataset
    | tree.Split
    | tree.Mix
    | tree.Loader
    | tree.Claim
    | tree.Assumption
    | tree.Setting
    | tree.Stage
    | Use
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
    kept: bool = False
    """Whether the verdicts were found by an earlier call."""

    @property
    def repeats(self) -> bool:
        """Whether the same files give the same verdicts: no fault, and no clock that stopped the prover."""
        if not self.complete or isinstance(self.outcome, SpecError):
            return False
        seconds = [each.second for each in self.outcome.claims if each.second is not None]
        if any(each.undecided or each.disputed for each in seconds):
            return False
        return all(each.seconds < GUARD / 1000 for each in self.outcome.claims)


def reading(
    path: str, prover: str | None = None, given: Overrides | None = None, *, twice: bool = False
) -> Reading:
    """The spec with its verdicts: those that were kept, or new ones, which are kept then.

    Args:
        path: The spec, or `-`.
        prover: What verdicts rest on beside the spec; `None` to neither ask for kept ones nor keep any.
        given: Values in place of those of bound files; nothing is kept of verdicts that rest on some.
        twice: Whether a second solver proves the claims again.
    """
    prover = f"{prover} twice" if prover is not None and twice else prover
    under = None if prover is None else _entry(path, prover)
    if under is None:
        return _again(_proved(path, given)) if twice else _proved(path, given)
    entry = _kept.entry(under)
    if entry is not None:
        return Reading(restored(entry[0]), entry[2], complete=True, kept=True)
    found = _again(_proved(path, given)) if twice else _proved(path, given)
    if isinstance(found.outcome, Checked) and found.repeats and _entry(path, str(prover)) == under:
        _kept.keep(under, written(found.outcome), found.outcome.exit_code, found.files)
    return found


def _entry(path: str, prover: str) -> str | None:
    """Under what the verdicts of the spec are kept: its path, its bytes, and the prover."""
    try:
        return None if path == STANDARD_INPUT else _kept.name(["verdicts", path, _kept.mark(path), prover])
    except _kept.UnkeptError:
        return None


def _proved(path: str, given: Overrides | None = None) -> Reading:
    files: dict[str, State | None] = {}
    complete = False
    try:
        spec = parsed(path)
        # A file that a bound file names is not known before that is read.
        written = all(isinstance(each, tree.Text) for each in _manifests(spec))
        complete = written and all(isinstance(each, _KNOWN) for each in _nodes(spec))
        files = {each: state(each) for each in named_files(spec)}
        values = {} if given is None else given.of(spec)
        schedule = read_schedule(spec, values, _noting(files))
        return Reading(opened(schedule).checked(), files, complete)
    except SpecError as error:
        return Reading(error, files, complete)


def _noting(files: dict[str, State | None]) -> Content:
    """Reads from the disk, and notes what is read: a config of Hydra names further ones."""

    def content(path: Path) -> bytes:
        files.setdefault(str(path), state(str(path)))
        return from_disk(path)

    return content


def _again(found: Reading) -> Reading:
    """The verdicts, proved again by a second solver."""
    if isinstance(found.outcome, SpecError):
        return found
    from epochproof.prove.recheck import recheck  # noqa: PLC0415 -- few calls ask a second solver

    try:
        return replace(found, outcome=recheck(found.outcome))
    except SpecError as error:
        return replace(found, outcome=error)


def named_files(spec: tree.Spec) -> list[str]:
    """The files that the spec names, whether a claim needs them or not."""
    folder = Path(spec.source.path).parent
    bound = [each.path for each in spec.statements if isinstance(each, tree.Binding)]
    manifests = [each.value for each in _manifests(spec) if isinstance(each, tree.Text)]
    named = [str(folder / each) for each in (*bound, *manifests)]
    return list(dict.fromkeys([*named, *preset_files(spec)]))


def _manifests(spec: tree.Spec) -> list[tree.Expression]:
    settings = [each for node in spec.statements if isinstance(node, tree.Dataset) for each in node.settings]
    return [each.value for each in settings if each.name == "manifest"]


def _nodes(spec: tree.Spec) -> list[object]:
    """The statements, and what stands in the loaders."""
    loaders = [each for each in spec.statements if isinstance(each, tree.Loader)]
    return [*spec.statements, *(entry for each in loaders for entry in each.entries)]
