"""The laws of windows, copies and splits, and cases in which a fault in one of them shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, cast
from unittest.mock import patch

import epochproof
from epochproof.claim._pair import Pair
from epochproof.diagnostics import Span
from epochproof.model.lineage import Copies, Windows, record_of
from epochproof.model.population import Population
from epochproof.model.split import Key, Split
from epochproof.term.node import Int, add, both, constant, equal, floor_divide, iff, number, variable, within
from tests.claim.lineages import Cut, World
from tests.laws.fault import Case, Fault
from tests.model.populations import listed, population, real_windows
from tests.stage.laws import Law

AT, NEXT, LENGTH, WINDOW, STRIDE, VALUES, GAP = map(
    variable, ("at", "next", "length", "window", "stride", "values", "gap")
)
SPAN = Span(0, 0)
TOP = Population("top", variable("size"), SPAN)
SANE = both(LENGTH >= 0, WINDOW >= 1, STRIDE >= 1, variable("size") >= 1, GAP >= 0, VALUES >= 0)
SHARES = [
    tuple((f"p{at}", Fraction(share)) for at, share in enumerate(shares))
    for shares in (("1",), ("0.8", "0.2"), ("0.5", "0.5"), ("0.5", "0.25", "0.25"), ("0.1", "0.2", "0.7"))
]


def _window(index: Int) -> Any:
    windows = Population("w", number(0), SPAN, origin=Windows(TOP, WINDOW, STRIDE))
    return record_of(windows, "a", [number(0), index], LENGTH)


def of_windows() -> Iterator[Law]:
    """What windows of one source are."""
    one, other = _window(AT), _window(NEXT)
    count = Windows(TOP, WINDOW, STRIDE).count(LENGTH)
    yield Law("a window exists where it is counted", SANE, iff(one.exists, within(0, AT, count)))
    yield Law("a window is whole", both(SANE, one.exists), both(one.start >= 0, one.end <= LENGTH))
    yield Law("a window has its frames", SANE, equal(one.end - one.start, WINDOW))
    apart = equal(other.start - one.start, STRIDE)
    yield Law("windows are a stride apart", both(SANE, equal(NEXT, AT + 1)), apart)


def of_copies() -> Iterator[Law]:
    """What copies of one record are."""
    copies = Population("c", number(0), SPAN, origin=Copies(TOP, WINDOW))
    one = record_of(copies, "a", [number(0), AT], LENGTH)
    yield Law("a copy exists where it is counted", SANE, iff(one.exists, within(0, AT, WINDOW)))
    yield Law("a copy has the frames", SANE, both(equal(one.start, 0), equal(one.end, LENGTH)))


def of_shares() -> Iterator[Law]:
    """How many values the parts of a split have."""
    for shares in SHARES:
        split = Split("s", TOP, Key("top", "record", TOP), shares, SPAN)
        quotas = [split.quota(at, VALUES) for at in range(len(shares))]
        name = " ".join(str(share) for _, share in shares)
        yield Law(f"all values are in a part: {name}", SANE, equal(add(*quotas), VALUES))
        floors = [floor_divide(VALUES * share.numerator, share.denominator) for _, share in shares]
        more = [quota - floor for quota, floor in zip(quotas, floors, strict=True)]
        yield Law(
            f"a part has its share, or one more: {name}", SANE, both(*(within(0, each, 2) for each in more))
        )
        order = [after <= before for before, after in pairwise(more)]
        yield Law(f"the first parts have one more: {name}", SANE, both(*order))


def of_cuts() -> Iterator[Law]:
    """Where the parts of a split by time begin and end."""
    for shares in SHARES[1:]:
        split = Split("s", TOP, Key("time", "time", TOP), shares, SPAN, gap=GAP)
        cuts = [split.cut(at, LENGTH) for at in range(len(shares))]
        name = " ".join(str(share) for _, share in shares)
        edges = both(equal(cuts[0][0], 0), equal(cuts[-1][1], LENGTH))
        yield Law(f"parts go from the start to the end: {name}", SANE, edges)
        gaps = [equal(after[0] - before[1], GAP) for before, after in pairwise(cuts)]
        yield Law(f"a gap lies between two parts: {name}", SANE, both(*gaps))


LAWS = [*of_windows(), *of_copies(), *of_shares(), *of_cuts()]


def window_cases() -> Iterator[Case]:
    """Windows against ranges, and against torch's own."""
    for length, window, stride in product(range(7), range(1, 4), range(1, 4)):
        text = f"dataset v {{ lengths = [{length}] }}\n"
        text += f"dataset c from v {{ window = {window}, stride = {stride} }}"
        found = [list(range(each.start, each.end)) for each in listed(population(text, "c"))]
        hand = [list(each.frames) for each in World((length,), ((window, stride),), ()).records(1)]
        yield found != hand, found != [frames for _, frames in real_windows((length,), window, stride)]


def share_cases() -> Iterator[Case]:
    """Quotas against torch's `random_split`, where its rounding of floats makes no difference."""
    from torch.utils.data import random_split  # noqa: PLC0415 -- only here

    for shares, values in product(SHARES[1:3], range(1, 12)):
        split = Split("s", TOP, Key("top", "record", TOP), shares, SPAN)
        found = [constant(split.quota(at, number(values))) for at in range(len(shares))]
        floors = [values * share.numerator // share.denominator for _, share in shares]
        hand = [each + (at < values - sum(floors)) for at, each in enumerate(floors)]
        given = [float(share) for _, share in shares]
        real = [len(each) for each in random_split(cast("Any", range(values)), given)] if min(hand) else hand
        yield found != hand, found != real


def cut_cases() -> Iterator[Case]:
    """The windows of each part in time, against ranges."""
    halves = (Fraction(1, 2), Fraction(1, 2))
    for length, gap, at in product(range(9), range(3), range(2)):
        world = World((length,), ((2, 1),), (Cut("s", 1, "time", halves, gap),))
        text = world.text().removeprefix("edition 1\n")
        found = [each.start for each in listed(population(text, f"s.p{at}"))]
        yield found != [each.frames.start for each in world.side(("s", at), {}, ())], False


def leak_cases() -> Iterator[Case]:
    """Verdicts on small worlds against all assignments; torch has no such object."""
    halves, fifths = (Fraction(1, 2), Fraction(1, 2)), (Fraction(4, 5), Fraction(1, 5))
    for key, gap, margin, split in (
        ("time", 0, 0, halves),
        ("time", 0, 1, halves),
        ("time", 1, 1, halves),
        (0, 0, 0, halves),
        (0, 0, 0, fifths),
        (1, 0, 0, fifths),
    ):
        for lengths in ((4,), (6,), (3, 2)):
            world = World(lengths, ((2, 1),), (Cut("s", 1, key, split, gap),))
            for word in ("frames", 0):
                name = (f"frames + {margin}" if margin else "frames") if word == "frames" else "a"
                (claim,) = epochproof.check(world.text(f"s.p0 disjoint from s.p1 by {name}")).claims
                leaks = world.leaks(("s", 0), ("s", 1), word, margin)
                yield claim.verdict.word != ("refuted" if leaks else "proved"), False


def windows(part: str = "", fault: Callable[..., Any] | None = None) -> Fault:
    """Windows, with a fault in place of one of their methods."""
    return _planted("windows", Windows, part, fault, (of_windows, window_cases))


def shares(fault: Callable[..., Any] | None = None) -> Fault:
    """A split, with a fault in place of how many values a part has."""
    return _planted("split", Split, "quota", fault, (of_shares, share_cases))


def cuts(fault: Callable[..., Any] | None = None) -> Fault:
    """A split by time, with a fault in place of where its parts begin and end."""
    return _planted("split", Split, "cut", fault, (of_cuts, cut_cases))


def pairs(part: str = "", fault: Callable[..., Any] | None = None) -> Fault:
    """Two records, with a fault in place of what is said of them; they have no laws of their own."""
    return _planted("disjoint", Pair, part, fault, (lambda: iter(()), leak_cases))


def _planted(
    name: str,
    kind: type,
    part: str,
    fault: Callable[..., Any] | None,
    seen: tuple[Callable[[], Iterator[Law]], Callable[[], Iterator[Case]]],
) -> Fault:
    def inside(found: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        with patch.object(kind, part, fault) if fault else nullcontext():
            yield from found()

    laws, cases = seen
    return Fault(name, fault.__doc__ if fault else None, inside(laws), inside(cases))
