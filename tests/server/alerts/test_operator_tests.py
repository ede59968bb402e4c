"""Tests of the ways to tell people that an operator sends from his page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from bohn.server.run import running
from bohn.server.settings import Alerts, Limits, Mail, Settings
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.hook_server import HookServer, hook_server
from tests.server.support.http import HttpReply
from tests.server.support.mail_server import MailServer, mail_server
from tests.server.support.memory_store import MemoryStore
from tests.server.support.push_service import PushService, push_service
from tests.server.support.site import Place, Visitor, checked

TEST = "/api/operator/notices/test"
KINDS = ("push", "mail", "ntfy", "hook")


class There:
    """A server with everything set up, its operator, and the servers that it sends to."""

    def __init__(self, place: Place, mail: MailServer, hooks: HookServer, push: PushService) -> None:
        """Take all of them."""
        self.place = place
        self.mail = mail
        self.hooks = hooks
        self.push = push

    def body(self, kind: str) -> dict[str, Any]:
        """Return what asks for a test."""
        if kind == "push":
            return self.push.subscription()
        endpoint = {"mail": "host@example.org", "ntfy": "beans", "hook": f"{self.hooks.origin}/secret"}
        return {"kind": kind, "endpoint": endpoint[kind]}

    async def test(self, kind: str, **more: Any) -> dict[str, Any]:
        """Send a test as the operator, and return what became of it."""
        found: dict[str, Any] = await (await self.place.operator()).post(TEST, self.body(kind) | more)
        return found

    def taken(self) -> list[str]:
        """Return the titles of what has come, wherever."""
        letters = [str(one["Subject"]) for one in self.mail.letters]
        pushes = [str(one.message["title"]) for one in self.push.taken]
        return letters + pushes + [str(one[2]["title"]) for one in self.hooks.taken]


Scenario = Callable[[There], Awaitable[None]]


def with_everything(scenario: Scenario, settings: Settings | None = None) -> None:
    """Run a scenario at such a server; other settings take the place of what is set up."""

    async def whole() -> None:
        async with AsyncExitStack() as stack:
            mail = await stack.enter_async_context(mail_server())
            hooks = await stack.enter_async_context(hook_server())
            push = await stack.enter_async_context(push_service())
            alerts = Alerts(private=True, ntfy=hooks.origin, hooks=True)
            clock, store = StillClock(), MemoryStore()
            used = settings or Settings(mail=mail.settings, alerts=alerts)
            services = await stack.enter_async_context(running(used, store, clock, RepeatableEntropy()))
            services.ready = True
            await scenario(There(Place(services, clock, store), mail, hooks, push))

    asyncio.run(whole())


def refused(answer: HttpReply) -> str:
    """Return the reason of a refusal."""
    assert answer.status >= 400, answer
    return str(answer.json()["reason"])


@pytest.mark.parametrize("kind", KINDS)
def test_operator_reads_that_a_test_was_taken(kind: str) -> None:
    """It comes by each of the ways, in the language of the page."""

    async def scenario(there: There) -> None:
        answer = {"push": "201", "mail": "250", "ntfy": "200", "hook": "200"}[kind]
        assert await there.test(kind, language="de") == {"result": "sent", "answer": answer}
        assert there.taken() == ["Testnachricht"]

    with_everything(scenario)


@pytest.mark.parametrize("kind", KINDS)
def test_operator_reads_with_what_a_test_was_refused(kind: str) -> None:
    """The status is that of the other side."""

    async def scenario(there: There) -> None:
        there.push.status = there.hooks.status = 403
        there.mail.refusal = "550 no such user"
        answer = "550" if kind == "mail" else "403"
        assert await there.test(kind) == {"result": "refused", "answer": answer}
        assert there.taken() == [] if kind in ("mail", "push") else ["A test"]

    with_everything(scenario)


@pytest.mark.parametrize("kind", KINDS)
def test_operator_reads_that_nobody_has_answered(kind: str) -> None:
    """The server of that way is down."""
    nowhere = "http://127.0.0.1:9"
    settings = Settings(
        mail=Mail(host="127.0.0.1", port=9, tls="none", sender="beans@bohn.example"),
        alerts=Alerts(private=True, ntfy=nowhere, hooks=True),
    )

    async def scenario(there: There) -> None:
        more = {"endpoint": f"{nowhere}/x"} if kind in ("push", "hook") else {}
        assert await there.test(kind, **more) == {"result": "failed", "answer": "unreachable"}

    with_everything(scenario, settings)


@pytest.mark.parametrize("kind", KINDS)
def test_way_that_is_not_set_up_is_not_tried(kind: str) -> None:
    """The page knows before it asks; nothing is sent, and nothing stands in the log."""

    async def scenario(there: There) -> None:
        operator = await there.place.operator()
        offer = (await operator.get("/api/operator"))["notices"]
        assert offer == {"offered": [], "key": "", "ntfy": ""}
        assert refused(await operator.ask("POST", TEST, there.body(kind))) == "channel-not-offered"
        assert there.taken() == []
        assert not any(deed.deed == "test" for deed in await there.place.store.deeds())

    with_everything(scenario, Settings(alerts=Alerts(push=False)))


def test_operator_is_told_what_is_set_up() -> None:
    """With the key for a browser, and the address of the ntfy server."""

    async def scenario(there: There) -> None:
        offer = (await (await there.place.operator()).get("/api/operator"))["notices"]
        assert (offer["offered"], offer["ntfy"]) == (list(KINDS), there.hooks.origin)
        assert len(offer["key"]) == 87

    with_everything(scenario)


def test_test_of_an_operator_stands_in_the_log() -> None:
    """With the way and the answer, and without the address: whoever knows a hook may post there."""

    async def scenario(there: There) -> None:
        await there.test("hook")
        deed = (await there.place.store.deeds())[-1]
        assert (deed.deed, deed.about, deed.text) == ("test", "hook", "200")
        assert "secret" not in repr(deed)

    with_everything(scenario)


def test_test_of_an_operator_stands_in_the_log_while_nobody_has_answered() -> None:
    """Each is noted before it is sent: of several at once the log and the limit know all."""

    async def scenario(there: There) -> None:
        there.hooks.open.clear()
        operator = await there.place.operator()
        most = Limits().alert_tests_at_once
        sent = [asyncio.create_task(operator.ask("POST", TEST, there.body("hook"))) for _ in range(most)]
        while len(there.hooks.taken) < most:  # noqa: ASYNC110 - the server counts, and rings no bell
            await asyncio.sleep(0.01)
        noted = [(one.about, one.text) for one in await there.place.store.deeds() if one.deed == "test"]
        assert noted == [("hook", "")] * most
        assert refused(await operator.ask("POST", TEST, there.body("hook"))) == "rate-limited"
        there.hooks.open.set()
        assert [checked(await one)["answer"] for one in sent] == ["200"] * most

    with_everything(scenario)


@pytest.mark.parametrize("who", ["stranger", "guest"])
def test_only_operators_send_such_tests(who: str) -> None:
    """Anybody else could have the server post wherever he likes."""

    async def scenario(there: There) -> None:
        place = there.place
        visitor: Visitor = place.stranger if who == "stranger" else await place.guest()
        assert refused(await visitor.ask("POST", TEST, there.body("hook"))) == "no-operator"
        assert there.taken() == []

    with_everything(scenario)


def test_tests_of_an_operator_are_few() -> None:
    """As many as those of anybody else."""

    async def scenario(there: There) -> None:
        operator = await there.place.operator()
        for _ in range(Limits().alert_tests_at_once):
            checked(await operator.ask("POST", TEST, there.body("ntfy")))
        assert refused(await operator.ask("POST", TEST, there.body("ntfy"))) == "rate-limited"

    with_everything(scenario)


@pytest.mark.parametrize(
    ("kind", "more"),
    [("mail", {"endpoint": "nobody"}), ("hook", {"endpoint": "ftp://x"}), ("push", {"auth": "short"}),
     ("push", {"endpoint": "ftp://x"})],
)  # fmt: skip
def test_address_that_is_none_is_not_tried(kind: str, more: dict[str, str]) -> None:
    """It is said so."""

    async def scenario(there: There) -> None:
        assert await there.test(kind, **more) == {"result": "failed", "answer": "no-address"}

    with_everything(scenario)


@pytest.mark.parametrize("kind", ["push", "hook"])
def test_operator_asks_no_machine_of_the_network_unless_it_is_allowed(kind: str) -> None:
    """A session that somebody has stolen opens no way to what stands beside the server."""
    settings = Settings(alerts=Alerts(hooks=True))

    async def scenario(there: There) -> None:
        endpoint = f"https://localhost:{there.hooks.port}/x"
        assert await there.test(kind, endpoint=endpoint) == {"result": "failed", "answer": "private"}

    with_everything(scenario, settings)
