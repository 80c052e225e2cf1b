"""From a spec with bindings to the spec with their values in place, and where each is from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from epochproof.config.entry import Entry, Scalar
from epochproof.config.placing import Placing
from epochproof.config.read import READERS, Content, from_disk, read_config
from epochproof.config.use import Use
from epochproof.diagnostics import Diagnostic, SpecError, fail
from epochproof.language import tree
from epochproof.language.columns import safe
from epochproof.language.node import walk
from epochproof.language.suggest import suggest


@dataclass(frozen=True)
class Bound:
    """A spec without bindings, and what was taken from where, in the order of the text."""

    spec: tree.Spec
    uses: tuple[Use, ...]


def bound(spec: tree.Spec, overrides: Mapping[str, Scalar], content: Content = from_disk) -> Bound:
    """The spec with the values of its bindings in place.

    Args:
        spec: A spec as written.
        overrides: Values that replace those of the files, by their dotted names.
        content: Gives the bytes of a file.

    Raises:
        SpecError: A file cannot be read or is broken, a value is absent, null or no value, or two disagree.
    """
    files = _files(spec, content)
    _check(overrides, files, spec)
    placing = Placing(files, overrides)
    statements, wrong = list[tree.Statement](), list[Diagnostic]()
    for each in spec.statements:
        try:
            statements += placing.statement(each)
        except SpecError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), spec.source)
    composed = {
        each.name: _composition(each)
        for each in spec.statements
        if isinstance(each, tree.Binding) and each.reader == "hydra"
    }
    uses = (replace(each, composed=composed.get(each.name.partition(".")[0], "")) for each in placing.uses)
    return Bound(tree.Spec(spec.source, spec.edition, tuple(statements)), tuple(uses))


def _composition(binding: tree.Binding) -> str:
    """The config that a binding composes, and what the spec gives it."""
    given = ", ".join(f"`{safe(each.name)}`" for each in binding.given if not each.name.startswith("env."))
    return f"`{safe(binding.path)}`{f' with the {given} that the spec gives' if given else ''}"


def _files(spec: tree.Spec, content: Content) -> dict[str, Entry]:
    """What the bound files hold, by the names that they are bound to."""
    folder = Path(spec.source.path).parent
    files, wrong = dict[str, Entry](), list[Diagnostic]()
    for each in spec.statements:
        if isinstance(each, tree.Binding):
            try:
                files[each.name] = _read(each, folder, content)
            except SpecError as error:
                if error.source is not None:
                    raise
                wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), spec.source)
    return files


def _read(binding: tree.Binding, folder: Path, content: Content) -> Entry:
    if binding.reader not in READERS:
        cure = suggest(binding.reader, (*READERS, "presets")) or 'write `bind t = config("train.yaml")`'
        raise fail("E704", f"nothing reads a `{binding.reader}`", binding.reader_span, help=cure)
    if binding.reader == "hydra":
        from epochproof.config.hydra_read import read_hydra  # noqa: PLC0415 -- few specs bind one

        return read_hydra(binding, folder, content)
    return read_config(binding, folder, content)


def _check(overrides: Mapping[str, Scalar], files: Mapping[str, Entry], spec: tree.Spec) -> None:
    """Refuses an override that changes nothing."""
    used = dict.fromkeys(
        str(each) for each in walk(spec.statements) if isinstance(each, tree.Name) and each.parts[0] in files
    )
    for name in overrides:
        if name not in used:
            cure = suggest(name, list(used)) or (
                f"bound are {', '.join(used)}" if used else "nothing is bound"
            )
            error = fail("E708", f"`--set {name}`: the spec binds no `{name}`", None, help=cure)
            error.source = spec.source
            raise error
