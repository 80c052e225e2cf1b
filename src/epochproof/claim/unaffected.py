"""`X unaffected by P`: two runs that differ in nothing but P have the same X."""

from __future__ import annotations

from dataclasses import dataclass, replace

from epochproof.claim._nodes import Condition, Node, NumberNode, SetNode, Symbols, Use, World
from epochproof.claim._sets import UseSequence
from epochproof.claim._sided import Sided
from epochproof.diagnostics import Span, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.values import Scope
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.term.fold import variables
from epochproof.term.node import FALSE, Int, both, constant, either, equal, variable


def other(name: str) -> str:
    """What a parameter is called in the second run."""
    return f"{name}'"


@dataclass(frozen=True, eq=False, repr=False)
class Unaffected(Condition):
    """The operand is the same in a second run, in which the parameters `by` have other values."""

    operand: NumberNode | SetNode | UseSequence
    by: tuple[str, ...]

    def parts(self) -> tuple[Node, ...]:
        return (self.operand,)

    def changed(self) -> dict[str, Int]:
        """The values that the second run has in place of the first one's."""
        return {name: variable(other(name)) for name in self.by}

    def tells_records(self) -> bool:
        return not isinstance(self.operand, NumberNode)

    def sided(self, symbols: Symbols) -> Sided:
        second = replace(symbols, changed=self.changed())
        if isinstance(self.operand, UseSequence):
            one, two = symbols.view(self.operand.use), second.view(self.operand.use)
            return Sided(self.operand.quantity.same(one, two).yes, FALSE)
        if isinstance(self.operand, SetNode):
            record = symbols.question.fresh("u")
            a, b = self.operand.member(symbols, record), self.operand.member(second, record)
            return Sided(both(either(a.no, b.yes), either(b.no, a.yes)), FALSE)
        return Sided(equal(self.operand.term(symbols), self.operand.term(second)), FALSE)

    def holds(self, world: World) -> bool:
        return self._here(world) == self._here(world.the_other_run())

    def _here(self, world: World) -> object:
        if isinstance(self.operand, UseSequence):
            return self.operand.listed(world)
        return self.operand.members(world) if isinstance(self.operand, SetNode) else self.operand.value(world)


def unaffected_by(operand: Node, written: tree.Unaffected, schedule: Schedule) -> Condition:
    """The condition that the operand, which is about one loader, is the same whatever the parameters are."""
    uses = [each for each in operand.walk() if isinstance(each, Use)]
    kinds = NumberNode | SetNode | UseSequence
    if not isinstance(operand, kinds) or len({each.loader for each in uses}) != 1:
        raise fail(
            "E303",
            "`unaffected by` takes a number, a set or an order of one loader",
            written.operand.span,
            help="name something that a loader has, and make one claim for each loader",
        )
    changed = tuple(_parameter(uses[0].loader, name, schedule.scope) for name in written.by)
    _refuse_renaming(operand, uses, changed, schedule, written.span)
    return Unaffected(operand, changed)


def _refuse_renaming(
    operand: Node, uses: list[Use], changed: tuple[str, ...], schedule: Schedule, span: Span
) -> None:
    """Refuses to compare numbers of records that the change moves: a source comes after another one."""
    mixing = plan_of(schedule.loaders[uses[0].loader]).mixing
    counted = isinstance(operand, NumberNode) and not any(use.quantity.per_record for use in uses)
    if mixing is None or counted or (isinstance(operand, SetNode) and all(use.part for use in uses)):
        return
    if moving := variables(*mixing.records()[:-1]).intersection(changed):
        raise fail(
            "E340",
            f"`{min(moving)}` moves the numbers of the records after it",
            span,
            help="compare one source, as in `train.omitted(web)`, or counts",
        )


def _parameter(loader: str, name: tree.Name, scope: Scope) -> str:
    """What a parameter is called in full."""
    for full in (f"{loader}.{name}", str(name)):
        if full in scope.parameters:
            return full
        if full in scope.names and (value := constant(scope.names[full])) is not None:
            raise fail(
                "E304",
                f"`{full}` is fixed at {value}, so nothing can be affected by it",
                name.span,
                help="leave it free with `in`",
            )
        if full in scope.names:
            cure = f"name what it is made of: {', '.join(sorted(variables(scope.names[full])))}"
            raise fail("E304", f"`{full}` is not free by itself", name.span, help=cure)
    known = [each.removeprefix(f"{loader}.") for each in scope.parameters]
    cure = suggest(str(name), known) or f"free values are {', '.join(known) or 'missing in this spec'}"
    raise fail("E300", f"unknown free value `{name}`", name.span, help=cure)
