"""An authenticator in software: it makes passkeys, and signs with them or with what a test asks for."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
"""Flags: somebody was there, it was the owner, and the data of a new passkey follow."""


def text_of(data: bytes) -> str:
    """Return bytes as base64url."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """Return the bytes of base64url."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """A device with one passkey; ``count`` is how often it has signed, 0 for one that never counts."""

    def __init__(self, name: str = "key", count: int = 0) -> None:
        """Make a key pair."""
        self.id = sha256(name.encode()).digest()[:16]
        self.count = count
        self.user = b""
        self.key = ec.generate_private_key(ec.SECP256R1())

    def make(
        self, options: dict[str, Any], origin: str, *, party: str = "", flags: int = PRESENT | VERIFIED
    ) -> dict[str, Any]:
        """Answer what a page is given for ``navigator.credentials.create``."""
        self.user = bytes_of(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(cose)
        data = self._data(party or options["rp"]["id"], flags | ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = _client("webauthn.create", options["challenge"], origin)
        return self._named({"clientDataJSON": text_of(client), "attestationObject": text_of(attestation)})

    def sign(
        self,
        options: dict[str, Any],
        origin: str,
        *,
        party: str = "",
        flags: int = PRESENT | VERIFIED,
        counts: int = 0,
        kind: str = "webauthn.get",
        by: ec.EllipticCurvePrivateKey | None = None,
    ) -> dict[str, Any]:
        """Answer what a page is given for ``navigator.credentials.get``; the count goes on by ``counts``."""
        self.count += counts
        data = self._data(party or options["rpId"], flags)
        client = _client(kind, options["challenge"], origin)
        signed = (by or self.key).sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._named(
            {
                "clientDataJSON": text_of(client),
                "authenticatorData": text_of(data),
                "signature": text_of(signed),
                "userHandle": text_of(self.user),
            }
        )

    def _data(self, party: str, flags: int) -> bytes:
        return sha256(party.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _named(self, response: dict[str, str]) -> dict[str, Any]:
        name = text_of(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}


def _client(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()
