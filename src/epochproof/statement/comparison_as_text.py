"""Two offers side by side, as a buyer reads them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from epochproof.language.columns import padded, safe, width
from epochproof.prove.difference import Counts
from epochproof.report._counterexample import in_runs
from epochproof.report._decimal import decimal
from epochproof.report._style import listed, shown
from epochproof.statement.comparison import Comparison
from epochproof.statement.offer import Offer, Timed
from epochproof.statement.predicate import Population

_SAYS = {
    "same": "the same population",
    "different": "different populations",
    "open": "whether it is the same population is open",
}
_MOST = 10
"""So many records, or runs of them, are named."""

_Row = tuple[str, str, str]


def comparison_as_text(found: Comparison) -> str:
    """Several lines without a line break at the end."""
    return "\n".join(_lines(found))


def _lines(found: Comparison) -> Iterator[str]:
    for letter, offer in (("A", found.a), ("B", found.b)):
        yield from _offer(letter, offer)
    yield ""
    yield f"{_SAYS[found.population]}: {safe(found.how)}"
    if found.apart is not None:
        yield from _apart(found.apart)
    yield ""
    yield from _table([*_passes(found), *_runs(found), *_rates(found)])
    yield ""
    if found.a.timed is None or found.b.timed is None:
        yield "without the time of both, nothing here ranks their speed"
    yield from _agreed(found)
    yield "neither offer claims"
    yield from (f"  {safe(each)}" for each in found.not_claimed)


def _offer(letter: str, offer: Offer) -> Iterator[str]:
    signed = f", {safe(offer.signature)}" if offer.signature else ""
    yield f"{letter}  {safe(offer.path)}, loader `{safe(offer.population.loader)}`{signed}"
    yield f"   {safe(offer.population.sentence)}"


def _apart(counts: Counts) -> Iterator[str]:
    """The records that are not read equally often, each kind of them on a line."""
    kinds = (
        ("only A reads", counts.gone),
        ("only B reads", counts.come),
        ("A reads more often", counts.fewer),
        ("B reads more often", counts.more),
    )
    for words, found in kinds:
        if found:
            runs = in_runs(sorted(found))
            which = f"{', '.join(runs[:_MOST])}, …" if len(runs) > _MOST else listed(runs)
            what = "record" if len(found) == 1 else f"{shown(len(found))} records:"
            often = set(found.values())
            times = "".join(
                f", {shown(a)} times against {shown(b)}" for a, b in often if a and b and not often - {(a, b)}
            )
            yield f"  {words} {what} {which}{times}"


def _passes(found: Comparison) -> Iterator[_Row]:
    one, other = found.a.population, found.b.population
    yield "records in the dataset", _or_open(one.records), _or_open(other.records)
    yield "ranks", _or_open(one.ranks), _or_open(other.ranks)
    yield "in one pass", "", ""
    for words, name in (
        ("occurrences", "occurrences"),
        ("distinct records", "distinct"),
        ("occurrences of padding", "padding"),
        ("records omitted", "omitted"),
        ("records repeated", "repeated"),
    ):
        yield f"  {words}", _of_pass(one, name), _of_pass(other, name)
    yield "  steps of a rank", _steps(one), _steps(other)


def _of_pass(population: Population, name: str) -> str:
    return "open" if population.one_pass is None else _number(getattr(population.one_pass, name))


def _steps(population: Population) -> str:
    if population.one_pass is None:
        return "open"
    least, most = population.one_pass.steps.min, population.one_pass.steps.max
    return _number(least) if least == most else f"{_number(least)} to {_number(most)}"


def _runs(found: Comparison) -> Iterator[_Row]:
    """Identities are counted once over a whole run, not anew in each pass."""
    one, other = found.a.population.run, found.b.population.run
    yield "in the whole run", "", ""
    for name, words in (
        ("epochs", "passes"),
        ("occurrences", "occurrences"),
        ("distinct", "distinct records"),
    ):
        yield f"  {words}", _or_open(getattr(one, name, None)), _or_open(getattr(other, name, None))


def _rates(found: Comparison) -> Iterator[_Row]:
    one, other = found.a.timed, found.b.timed
    if one is None and other is None:
        return
    yield "each over its own window", _window(one), _window(other)
    yield "  occurrences per second", _rate(one, "occurrences"), _rate(other, "occurrences")
    yield "  distinct records per second", _rate(one, "distinct"), _rate(other, "distinct")


def _window(timed: Timed | None) -> str:
    if timed is None:
        return "not given"
    what = "a pass" if timed.steps is None else f"steps {shown(timed.steps[0])} to {shown(timed.steps[1])}"
    return f"{what} in {decimal(timed.seconds)} s"


def _rate(timed: Timed | None, name: str) -> str:
    return "" if timed is None else decimal(Fraction(getattr(timed, name)) / timed.seconds)


def _table(rows: list[_Row]) -> Iterator[str]:
    first, second, third = (max(width(row[at]) for row in rows) for at in range(3))
    yield f"{padded('', first)}  {'A':>{second}}  {'B':>{third}}"
    for words, one, other in rows:
        yield f"{padded(words, first)}  {one:>{second}}  {other:>{third}}".rstrip()


def _or_open(number: str | None) -> str:
    return "open" if number is None else _number(number)


def _number(digits: str) -> str:
    return shown(int(digits))


def _agreed(found: Comparison) -> Iterator[str]:
    """What both offers rest on, and nobody showed."""
    open_ = [found.dataset.text] if found.dataset.word == "open" else []
    both = [each for each in found.a.assumptions if each in found.b.assumptions]
    alone = [
        f"{letter} {'alone' if other.schedule is None else 'says'}: {each}"
        for letter, one, other in (("A", found.a, found.b), ("B", found.b, found.a))
        for each in one.assumptions
        if each not in other.assumptions
    ]
    if found.dataset.word == "shown":
        yield f"the same dataset: {safe(found.dataset.text)}"
    if open_ or both or alone:
        yield "taken for granted"
        yield from (f"  {safe(each)}" for each in (*open_, *both, *alone))
