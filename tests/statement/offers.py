"""An offer as a provider makes it: a spec with a config and a manifest, attested; and ways to forge it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rfc8785

from epochproof.statement import envelope, keys
from epochproof.statement.attest import attested, signed
from epochproof.statement.derived import Asked
from epochproof.statement.keys import PrivateKey
from epochproof.statement.policy import trusting
from epochproof.statement.verification import Given, Verification
from epochproof.statement.verify import verify

SPEC = """edition 1

bind t = config("train.yaml")

dataset clips {
  manifest = "clips.csv"
  id       = clip_id
}

loader train over clips {
  ranks  = t.ranks
  epochs = 2
  shuffle(seed = 7, reseed = epoch)
  shard(ranks, tail = pad)
  batch(2)
}

loader any over clips {
  ranks in 1..64
  shard(ranks, tail = pad)
}

prove  "every clip is read"               : any.omitted == {}
prove  "padding is less than a lane"      : any.padding < any.ranks
refute "no clip is read twice"            : train.multiplicity == 1
prove  "the epoch has eight occurrences"  : train.occurrences == 8
"""
MANIFEST = "clip_id\n" + "".join(f"secret_{each}\n" for each in "abcdefg")
MOMENT = "2026-11-29T00:00:00Z"


def seeded(seed: int) -> PrivateKey:
    """The same key for the same number."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- an extra

    return keys._with_public(Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


ACME, OTHER = seeded(1), seeded(2)


@dataclass(frozen=True)
class Offer:
    """A provider's folder, and the envelope over it."""

    folder: Path
    envelope: str

    @property
    def spec(self) -> Path:
        return self.folder / "train.epoch"

    @property
    def statement(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(base64.b64decode(json.loads(self.envelope)["payload"]))
        return found

    def forged(self, change: Callable[[dict[str, Any]], object], key: PrivateKey = ACME) -> str:
        """The statement with a change, signed again: what a provider may do who does not tell the truth."""
        statement = self.statement
        change(statement)
        return envelope.written(envelope.signed(rfc8785.dumps(statement), [key]))

    def checked(self, text: str | None = None, **given: Any) -> Verification:
        """What a buyer finds who trusts the key of the provider and has its files."""
        everything = {"policy": trusting([("acme", ACME.public)]), "spec": self.spec, **given}
        return verify((text or self.envelope).encode(), Given(**everything))


def laid_out(folder: Path) -> Path:
    """The files of the provider in a folder; the path of the spec."""
    (folder / "train.epoch").write_text(SPEC)
    (folder / "train.yaml").write_text("ranks: 4\n")
    (folder / "clips.csv").write_text(MANIFEST)
    return folder / "train.epoch"


def offer(folder: Path, **asked: Any) -> Offer:
    """The offer in a folder that is empty."""
    spec = laid_out(folder)
    given = {"moment": MOMENT, "commitment_key": ACME.commitment_key(), **asked}
    return Offer(folder, signed(attested(spec, Asked(**given))[0], [ACME]))


def refusals(found: Verification) -> list[str]:
    """The codes and texts of what is refused."""
    return [f"{each.code} {each.text}" for each in found.findings if each.word == "refused"]
