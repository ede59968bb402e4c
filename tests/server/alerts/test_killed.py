"""A process that ends in the middle of it loses no message; only what it had sent may come twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bohn.server.alerts import outbound
from bohn.server.alerts.outbound import Place
from bohn.server.alerts.service import AlertService
from bohn.server.mail import Mailer
from bohn.server.store.alerts import Alert
from bohn.server.store.protocol import StoreUnavailable
from tests.server.alerts.conftest import SETTINGS, Evening, Visit


class Dying:
    """A store by which a worker sees its end: from a call of this name on nothing is stored any more."""

    def __init__(self, store: Any, last: str) -> None:
        """Pass all else on."""
        self._store = store
        self._last = last
        self._dead = False

    def __getattr__(self, name: str) -> Any:
        """Return a method that fails from then on."""
        found = getattr(self._store, name)

        async def call(*args: Any, **named: Any) -> Any:
            self._dead = self._dead or name == self._last
            if self._dead:
                raise StoreUnavailable("lost", "the process has ended")
            return await found(*args, **named)

        return call if asyncio.iscoroutinefunction(found) else found


def worker(evening: Evening, store: Any) -> AlertService:
    """Return another worker's alerts."""
    services = evening.place.services
    clock, entropy, mailer = services.clock, services.entropy, Mailer(SETTINGS.mail)
    return AlertService(store, services.tables, services.people, clock, entropy, SETTINGS, mailer)


async def awaiting(evening: Evening) -> str:
    """Let a turn begin whose player is to be told, and return who he is."""
    await evening.sit()
    (first,) = await evening.awaited()
    await evening.subscribe(first)
    await evening.next_turn(first)
    evening.place.clock.jump(4_000)
    return first.user


@pytest.mark.parametrize(("last", "told"), [("channels_of", 0), ("settle_alert", 1)])
def test_message_of_a_killed_worker_is_sent_by_another(over_days: Visit, last: str, told: int) -> None:
    """Once what it had taken is free again: the first was killed before it sent, or behind it."""

    async def scenario(evening: Evening) -> None:
        user = await awaiting(evening)
        await worker(evening, Dying(evening.place.store, last)).look()
        assert len(evening.service.taken) == told
        await worker(evening, evening.place.store).look()
        assert len(evening.service.taken) == told  # it is taken for a minute
        await evening.wait(61_000)
        await evening.wait(61_000)

        assert [taken.path for taken in evening.service.taken] == [f"/{user}"] * (told + 1)

    over_days(scenario)


def test_message_of_a_killed_worker_is_not_sent_once_the_turn_is_over(over_days: Visit) -> None:
    """Whoever comes behind it looks first."""

    async def scenario(evening: Evening) -> None:
        await awaiting(evening)
        await worker(evening, Dying(evening.place.store, "channels_of")).look()
        (first,) = await evening.awaited()
        while first in await evening.awaited():
            await evening.play(first)
        await evening.wait(61_000)

        assert evening.service.asked == 0

    over_days(scenario)


def test_one_of_several_workers_sends(over_days: Visit) -> None:
    """However many look at once."""

    async def scenario(evening: Evening) -> None:
        await awaiting(evening)
        await asyncio.gather(*(worker(evening, evening.place.store).look() for _ in range(5)))

        assert len(evening.service.taken) == 1

    over_days(scenario)


def test_turn_that_ends_while_a_message_is_made_is_not_sent(
    over_days: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Directly before it goes out stands the last look."""

    async def scenario(evening: Evening) -> None:
        user = await awaiting(evening)
        first = evening.guests[user]
        services = evening.place.services
        key = services.alerts._delivery.key

        async def slow() -> bytes:
            while first in await evening.awaited():
                await evening.play(first)
            return await key()

        monkeypatch.setattr(services.alerts._delivery, "key", slow)
        await services.alerts.look()

        assert evening.service.asked == 0
        alerts: tuple[Alert, ...] = await evening.place.store.alerts_of(user)
        assert alerts == ()

    over_days(scenario)


def test_turn_that_ends_while_a_push_service_is_reached_is_not_sent(
    over_days: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name may be found slowly, and the connection made: the last look stands behind both."""

    async def scenario(evening: Evening) -> None:
        user = await awaiting(evening)
        first, find = evening.guests[user], outbound._address_of

        async def slow(place: Place, *, private: bool) -> str:
            while first in await evening.awaited():
                await evening.play(first)
            return await find(place, private=private)

        monkeypatch.setattr(outbound, "_address_of", slow)
        await evening.place.services.alerts.look()

        assert evening.service.asked == 0
        assert await evening.place.store.alerts_of(user) == ()

    over_days(scenario)
