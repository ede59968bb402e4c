"""Headers, hosts and origins over HTTP."""

from __future__ import annotations

import pytest

from bohn.server.settings import Settings
from bohn.server.web.origins import Origins, hostname
from tests.server.support.asgi import ORIGIN
from tests.server.support.site import Place, visit

ADDRESSES = (
    "/",
    "/plain.css",
    "/nowhere",
    "/healthz",
    "/api/catalog",
    "/api/me",
    "/api/nowhere",
    "/api/openapi.json",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_forbids_what_no_page_of_ours_needs(address: str) -> None:
    """No script and no frame from elsewhere, no referrer that tells a link, no guessing of types."""

    async def scenario(place: Place) -> None:
        headers = dict((await place.stranger.ask("GET", address)).headers)

        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'; base-uri 'none'; form-action 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers

    visit(scenario)


@pytest.mark.parametrize("address", ["/api/catalog", "/api/me", "/api/tables", "/healthz", "/metrics"])
def test_nothing_of_the_api_is_kept_by_browsers(address: str) -> None:
    """What is true for one guest now is not for the next."""

    async def scenario(place: Place) -> None:
        assert (await place.stranger.ask("GET", address)).header("cache-control") == "no-store"

    visit(scenario)


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
)
def test_foreign_page_may_not_act(method: str, headers: dict[str, str]) -> None:
    """Whatever cookie its visitor has."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        answer = await anna.ask(method, "/api/me", {}, headers)

        assert (answer.status, answer.json()["reason"]) == (403, "foreign-origin")
        assert (await anna.get("/api/me"))["name"] == "Anna"

    visit(scenario)


@pytest.mark.parametrize("headers", [{"origin": ORIGIN}, {"sec-fetch-site": "same-origin"}, {}])
def test_own_page_may_act(headers: dict[str, str]) -> None:
    """And so may a program, which sends no origin."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()

        assert (await anna.ask("PATCH", "/api/me", {"name": "Berta"}, headers)).status == 200

    visit(scenario)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "a@127.0.0.1", "127.0.0.1:x", "[::1"]
)
def test_foreign_host_is_refused(host: str) -> None:
    """A name that somebody has pointed to this address is not this server, for reading either."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("GET", "/api/catalog", headers={"host": host})

        assert (answer.status, answer.json()["reason"]) == (400, "foreign-origin")

    visit(scenario)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8000",
        "192.168.1.7:8000",
        "[::1]:8000",
        "localhost:8000",
        "LOCALHOST",
        "box.local:8000",
        "bohn.example.org",
        "bohn.example.org.:443",
    ],
)
def test_own_host_is_ours(host: str) -> None:
    """Addresses, localhost, configured names, and the hosts of configured origins."""
    settings = Settings(names=("box.local",), origins=("https://bohn.example.org",))

    assert Origins(settings).is_ours(host)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://bohn.example.org", True),
        ("HTTPS://bohn.example.org", True),
        ("http://bohn.example.org", False),
        ("https://bohn.example.org:444", False),
        ("http://box.local:8000", True),
        ("http://box.local", False),
        ("null", False),
        ("", False),
    ],
)
def test_origin_is_compared_exactly(origin: str, allowed: bool) -> None:
    """Scheme, host and port, all of them."""
    origins = Origins(Settings(origins=("https://bohn.example.org/",)))

    assert origins.allows(origin, "http", "box.local:8000") is allowed


@pytest.mark.parametrize(
    ("host", "with_tls"),
    [
        ("bohn.example.org", True),
        ("BOHN.example.org:443", True),
        ("bohn.example.org:8000", False),
        ("box.local", False),
        ("127.0.0.1:8000", False),
    ],
)
def test_host_of_an_origin_with_tls_is_reached_by_tls(host: str, with_tls: bool) -> None:
    """Other hosts and ports are reached as the connection says."""
    origins = Origins(
        Settings(names=("box.local",), origins=("https://bohn.example.org", "http://box.local"))
    )

    assert origins.are_with_tls(host) is with_tls


@pytest.mark.parametrize("host", ["a/b", "a?b", "a#b", "u:p@a", "a:99999", "[", ""])
def test_host_that_is_none_has_no_name(host: str) -> None:
    """Such headers are made by hand."""
    assert hostname(host) is None
