"""One stage of a loader as it is written, in its place below the others."""

from __future__ import annotations

from epochproof.diagnostics import Label, fail
from epochproof.language import tree
from epochproof.model.lineage import datasets
from epochproof.model.population import Population
from epochproof.model.values import Scope
from epochproof.schedule.loader import Placed
from epochproof.schedule.preset import origin
from epochproof.stage._anyhow import Anyhow
from epochproof.stage._files import Files
from epochproof.stage._listed_files import ListedFiles
from epochproof.stage._read import read_stage
from epochproof.stage._stage import Stage
from epochproof.stage.copy import Copy


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
    return Anyhow(deal=deal, dealing=dealing)


def _by_file(written: tree.Stage, deal: Stage, population: Population, above: list[Placed]) -> Stage:
    """The deal of whole files, which must come before anything that could part them."""
    if population.rows is None:
        raise fail(
            "E215",
            f"`{population.name}` has no files to deal",
            written.span,
            help="give the dataset `files = 128` and `rows = 10_000`, or `rows = [3, 5, 2]`",
        )
    if any(not isinstance(each.stage, Copy) for each in above):
        raise fail(
            "E209",
            f"`{written.name}` makes no sense here: a stage above takes files apart",
            written.span,
            secondary=(Label(above[0].span, "the stage above"),),
            help=f"move `{written.name}` further up",
        )
    if isinstance(population.rows, tuple):
        return ListedFiles(deal=deal, rows=population.rows)
    return Files(deal=deal, rows=population.rows)


def read_placed(
    written: tree.Stage,
    loader: str,
    population: Population,
    scope: Scope,
    above: list[Placed],
    *,
    iterable: bool,
) -> Placed:
    """The stage below the stages `above`; its free values join the scope.

    Raises:
        SpecError: It is wrong, or makes no sense there.
    """
    levels = [each.name for each in datasets(population)]
    stage = read_stage(written, loader, scope, iterable=iterable, population=population.name, levels=levels)
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
            secondary=(Label(above[-1].span, "the stage above"),) if above and not stage.cure() else (),
            help=stage.cure()
            or (f"leave `{written.name}` out" if iterable else f"move `{written.name}` further up"),
        )
    return Placed(stage, written.name, written.span, *origin(written))
