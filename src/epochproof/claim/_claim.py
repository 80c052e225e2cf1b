"""A claim, ready to be judged: its formula, its premises, and the parameters that it depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from epochproof.claim._conditions import All
from epochproof.claim._nodes import Condition, Node, Symbols, Use, World
from epochproof.claim._question import RECORD, Question
from epochproof.claim._sided import Sided
from epochproof.language import tree
from epochproof.model.domain import Parameter
from epochproof.schedule.loader import Loader
from epochproof.schedule.plan import EPOCH, RANK, plan_of
from epochproof.term.node import Bool, Int, both, negate, within

_PROCESSED = "every delivered record is processed"
_FIXED = "the dataset does not change"


@dataclass(frozen=True, eq=False, repr=False)
class Claim:
    """One `prove` or `refute`: for all parameters, ranks, epochs and records, premise implies formula."""

    written: tree.Claim
    formula: Condition
    premise: All
    loaders: Mapping[str, Loader]
    parameters: tuple[Parameter, ...]
    pinned: tuple[Parameter, ...]
    assumed: tuple[str, ...]
    unread: str = ""
    """Why no verdict is possible: it depends on a bound value that cannot be read."""

    def nodes(self) -> Iterator[Node]:
        """All parts of the formula and of the premise."""
        yield from self.formula.walk()
        yield from self.premise.walk()

    @cached_property
    def uses(self) -> list[Use]:
        """The quantities in the formula and the premise."""
        return [each for each in self.nodes() if isinstance(each, Use)]

    @cached_property
    def changed(self) -> dict[str, Int]:
        """The parameters that differ in the second run, and what they are called there."""
        return {name: term for each in self.nodes() for name, term in each.changed().items()}

    @property
    def per_record(self) -> bool:
        """Whether the formula is about one record."""
        return any(use.quantity.per_record for use in self.uses)

    @property
    def per_rank(self) -> bool:
        """Whether the formula is about one rank."""
        return any(use.quantity.per_rank or use.rank for use in self.uses)

    @cached_property
    def about_one_rank(self) -> bool:
        """Whether its truth may change from rank to rank: not where all ranks are compared."""
        roots: list[Node] = [self.formula, self.premise]
        while roots:
            node = roots.pop()
            if isinstance(node, Use) and (node.quantity.per_rank or node.rank):
                return True
            roots += () if node.ranges_over_ranks() else node.parts()
        return False

    @cached_property
    def entangles_ranks(self) -> bool:
        """Whether it says of each rank something about all ranks, so that a check looks at all pairs."""
        return self.about_one_rank and not all(use.quantity.per_rank or use.rank for use in self.uses)

    def goal(self, settle: Callable[[Bool, Bool], bool], breadth: int) -> tuple[Bool, Bool]:
        """What is given and what must follow, so that the claim is true.

        Raises:
            Undecided: no rule puts the claim into formulas.
        """
        question = Question(settle, breadth)
        symbols = Symbols(question, self.loaders)
        premise = self.premise.sided(symbols)
        given = [negate(premise.no)]
        if self.premise.operands:
            question.settle = _also_under(given[0], settle)
            if not any(isinstance(each, Use) and each.quantity.per_record for each in self.premise.walk()):
                question.bare = question.settle
        formula = self.formula.sided(symbols)
        if self.changed:
            given.append(negate(self._premise_of_the_other_run(symbols).no))
        given += [*self._bindings(symbols), *question.facts]
        return both(*given), formula.yes

    def premises(self, settle: Callable[[Bool, Bool], bool]) -> Bool:
        """What is given alone: where it cannot hold, the claim says nothing."""
        question = Question(settle)
        symbols = Symbols(question, self.loaders)
        given = negate(self.premise.sided(symbols).no)
        return both(given, *self._bindings(symbols), *question.facts)

    @property
    def padding_stages(self) -> int:
        """How many stages of its loaders can give a record further places."""
        return sum(plan_of(loader).padding_stages() for loader in self.loaders.values())

    def _premise_of_the_other_run(self, symbols: Symbols) -> Sided:
        return self.premise.sided(Symbols(symbols.question, symbols.loaders, self.changed))

    def _bindings(self, symbols: Symbols) -> Iterator[Bool]:
        yield EPOCH >= 0
        for parameter in self.parameters:
            if parameter.name.removesuffix("'") in self.changed:
                yield parameter.domain.holds(parameter.term)
        for use in self.uses:
            view = symbols.view(use)
            yield use.quantity.meant(view)
            if self.changed:
                yield use.quantity.meant(replace(symbols, changed=self.changed).view(use))
            if not use.run:
                yield within(0, EPOCH, view.epochs)
            if use.quantity.per_rank or use.rank:
                yield within(0, RANK, view.plan.ranks)
            if use.quantity.per_record:
                yield view.inside(RECORD)

    @cached_property
    def open_epochs(self) -> bool:
        """Whether some epoch differs from another."""
        return not all(plan_of(loader).epoch_free() for loader in self.loaders.values())

    @cached_property
    def order_matters(self) -> bool:
        """Whether the truth of the claim may depend on the permutations that are drawn.

        It does not where records are only counted, and every shuffle comes first and is shared.
        """
        plans = [plan for use in self.uses for plan in use.quantity.plans(plan_of(self.loaders[use.loader]))]
        if all(plan.order_free() for plan in plans):
            return False
        if any(not plan.base().order_free() for plan in plans) or any(use.run for use in self.uses):
            return True
        return self._several_orders() or any(node.tells_records() for node in self.nodes())

    @property
    def own_orders(self) -> bool:
        """Whether ranks have orders of their own, which no seed of the spec fixes."""
        plans = [plan_of(loader) for loader in self.loaders.values()]
        return any(stage.per_rank() for plan in plans for stage in plan.stages)

    def _several_orders(self) -> bool:
        """Whether one quantity compares runs of different orders."""
        for use in self.uses:
            plans = use.quantity.plans(plan_of(self.loaders[use.loader]))
            if len({plan.leading() for plan in plans}) > 1:
                return True
        return False

    def violation(self, world: World, epochs: int | None = None, ranks: int | None = None) -> World | None:
        """The world about the first epoch, rank and record that make the claim false, or `None`.

        Only so many of the first epochs and ranks are looked at, all if `None`.
        """
        for each in self._worlds(world, epochs, ranks):
            both_runs = [each, each.the_other_run()] if self.changed else [each]
            if all(map(self._meant, both_runs)) and not self.formula.holds(each):
                return each
        return None

    @cached_property
    def _of_prefixes(self) -> bool:
        """Whether it is about prefixes, in which records differ that are read equally often in the end."""
        return any(each.of_prefixes for each in self.nodes())

    def effort(self, positions: int) -> int:
        """What it costs to check a world of so many positions: prefixes are looked at one by one."""
        if not self._of_prefixes:
            return positions
        summed = all(use.quantity.of_prefixes for use in self.uses)
        return 24 * positions if summed else max(24, positions) * positions

    def meets_premise(self, world: World) -> bool:
        """Whether the premise holds for some epoch, rank and record of the world."""
        limited = self.premise.operands or any(use.quantity.limited for use in self.uses)
        return not limited or any(self._meant(each) for each in self._worlds(world))

    def _meant(self, world: World) -> bool:
        """Whether the claim is about the world: its premise holds, and all that it names is something."""
        return self.premise.holds(world) and all(use.quantity.means(world.seen(use)) for use in self.uses)

    def _worlds(
        self, world: World, most_epochs: int | None = None, most_ranks: int | None = None
    ) -> Iterator[World]:
        lists = [world.lists[name] for name in self.loaders]
        epochs = min((each.epochs for each in lists), default=1) if self.open_epochs else 1
        ranks = min((each.ranks for each in lists), default=1) if self.about_one_rank else 1
        for epoch in range(epochs if most_epochs is None else min(epochs, most_epochs)):
            for rank in range(ranks if most_ranks is None else min(ranks, most_ranks)):
                here = world.at(epoch=epoch, rank=rank)
                yield from self._records(here) if self.per_record else [here]

    def _records(self, world: World) -> Iterator[World]:
        """The first record of each kind: two of which all quantities are the same cannot be told apart."""
        uses = [use for use in self.uses if use.quantity.per_record]
        runs = [world, world.the_other_run()]
        counts = [use.quantity.kinds(run.seen(use)) for use in uses for run in runs]
        inside = [world.seen(use).members() for use in uses]
        kinds = set[object]()
        for record in range(max(each.start for each in inside), min(each.stop for each in inside)):
            kind = record if self._of_prefixes else tuple(each.get(record, 0) for each in counts)
            if kind not in kinds:
                kinds.add(kind)
                yield world.at(record=record)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the verdict rests on besides the spec, as sentences."""
        stages = [each.stage for loader in self.loaders.values() for each in loader.stages]
        found = dict.fromkeys([_FIXED, _PROCESSED] if self.loaders else [])
        names = {use.quantity.name for use in self.uses}
        for stage in stages:
            if stage.matters_to is None or stage.matters_to & names:
                found.update(dict.fromkeys(stage.assumes()))
        found.update(dict.fromkeys(text for node in self.nodes() for text in node.assumes()))
        found.update(dict.fromkeys(each for use in self.uses for each in use.quantity.assumes))
        found.update(dict.fromkeys(self.assumed))
        return tuple(found)


def _also_under(premise: Bool, settle: Callable[[Bool, Bool], bool]) -> Callable[[Bool, Bool], bool]:
    """Settles without the premise, whose answer serves other claims too, and else with it."""
    return lambda given, goal: settle(given, goal) or settle(both(given, premise), goal)
