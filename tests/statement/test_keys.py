"""Keys: files that only their owner reads, and everything that is no such key."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from epochproof.diagnostics import SpecError
from epochproof.statement import keys
from tests.statement.offers import ACME

PEM, DER = serialization.Encoding.PEM, serialization.Encoding.DER
SPKI = serialization.PublicFormat.SubjectPublicKeyInfo


def refused(path: Path, *, private: bool = False, passphrase: bytes | None = None) -> str:
    with pytest.raises(SpecError) as caught:
        keys.read_private(path, passphrase) if private else keys.read_public(path)
    assert caught.value.diagnostics[0].code == "E906"
    return caught.value.diagnostics[0].message


def test_key_is_stored_for_its_owner_alone(tmp_path: Path) -> None:
    public = keys.store(ACME, tmp_path / "acme.pem", None)

    assert stat.S_IMODE((tmp_path / "acme.pem").stat().st_mode) == 0o600
    assert public == tmp_path / "acme.pub.pem"
    assert keys.read_private(tmp_path / "acme.pem", None).public == ACME.public == keys.read_public(public)


def test_key_is_never_overwritten(tmp_path: Path) -> None:
    keys.store(ACME, tmp_path / "acme.pem", None)

    with pytest.raises(SpecError, match=r"acme.pem` is there already"):
        keys.store(keys.new(), tmp_path / "acme.pem", None)


def test_half_of_a_key_is_never_left_behind(tmp_path: Path) -> None:
    (tmp_path / "acme.pub.pem").write_text("somebody's")

    with pytest.raises(SpecError, match=r"acme.pub.pem` is there already"):
        keys.store(keys.new(), tmp_path / "acme.pem", None)
    assert not (tmp_path / "acme.pem").exists()


def test_public_key_is_what_cryptography_writes() -> None:
    found = ACME.key.public_key()

    assert ACME.public.pem == found.public_bytes(PEM, SPKI).decode()
    assert ACME.public.keyid == hashlib.sha256(found.public_bytes(DER, SPKI)).hexdigest()


def test_passphrase_locks_the_key(tmp_path: Path) -> None:
    keys.store(ACME, tmp_path / "acme.pem", b"open sesame")

    assert keys.read_private(tmp_path / "acme.pem", b"open sesame").public == ACME.public
    assert "does not open with this passphrase" in refused(
        tmp_path / "acme.pem", private=True, passphrase=b"x"
    )
    assert "is locked by a passphrase" in refused(tmp_path / "acme.pem", private=True)


def test_passphrase_that_is_not_needed_does_no_harm(tmp_path: Path) -> None:
    keys.store(ACME, tmp_path / "acme.pem", None)

    assert keys.read_private(tmp_path / "acme.pem", b"x").public == ACME.public


def test_commitment_key_repeats_and_tells_nothing_of_the_key() -> None:
    secret = ACME.commitment_key()

    assert secret == ACME.commitment_key() and len(secret) == 32
    assert secret != ACME.key.private_bytes_raw()


def test_each_audience_has_a_secret_of_its_own() -> None:
    secrets = {ACME.commitment_key(each) for each in ("", "buyer", "auditor", "\udcff")}

    assert len(secrets) == 4


def test_wrong_half_is_told_by_its_name(tmp_path: Path) -> None:
    public = keys.store(ACME, tmp_path / "acme.pem", None)

    assert refused(public, private=True).endswith("acme.pub.pem` is a public key, which signs nothing")
    assert "is a public key" in refused(public, private=True, passphrase=b"x")


def test_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    form = serialization.PrivateFormat.PKCS8
    (tmp_path / "ec.pem").write_bytes(other.private_bytes(PEM, form, serialization.NoEncryption()))
    (tmp_path / "ec.pub.pem").write_bytes(other.public_key().public_bytes(PEM, SPKI))

    assert "is no Ed25519 key" in refused(tmp_path / "ec.pub.pem")
    assert "is no Ed25519 key" in refused(tmp_path / "ec.pem", private=True)


def test_private_key_in_place_of_a_public_one_is_told(tmp_path: Path) -> None:
    keys.store(ACME, tmp_path / "acme.pem", None)

    assert "is a private key" in refused(tmp_path / "acme.pem")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a key",
        b"-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
        b"-----BEGIN PUBLIC KEY-----\n%%%%\n-----END PUBLIC KEY-----\n",
        ACME.public.pem.encode() * 2,
        ACME.public.pem.replace("MCow", "MCox").encode(),
    ],
)
def test_what_is_no_key_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_bytes(content)

    assert "is no Ed25519 key" in refused(tmp_path / "key.pem")
    assert "is no Ed25519 key" in refused(tmp_path / "key.pem", private=True)


def test_missing_file_is_told(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "none.pem")


def test_any_key_made_elsewhere_is_read(tmp_path: Path) -> None:
    made = ed25519.Ed25519PrivateKey.generate()
    (tmp_path / "k.pem").write_bytes(made.public_key().public_bytes(PEM, SPKI).replace(b"\n", b"\r\n"))

    assert keys.read_public(tmp_path / "k.pem").signed(b"content", made.sign(b"content"))
