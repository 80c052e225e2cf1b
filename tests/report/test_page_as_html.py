"""The page: well-formed, told by structure alone, closed to hostile texts, and the same every time."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from epochproof.prove.account import account
from epochproof.prove.session import load
from epochproof.report._html import element, text
from epochproof.report.page_as_html import render

EXAMPLES = Path(__file__).parents[2] / "examples"
VOID = {"meta", "link", "br", "input"}
HOSTILE = """edition 1
dataset records { size in 1.. }
loader train over records {
  ranks in 1..8
  shard(ranks, tail = drop)  # </code><script>alert(1)</script>
}
prove "</script><script>alert('1')</script><img src=x onerror=alert(2)>&amp; é 中"
    : train.omitted == {}
"""
NOBODY = """edition 1
dataset records { size = 4 }
loader train over records {
  ranks = 3
  batch(2)
}
prove "each record is read once" : train.multiplicity == 1
"""


class Tree(HTMLParser):
    """What stands in a page: elements with their attributes, texts, and what is wrong with the nesting."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.wrong: list[str] = []
        self.feed(page)
        self.close()
        self.wrong += [f"<{each}> is never closed" for each in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if len({name for name, _ in attrs}) < len(attrs):
            self.wrong.append(f"<{tag}> has an attribute twice")
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element with this tag."""
        return [attributes for name, attributes in self.found if name == tag]

    def text(self, tag: str) -> list[str]:
        """The texts directly in elements with this tag."""
        return [data for name, data in self.texts if name == tag]


def page(spec: str | Path, **values: int) -> str:
    return render(account(load(spec), values))


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {
        name: page(EXAMPLES / f"{name}.epoch") for name in ("sc241", "stream", "clips", "resume", "drawn")
    }


def test_pages_are_well_formed(pages: dict[str, str]) -> None:
    trees = {name: Tree(each) for name, each in pages.items()}

    assert {name: tree.wrong for name, tree in trees.items() if tree.wrong} == {}
    assert all(each.startswith("<!doctype html>\n<html lang=") for each in pages.values())


def test_ids_are_unique_and_what_refers_to_one_finds_it(pages: dict[str, str]) -> None:
    for each in pages.values():
        tree = Tree(each)
        ids = [attributes["id"] for _, attributes in tree.found if "id" in attributes]
        wanted = {str(link["href"]).removeprefix("#") for link in tree.of("a")}
        wanted |= {str(a["aria-labelledby"]) for _, a in tree.found if "aria-labelledby" in a}

        assert len(set(ids)) == len(ids)
        assert wanted <= set(ids)


def test_headings_go_down_one_level_at_a_time(pages: dict[str, str]) -> None:
    for each in pages.values():
        levels = [int(tag[1]) for tag, _ in Tree(each).found if re.fullmatch(r"h\d", tag)]

        assert levels.count(1) == 1 and levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_landmarks_tables_and_fields_have_names(pages: dict[str, str]) -> None:
    for each in pages.values():
        tree = Tree(each)

        assert [len(tree.of(tag)) for tag in ("header", "main", "nav", "footer")] == [1, 1, 1, 1]
        assert len(tree.of("caption")) == len(tree.of("table"))
        assert all("scope" in cell for cell in tree.of("th"))
        assert len(tree.of("select")) + 1 == len(tree.of("label"))
        assert all(
            "aria-label" in a and a.get("tabindex") == "0" for _, a in tree.found if a.get("role") == "group"
        )
        assert all(button["type"] == "button" for button in tree.of("button"))


def test_nothing_is_loaded(pages: dict[str, str]) -> None:
    for each in pages.values():
        tree = Tree(each)

        assert not [a for _, a in tree.found if {"src", "srcset", "data", "action"} & set(a)]
        assert all(str(link["href"]).startswith("#") for link in tree.of("a"))
        assert tree.of("link") == []
        assert "url(" not in each and "@import" not in each
        (policy,) = [a["content"] for a in tree.of("meta") if "http-equiv" in a]
        assert policy and policy.startswith("default-src 'none'; ")


def test_hostile_texts_stay_texts() -> None:
    tree = Tree(page(HOSTILE))

    assert tree.wrong == []
    assert len(tree.of("script")) == 2
    assert tree.of("img") == []
    said = " </script><script>alert('1')</script><img src=x onerror=alert(2)>&amp; é 中"
    assert said in tree.text("h3")


def test_hostile_names_stay_texts(tmp_path: Path) -> None:
    spec = tmp_path / "<img src=x>&\"'.epoch"
    spec.write_text(HOSTILE)

    tree = Tree(page(spec))

    assert tree.wrong == [] and tree.of("img") == []
    assert tree.text("h1") == ["<img src=x>&\"'.epoch"]


def test_texts_cannot_hide_or_turn_what_follows() -> None:
    assert text("a\u202eb\x00\x1b<") == "a\ufffdb\ufffd\ufffd&lt;"
    assert element("p", "<", element("br"), class_='"x"') == '<p class="&quot;x&quot;">&lt;<br></p>'


def test_data_of_the_lab_cannot_end_its_element(pages: dict[str, str]) -> None:
    tree = Tree(pages["sc241"])
    data, _ = tree.text("script")

    assert json.loads(data)["residues"]["3 1"] == [0, 1, 2, 0]
    assert "<" not in data


def test_verdicts_are_words_and_not_colours_alone(pages: dict[str, str]) -> None:
    tree = Tree(pages["sc241"])

    assert tree.text("h3").count(" records 0 and 1 are read twice, others once") == 1
    assert [each.strip() for each in tree.text("span")].count("proved") == 8
    assert [each.strip() for each in tree.text("span")].count("refuted") == 1
    assert tree.text("p")[0] == "9 claims: 9 as stated"


def test_padding_repeats_and_omissions_have_words_for_those_who_see_no_colour(pages: dict[str, str]) -> None:
    unseen = Tree(pages["sc241"]).text("span")

    assert " padding read 2 times of the counterexample " in unseen
    assert " padding read 2 times " in unseen
    assert " omitted " in unseen


def test_story_marks_the_stage_at_fault(pages: dict[str, str]) -> None:
    text = re.sub(r"<[^>]+>", "", pages["sc241"])

    assert "deals 10 positions to 3 lanes; adds records 0 and 1; 2 occurrences more, 12 in all" in text
    assert "the line at fault: record 0 is read again from here on" in text


def test_story_marks_the_header_where_no_stage_deals() -> None:
    said = re.sub(r"<[^>]+>", "", page(NOBODY))

    assert "the dataset 4 records, all of them on each of 3 lanesthe line at fault: no stage deals" in said


def test_a_claim_that_is_not_as_stated_opens_its_counterexample() -> None:
    tree = Tree(page(HOSTILE))

    assert [details for details in tree.of("details") if "open" in details] == [{"open": None}]
    assert tree.text("p")[0] == "1 claim: 1 not as stated"


def test_values_that_are_given_are_drawn_and_others_are_said_to_be_chosen() -> None:
    given = page(HOSTILE, **{"records.size": 7, "train.ranks": 2})
    chosen = page(HOSTILE, **{"records.size": 7})

    assert "Values that were given: <code>records.size = 7, train.ranks = 2</code>" in given
    assert "Small values, chosen for this page: <code>records.size = 7, train.ranks = 3</code>" in chosen


def test_large_worlds_are_counted_and_not_drawn() -> None:
    found = page(HOSTILE, **{"records.size": 10**12, "train.ranks": 7})

    assert "too large to be drawn" in found
    assert "999_999_999_994" in found or "1_000_000_000_000" in found
    assert len(found) < 400_000


def test_specs_without_claims_or_loaders_are_pages_too() -> None:
    found = page("edition 1\ndataset records { size = 10 }\n")

    assert Tree(found).wrong == []
    assert "The spec states no claim." in found and "The spec has no loader." in found


def test_the_same_spec_gives_the_same_page() -> None:
    assert page(HOSTILE) == page(HOSTILE)
