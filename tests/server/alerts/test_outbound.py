"""Requests to addresses that users name: not into private networks, and short in time and size."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.server.alerts import outbound
from bohn.server.alerts.outbound import NotSent, Place, is_public, place_of, post
from tests.patience import PATIENCE
from tests.server.support.push_service import PushService, push_service


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "100.64.0.1", "0.0.0.1",
        "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
        "::127.0.0.1", "::ffff:0:10.0.0.1", "64:ff9b:1::7f00:1", "fec0::1", "3fff::1", "5f00::1", "192.0.0.8",
        "192.88.99.1",
    ],
)  # fmt: skip
def test_private_address_is_none_of_the_whole_net(address: str) -> None:
    """Nor is one that is wrapped in another."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_address_is_one(address: str) -> None:
    """Of either version."""
    assert is_public(address)


def test_place_needs_tls_and_no_password() -> None:
    """Unless private places may be asked."""
    assert place_of("https://push.example/a?b=c", private=False) == Place(
        "https", "push.example", 443, "/a?b=c"
    )
    assert place_of("https://push.example:8443", private=False) == Place("https", "push.example", 8443, "/")
    assert place_of("http://push.example/a", private=True) == Place("http", "push.example", 80, "/a")
    for url in (
        "http://push.example/",
        "ftp://push.example/",
        "https://a:b@push.example/",
        "https://x:0/",
        "",
        "x",
    ):
        assert place_of(url, private=False) is None, url
    assert place_of("https://push.example/" + "x" * 2_000, private=False) is None


def asked(url: str, *, private: bool = True, seconds: float = 10) -> int:
    """Post to a URL."""
    place = place_of(url, private=True)
    assert place is not None
    return asyncio.run(post(place, {"TTL": "1"}, b"body", private=private, seconds=seconds))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/", "http://[::1]:9/", "http://localhost:9/", "http://2130706433/"]
)
def test_private_address_is_not_asked(url: str) -> None:
    """However it is written, unless the operator allows it."""
    with pytest.raises(NotSent, match="private"):
        asked(url, private=False)


def test_name_with_one_private_address_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it is not left to chance which one is taken."""

    def resolved(*_: Any, **__: Any) -> list[Any]:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in ("8.8.8.8", "10.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with pytest.raises(NotSent, match="private"):
        asked("https://push.example/", private=False)


def test_name_that_answers_otherwise_the_second_time_leads_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is looked up once, and the connection goes to the address that was looked at."""
    answers = ["127.0.0.1", "127.0.0.9"]

    def resolved(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), 443))]

    async def scenario(service: PushService) -> None:
        own = place_of(service.origin, private=True)
        assert own is not None
        monkeypatch.setattr(socket, "getaddrinfo", resolved)
        monkeypatch.setattr(outbound, "is_public", lambda address: address == "127.0.0.1")
        service.status, service.answer = 500, b"HTTP/1.1 201 Created\r\n\r\n"
        assert await post(replace(own, host="hook.example"), {}, b"", private=False) == 201
        assert (service.asked, answers) == (1, ["127.0.0.9"])

    with_service(scenario)


def test_silent_name_server_keeps_no_other_work_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many hooks somebody names at it: threads that the store and others use are not its own."""
    silent = threading.Event()

    def resolved(*_: Any, **__: Any) -> list[Any]:
        silent.wait(PATIENCE)
        return []

    async def whole() -> None:
        place = place_of("https://hook.example/", private=False)
        assert place is not None
        posts = [post(place, {}, b"", private=False, seconds=0.1) for _ in range(100)]
        found = await asyncio.gather(*posts, return_exceptions=True)
        assert {str(one) for one in found} == {"slow"}
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "done"), PATIENCE / 4) == "done"

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    try:
        asyncio.run(whole())
    finally:
        silent.set()


def with_service(scenario: Callable[[PushService], Any]) -> None:
    """Run a scenario with a push service."""

    async def whole() -> None:
        async with push_service() as service:
            await scenario(service)

    asyncio.run(whole())


async def post_to(service: PushService, seconds: float = 10) -> int:
    """Post to a service."""
    place = place_of(service.origin, private=True)
    assert place is not None
    return await post(place, {}, b"", private=True, seconds=seconds)


def test_slow_answer_is_not_waited_for() -> None:
    """Nor one that comes byte by byte."""

    async def scenario(service: PushService) -> None:
        service.status, service.delay = 500, 30
        with pytest.raises(NotSent, match="slow"):
            await post_to(service, 0.2)

    with_service(scenario)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", "too-large"),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", "no-http"),
        (b"HTTP/1.1 two hundred\r\n\r\n", "no-http"),
        (b"HTTP/1.1 200 OK\r\n", "unreachable"),
    ],
)
def test_answer_that_is_none_is_none(answer: bytes, reason: str) -> None:
    """Too long, of something else, or broken off."""

    async def scenario(service: PushService) -> None:
        service.status, service.answer = 500, answer
        with pytest.raises(NotSent, match=reason):
            await post_to(service)

    with_service(scenario)


def test_redirect_is_not_followed() -> None:
    """It is an answer like another one."""

    async def scenario(service: PushService) -> None:
        service.status = 500
        service.answer = f"HTTP/1.1 307 X\r\nLocation: {service.origin}/other\r\n\r\n".encode()
        assert await post_to(service) == 307
        assert service.asked == 1

    with_service(scenario)


def test_endless_answer_is_read_up_to_its_head() -> None:
    """What follows is nobody's business."""

    async def scenario(service: PushService) -> None:
        service.status = 500
        service.answer = b"HTTP/1.1 201 Created\r\n\r\n" + b"x" * 1_000_000
        assert await post_to(service) == 201

    with_service(scenario)
    assert outbound.SECONDS == 10
