"""Policies: nothing in one is passed over, and a statement that lacks something is not accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from epochproof.diagnostics import SpecError
from epochproof.statement.envelope import read, signed, written
from epochproof.statement.keys import store
from epochproof.statement.policy import Policy, read_policy
from tests.statement.offers import ACME, OTHER, Offer

ASSUMED = "assumptions = 'any'\n"
HEAD = "policy = 1\n"
KEY = '[[key]]\nname = "acme"\nfile = "acme.pub.pem"\n'
SECOND = '[[key]]\nname = "auditor"\nfile = "other.pub.pem"\n'


def policy(folder: Path, text: str) -> Policy:
    """The policy of a text, beside two public keys."""
    if not (folder / "acme.pem").exists():
        store(ACME, folder / "acme.pem", None)
        store(OTHER, folder / "other.pem", None)
    (folder / "buyer.toml").write_text(text)
    return read_policy(folder / "buyer.toml")


def unmet(made: Offer, folder: Path, text: str, envelope: str | None = None, **given: Any) -> list[str]:
    """What a statement lacks; checked without a prover, as far as the signature."""
    found = made.checked(envelope, policy=policy(folder, text), **{"up_to": "V1", **given})
    assert found.exit_code == (1 if found.unmet else 0)
    return list(found.unmet)


def test_policy_that_is_met_is_met(made: Offer, tmp_path: Path) -> None:
    text = f"""
policy = 1
level = "V3"
meaning = "sha256:{made.statement["predicate"]["language"]["semanticDigest"]["sha256"]}"
not_before = 2026-11-01
not_after = 2026-11-29
assumptions = [
  "the dataset does not change", "every delivered record is processed",
  "all ranks agree on the seed and the epoch", "all ranks agree on the order of the stream",
  "the job runs with what `train.yaml` says",
]
{KEY}not_after = 2026-12-31
verifiers = ["https://epochproof.example/verifier"]
[[claim]]
text = "every clip is read"
formula = "any.omitted=={{ }}"
evidence = "solver"
[[claim]]
kind = "refute"
formula = "train.multiplicity == 1"
"""

    assert unmet(made, tmp_path, text, up_to="V5") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + KEY, "nobody checked A1, `the dataset does not change`; the policy does not accept it"),
        (HEAD + ASSUMED + KEY + '[[claim]]\ntext = "none"\n', 'it has no claim `prove "none"`'),
        (
            HEAD + ASSUMED + KEY + '[[claim]]\ntext = "every clip is read"\nformula = "any.padding == 0"\n',
            'it has no claim `prove "every clip is read"`',
        ),
        (
            HEAD + ASSUMED + KEY + '[[claim]]\nformula = "any.padding == 0"\n',
            "it has no claim `prove any.padding == 0`",
        ),
        (
            HEAD + ASSUMED + KEY + '[[claim]]\ntext = "no clip is read twice"\n',
            'it has no claim `prove "no clip is read twice"`',
        ),
        (
            HEAD
            + ASSUMED
            + KEY
            + '[[claim]]\ntext = "the epoch has eight occurrences"\nevidence = "solver"\n',
            (
                'the claim `prove "the epoch has eight occurrences"` rests on `exhausted(1)`,'
                " and the policy asks for `solver`"
            ),
        ),
        (
            HEAD + ASSUMED + KEY + '[[claim]]\ntext = "every clip is read"\nevidence = "two solvers"\n',
            'the claim `prove "every clip is read"` rests on `solver`, and the policy asks for `two solvers`',
        ),
        (HEAD + ASSUMED + 'level = "V2"\n' + KEY, "it was checked up to V1, and the policy asks for V2"),
        (
            HEAD + ASSUMED + "threshold = 2\n" + KEY + SECOND,
            "1 of the 2 signatures that the policy asks for count",
        ),
        (
            HEAD + ASSUMED + KEY + "not_after = 2026-11-28\n",
            "the key `acme` does not count at 2026-11-29T00:00:00Z",
        ),
        (HEAD + ASSUMED + KEY + "not_before = 2026-11-30\n", "the key `acme` does not count at"),
        (HEAD + ASSUMED + KEY + "verifiers = []\n", "`acme` is not trusted for the verifier"),
        (HEAD + ASSUMED + "not_before = 2027-01-01\n" + KEY, "outside the time that the policy names"),
        (HEAD + ASSUMED + f"meaning = 'sha256:{'0' * 64}'\n" + KEY, "another meaning than the policy names"),
    ],
)
def test_what_is_lacking_is_told(text: str, said: str, made: Offer, tmp_path: Path) -> None:
    assert any(said in each for each in unmet(made, tmp_path, text))


def test_two_signatures_meet_a_threshold_of_two(made: Offer, tmp_path: Path) -> None:
    payload = read(made.envelope.encode()).payload
    text = HEAD + ASSUMED + "threshold = 2\n" + KEY + SECOND

    assert unmet(made, tmp_path, text, written(signed(payload, [OTHER, ACME]))) == []
    assert unmet(made, tmp_path, text, written(signed(payload, [ACME, ACME]))) != []


def test_signature_of_a_key_that_has_run_out_does_no_harm(made: Offer, tmp_path: Path) -> None:
    payload = read(made.envelope.encode()).payload
    text = HEAD + ASSUMED + KEY + "not_after = 2026-11-28\n" + SECOND

    assert unmet(made, tmp_path, text, written(signed(payload, [OTHER, ACME]))) == []
    assert unmet(made, tmp_path, text, written(signed(payload, [ACME]))) != []


def test_claim_that_is_not_as_stated_is_not_accepted_unless_the_policy_says_so(
    made: Offer, tmp_path: Path
) -> None:
    def change(statement: dict[str, Any]) -> None:
        statement["predicate"]["claims"][2].update(verdict="proved", asStated=False)

    forged = made.forged(change)

    (said,) = unmet(made, tmp_path, HEAD + ASSUMED + KEY, forged)
    assert said == 'the claim "no clip is read twice" is proved, and it says `refute`'
    assert unmet(made, tmp_path, HEAD + ASSUMED + "other_claims = 'any'\n" + KEY, forged) == []


def test_statement_without_claims_is_not_accepted(made: Offer, tmp_path: Path) -> None:
    forged = made.forged(lambda statement: statement["predicate"].update(claims=[]))

    assert unmet(made, tmp_path, HEAD + ASSUMED + KEY, forged) == ["it states no claim"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("policy = 1", "trusts no key"),
        (KEY, "does not begin with `policy = 1`"),
        ("policy = 2\n" + KEY, "does not begin with `policy = 1`"),
        ("policy = 1\npolicy = 1\n" + KEY, "is no TOML"),
        ("\x00", "is no TOML"),
        (HEAD + "treshold = 1\n" + KEY, "has an unknown setting `treshold`"),
        (HEAD + KEY + "until = 2026-01-01\n", "has an unknown setting `until`"),
        (HEAD + KEY + '[[claim]]\ntxt = "a"\n', "has an unknown setting `txt`"),
        (HEAD + KEY + "[[claim]]\n", "requires a claim without `text` or `formula`"),
        (HEAD + KEY + "[[claim]]\ntext = 3\n", "has a `text` that is no text"),
        (HEAD + KEY + '[[claim]]\ntext = "a"\nevidence = "certainty"\n', "has a `evidence` that is none of"),
        (HEAD + KEY + '[[claim]]\ntext = "a"\nkind = "assume"\n', "has a `kind` that is none of"),
        (HEAD + "threshold = 0\n" + KEY, "has no `threshold` from 1 to 1"),
        (HEAD + "threshold = 2\n" + KEY, "has no `threshold` from 1 to 1"),
        (HEAD + "threshold = true\n" + KEY, "has no `threshold` from 1 to 1"),
        (HEAD + "level = 3\n" + KEY, "has a `level` that is none of"),
        (HEAD + "assumptions = 1\n" + KEY, "has `assumptions` that are no list of texts"),
        (HEAD + "not_after = '2026'\n" + KEY, "has a `not_after` that is no date"),
        (HEAD + "meaning = 'abc'\n" + KEY, "has a `meaning` that is no digest"),
        (HEAD + "key = 1\n", "has a `key` that is no list of tables"),
        (HEAD + KEY + KEY, "names one key twice"),
        (HEAD + '[[key]]\nname = "a"\n', "has a key without a name"),
        (HEAD + '[[key]]\nname = "a"\nfile = "none.pem"\n', "cannot read `"),
        (HEAD + '[[key]]\nname = "a"\nfile = "acme.pem"\n', "is a private key"),
        (HEAD + '[[key]]\nname = "a"\npem = "x"\n', "is no Ed25519 key in PEM"),
        (HEAD + KEY + "verifiers = 1\n", "has `verifiers` that are no list of texts"),
    ],
)
def test_wrong_policy_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        policy(tmp_path, text)

    (found,) = caught.value.diagnostics
    assert found.code in ("E905", "E906") and said in found.message


def test_missing_or_endless_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        read_policy(tmp_path / "none.toml")
    (tmp_path / "long.toml").write_text("# " + "x" * 1_000_000)
    with pytest.raises(SpecError, match="more than 1,000,000 bytes"):
        read_policy(tmp_path / "long.toml")


def test_key_may_stand_in_the_policy(tmp_path: Path) -> None:
    found = policy(tmp_path, f'{HEAD}[[key]]\nname = "acme"\npem = """{ACME.public.pem}"""\n')

    assert found.trusted[0].key == ACME.public
