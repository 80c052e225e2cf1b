"""The claims of a schedule: formulas read, bindings checked, parameters found."""

from __future__ import annotations

from dataclasses import replace

from epochproof.claim._claim import Claim
from epochproof.claim._conditions import All
from epochproof.claim._nodes import Condition, Use
from epochproof.claim._numbers import Given
from epochproof.claim._read import FormulaReader
from epochproof.claim.unaffected import other as in_other_run
from epochproof.diagnostics import Diagnostic, Label, SpecError, fail
from epochproof.language import tree
from epochproof.model.domain import Parameter
from epochproof.schedule.bound import told, unknown
from epochproof.schedule.plan import plan_of
from epochproof.schedule.read import Schedule
from epochproof.term.fold import variables


def read_claims(schedule: Schedule) -> list[Claim]:
    """The claims of a schedule.

    Raises:
        SpecError: a formula is wrong; holds one diagnostic for each wrong claim.
    """
    reader, wrong, claims = FormulaReader(schedule), list[Diagnostic](), list[Claim]()
    assumed = []
    blocked = _why(schedule.assumptions, schedule)
    for each in schedule.assumptions if not blocked else ():
        try:
            assumed.append(reader.condition(each.formula))
        except SpecError as error:
            wrong.extend(error.diagnostics)
    for written in schedule.claims:
        why = blocked or _why(written, schedule)
        if why:
            claims.append(Claim(written, All(()), All(()), {}, (), (), (), why))
            continue
        try:
            claims.append(_read_claim(written, reader, assumed))
        except SpecError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(told(wrong, schedule.uses), schedule.source)
    return claims


def _why(written: object, schedule: Schedule) -> str:
    """Why what is written cannot be judged: it is about a bound value that cannot be read."""
    return next((why for _, why in unknown(written, schedule.unread)), "")


def _unread(claim: Claim, parameters: tuple[Parameter, ...]) -> str:
    """Why no verdict is possible: the claim depends on a value that cannot be read."""
    found = [each for each in parameters if each.unread]
    return next((each.unread for each in found if not each.seed or claim.order_matters), "")


def _read_claim(written: tree.Claim, reader: FormulaReader, assumed: list[Condition]) -> Claim:
    schedule = reader.schedule
    formula = reader.formula(written.formula)
    given = [] if written.given is None else [reader.condition(written.given)]
    premise = All((*assumed, *given))
    names = dict.fromkeys(
        each.loader for node in (formula, premise) for each in node.walk() if isinstance(each, Use)
    )
    loaders = {name: schedule.loaders[name] for name in names}
    texts = tuple(each.text for each in schedule.assumptions)
    claim = Claim(written, formula, premise, loaders, (), (), texts)
    _check_bindings(claim)
    parameters, pinned = _parameters(claim, schedule)
    claim = replace(claim, parameters=parameters, pinned=pinned)
    return replace(claim, unread=_unread(claim, (*parameters, *pinned)))


def _check_bindings(claim: Claim) -> None:
    """Refuses a claim about one rank or record of loaders that do not share it, or about a missing stage."""
    for use in claim.uses:
        stages = [placed.name for placed in claim.loaders[use.loader].stages]
        if use.quantity.at_fault and use.quantity.at_fault not in stages:
            raise fail(
                "E306",
                f"`{use.quantity.name}` is about `{use.quantity.at_fault}`, and `{use.loader}` has none",
                use.span,
                help=f"write `{use.quantity.at_fault}(…)` in `{use.loader}`, or leave the claim out",
            )
    per_rank = [use for use in claim.uses if use.quantity.per_rank or use.rank]
    per_record = [use for use in claim.uses if use.quantity.per_record]
    for use in per_rank[1:]:
        if claim.loaders[use.loader].ranks is not claim.loaders[per_rank[0].loader].ranks:
            raise _unshared(
                "rank", per_rank[0], use, f"write `ranks = {per_rank[0].loader}.ranks` in `{use.loader}`"
            )
    for use in per_record[1:]:
        one, other = claim.loaders[per_record[0].loader], claim.loaders[use.loader]
        if per_record[0].part and use.part and per_record[0].part != use.part:
            raise fail(
                "E305",
                f"a record of `{per_record[0].part}` is none of `{use.part}`",
                use.span,
                secondary=(Label(per_record[0].span, "one record is meant in the whole claim"),),
                help="make a claim for each source",
            )
        if one.population is not other.population:
            raise _unshared("record", per_record[0], use, "let both loaders read the same dataset")


def _unshared(what: str, one: Use, other: Use, cure: str) -> SpecError:
    return fail(
        "E305",
        f"`{one.loader}` and `{other.loader}` do not share their {what}s",
        other.span,
        secondary=(Label(one.span, f"one {what} is meant in the whole claim"),),
        help=f"{cure}, or make two claims",
    )


def _parameters(claim: Claim, schedule: Schedule) -> tuple[tuple[Parameter, ...], tuple[Parameter, ...]]:
    """The parameters that the claim depends on, in order of declaration, and the others of its loaders."""
    known = schedule.scope.parameters
    names, epochs = set(claim.changed), set[str]()
    for loader in claim.loaders.values():
        plan = plan_of(loader)
        uses = [use.quantity for use in claim.uses if use.loader == loader.name]
        own = {name for each in uses for read in each.plans(plan) for name in each.depends_on(read)}
        seeded = any(known[name].seed for name in own & known.keys())
        names |= own
        epochs |= variables(loader.epochs)
        if any(use.run or use.quantity.of_all_epochs for use in claim.uses) or not (
            plan.epoch_free() or seeded
        ):
            names |= variables(loader.epochs)
    for each in claim.nodes():
        if isinstance(each, Given):
            names |= variables(each.given)
    second = [replace(known[name], name=in_other_run(name)) for name in known if name in claim.changed]
    found = [parameter for name, parameter in known.items() if name in names]
    return (*found, *second), tuple(known[name] for name in known if name in epochs - names)
