"""Checking a statement level by level: signature, digests, obligations, proofs, a second prover, roots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.statement import envelope as dsse
from epochproof.statement.evidence import NOBODY
from epochproof.statement.policy import LEVELS, Policy, Trusted
from epochproof.statement.predicate import PREDICATE_TYPE, Predicate, Statement, Subject
from epochproof.statement.shape import ShapeError, read
from epochproof.statement.strict_json import JsonError, loads
from epochproof.statement.subjects import digest

if TYPE_CHECKING:
    from epochproof.statement.derived import Derived
    from epochproof.statement.differences import Difference

Word = Literal["ok", "skipped", "refused", "noted"]


@dataclass(frozen=True)
class Finding:
    """One line of the answer: what was looked at, on which level, what was found; a code where refused."""

    what: str
    word: Word
    text: str
    level: str = ""
    code: str = ""


@dataclass(frozen=True)
class Given:
    """What a buyer holds beside the envelope."""

    policy: Policy
    spec: Path | None = None
    files: Sequence[Path] = ()
    trace: Path | None = None
    recheck: bool = False
    up_to: str = "V5"
    commitment_key: bytes | None = None


@dataclass(frozen=True)
class Verification:
    """What was found out about an envelope; `statement` is `None` where nobody who is trusted signed it."""

    findings: tuple[Finding, ...]
    unmet: tuple[str, ...] = ()
    statement: Statement | None = None

    @property
    def level(self) -> str:
        """The highest level up to which nothing was left out; V4 is one that may be."""
        reached = {each.level for each in self.findings if each.word == "ok"}
        highest = ""
        for each in LEVELS:
            if each in reached:
                highest = each
            elif each != "V4":
                break
        return highest

    @property
    def exit_code(self) -> int:
        """0: accepted. 1: the policy is not met. 4: something is not what was signed, or not true."""
        if any(each.word == "refused" for each in self.findings):
            return 4
        return 1 if self.unmet else 0


def statement_of(payload: bytes) -> Statement:
    """The statement that the signed bytes are.

    Raises:
        SpecError: They are none, or one about something else.
    """
    try:
        found = loads(payload)
    except JsonError as error:
        raise _no_statement(f"the payload cannot be read: {error}") from None
    kind = found.get("predicateType") if isinstance(found, dict) else None
    if kind != PREDICATE_TYPE:
        raise _no_statement(f"the payload is a statement of another type, `{safe(str(kind))[:120]}`")
    try:
        return read(Statement, found)
    except ShapeError as error:
        raise _no_statement(f"the payload is malformed: {safe(str(error))}") from None


def _no_statement(why: str) -> SpecError:
    return fail("E902", why, None, help=f"this reads `{PREDICATE_TYPE}`")


def verify(content: bytes, given: Given) -> Verification:
    """What was found out about the bytes of an envelope; nothing in them is believed before it is signed.

    Raises:
        SpecError: They are no envelope with a statement, or a file cannot be read.
    """
    envelope = dsse.read(content)
    signers = _signers(envelope, given.policy)
    if not signers:
        return Verification((_unsigned(envelope, given.policy),))
    statement = statement_of(envelope.payload)
    findings, unmet = _signed(signers, statement, given.policy)
    findings += _checked(statement, given)
    unmet += given.policy.unmet(statement.predicate)
    found = Verification((*findings, *_assumed(statement.predicate)), (), statement)
    if LEVELS.index(given.policy.level) > LEVELS.index(found.level or "V0"):
        unmet.append(f"it was checked up to {found.level}, and the policy asks for {given.policy.level}")
    return Verification(found.findings, tuple(unmet), statement)


def _signers(envelope: dsse.Envelope, policy: Policy) -> tuple[Trusted, ...]:
    signers = envelope.signers([each.key for each in policy.trusted])
    return tuple(each for each in policy.trusted if each.key in signers)


def _unsigned(envelope: dsse.Envelope, policy: Policy) -> Finding:
    """Why nothing is believed; the hints of the envelope say where to look, and decide nothing."""
    hints = [each.keyid for each in envelope.signatures]
    named = next((each for each in policy.trusted if each.key.keyid in hints), None)
    if named is not None:
        text = (
            f"the signature that names `{safe(named.name)}` does not fit:"
            " the payload or the signature was changed, or somebody else made it"
        )
        return Finding("signature", "refused", text, "V0", "E909")
    told = ", ".join(safe(each)[:12] or "nobody" for each in hints[:3])
    known = ", ".join(each.key.keyid[:12] for each in policy.trusted[:3])
    text = f"no key that is trusted signed it: it names {told}, and trusted are {known}"
    return Finding("signature", "refused", text, "V0", "E910")


def _signed(
    signers: Sequence[Trusted], statement: Statement, policy: Policy
) -> tuple[list[Finding], list[str]]:
    """Who signed, and what the policy has against it."""
    predicate, unmet, counted = statement.predicate, list[str](), list[Trusted]()
    for each in signers:
        if not each.window.holds(datetime.fromisoformat(predicate.verified_at)):
            unmet.append(f"the key `{safe(each.name)}` does not count at {predicate.verified_at}")
        elif predicate.verifier.id not in each.verifiers:
            unmet.append(
                f"`{safe(each.name)}` is not trusted for the verifier `{safe(predicate.verifier.id)}`"
            )
        else:
            counted.append(each)
    if len(counted) < policy.threshold:
        unmet.append(f"{len(counted)} of the {policy.threshold} signatures that the policy asks for count")
    names = ", ".join(f"`{safe(each.name)}` (ed25519 {each.key.keyid[:12]})" for each in signers)
    return [Finding("signature", "ok", names, "V0")], unmet


def _checked(statement: Statement, given: Given) -> list[Finding]:
    """What the levels above the signature found, up to the one that is asked for."""
    if given.up_to == "V0":
        return []
    if given.spec is None:
        return [Finding("digests", "skipped", "`--spec` names the spec to compare with", "V1")]
    findings = list(_digests(statement, given))
    if given.up_to == "V1" or any(each.level == "V1" and each.word != "ok" for each in findings):
        return findings
    return findings + list(_derived(statement, given))


def _digests(statement: Statement, given: Given) -> Iterator[Finding]:
    places, missing = _places(statement, given)
    same = 0
    for subject in statement.subject:
        at = places.get(subject.name)
        if at is None:
            continue
        if digest(at) == dict(subject.digest):
            same += 1
        elif subject is statement.subject[0] and _means_the_same(at, statement):
            same += 1
            text = f"`{safe(subject.name)}` is written in another way than the signed one, and means the same"
            yield Finding("spec", "noted", text)
        else:
            text = f"`{safe(subject.name)}` is not the file that was signed: its digest differs"
            yield Finding("digests", "refused", text, "V1", "E912")
            return
    if missing:
        listed = ", ".join(f"`{safe(each)}`" for each in missing)
        yield Finding("digests", "skipped", f"not at hand: {listed}", "V1")
    else:
        yield Finding(
            "digests", "ok", f"{same} of {len(statement.subject)} files are those that were signed", "V1"
        )


def _places(statement: Statement, given: Given) -> tuple[Mapping[str, Path], list[str]]:
    """Where each subject lies here, and those of which that is not known."""
    places, missing = dict[str, Path](), list[str]()
    folder = (given.spec or Path()).parent
    for at, subject in enumerate(statement.subject):
        if at == 0 and given.spec is not None:
            places[subject.name] = given.spec
        elif _is_folder(subject):
            if given.trace is not None:
                places[subject.name] = given.trace
        else:
            own = next((each for each in given.files if each.name == Path(subject.name).name), None)
            inside = folder / subject.name
            if own is not None or inside.is_file():
                places[subject.name] = own or inside
            else:
                missing.append(subject.name)
    return places, missing


def _is_folder(subject: Subject) -> bool:
    return "dirHash" in subject.digest


def _means_the_same(path: Path, statement: Statement) -> bool:
    """Whether the file is a spec with the digest of meaning that was signed."""
    from epochproof.language.parse import read as read_spec  # noqa: PLC0415 -- most specs are as signed
    from epochproof.statement.semantic import semantic_digest  # noqa: PLC0415 -- as above

    try:
        found = semantic_digest(read_spec(path))
    except SpecError:
        return False
    return found == statement.predicate.language.semantic_digest.sha256


def _derived(statement: Statement, given: Given) -> Iterator[Finding]:
    from epochproof.statement.derived import Asked, derived  # noqa: PLC0415 -- levels below need no prover
    from epochproof.statement.differences import differences  # noqa: PLC0415 -- as above

    predicate = statement.predicate
    values = {name: int(value) for each in predicate.populations for name, value in each.values.items()}
    asked = Asked(predicate.verified_at, values, predicate.record_ids == "shown", given.recheck)
    with _laid_out(statement, given) as spec:
        found = derived(spec, asked)
    refused = [*_unlisted(statement, found), *differences(predicate, found.predicate)]
    told = [Finding(_NAMES[each.level], "refused", each.text, each.level, each.code) for each in refused]
    yield from told
    below = {each.level for each in refused}
    if not below & {"V1", "V2"}:
        count = sum(len(each.obligations) for each in predicate.claims)
        yield Finding(
            "obligations", "ok", f"{count} of {count} derived again from the spec, digests equal", "V2"
        )
    if not below:
        z3 = found.predicate.verifier.version["z3"]
        claims = len(predicate.claims)
        yield Finding(
            "proofs", "ok", f"{claims} of {claims} claims judged again, by z3 {z3}: same verdicts", "V3"
        )
        yield from _second(found, given)


def _unlisted(statement: Statement, found: Derived) -> Iterator[Difference]:
    """The files that the spec is made of and the statement does not pin."""
    from epochproof.statement.differences import Difference  # noqa: PLC0415 -- levels below need no prover

    listed = {each.name for each in statement.subject[1:]}
    for name in found.files[1:]:
        if name not in listed:
            text = f"the spec is made of `{safe(name)}`, too, and the statement has no digest of it"
            yield Difference("V1", "E912", text)


@contextmanager
def _laid_out(statement: Statement, given: Given) -> Iterator[Path]:
    """The spec in a folder where each file lies where the spec names it."""
    spec = given.spec or Path()
    places, _ = _places(statement, given)
    elsewhere = {name: at for name, at in places.items() if at not in (spec, given.trace, spec.parent / name)}
    if not elsewhere:
        yield spec
        return
    with TemporaryDirectory(prefix="epochproof-") as folder:
        for name, at in {**places, spec.name: spec}.items():
            inside = Path(folder, name)
            if not inside.resolve().is_relative_to(Path(folder).resolve()) or at == given.trace:
                continue
            inside.parent.mkdir(parents=True, exist_ok=True)
            inside.symlink_to(at.resolve())
        yield Path(folder, spec.name)


_NAMES = {"V1": "digests", "V2": "obligations", "V3": "proofs"}


def _second(found: Derived, given: Given) -> Iterator[Finding]:
    """What the second prover says."""
    if not given.recheck:
        yield Finding(
            "recheck", "skipped", "`--recheck` proves again by cvc5, from the obligations alone", "V4"
        )


def _assumed(predicate: Predicate) -> Iterator[Finding]:
    unchecked = [each for each in predicate.assumptions if each.checked_by == NOBODY]
    checked = len(predicate.assumptions) - len(unchecked)
    if checked:
        yield Finding("assumptions", "ok", f"{checked} checked")
    for each in unchecked:
        yield Finding("assumption", "noted", f"{safe(each.id)} is checked by nobody: {safe(each.text)}")
