"""Write what z3 proved as SMT-LIB, one file for each obligation."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from epochproof.cli._chosen import chosen
from epochproof.cli._inputs import parsed
from epochproof.cli._overrides import add_set, overrides
from epochproof.diagnostics import Source, SpecError, fail
from epochproof.language.columns import safe
from epochproof.prove.obligations import Obligation, obligations
from epochproof.prove.session import opened
from epochproof.prove.verdict import Judged
from epochproof.report._style import counted
from epochproof.schedule.read import read_schedule

SCHEMA = "epochproof/obligations/1"
INDEX = "index.json"
_OURS = re.compile(r"\d{2,}-\d{2,}-[0-9a-f]{12}(\.linear-\d+(\.fact-\d+)?)?\.smt2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `obligations` takes."""
    parser.add_argument("file", metavar="FILE", help="a spec, or `-`")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder that gets the files")
    parser.add_argument("--claim", metavar="CLAIM", help="only this claim: its text, or its number from 1")
    parser.add_argument(
        "--linear", action="store_true", help="write obligations that multiply in linear steps as well"
    )
    add_set(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes the files and says how many; the exit code is 0 whatever the verdicts are."""
    session = opened(read_schedule(parsed(arguments.file), overrides(arguments.set)))
    every = session.claims
    claims = every if arguments.claim is None else (chosen(session, arguments.claim),)
    judged = {at: session.judged(each) for at, each in enumerate(every, 1) if each in claims}
    texts: dict[str, str] = {}
    index = [_entry(at, each, texts, linear=arguments.linear) for at, each in judged.items()]
    texts[INDEX] = json.dumps({"schema": SCHEMA, "claims": index}, indent=2) + "\n"
    _write(Path(arguments.out), texts)
    for each in judged.values():
        print(f"{_said(each):22}  {safe(each.text)}")
    return 0


def _said(claim: Judged) -> str:
    """How many obligations there are, or on what the verdict rests instead."""
    number = len(claim.verdict.shown)
    return counted(number, "obligation") if number else f"none, {claim.verdict.evidence or 'undecided'}"


def _entry(at: int, claim: Judged, texts: dict[str, str], *, linear: bool) -> dict[str, object]:
    """What the index says of a claim; its obligations are added to the texts, by the names of their files."""
    asked = obligations(claim)
    digits = max(2, len(str(len(asked))))
    found = []
    for each in asked:
        stem = f"{at:02}-{each.number:0{digits}}-{each.digest[:12]}"
        texts[f"{stem}.smt2"] = each.text
        entry = {
            "file": f"{stem}.smt2",
            "role": each.role,
            "logic": each.logic,
            "digest": {"sha256": each.digest},
        }
        found.append(entry | ({"linear": _in_steps(each, stem, texts)} if linear else {}))
    return {
        "number": at,
        "text": claim.text,
        "kind": claim.kind,
        "verdict": claim.verdict.word,
        "evidence": claim.verdict.evidence,
        "obligations": found,
    }


def _in_steps(obligation: Obligation, stem: str, texts: dict[str, str]) -> list[dict[str, object]]:
    """The ways to show an obligation that multiplies without a product; there may be none."""
    if not obligation.logic.endswith("NIA"):
        return []
    from epochproof.prove.steps import steps  # noqa: PLC0415 -- most calls do not ask for them

    found: list[dict[str, object]] = []
    for at, way in enumerate(steps(obligation.shown), 1):
        name = f"{stem}.linear-{at}"
        facts = {f"{name}.fact-{of:02}.smt2": text for of, text in enumerate(way.facts, 1)}
        texts |= {f"{name}.smt2": way.linear, **facts}
        found.append({"file": f"{name}.smt2", "facts": list(facts)})
    return found


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Writes the files, and removes those that an earlier call wrote there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in sorted(folder.iterdir()):
            if _OURS.fullmatch(each.name) and each.name not in texts:
                each.unlink()
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="ascii", newline="\n")
    except OSError as error:
        raise _unwritable(folder, str(error.strerror).lower()) from None


def _unwritable(folder: Path, why: str) -> SpecError:
    error = fail("E510", f"cannot write `{folder}`: {why}", None, help="`--out` takes a folder")
    error.source = Source(str(folder), "")
    return error
