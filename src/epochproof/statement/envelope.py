"""A DSSE envelope: the bytes that were signed, their type, and the signatures."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe
from epochproof.statement.strict_json import JsonError, loads

if TYPE_CHECKING:
    from epochproof.statement.keys import PrivateKey, PublicKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"

MOST_BYTES = 16_000_000
"""An envelope is refused unread beyond this; a statement about a hundred claims takes a hundredth of it."""

MOST_SIGNATURES = 64

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}", re.ASCII)


@dataclass(frozen=True)
class Signature:
    """A signature over the encoding of type and payload; `keyid` is a hint that nobody signed."""

    sig: bytes
    keyid: str


@dataclass(frozen=True)
class Envelope:
    """What was signed, exactly these bytes, and by whom."""

    payload: bytes
    signatures: tuple[Signature, ...]
    payload_type: str = PAYLOAD_TYPE

    def signers(self, keys: Iterable[PublicKey]) -> tuple[PublicKey, ...]:
        """Those of the keys that signed, each once; every key is tried on every signature."""
        encoded = encoding(self.payload_type, self.payload)
        return tuple(
            key
            for key in dict.fromkeys(keys)
            if any(key.signed(encoded, each.sig) for each in self.signatures)
        )


def encoding(payload_type: str, payload: bytes) -> bytes:
    """The pre-authentication encoding: what is signed in place of the payload alone."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def signed(payload: bytes, keys: Iterable[PrivateKey]) -> Envelope:
    """The payload, signed by each of the keys."""
    encoded = encoding(PAYLOAD_TYPE, payload)
    return Envelope(payload, tuple(Signature(key.sign(encoded), key.public.keyid) for key in keys))


def written(envelope: Envelope) -> str:
    """The envelope as JSON, with a line break at the end."""
    signatures = [{"keyid": each.keyid, "sig": _as_base64(each.sig)} for each in envelope.signatures]
    document = {
        "payloadType": envelope.payload_type,
        "payload": _as_base64(envelope.payload),
        "signatures": signatures,
    }
    return json.dumps(document, indent=1) + "\n"


def read(content: bytes) -> Envelope:
    """The envelope that the bytes are.

    Raises:
        SpecError: They are none, or hold something else than a statement.
    """
    if len(content) > MOST_BYTES:
        raise _unreadable(f"it holds more than {MOST_BYTES:,} bytes")
    try:
        found = loads(content)
    except JsonError as error:
        raise _unreadable(str(error)) from None
    kind = _text(found, "payloadType")
    if kind != PAYLOAD_TYPE:
        raise fail("E902", f"the envelope holds `{safe(kind[:60])}` and no statement", None, help=_KIND)
    signatures = found.get("signatures")
    if not isinstance(signatures, list) or not 1 <= len(signatures) <= MOST_SIGNATURES:
        raise _unreadable(f"`signatures` is no list of 1 to {MOST_SIGNATURES}")
    return Envelope(_bytes(found, "payload"), tuple(map(_signature, signatures)), kind)


_KIND = f"a statement has the payload type `{PAYLOAD_TYPE}`"


def _signature(found: Any) -> Signature:
    sig = _bytes(found, "sig")
    keyid = found.get("keyid", "")
    return Signature(sig, keyid if isinstance(keyid, str) else "")


def _text(found: Any, name: str) -> str:
    value = found.get(name) if isinstance(found, dict) else None
    if not isinstance(value, str):
        raise _unreadable(f"it has no text `{name}`")
    return value


def _bytes(found: Any, name: str) -> bytes:
    """What a text in either alphabet of base64 stands for."""
    text = _text(found, name)
    try:
        if not _BASE64.fullmatch(text):
            raise _unreadable(f"`{name}` is no base64")
        plain = text.rstrip("=").translate(str.maketrans("-_", "+/"))
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        raise _unreadable(f"`{name}` is no base64") from None


def _as_base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _unreadable(why: str) -> SpecError:
    return fail("E901", f"this is no DSSE envelope: {why}", None, help="`attest` writes one")
