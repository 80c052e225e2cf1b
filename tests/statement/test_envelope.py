"""DSSE envelopes: what is signed, what is read, and every malformed one is refused."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from epochproof.diagnostics import SpecError
from epochproof.statement import envelope
from epochproof.statement.envelope import Envelope, Signature, encoding, read, signed, written
from tests.statement.offers import ACME, OTHER

GOOD = {
    "payloadType": "application/vnd.in-toto+json",
    "payload": base64.b64encode(b"{}").decode(),
    "signatures": [{"keyid": "", "sig": base64.b64encode(b"x" * 64).decode()}],
}


def refused(content: bytes) -> str:
    with pytest.raises(SpecError) as caught:
        read(content)
    (found,) = caught.value.diagnostics
    return f"{found.code} {found.message}"


def test_encoding_is_that_of_the_protocol() -> None:
    assert (
        encoding("http://example.com/HelloWorld", b"hello world")
        == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


def test_encoding_counts_bytes_and_not_letters() -> None:
    assert encoding("é", "é".encode()) == b"DSSEv1 2 \xc3\xa9 2 \xc3\xa9"


def test_what_is_written_is_read() -> None:
    one = signed(b'{"a":1}', [ACME, OTHER])

    assert read(written(one).encode()) == one


def test_both_alphabets_are_read() -> None:
    one = signed(bytes(range(256)) * 3, [ACME])
    text = written(one)
    both = {letter for letter in "+/" if letter in text.partition('"payload": ')[2]}

    assert both == {"+", "/"}
    for swapped in (text.translate(str.maketrans("+/", "-_")), text.replace("=", "")):
        document = json.loads(swapped)
        document["payloadType"] = one.payload_type
        assert read(json.dumps(document).encode()) == one


def test_each_key_that_signed_counts_once() -> None:
    one = signed(b"{}", [ACME, ACME, OTHER])

    assert one.signers([ACME.public, ACME.public]) == (ACME.public,)
    assert one.signers([ACME.public, OTHER.public]) == (ACME.public, OTHER.public)


def test_keyid_decides_nothing() -> None:
    (signature,) = signed(b"{}", [ACME]).signatures

    for hint in ("", "0" * 64, OTHER.public.keyid):
        assert Envelope(b"{}", (Signature(signature.sig, hint),)).signers([ACME.public]) == (ACME.public,)
    assert Envelope(b"{}", (Signature(b"x" * 64, ACME.public.keyid),)).signers([ACME.public]) == ()


@pytest.mark.parametrize("signature", [b"", b"x", b"\x00" * 64, b"\xff" * 64, b"x" * 65])
def test_what_is_no_signature_is_nobodys(signature: bytes) -> None:
    assert Envelope(b"{}", (Signature(signature, ""),)).signers([ACME.public]) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"payloadType": "text/plain"}, "E902 the envelope holds `text/plain` and no statement"),
        ({"payload": "{}"}, "`payload` is no base64"),
        ({"payload": "e30=\n"}, "`payload` is no base64"),
        ({"payload": "e"}, "`payload` is no base64"),
        ({"payload": 7}, "it has no text `payload`"),
        ({"signatures": []}, "`signatures` is no list of 1 to 64"),
        ({"signatures": {}}, "`signatures` is no list of 1 to 64"),
        ({"signatures": [GOOD["signatures"]] * 65}, "`signatures` is no list of 1 to 64"),
        ({"signatures": [{}]}, "it has no text `sig`"),
        ({"signatures": ["sig"]}, "it has no text `sig`"),
    ],
)
def test_malformed_envelope_is_refused(change: dict[str, Any], said: str) -> None:
    assert said in refused(json.dumps({**GOOD, **change}).encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is no JSON"),
        (b"[]", "it has no text `payloadType`"),
        (b"null", "it has no text `payloadType`"),
        (b"\xff\xfe", "it is not UTF-8"),
        (b'{"payload": NaN}', "it holds `NaN`"),
        (b'{"payload": "e30=", "payload": "e30="}', "it gives the key `payload` twice"),
        (b"[" * 100_000, "it nests too deep"),
        (b'{"a":' * 100_000, "it nests too deep"),
        (b'{"a": ' + b"1" * 1_000_000 + b"}", "it holds a number of 1,000,000 digits"),
        (b'{"\\u001b[2J": 1, "\\u001b[2J": 1}', "it gives the key `\ufffd[2J` twice"),
    ],
)
def test_what_is_no_envelope_is_refused(content: bytes, said: str) -> None:
    assert refused(content).startswith("E901") and said in refused(content)


def test_envelope_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "MOST_BYTES", 10)

    assert "more than 10 bytes" in refused(json.dumps(GOOD).encode())
