"""Each loader of a spec as a section of HTML: its stages, what it reads, counted and as a grid."""

from __future__ import annotations

from epochproof.diagnostics import Source
from epochproof.prove.account import Account, Scene
from epochproof.prove.population import Population, Records
from epochproof.report._counterexample import in_runs
from epochproof.report._html import Html, element, joined
from epochproof.report._page_grid import grid
from epochproof.report._style import listed, shown

_MOST_LISTED = 12


def loaders(account: Account) -> Html:
    """All loaders in the order in which they are written."""
    source = account.checked.source
    items = [_loader(each, source) for each in account.scenes]
    return element(
        "section",
        element("h2", "Schedules", id="schedules-head"),
        joined(*items) if items else element("p", "The spec has no loader."),
        id="schedules",
        aria_labelledby="schedules-head",
    )


def _loader(scene: Scene, source: Source) -> Html:
    spans = dict.fromkeys((each.span.start, each.span.end) for each in scene.loader.stages)
    stages = (element("li", element("code", source.text[start:end].splitlines()[0])) for start, end in spans)
    return element(
        "article",
        element("h3", scene.loader.name),
        element("ol", *stages, class_="stages") if spans else None,
        element("p", _values(scene)),
        _counts(scene.population) if scene.population else None,
        _picture(scene),
        class_="loader",
    )


def _values(scene: Scene) -> Html:
    if not scene.values:
        return joined("Every value is fixed by the spec.")
    values = ", ".join(f"{name} = {shown(value)}" for name, value in scene.values.items())
    how = "Small values, chosen for this page: " if scene.chosen else "Values that were given: "
    return joined(how, element("code", values))


def _picture(scene: Scene) -> Html:
    if scene.picture is None:
        return element(
            "p", "This world is too large to be drawn; give smaller values with --set, if some are free."
        )
    return grid(scene.picture, f"What each rank of {scene.loader.name} reads, step by step, in one epoch")


def _counts(population: Population) -> Html:
    least, most = population.steps_min, population.steps_max
    steps = "on every rank" if least == most else f"on the longest rank, {shown(least)} on the shortest"
    rows = [
        ("occurrences", population.occurrences, ""),
        ("distinct", population.distinct, ""),
        ("padding", population.padding, ""),
        ("omitted", population.omitted.count, _records(population.omitted)),
        ("repeated", population.repeated.count, _records(population.repeated)),
        ("steps", most, steps),
    ]
    body = [
        element(
            "tr",
            element("th", name, scope="row"),
            element("td", shown(count), class_="number"),
            element("td", note),
        )
        for name, count, note in rows
    ]
    heads = (element("th", name, scope="col") for name in ("count", "number", "which"))
    table = element(
        "table",
        element("caption", f"One pass, {population.how}"),
        element("thead", element("tr", *heads)),
        element("tbody", *body),
        class_="counts",
    )
    return element("div", table, class_="scroll", role="group", tabindex=0, aria_label="counts")


def _records(records: Records) -> str:
    """Which records, as far as they are known and few."""
    if records.runs is None or not records.count:
        return records.note
    if records.count > 10 * _MOST_LISTED:
        first = (f"{shown(run.first)} to {shown(run.last)}" for run in records.runs[:1] if run.stride == 1)
        return "".join(first) if len(records.runs) == 1 else records.note
    listed_ = sorted(each for run in records.runs for each in range(run.first, run.last + 1, run.stride))
    words = in_runs(listed_)
    more = ["more"] if len(words) > _MOST_LISTED else []
    return listed([*words[:_MOST_LISTED], *more]) + (f" ({records.note})" if records.note else "")
