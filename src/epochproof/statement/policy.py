"""What a buyer asks of a statement: whose keys count, which claims on what evidence, which assumptions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.statement.evidence import NOBODY, RANKS, TRACE, rank
from epochproof.statement.keys import PublicKey, public_of, read_public
from epochproof.statement.predicate import VERIFIER, Claim, Predicate

MOST_BYTES = 1_000_000

LEVELS = ("V0", "V1", "V2", "V3", "V4", "V5")

_TOP = (
    "policy",
    "threshold",
    "level",
    "assumptions",
    "other_claims",
    "meaning",
    "not_before",
    "not_after",
    "key",
    "claim",
)
_KEY = ("name", "file", "pem", "not_before", "not_after", "verifiers")
_CLAIM = ("text", "formula", "kind", "evidence")


@dataclass(frozen=True)
class Window:
    """A time from one moment to another, both included; open where one is `None`."""

    start: datetime | None = None
    end: datetime | None = None

    def holds(self, moment: datetime) -> bool:
        """Whether the moment lies in it."""
        return (self.start is None or self.start <= moment) and (self.end is None or moment <= self.end)


@dataclass(frozen=True)
class Trusted:
    """A key that a buyer trusts: its name, when it counts, and for which verifiers it may speak."""

    name: str
    key: PublicKey
    window: Window = Window()
    verifiers: tuple[str, ...] = (VERIFIER,)


@dataclass(frozen=True)
class Required:
    """A claim that a statement must hold, as it is stated, and the least evidence for it."""

    text: str | None
    formula: str | None
    kind: str
    evidence: str

    def fits(self, claim: Claim) -> bool:
        """Whether it is this claim that is meant."""
        return (
            claim.kind == self.kind
            and self.text in (None, claim.text)
            and (self.formula is None or _words(self.formula) == _words(claim.formula))
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.formula if self.text is None else chr(34) + self.text + chr(34)}"


@dataclass(frozen=True)
class Policy:
    """What is asked; the default asks that every claim is as stated, and accepts every assumption."""

    trusted: tuple[Trusted, ...]
    threshold: int = 1
    level: str = "V0"
    required: tuple[Required, ...] = ()
    assumptions: tuple[str, ...] | None = None
    """The texts of the assumptions that are accepted though nobody checked them; all of them if `None`."""
    others: bool = False
    """May claims that are not required be not as stated?"""
    window: Window = Window()
    meaning: str | None = None
    """The digest of meaning that the spec must have."""

    def unmet(self, predicate: Predicate, *, traced: bool) -> Iterator[str]:
        """What the statement lacks; it is accepted only where it lacks nothing.

        Unless its trace was looked at, what a trace bore out is the word of the signer.
        """
        moment = datetime.fromisoformat(predicate.verified_at)
        if not self.window.holds(moment):
            yield f"it was made at {predicate.verified_at}, outside the time that the policy names"
        if self.meaning not in (None, predicate.language.semantic_digest.sha256):
            yield "it is about a spec with another meaning than the policy names"
        for each in self.required:
            yield from _lacking(each, [claim for claim in predicate.claims if each.fits(claim)])
        if not predicate.claims:
            yield "it states no claim"
        others = () if self.others else predicate.claims
        for claim in (each for each in others if not each.as_stated):
            yield f'the claim "{safe(claim.text)}" is {claim.verdict}, and it says `{claim.kind}`'
        yield from self._assumed(predicate, traced=traced)

    def _assumed(self, predicate: Predicate, *, traced: bool) -> Iterator[str]:
        for each in predicate.assumptions if self.assumptions is not None else ():
            if each.text in (self.assumptions or ()):
                continue
            told = f"{safe(each.id)}, `{safe(each.text)}`; the policy does not accept it"
            if each.checked_by == NOBODY:
                yield f"nobody checked {told}"
            elif each.checked_by == TRACE and not traced:
                yield f"only the signer says that a trace bears out {told}"


def _lacking(required: Required, found: Sequence[Claim]) -> Iterator[str]:
    if not found:
        yield f"it has no claim `{safe(str(required))}`"
    elif not any(each.as_stated for each in found):
        yield f"the claim `{safe(str(required))}` is {found[0].verdict}"
    elif required.kind == "prove" and not any(
        each.as_stated and rank(each.evidence) >= rank(required.evidence) for each in found
    ):
        yield (
            f"the claim `{safe(str(required))}` rests on `{safe(found[0].evidence)}`,"
            f" and the policy asks for `{required.evidence}`"
        )


def _words(formula: str) -> str:
    return "".join(formula.split())


def trusting(keys: Sequence[tuple[str, PublicKey]]) -> Policy:
    """The policy of a buyer who only names keys."""
    return Policy(tuple(Trusted(name, key) for name, key in keys))


def read_policy(path: Path) -> Policy:
    """The policy in a TOML file.

    Raises:
        SpecError: It cannot be read, or says what no policy says: nothing in it is passed over.
    """
    found = _table(path)
    called = f"`{safe(str(path))}`"
    _known(found, _TOP, called)
    if found.get("policy") != 1:
        raise _wrong(called, "does not begin with `policy = 1`", "that is the version of its form")
    trusted = tuple(_trusted(each, path.parent, called) for each in _tables(found, "key", called))
    if not trusted:
        raise _wrong(called, "trusts no key", 'add `[[key]]` with a `name` and a `file = "acme.pub.pem"`')
    if len({each.key.keyid for each in trusted}) != len(trusted):
        raise _wrong(called, "names one key twice", "each signature counts once")
    threshold = found.get("threshold", 1)
    if type(threshold) is not int or not 1 <= threshold <= len(trusted):
        raise _wrong(called, f"has no `threshold` from 1 to {len(trusted)}", "so many keys are trusted")
    return Policy(
        trusted,
        threshold,
        _one_of(found, "level", LEVELS, "V0", called),
        tuple(_required(each, called) for each in _tables(found, "claim", called)),
        _accepted(found, called),
        _one_of(found, "other_claims", ("as stated", "any"), "as stated", called) == "any",
        _window(found, called),
        _meaning(found, called),
    )


def _meaning(found: Mapping[str, Any], called: str) -> str | None:
    given = _text(found, "meaning", called)
    if given is not None and not re.fullmatch("sha256:[0-9a-f]{64}", given):
        raise _wrong(called, "has a `meaning` that is no digest", "write `sha256:` and 64 hexadecimal digits")
    return None if given is None else given.removeprefix("sha256:")


def _table(path: Path) -> Mapping[str, Any]:
    import tomllib  # noqa: PLC0415 -- keys alone need no policy

    called = f"`{safe(str(path))}`"
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise _wrong(called, f"holds more than {MOST_BYTES:,} bytes", "a policy is far smaller")
        return tomllib.loads(content.decode("utf-8"))
    except OSError as error:
        raise _wrong(called, f"cannot be read: {str(error.strerror).lower()}", "check the path") from None
    except (ValueError, RecursionError) as error:
        raise _wrong(called, f"is no TOML: {safe(str(error))}", "see `spec/statement/policy.md`") from None


def _trusted(found: Mapping[str, Any], folder: Path, called: str) -> Trusted:
    _known(found, _KEY, called)
    name, file, pem = (_text(found, each, called) for each in ("name", "file", "pem"))
    if name is None or (file is None) == (pem is None):
        raise _wrong(called, "has a key without a name, or without one `file` or `pem`", "give each both")
    key = (
        public_of((pem or "").encode(), f"`pem` of {called}") if file is None else read_public(folder / file)
    )
    verifiers = found.get("verifiers", [VERIFIER])
    if not isinstance(verifiers, list) or not all(isinstance(each, str) for each in verifiers):
        raise _wrong(called, "has `verifiers` that are no list of texts", "leave it out")
    return Trusted(name, key, _window(found, called), tuple(verifiers))


def _required(found: Mapping[str, Any], called: str) -> Required:
    _known(found, _CLAIM, called)
    text, formula = _text(found, "text", called), _text(found, "formula", called)
    if text is None and formula is None:
        raise _wrong(called, "requires a claim without `text` or `formula`", "say which claim is meant")
    kind = _one_of(found, "kind", ("prove", "refute"), "prove", called)
    return Required(text, formula, kind, _one_of(found, "evidence", RANKS, RANKS[0], called))


def _accepted(found: Mapping[str, Any], called: str) -> tuple[str, ...] | None:
    given = found.get("assumptions", [])
    if given == "any":
        return None
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise _wrong(called, "has `assumptions` that are no list of texts", 'or write `assumptions = "any"`')
    return tuple(given)


def _window(found: Mapping[str, Any], called: str) -> Window:
    return Window(
        _moment(found, "not_before", called, end=False), _moment(found, "not_after", called, end=True)
    )


def _moment(found: Mapping[str, Any], name: str, called: str, *, end: bool) -> datetime | None:
    """A moment; a day alone stands for its first or its last one, and a time without a zone for UTC."""
    given = found.get(name)
    if given is None:
        return None
    if isinstance(given, datetime):
        return given if given.tzinfo else given.replace(tzinfo=UTC)
    if not isinstance(given, date):
        raise _wrong(called, f"has a `{name}` that is no date", f"write `{name} = 2026-12-31`")
    hours = (23, 59, 59) if end else (0, 0, 0)
    return datetime(given.year, given.month, given.day, *hours, tzinfo=UTC)


def _tables(found: Mapping[str, Any], name: str, called: str) -> list[Mapping[str, Any]]:
    given = found.get(name, [])
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise _wrong(called, f"has a `{name}` that is no list of tables", f"write `[[{name}]]`")
    return given


def _text(found: Mapping[str, Any], name: str, called: str) -> str | None:
    given = found.get(name)
    if given is not None and not isinstance(given, str):
        raise _wrong(called, f"has a `{name}` that is no text", "write it in quotes")
    return given


def _one_of(found: Mapping[str, Any], name: str, known: Sequence[str], default: str, called: str) -> str:
    given = found.get(name, default)
    if given not in known:
        raise _wrong(called, f"has a `{name}` that is none of {', '.join(known)}", "check the word")
    return str(given)


def _known(found: Mapping[str, Any], known: Sequence[str], called: str) -> None:
    from epochproof.language.suggest import suggest  # noqa: PLC0415 -- most policies are right

    for name in found:
        if name not in known:
            cure = suggest(name, known) or f"settings are {', '.join(known)}"
            raise _wrong(called, f"has an unknown setting `{safe(name)}`", cure)


def _wrong(called: str, what: str, cure: str) -> SpecError:
    return fail("E905", f"the policy {called} {what}", None, help=cure)
