"""Statements: what they say, that they repeat, what they keep to themselves, and who else reads them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from epochproof.cli.main import main
from epochproof.prove import recheck
from epochproof.statement.attest import attested, signed
from epochproof.statement.derived import Asked
from epochproof.statement.keys import store
from epochproof.statement.predicate import PREDICATE_TYPE, Predicate
from epochproof.statement.shape import schema, written
from tests.statement.offers import ACME, MOMENT, Offer, laid_out, offer, refusals

ROOT = Path(__file__).resolve().parents[2]
SC241 = ROOT / "examples" / "sc241.epoch"
SCHEMA = ROOT / "spec" / "statement" / "schedule-verification-1.json"


def said(spec: Path, **asked: Any) -> dict[str, Any]:
    """The predicate about a spec, as JSON."""
    found: dict[str, Any] = written(attested(spec, Asked(MOMENT, **asked))[0].predicate)
    return found


def test_sc241_is_told_in_the_words_of_a_buyer() -> None:
    sentences = [each["sentence"] for each in said(SC241, ids=True)["populations"]]

    assert sentences == [
        (
            "ten fixed records, three ranks, twelve occurrences in one padded pass, ten distinct records,"
            " 0 and 1 twice"
        ),
        "ten fixed records, three ranks, nine occurrences in one pass, nine distinct records, omission of 9",
        "ten fixed records, three ranks, nine occurrences in one pass, nine distinct records, omission of 9",
    ]


def test_records_are_counted_and_not_named() -> None:
    found = said(SC241)

    assert found["populations"][0]["sentence"].endswith("ten distinct records, two records twice")
    assert found["populations"][1]["onePass"]["omitted"] == "1"
    assert "Records" not in json.dumps(found["populations"]) and found["recordIds"] == "hidden"
    assert "records" not in found["claims"][-1]["counterexample"]


def test_ids_of_a_manifest_are_nowhere_in_the_statement(made: Offer) -> None:
    assert "secret" not in json.dumps(made.statement)
    assert made.statement["predicate"]["commitments"]["streams"][0]["coversDataset"] is True


def test_run_is_counted_beside_the_pass(made: Offer) -> None:
    train = made.statement["predicate"]["populations"][0]

    assert train["run"] == {"epochs": "2", "occurrences": "16", "distinct": "7"}
    assert train["onePass"]["occurrences"] == "8" and train["onePass"]["distinct"] == "7"


def test_same_spec_gives_the_same_predicate_except_the_time(made: Offer, tmp_path: Path) -> None:
    again = offer(tmp_path, moment="2027-01-01T00:00:00Z").statement

    assert again["predicate"].pop("verifiedAt") == "2027-01-01T00:00:00Z"
    statement = made.statement
    statement["predicate"].pop("verifiedAt")
    assert again == statement


def test_free_values_may_be_chosen_to_count(tmp_path: Path) -> None:
    spec = laid_out(tmp_path)

    assert said(spec)["populations"][1]["open"] == ["any.ranks"]
    found = said(spec, values={"any.ranks": 3})["populations"][1]
    assert found["values"] == {"any.ranks": "3"} and found["onePass"]["occurrences"] == "9"


def test_counts_that_hold_for_some_draws_say_so() -> None:
    rand = said(ROOT / "examples" / "mixture.epoch")["populations"][2]

    assert "condition" in rand["onePass"] and rand["sentence"].endswith(rand["onePass"]["condition"])


def test_claim_that_is_not_as_stated_is_stated_as_it_is(tmp_path: Path) -> None:
    spec = tmp_path / "s.epoch"
    spec.write_text(SC241.read_text().replace("padded.occurrences == 12", "padded.occurrences == 13"))

    found = said(spec)

    assert found["result"] == "not as stated"
    assert (found["claims"][0]["verdict"], found["claims"][0]["asStated"]) == ("refuted", False)


def test_proofs_are_not_vacuous_and_the_witness_shows_it() -> None:
    claims = said(ROOT / "examples" / "any-size.epoch")["claims"]

    third = claims[2]
    assert third["formula"] == "whole.multiplicity <= 2 given images.size >= whole.ranks"
    assert third["nonVacuousWitness"] == {"images.size": "1", "whole.ranks": "1", "whole.batch": "1"}
    assert all(each["obligations"] for each in claims if each["evidence"] == "solver")


def test_assumption_that_looks_checked_is_not(tmp_path: Path) -> None:
    spec = laid_out(tmp_path)
    lie = "the moon is full (checked against `clips.csv`)"
    spec.write_text(spec.read_text() + f'assume "{lie}" : any.ranks >= 1\n')

    found = {each["text"]: each["checkedBy"] for each in said(spec)["assumptions"]}

    assert found[lie] == "nobody"
    assert found["the dataset has 7 records with ids of their own"] == "manifest `clips.csv`"


def test_claims_that_two_provers_show_say_so(tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    made = offer(tmp_path, recheck=True)

    assert [each["evidence"] for each in made.statement["predicate"]["claims"]] == [
        "two solvers",
        "two solvers",
        "run(1)",
        "exhausted(1)",
    ]
    assert made.checked().level == "V3"
    assert made.checked(recheck=True).level == "V4"


def test_provers_that_disagree_are_told(
    made: Offer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cvc5")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recheck, "ask", lambda *_: "sat")
    store(ACME, tmp_path / "acme.pem", None)

    found = made.checked(recheck=True)

    assert all(each.startswith("E919") and "disagree" in each for each in refusals(found))
    assert found.exit_code == 4 and len(list(Path("epochproof-disputed").iterdir())) > 0
    assert main(["attest", str(made.spec), "--key", "acme.pem", "--recheck", "--out", "out.json"]) == 4
    assert "nothing is signed" in capsys.readouterr().err and not Path("out.json").exists()


def test_statement_fits_the_schema(made: Offer) -> None:
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(made.statement["predicate"])


def test_schema_is_that_of_the_predicate() -> None:
    title = "What was found out about a data schedule, version 1"

    assert json.loads(SCHEMA.read_text()) == schema(Predicate, PREDICATE_TYPE, title)


def test_securesystemslib_accepts_the_envelope(made: Offer, tmp_path: Path) -> None:
    dsse = pytest.importorskip("securesystemslib.dsse")
    signer = pytest.importorskip("securesystemslib.signer")
    keys = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    public = keys.load_pem_public_key(store(ACME, tmp_path / "acme.pem", None).read_bytes())
    key = signer.SSlibKey.from_crypto(public, keyid=ACME.public.keyid)
    envelope = dsse.Envelope.from_dict(json.loads(made.envelope))

    assert list(envelope.verify([key], 1)) == [ACME.public.keyid]
    envelope.payload += b" "
    with pytest.raises(pytest.importorskip("securesystemslib.exceptions").VerificationError):
        envelope.verify([key], 1)


def test_in_toto_reads_the_statement(made: Offer) -> None:
    json_format = pytest.importorskip("google.protobuf.json_format")
    statement = pytest.importorskip("in_toto_attestation.v1.statement")
    proto = pytest.importorskip("in_toto_attestation.v1.statement_pb2")
    payload = base64.b64decode(json.loads(made.envelope)["payload"])

    found = statement.Statement.copy_from_pb(json_format.Parse(payload, proto.Statement()))

    found.validate()
    assert found.pb.predicate_type == PREDICATE_TYPE
    assert [each.name for each in found.pb.subject] == ["train.epoch", "train.yaml", "clips.csv"]


TEAM = {
    "train.epoch": """edition 1
bind team = presets("lib/team.epoch")
dataset clips { size in 1.. }
loader train over clips { ranks in 1..8  use team.Padded(batch_size = 2) }
prove "every clip is read" : train.omitted == {}
""",
    "lib/team.epoch": """edition 1
bind base = presets("base.epoch")
preset Padded(batch_size) { use base.Dealt()  batch(batch_size) }
""",
    "lib/base.epoch": """edition 1
preset Dealt() { shard(ranks, tail = pad) }
""",
}


def team(folder: Path, **changed: str) -> Offer:
    for name, text in {**TEAM, **changed}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Offer(folder, signed(attested(folder / "train.epoch", Asked(MOMENT))[0], [ACME]))


def test_files_of_presets_belong_to_the_spec_and_to_its_meaning(tmp_path: Path) -> None:
    made = team(tmp_path / "one")
    other = team(tmp_path / "other", **{"lib/base.epoch": TEAM["lib/base.epoch"].replace("pad)", "drop)")})
    again = team(tmp_path / "again", **{"lib/base.epoch": TEAM["lib/base.epoch"] + "# no meaning"})
    digests = [each.statement["predicate"]["language"]["semanticDigest"] for each in (made, other, again)]

    assert [each["name"] for each in made.statement["subject"]] == list(TEAM)
    assert made.checked().exit_code == 0
    assert digests[0] == digests[2] != digests[1]


def test_other_file_of_presets_is_refused(tmp_path: Path) -> None:
    made = team(tmp_path)
    (tmp_path / "lib/base.epoch").write_text(TEAM["lib/base.epoch"].replace("pad)", "drop)"))

    assert refusals(made.checked()) == [
        "E912 `lib/base.epoch` is not the file that was signed: its digest differs"
    ]
