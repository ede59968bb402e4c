"""Requests to addresses that users have named: guarded against private networks, and short in time and size.

A host is resolved here, each of its addresses is looked at, and the connection goes to the very address that
was looked at, so that a name which answers differently the second time leads nowhere else. Nothing is
followed: a redirect is an answer like another one. Of an answer its head is read, and no more.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from urllib.parse import urlsplit

from msgspec import Struct

SECONDS = 10
"""In which a request must be done, from the name to the answer's head."""

HEAD_BYTES = 16_384
"""Of the head of an answer."""

LONGEST_URL = 2_000

RESOLVERS = 16
"""Names that are looked up at once. Somebody's name server may be silent: no other work waits for it."""

_ALLOWED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%")


class NotSent(Exception):  # noqa: N818 - a fact
    """No answer came; ``reason`` is a word for logs."""

    def __init__(self, reason: str) -> None:
        """Take the word."""
        self.reason = reason
        super().__init__(reason)


class NotWanted(Exception):  # noqa: N818 - a fact
    """What was to be sent is worth nothing any more, as was seen directly before it was sent."""


class Place(Struct, frozen=True):
    """Where a request goes."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        """The origin, as the audience of a signature has it."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """The host as the Host header names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == {"https": 443, "http": 80}[self.scheme] else f"{host}:{self.port}"


def place_of(url: str, *, private: bool) -> Place | None:
    """Return where a URL leads; ``None`` if it may not be asked: without TLS, unless ``private`` ones may."""
    if not 0 < len(url) <= LONGEST_URL or not set(url) <= _ALLOWED:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ({"https", "http"} if private else {"https"}) or not parts.hostname:
        return None
    if parts.username is not None or parts.password is not None or port == 0:
        return None
    query = f"?{parts.query}" if parts.query else ""
    return Place(
        parts.scheme, parts.hostname, port or {"https": 443, "http": 80}[parts.scheme],
        f"{parts.path or '/'}{query}",
    )  # fmt: skip


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the whole net, also where one is wrapped in another."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(str(inner))
        return ip in _WHOLE_NET and ip not in _DOCUMENTS and ip.is_global
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _SPECIAL)


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

_WHOLE_NET = ipaddress.IPv6Network("2000::/3")
"""What is given out at all (RFC 4291): beside it lie sites, translators and old ways to write IPv4."""

_DOCUMENTS = ipaddress.IPv6Network("3fff::/20")
_SPECIAL = tuple(map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
"""Of special use, though not every Python knows it (RFC 6890, 7526, 9637)."""


def always() -> bool:
    """Tell that something is worth it still."""
    return True


async def post(
    place: Place,
    headers: Mapping[str, str],
    body: bytes,
    *,
    private: bool,
    seconds: float = SECONDS,
    wanted: Callable[[], bool] = always,
) -> int:
    """Send a POST and return the status of its answer; raises :class:`NotSent`.

    To find and reach a host takes its time: whether it is ``wanted`` still is asked directly before anything
    is sent. Raises :class:`NotWanted`.
    """
    try:
        async with asyncio.timeout(seconds):
            address = await _address_of(place, private=private)
            return await _exchange(place, address, headers, body, wanted)
    except TimeoutError:
        raise NotSent("slow") from None
    except ssl.SSLError:
        raise NotSent("tls") from None
    except (OSError, EOFError, ValueError):
        raise NotSent("unreachable") from None


async def _address_of(place: Place, *, private: bool) -> str:
    """Return an address of a host; none of them may be private, so that chance decides nothing."""
    find = partial(socket.getaddrinfo, place.host, place.port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_resolvers(), find)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not (private or all(map(is_public, addresses))):
        raise NotSent("private")
    return addresses[0]


async def _exchange(
    place: Place, address: str, headers: Mapping[str, str], body: bytes, wanted: Callable[[], bool]
) -> int:
    tls = _tls() if place.scheme == "https" else None
    reader, writer = await asyncio.open_connection(
        address, place.port, ssl=tls, server_hostname=place.host if tls else None, limit=HEAD_BYTES
    )
    try:
        if not wanted():
            raise NotWanted
        lines = [
            f"POST {place.target} HTTP/1.1",
            f"Host: {place.authority}",
            "Connection: close",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join((*lines, "", "")).encode("ascii") + body)
        await writer.drain()
        return await _status(reader)
    finally:
        writer.close()
        with suppress(OSError):
            writer.transport.abort()


async def _status(reader: asyncio.StreamReader) -> int:
    """Return the status of an answer; its head must come whole."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise NotSent("too-large") from None
    version, _, rest = head.partition(b" ")
    if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
        raise NotSent("no-http")
    status = int(rest[:3])
    return await _status(reader) if status < 200 else status


@cache
def _resolvers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(RESOLVERS, "names")


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
