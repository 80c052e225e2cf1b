"""What a second solver says of the obligations that z3 found to have no solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Literal

from epochproof.prove.obligations import Obligation, obligations
from epochproof.prove.session import Checked
from epochproof.prove.shown import Shown
from epochproof.prove.steps import Steps, steps
from epochproof.prove.verdict import Judged, Second, Verdict
from epochproof.term.as_smtlib import as_smtlib

Word = Literal["sat", "unsat", "unknown"]
Ask = Callable[[str, int], Word]
"""Answers a text of SMT-LIB, within so many of the solver's resource units."""

Found = Literal["raw", "linear", "undecided", "disputed"]
"""By which text the second solver shows an obligation too, or why it does not."""

FIRST, LINEAR, FACT, LAST = 20_000, 20_000, 100_000, 300_000
"""Resource units for the obligation, for a linear text, for one of its facts, and for a last attempt."""

MOST_WAYS = 2
"""So many ways in linear steps are tried."""

Keep = Callable[[Obligation], tuple[str, ...]]
"""Keeps what both solvers were asked, where they disagree; the paths."""


@dataclass(frozen=True)
class Prover:
    """A second solver by its name and version, and where disputed obligations are kept."""

    name: str
    ask: Ask
    keep: Keep


def rechecked(checked: Checked, prover: Prover) -> Checked:
    """The claims, each with what the second solver says of its obligations.

    The evidence is `two solvers` where it shows them all. Where it has a solution for one, nothing is proved.
    """
    known = dict[Shown, Found]()
    once = replace(prover, ask=cache(prover.ask))  # obligations have facts in common
    return replace(checked, claims=tuple(_claim(each, once, known) for each in checked.claims))


def _claim(claim: Judged, prover: Prover, known: dict[Shown, Found]) -> Judged:
    asked = obligations(claim)
    if not asked:
        return claim
    for each in asked:
        if each.shown not in known:
            known[each.shown] = found(each, prover.ask)
    words = [known[each.shown] for each in asked]
    disputed = [each for each, word in zip(asked, words, strict=True) if word == "disputed"]
    files = tuple(chain.from_iterable(map(prover.keep, disputed)))
    counts = {name: words.count(name) for name in ("raw", "linear", "undecided")}
    second = Second(prover.name, disputed=len(disputed), files=files, **counts)
    return replace(claim, verdict=_verdict(claim.verdict, second), second=second)


def _verdict(verdict: Verdict, second: Second) -> Verdict:
    if second.disputed:
        kept = ", ".join(f"`{each}`" for each in second.files)
        reason = f"z3 and {second.solver} disagree; what each of them was asked is in {kept}"
        return Verdict("unknown", reason=reason)
    return verdict if second.undecided else replace(verdict, evidence="two solvers")


def found(obligation: Obligation, ask: Ask) -> Found:
    """By which text the solver shows the obligation: as it is, or in linear steps."""
    limits = (FIRST, LAST)
    for at, limit in enumerate(limits):
        match ask(obligation.text, limit):
            case "unsat":
                return "raw"
            case "sat":
                return "disputed"
        if at == 0 and obligation.logic.endswith("NIA") and in_steps(obligation.shown, ask):
            return "linear"
    return "undecided"


def in_steps(shown: Shown, ask: Ask) -> bool:
    """Whether the solver shows a linear text, and each fact in it."""
    ways = (each for each, _ in zip(steps(shown), range(MOST_WAYS), strict=False))
    return any(_shows(each, ask) for each in ways)


def _shows(way: Steps, ask: Ask) -> bool:
    return ask(way.linear, LINEAR) == "unsat" and all(ask(each, FACT) == "unsat" for each in way.facts)


def kept_in(folder: Path, obligation: Obligation) -> tuple[str, ...]:
    """Writes the obligation and the text that z3 got to files in the folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = obligation.digest[:16]
    texts = {
        f"{stem}.smt2": obligation.text,
        f"{stem}.z3.smt2": f"; z3 found no solution\n{as_smtlib(obligation.shown.whole)}(check-sat)\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="ascii", newline="\n")
    return tuple(str(folder / name) for name in texts)
