"""What a statement says about a spec: language, versions, claims, assumptions, counts, commitments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

PREDICATE_TYPE: Final = "https://epochproof.example/schedule-verification/v1"
STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
VERIFIER = "https://epochproof.example/verifier"

Hex = Annotated[str, "[0-9a-f]{64}"]
Number = Annotated[str, "-?(?:0|[1-9][0-9]{0,999})"]
"""A whole number as decimal digits: readers of JSON lose digits of large ones."""

Moment = Annotated[str, "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"]

Result = Literal["as stated", "not as stated", "undecided"]


@dataclass(frozen=True)
class Digest:
    """SHA-256, in hexadecimal digits."""

    sha256: Hex


@dataclass(frozen=True)
class Language:
    """The edition of the spec, and the digest of its meaning, which formatting leaves alone."""

    edition: int
    semantic_digest: Digest


@dataclass(frozen=True)
class Verifier:
    """What judged the claims, and the version of each of its parts."""

    id: str
    version: Mapping[str, str]


@dataclass(frozen=True)
class Free:
    """A parameter that a claim leaves free: it holds for every value of the domain at once."""

    name: str
    domain: str
    order: bool
    """Whether it is the key of a permutation: then every order is meant."""


@dataclass(frozen=True)
class Obligation:
    """A text in SMT-LIB, by its digest, that a prover found to be unsatisfiable."""

    format: Literal["smtlib-2.6"]
    digest: Digest


@dataclass(frozen=True)
class Counterexample:
    """A world in which a claim is false; it was replayed. Records are shown only where ids are."""

    parameters: Mapping[str, Number]
    replayed: Literal["model", "torch", "manifest"]
    smallest: bool
    stage: str | None = None
    rank: Number | None = None
    epoch: Number | None = None
    shared: Number | None = None
    """How many values, or records, two populations share that should not."""
    records: tuple[Number, ...] | None = None


@dataclass(frozen=True)
class Claim:
    """One claim of the spec, and what was found out about it."""

    text: str
    kind: Literal["prove", "refute"]
    formula: str
    scope: tuple[Free, ...]
    verdict: Literal["proved", "refuted", "vacuous", "unknown"]
    as_stated: bool
    evidence: str
    obligations: tuple[Obligation, ...]
    assumptions: tuple[str, ...]
    reason: str | None = None
    non_vacuous_witness: Mapping[str, Number] | None = None
    """Values of the free parameters under which the premises hold."""
    counterexample: Counterexample | None = None


@dataclass(frozen=True)
class Assumption:
    """What verdicts rest on besides the spec; `checkedBy` names who checked it, or is `nobody`."""

    id: str
    text: str
    checked_by: str


@dataclass(frozen=True)
class Steps:
    """The steps of the rank with the fewest, and of the one with the most."""

    min: Number
    max: Number


@dataclass(frozen=True)
class Pass:
    """What one epoch reads."""

    occurrences: Number
    distinct: Number
    padding: Number
    omitted: Number
    repeated: Number
    steps: Steps
    condition: str | None = None
    """What the numbers hold under, where other draws give others."""
    omitted_records: tuple[str, ...] | None = None
    """Records, or runs of them such as `3..9`; only where ids are shown."""
    repeated_records: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Run:
    """What all epochs together read; `distinct` is left out where it depends on the order."""

    epochs: Number
    occurrences: Number
    distinct: Number | None = None


@dataclass(frozen=True)
class Population:
    """What one loader reads, in a sentence and in numbers; without numbers, it leaves `open` values free."""

    loader: str
    dataset: str
    sentence: str
    values: Mapping[str, Number]
    """The values of free parameters for which it was counted."""
    open: tuple[str, ...]
    records: Number | None = None
    ranks: Number | None = None
    manifest: Digest | None = None
    """Of the file that lists the records, where there is one."""
    rows: Mapping[str, str] | None = None
    """The columns of that file and their values that choose the records, where not all of its rows are."""
    one_pass: Pass | None = None
    run: Run | None = None


@dataclass(frozen=True)
class Root:
    """The root of a Merkle tree as RFC 9162 hashes it, and how many leaves it has."""

    root: Hex
    leaves: Number


@dataclass(frozen=True)
class Records:
    """The records of a dataset: the root over their commitments, sorted."""

    dataset: str
    set_root: Root


@dataclass(frozen=True)
class Stream:
    """What one loader delivered, in the model or in a trace; roots are over commitments to record ids."""

    source: Literal["schedule", "trace"]
    loader: str
    dataset: str
    epochs: Number
    ranks: Number
    order_root: Root
    """Over the root of each epoch and rank, whose leaves are occurrences in their order."""
    set_root: Root
    """Over the distinct records, sorted."""
    occurrences: Number
    covers_dataset: bool
    """Whether the set root is that of the dataset: each record was read, and no other."""


@dataclass(frozen=True)
class Commitments:
    """Roots over keyed commitments to record ids; `keyCommitment` is the digest of the key."""

    algorithm: Literal["hmac-sha256, rfc9162-sha256"]
    key_commitment: Digest
    datasets: tuple[Records, ...]
    streams: tuple[Stream, ...]


@dataclass(frozen=True)
class Predicate:
    """What was found out about a spec, when, and by what."""

    language: Language
    verifier: Verifier
    verified_at: Moment
    result: Result
    record_ids: Literal["hidden", "shown"]
    values: Mapping[str, Number]
    """Values that the provider chose for free parameters, so that loaders can be counted."""
    claims: tuple[Claim, ...]
    assumptions: tuple[Assumption, ...]
    populations: tuple[Population, ...]
    not_claimed: tuple[str, ...]
    commitments: Commitments | None = None


@dataclass(frozen=True)
class Subject:
    """A file, or a folder, that the statement is about, by its digest."""

    name: str
    digest: Mapping[str, Hex]


@dataclass(frozen=True)
class Statement:
    """An in-toto Statement, version 1, about the files of a schedule."""

    _type: Literal["https://in-toto.io/Statement/v1"]
    subject: tuple[Subject, ...]
    predicate_type: Literal["https://epochproof.example/schedule-verification/v1"]
    predicate: Predicate
