"""Statements about a run: its trace follows the schedule, and every row that differs is seen."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from epochproof.diagnostics import SpecError
from epochproof.statement.as_text import statement_as_text
from epochproof.statement.attest import attested, signed
from epochproof.statement.derived import Asked
from epochproof.statement.page import statement_as_html
from epochproof.statement.policy import Policy, Trusted, trusting
from epochproof.statement.subjects import digest
from epochproof.statement.verification import Given, Verification
from epochproof.statement.verify import statement_of, verify
from tests.statement.offers import ACME, MOMENT, Offer, refusals
from tests.statement.traces import planned, write

SPEC = """edition 1
dataset clips { size = 7 }
loader train over clips {
  ranks = 2
  epochs = 2
  shuffle(seed = 7, reseed = epoch)
  shard(ranks, tail = pad)
  batch(2)
}
prove "every clip is read" : train.omitted == {}
"""


def run(folder: Path, reads: Any = None) -> Offer:
    """A spec, a trace of it, and the statement about both."""
    spec = folder / "train.epoch"
    spec.write_text(SPEC)
    write(folder / "trace", planned(spec) if reads is None else reads(planned(spec)))
    asked = Asked(MOMENT, commitment_key=ACME.commitment_key(), trace=folder / "trace")
    return Offer(folder, signed(attested(spec, asked)[0], [ACME]))


def audited(made: Offer, text: str | None = None) -> Verification:
    """What an auditor finds who has the trace and the secret."""
    policy, secret = trusting([("acme", ACME.public)]), ACME.commitment_key()
    given = Given(policy, made.spec, trace=made.folder / "trace", commitment_key=secret)
    return verify((text or made.envelope).encode(), given)


def told(made: Offer) -> dict[str, Any]:
    """What the statement says of the trace."""
    return next(
        each for each in made.statement["predicate"]["commitments"]["streams"] if each["source"] == "trace"
    )


def test_trace_that_follows_the_schedule_is_borne_out(tmp_path: Path) -> None:
    made = run(tmp_path)

    found = audited(made)

    assert (found.level, refusals(found), found.exit_code) == ("V5", [], 0)
    checked = {each["text"]: each["checkedBy"] for each in made.statement["predicate"]["assumptions"]}
    assert checked["all ranks agree on the order of the stream"] == "trace"
    assert checked["every delivered record is processed"] == "nobody"


def test_buyer_without_the_secret_sees_what_the_roots_say(tmp_path: Path) -> None:
    found = run(tmp_path).checked()

    texts = [each.text for each in found.findings]
    assert "the trace of `train` reads each record of `clips`" in texts
    assert "the trace of `train` is in the order of its schedule" in texts
    assert (found.level, found.exit_code) == ("V3", 0)


def test_provider_is_told_what_the_roots_say(tmp_path: Path) -> None:
    made = run(tmp_path, lambda reads: {rank: epochs[::-1] for rank, epochs in reads.items()})
    statement = statement_of(json.dumps(made.statement).encode())

    said = statement_as_text(statement).splitlines()
    assert "  the trace of `train` reads each record of `clips`" in said
    assert "  the trace of `train` is not in the order of its schedule" in said


def test_order_is_committed_to_and_the_set_alone_says_less(tmp_path: Path) -> None:
    made = run(tmp_path, lambda reads: {**reads, 0: [reads[0][0][::-1], reads[0][1]]})

    (planned_, traced) = made.statement["predicate"]["commitments"]["streams"]
    assert planned_["setRoot"] == traced["setRoot"] and planned_["orderRoot"] != traced["orderRoot"]
    assert "the trace of `train` is not in the order of its schedule" in [
        each.text for each in audited(made).findings
    ]
    assert all(each["checkedBy"] == "nobody" for each in made.statement["predicate"]["assumptions"])


def test_record_that_was_never_read_is_seen_without_the_data(tmp_path: Path) -> None:
    made = run(
        tmp_path,
        lambda reads: {rank: [[1 if r == 3 else r for r in e] for e in es] for rank, es in reads.items()},
    )

    assert not told(made)["coversDataset"]
    assert told(made)["setRoot"]["leaves"] == "6"


@pytest.mark.parametrize("seed", range(12))
def test_row_that_was_changed_is_seen(seed: int, tmp_path: Path) -> None:
    made = run(tmp_path)
    rng = random.Random(seed)  # noqa: S311 -- which row is changed is no secret
    reads = planned(made.spec)
    rank, epoch = rng.randrange(2), rng.randrange(2)
    lane = reads[rank][epoch]
    at = rng.randrange(len(lane))
    how = rng.choice(["drop", "double", "swap", "change"])
    if how == "drop":
        del lane[at]
    elif how == "double":
        lane.insert(at, lane[at])
    elif how == "swap":
        other = next(each for each in range(len(lane)) if lane[each] != lane[at])
        lane[at], lane[other] = lane[other], lane[at]
    else:
        lane[at] = (lane[at] + 1) % 7
    (tmp_path / "trace").rename(tmp_path / "old")
    write(tmp_path / "trace", reads)

    plain = audited(made)
    # A signer who writes the digest of the changed trace does not get past the roots.
    again = digest(tmp_path / "trace")
    forged = audited(made, made.forged(lambda s: s["subject"][-1].update(digest=again)))

    assert refusals(plain)[0].startswith("E912 `trace/` is not the folder that was signed")
    assert refusals(forged) and all(each.startswith(("E918", "E915")) for each in refusals(forged))
    assert plain.exit_code == forged.exit_code == 4


def test_trace_of_ids_and_of_numbers_have_one_root(tmp_path: Path) -> None:
    (tmp_path / "clips.csv").write_text("clip\n" + "".join(f"c{each}\n" for each in range(7)))
    spec = tmp_path / "train.epoch"
    spec.write_text(SPEC.replace("size = 7", 'manifest = "clips.csv", id = clip'))
    reads = planned(spec)
    write(tmp_path / "numbers", reads)
    write(tmp_path / "ids", {rank: [[f"c{r}" for r in e] for e in es] for rank, es in reads.items()})

    roots = [
        attested(spec, Asked(MOMENT, commitment_key=ACME.commitment_key(), trace=tmp_path / each))[
            0
        ].predicate.commitments
        for each in ("numbers", "ids")
    ]

    assert roots[0] is not None and roots[0] == roots[1]
    assert roots[0].streams[0].order_root == roots[0].streams[1].order_root


def test_page_tells_what_the_run_read_and_whose_word_that_is(tmp_path: Path) -> None:
    def swapped(reads: Any) -> Any:
        reads[0][0][:2] = reads[0][0][1::-1]
        return reads

    (tmp_path / "right").mkdir()
    (tmp_path / "wrong").mkdir()
    pages = [
        statement_as_html(statement_of(json.dumps(each.statement).encode()), ["acme"], "offer.json")
        for each in (run(tmp_path / "right"), run(tmp_path / "wrong", swapped))
    ]

    read = "the trace of `train` reads each record of `clips`"
    assert all(read in each and "the signer&#x27;s word" in each.replace("'", "&#x27;") for each in pages)
    assert "the trace of `train` is in the order of its schedule" in pages[0]
    assert "the trace of `train` is not in the order of its schedule" in pages[1]


def test_trace_of_one_of_several_loaders_is_refused(tmp_path: Path) -> None:
    made = run(tmp_path)
    made.spec.write_text(SPEC + "loader other over clips {}\n")

    with pytest.raises(SpecError, match="E908"):
        attested(made.spec, Asked(MOMENT, commitment_key=b"x", trace=tmp_path / "trace"))
    with pytest.raises(SpecError, match="E908"):
        attested(made.spec, Asked(MOMENT, commitment_key=b"x", trace=tmp_path / "trace", of="trian"))


@pytest.mark.parametrize(
    ("other", "checked_by"),
    [
        ("batch(2)", "trace"),
        ("shuffle(seed = 8)", "nobody"),  # nothing shows that its ranks agree
    ],
)
def test_trace_bears_out_what_no_other_loader_rests_on(tmp_path: Path, other: str, checked_by: str) -> None:
    made = run(tmp_path)
    claim = 'prove "all" : other.omitted == {}'
    made.spec.write_text(f"{SPEC}loader other over clips {{ {other} }}\n{claim}\n")
    asked = Asked(MOMENT, commitment_key=ACME.commitment_key(), trace=tmp_path / "trace", of="train")
    both = Offer(tmp_path, signed(attested(made.spec, asked)[0], [ACME]))

    assumed = {each["text"]: each["checkedBy"] for each in both.statement["predicate"]["assumptions"]}
    assert assumed["all ranks agree on the seed and the epoch"] == checked_by
    assert audited(both).level == "V5"


def test_what_a_trace_bore_out_is_taken_for_granted_only_where_it_was_checked(tmp_path: Path) -> None:
    made = run(tmp_path)
    relied = ("the dataset does not change", "every delivered record is processed")
    policy = Policy((Trusted("acme", ACME.public),), assumptions=relied)
    secret = ACME.commitment_key()

    unseen = verify(made.envelope.encode(), Given(policy, made.spec))
    seen = verify(
        made.envelope.encode(), Given(policy, made.spec, trace=tmp_path / "trace", commitment_key=secret)
    )

    assert unseen.exit_code == 1 and all("only the signer says" in each for each in unseen.unmet)
    assert seen.exit_code == 0


def test_records_of_a_part_have_the_ids_of_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "clips.csv").write_text("clip_id,part\na,x\nb,y\nc,x\n")
    spec = tmp_path / "train.epoch"
    spec.write_text(
        'edition 1\ndataset clips { manifest = "clips.csv", id = clip_id }\n'
        'split s of clips by clip_id { assignment = part, x = "x", y = "y" }\n'
        "loader train over s.x { batch(2) }\n"
        'prove "each once" : train.multiplicity == 1\n'
    )
    write(tmp_path / "trace", {0: [["a", "c"]]})
    asked = Asked(MOMENT, commitment_key=ACME.commitment_key(), trace=tmp_path / "trace")
    made = Offer(tmp_path, signed(attested(spec, asked)[0], [ACME]))

    assert told(made)["coversDataset"] is True
    assert "the trace of `train` is in the order of its schedule" in [
        each.text for each in audited(made).findings
    ]


def test_trace_of_a_dataset_of_any_size_is_refused(tmp_path: Path) -> None:
    made = run(tmp_path)
    made.spec.write_text(SPEC.replace("size = 7", "size in 1.."))

    with pytest.raises(SpecError, match="how many records `clips` has is free"):
        attested(made.spec, Asked(MOMENT, commitment_key=b"x", trace=tmp_path / "trace"))
