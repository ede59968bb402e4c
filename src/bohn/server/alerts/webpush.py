"""Web Push: a message is encrypted for one browser (RFC 8291) and signed by this server (VAPID, RFC 8292).

Both are a few steps over the primitives of ``cryptography``, which comes with ``bohn[accounts]`` and is
imported when it is first needed. Why no library does them: docs/adr/0020.
"""

from __future__ import annotations

import base64
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from bohn.server.entropy import Entropy

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

RECORD = 4_096
"""Bytes of a record, of which there is one: what push services take at least (RFC 8030, 7.2)."""

HOLDS = 12 * 3_600
"""Seconds for which a signature holds; at most a day (RFC 8292, 2)."""

KEY_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
"""Of a browser's public key, of the secret that it shares with us, and of the salt of a message."""


class Subscription(Struct, frozen=True):
    """Where a browser is reached, and its keys (base64url)."""

    endpoint: str
    p256dh: str
    auth: str


def is_installed() -> bool:
    """Tell whether messages can be encrypted here."""
    return find_spec("cryptography") is not None


def new_key() -> bytes:
    """Return a new private key, as it is stored."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big")


def public_key_of(secret: bytes) -> str:
    """Return the public key that browsers subscribe with (base64url)."""
    return encoded(_point(_private(secret)))


def is_valid(subscription: Subscription) -> bool:
    """Tell whether the keys of a subscription are keys."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        key, auth = decoded(subscription.p256dh), decoded(subscription.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError:
        return False
    return len(key) == KEY_BYTES and len(auth) == AUTH_BYTES


def encrypt(subscription: Subscription, message: bytes, salt: bytes, own: bytes) -> bytes:
    """Return a message as only this browser can read it; ``own`` is a private key that is used once."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    private, theirs = _private(own), decoded(subscription.p256dh)
    point = _point(private)
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))

    def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

    secret = derive(decoded(subscription.auth), shared, b"WebPush: info\0" + theirs + point, 32)
    key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + b"\x02", None)
    return salt + RECORD.to_bytes(4, "big") + bytes([len(point)]) + point + sealed


def encrypted(subscription: Subscription, message: bytes, entropy: Entropy) -> bytes:
    """Return a message as only this browser can read it, with a key and a salt of its own."""
    return encrypt(subscription, message, entropy.token_bytes(SALT_BYTES), new_key())


def authorization(secret: bytes, audience: str, contact: str, now: int) -> str:
    """Return the header that tells a push service (its origin) who sends; ``now`` in ms since 1970."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    private = _private(secret)
    claims = {"aud": audience, "exp": now // 1000 + HOLDS, "sub": contact}
    text = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    r, s = decode_dss_signature(private.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={text}.{signature}, k={encoded(_point(private))}"


def _json(value: Any) -> str:
    return encoded(msgspec.json.encode(value))


def _private(secret: bytes) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())


def _point(private: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64url, padded or not. Raises ``ValueError``."""
    plain = text.rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
