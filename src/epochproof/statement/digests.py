"""The files that a statement is about, as they lie here: found, compared with their digests, laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from epochproof.diagnostics import SpecError
from epochproof.language.columns import safe
from epochproof.statement.predicate import Statement, Subject
from epochproof.statement.subjects import FOLDER, digest
from epochproof.statement.verification import Finding, Given


def digests(statement: Statement, given: Given) -> Iterator[Finding]:
    """Whether the files here are those that were signed.

    Raises:
        SpecError: One cannot be read.
    """
    places, missing = _places(statement, given)
    same, means = 0, ""
    for subject in statement.subject:
        at = places.get(subject.name)
        if at is None:
            continue
        if digest(at) == dict(subject.digest):
            same += 1
        elif subject is statement.subject[0] and _means_the_same(at, statement):
            same, means = same + 1, ", or mean the same"
            text = f"`{safe(subject.name)}` is written in another way than the signed one, and means the same"
            yield Finding("spec", "noted", text)
        else:
            kind = "folder" if is_folder(subject) else "file"
            text = f"`{safe(subject.name)}` is not the {kind} that was signed: its digest differs"
            yield Finding("digests", "refused", text, "V1", "E912")
            return
    if missing:
        listed = ", ".join(f"`{safe(each)}`" for each in missing)
        yield Finding("digests", "skipped", f"not at hand: {listed}", "V1")
    else:
        absent = [each.name for each in statement.subject if each.name not in places]
        rest = f"; `{safe(absent[0])}` is not at hand" if absent else ""
        text = f"{same} of {len(statement.subject)} files are those that were signed{means}{rest}"
        yield Finding("digests", "ok", text, "V1")


def _places(statement: Statement, given: Given) -> tuple[Mapping[str, Path], list[str]]:
    """Where each subject lies here, and those of which that is not known."""
    places, missing = dict[str, Path](), list[str]()
    folder = (given.spec or Path()).parent
    for at, subject in enumerate(statement.subject):
        if at == 0 and given.spec is not None:
            places[subject.name] = given.spec
        elif is_folder(subject):
            if given.trace is not None:
                places[subject.name] = given.trace
        else:
            own = next((each for each in given.files if each.name == Path(subject.name).name), None)
            inside = folder / subject.name
            if own is not None or inside.is_file():
                places[subject.name] = own or inside
            else:
                missing.append(subject.name)
    return places, missing


def is_folder(subject: Subject) -> bool:
    """Whether it is a trace."""
    return FOLDER in subject.digest


def _means_the_same(path: Path, statement: Statement) -> bool:
    """Whether the file is a spec with the digest of meaning that was signed."""
    from epochproof.language.parse import read as read_spec  # noqa: PLC0415 -- most specs are as signed
    from epochproof.statement.semantic import semantic_digest  # noqa: PLC0415 -- as above

    try:
        found = semantic_digest(read_spec(path))
    except SpecError:
        return False
    return found == statement.predicate.language.semantic_digest.sha256


@contextmanager
def laid_out(statement: Statement, given: Given) -> Iterator[Path]:
    """The spec in a folder where each file lies where the spec names it."""
    spec = given.spec or Path()
    places, _ = _places(statement, given)
    elsewhere = {name: at for name, at in places.items() if at not in (spec, given.trace, spec.parent / name)}
    if not elsewhere:
        yield spec
        return
    from tempfile import TemporaryDirectory  # noqa: PLC0415 -- most files lie where the spec names them

    with TemporaryDirectory(prefix="epochproof-") as folder:
        for name, at in {**places, spec.name: spec}.items():
            inside = Path(folder, name)
            if not inside.resolve().is_relative_to(Path(folder).resolve()) or at == given.trace:
                continue
            inside.parent.mkdir(parents=True, exist_ok=True)
            inside.symlink_to(at.resolve())
        yield Path(folder, spec.name)
