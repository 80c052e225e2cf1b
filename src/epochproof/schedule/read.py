"""From the tree of a spec to its schedule: populations, loaders and the names that claims may use."""

from __future__ import annotations

from dataclasses import dataclass

from epochproof.diagnostics import Diagnostic, Label, Source, Span, SpecError, fail
from epochproof.language import tree
from epochproof.language.suggest import suggest
from epochproof.model.mixture import Mixture, read_mix
from epochproof.model.population import Population, read_dataset
from epochproof.model.values import Scope
from epochproof.schedule.loader import Loader, Placed
from epochproof.schedule.mixed import drawing, until_stopped
from epochproof.stage._anyhow import Anyhow
from epochproof.stage._files import Files
from epochproof.stage._read import read_stage
from epochproof.stage._stage import Stage
from epochproof.stage.copy import Copy
from epochproof.term.bounds import interval
from epochproof.term.node import Int, maximum, number

_SETTINGS = {"ranks": (1, 1), "workers": (0, 0), "epochs": (1, 1)}
"""Each setting of a loader: its least value and its default."""

_STYLES = ("map", "iterable")


@dataclass(frozen=True)
class Schedule:
    """A spec whose blocks were read; its claims are still as written."""

    source: Source
    scope: Scope
    populations: dict[str, Population]
    loaders: dict[str, Loader]
    claims: tuple[tree.Claim, ...]
    assumptions: tuple[tree.Assumption, ...]


def read_schedule(spec: tree.Spec) -> Schedule:
    """The schedule of a spec.

    Raises:
        SpecError: a block is wrong; holds one diagnostic for each wrong block.
    """
    scope, wrong = Scope(), list[Diagnostic]()
    schedule = Schedule(
        spec.source,
        scope,
        {},
        {},
        tuple(each for each in spec.statements if isinstance(each, tree.Claim)),
        tuple(each for each in spec.statements if isinstance(each, tree.Assumption)),
    )
    declared = {each.name for each in spec.statements if isinstance(each, tree.Dataset | tree.Mix)}
    refused = set[str]()
    for block in spec.statements:
        try:
            _read_block(block, schedule, declared, refused)
        except SpecError as error:
            wrong.extend(error.diagnostics)
    if wrong:
        raise SpecError(tuple(wrong), spec.source)
    return schedule


def _read_block(block: tree.Statement, schedule: Schedule, declared: set[str], refused: set[str]) -> None:
    """Adds what the block declares to the schedule; nothing where it reads what was `refused`."""
    if isinstance(block, tree.Dataset | tree.Split | tree.Mix):
        reads = {each.name for each in block.settings} if isinstance(block, tree.Mix) else set[str]()
        known = refused.isdisjoint(reads)
        refused.add(block.name)
        if not known:
            return
        if isinstance(block, tree.Split):
            raise fail("E200", f"`{block.name}` cannot be read yet", block.name_span)
        if isinstance(block, tree.Dataset):
            schedule.populations[block.name] = read_dataset(block, schedule.scope)
        else:
            schedule.populations[block.name] = _read_mix(block, schedule, declared)
        refused.remove(block.name)
    elif isinstance(block, tree.Loader) and str(block.over) not in refused:
        schedule.loaders[block.name] = _read_loader(block, schedule, declared)


def _read_mix(block: tree.Mix, schedule: Schedule, declared: set[str]) -> Mixture:
    return read_mix(
        block, lambda name, span: find(name, span, schedule, declared, reader="mix"), schedule.scope
    )


def find(
    name: str, span: Span, schedule: Schedule, declared: set[str], *, reader: str = "loader"
) -> Population:
    """The population called `name`, of those that are read already; `declared` are all."""
    population = schedule.populations.get(name)
    if population is None and name in declared:
        raise fail(
            "E200",
            f"dataset `{name}` is declared below its {reader}",
            span,
            help=f"move the dataset above the {reader}",
        )
    if population is None:
        cure = suggest(name, schedule.populations) or "declare it above with `dataset`"
        raise fail("E200", f"unknown dataset `{name}`", span, help=cure)
    return population


def _read_loader(block: tree.Loader, schedule: Schedule, declared: set[str]) -> Loader:
    population = find(str(block.over), block.over.span, schedule, declared)
    scope = schedule.scope
    settings = _read_settings(block, scope)
    scope.names.update(settings)
    iterable = _is_iterable(block)
    stages = drawing(population)
    try:
        for entry in block.entries:
            if isinstance(entry, tree.Stage):
                stages.append(_read_placed(entry, block.name, population, scope, stages, iterable=iterable))
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
    )
    return until_stopped(loader)


def _lanes(workers: Int, scope: Scope) -> Int:
    """Without workers, the main process reads one lane."""
    least = interval(workers, scope.ranges())[0]
    return workers if least is not None and least >= 1 else maximum(workers, 1)


def _read_settings(block: tree.Loader, scope: Scope) -> dict[str, Int]:
    values = {name: number(default) for name, (_, default) in _SETTINGS.items()}
    for setting in block.entries:
        if not isinstance(setting, tree.Setting) or setting.name == "style":
            continue
        if setting.name not in _SETTINGS:
            raise fail(
                "E201",
                f"a loader has no setting `{setting.name}`",
                setting.name_span,
                help=suggest(setting.name, [*_SETTINGS, "style"])
                or f"settings are {', '.join([*_SETTINGS, 'style'])}",
            )
        least, _ = _SETTINGS[setting.name]
        if setting.free:
            called = f"{block.name}.{setting.name}"
            values[setting.name] = scope.free(called, setting.value, least=least, span=setting.span)
        else:
            values[setting.name] = scope.at_least(setting.value, least, setting.name)
    return values


def _is_iterable(block: tree.Loader) -> bool:
    """Whether the block says `style = iterable`; `style = map` is the default."""
    for setting in block.entries:
        if isinstance(setting, tree.Setting) and setting.name == "style":
            word = str(setting.value) if isinstance(setting.value, tree.Name) else ""
            if setting.free or word not in _STYLES:
                raise fail(
                    "E204", "`style` is `map` or `iterable`", setting.value.span, help=suggest(word, _STYLES)
                )
            return word == "iterable"
    return False


def _anyhow(written: tree.Stage, loader: str, deal: Stage, scope: Scope) -> Stage:
    """A deal about which nothing is known but that it is one: every way to deal is meant."""
    if getattr(deal, "tail", "uneven") != "uneven" or getattr(deal, "by", "record") != "record":
        raise fail(
            "E209",
            "a deal of which nothing is known pads and drops nothing, and deals records",
            written.span,
            help="write `tail = uneven`, and leave `by` out",
        )
    everything = tree.Range(tree.Number(0, written.span), None, written.span)
    dealing = scope.free(f"{loader}.dealing", everything, least=0, span=written.span, seed=True)
    return Anyhow.model_construct(None, deal=deal, dealing=dealing)


def _by_file(written: tree.Stage, deal: Stage, population: Population, above: list[Placed]) -> Stage:
    """The deal of whole files, which must come before anything that could part them."""
    if population.rows is None:
        raise fail(
            "E215",
            f"`{population.name}` has no files to deal",
            written.span,
            help="give the dataset `files = 128` and `rows = 10_000`",
        )
    if any(not isinstance(each.stage, Copy) for each in above):
        raise fail(
            "E209",
            f"`{written.name}` makes no sense here: a stage above takes files apart",
            written.span,
            secondary=(Label(above[0].span, "the stage above"),),
            help=f"move `{written.name}` further up",
        )
    return Files.model_construct(None, deal=deal, rows=population.rows)


def _read_placed(
    written: tree.Stage,
    loader: str,
    population: Population,
    scope: Scope,
    above: list[Placed],
    *,
    iterable: bool,
) -> Placed:
    stage = read_stage(written, loader, scope, iterable=iterable)
    why = stage.refuses([each.stage for each in above])
    if iterable and stage.after_workers():
        why = "the workers of an iterable loader read and batch on their own"
    if getattr(stage, "layout", "") == "any":
        stage = _anyhow(written, loader, stage, scope)
    if getattr(stage, "by", "record") == "file":
        stage = _by_file(written, stage, population, above)
    if why:
        raise fail(
            "E209",
            f"`{written.name}` makes no sense here: {why}",
            written.span,
            secondary=(Label(above[-1].span, "the stage above"),) if above else (),
            help=f"leave `{written.name}` out" if iterable else f"move `{written.name}` further up",
        )
    return Placed(stage, written.name, written.span)
