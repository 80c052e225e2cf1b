"""The documents that `check --output` asks for: what they are, and where they are written."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from epochproof.cli._inputs import STANDARD_INPUT
from epochproof.cli._terminal import show_diagnostics
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language.suggest import suggest
from epochproof.prove.session import Checked
from epochproof.report import check_as_text, diagnostics_as_text
from epochproof.report._room import document, formats

Outcomes = Sequence[Checked | SpecError]

_AS_GIVEN = ("json", "text")
"""These formats name each spec as the call does; all others, from the root of the repository."""


@dataclass(frozen=True)
class Output:
    """A document in a format, written to a path, or added to what stands there."""

    form: str
    path: str
    added: bool = False


def add_output(parser: argparse.ArgumentParser) -> None:
    """The option `--output`."""
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="FORMAT=PATH",
        help="write a document to a file as well; may be repeated",
    )


def outputs(given: Sequence[str], form: str, specs: Sequence[str | SpecError]) -> list[Output]:
    """What is to be written, with the summary of the job where GitHub is told what is wrong.

    Args:
        given: The values of `--output`.
        form: The value of `--format`.
        specs: The specs of the call, none of which may be overwritten.

    Raises:
        SpecError: A value is malformed, a path is named twice, or cannot be written.
    """
    found = [_read(each) for each in given]
    summary = os.environ.get("GITHUB_STEP_SUMMARY") if form == "github" else None
    found += [Output("summary", summary, added=True)] if summary else []
    taken = {os.path.realpath(each) for each in specs if isinstance(each, str) and each != STANDARD_INPUT}
    for each in found:
        path = os.path.realpath(each.path)
        if path in taken:
            raise _malformed(
                f"`{each.path}` is named twice in one call", "give each document a path of its own"
            )
        taken.add(path)
        _look_at(each)
    return found


def rendered(form: str, outcomes: Outcomes) -> str:
    """The document in a format, without a line break at the end."""
    if form == "text":
        return _as_text(outcomes)
    return document(form)(outcomes if form in _AS_GIVEN else [_seen_from_root(each) for each in outcomes])


def written(wanted: Sequence[Output], outcomes: Outcomes) -> bool:
    """Writes every document that can be written; whether all could, else the others are shown as errors."""
    all_good = True
    for each in wanted:
        text = rendered(each.form, outcomes)
        try:
            with Path(each.path).open(
                "a" if each.added else "w", encoding="utf-8", errors="backslashreplace", newline="\n"
            ) as file:
                file.write(f"{text}\n")
        except OSError as error:
            show_diagnostics(_unwritable(each, str(error.strerror).lower()))
            all_good = False
    return all_good


def _read(given: str) -> Output:
    form, _, path = given.partition("=")
    known = formats("check")
    if not path:
        raise _malformed(f"`{given}` is not `FORMAT=PATH`", "write `--output sarif=claims.sarif`")
    if form not in known:
        cure = suggest(form, known) or f"formats are {', '.join(known)}"
        raise _malformed(f"there is no format `{form}`", cure)
    if path == "-":
        raise _malformed("`--output` takes a file, not `-`", f"`--format {form}` prints the document")
    return Output(form, path)


def _look_at(output: Output) -> None:
    """Raises what is known to prevent that the file is written."""
    at = Path(os.path.realpath(output.path))
    if at.is_dir():
        raise _unwritable(output, "it is a folder")
    if not at.parent.is_dir():
        raise _unwritable(output, "there is no such folder")
    if not os.access(at if at.exists() else at.parent, os.W_OK):
        raise _unwritable(output, "permission denied")


def _malformed(message: str, cure: str) -> SpecError:
    return fail("E515", message, None, help=cure)


def _unwritable(output: Output, why: str) -> SpecError:
    cure = "`GITHUB_STEP_SUMMARY` names this path" if output.added else "check the path"
    error = fail("E510", f"cannot write `{output.path}`: {why}", None, help=cure)
    error.source = Source(output.path, "")
    return error


def _as_text(outcomes: Outcomes) -> str:
    blocks = []
    for each in outcomes:
        if isinstance(each, Checked):
            blocks.append(check_as_text.render(each))
        else:
            blocks += [diagnostics_as_text.render(one, each.source) for one in each.diagnostics]
    return "\n\n".join([*blocks, check_as_text.summary(outcomes)])


def _seen_from_root(outcome: Checked | SpecError) -> Checked | SpecError:
    """The outcome with its path from the root of the repository on GitHub, else from the working folder."""
    if outcome.source is None or outcome.source.path.startswith("<"):
        return outcome
    here = Path.cwd()
    root = Path(os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or here))
    root = root if here.is_relative_to(root) else here
    at = Path(os.path.abspath(outcome.source.path))  # noqa: PTH100 -- a link inside keeps its name
    at = at if at.is_relative_to(root) else Path(os.path.realpath(at))
    path = Path(os.path.relpath(at, root)).as_posix()
    source = Source(path, outcome.source.text)
    if isinstance(outcome, Checked):
        return dataclasses.replace(outcome, path=path, source=source)
    return SpecError(outcome.diagnostics, source)
