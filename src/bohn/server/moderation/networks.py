"""Networks that are sanctioned: how they are written, whom they hold, and which are everybody's."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from contextlib import suppress

from bohn.protocol.refusals import Problem, Refusal

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

NARROWEST_COMMON = {4: 16, 6: 32}
"""Bits of a prefix: a network with fewer is that of a whole provider."""

SHARED = tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "::1/128", "100.64.0.0/10")))
"""This machine, whence all come by a proxy that names nobody; and what providers share among customers."""


OF_ONE_LINE = 64
"""Bits of an IPv6 prefix that one household has: within it every device takes other addresses as it likes."""

_ZONE = re.compile("%[^/]*")
"""Names an interface of this machine behind an address of the link: it says nothing of who comes."""


def network_of(text: str) -> Network:
    """Return the network of CIDR notation, or of an address: that alone, or the /64 of an IPv6 one.

    Raises ``not-understood``.
    """
    try:
        found = ipaddress.ip_network(_ZONE.sub("", text.strip()), strict=False)
    except ValueError:
        raise Refusal(Problem.NOT_UNDERSTOOD, path="network", given=text) from None
    if (
        isinstance(found, ipaddress.IPv6Network)
        and found.prefixlen >= 96
        and found.network_address.ipv4_mapped
    ):
        return ipaddress.ip_network((found.network_address.ipv4_mapped, found.prefixlen - 96))
    if "/" not in text and found.version == 6 and not found.is_loopback:
        return found.supernet(new_prefix=OF_ONE_LINE)
    return found


def holds(network: Network, address: str) -> bool:
    """Tell whether an address is in a network; what is no address is in none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return found in network


def is_everybodys(network: Network, proxies: Iterable[str] = ()) -> bool:
    """Tell whether many people who have nothing to do with one another come from a network."""
    if network.prefixlen < NARROWEST_COMMON[network.version]:
        return True
    return any(_overlap(network, other) for other in (*SHARED, *_networks(proxies)))


def _networks(proxies: Iterable[str]) -> list[Network]:
    """Return the addresses and networks of proxies; what else may name one is no network."""
    found = []
    for proxy in proxies:
        with suppress(Refusal):
            found.append(network_of(proxy))
    return found


def _overlap(one: Network, other: Network) -> bool:
    return one.version == other.version and one.overlaps(other)
