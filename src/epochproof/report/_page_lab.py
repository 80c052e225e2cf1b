"""The ownership lab in HTML: choices, buttons, and the table of all its worlds, which the page looks up."""

from __future__ import annotations

import json
from collections.abc import Iterable

from epochproof.report._html import Html, element, joined
from epochproof.schedule.ownership import BATCHES, DEALS, ENDS, RANKS, SIZES, TAILS, WORKERS, residues, worlds

_DEALT = {
    "slots": "ranks and workers",
    "ranks": "ranks only",
    "workers": "workers only",
    "nobody": "nobody: each reads everything",
}
_START = {"size": 10, "ranks": 3, "workers": 2, "batch": 2}
_MODULI, _INCREMENTS = range(1, 13), range(12)


def lab() -> Html:
    """The section; without scripts it says that it needs them."""
    return element(
        "section",
        element("h2", "Ownership lab", id="lab-head"),
        element(
            "p",
            "An iterable dataset has no indices to hand out: each worker of each rank owns a copy, and reads "
            "what the stages deal to it. Predict what the next step reads, then step. "
            "Every world shown here was computed by the model; the page only looks it up.",
        ),
        element("noscript", element("p", "The lab needs scripts; the rest of the page does not.")),
        _world(),
        _counter(),
        id="lab",
        aria_labelledby="lab-head",
    )


def tables() -> Html:
    """The worlds and the residues as data, which no browser runs."""
    data = {
        "letters": "a",
        "worlds": worlds(),
        "deals": DEALS,
        "sizes": [len(SIZES), len(RANKS), len(WORKERS), len(BATCHES)],
        "residues": {f"{m} {a}": residues(m, a) for m in _MODULI for a in _INCREMENTS},
    }
    written = json.dumps(data, separators=(",", ":"), sort_keys=True)
    return element("script", _inert(written), type="application/json", id="lab-data")


def _inert(written: str) -> Html:
    """JSON in which nothing can end the element that it stands in."""
    return Html(written.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _world() -> Html:
    numbers = [
        _choice("size", "records", SIZES, _START["size"]),
        _choice("ranks", "ranks", RANKS, _START["ranks"]),
        _choice("workers", "workers of a rank", WORKERS, _START["workers"]),
        _choice("batch", "records in a batch", BATCHES, _START["batch"]),
    ]
    words = [
        _chosen("deal", "records are dealt to", [(each, _DEALT[each]) for each in DEALS]),
        _chosen("tail", "the tail of the deal", [(each, each) for each in TAILS]),
        _chosen("end", "a worker's last batch", [(each, each) for each in ENDS]),
    ]
    watch = element(
        "label",
        element("input", type="checkbox", id="lab-watch", checked=True),
        " watch coverage",
        class_="check",
    )
    return element(
        "form",
        element("fieldset", element("legend", "The world"), *numbers, *words, watch),
        _buttons("lab", ("back", "Back"), ("step", "Step"), ("last", "To the end"), ("reset", "Reset")),
        element("output", id="lab-said", aria_live="polite"),
        element("div", id="lab-grid", class_="scroll", role="group", tabindex=0, aria_label="what was read"),
        element("div", id="lab-coverage"),
        element("details", element("summary", "this world as a spec"), element("pre", id="lab-spec")),
        id="lab-world",
    )


def _counter() -> Html:
    return element(
        "form",
        element("h3", "The counter behind a deal"),
        element(
            "p",
            "A counter of m slots that adds a at each step. With a = 1, its residue is the slot that owns "
            "the next record of a strided deal: m is ranks times workers. m = 3 gives 0, 1, 2, 0; m = 6 "
            "gives a cycle of six steps.",
        ),
        element(
            "fieldset",
            element("legend", "The counter"),
            _choice("m", "m, the slots", _MODULI, 3),
            _choice("a", "a, added at each step", _INCREMENTS, 1),
        ),
        _buttons("counter", ("step", "Step"), ("reset", "Reset")),
        element("output", id="counter-said", aria_live="polite"),
        element("ol", id="counter-slots", class_="slots", aria_label="slots"),
        id="lab-counter",
    )


def _choice(name: str, label: str, values: Iterable[int], start: int) -> Html:
    return _chosen(name, label, [(str(each), str(each)) for each in values], str(start))


def _chosen(name: str, label: str, values: Iterable[tuple[str, str]], start: str = "") -> Html:
    options = (element("option", shown, value=value, selected=value == start) for value, shown in values)
    return element("label", element("span", label), element("select", *options, id=f"lab-{name}"))


def _buttons(group: str, *named: tuple[str, str]) -> Html:
    made = (element("button", label, type="button", id=f"{group}-{name}") for name, label in named)
    return element("p", joined(*made), class_="buttons")
