"""What two populations share: proved for every assignment, or shown by the smallest world with a leak."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from epochproof.claim._claim import Claim
from epochproof.claim._pair import Pair, below
from epochproof.claim._question import Undecided
from epochproof.model.lineage import datasets, line, source
from epochproof.model.population import Population
from epochproof.model.split import Part, Split
from epochproof.prove.answer import Answer
from epochproof.prove.boxes import Boxes
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Blame, Counterexample, Meeting, Verdict
from epochproof.schedule.sources import Found, Indices, Sources
from epochproof.term.fold import substitute, variables
from epochproof.term.node import Bool, Int, add, both, constant, less_equal, number, variable

MOST = 200_000
"""So many records of a world are listed; a world with more is not replayed."""


def leak_or_proof(claim: Claim, pair: Pair, solver: Solver) -> Verdict:
    """The verdict on a claim that two populations share no value of a key."""
    try:
        given = claim.premises(solver.valid)
    except Undecided as undecided:
        return Verdict("unknown", reason=str(undecided))
    if solver.find(given).status == "none":
        return Verdict("vacuous", "solver", reason="no values satisfy all premises together")
    meeting = both(given, pair.exists(), pair.meets())
    obligation = meeting
    answer = solver.find(obligation)
    if answer.status == "found":
        # What leaks in some assignment may not in one that keeps the shares.
        obligation = both(meeting, pair.quotas())
        answer = solver.find(obligation)
    if answer.status == "none":
        return Verdict("proved", "solver", obligations=(obligation,))
    if answer.status == "unknown":
        return Verdict("unknown", reason="the prover ran out of resources")
    return _Leak(claim, pair, solver, obligation).smallest(answer)


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
        boxes = Boxes(self.solver, free, self.condition, lambda _: True)
        values = boxes.smallest(boxes.complete(answer.values))
        self.exact = boxes.exact
        if values is None:
            return Verdict("unknown", reason="the prover ran out of resources")
        found = self._lowered(dict(values))
        if sum(each.size for each in self._sizes(found)) > MOST:
            return Verdict("unknown", reason="a candidate of the prover has too many records to be listed")
        world = built(self.pair, {**values}, found)
        met = None if world is None else meeting(self.pair, world)
        if world is None or met is None:
            return Verdict("unknown", reason="a candidate of the prover is no world with a leak")
        shown = {each.name: values[each.name] for each in free}
        example = Counterexample(
            parameters=shown,
            records=(),
            rank=None,
            epoch=None,
            blame=_blame(self.pair),
            smallest=self.exact,
            lengths=world.lengths,
            meeting=_shown(self.pair, met),
        )
        return Verdict("refuted", "run(1)", example)

    def _sizes(self, found: Mapping[str, int]) -> Iterator[_Size]:
        for population in (self.pair.left, self.pair.right, *(each.whole for each in self.pair.splits.values())):
            terms = {name: number(value) for name, value in found.items()}
            yield _Size(constant(substitute(population.size, terms)) or 0)

    def _lowered(self, values: dict[str, int]) -> dict[str, int]:
        """The solution with these parameters that has the fewest values, then frames, then least indices."""
        names = variables(self.condition) - values.keys()
        fixed = both(self.condition, *(_equal(name, value) for name, value in values.items()))
        counts = sorted(name for name in names if name.startswith("values of "))
        lengths = sorted(name for name in names if name.endswith(".length"))
        rest = sorted(names - {*counts, *lengths})
        for term in (*_sum(counts), *_sum(lengths), *map(variable, (*counts, *lengths, *rest))):
            fixed = self._least(term, fixed)
        found = self.solver.find(fixed)
        self.exact = self.exact and found.status == "found"
        return {**dict.fromkeys(names, 0), **found.values, **values}

    def _least(self, term: Int, fixed: Bool) -> Bool:
        """The condition with the least value for the term."""
        answer = self.solver.find(fixed)
        if answer.status != "found":
            self.exact = False
            return fixed
        low, high = 0, _value(term, answer.values)
        while low < high:
            middle = (low + high) // 2
            answer = self.solver.find(both(fixed, less_equal(term, middle)))
            self.exact = self.exact and answer.status != "unknown"
            if answer.status == "found":
                high = _value(term, answer.values)
            else:
                low = middle + 1
        return both(fixed, less_equal(term, high))


@dataclass(frozen=True)
class _Size:
    size: int


def _equal(name: str, value: int) -> Bool:
    return both(less_equal(variable(name), value), less_equal(value, variable(name)))


def _sum(names: list[str]) -> list[Int]:
    return [add(*map(variable, names))] if len(names) > 1 else []


def _value(term: Int, values: Mapping[str, int]) -> int:
    names = variables(term)
    return constant(substitute(term, {name: number(values.get(name, 0)) for name in names})) or 0


def built(pair: Pair, values: Mapping[str, int], solution: Mapping[str, int]) -> Sources | None:
    """A world in which the two records of the solution are as it says; `None` if there is none like that."""
    world = Sources(values, _lengths(pair, values, solution))
    ends = [_ends(record.indices, solution) for record in pair.records]
    for population in (pair.left, pair.right):
        for level in datasets(population):
            if level.groups and (level.name, level.groups) not in {key[:2] for key in world.groups}:
                _group(pair, world, level, solution, ends)
    for name, split in pair.splits.items():
        wanted: list[dict[Indices, int]] = [{}, {}]
        for at, record in enumerate(pair.records):
            for side in record.sides:
                if side.split == name:
                    key = tuple(_value(each, solution) for each in side.key)
                    wanted[0 if split.shared else at][key] = side.at
        for rank in (0,) if split.shared else (0, 1):
            if not world.assign(split, rank, wanted[rank]):
                return None
    return world if _true_sizes(pair, world) else None


def _ends(indices: Mapping[str, tuple[Int, ...]], solution: Mapping[str, int]) -> dict[str, Indices]:
    return {name: tuple(_value(each, solution) for each in own) for name, own in indices.items()}


def _lengths(
    pair: Pair, values: Mapping[str, int], solution: Mapping[str, int]
) -> dict[str, tuple[int, ...]]:
    """The frames of each source: those of the two records, and of others as much as the shares need."""
    top = source(pair.left)
    if top.lengths is not None:
        return {}
    total = _value(top.size, values)
    found = {
        _value(record.indices[top.name][0], solution): _value(record.length, solution)
        for record in pair.records
    }
    free = [at for at in range(total) if at not in found]
    for at, length in zip(free, _fillers(pair, values, solution, list(found.values())), strict=False):
        found[at] = length
    return {top.name: tuple(found.get(at, 0) for at in range(total))}


def _fillers(
    pair: Pair, values: Mapping[str, int], solution: Mapping[str, int], used: list[int]
) -> list[int]:
    """Lengths of further sources, so that each split has as many values as the solution says."""
    flat = {**solution, **values}
    wanted: list[tuple[Split, int]] = []
    for name, split in pair.splits.items():
        if split.key.kind == "record" and not any(isinstance(each.origin, Part) for each in line(split.whole)):
            have = sum(_below(split, length, flat) for length in used)
            wanted.append((split, _value(pair.values_of(name), flat) - have))
    sources = max((rest for split, rest in wanted if split.key.level.origin is None), default=0)
    deep = [(split, rest) for split, rest in wanted if split.key.level.origin is not None and rest > 0]
    if not deep:
        least = [_shortest(split, 1, flat) for split, _ in wanted]
        return [max(least, default=0)] * sources
    split, rest = deep[0]
    short = _shortest(split, 1, flat)
    each = _below(split, short, flat)
    more = max(sources - 1, 0)
    return [_shortest(split, rest - more * each, flat), *[short] * more]


def _below(split: Split, length: int, values: Mapping[str, int]) -> int:
    return _value(below(split.whole, split.key.level, number(length)), values)


def _shortest(split: Split, least: int, values: Mapping[str, int]) -> int:
    """The fewest frames of a source that has so many values of the split's key."""
    high = 1
    while _below(split, high, values) < least and high < 1 << 40:
        high *= 2
    low = 0
    while low < high:
        middle = (low + high) // 2
        if _below(split, middle, values) < least:
            low = middle + 1
        else:
            high = middle
    return low


def _group(
    pair: Pair, world: Sources, level: Population, solution: Mapping[str, int], ends: list[dict[str, Indices]]
) -> None:
    """Puts the records of a dataset into groups: two as the solution says, the others so that there are enough."""
    own: dict[Indices, int] = {}
    for tag, indices in zip("ab", ends, strict=True):
        if level.name in indices:
            own[indices[level.name]] = solution.get(f"{tag}.{level.name}.{level.groups}", 0)
    wanted = max(
        (
            _value(pair.values_of(name), solution)
            for name, split in pair.splits.items()
            if split.key.kind == "group" and split.key.level is level
        ),
        default=0,
    )
    new = (value for value in range(10**9) if value not in set(own.values()))
    groups = set(own.values())
    for record in world.records(level):
        indices = record.indices[level.name]
        if indices not in own:
            group = next(new) if len(groups) < wanted else max(groups, default=0)
            groups.add(group)
            own[indices] = group
    world.groups.update({(level.name, level.groups, indices): group for indices, group in own.items()})


def _true_sizes(pair: Pair, world: Sources) -> bool:
    """Whether the sizes that are parameters are those of the lists."""
    for population in (pair.left, pair.right):
        for each in line(population):
            names = variables(each.size)
            if f"{each.name}.size" in names & world.values.keys() and each.origin is not None:
                listed = sum(1 for _ in islice(world.records(each), MOST))
                if listed != world.number(each.size):
                    return False
    return True


def meeting(pair: Pair, world: Sources) -> tuple[Found, Found] | None:
    """The first two records of a world that meet, looked up on its lists."""
    left, right = (list(world.records(each, rank)) for rank, each in enumerate((pair.left, pair.right)))
    if pair.key.kind != "frames":
        first: dict[Indices, Found] = {}
        for each in right:
            first.setdefault(world.key(pair.key, each), each)
        return next(
            ((one, first[key]) for one in left if (key := world.key(pair.key, one)) in first), None
        )
    margin, name = world.number(pair.margin), source(pair.left).name
    by_source: dict[Indices, list[Found]] = {}
    for each in right:
        by_source.setdefault(each.indices[name], []).append(each)
    for one in left:
        for other in by_source.get(one.indices[name], ()):
            if one.start < other.end + margin and other.start < one.end + margin:
                return one, other
    return None


def _shown(pair: Pair, met: tuple[Found, Found]) -> tuple[Meeting, Meeting]:
    apart = any(not each.shared for each in pair.splits.values())
    one, other = (
        Meeting(
            population.name,
            dict(zip((each.name for each in datasets(population)), found.all, strict=True)),
            (found.start, found.end) if _timed(population) else None,
            rank if apart else None,
        )
        for rank, (population, found) in enumerate(zip((pair.left, pair.right), met, strict=True))
    )
    return one, other


def _timed(population: Population) -> bool:
    """Whether its records have frames to speak of."""
    return source(population).lengths is not None or len(
        [each for each in datasets(population) if each.origin is not None and each.origin.count(number(0)) is not each.origin.terms()[0]]
    ) > 0


def _blame(pair: Pair) -> Blame | None:
    """The split that has both on different sides, or else the last one that cut either."""
    cuts = [
        {each.origin.split.name: each.origin for each in line(population) if isinstance(each.origin, Part)}
        for population in (pair.left, pair.right)
    ]
    apart = [own.split for name, own in cuts[0].items() if name in cuts[1] and cuts[1][name].at != own.at]
    found = apart or [own.split for side in cuts for own in side.values()]
    if not found:
        return None
    what = "frames" if pair.key.kind == "frames" else f"`{pair.key.name}`"
    return Blame("split", found[0].span, f"this does not keep {what} on one side")
