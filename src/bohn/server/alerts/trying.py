"""A test of what the operator has set up: Web Push, e-mail, ntfy and hooks, with the answer as it came."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from bohn.server.alerts import posted
from bohn.server.alerts.delivery import DAY, Delivery, Parcel, ntfy_token
from bohn.server.alerts.message import Message, sample_message
from bohn.server.alerts.outbound import NotSent, Place, place_of, post
from bohn.server.alerts.webpush import Subscription, is_valid
from bohn.server.mail import Letter, Mailer, NotMailed
from bohn.server.settings import Settings, is_mail_address, own_address


class NotOffered(Exception):  # noqa: N818 - a fact
    """The settings have nothing of this kind."""


Noting = Callable[[], Awaitable[None]]
"""Notes that a test is sent, before it is: however long the other side takes, it stands in the log."""


async def tried(
    kind: Literal["mail", "ntfy", "hook"],
    to: str,
    settings: Settings,
    note: Noting,
    language: str = "en",
    mailer: Mailer | None = None,
) -> tuple[bool, str]:
    """Send a test to an address, topic or hook; return whether it was taken, and the status or word for why.

    E-mail goes out by this mailer, or by a new one. Raises :class:`NotOffered`, with nothing noted.
    """
    message, mailer = sample_message(language), mailer or Mailer(settings.mail)
    ntfy = place_of(settings.alerts.ntfy, private=True)
    if not {"mail": mailer.offered, "ntfy": ntfy is not None, "hook": settings.alerts.hooks}[kind]:
        raise NotOffered
    await note()
    try:
        if kind == "mail":
            return await _mailed(to, message, settings, mailer)
        if ntfy is not None and kind == "ntfy":
            return await _published(ntfy, to, message, settings)
        return await _posted(to, message, settings)
    except (NotSent, NotMailed) as error:
        return False, error.reason


async def pushed(
    to: Subscription, delivery: Delivery, settings: Settings, note: Noting, language: str
) -> tuple[bool, str]:
    """Send a test to a browser; return whether its push service took it, and the status or word for why."""
    await note()
    if not is_valid(to):
        return False, "no-address"
    sealed = await delivery.sealed(to, Parcel(sample_message(language), DAY, language))
    if sealed is None:
        return False, "no-address"
    try:
        return _judged(await post(*sealed, private=settings.alerts.private))
    except NotSent as error:
        return False, error.reason


async def _mailed(to: str, message: Message, settings: Settings, mailer: Mailer) -> tuple[bool, str]:
    if not is_mail_address(to):
        return False, "no-address"
    await mailer.send(Letter(to, message.title, f"{message.body}\n\n{own_address(settings)}"))
    return True, "250"


async def _published(place: Place, to: str, message: Message, settings: Settings) -> tuple[bool, str]:
    token = await asyncio.to_thread(ntfy_token, settings)
    headers = posted.HEADERS | ({"Authorization": f"Bearer {token}"} if token else {})
    body = posted.for_ntfy(to, message, own_address(settings))
    return _judged(await post(place, headers, body, private=True))


async def _posted(to: str, message: Message, settings: Settings) -> tuple[bool, str]:
    private = settings.alerts.private
    place = place_of(to, private=private)
    if place is None:
        return False, "no-address"
    body = posted.for_hook(place, message, own_address(settings))
    return _judged(await post(place, posted.HEADERS, body, private=private))


def _judged(status: int) -> tuple[bool, str]:
    return 200 <= status < 300, str(status)
