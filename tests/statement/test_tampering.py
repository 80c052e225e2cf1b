"""Every part of a statement, changed: each is refused, and each with its own message.

Without the key of the provider a change breaks the signature. The others are signed anew, by the trusted key
itself, so that what refuses them is what the buyer finds.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from epochproof.diagnostics import SpecError
from epochproof.statement import again
from epochproof.statement.derived import Asked, Derived, derived
from epochproof.statement.policy import trusting
from tests.statement.offers import ACME, OTHER, Offer, offer, refusals

Statement = dict[str, Any]
SHA = "0" * 64


def claims(statement: Statement) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = statement["predicate"]["claims"]
    return found


def assumptions(statement: Statement) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = statement["predicate"]["assumptions"]
    return found


def streams(statement: Statement) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = statement["predicate"]["commitments"]["streams"]
    return found


FORGERIES: dict[str, tuple[Callable[[Statement], object], str]] = {
    "meaning": (
        lambda s: s["predicate"]["language"].update(semanticDigest={"sha256": SHA}),
        "E912 the spec means something else than the one that was signed",
    ),
    "unlisted manifest": (
        lambda s: s.update(subject=[each for each in s["subject"] if each["name"] != "clips.csv"]),
        "E912 the spec is made of `clips.csv`, too, and the statement has no digest of it",
    ),
    "claim text": (
        lambda s: claims(s)[0].update(text="every clip is read twice"),
        (
            'E913 the claim is stated as `prove "every clip is read twice"`, and the spec says'
            ' `prove "every clip is read"`'
        ),
    ),
    "claim kind": (
        lambda s: claims(s)[0].update(kind="refute"),
        (
            'E913 the claim is stated as `refute "every clip is read"`,'
            ' and the spec says `prove "every clip is read"`'
        ),
    ),
    "formula": (
        lambda s: claims(s)[0].update(formula="any.padding == 0"),
        (
            'E913 the formula of "every clip is read" is stated as `any.padding == 0`, and the spec says'
            " `any.omitted == {}`"
        ),
    ),
    "scope": (
        lambda s: claims(s)[0]["scope"][0].update(domain="1..128"),
        'E913 the scope of "every clip is read" is not stated as the spec has it',
    ),
    "claim left out": (
        lambda s: claims(s).pop(),
        'E913 the spec claims "the epoch has eight occurrences", and the statement leaves it out',
    ),
    "claim made up": (
        lambda s: claims(s).append({**claims(s)[0], "text": "more"}),
        'E913 the statement claims "more", and the spec does not',
    ),
    "obligation": (
        lambda s: claims(s)[1]["obligations"][0].update(digest={"sha256": SHA}),
        'E911 the obligations of "padding is less than a lane" are not those that follow from the spec',
    ),
    "verdict": (
        lambda s: claims(s)[2].update(verdict="proved", asStated=False),
        'E914 "no clip is read twice" is stated as proved, and it is refuted',
    ),
    "evidence": (
        lambda s: claims(s)[3].update(evidence="solver"),
        (
            'E914 the evidence for "the epoch has eight occurrences" is stated as `solver`,'
            " and it is `exhausted(1)`"
        ),
    ),
    "witness": (
        lambda s: claims(s)[1].update(nonVacuousWitness={"any.ranks": "64"}),
        'E914 what shows that "padding is less than a lane" is proved is not what was found',
    ),
    "counterexample": (
        lambda s: claims(s)[2]["counterexample"].update(stage="batch"),
        'E914 what shows that "no clip is read twice" is refuted is not what was found',
    ),
    "evidence that is none": (
        lambda s: claims(s)[1].update(evidence="solver(of another kind)"),
        'E914 the evidence for "padding is less than a lane" is stated as `solver(of another kind)`',
    ),
    "nothing to be about": (
        lambda s: s.update(subject=[]),
        "E912 the statement does not begin with the spec that it is about",
    ),
    "trace that is not there": (
        lambda s: s["subject"].extend({"name": name, "digest": {"dirHash": SHA}} for name in ("a/", "b/")),
        "E912 the statement has roots of a trace and no digest of it, or digests of two",
    ),
    "result": (
        lambda s: s["predicate"].update(result="undecided"),
        "E914 the result is stated as `undecided`, and it is `as stated`",
    ),
    "assumption changed": (
        lambda s: assumptions(s)[0].update(text="the moon is full"),
        "E915 A1 is stated as `the moon is full`, and it is `the dataset does not change`",
    ),
    "assumption left out": (
        lambda s: assumptions(s).pop(),
        "E915 a verdict rests on",
    ),
    "assumption made up": (
        lambda s: assumptions(s).append({"id": "A9", "text": "more", "checkedBy": "nobody"}),
        "E915 the statement assumes `more`, and no verdict rests on it",
    ),
    "assumption checked": (
        lambda s: assumptions(s)[0].update(checkedBy="an auditor"),
        "E915 A1, `the dataset does not change`, is stated to be checked by an auditor, and it is by nobody",
    ),
    "assumption checked by no trace": (
        lambda s: next(each for each in assumptions(s) if "all ranks" in each["text"]).update(
            checkedBy="trace"
        ),
        "E915 A3, `all ranks agree on the order of the stream`, is stated to be checked by trace",
    ),
    "assumption of a claim": (
        lambda s: claims(s)[0].update(assumptions=[]),
        'E915 "every clip is read" does not rest on the assumptions that are stated',
    ),
    "count": (
        lambda s: s["predicate"]["populations"][0]["onePass"].update(distinct="8"),
        "E916 what `train` reads is not as stated: distinct is stated as `8`, and it is `7`",
    ),
    "sentence": (
        lambda s: s["predicate"]["populations"][0].update(sentence="seven clips, each once"),
        "E916 what `train` reads is not as stated: sentence is stated as `seven clips, each once`",
    ),
    "loader": (
        lambda s: s["predicate"]["populations"].pop(),
        "E916 the loaders are not stated as the spec has them",
    ),
    "what is not claimed": (
        lambda s: s["predicate"].update(notClaimed=[]),
        "E917 the list of what is not claimed is not that of this version",
    ),
    "order root": (
        lambda s: streams(s)[0]["orderRoot"].update(root=SHA),
        "E918 `train` does not hold its records in the order that was committed to",
    ),
    "set root": (
        lambda s: (
            [each["setRoot"].update(root=SHA) for each in s["predicate"]["commitments"]["datasets"]]
            + [each["setRoot"].update(root=SHA) for each in streams(s)]
        ),
        "E918 the records of `clips` are not those that were committed to",
    ),
    "coverage": (
        lambda s: streams(s)[0].update(coversDataset=False),
        "E918 `train` does not cover `clips`, it says, and its roots do not",
    ),
    "occurrences of a root": (
        lambda s: streams(s)[0].update(occurrences="9"),
        "E918 `train` has a root over another number of occurrences than is stated",
    ),
    "key of the commitments": (
        lambda s: s["predicate"]["commitments"].update(keyCommitment={"sha256": SHA}),
        "E918 the secret that was given is not the one under which record ids are committed to",
    ),
}


@pytest.fixture(scope="module")
def found_once() -> Iterator[None]:
    """Each spec is derived once: the forgeries leave it as it is."""
    known: dict[str, Derived] = {}

    def once(path: Path, asked: Asked) -> Derived:
        key = f"{path} {asked}"
        known[key] = known.get(key) or derived(path, asked)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(again, "derived", once)
        yield


@pytest.mark.usefixtures("found_once")
@pytest.mark.parametrize("part", FORGERIES)
def test_forgery_by_the_signer_is_refused(part: str, made: Offer) -> None:
    change, said = FORGERIES[part]

    found = made.checked(made.forged(change), commitment_key=ACME.commitment_key())

    assert any(each.startswith(said) for each in refusals(found)), refusals(found)
    assert found.exit_code == 4


MAY_DIFFER = ("verifiedAt", "version", "algorithm", "keyid")
"""What a buyer cannot know better than the signer, and what decides nothing."""


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each text, number and truth value of a statement, and to each list that is not empty."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*at, name))
    elif isinstance(value, list):
        yield from [at] if value else []
        for number, each in enumerate(value):
            yield from leaves(each, (*at, number))
    else:
        yield at


def changed(value: Any) -> list[Any]:
    """Other values of the same kind."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, list):
        return [value[:-1], [*value, value[0]]]
    if isinstance(value, int):
        return [value + 1]
    flipped = value[:-1] + ("0" if value[-1:] != "0" else "1")
    return [flipped, "", "9", *({"hidden", "shown"} & {value} and ["shown"])]


@pytest.mark.usefixtures("found_once")
def test_no_leaf_of_a_statement_can_be_changed_unseen(made: Offer) -> None:
    secret, accepted = ACME.commitment_key(), []
    ways = [at for at in leaves(made.statement) if not set(at) & set(MAY_DIFFER)]
    for at in ways:
        *path, last = at
        held = functools.reduce(lambda value, name: value[name], path, made.statement)
        for other in changed(held[last]):
            if other == held[last]:
                continue

            def change(statement: Statement, other: Any = other, path: Any = path, last: Any = last) -> None:
                functools.reduce(lambda value, name: value[name], path, statement)[last] = other

            try:
                code = made.checked(made.forged(change), commitment_key=secret).exit_code
            except SpecError:
                code = 2
            accepted += [(at, other)] if code == 0 else []

    assert len(ways) >= 150
    # Of the spec, the meaning is compared: it may lie under another name, and be written in another way.
    assert {at[:2] for at, _ in accepted} == {("subject", 0)}


def test_noise_is_no_traceback(made: Offer) -> None:
    rng = random.Random(7)  # noqa: S311 -- which bytes are changed is no secret
    good = made.envelope.encode()
    for _ in range(300):
        noisy = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            noisy[rng.randrange(len(noisy))] = rng.randrange(256)
        try:
            found = made.checked(noisy.decode("latin-1"), spec=None)
        except SpecError:
            continue
        assert found.exit_code == 4 or found.statement is not None


@pytest.mark.usefixtures("found_once")
def test_refusal_tells_that_another_version_made_the_statement(made: Offer) -> None:
    def change(statement: Statement) -> None:
        statement["predicate"]["verifier"]["version"]["z3"] = "4.8.12"
        claims(statement)[1]["obligations"][0].update(digest={"sha256": SHA})

    found = made.checked(made.forged(change))

    (told,) = [each.text for each in found.findings if each.what == "version"]
    assert told.startswith("the statement was made by z3 4.8.12, and this is z3 5")
    assert found.exit_code == 4


@pytest.mark.usefixtures("found_once")
def test_another_version_excuses_no_made_up_counterexample(made: Offer) -> None:
    def change(statement: Statement) -> None:
        statement["predicate"]["verifier"]["version"]["z3"] = "4.8.12"
        claims(statement)[2]["counterexample"].update(stage="batch")

    assert refusals(made.checked(made.forged(change))) == [
        'E914 what shows that "no clip is read twice" is refuted is not what was found'
    ]


def test_messages_differ() -> None:
    assert len({said for _, said in FORGERIES.values()}) == len(FORGERIES)


def test_offer_as_it_was_made_is_accepted(made: Offer) -> None:
    found = made.checked(commitment_key=ACME.commitment_key())

    assert (refusals(found), found.exit_code, found.level) == ([], 0, "V3")


@pytest.mark.parametrize("part", ["payload", "sig"])
def test_change_without_the_key_breaks_the_signature(part: str, made: Offer) -> None:
    document = json.loads(made.envelope)
    held = document if part == "payload" else document["signatures"][0]
    held[part] = held[part][:20] + ("A" if held[part][20] != "A" else "B") + held[part][21:]

    found = made.checked(json.dumps(document))

    assert found.statement is None and found.exit_code == 4
    assert refusals(found) == [
        (
            "E909 the signature that names `acme` does not fit: the payload or the signature was changed,"
            " or somebody else made it"
        )
    ]


def test_statement_signed_by_another_key_is_refused(made: Offer) -> None:
    found = made.checked(made.forged(lambda _: None, OTHER))

    assert refusals(found)[0].startswith("E910 no key that is trusted signed it") and found.exit_code == 4


def test_keyid_of_a_trusted_key_helps_nobody(made: Offer) -> None:
    document = json.loads(made.forged(lambda _: None, OTHER))
    document["signatures"][0]["keyid"] = ACME.public.keyid

    assert refusals(made.checked(json.dumps(document)))[0].startswith("E909")


def test_key_of_the_buyer_that_was_exchanged_is_seen(made: Offer) -> None:
    found = made.checked(policy=trusting([("acme", OTHER.public)]))

    assert refusals(found)[0].startswith("E910")


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("clips.csv", "secret_a", "secret_z", "E912 `clips.csv` is not the file that was signed"),
        ("train.yaml", "4", "5", "E912 `train.yaml` is not the file that was signed"),
        ("train.epoch", "seed = 7", "seed = 8", "E912 `train.epoch` is not the file that was signed"),
    ],
)
def test_file_that_was_changed_is_seen(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    made = offer(tmp_path)
    path = tmp_path / name
    path.write_text(path.read_text().replace(old, new, 1))

    found = made.checked()

    assert refusals(found) == [f"{said}: its digest differs"] and found.exit_code == 4


def test_spec_that_is_written_in_another_way_is_accepted(tmp_path: Path) -> None:
    made = offer(tmp_path)
    made.spec.write_text("# more\n" + made.spec.read_text().replace("ranks  =", "ranks ="))

    found = made.checked()

    assert (found.exit_code, found.level) == (0, "V3")
    assert any("is written in another way" in each.text for each in found.findings)


def test_moment_that_is_still_to_come_is_told(made: Offer) -> None:
    ahead = made.checked(
        made.forged(lambda s: s["predicate"].update(verifiedAt="9999-01-01T00:00:00Z")), spec=None
    )
    told = [each for each in ahead.findings if each.what == "time"]

    assert [each.word for each in told] == ["noted"]
    assert told[0].text.startswith("it says 9999-01-01T00:00:00Z, which is still to come: it is ")
