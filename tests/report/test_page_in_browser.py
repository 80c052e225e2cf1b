"""The page in a real browser: it asks for nothing, fits a phone, needs no mouse, and its lab is the model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from epochproof.prove.account import account
from epochproof.prove.session import load
from epochproof.report.page_as_html import render
from epochproof.schedule.picture import Picture, picture
from tests.browser import CHROMIUM, Browser, browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")

SPEC = """edition 1
dataset records { size in 1.. }
loader train over records {
  ranks in 1..64
  workers in 0..8
  shuffle(seed = any, reseed = epoch)
  shard(ranks, tail = pad)
  batch(in 1..64, tail = drop)
  fetch(workers)
}
prove "an epoch reads every record, however long the name of the claim that says so may be"
    : train.omitted == {}
refute "<b>no record</b> is read twice" : train.multiplicity <= 1
"""
SET = {"records.size": 200, "train.ranks": 4, "train.batch": 8}

CHOOSE = """
(choices) => {
  for (const [name, value] of Object.entries(choices)) {
    const select = document.getElementById(`lab-${name}`);
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
"""
READ = """
() => [...document.querySelectorAll("#lab-grid tbody tr")].map((row) => [...row.cells].slice(2).map((cell) =>
  [...cell.querySelectorAll(".chip")].map((chip) =>
    [Number(chip.firstChild.textContent), chip.classList.contains("pad"), chip.classList.contains("again")])))
"""
COVERED = """
() => [...document.querySelectorAll("#lab-coverage .chip")].map((chip) =>
  chip.classList.contains("lost") ? 0 : Number(chip.querySelector("i").textContent.slice(1)))
"""
CHOICES: dict[str, list[Any]] = {
    "size": list(range(1, 13)),
    "ranks": list(range(1, 5)),
    "workers": list(range(1, 4)),
    "batch": list(range(1, 4)),
    "deal": ["slots", "ranks", "workers", "nobody"],
    "tail": ["pad", "drop", "uneven"],
    "end": ["keep", "drop"],
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("page") / "page.html"
    found.write_text(render(account(load(SPEC), SET)))
    return found


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("home")) as found:
        yield found


def called(tab: Browser, function: str, argument: str = "") -> Any:
    return tab.run(f"({function})({argument})")


def model(tab: Browser) -> Picture:
    """What the spec that the lab shows delivers."""
    (loader,) = load(tab.run("document.getElementById('lab-spec').textContent")).loaders.values()
    found = picture(loader, {})
    assert found is not None
    return found


def wanted(found: Picture) -> list[list[list[list[Any]]]]:
    return [
        [[[cell.record, cell.padded, cell.times > 1] for cell in step or ()] for step in row.steps]
        for row in found.rows
    ]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1200])
def test_page_asks_for_nothing_and_never_scrolls_sideways(
    tab: Browser, file: Path, width: int, *, dark: bool
) -> None:
    tab.open(file, width=width, dark=dark)
    tab.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    tab.run("document.getElementById('lab-last').click()")

    assert tab.requests == [file.as_uri()]
    assert tab.complaints == []
    assert tab.run("innerWidth") == width
    assert tab.run("document.documentElement.scrollWidth === document.documentElement.clientWidth")
    assert tab.run("[...document.querySelectorAll('.scroll')].some((e) => e.scrollWidth > e.clientWidth)")


def test_schemes_differ_and_both_can_be_read(tab: Browser, file: Path) -> None:
    grounds = []
    for dark in (False, True):
        tab.open(file, dark=dark)
        grounds.append(tab.run("getComputedStyle(document.body).backgroundColor"))
        assert called(tab, CONTRAST) == []

    assert grounds == ["rgb(255, 255, 255)", "rgb(20, 23, 27)"]


def test_print_shows_the_whole_of_a_grid_and_no_lab(tab: Browser, file: Path) -> None:
    tab.open(file, media="print")

    assert tab.run("getComputedStyle(document.getElementById('lab')).display") == "none"
    assert tab.run("getComputedStyle(document.querySelector('.scroll')).overflowX") == "visible"


def test_print_unfolds_what_is_folded(tab: Browser, file: Path) -> None:
    tab.open(file)
    assert tab.run("document.querySelectorAll('details:not([open])').length") > 0

    printed = tab.call("Page.printToPDF")["data"]

    assert tab.run("document.querySelectorAll('details:not([open])').length") == 0
    assert len(printed) > 20_000


def test_lab_shows_what_the_model_delivers(tab: Browser, file: Path) -> None:
    tab.open(file)
    random = Random(5)  # noqa: S311 -- the same worlds each time
    seen = []

    for _ in range(300):
        choices = {name: random.choice(values) for name, values in CHOICES.items()}
        called(tab, CHOOSE, str(choices))
        tab.run("document.getElementById('lab-last').click()")
        found = model(tab)
        seen.append((choices["deal"], found.steps > 0))
        rows = called(tab, READ)

        assert rows == wanted(found), choices
        assert called(tab, COVERED) == [found.counts.get(each, 0) for each in range(found.size)], choices
        said = f"step {found.steps} of {found.steps}: {found.occurrences} occurrences read"
        assert tab.run("document.getElementById('lab-said').textContent") == said

    assert {(deal, True) for deal in CHOICES["deal"]} <= set(seen)


def test_lab_goes_step_by_step_by_keyboard_alone(tab: Browser, file: Path) -> None:
    tab.open(file)
    called(tab, CHOOSE, str({"size": 10, "ranks": 1, "workers": 1, "batch": 2}))
    tab.run("document.getElementById('lab-end').focus()")
    for _ in range(2):
        tab.press("Tab")

    assert tab.run("document.activeElement.id") == "lab-step"
    assert tab.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab.press("Enter", "\r")
    covered = tab.run("document.getElementById('lab-coverage').textContent")
    assert covered.startswith("coverage: 2 of 10 records read")
    tab.press(" ", " ")
    assert tab.run("document.getElementById('lab-said').textContent") == "step 2 of 5: 4 occurrences read"


def test_a_changed_world_starts_afresh_and_a_watch_does_not(tab: Browser, file: Path) -> None:
    tab.open(file)
    tab.run("document.getElementById('lab-step').click()")
    tab.run("document.getElementById('lab-watch').click()")

    assert tab.run("document.getElementById('lab-coverage').textContent") == ""
    assert tab.run("document.getElementById('lab-said').textContent").startswith("step 1 of")
    called(tab, CHOOSE, str({"ranks": 4}))
    assert tab.run("document.getElementById('lab-said').textContent").startswith("step 0 of")


def test_counter_has_the_cycles_of_its_slots(tab: Browser, file: Path) -> None:
    tab.open(file)
    for modulus, said in (
        (3, "step 3: 0, 1, 2, 0; a cycle takes 3"),
        (6, "step 3: 0, 1, 2, 3; a cycle takes 6"),
    ):
        called(tab, CHOOSE, str({"m": modulus, "a": 1}))
        for _ in range(3):
            tab.run("document.getElementById('counter-step').click()")

        assert tab.run("document.getElementById('counter-said').textContent") == said


def test_hostile_text_is_shown_and_not_run(tab: Browser, file: Path) -> None:
    tab.open(file)

    assert tab.run("document.querySelector('#claim-2 h3').textContent").endswith(
        "<b>no record</b> is read twice"
    )


CONTRAST = """
() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.endsWith(", 0)")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const low = [];
  const texts = "p, h1, h2, h3, h4, li, dt, dd, th, td, code, summary, caption, label, a, .badge, .chip";
  for (const element of document.body.querySelectorAll(texts)) {
    const both = [light(getComputedStyle(element).color), light(ground(element))];
    const [one, two] = both.sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) low.push(`${element.tagName}.${element.className} ${ratio}`);
  }
  return [...new Set(low)];
}
"""
