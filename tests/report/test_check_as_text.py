"""Verdicts as a person reads them: what each outcome says, and that nothing can steer a terminal."""

from __future__ import annotations

import pytest

from epochproof.diagnostics import Source, Span, SpecError
from epochproof.prove.session import Checked, check
from epochproof.prove.verdict import Blame, Counterexample, Judged, Verdict
from epochproof.report.check_as_text import render, summary

TEXT = """edition 1
dataset images { size in 1.. }
loader train over images {
  ranks in 1..4096
  shard(ranks, tail = pad)
  batch(in 1..1024, tail = drop)  # the tail is lost
}
prove "all" : train.omitted == {}
"""
SOURCE = Source("train.epoch", TEXT)
BATCH = Span(TEXT.index("batch"), TEXT.index("  # the"))
FOUND = Counterexample(
    {"images.size": 1_000_000, "train.ranks": 1, "train.batch": 2},
    (0,),
    None,
    None,
    Blame("batch", BATCH, "record 0 is lost here"),
    smallest=True,
)


def judged(verdict: Verdict, *, kind: str = "prove", text: str = "all") -> Judged:
    start = TEXT.index('"all"')
    return Judged(text, kind, Span(start, start + 5), verdict, 0.5, ("a", "b"))  # type: ignore[arg-type]  # a word


def lines(claim: Judged, **options: bool) -> list[str]:
    return render(Checked("train.epoch", (claim,), SOURCE), **options).splitlines()[1:]


def found(**changes: object) -> Verdict:
    values = {name: getattr(FOUND, name) for name in FOUND.__dataclass_fields__} | changes
    return Verdict("refuted", "run(1)", Counterexample(**values))


def test_claim_that_is_not_as_stated_shows_its_counterexample_in_full() -> None:
    assert lines(judged(found())) == [
        '  ✗ refuted  prove "all"  line 8',
        "             the smallest counterexample, replayed in the model",
        "               images.size = 1_000_000, train.ranks = 1, train.batch = 2",
        "               record 0",
        "             train.epoch:6  batch(in 1..1024, tail = drop)  <- record 0 is lost here",
        "",
        "  evidence   1 run",
        "  assuming   a",
        "             b",
    ]


def test_counterexample_as_stated_is_short() -> None:
    assert lines(judged(found(), kind="refute"))[0] == (
        '  ✓ refuted  "all"  by size 1_000_000, ranks 1, batch 2: record 0'
    )


def test_short_names_keep_their_loader_where_they_would_be_the_same() -> None:
    claim = judged(found(parameters={"a.ranks": 2, "b.ranks": 3, "d.size": 4}, records=()), kind="refute")

    assert lines(claim)[0].endswith("by a.ranks 2, b.ranks 3, size 4")


def test_what_does_not_fit_moves_to_a_line_of_its_own() -> None:
    shown = lines(judged(found(), kind="refute", text="x" * 60))

    assert shown[0] == f'  ✓ refuted  "{"x" * 60}"'
    assert shown[1] == "             by size 1_000_000, ranks 1, batch 2: record 0"


def test_counterexample_that_may_not_be_the_smallest_says_so() -> None:
    assert "a small counterexample, replayed in the model" in lines(judged(found(smallest=False)))[1]


def test_counterexample_replayed_on_torch_says_so() -> None:
    assert "the smallest counterexample, replayed in torch" in lines(judged(found(replayed="torch")))[1]


def test_rank_and_epoch_are_said_where_the_claim_is_about_one() -> None:
    assert "               records 3, 4 and 5, on rank 2, in epoch 1" in lines(
        judged(found(records=(3, 4, 5), rank=2, epoch=1))
    )


def test_twenty_records_may_be_more() -> None:
    assert any(line.endswith("records 0 to 19, …") for line in lines(judged(found(records=tuple(range(20))))))


def test_fixed_spec_has_no_values_to_show() -> None:
    assert "               every value is fixed by the spec" in lines(judged(found(parameters={})))


def test_header_is_shown_whole_where_no_stage_deals() -> None:
    name = TEXT.index("train over")
    blame = Blame("loader", Span(name, name + 5), "no stage deals `ranks`")

    assert any(
        line.endswith("train.epoch:3  loader train over images {  <- no stage deals `ranks`")
        for line in lines(judged(found(blame=blame)))
    )


@pytest.mark.parametrize(
    ("verdict", "kind", "head", "detail"),
    [
        (
            Verdict("proved", "solver"),
            "refute",
            '  ✗ proved   refute "all"  line 8',
            "it is stated as false, but true for all that the spec leaves free; `prove` states it",
        ),
        (
            Verdict("vacuous", "solver", reason="no values satisfy all premises together"),
            "refute",
            '  ✗ vacuous  refute "all"  line 8',
            "the claim says nothing: no values satisfy all premises together",
        ),
        (
            Verdict("unknown", reason="no rule; 240 small worlds were run"),
            "prove",
            '  ? unknown  prove "all"  line 8',
            "undecided: no rule; 240 small worlds were run",
        ),
    ],
)
def test_every_other_outcome_says_why(verdict: Verdict, kind: str, head: str, detail: str) -> None:
    assert lines(judged(verdict, kind=kind))[:2] == [head, f"             {detail}"]


def test_evidence_and_seconds_stand_below_each_claim_if_asked() -> None:
    shown = lines(judged(Verdict("proved", "exhausted(4)")), verbose=True)

    assert shown[1] == "             evidence exhausted(4), 0.500 s, assuming 1 and 2"
    assert shown[-2:] == ["  assuming   1  a", "             2  b"]


def test_assumption_of_some_claims_says_of_how_many() -> None:
    one, other = judged(Verdict("proved", "solver")), judged(Verdict("proved", "solver"))
    claims = (one, Judged("t", "prove", other.span, other.verdict, 0.1, ("a",)))

    assert render(Checked("p", claims, SOURCE)).splitlines()[-1] == "             b (1 of 2 claims)"


def test_ascii_needs_no_symbols() -> None:
    assert lines(judged(Verdict("proved", "solver")), symbols=False)[0] == '  + proved   "all"'
    assert lines(judged(Verdict("proved", "solver"), kind="refute"), symbols=False)[0].startswith("  x ")


def test_nothing_in_a_path_steers_the_terminal() -> None:
    shown = render(Checked("\x1b[2J.epoch", (judged(found()),), Source("\x1b[2J.epoch", TEXT)))

    assert "\x1b" not in shown


def test_spec_without_claims_is_its_path_alone() -> None:
    assert render(check("edition 1\n")) == "<spec>"


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([], "0 claims: nothing to prove"),
        ([Verdict("proved", "solver")], "1 claim: 1 as stated"),
        (
            [Verdict("proved", "solver"), found(), Verdict("vacuous"), Verdict("unknown")],
            "4 claims: 1 as stated, 1 not as stated, 1 vacuous, 1 unknown",
        ),
        ([found()] * 1_000, "1_000 claims: 1_000 not as stated"),
    ],
)
def test_summary_counts_the_outcomes(verdicts: list[Verdict], said: str) -> None:
    assert summary([Checked("p", tuple(judged(each) for each in verdicts), SOURCE)]) == said


def test_summary_counts_files_and_those_that_are_wrong() -> None:
    one = Checked("p", (judged(Verdict("proved", "solver")),), SOURCE)

    assert summary([one, one]) == "2 files, 2 claims: 2 as stated"
    assert summary([one, SpecError(())]) == "2 files, 1 claim: 1 as stated; 1 file could not be read"


def test_exit_code_tells_undecided_from_wrong() -> None:
    def code(*verdicts: Verdict) -> int:
        return Checked("p", tuple(judged(each) for each in verdicts), SOURCE).exit_code

    assert code() == code(Verdict("proved", "solver")) == 0
    assert code(Verdict("unknown")) == code(Verdict("proved", "solver"), Verdict("unknown")) == 3
    assert code(found(), Verdict("unknown")) == code(Verdict("vacuous")) == 1
