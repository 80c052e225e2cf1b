"""The verdicts of a spec as a person reads them: one line a claim, counterexamples in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from epochproof.diagnostics import Source, SpecError
from epochproof.language.columns import padded, safe, width
from epochproof.prove.session import Checked
from epochproof.prove.verdict import Judged
from epochproof.report._counterexample import in_short
from epochproof.report._details import details
from epochproof.report._style import Ink, Style, counted, listed, shown
from epochproof.report._sum import in_a_line, is_good

_MARGIN = " " * 13
"""Below a claim, under its text: two spaces, the mark, the verdict."""


def render(
    checked: Checked,
    *,
    verbose: bool = False,
    bindings: bool = False,
    colour: bool = False,
    symbols: bool = True,
    columns: int = 100,
) -> str:
    """Several lines without a line break at the end.

    Args:
        checked: The claims of one spec with their verdicts.
        verbose: Whether evidence, seconds and the numbers of its assumptions follow each claim.
        bindings: Whether every value from a bound file is listed, and not only those that were overridden.
        colour: Whether to write ANSI colours.
        symbols: Whether the output can show signs beyond ASCII.
        columns: How wide a line may be, before what follows a claim moves to a line of its own.

    Returns:
        The path, a line a claim, below a claim that is not as stated its counterexample and the line at
        fault, and at the end what the verdicts rest on.
    """
    style = Style(colour, symbols, columns)
    lines = [style.ink("strong", safe(checked.path))]
    every = dict.fromkeys(text for each in checked.claims for text in each.assumptions)
    numbers = {text: at for at, text in enumerate(every, 1)}
    for each in checked.claims:
        lines += _claim(each, checked.source, style)
        lines += _resting(each, numbers, style) if verbose else []
    rest = _rest(checked.claims, numbers, numbered=verbose) + _bound(checked, every=bindings)
    rest[1:1] = _again(checked.claims)
    lines += [""] if rest else []
    lines += [style.ink("faint", f"  {padded(head, 10)} {safe(text)}") for head, text in rest]
    return "\n".join(lines)


def summary(outcomes: Sequence[Checked | SpecError], *, colour: bool = False) -> str:
    """One line: how many claims there are, and how many are as stated.

    Args:
        outcomes: For each spec its verdicts, or why it is wrong.
        colour: Whether to write ANSI colours.
    """
    ink: Ink = "good" if is_good(outcomes) else "bad"
    return Style(colour).ink(ink, in_a_line(outcomes))


def _claim(claim: Judged, source: Source, style: Style) -> list[str]:
    ink: Ink = "good" if claim.as_stated else "open" if claim.verdict.word == "unknown" else "bad"
    mark = _mark(claim, symbols=style.symbols)
    head = f"  {style.ink(ink, mark)} {style.ink(ink, f'{claim.verdict.word:8}')}"
    text = f'"{safe(claim.text)}"'
    if not claim.as_stated:
        line, _ = source.position(claim.span.start)
        place = style.ink("faint", f"line {line}")
        below = [f"{_MARGIN}{each}" for each in details(claim, source, style)]
        return [f"{head} {style.ink('strong', claim.kind)} {text}  {place}", *below]
    by = f"by {in_short(claim.verdict.counterexample)}" if claim.verdict.counterexample else ""
    if by in ("", "by "):
        return [f"{head} {text}"]
    fits = len(_MARGIN) + width(text) + 2 + width(by) <= style.columns
    by = style.ink("faint", by)
    return [f"{head} {text}  {by}"] if fits else [f"{head} {text}", f"{_MARGIN}{by}"]


def _mark(claim: Judged, *, symbols: bool) -> str:
    if claim.verdict.word == "unknown":
        return "?"
    if symbols:
        return "✓" if claim.as_stated else "✗"
    return "+" if claim.as_stated else "x"


def _resting(claim: Judged, numbers: Mapping[str, int], style: Style) -> list[str]:
    """What one verdict rests on; assumptions by their numbers."""
    parts = [f"evidence {claim.verdict.evidence}"] if claim.verdict.evidence else []
    parts += [f"{claim.seconds:.3f} s", *_rechecked(claim)]
    if claim.assumptions:
        parts.append(f"assuming {listed([str(numbers[text]) for text in claim.assumptions])}")
    return [f"{_MARGIN}{style.ink('faint', ', '.join(parts))}"]


def _rest(claims: Sequence[Judged], numbers: Mapping[str, int], *, numbered: bool) -> list[tuple[str, str]]:
    """What all verdicts rest on: how many on which evidence, and every assumption once."""
    evidence = Counter(each.verdict.evidence.partition("(")[0] for each in claims if each.verdict.evidence)
    kinds = [f"{shown(number)} {kind}" for kind, number in evidence.most_common()]
    rows = [("evidence", ", ".join(kinds))] if kinds else []
    used = Counter(text for each in claims for text in each.assumptions)
    for text, at in numbers.items():
        some = (
            "" if used[text] == len(claims) else f" ({shown(used[text])} of {counted(len(claims), 'claim')})"
        )
        lead = f"{at}  " if numbered else ""
        rows.append(("assuming" if at == 1 else "", f"{lead}{text}{some}"))
    return rows


def _rechecked(claim: Judged) -> list[str]:
    """By which texts the second solver showed the obligations of a claim."""
    second = claim.second
    if second is None:
        return []
    total = second.raw + second.linear + second.undecided + second.disputed
    words = (
        (second.linear, "in linear steps"),
        (second.undecided, "undecided"),
        (second.disputed, "disputed"),
    )
    some = ", ".join(f"{shown(number)} {word}" for number, word in words if number)
    return [f"{counted(total, 'obligation')} to {second.solver}{f' ({some})' if some else ''}"]


def _again(claims: Sequence[Judged]) -> list[tuple[str, str]]:
    """What a second solver left undecided, so that the evidence is still one solver."""
    left = [(each, each.second) for each in claims if each.second is not None and each.second.undecided]
    rows = [
        f'{second.solver} left {counted(second.undecided, "obligation")} of "{claim.text}" undecided'
        for claim, second in left
    ]
    return [("recheck" if at == 0 else "", row) for at, row in enumerate(rows)]


def _bound(checked: Checked, *, every: bool) -> list[tuple[str, str]]:
    """The values that the call put in place of those of bound files; on demand all that were bound."""
    values = dict.fromkeys(str(each) for each in checked.uses if every or each.overridden)
    return [("bound" if at == 0 else "", value) for at, value in enumerate(values)]
