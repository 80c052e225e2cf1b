"""Where what is stated about a spec differs from what is found: each difference with its own message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Literal

from epochproof.language.columns import safe
from epochproof.statement.evidence import ABOUT_ORDER, TRACE
from epochproof.statement.predicate import Assumption, Claim, Commitments, Population, Predicate
from epochproof.statement.rooted import followed

Level = Literal["V1", "V2", "V3"]


@dataclass(frozen=True)
class Difference:
    """What differs, on which level of checking, and the code that explains it."""

    level: Level
    code: str
    text: str


def differences(stated: Predicate, found: Predicate, *, traced: bool) -> Iterator[Difference]:
    """Each difference, in the order of the levels.

    What may differ: the moment, the versions, whether a second prover agrees (that has a level of its own),
    and what a trace showed of the order, where the roots bear it out and it was not `traced` again.
    """
    if stated.language != found.language:
        yield Difference("V1", "E912", "the spec means something else than the one that was signed")
    yield from _claims(stated, found)
    if stated.result != found.result:
        yield Difference(
            "V3", "E914", f"the result is stated as `{stated.result}`, and it is `{found.result}`"
        )
    by_root = not traced and _follows(stated.commitments)
    yield from _assumptions(stated.assumptions, found.assumptions, by_root=by_root)
    yield from _populations(stated.populations, found.populations)
    if stated.not_claimed != found.not_claimed:
        yield Difference("V3", "E917", "the list of what is not claimed is not that of this version")


def _claims(stated: Predicate, found: Predicate) -> Iterator[Difference]:
    pairs = list(zip_longest(stated.claims, found.claims))
    for says, has in pairs:
        yield from _what_is_claimed(says, has)
    for says, has in pairs:
        if says is not None and has is not None:
            yield from _obligations(says, has)
    for says, has in pairs:
        if says is not None and has is not None:
            yield from _verdict(says, has)


def _what_is_claimed(says: Claim | None, has: Claim | None) -> Iterator[Difference]:
    if says is None:
        yield Difference("V2", "E913", f'the spec claims "{_of(has)}", and the statement leaves it out')
    elif has is None:
        yield Difference("V2", "E913", f'the statement claims "{_of(says)}", and the spec does not')
    elif says.text != has.text or says.kind != has.kind:
        told, real = f'{says.kind} "{_of(says)}"', f'{has.kind} "{_of(has)}"'
        yield Difference("V2", "E913", f"the claim is stated as `{told}`, and the spec says `{real}`")
    elif says.formula != has.formula:
        told = f'the formula of "{_of(says)}" is stated as `{safe(says.formula)}`'
        yield Difference("V2", "E913", f"{told}, and the spec says `{safe(has.formula)}`")
    elif says.scope != has.scope:
        yield Difference("V2", "E913", f'the scope of "{_of(says)}" is not stated as the spec has it')


def _obligations(says: Claim, has: Claim) -> Iterator[Difference]:
    if says.obligations != has.obligations:
        text = f'the obligations of "{_of(has)}" are not those that follow from the spec'
        yield Difference("V2", "E911", text)


def _verdict(says: Claim, has: Claim) -> Iterator[Difference]:
    text = f'"{_of(has)}"'
    if says.verdict != has.verdict or says.as_stated != has.as_stated:
        yield Difference("V3", "E914", f"{text} is stated as {says.verdict}, and it is {has.verdict}")
    elif _kind(says.evidence) != _kind(has.evidence):
        told = f"the evidence for {text} is stated as `{safe(says.evidence)}`"
        yield Difference("V3", "E914", f"{told}, and it is `{has.evidence}`")
    elif _shown(says) != _shown(has):
        yield Difference("V3", "E914", f"what shows that {text} is {has.verdict} is not what was found")
    if says.assumptions != has.assumptions:
        yield Difference("V3", "E915", f"{text} does not rest on the assumptions that are stated")


def _kind(evidence: str) -> str:
    """The evidence, as far as one prover can tell: whether a second one agrees is a level of its own."""
    return "solver" if evidence in ("solver", "two solvers") else evidence


def _shown(claim: Claim) -> object:
    return claim.counterexample, claim.non_vacuous_witness, claim.reason


def _of(claim: Claim | None) -> str:
    return "" if claim is None else safe(claim.text)


def _follows(stated: Commitments | None) -> bool:
    """Whether the roots themselves say that a run read what its schedule says, in its order."""
    return stated is not None and any(same for _, same in followed(stated))


def _assumptions(
    stated: tuple[Assumption, ...], found: tuple[Assumption, ...], *, by_root: bool
) -> Iterator[Difference]:
    """Where they differ; with `by_root`, those about the order may be checked by a trace not at hand."""
    if len(stated) != len(found):
        yield from _unlisted({each.text for each in stated}, {each.text for each in found})
        return
    for says, has in zip(stated, found, strict=True):
        if says.text != has.text or says.id != has.id:
            text = f"{safe(says.id)} is stated as `{safe(says.text)}`, and it is `{safe(has.text)}`"
        elif says.checked_by != has.checked_by and not (by_root and _by_trace(says)):
            told = f"{has.id}, `{safe(has.text)}`, is stated to be checked by {safe(says.checked_by)}"
            text = f"{told}, and it is by {has.checked_by}"
        else:
            continue
        yield Difference("V3", "E915", text)


def _unlisted(stated: set[str], found: set[str]) -> Iterator[Difference]:
    """The assumptions that are left out, and those on which no verdict rests."""
    for each in sorted(found - stated):
        text = f"a verdict rests on `{safe(each)}`, and the statement leaves it out"
        yield Difference("V3", "E915", text)
    for each in sorted(stated - found):
        text = f"the statement assumes `{safe(each)}`, and no verdict rests on it"
        yield Difference("V3", "E915", text)
    if stated == found:
        yield Difference("V3", "E915", "an assumption is stated twice")


def _by_trace(assumption: Assumption) -> bool:
    return assumption.checked_by == TRACE and assumption.text.startswith(ABOUT_ORDER)


def _populations(stated: tuple[Population, ...], found: tuple[Population, ...]) -> Iterator[Difference]:
    for says, has in zip_longest(stated, found):
        if says == has:
            continue
        if says is None or has is None or says.loader != has.loader:
            yield Difference("V3", "E916", "the loaders are not stated as the spec has them")
            return
        yield Difference("V3", "E916", f"what `{has.loader}` reads is not as stated: {_first(says, has)}")


def _first(says: object, has: object) -> str:
    """The first number that differs, or text."""
    for each in fields(type(says)):  # type: ignore[arg-type]  # both are of one dataclass
        told, real = getattr(says, each.name), getattr(has, each.name)
        if told == real:
            continue
        if type(told) is type(real) and hasattr(told, "__dataclass_fields__"):
            return _first(told, real)
        return f"{each.name.replace('_', ' ')} is stated as `{_plain(told)}`, and it is `{_plain(real)}`"
    return ""


def _plain(value: object) -> str:
    return "nothing" if value is None else safe(str(value))[:200]
