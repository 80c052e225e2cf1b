"""What two populations share: proved for every assignment, or shown by the smallest world with a leak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epochproof.claim._claim import Claim
from epochproof.claim._pair import Pair
from epochproof.claim._question import Undecided
from epochproof.claim._rows import undealt
from epochproof.claim.disjoint import Disjoint
from epochproof.diagnostics import InternalError
from epochproof.model.lineage import Windows, datasets, line, source
from epochproof.prove.answer import Answer
from epochproof.prove.boxes import Boxes
from epochproof.prove.built import MOST, candidates, meeting, value
from epochproof.prove.rows import blamed, leak_in_rows
from epochproof.prove.shown import Ledger
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Counterexample, Meeting, Verdict
from epochproof.prove.worlds import Worlds
from epochproof.schedule.sources import Found, Sources
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Bool, Int, add, both, less_equal, number, variable


def leak_or_proof(claim: Claim, solver: Solver) -> Verdict:
    """The verdict on a claim that two populations share no value of a key."""
    formula = claim.formula
    if not isinstance(formula, Disjoint):
        raise InternalError(f"{type(formula).__name__} is about no two populations")
    pair = formula.pair
    ledger = Ledger(solver.show)
    try:
        given = claim.premises(ledger.valid)
    except Undecided as undecided:
        return Verdict("unknown", reason=str(undecided))
    some = solver.find(given)
    if some.status == "none":
        shown = (solver.whole(given), *ledger.shown)
        return Verdict("vacuous", "solver", reason="no values satisfy all premises together", shown=shown)
    if formula.rows is not None:
        return leak_in_rows(claim, formula.rows, pair, some)
    obligation, answer = _asked(pair, given, solver)
    if answer.status == "none":
        shown = (solver.whole(obligation), *ledger.shown)
        return Verdict("proved", "solver", obligations=(obligation,), shown=shown)
    reason = undealt(pair.left, pair.right, pair.key)
    if answer.status == "unknown" or reason:
        return Verdict("unknown", reason=reason or "the prover ran out of resources")
    return _Leak(claim, pair, solver, obligation).smallest(answer)


def _asked(pair: Pair, given: Bool, solver: Solver) -> tuple[Bool, Answer]:
    """What is true where two records share the key, and whether it can be."""
    meeting = both(given, pair.exists(), pair.meets())
    answer = solver.find(meeting)
    if answer.status != "found":
        return meeting, answer
    # What leaks in some assignment may not in one that keeps the shares.
    obligation = both(meeting, pair.quotas())
    return obligation, solver.find(obligation)


@dataclass
class _Leak:
    claim: Claim
    pair: Pair
    solver: Solver
    condition: Bool
    exact: bool = True

    def smallest(self, answer: Answer) -> Verdict:
        """The refutation by the smallest world that the prover finds, replayed on lists of its records."""
        free = list(self.claim.parameters)
        made = {f"{each.name}.size" for side in (self.pair.left, self.pair.right) for each in line(side)}
        if other := [each.name for each in free if each.slack and each.name not in made]:
            return Verdict("unknown", reason=f"no rule tells which values `{other[0]}` can have")
        boxes = Boxes(self.solver, free, self.condition, lambda _: True)
        values = boxes.smallest(boxes.complete(answer.values))
        self.exact = boxes.exact
        if values is None:
            return Verdict("unknown", reason="the prover ran out of resources")
        found = self._lowered(dict(values))
        wholes = [each.whole for each in self.pair.splits.values()]
        listed = (source(self.pair.left), self.pair.left, self.pair.right, *wholes)
        if max(value(each.size, found) for each in listed) > MOST:
            return Verdict("unknown", reason="a candidate of the prover has too many records to be listed")
        lists = Worlds(self.claim)
        for world, least in candidates(self.pair, values, found):
            met = meeting(self.pair, world)
            if met is not None and self.claim.meets_premise(lists.world(world.values)):
                self.exact = self.exact and least
                return self._refuted(world, met)
        return Verdict("unknown", reason="a candidate of the prover is no world with a leak")

    def _refuted(self, world: Sources, met: tuple[Found, Found]) -> Verdict:
        example = Counterexample(
            parameters={each.name: world.values[each.name] for each in self.claim.parameters},
            records=(),
            rank=None,
            epoch=None,
            blame=blamed(self.pair),
            smallest=self.exact,
            lengths=world.lengths if _timed(self.pair) else {},
            meeting=_shown(self.pair, met),
        )
        return Verdict("refuted", "run(1)", example)

    def _lowered(self, values: dict[str, int]) -> dict[str, int]:
        """The solution with these parameters that has the fewest values, then frames, then least indices."""
        names = variables(self.condition) - values.keys()
        fixed = _with(self.condition, values)
        known = self._asked(fixed, {})
        counts = sorted(name for name in names if name.startswith("values."))
        lengths = sorted(name for name in names if name.endswith(".length"))
        rest = sorted(names - {*counts, *lengths})
        for some in (counts, lengths):
            if len(some) > 1:
                total = add(*map(variable, some))
                known = self._least(total, fixed, known)
                fixed = both(fixed, less_equal(total, value(total, known)))
        for name in (*counts, *lengths, *rest):
            known = self._least(variable(name), fixed, known)
            fixed = _with(fixed, {name: known.get(name, 0)})
        return {**dict.fromkeys(names, 0), **known, **values}

    def _least(self, term: Int, fixed: Bool, known: dict[str, int]) -> dict[str, int]:
        """A solution with the least value for the term; `known` is one."""
        low, high, step = 0, value(term, known), 0
        while low < high:
            middle = min(low + step, (low + high) // 2)
            found = self._asked(both(fixed, less_equal(term, middle)), known)
            if found is known:
                low, step = middle + 1, 2 * step + 1
            else:
                known, high = found, value(term, found)
        return known

    def _asked(self, condition: Bool, known: dict[str, int]) -> dict[str, int]:
        """A solution, on top of what is known; `known` itself where there is none."""
        answer = self.solver.find(condition)
        self.exact = self.exact and answer.status != "unknown"
        return {**known, **answer.values} if answer.status == "found" else known


def _with(condition: Bool, values: Mapping[str, int]) -> Bool:
    """The condition with numbers in place of some variables."""
    return substitute(condition, {name: number(each) for name, each in values.items()})


def _shown(pair: Pair, met: tuple[Found, Found]) -> tuple[Meeting, Meeting]:
    apart = any(not each.shared for each in pair.splits.values())
    one, other = (
        Meeting(
            population.name,
            dict(zip((each.name for each in datasets(population)), found.all, strict=True)),
            (found.start, found.end) if _timed(pair) else None,
            rank if apart else None,
        )
        for rank, (population, found) in enumerate(zip((pair.left, pair.right), met, strict=True))
    )
    return one, other


def _timed(pair: Pair) -> bool:
    """Whether the records have frames to speak of."""
    made = [each.origin for population in (pair.left, pair.right) for each in line(population)]
    known = pair.key.kind == "frames" or source(pair.left).lengths is not None
    return known or any(isinstance(each, Windows) for each in made)
