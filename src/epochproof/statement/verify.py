"""Checking a statement level by level: signature, digests, obligations, proofs, a second prover, roots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.statement import envelope as dsse
from epochproof.statement.digests import digests
from epochproof.statement.evidence import NOBODY, TRACE
from epochproof.statement.policy import Policy, Trusted
from epochproof.statement.predicate import PREDICATE_TYPE, Predicate, Statement
from epochproof.statement.shape import ShapeError, read
from epochproof.statement.strict_json import JsonError, loads
from epochproof.statement.verification import Finding, Given, Verification

_SKEW = timedelta(minutes=5)
"""So much may clocks differ."""


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
    traced = any(each.level == "V5" and each.word == "ok" for each in findings)
    unmet += given.policy.unmet(statement.predicate, traced=traced)
    told = (*_assumed(statement.predicate, findings), *_ahead(statement.predicate))
    found = Verification((*findings, *told), (), statement)
    if found.exit_code == 0:
        unmet += _below(found.level or "V0", given)
    return Verification(found.findings, tuple(unmet), statement)


def _ahead(predicate: Predicate) -> Iterator[Finding]:
    """That a clock is wrong, here or where the statement was made: nothing but the signer vouches for it."""
    here = datetime.now(UTC)
    if datetime.fromisoformat(predicate.verified_at) > here + _SKEW:
        text = (
            f"it says {predicate.verified_at}, which is still to come: it is {here:%Y-%m-%dT%H:%M:%SZ} here"
        )
        yield Finding("time", "noted", text)


def _below(level: str, given: Given) -> Iterator[str]:
    """What the check lacks to reach the level that the policy asks for, or that the files were given for."""
    hoped = min(given.up_to, "V3") if given.spec is not None else "V0"
    if level < given.policy.level:
        yield f"it was checked up to {level}, and the policy asks for {given.policy.level}"
    elif level < hoped:
        yield f"it was checked up to {level}, and not up to {hoped}: something is not at hand"


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
    predicate, idle, counted = statement.predicate, list[str](), list[Trusted]()
    for each in signers:
        if not each.window.holds(datetime.fromisoformat(predicate.verified_at)):
            idle.append(f"the key `{safe(each.name)}` does not count at {predicate.verified_at}")
        elif predicate.verifier.id not in each.verifiers:
            idle.append(
                f"`{safe(each.name)}` is not trusted for the verifier `{safe(predicate.verifier.id)}`"
            )
        else:
            counted.append(each)
    names = ", ".join(f"`{safe(each.name)}` (ed25519 {each.key.keyid[:12]})" for each in counted or signers)
    found = [Finding("signature", "ok", names, "V0")]
    if len(counted) < policy.threshold:
        short = f"{len(counted)} of the {policy.threshold} signatures that the policy asks for count"
        return found, [*idle, short]
    return [*found, *(Finding("signature", "noted", each) for each in idle)], []


def _checked(statement: Statement, given: Given) -> list[Finding]:
    """What the levels above the signature found, up to the one that is asked for."""
    if given.up_to == "V0":
        return []
    if given.spec is None:
        return [Finding("digests", "skipped", "`--spec` names the spec to compare with", "V1")]
    findings = list(digests(statement, given))
    if given.up_to == "V1" or any(each.level == "V1" and each.word != "ok" for each in findings):
        return findings
    from epochproof.statement.again import found_again  # noqa: PLC0415 -- levels below need no prover

    return findings + list(found_again(statement, given))


def _assumed(predicate: Predicate, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Which assumptions were checked: here, or by the word of the signer."""
    reached = {each.level for each in findings if each.word == "ok"}
    here: dict[str, list[str]] = {}
    told = list[Finding]()
    for each in predicate.assumptions:
        who = each.checked_by
        if who == NOBODY:
            continue
        if ("V5" if who == TRACE else "V3") in reached:
            here.setdefault(who, []).append(safe(each.id))
        else:
            text = f"{safe(each.id)} is checked by {safe(who)}, says the signer: {safe(each.text)}"
            told.append(Finding("assumption", "noted", text))
    for who, ids in here.items():
        yield Finding("assumptions", "ok", f"{', '.join(ids)} checked here by {safe(who)}")
    yield from told
    for each in predicate.assumptions:
        if each.checked_by == NOBODY:
            yield Finding("assumption", "noted", f"{safe(each.id)} is checked by nobody: {safe(each.text)}")
