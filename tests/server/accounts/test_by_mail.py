"""Coming back into an account by e-mail: by a confirmed address, once, and nobody learns more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.server.run import running
from bohn.server.settings import Times
from bohn.server.store.sqlite import SqliteStore
from tests.server.support.asgi import request
from tests.server.support.authenticator import Authenticator
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.http import HttpReply
from tests.server.support.mail_server import MailServer, mail_server
from tests.server.support.owners import SETTINGS, Owner, come, refused
from tests.server.support.site import Place, checked, until

ANNA = "anna@example.org"
Scenario = Callable[[Place, MailServer], Awaitable[None]]
Visit = Callable[[Scenario], None]


@pytest.fixture
def with_mail(tmp_path: Path) -> Visit:
    """Return how to run a scenario at a server that sends e-mail."""

    async def whole(scenario: Scenario) -> None:
        async with mail_server() as mail:
            settings = replace(SETTINGS, mail=mail.settings, times=Times(alerts=1_000_000_000))
            store, clock = SqliteStore(tmp_path / "s"), StillClock()
            async with running(settings, store, clock, RepeatableEntropy()) as services:
                services.ready = True
                await scenario(Place(services, clock, store), mail)

    return lambda scenario: asyncio.run(whole(scenario))


async def owner(place: Place, mail: MailServer) -> Owner:
    """Return somebody with an account and a confirmed address."""
    anna = await come(place)
    await anna.become(Authenticator())
    await add(anna, mail)
    return anna


async def add(anna: Owner, mail: MailServer) -> None:
    """Add an address, and press the link."""
    checked(await anna.ask("POST", "/api/me/alerts/channels", {"kind": "mail", "endpoint": ANNA}))
    await Owner(anna.place).post("/api/mail/confirm", {"token": mail.link("confirm")})
    mail.letters.clear()


async def asked(place: Place, mail: MailServer, address: str = "ANNA@example.org") -> str:
    """Ask for the way back, and return what the link has in it."""
    assert await Owner(place).post("/api/account/way-back", {"address": address}) == {}
    await until(lambda: mail.letters)
    return mail.link("come-back")


def test_link_opens_the_account_once(with_mail: Visit) -> None:
    """In a confirmed session, so that a new passkey can be made; the list of sessions tells how it came."""

    async def scenario(place: Place, mail: MailServer) -> None:
        anna, there = await owner(place, mail), Owner(place)
        token = await asked(place, mail)
        assert "@anna: https://bohn.example.org/mail#come-back." in mail.text()
        use = {"token": token, "label": "Phone"}
        answer = await there.ask("POST", "/api/account/way-back/use", use)
        assert checked(answer)["user"] == anna.user
        there.again(answer.cookie)
        assert (await there.begin("passkeys", {"handle": ""}))["ticket"]
        labels = [one["label"] for one in await there.get("/api/me/tokens")]
        assert "Phone (by e-mail)" in labels
        assert refused(await Owner(place).ask("POST", "/api/account/way-back/use", use)) == "link-not-valid"

    with_mail(scenario)


def test_link_ends_after_half_an_hour(with_mail: Visit) -> None:
    """However often it is tried."""

    async def scenario(place: Place, mail: MailServer) -> None:
        await owner(place, mail)
        token = await asked(place, mail)
        place.clock.jump(1_800_000)
        answer = await Owner(place).ask("POST", "/api/account/way-back/use", {"token": token})
        assert refused(answer) == "link-not-valid"

    with_mail(scenario)


def test_answer_is_the_same_whether_the_address_is_known(with_mail: Visit) -> None:
    """What is done for one that is known is done behind the answer; to others nothing is sent."""

    async def scenario(place: Place, mail: MailServer) -> None:
        await owner(place, mail)
        answers = [
            await Owner(place).ask("POST", "/api/account/way-back", {"address": address})
            for address in ("bert@example.org", "no address", ANNA)
        ]
        assert len({(answer.status, answer.body) for answer in answers}) == 1
        await until(lambda: mail.letters)
        assert [letter["To"] for letter in mail.letters] == [ANNA]

    with_mail(scenario)


def test_address_of_a_guest_is_no_way_back(with_mail: Visit) -> None:
    """Nor one that was confirmed before there was the account: whoever had the cookie could have left it."""

    async def scenario(place: Place, mail: MailServer) -> None:
        anna = await come(place)
        await add(anna, mail)
        place.clock.jump(1_000)
        await anna.become(Authenticator())
        (channel,) = (await anna.get("/api/me/alerts"))["channels"]
        assert (channel["verified"], channel["way_back"]) == (True, False)
        await place.services.way_back.send(ANNA)
        assert mail.letters == []
        await add(anna, mail)
        (channel,) = (await anna.get("/api/me/alerts"))["channels"]
        assert channel["way_back"]
        await place.services.way_back.send(ANNA)
        assert len(mail.letters) == 1

    with_mail(scenario)


def test_stolen_cookie_adds_and_removes_no_address(with_mail: Visit) -> None:
    """That wants a session that was confirmed just now."""

    async def scenario(place: Place, mail: MailServer) -> None:
        anna = await owner(place, mail)
        (channel,) = (await anna.get("/api/me/alerts"))["channels"]
        place.clock.jump(600_001)
        new = {"kind": "mail", "endpoint": "thief@example.org"}
        assert refused(await anna.ask("POST", "/api/me/alerts/channels", new)) == "confirm-first"
        path = f"/api/me/alerts/channels/{channel['id']}"
        assert refused(await anna.ask("DELETE", path)) == "confirm-first"

    with_mail(scenario)


def test_link_ends_with_its_address(with_mail: Visit) -> None:
    """Whoever removes the address ends what was sent there."""

    async def scenario(place: Place, mail: MailServer) -> None:
        anna = await owner(place, mail)
        token = await asked(place, mail)
        (channel,) = (await anna.get("/api/me/alerts"))["channels"]
        checked(await anna.ask("DELETE", f"/api/me/alerts/channels/{channel['id']}"))
        answer = await Owner(place).ask("POST", "/api/account/way-back/use", {"token": token})
        assert refused(answer) == "link-not-valid"

    with_mail(scenario)


def test_letters_to_one_address_end_without_a_word(with_mail: Visit) -> None:
    """Nobody learns from it whether the address is known."""

    async def scenario(place: Place, mail: MailServer) -> None:
        await owner(place, mail)
        buckets = place.services.mails
        for _ in range(9):
            for network in [key for key in buckets._buckets if key.startswith("back-from:")]:
                del buckets._buckets[network]  # as if each had come from another network
            assert await Owner(place).post("/api/account/way-back", {"address": ANNA}) == {}
        await until(lambda: len(mail.letters) >= 5)
        assert len(mail.letters) == 5

    with_mail(scenario)


def test_way_back_is_limited_for_a_network(with_mail: Visit) -> None:
    """Whatever addresses are named there, known or not; another network may ask still."""

    async def scenario(place: Place, mail: MailServer) -> None:
        await owner(place, mail)

        async def asking(address: str, client: str) -> HttpReply:
            body = {"address": address}
            headers = Owner(place).headers
            path = "/api/account/way-back"
            return await request(place.app, "POST", path, body, headers=headers, client=client)

        answers = [await asking(f"{number}@example.org", f"192.0.2.{number}") for number in range(5)]
        assert [answer.status for answer in answers] == [200] * 5
        same = [await asking(f"{number}@example.org", "198.51.100.7") for number in range(6)]
        assert [answer.status for answer in same] == [200] * 5 + [429]
        assert refused(await asking(ANNA, "198.51.100.7")) == "rate-limited"
        assert mail.letters == []
        assert (await asking(ANNA, "203.0.113.9")).status == 200
        await until(lambda: mail.letters)

    with_mail(scenario)


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "x" * 201])
def test_link_that_was_made_up_lets_nobody_in(with_mail: Visit, token: str) -> None:
    """It is refused as one that is used up; the true one holds still, and no session has begun."""

    async def scenario(place: Place, mail: MailServer) -> None:
        anna = await owner(place, mail)
        true = await asked(place, mail)
        before = await anna.get("/api/me/tokens")
        for path in ("/api/account/way-back/use", "/api/mail/confirm"):
            answer = await Owner(place).ask("POST", path, {"token": token})
            assert (refused(answer), answer.cookie) == ("link-not-valid", "")
        assert await anna.get("/api/me/tokens") == before
        assert checked(await Owner(place).ask("POST", "/api/account/way-back/use", {"token": true}))

    with_mail(scenario)


def test_server_without_mail_says_so(tmp_path: Path) -> None:
    """And the catalog does not offer it."""

    async def whole() -> None:
        clock = StillClock()
        async with running(SETTINGS, SqliteStore(tmp_path / "s"), clock, RepeatableEntropy()) as services:
            services.ready = True
            there = Owner(Place(services, clock, services.store))
            assert not (await there.get("/api/catalog"))["accounts"]["mail"]
            answer = await there.ask("POST", "/api/account/way-back", {"address": ANNA})
            assert refused(answer) == "channel-not-offered"

    asyncio.run(whole())
