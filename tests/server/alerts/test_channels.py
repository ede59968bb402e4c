"""E-mail, ntfy and hooks at a whole server: added, confirmed, told, stopped and removed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bohn.server.alerts.message import Message
from bohn.server.alerts.outbound import Place as Target
from bohn.server.alerts.posted import for_hook, for_ntfy
from bohn.server.run import running
from bohn.server.settings import Alerts, Settings
from bohn.server.store.sqlite import SqliteStore
from tests.server.alerts.conftest import HOUR, SETTINGS, Evening
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.hook_server import HookServer, hook_server
from tests.server.support.mail_server import MailServer, mail_server
from tests.server.support.push_service import PushService
from tests.server.support.site import Place, Visitor, checked

PATH = "/api/me/alerts"
ANNA = "Anna@Example.org"


class Channels(Evening):
    """An evening at a server that has e-mail, ntfy and hooks."""

    mail: MailServer
    hooks: HookServer

    async def add(self, guest: Visitor, kind: str, endpoint: str = "") -> dict[str, Any]:
        """Add a channel, and return it: the one that was not there, or the one that was replaced.

        Those of one second stand in the order of their ids.
        """
        known = {one["id"] for one in await self.shown(guest)}
        channels: list[dict[str, Any]] = (
            await guest.post(f"{PATH}/channels", {"kind": kind, "endpoint": endpoint})
        )["channels"]
        return ([one for one in channels if one["id"] not in known] or channels)[-1]

    async def confirmed(self, guest: Visitor, address: str = ANNA) -> str:
        """Add an e-mail address, press the link, and return the channel's id."""
        channel = await self.add(guest, "mail", address)
        await self.place.stranger.post("/api/mail/confirm", {"token": self.mail.link("confirm")})
        found: str = channel["id"]
        return found

    async def shown(self, guest: Visitor) -> list[dict[str, Any]]:
        """Return the channels of a guest."""
        found: list[dict[str, Any]] = (await guest.get(PATH))["channels"]
        return found

    async def tell(self, kind: str, endpoint: str = "") -> Visitor:
        """Let somebody's turn begin who is told by a channel, and return him."""
        await self.sit()
        (first,) = await self.awaited()
        await (self.confirmed(first) if kind == "mail" else self.add(first, kind, endpoint))
        self.mail.letters.clear()
        await self.next_turn(first)
        await self.wait()
        return first


Visit = Callable[[Callable[[Channels], Awaitable[None]]], None]


@pytest.fixture
def with_channels(tmp_path: Path) -> Visit:
    """Return how to run a scenario at a server with a mail server, and one for ntfy and hooks."""

    async def whole(scenario: Callable[[Channels], Awaitable[None]]) -> None:
        async with AsyncExitStack() as stack:
            mail = await stack.enter_async_context(mail_server())
            hooks = await stack.enter_async_context(hook_server())
            settings = Settings(
                alerts=Alerts(private=True, hooks=True, ntfy=hooks.origin),
                mail=mail.settings,
                origins=("https://bohn.example",),
                times=SETTINGS.times,
            )
            store, clock = SqliteStore(tmp_path / "s"), StillClock()
            services = await stack.enter_async_context(running(settings, store, clock, RepeatableEntropy()))
            services.ready = True
            evening = Channels(Place(services, clock, store), PushService())
            evening.mail, evening.hooks = mail, hooks
            await scenario(evening)

    return lambda scenario: asyncio.run(whole(scenario))


def test_mail_is_sent_to_a_confirmed_address(with_channels: Visit) -> None:
    """Its link is used once; then a turn is told there, with the game's address and no card."""

    async def scenario(evening: Channels) -> None:
        await evening.tell("mail")
        (letter,) = evening.mail.letters
        assert (letter["To"], letter["Subject"]) == (ANNA, "It is your turn")
        assert f"https://bohn.example/t/{evening.table}\n" in evening.mail.text()
        assert "Plant the beans that you have got." in evening.mail.text()

    with_channels(scenario)


def test_address_that_is_not_confirmed_is_told_nothing(with_channels: Visit) -> None:
    """And its link holds once, and for a day."""

    async def scenario(evening: Channels) -> None:
        anna = await evening.place.guest()
        await evening.add(anna, "mail", ANNA)
        token = evening.mail.link("confirm")
        assert [(one["address"], one["verified"]) for one in await evening.shown(anna)] == [(ANNA, False)]
        evening.place.clock.jump(24 * HOUR)
        late = await evening.place.stranger.ask("POST", "/api/mail/confirm", {"token": token})
        assert late.json()["reason"] == "link-not-valid"

        channel = await evening.confirmed(anna)
        again = {"token": evening.mail.link("confirm")}
        answer = await evening.place.stranger.ask("POST", "/api/mail/confirm", again)
        assert answer.json()["reason"] == "link-not-valid"
        assert [(one["id"], one["verified"]) for one in await evening.shown(anna)] == [(channel, True)]

    with_channels(scenario)


def test_letter_with_a_link_names_nobody(with_channels: Visit) -> None:
    """What a stranger calls himself is not sent to an address that may be anybody's."""

    async def scenario(evening: Channels) -> None:
        anna = await evening.place.guest("Buy at evil.example")
        await evening.add(anna, "mail", ANNA)
        assert "evil" not in evening.mail.text()

    with_channels(scenario)


def test_one_press_ends_mail_about_turns(with_channels: Visit) -> None:
    """By the address in the letter's head, which a mail program posts to; its owner may have it again."""

    async def scenario(evening: Channels) -> None:
        first = await evening.tell("mail")
        stop = evening.mail.letters[0]["List-Unsubscribe"].strip("<>").removeprefix("https://bohn.example")
        wrong = await evening.place.stranger.ask("POST", stop[:-1] + ("A" if stop[-1] != "A" else "B"))
        assert wrong.json()["reason"] == "link-not-valid"
        await evening.place.stranger.post(stop)
        (channel,) = await evening.shown(first)
        assert (channel["active"], channel["verified"]) == (False, True)
        await evening.next_turn(first)
        await evening.wait()
        assert len(evening.mail.letters) == 1
        info = checked(await first.ask("PATCH", f"{PATH}/channels/{channel['id']}", {"active": True}))
        assert info["channels"][0]["active"]

    with_channels(scenario)


def test_address_that_is_refused_for_good_is_told_no_more(with_channels: Visit) -> None:
    """It stays, so that it may be a way back; its owner sees that nothing arrives."""

    async def scenario(evening: Channels) -> None:
        evening.mail.refusal = ""
        anna = await evening.place.guest()
        channel = await evening.confirmed(anna)
        evening.mail.refusal = "550 no such user"
        assert await anna.post(f"{PATH}/channels/{channel}/test") == {"result": "refused"}
        (shown,) = await evening.shown(anna)
        assert (shown["active"], shown["verified"], shown["failed"] > 0) == (False, True, True)

    with_channels(scenario)


def test_mail_that_did_not_go_out_is_sent_again(with_channels: Visit) -> None:
    """What passes by itself is tried later."""

    async def scenario(evening: Channels) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.confirmed(first)
        evening.mail.letters.clear()
        evening.mail.refusal = "451 later"
        await evening.next_turn(first)
        await evening.wait()
        assert evening.mail.letters == []
        evening.mail.refusal = ""
        await evening.wait(HOUR)

        assert [letter["Subject"] for letter in evening.mail.letters] == ["It is your turn"]
        assert (await evening.shown(first))[0]["active"]

    with_channels(scenario)


def test_mail_of_a_turn_that_is_over_does_not_go_out(with_channels: Visit) -> None:
    """However late it is looked at."""

    async def scenario(evening: Channels) -> None:
        await evening.sit()
        (first,) = await evening.awaited()
        await evening.confirmed(first)
        await evening.next_turn(first)
        while first in await evening.awaited():
            await evening.play(first)
        evening.mail.letters.clear()
        await evening.wait()
        assert evening.mail.letters == []

    with_channels(scenario)


def test_letters_to_one_address_are_few(with_channels: Visit) -> None:
    """Whoever asks for them: nobody's mailbox is filled from here."""

    async def scenario(evening: Channels) -> None:
        reasons = []
        for name in ("Anna", "Bert", "Carla", "Dora", "Emil", "Fritz", "Gerd"):
            guest = await evening.place.guest(name)
            answer = await guest.ask("POST", f"{PATH}/channels", {"kind": "mail", "endpoint": ANNA})
            reasons.append(None if answer.status == 200 else answer.json()["reason"])
        assert reasons[-1] == "rate-limited"
        assert len(evening.mail.letters) == 5

    with_channels(scenario)


def test_turn_is_published_at_a_topic(with_channels: Visit) -> None:
    """One that is made up where none is named."""

    async def scenario(evening: Channels) -> None:
        first = await evening.tell("ntfy")
        ((path, _, said),) = evening.hooks.taken
        topic = (await evening.shown(first))[0]["address"]
        assert topic.startswith("bohn-")
        assert (path, said["topic"], said["title"]) == ("/", topic, "It is your turn")
        assert said["click"] == f"https://bohn.example/t/{evening.table}"

    with_channels(scenario)


def test_turn_is_posted_to_a_hook(with_channels: Visit) -> None:
    """With everything that another program may want; of its address only the server is shown."""

    async def scenario(evening: Channels) -> None:
        first = await evening.tell("hook", f"{evening.hooks.origin}/secret")
        ((path, headers, said),) = evening.hooks.taken
        assert (path, headers["content-type"]) == ("/secret", "application/json")
        assert (said["kind"], said["table"], said["count"]) == ("turn", evening.table, 1)
        assert said["text"] == said["content"]
        assert (await evening.shown(first))[0]["address"] == evening.hooks.origin

    with_channels(scenario)


def test_hook_that_is_gone_goes(with_channels: Visit) -> None:
    """A topic does not: there the server is the operator's own."""

    async def scenario(evening: Channels) -> None:
        anna = await evening.place.guest()
        hook = await evening.add(anna, "hook", f"{evening.hooks.origin}/a")
        topic = await evening.add(anna, "ntfy", "beans")
        evening.hooks.status = 404
        assert await anna.post(f"{PATH}/channels/{hook['id']}/test") == {"result": "gone"}
        assert await anna.post(f"{PATH}/channels/{topic['id']}/test") == {"result": "refused"}
        assert [one["kind"] for one in await evening.shown(anna)] == ["ntfy"]

    with_channels(scenario)


@pytest.mark.parametrize(
    ("kind", "endpoint"),
    [
        ("mail", "anna"),
        ("mail", "a@b\r\nBcc: c@d.e"),
        ("ntfy", "a/b"),
        ("hook", "ftp://x.example"),
        ("hook", ""),
    ],
)
def test_address_that_is_none_is_refused(with_channels: Visit, kind: str, endpoint: str) -> None:
    """Of each kind."""

    async def scenario(evening: Channels) -> None:
        anna = await evening.place.guest()
        answer = await anna.ask("POST", f"{PATH}/channels", {"kind": kind, "endpoint": endpoint})
        assert answer.json()["reason"] == "channel-not-valid"

    with_channels(scenario)


MESSAGE = Message("reminder", "Title", "With @everyone <!channel>\nPlant.", "t1", 2)


def test_hook_of_discord_calls_nobody() -> None:
    """Whatever people are called."""
    said = msgspec.json.decode(
        for_hook(Target("https", "discord.com", 443, "/api"), MESSAGE, "https://x/t/t1")
    )
    assert said["allowed_mentions"] == {"parse": []}
    assert set(said) == {"content", "allowed_mentions"}


def test_hook_of_slack_calls_nobody() -> None:
    """What it would read as a mention is escaped."""
    said = msgspec.json.decode(for_hook(Target("https", "hooks.slack.com", 443, "/s"), MESSAGE, "https://x"))
    assert list(said) == ["text"]
    assert "&lt;!channel&gt;" in said["text"]


def test_hook_of_others_calls_nobody() -> None:
    """No name stands directly behind an at sign."""
    said = msgspec.json.decode(for_hook(Target("https", "x.example", 443, "/"), MESSAGE, "https://x"))
    assert "@everyone" not in said["text"]


def test_reminder_is_urgent_at_ntfy() -> None:
    """And a turn is not."""
    assert msgspec.json.decode(for_ntfy("beans", MESSAGE, "https://x"))["priority"] == 4
    turn = Message("turn", "Title", "Body")
    assert "priority" not in msgspec.json.decode(for_ntfy("beans", turn, "https://x"))
