"""Verdicts as a page in Markdown: everything is there, and no text is read as Markdown or HTML."""

from __future__ import annotations

import re
from dataclasses import replace

from epochproof.report.check_as_summary import render
from tests.report.outcomes import hostile, mixed, right, wrong


def test_page_of_what_is_as_stated_is_short() -> None:
    assert render([right()]) == (
        "## Data schedule\n\n✅ 1 claim: 1 as stated\n\n"
        "<details><summary>Every claim</summary>\n\n"
        "| | verdict | claim | place |\n|---|---|---|---|\n"
        "| ✅ | proved | prove right | right\\.epoch\\:11 |\n\n</details>"
    )


def test_page_tells_findings_in_full_and_every_claim_in_a_row() -> None:
    page = render([mixed(), wrong()])

    assert "❌ 2 files, 5 claims: 1 as stated, 2 not as stated, 1 vacuous, 1 unknown; 1 file could" in page
    assert (
        '### prove \\"all\\" is refuted\n\ntrain\\.epoch\\:8 · claim refuted\n\n```text\n'
        "the smallest counterexample, replayed in the model\n  images.size = 3, train.ranks = 2\n" in page
    )
    assert "### setting \\`size\\` is given twice\n\nwrong\\.epoch\\:2 · E117 given\\-twice" in page
    assert [each[2] for each in re.findall(r"^\| .*\|$", page, re.MULTILINE)[1:]] == [
        "❌",
        "❌",
        "❌",
        "✅",
        "❔",
    ]


def test_wrong_spec_alone_has_no_table() -> None:
    assert "<details>" not in render([wrong()])


def test_hostile_text_is_neither_markdown_nor_html() -> None:
    checked = hostile()
    page = render([replace(checked, claims=(checked.claims[0],))])

    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", page, flags=re.DOTALL | re.MULTILINE)
    bare = outside.replace("<details><summary>Every claim</summary>", "").replace("</details>", "")
    assert not re.search(r"(?<!\\)[<`\[]", bare)
    assert len(re.findall(r"^\| ", page, re.MULTILINE)) == 2
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", page)


def test_fence_is_longer_than_any_in_the_text() -> None:
    checked = hostile("````\n.epoch")
    page = render([replace(checked, claims=(checked.claims[0],))])

    assert re.search(r"^`{5}text\n[^`]*`{4}[^`]+^`{5}$", page, re.MULTILINE)


def test_long_pages_say_what_is_left_out() -> None:
    checked = mixed()
    page = render([replace(checked, claims=(checked.claims[0],) * 1_002)])

    assert page.count("### ") == 50 and "952 findings more, not shown." in page
    assert page.count("\n| ❌") == 1_000 and "2 claims more, not shown." in page
