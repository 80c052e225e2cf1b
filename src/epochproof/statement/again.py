"""What a statement says, found anew from the spec: obligations, verdicts, a second prover, roots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from epochproof.language.columns import safe
from epochproof.statement.derived import Asked, Derived, derived
from epochproof.statement.differences import Difference, differences
from epochproof.statement.digests import is_folder, laid_out
from epochproof.statement.predicate import Commitments, Statement
from epochproof.statement.rooted import inconsistent, told, unlike
from epochproof.statement.twice import agreement, disputed
from epochproof.statement.verification import Finding, Given


def found_again(statement: Statement, given: Given) -> Iterator[Finding]:
    """What became of deriving the predicate again; what is stated is compared with it.

    Raises:
        SpecError: The spec is wrong, or a file that it names.
    """
    predicate = statement.predicate
    asked = Asked(
        predicate.verified_at,
        {name: int(value) for name, value in predicate.values.items()},
        predicate.record_ids == "shown",
        given.recheck,
        given.commitment_key,
        given.trace if given.commitment_key and _traced(predicate.commitments) else None,
        _traced(predicate.commitments),
    )
    with laid_out(statement, given) as spec:
        found = derived(spec, asked)
    if apart := disputed(found.checked):
        yield from (Finding("recheck", "refused", each, "V4", "E919") for each in apart)
        return
    refused = [
        *_unlisted(statement, found),
        *differences(predicate, found.predicate, traced=asked.trace is not None),
    ]
    yield from (Finding(_NAMES[each.level], "refused", each.text, each.level, each.code) for each in refused)
    if refused:
        yield from _versions(predicate.verifier.version, found.predicate.verifier.version)
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
        yield from _twice(found, given)
        yield from _rooted(predicate.commitments, found.predicate.commitments, given)


_NAMES = {"V1": "digests", "V2": "obligations", "V3": "proofs"}


def _versions(stated: Mapping[str, str], found: Mapping[str, str]) -> Iterator[Finding]:
    """That another version made the statement, which may write an obligation in another way."""
    for name in ("epochproof", "z3"):
        if stated.get(name) != found[name]:
            told = safe(stated.get(name, "no version"))
            text = f"the statement was made by {name} {told}, and this is {name} {found[name]}"
            yield Finding("version", "noted", text)


def _twice(found: Derived, given: Given) -> Iterator[Finding]:
    """What the second prover says."""
    if given.recheck:
        yield agreement(found.checked)
    else:
        text = "`--recheck` proves again by cvc5, from the obligations alone"
        yield Finding("recheck", "skipped", text, "V4")


def _rooted(stated: Commitments | None, found: Commitments | None, given: Given) -> Iterator[Finding]:
    """What the roots say: whether they agree with each other, and with those that are found anew."""
    if stated is None:
        yield Finding("roots", "skipped", "the statement has none", "V5")
        return
    wrong = list(inconsistent(stated))
    if not wrong and given.commitment_key is not None:
        wrong = list(unlike(stated, found, traced=given.trace is not None))
    if wrong:
        yield from (Finding("roots", "refused", each, "V5", "E918") for each in wrong)
        return
    yield from (Finding("roots", "noted", each) for each in told(stated))
    traced = _traced(stated)
    if given.commitment_key is None:
        cure = "`--commitment-key` computes them again, from the secret that the provider gives an auditor"
        text = f"they are the signer's word: {cure}"
        yield Finding("roots", "skipped", text, "V5")
    else:
        level = "V5" if traced and given.trace is not None else ""
        yield Finding("roots", "ok", f"{_compared(stated, given)} computed again, equal", level)
        if not level:
            text = "the statement has no trace" if not traced else "`--trace` names the trace to compare with"
            yield Finding("trace", "skipped", text, "V5")


def _traced(stated: Commitments | None) -> str | None:
    """The loader that was recorded, if one was."""
    streams = () if stated is None else stated.streams
    return next((each.loader for each in streams if each.source == "trace"), None)


def _compared(stated: Commitments, given: Given) -> str:
    """How many streams were compared, of how many."""
    compared = [each for each in stated.streams if each.source == "schedule" or given.trace is not None]
    return f"{len(compared)} of {len(stated.streams)}"


def _unlisted(statement: Statement, found: Derived) -> Iterator[Difference]:
    """Where the files of the statement are not those that the spec is made of."""
    listed = [each.name for each in statement.subject[1:] if not is_folder(each)]
    for name in found.files[1:]:
        if name not in listed:
            text = f"the spec is made of `{safe(name)}`, too, and the statement has no digest of it"
            yield Difference("V1", "E912", text)
    if any(name not in found.files[1:] for name in listed) or len(set(listed)) != len(listed):
        text = "the statement is about files that the spec does not name, or twice about one"
        yield Difference("V1", "E912", text)
    folders = [is_folder(each) for each in statement.subject]
    if not folders or folders[0]:
        yield Difference("V1", "E912", "the statement does not begin with the spec that it is about")
    if sum(folders) > 1 or (_traced(statement.predicate.commitments) and True not in folders):
        text = "the statement has roots of a trace and no digest of it, or digests of two"
        yield Difference("V1", "E912", text)
