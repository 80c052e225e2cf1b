"""How many different records a draw reads: between bounds, unless nothing is drawn again too early."""

from __future__ import annotations

from epochproof.claim._laps import at_least, covered
from epochproof.claim._question import RECORD, View
from epochproof.term.node import Int, both, implies, less_equal, minimum, number


def drawn_distinct(view: View, read: Int) -> Int:
    """Different records of an epoch that reads so many positions.

    As many as are read, up to all, where the first ones are different and more read everything: both
    proved. Else a number between bounds.
    """
    size, settle, inside = view.plan.size, view.question.settle, view.inside(RECORD)
    most = minimum(read, size)
    if settle(both(inside, read <= size), at_least(view, RECORD, number(2)).no) and settle(
        both(inside, read >= size), covered(view, RECORD).yes
    ):
        return most
    return bounded_distinct(view, read)


def bounded_distinct(view: View, read: Int) -> Int:
    """A number: no more than are read, or there are, and not 0 where any are read."""
    found = view.question.shared(("distinct", view.plan, view.run, view.this_epoch), "distinct")
    most = minimum(read, view.plan.size)
    view.question.facts += [less_equal(found, most), implies(most >= 1, found >= 1)]
    return found
