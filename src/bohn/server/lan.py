"""The LAN: this machine's address in it, and whether Bohn is running on this machine already."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

import msgspec
import urllib3
from urllib3.exceptions import HTTPError

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what --lan asks for
"""Listens on every address of this machine."""

HERE = (EVERYWHERE, "", "::", "127.0.0.1", "::1")
"""Hosts under which this machine reaches a server of its own."""

_TARGETS = ("192.0.2.1", "192.168.255.255", "10.255.255.255", "172.31.255.255", "224.0.0.251")
"""Addresses whose routes are looked up: one on the Internet, then some in the usual private networks."""

ANSWER_SECONDS = 3.0
"""Seconds in which a server on this machine must answer before it is taken for another program."""


class Running(msgspec.Struct, frozen=True):
    """The part of a server's catalog that names its program and its address in the LAN."""

    product: str
    share: str | None = None


def local_address() -> str | None:
    """Return the address under which others of the same network reach this machine; nothing is sent.

    A private address comes first; among several the one by which this machine reaches the Internet.
    """
    usable = [address for address in (*_by_route(), *_by_name()) if _reachable(address)]
    at_home = [address for address in usable if address.is_private]
    return next(map(str, at_home + usable), None)


def _by_route() -> list[ipaddress.IPv4Address]:
    """Return the addresses from which the system would send to each target; nothing is sent."""
    found = []
    for target in _TARGETS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect((target, 9))
            found.append(ipaddress.IPv4Address(probe.getsockname()[0]))
    return found


def _by_name() -> list[ipaddress.IPv4Address]:
    """Return the addresses of this machine's own name."""
    with suppress(OSError, UnicodeError):
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        return [ipaddress.IPv4Address(entry[4][0]) for entry in entries]
    return []


def _reachable(address: ipaddress.IPv4Address) -> bool:
    local = address.is_loopback or address.is_unspecified
    return not (local or address.is_multicast or address.is_link_local)


def running_at(host: str, port: int) -> tuple[str, Running] | None:
    """Return address and catalog of the Bohn that has this port; ``None`` if something else has it."""
    url = url_of(host, port)
    probed = _url({EVERYWHERE: "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host), port)
    with suppress(HTTPError, msgspec.MsgspecError, UnicodeError):
        answer = urllib3.request(
            "GET", probed + "/api/catalog", timeout=ANSWER_SECONDS, retries=False, redirect=False
        )
        found = msgspec.json.decode(answer.data, type=Running)
        if answer.status == 200 and found.product.startswith("bohn "):
            return url, found
    return None


def url_of(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine for a server that listens on ``host``.

    This machine itself is called by its name: browsers tie what is installed, and passkeys, to a name.
    """
    return _url("localhost" if host in HERE else host, port)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
