"""What a change does, as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from epochproof.prove.change import Change
from epochproof.prove.verdict import Verdict
from epochproof.report._counterexample import in_short
from epochproof.report._style import Ink, Style, counted

_INKS: dict[str, Ink] = {"identical": "good", "order-only": "open", "population-changing": "bad"}
_SAYS = {
    "identical": "every rank reads the same records in the same places",
    "order-only": "the same records, each equally often, in other places",
    "population-changing": "other records, or not equally often",
    "unknown": "whether the same records are read was not decided",
    "added": "only in the new spec",
    "removed": "only in the old spec",
}


def render(changes: Sequence[Change], *, colour: bool = False) -> str:
    """One block a loader: what changed, where it first shows, and whether a checkpoint goes on."""
    style = Style(colour=colour)
    width = max((len(each.loader) for each in changes), default=0)
    lines = [line for each in changes for line in _block(each, width, style)]
    different = sum(each.kind != "identical" for each in changes)
    return "\n".join([*lines, "", f"{counted(len(changes), 'loader')}: {different} changed"])


def _block(change: Change, width: int, style: Style) -> list[str]:
    kind = style.ink(_INKS.get(change.kind, "strong"), f"{change.kind:19}")
    lines = [f"{change.loader:{width}}  {kind}  {_SAYS[change.kind]}"]
    indent = " " * (width + 2)
    shown = {"order-only": change.order, "population-changing": change.records}.get(change.kind)
    if shown is not None:
        lines += _first(shown, "first shows at", indent)
    if change.kind == "unknown" and change.records is not None:
        lines.append(f"{indent}{change.records.reason}")
    if change.resume is not None and change.kind != "identical":
        lines += _resume(change.resume, indent)
    return lines


def _first(verdict: Verdict, words: str, indent: str) -> list[str]:
    if verdict.counterexample is None:
        return []
    where = in_short(verdict.counterexample)
    return [f"{indent}{words} {where}" if where else f"{indent}with the values of the specs"]


def _resume(verdict: Verdict, indent: str) -> list[str]:
    if verdict.word == "proved":
        return [
            f"{indent}a checkpoint of the old spec goes on in the new one: nothing lost, nothing repeated"
        ]
    if verdict.word != "refuted":
        return [f"{indent}whether a checkpoint goes on was not decided: {verdict.reason}"]
    said = f"{indent}resume-incompatible: a checkpoint of the old spec loses or repeats records"
    return [said, *_first(verdict, "after", indent)]
