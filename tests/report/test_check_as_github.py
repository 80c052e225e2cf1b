"""What is wrong as workflow commands: one line each, and no text can begin a command of its own."""

from __future__ import annotations

import re

from epochproof.diagnostics import Source, Span, SpecError, fail
from epochproof.report.check_as_github import render
from tests.report.outcomes import hostile, mixed, right, wrong

COMMAND = re.compile(r"::(error|warning) ([^:]*)::(.*)")


def test_each_finding_is_a_command_errors_first() -> None:
    *commands, said = render([mixed(), wrong()]).split("\n")

    levels = [each.partition(" ")[0] for each in commands]
    assert levels == ["::error"] * 4 + ["::warning"]
    assert commands[0] == (
        "::error file=train.epoch,line=8,endLine=8,col=8,endColumn=12,title=claim refuted::"
        'prove "all" is refuted%0Athe smallest counterexample, replayed in the model'
        "%0A  images.size = 3, train.ranks = 2%0A  record 2"
        "%0Atrain.epoch:5  shard(ranks, tail = drop)  <- record 2 is lost here"
    )
    assert commands[3].startswith(
        "::error file=wrong.epoch,line=2,endLine=2,col=22,endColumn=25,title=E117 given"
    )
    assert (
        said
        == "2 files, 5 claims: 1 as stated, 2 not as stated, 1 vacuous, 1 unknown; 1 file could not be read"
    )


def test_what_is_as_stated_gets_no_command() -> None:
    assert render([right()]) == "1 claim: 1 as stated"


def test_hostile_text_stays_in_its_command() -> None:
    lines = render([hostile(), wrong(path="a,b:c%\n::error::d.epoch")]).split("\n")

    found = [COMMAND.fullmatch(each) for each in lines[:-1]]
    assert len(found) == 5 and all(found)
    assert "\r" not in "".join(lines)
    assert found[0] and "%250A::error::x ]]>" in found[0][3]
    last = found[3]
    assert last and "file=a%2Cb%3Ac%25\ufffd%3A%3Aerror%3A%3Ad.epoch" in last[2]


def test_columns_are_told_of_one_line_only() -> None:
    source = Source("a.epoch", "one\ntwo\n")

    def told(start: int, end: int) -> str:
        return render([SpecError(fail("E101", "no", Span(start, end)).diagnostics, source)]).partition(
            ",title"
        )[0]

    assert told(1, 2) == "::error file=a.epoch,line=1,endLine=1,col=2,endColumn=2"
    assert told(1, 1) == "::error file=a.epoch,line=1,endLine=1,col=2,endColumn=2"
    assert told(1, 6) == "::error file=a.epoch,line=1,endLine=2"
    assert told(99, 100) == "::error file=a.epoch,line=3,endLine=3,col=1,endColumn=1"


def test_error_without_a_place_has_none() -> None:
    assert render([wrong("missing.epoch")]).startswith(
        "::error file=wrong.epoch,title=E119 unreadable-file::"
    )
    assert render([fail("E501", "no spec", None)]).startswith("::error title=E501 no-spec-in-folder::no spec")
