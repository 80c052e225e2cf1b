"""The page about a statement: what it says, that it names no record, and that it stays what it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from epochproof.statement.page import statement_as_html
from epochproof.statement.verify import statement_of
from tests.browser import CHROMIUM, Browser, browser
from tests.statement.offers import ACME, Offer

SECTIONS = ["What is read", "What is claimed", "What is assumed", "What is not claimed", "How to check it"]
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Texts(HTMLParser):
    """The text of each element, by tag."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open, self.found = list[str](), list[tuple[str, str]]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, "elements are nested as they are opened"

    def handle_data(self, data: str) -> None:
        self.found.append((self._open[-1] if self._open else "", data))

    def of(self, tag: str) -> list[str]:
        return [text for each, text in self.found if each == tag]


def page(made: Offer, **changes: str) -> str:
    statement = json.dumps(made.statement)
    for old, new in changes.items():
        statement = statement.replace(old, new)
    return statement_as_html(statement_of(statement.encode()), [ACME.public.keyid], "acme.dsse.json")


def test_sections_are_what_a_buyer_asks(made: Offer) -> None:
    assert Texts(page(made)).of("h2") == SECTIONS


def test_counts_are_those_of_the_statement(made: Offer) -> None:
    found = Texts(page(made))

    rows = dict(zip(found.of("th"), found.of("td"), strict=True))
    assert rows["records in the dataset"] == "7"
    assert rows["occurrences in one pass"] == "8"
    assert rows["distinct records in one pass"] == "7"
    assert rows["occurrences in all 2 passes"] == "16"
    assert rows["records read by nobody"] == "0"


def test_everything_that_is_stated_stands_there(made: Offer) -> None:
    text = " ".join(each for _, each in Texts(page(made)).found)

    predicate = made.statement["predicate"]
    parts = [each["text"] for key in ("claims", "assumptions") for each in predicate[key]]
    parts += [each["sentence"] for each in predicate["populations"]] + predicate["notClaimed"]
    parts += [each["digest"]["sha256"] for each in made.statement["subject"]] + [ACME.public.keyid]
    assert [each for each in parts if each not in text] == []
    assert "epochproof verify acme.dsse.json --key provider.pub.pem --spec train.epoch" in text


def test_page_says_what_nobody_checked_and_what_was_done(made: Offer) -> None:
    text = " ".join(each for _, each in Texts(page(made)).found)

    assert "4 claims, all of them as stated. They rest on 5 assumptions that nobody checked." in text
    assert "which nothing on this page checks" in text
    assert "the schedule of `train` reads each record of `clips`" in text
    assert "solver: a prover showed it for all values at once" in text


def test_page_counts_what_is_not_as_stated(made: Offer) -> None:
    false = page(made, **{'"asStated": true': '"asStated": false'})

    assert "4 claims, 4 of them not as stated." in false


def test_page_names_no_record(made: Offer) -> None:
    assert "secret" not in page(made)


def test_nothing_of_a_statement_becomes_markup(made: Offer) -> None:
    found = page(made, **{"every clip is read": "<script>alert(1)</script>"})

    assert "<script" not in found
    assert "<script>alert(1)</script>" in "".join(Texts(found).of("h3"))


def test_page_is_the_same_for_the_same_statement(made: Offer) -> None:
    assert page(made) == page(made)


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")
@pytest.mark.parametrize(("width", "dark"), [(1200, False), (1200, True), (360, False), (360, True)])
def test_page_fits_and_asks_for_nothing(
    tab: Browser,
    made: Offer,
    tmp_path: Path,
    width: int,
    dark: bool,  # noqa: FBT001 -- parameters of a test
) -> None:
    (tmp_path / "page.html").write_text(page(made))

    tab.open(tmp_path / "page.html", width=width, dark=dark)

    asked = [
        each["params"]["request"]["url"]
        for each in tab.events
        if each.get("method") == "Network.requestWillBeSent"
    ]
    assert asked == [(tmp_path / "page.html").as_uri()]
    assert tab.run(WIDE) is False
    assert tab.run("[...document.querySelectorAll('h2')].map((each) => each.textContent)") == SECTIONS
