"""The verdicts as a page in Markdown, such as the summary of a job on GitHub."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from epochproof.diagnostics import SpecError
from epochproof.language.columns import safe
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Judged
from epochproof.report._finding import Finding, findings
from epochproof.report._style import counted
from epochproof.report._sum import in_a_line, is_good

_MOST_FINDINGS = 50
_MOST_CLAIMS = 1_000
"""GitHub shows no summary of more than a mebibyte."""

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def render(outcomes: Sequence[Checked | SpecError]) -> str:
    """How many claims are as stated, each finding in full, and a table of all claims, folded.

    Args:
        outcomes: For each spec, in order, its verdicts, or why it is wrong.
    """
    found = findings(outcomes)
    sign = "✅" if is_good(outcomes) else "❌"
    blocks = ["## Data schedule", f"{sign} {in_a_line(outcomes)}"]
    blocks += [block for each in found[:_MOST_FINDINGS] for block in _finding(each)]
    if len(found) > _MOST_FINDINGS:
        blocks.append(f"{counted(len(found) - _MOST_FINDINGS, 'finding')} more, not shown.")
    return "\n\n".join([*blocks, *_claims(outcomes)])


def _finding(finding: Finding) -> list[str]:
    head, *rest = finding.lines
    fence = _fence("\n".join(rest))
    below = [f"{fence}text\n{chr(10).join(rest)}\n{fence}"] if rest else []
    return [f"### {_plain(head)}", f"{_plain(_place(finding))} · {_plain(finding.rule.title)}", *below]


def _place(finding: Finding) -> str:
    source, span = finding.source, finding.span
    if span is None:
        return source.path
    return f"{source.path}:{source.position(min(span.start, len(source.text)))[0]}"


def _claims(outcomes: Sequence[Checked | SpecError]) -> list[str]:
    every = [(each, claim) for each in outcomes if isinstance(each, Checked) for claim in each.claims]
    if not every:
        return []
    rows = [_row(checked, claim) for checked, claim in islice(every, _MOST_CLAIMS)]
    left = len(every) - len(rows)
    table = "\n".join(["| | verdict | claim | place |", "|---|---|---|---|", *rows])
    more = [f"{counted(left, 'claim')} more, not shown."] if left else []
    return ["<details><summary>Every claim</summary>", table, *more, "</details>"]


def _row(checked: Checked, claim: Judged) -> str:
    sign = "✅" if claim.as_stated else "❔" if claim.verdict.word == "unknown" else "❌"
    place = f"{checked.source.path}:{checked.source.position(claim.span.start)[0]}"
    return f"| {sign} | {claim.verdict.word} | {claim.kind} {_plain(claim.text)} | {_plain(place)} |"


def _plain(text: str) -> str:
    """The text on one line, none of it read as Markdown or HTML."""
    return _PUNCTUATION.sub(r"\\\1", safe(text))


def _fence(text: str) -> str:
    """A fence that is longer than any in the text."""
    return "`" * max(3, *(len(each) + 1 for each in re.findall("`+", text) or [""]))
