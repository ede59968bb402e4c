"""Networks that are sanctioned: what an address means, and which are everybody's."""

from __future__ import annotations

import pytest

from bohn.protocol.refusals import Problem, Refusal
from bohn.server.moderation.networks import holds, is_everybodys, network_of


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("203.0.113.7", "203.0.113.7/32"),
        (" 203.0.113.7/24 ", "203.0.113.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3:4:5:6/128", "2001:db8:1:2:3:4:5:6/128"),
        ("2001:db8:1:2::/56", "2001:db8:1::/56"),
        ("::ffff:203.0.113.7", "203.0.113.7/32"),
        ("::ffff:203.0.113.7/120", "203.0.113.0/24"),
        ("::1", "::1/128"),
        ("fe80::1:2%eth0", "fe80::/64"),
        ("fe80::1:2%eth0/64", "fe80::/64"),
    ],
)
def test_network_of_an_address_is_what_one_household_has(text: str, network: str) -> None:
    """A device of IPv6 changes its address within its /64 as it likes, so that all of it is meant."""
    assert str(network_of(text)) == network


@pytest.mark.parametrize("text", ["", "nowhere", "1.2.3.4/33", "0x7f.1", "1.2.3", "\0", "::1/129", "%eth0"])
def test_network_that_is_none_is_not_understood(text: str) -> None:
    """And told as it was given."""
    with pytest.raises(Refusal) as refused:
        network_of(text)
    assert (refused.value.problem, refused.value.params["given"]) == (Problem.NOT_UNDERSTOOD, text)


@pytest.mark.parametrize(
    ("network", "address", "inside"),
    [
        ("203.0.113.0/24", "::ffff:203.0.113.9", True),
        ("203.0.113.0/24", "203.0.114.9", False),
        ("2001:db8:1:2::/64", "2001:db8:1:2:ffff::1", True),
        ("2001:db8:1:2::/64", "2001:db8:1:3::1", False),
        ("fe80::/64", "fe80::9%eth0", True),
        ("::/0", "203.0.113.9", False),
        ("0.0.0.0/0", "a unix socket", False),
    ],
)
def test_network_holds_an_address_however_it_is_written(network: str, address: str, inside: bool) -> None:
    """IPv4 in the clothes of IPv6 is IPv4."""
    assert holds(network_of(network), address) is inside


@pytest.mark.parametrize(
    ("network", "everybodys"),
    [
        ("203.0.0.0/16", False),
        ("203.0.0.0/15", True),
        ("2001:db8::/32", False),
        ("2001:d00::/31", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("100.64.3.4", True),
        ("10.0.0.5", True),
        ("172.16.9.1", True),
        ("172.16.0.0/16", True),
        ("172.33.0.1", False),
    ],
)
def test_network_of_many_or_of_a_proxy_is_everybodys(network: str, everybodys: bool) -> None:
    """Proxies may be named as networks, as the server trusts them; a name that is no address is none."""
    proxies = ("10.0.0.5", "172.16.0.0/12", "*")
    assert is_everybodys(network_of(network), proxies) is everybodys
