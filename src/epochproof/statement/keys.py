"""Ed25519 keys: made, kept in PEM files, and used; a key is known by the digest of its public half."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe

MOST_BYTES = 20_000
"""A file of a key is far smaller."""

_PREFIX = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo, as RFC 8410 has it."""

_PEM = re.compile(rb"-----BEGIN PUBLIC KEY-----\s(.*)-----END PUBLIC KEY-----", re.DOTALL)

_COMMITMENT = b"epochproof/commitment/1"


@dataclass(frozen=True)
class PublicKey:
    """What verifies a signature: the 32 bytes of an Ed25519 key."""

    raw: bytes

    @property
    def keyid(self) -> str:
        """SHA-256 of its SubjectPublicKeyInfo, in hexadecimal digits."""
        return hashlib.sha256(_PREFIX + self.raw).hexdigest()

    @property
    def pem(self) -> str:
        """Its SubjectPublicKeyInfo as PEM, with a line break at the end."""
        held = base64.b64encode(_PREFIX + self.raw).decode("ascii")
        return f"-----BEGIN PUBLIC KEY-----\n{held}\n-----END PUBLIC KEY-----\n"

    def signed(self, content: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's, over exactly these bytes."""
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 -- an extra

        try:
            _ed25519().Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, content)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True, repr=False)
class PrivateKey:
    """What signs; never printed."""

    key: Any
    public: PublicKey

    def sign(self, content: bytes) -> bytes:
        """The signature over the bytes."""
        signature: bytes = self.key.sign(content)
        return signature

    def commitment_key(self, audience: str = "") -> bytes:
        """The secret under which record ids are committed to: derived, so that it repeats, and one way.

        Each audience has its own, so that two of them cannot join what they were told.
        """
        from cryptography.hazmat.primitives import hashes  # noqa: PLC0415 -- an extra
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415 -- an extra

        purpose = (
            b"\0".join((_COMMITMENT, audience.encode("utf-8", "surrogateescape")))
            if audience
            else _COMMITMENT
        )
        derived: bytes = HKDF(hashes.SHA256(), 32, None, purpose).derive(self.key.private_bytes_raw())
        return derived


def new() -> PrivateKey:
    """A key that nobody has."""
    return _with_public(_ed25519().Ed25519PrivateKey.generate())


def private_pem(key: PrivateKey, passphrase: bytes | None) -> bytes:
    """The key as PKCS#8, encrypted if there is a passphrase."""
    serialization = _serialization()
    how = serialization.NoEncryption()
    if passphrase is not None:
        how = serialization.BestAvailableEncryption(passphrase)
    form = serialization.PrivateFormat.PKCS8
    pem: bytes = key.key.private_bytes(serialization.Encoding.PEM, form, how)
    return pem


def store(key: PrivateKey, path: Path, passphrase: bytes | None) -> Path:
    """Writes the private key, which only its owner may read, and beside it the public one, which is returned.

    Raises:
        SpecError: One of the files is there already, or cannot be written.
    """
    public = path.with_suffix(".pub.pem")
    for each in (path, public):
        if os.path.lexists(each):
            raise _there(each)
    _create(path, private_pem(key, passphrase), 0o600)
    _create(public, key.public.pem.encode(), 0o644)
    return public


def _there(path: Path) -> SpecError:
    cure = "name another file with `--out`; a key is never overwritten"
    return fail("E906", f"`{safe(str(path))}` is there already", None, help=cure)


def _create(path: Path, content: bytes, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise _there(path) from None
    except OSError as error:
        raise fail("E510", f"cannot write `{safe(str(path))}`: {str(error.strerror).lower()}", None) from None
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def read_public(path: Path) -> PublicKey:
    """The public key in a PEM file."""
    return public_of(_content(path), f"`{safe(str(path))}`")


def public_of(pem: bytes, called: str) -> PublicKey:
    """The public key that a PEM text holds.

    Raises:
        SpecError: It holds none, a private one, or one that is not Ed25519.
    """
    if b"PRIVATE KEY" in pem:
        raise fail("E906", f"{called} is a private key", None, help="the public half lies in `….pub.pem`")
    found = _PEM.fullmatch(pem.strip())
    try:
        held = base64.b64decode(b"".join(found[1].split()), validate=True) if found else b""
    except ValueError:
        raise _no_key(called) from None
    if len(held) != len(_PREFIX) + 32 or not held.startswith(_PREFIX):
        raise _no_key(called)
    return PublicKey(held.removeprefix(_PREFIX))


def read_any(path: Path, passphrase: bytes | None) -> PublicKey:
    """The public key in a PEM file, or the public half of the private one in it."""
    if b"PRIVATE KEY" in _content(path):
        return read_private(path, passphrase).public
    return read_public(path)


def read_private(path: Path, passphrase: bytes | None) -> PrivateKey:
    """The private key in a PEM file.

    Raises:
        SpecError: It cannot be read, is none, is not Ed25519, or the passphrase does not fit.
    """
    content, called = _content(path), f"`{safe(str(path))}`"
    try:
        found = _serialization().load_pem_private_key(content, passphrase)
    except TypeError:
        if passphrase is None:
            cure = "give the file that holds it with `--passphrase-file`"
            raise fail("E906", f"{called} is locked by a passphrase", None, help=cure) from None
        found = _serialization().load_pem_private_key(content, None)
    except (ValueError, _unsupported()):
        raise _not_private(content, called, passphrase) from None
    if not isinstance(found, _ed25519().Ed25519PrivateKey):
        raise _no_key(called)
    return _with_public(found)


def _not_private(content: bytes, called: str, passphrase: bytes | None) -> SpecError:
    """Why a file is no private key that opens."""
    if passphrase is not None and b"ENCRYPTED" in content:
        cure = "the passphrase is the first line of the file that `--passphrase-file` names"
        return fail("E906", f"{called} does not open with this passphrase", None, help=cure)
    try:
        public_of(content, called)
    except SpecError:
        return _no_key(called)
    return fail("E906", f"{called} is a public key, which signs nothing", None, help="name the private one")


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError as error:
        why = str(error.strerror).lower()
        raise fail("E906", f"cannot read `{safe(str(path))}`: {why}", None, help="check the path") from None


def _no_key(called: str) -> SpecError:
    return fail("E906", f"{called} is no Ed25519 key in PEM", None, help="`epochproof key new` makes a key")


def _with_public(key: Any) -> PrivateKey:
    return PrivateKey(key, PublicKey(key.public_key().public_bytes_raw()))


def _ed25519() -> ModuleType:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 -- an extra
    except ModuleNotFoundError:
        raise _missing() from None
    return ed25519


def _serialization() -> ModuleType:
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 -- an extra
    except ModuleNotFoundError:
        raise _missing() from None
    return serialization


def _unsupported() -> type[Exception]:
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- an extra

    return UnsupportedAlgorithm


def _missing() -> SpecError:
    cure = "install it: `pip install 'epochproof[statement]'`"
    return fail("E900", "signing and verifying need the package `cryptography`", None, help=cure)
