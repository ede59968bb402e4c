"""A push service on this machine: it checks who sends (RFC 8292), and reads as a browser does (RFC 8291)."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def b64(data: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """Return the bytes of base64url."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public key of a private one."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _mac(key: bytes, data: bytes) -> bytes:
    from cryptography.hazmat.primitives.hmac import HMAC

    mac = HMAC(key, hashes.SHA256())
    mac.update(data)
    return mac.finalize()


class Browser:
    """What a browser has: the keys of its subscription."""

    def __init__(self, auth: bytes = bytes(range(16)), private: int | None = None) -> None:
        """Make a key."""
        curve = ec.SECP256R1()
        self.key = (
            ec.generate_private_key(curve) if private is None else ec.derive_private_key(private, curve)
        )
        self.auth = auth

    def read(self, body: bytes) -> bytes:
        """Decrypt a message, by the steps of RFC 8188 and 8291."""
        salt, length = body[:16], body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert int.from_bytes(body[16:20], "big") >= len(sealed)
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        )
        first = _mac(self.auth, shared)
        info = b"WebPush: info\0" + point_of(self.key) + theirs
        secret = _mac(salt, HKDFExpand(hashes.SHA256(), 32, info).derive(first))
        key = HKDFExpand(hashes.SHA256(), 16, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDFExpand(hashes.SHA256(), 12, b"Content-Encoding: nonce\0").derive(secret)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\x02")
        return padded[:-1]


class Taken:
    """A message that came, at a time in ms since 1970."""

    def __init__(
        self, path: str, headers: dict[str, str], message: dict[str, Any], claims: dict[str, Any], at: int
    ) -> None:
        """Take it."""
        self.at = at
        self.path = path
        self.headers = headers
        self.message = message
        self.claims = claims


class PushService:
    """Takes messages for one browser; ``status`` is what it answers, after ``delay`` seconds.

    ``before_answer`` is awaited with each message that was taken, before it is answered.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.browser = Browser()
        self.port = 0
        self.taken: list[Taken] = []
        self.status = 201
        self.delay = 0.0
        self.asked = 0
        self.answer = b""
        self.before_answer: Callable[[Taken], Awaitable[None]] | None = None

    @property
    def origin(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def subscription(self, name: str = "anna", **more: Any) -> dict[str, Any]:
        """Return what a page sends as a new channel."""
        return {
            "kind": "push",
            "endpoint": f"{self.origin}/{name}",
            "p256dh": b64(point_of(self.browser.key)),
            "auth": b64(self.browser.auth),
            **more,
        }

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            at = time.time_ns() // 1_000_000
            first, *lines = head.strip().split("\r\n")
            headers = dict(
                line.lower().split(": ", 1) for line in lines if not line.lower().startswith("authorization")
            )
            said = next((line.partition(": ")[2] for line in lines if line.startswith("Authorization")), "")
            body = await reader.readexactly(int(headers["content-length"]))
            self.asked += 1
            if self.delay:
                await asyncio.sleep(self.delay)
            if self.status < 300:
                claims = verified(said, self.origin)
                message = msgspec.json.decode(self.browser.read(body))
                self.taken.append(Taken(first.split()[1], headers, message, claims, at))
                if self.before_answer is not None:
                    await self.before_answer(self.taken[-1])
            writer.write(self.answer or f"HTTP/1.1 {self.status} X\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):  # whoever sent it has ended in the middle
            pass
        finally:
            writer.close()


def verified(said: str, audience: str) -> dict[str, Any]:
    """Return the claims of an Authorization header, whose signature must be true."""
    scheme, _, rest = said.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    text, _, signature = parts["t"].rpartition(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(parts["k"]))
    raw = unb64(signature)
    assert len(raw) == 64
    r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    key.verify(encode_dss_signature(r, s), text.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (msgspec.json.decode(unb64(part)) for part in text.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    assert claims["aud"] == audience
    return {**claims, "k": parts["k"]}


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """Run a push service on a free port."""
    service = PushService()
    server = await asyncio.start_server(service._serve, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        server.close()
