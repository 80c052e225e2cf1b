"""Two offers side by side: whether they read the same population, and what differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from epochproof.language.columns import safe
from epochproof.prove.change import same_population
from epochproof.prove.difference import Counts
from epochproof.prove.verdict import Verdict
from epochproof.report._style import listed
from epochproof.statement.offer import Offer
from epochproof.statement.one_dataset import Dataset, one_dataset
from epochproof.statement.predicate import Pass

Word = Literal["same", "different", "open"]


@dataclass(frozen=True)
class Comparison:
    """`population` says whether a pass of both reads the same records equally often, `how` from what.

    `apart` are the records that are not read equally often, where they are known: how often by A, how often
    by B.
    """

    a: Offer
    b: Offer
    dataset: Dataset
    population: Word
    how: str
    apart: Counts | None = None

    @property
    def not_claimed(self) -> tuple[str, ...]:
        """What neither offer claims."""
        return tuple(each for each in self.a.not_claimed if each in self.b.not_claimed)


def compared(a: Offer, b: Offer) -> Comparison:
    """What the offers have in common, and what not."""
    dataset = one_dataset(a, b)
    if dataset.word == "different":
        return Comparison(a, b, dataset, "different", dataset.text)
    word, how, apart = _judged(a, b)
    if word == "same" and dataset.doubtful:
        return Comparison(
            a, b, dataset, "open", f"the manifests are two files, and only by row numbers: {how}"
        )
    return Comparison(a, b, dataset, word, how, apart)


def _judged(a: Offer, b: Offer) -> tuple[Word, str, Counts | None]:
    """Whether a pass of both reads the records of the same numbers equally often."""
    if _one_spec(a, b):
        return "same", "both state one loader of one spec, with nothing left open", None
    if a.schedule is not None and b.schedule is not None:
        verdict, apart = same_population(
            (a.schedule, a.population.loader), (b.schedule, b.population.loader), a.values, b.values
        )
        if verdict.word == "proved":
            return _proved(a, b)
        if verdict.word == "refuted":
            return (*_refuted(a, b, verdict), apart)
    return (*_by_numbers(a, b), None)


def _one_spec(a: Offer, b: Offer) -> bool:
    """Whether both are about one loader of specs that mean the same, and nothing about it is open."""
    one, other = a.population, b.population
    return (
        bool(a.meaning)
        and (a.meaning, one.loader, one.values) == (b.meaning, other.loader, other.values)
        and a.open == b.open == ()
    )


def _proved(a: Offer, b: Offer) -> tuple[Word, str, None]:
    """What is proved for equal values of what both leave free; only the size of a dataset is one for both."""
    how = "a pass of both reads each record equally often"
    sizes = {f"{each.population.dataset}.size" for each in (a, b)}
    free = _free(a, b)
    if all(each in sizes for each in free) or _each_once(a.population.one_pass, b.population.one_pass):
        return "same", f"proved{_for_values(a, b)}: {how}", None
    names = listed([f"`{safe(each)}`" for each in free if each not in sizes])
    return "open", f"only where both take the same {names} is it proved that {how}", None


def _for_values(a: Offer, b: Offer) -> str:
    """The values that were chosen: what is proved is proved for no others."""
    chosen = {**a.values, **b.values}
    return f" for {listed([f'`{safe(name)}` = {value}' for name, value in chosen.items()])}" if chosen else ""


def _free(a: Offer, b: Offer) -> list[str]:
    return sorted({*(a.open or ()), *(b.open or ())})


def _refuted(a: Offer, b: Offer, verdict: Verdict) -> tuple[Word, str]:
    """What a case with a difference shows: no more than that, where the counts agree and values are free."""
    found = {} if verdict.counterexample is None else verdict.counterexample.parameters
    values = listed([f"`{safe(each)}` is {found[each]}" for each in _free(a, b) if each in found])
    one, other = a.population.one_pass, b.population.one_pass
    if values and one is not None and other is not None and not _differing(one, other):
        return "open", f"the counts are equal, and the records differ where {values}"
    return "different", f"shown by the schedules{f', where {values}' if values else ''}"


def _by_numbers(a: Offer, b: Offer) -> tuple[Word, str]:
    """What the counts alone tell, the records that are named, and the roots."""
    one, other = a.population.one_pass, b.population.one_pass
    if one is None or other is None:
        return "open", a.population.sentence if one is None else b.population.sentence
    differing = _differing(one, other)
    if one.condition or other.condition:
        return "open", "records are drawn at random, so that each pass reads others"
    if differing:
        return "different", f"by the counts of {', '.join(differing)}"
    if _each_once(one, other):
        return "same", "by the counts: a pass of both reads each record once"
    if _named(one) and _named(one) == _named(other) and _at_most_twice(one):
        return "same", "by the counts and the records that are named"
    return _by_roots(a, b)


def _each_once(one: Pass | None, other: Pass | None) -> bool:
    return all(
        each is not None and not each.condition and each.omitted == each.repeated == "0"
        for each in (one, other)
    )


def _differing(one: Pass, other: Pass) -> list[str]:
    """The counts that differ, in words."""
    words = {"distinct": "distinct records", "omitted": "omitted records", "repeated": "repeated records"}
    names = ("occurrences", "distinct", "omitted", "repeated")
    return [words.get(name, name) for name in names if getattr(one, name) != getattr(other, name)]


def _named(found: Pass) -> object:
    """The records that are omitted and those that are repeated, where both are named."""
    named = found.omitted_records, found.repeated_records
    return None if None in named or found.condition else named


def _at_most_twice(found: Pass) -> bool:
    return int(found.occurrences) - int(found.distinct) == int(found.repeated)


def _by_roots(a: Offer, b: Offer) -> tuple[Word, str]:
    """What commitments tell of the records, if they were made with one key; the counts are equal."""
    if a.committed is None or b.committed is None or a.committed.key != b.committed.key:
        return "open", "the counts are equal; which records are omitted or repeated is not shown"
    one, other = a.committed.stream, b.committed.stream
    shape = (one.epochs, one.ranks) == (other.epochs, other.ranks)
    if shape and one.order_root == other.order_root:
        return "same", "by the roots: each rank of both reads the same records in the same order"
    if one.set_root != other.set_root:
        return "open", (
            "the counts are equal; the roots of the sets of records differ,"
            " and so may what they cover: datasets, epochs or records"
        )
    if one.epochs == other.epochs == "1" and one.occurrences == one.set_root.leaves:
        return "same", "by the counts and the roots: a pass of both reads the same records once"
    return "open", (
        "the counts are equal, and by the roots so are the records of the whole run;"
        " which of them a single pass omits or repeats is not shown"
    )
