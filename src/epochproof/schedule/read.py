"""From the tree of a spec to its schedule: populations, loaders and the names that claims may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from epochproof.diagnostics import Diagnostic, Source, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.language.unfolded import Given
from epochproof.model.lookup import population_of
from epochproof.model.population import Population, read_dataset
from epochproof.model.values import Scope
from epochproof.schedule.bound import follow, placed, reads, told, undecided
from epochproof.schedule.loader import Loader, Placed
from epochproof.schedule.placed import read_placed
from epochproof.schedule.preset import Unfold, named, unfolding
from epochproof.schedule.preset import stages as stages_of
from epochproof.term.bounds import interval
from epochproof.term.node import Int, maximum, number

if TYPE_CHECKING:
    from epochproof.config.entry import Scalar
    from epochproof.config.read import Content
    from epochproof.config.use import Use
    from epochproof.manifest.manifest import Manifest

_SETTINGS = {"ranks": (1, 1), "workers": (0, 0), "epochs": (1, 1), "start_epoch": (0, 0)}
"""Each setting of a loader that is a number: its least value and its default."""

_WORDS = {"style": ("map", "iterable"), "persistent": ("false", "true")}
"""Each setting that is a word, and its words, the default first."""


@dataclass(frozen=True)
class Schedule:
    """A spec whose blocks were read; its claims are still as written."""

    source: Source
    scope: Scope
    populations: dict[str, Population]
    loaders: dict[str, Loader]
    claims: tuple[tree.Claim, ...]
    assumptions: tuple[tree.Assumption, ...]
    manifests: Mapping[str, Manifest] = field(default_factory=dict)
    """The manifests that were read, by the parameters that they settled."""
    uses: tuple[Use, ...] = ()
    """What was taken from bound files."""
    unread: dict[str, str] = field(default_factory=dict)
    """The blocks that depend on a bound value that cannot be read as a whole, and why."""
    made_of: dict[str, frozenset[int]] = field(default_factory=dict)
    """Where the blocks begin that a block is made of, itself included."""


def read_schedule(
    spec: tree.Spec, overrides: Mapping[str, Scalar] | None = None, content: Content | None = None
) -> Schedule:
    """The schedule of a spec.

    Args:
        spec: The spec as written.
        overrides: Values in place of those of bound files, by their dotted names.
        content: Gives the bytes of a bound file; from the disk if `None`.

    Raises:
        SpecError: a block is wrong; holds one diagnostic for each wrong block.
    """
    spec, unfold = unfolding(spec, content)
    spec, uses = placed(spec, overrides or {}, content)
    scope, wrong = Scope(), list[Diagnostic]()
    schedule = Schedule(
        spec.source,
        scope,
        {},
        {},
        tuple(each for each in spec.statements if isinstance(each, tree.Claim)),
        tuple(each for each in spec.statements if isinstance(each, tree.Assumption)),
        uses=uses,
    )
    blocks = tree.Dataset | tree.Split | tree.Mix
    declared = {each.name for each in spec.statements if isinstance(each, blocks)}
    refused = set[str]()
    for block in spec.statements:
        try:
            _read_block(block, schedule, declared, refused, unfold)
        except SpecError as error:
            why = undecided(block, error, schedule.unread)
            if why:
                schedule.unread[getattr(block, "name", "")] = why
            else:
                wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(told(wrong, uses), spec.source)
    return schedule


def _read_block(
    block: tree.Statement, schedule: Schedule, declared: set[str], refused: set[str], unfold: Unfold
) -> None:
    """Adds what the block declares to the schedule; nothing where it reads what was `refused`."""
    if isinstance(block, tree.Block):
        follow(block, schedule)
    if isinstance(block, tree.Dataset | tree.Split | tree.Mix):
        known = refused.isdisjoint(reads(block))
        refused.add(block.name)
        if known:
            schedule.populations.update(_read_populations(block, schedule, declared))
            refused.remove(block.name)
    elif isinstance(block, tree.Loader) and block.over.parts[0] not in refused:
        schedule.loaders[block.name] = _read_loader(unfold(block), schedule, declared)


def _read_populations(
    block: tree.Dataset | tree.Split | tree.Mix, schedule: Schedule, declared: set[str]
) -> dict[str, Population]:
    """The population that a dataset or a mix is, or those that the parts of a split are, by name."""
    known, scope = schedule.populations, schedule.scope
    if isinstance(block, tree.Split):
        from epochproof.model.derived import read_split  # noqa: PLC0415 -- most specs split nothing

        return read_split(block, population_of(block.whole, known, declared, "split"), scope)
    if isinstance(block, tree.Mix):
        from epochproof.model.mixture import read_mix  # noqa: PLC0415 -- most specs mix nothing

        return {block.name: read_mix(block, lambda name: population_of(name, known, declared, "mix"), scope)}
    if block.source is None:
        return {block.name: read_dataset(block, scope)}
    from epochproof.model.derived import read_derived  # noqa: PLC0415 -- most specs derive nothing

    return {block.name: read_derived(block, population_of(block.source, known, declared, "dataset"), scope)}


def _read_loader(block: tree.Loader, schedule: Schedule, declared: set[str]) -> Loader:
    population = population_of(block.over, schedule.populations, declared, "loader")
    scope = schedule.scope
    settings = _read_settings(block, scope)
    scope.names.update(settings)
    iterable = _word(block, "style") == "iterable"
    persistent = _word(block, "persistent") == "true"
    if persistent and not iterable:
        raise fail(
            "E201",
            "only a loader with `style = iterable` is `persistent` as a whole",
            block.name_span,
            help="write `fetch(workers, persistent = true)`",
        )
    stages = _drawing(population)
    try:
        for entry in stages_of(block, scope):
            with named(entry):
                stages.append(read_placed(entry, block.name, population, scope, stages, iterable=iterable))
    finally:
        for name in settings:
            del scope.names[name]
    for name, value in settings.items():
        scope.names[f"{block.name}.{name}"] = value
    lanes = _lanes(settings["workers"], scope) if iterable else number(1)
    loader = Loader(
        block.name,
        population,
        **settings,
        stages=tuple(stages),
        span=block.name_span,
        iterable=iterable,
        lanes=lanes,
        persistent=persistent,
    )
    return _until_stopped(loader)


def _drawing(population: Population) -> list[Placed]:
    """The stages that draw from a mix."""
    if not population.components:
        return []
    from epochproof.schedule.mixed import drawing  # noqa: PLC0415 -- most loaders read no mix

    return drawing(population)


def _until_stopped(loader: Loader) -> Loader:
    """The loader; if its mix never ends, as far as it is read."""
    if not loader.population.components:
        return loader
    from epochproof.schedule.mixed import until_stopped  # noqa: PLC0415 -- most loaders read no mix

    return until_stopped(loader)


def _lanes(workers: Int, scope: Scope) -> Int:
    """Without workers, the main process reads one lane."""
    least = interval(workers, scope.ranges())[0]
    return workers if least is not None and least >= 1 else maximum(workers, 1)


def _read_settings(block: tree.Loader, scope: Scope) -> dict[str, Int]:
    values = {name: number(default) for name, (_, default) in _SETTINGS.items()}
    for setting in block.entries:
        if not isinstance(setting, tree.Setting) or isinstance(setting, Given) or setting.name in _WORDS:
            continue
        if setting.name not in _SETTINGS:
            raise fail(
                "E201",
                f"a loader has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, [*_SETTINGS, *_WORDS])
                or f"settings are {', '.join([*_SETTINGS, *_WORDS])}",
            )
        least, _ = _SETTINGS[setting.name]
        if setting.free:
            called = f"{block.name}.{setting.name}"
            values[setting.name] = scope.free(called, setting.value, least=least, span=setting.span)
        else:
            values[setting.name] = scope.at_least(setting.value, least, setting.name)
    return values


def _word(block: tree.Loader, name: str) -> str:
    """The word that the block gives for a setting, or its default."""
    words = _WORDS[name]
    for setting in block.entries:
        if isinstance(setting, tree.Setting) and setting.name == name:
            word = str(setting.value) if isinstance(setting.value, tree.Name) else ""
            if setting.free or word not in words:
                known = " or ".join(f"`{each}`" for each in words)
                raise fail("E204", f"`{name}` is {known}", setting.value.span, help=suggest(word, words))
            return word
    return words[0]
