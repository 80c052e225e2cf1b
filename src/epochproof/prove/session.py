"""One spec from its text to its verdicts and populations: what the commands and Python callers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from epochproof.claim._claim import Claim
from epochproof.claim._claims import read_claims
from epochproof.diagnostics import Diagnostic, Label, Source, SpecError, fail
from epochproof.language.parse import parse, read
from epochproof.language.suggest import suggest
from epochproof.model.domain import Parameter
from epochproof.prove.judge import judge
from epochproof.prove.solver import Solver
from epochproof.prove.verdict import Judged
from epochproof.schedule.bound import complete, trusted, uses_of
from epochproof.schedule.read import Schedule, read_schedule
from epochproof.term.node import constant

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar
    from epochproof.config.use import Use
    from epochproof.prove.population import Population


@dataclass(frozen=True)
class Checked:
    """The claims of one spec, each with its verdict, in the order in which they are written."""

    path: str
    claims: tuple[Judged, ...]
    source: Source
    uses: tuple[Use, ...] = ()
    """Every value that was taken from a bound file."""

    @property
    def ok(self) -> bool:
        """Whether every claim is as stated: `prove` was proved, `refute` was refuted."""
        return all(each.as_stated for each in self.claims)

    @property
    def exit_code(self) -> int:
        """0: all claims are as stated. 1: one is not, or is vacuous. 3: others are undecided. 4: two solvers differ."""
        if any(each.second is not None and each.second.disputed for each in self.claims):
            return 4
        if any(not each.as_stated and each.verdict.word != "unknown" for each in self.claims):
            return 1
        return 0 if self.ok else 3


@dataclass(frozen=True)
class Session:
    """A spec whose blocks and claims were read, and the prover that answers for it."""

    schedule: Schedule
    claims: tuple[Claim, ...]
    solver: Solver

    @property
    def source(self) -> Source:
        """The text of the spec."""
        return self.schedule.source

    def judged(self, claim: Claim) -> Judged:
        """The claim with its verdict.

        Raises:
            SpecError: A manifest that it needs is wrong. Its `source` is set.
        """
        try:
            found, uses = judge(claim, self.solver), uses_of(claim.written, self.schedule)
        except SpecError as error:
            error.source = error.source or self.source
            raise
        return replace(found, uses=uses, assumptions=(*found.assumptions, *trusted(uses)))

    def checked(self) -> Checked:
        """All claims with their verdicts.

        Raises:
            SpecError: A manifest that some claims need is wrong. Its `source` is set.
        """
        found, wrong = list[Judged](), dict[Diagnostic, None]()
        for claim in self.claims:
            try:
                found.append(self.judged(claim))
            except SpecError as error:
                wrong |= dict.fromkeys(error.diagnostics)
        if wrong:
            raise SpecError(tuple(wrong), self.source)
        return Checked(self.source.path, tuple(found), self.source, self.schedule.uses)


def load(spec: str | Path, *, overrides: Mapping[str, Scalar] | None = None) -> Schedule:
    """The populations, loaders and written claims of a spec; nothing is proved.

    Args:
        spec: A path, or the text itself: a string with a line break, or one that begins with `edition`.
        overrides: Values in place of those of bound files: `{"t.trainer.devices": 4}`.

    Raises:
        SpecError: The spec is wrong. Its `source` is set.
    """
    if isinstance(spec, str) and ("\n" in spec or spec.lstrip().startswith("edition ")):
        return read_schedule(parse(spec), overrides)
    return read_schedule(read(spec), overrides)


def opened(schedule: Schedule, *, all_loaders: bool = False) -> Session:
    """The schedule with its claims read.

    Args:
        schedule: A spec whose blocks were read.
        all_loaders: Whether every loader is needed: manifests are read for them, too, and none may be unread.

    Raises:
        SpecError: A claim is wrong, or a manifest that is needed. Its `source` is set.
    """
    if all_loaders:
        complete(schedule)
    # Some claims are about every size, also where a manifest gives one.
    solver = _solver(schedule)
    if any(each.pin for each in schedule.populations.values()):
        from epochproof.claim._settled import settled_claims  # noqa: PLC0415 -- few specs name a manifest

        schedule, claims = settled_claims(schedule, all_loaders=all_loaders)
    else:
        claims = read_claims(schedule)
    return Session(schedule, tuple(claims), solver)


def check(spec: str | Path, *, overrides: Mapping[str, Scalar] | None = None) -> Checked:
    """The claims of a spec with their verdicts.

    A claim that is not as stated is no error: see `ok`, `exit_code` and the verdicts.

    Args:
        spec: A path, or the text itself: a string with a line break, or one that begins with `edition`.
        overrides: Values in place of those of bound files: `{"t.trainer.devices": 4}`.

    Raises:
        SpecError: The spec is wrong. Its `source` is set.
    """
    return opened(load(spec, overrides=overrides)).checked()


def count(
    spec: str | Path,
    *,
    set: Mapping[str, int] | None = None,  # noqa: A002 -- what the option is called
    steps: tuple[int, int] | None = None,
) -> tuple[Population, ...]:
    """What each loader reads in one epoch, exactly, in the order in which the loaders are written.

    Args:
        spec: A path, or the text itself: a string with a line break, or one that begins with `edition`.
        set: Values of the free parameters, by their names in claims: `{"train.ranks": 8}`.
        steps: First and last step of a portion of the epoch, both included; the whole epoch if `None`.

    Raises:
        SpecError: The spec is wrong, or a value is unknown, out of its domain or missing.
    """
    return counted(load(spec), set or {}, steps)


def counted(
    schedule: Schedule, values: Mapping[str, int], steps: tuple[int, int] | None
) -> tuple[Population, ...]:
    """What each loader of the schedule reads in one epoch, or in a portion of it; see `count`."""
    from epochproof.prove.population import population  # noqa: PLC0415 -- `check` counts nothing
    from epochproof.schedule.settle import settled  # noqa: PLC0415 -- `check` reads few manifests

    schedule = settled(complete(schedule))
    wrong = [each for name, value in values.items() for each in refused(schedule, name, value)]
    wrong = wrong or _missing(schedule, values)
    if wrong:
        raise SpecError(tuple(wrong), schedule.source)
    solver = _solver(schedule)
    try:
        return tuple(population(loader, values, steps, solver) for loader in schedule.loaders.values())
    except SpecError as error:
        error.source = error.source or schedule.source
        raise


def _solver(schedule: Schedule) -> Solver:
    scope = schedule.scope
    return Solver(
        scope.ranges(), {name: each.domain.holds(each.term) for name, each in scope.parameters.items()}
    )


def refused(schedule: Schedule, name: str, value: int) -> tuple[Diagnostic, ...]:
    """Why the parameter cannot have the value."""
    known, names = schedule.scope.parameters, schedule.scope.names
    if name in known:
        if value in known[name].domain:
            return ()
        outside = f"`{name}` cannot be {value:_}: it lies outside `{known[name].domain}`"
        return fail("E503", outside, known[name].span, label="declared here").diagnostics
    if name in names:
        fixed = constant(names[name])
        shown = "fixed" if fixed is None else f"fixed at {fixed:_}"
        return fail(
            "E502",
            f"`{name}` is {shown} in the spec",
            None,
            help=_free(known) or "the spec has no free parameter",
        ).diagnostics
    near = [each for each in known if each.endswith(f".{name}")]
    offered = f"did you mean `{near[0]}`?" if near else suggest(name, known)
    help_ = offered or _free(known) or "the spec has no free parameter"
    return fail("E502", f"there is no parameter `{name}`", None, help=help_).diagnostics


def _free(known: Mapping[str, Parameter]) -> str:
    return f"free parameters are {_listed(list(known))}" if known else ""


def _missing(schedule: Schedule, values: Mapping[str, int]) -> list[Diagnostic]:
    """One diagnostic for each loader that needs values; the last shows a call that gives them all."""
    from epochproof.prove.population import missing  # noqa: PLC0415 -- `check` counts nothing

    lacking = {name: missing(each, schedule, values) for name, each in schedule.loaders.items()}
    lacking = {name: parameters for name, parameters in lacking.items() if parameters}
    every = {each.name: each for parameters in lacking.values() for each in parameters}
    call = " ".join(f"--set {each.name}={_example(each):_}" for each in every.values())
    return [
        Diagnostic(
            "E504",
            f"`{loader}` needs {'a value' if len(parameters) == 1 else 'values'}"
            f" for {_listed([each.name for each in parameters])}",
            parameters[0].span,
            "left free here",
            tuple(Label(each.span, "and here") for each in parameters[1:]),
            help=f"give each a value, for example `{call}`" if at == len(lacking) else "",
        )
        for at, (loader, parameters) in enumerate(lacking.items(), 1)
    ]


def _example(parameter: Parameter) -> int:
    """A value of the domain, for an example."""
    usual = {"size": 1_000, "ranks": 8, "batch": 32, "workers": 4, "seed": 0}
    value = usual.get(parameter.name.rpartition(".")[2], 2)
    domain = parameter.domain
    return value if value in domain else domain.low if domain.high is None else domain.high


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
