"""Bodies of the HTTP API about alerts: by what and when somebody is told that a game waits for him.

Times are in ms since 1970, quiet hours in minutes of the day.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bohn.protocol.api import Body

ChannelKind = Literal["push", "mail", "ntfy", "hook"]
"""By what somebody can be told: the push service of his browser, e-mail, a topic of ntfy, or a hook."""

TestResult = Literal["sent", "gone", "refused", "failed"]
"""What became of a test: it was taken, the channel is no more, it was not taken, or there was no answer."""

Minutes = Annotated[int, Meta(ge=0, le=1_439)]


class ChannelInfo(Struct, frozen=True):
    """One way in which one is told; ``here``: this session has made it.

    ``failed`` is since when nothing has arrived there; 0: the last message did. ``address`` is the e-mail
    address, the topic of ntfy, or the server of a hook. An e-mail address is used once it is ``verified``;
    without ``active`` no turns are told there. By a ``way_back`` one comes back into one's account.
    """

    id: str
    kind: ChannelKind
    label: str
    created: int
    here: bool
    failed: int
    address: str
    verified: bool
    active: bool
    way_back: bool


class AlertsInfo(Struct, frozen=True):
    """By what and when one is told. ``offered`` is what this server can do.

    ``key`` is what a browser subscribes to pushes with, ``ntfy`` the address of the ntfy server. Without
    ``every`` one is told only of games whose clock counts in hours. From ``quiet_from`` to ``quiet_to`` in
    the time zone nothing is sent; equal: there are no quiet hours. ``account``: one has an account, into
    which a confirmed e-mail address may lead back.
    """

    offered: tuple[ChannelKind, ...]
    key: str
    ntfy: str
    channels: tuple[ChannelInfo, ...]
    every: bool
    quiet_from: int
    quiet_to: int
    zone: str
    account: bool


class ChangeAlerts(Body, frozen=True):
    """When one wants to be told; what is left out stays as it is. ``zone`` is a name: Europe/Berlin."""

    every: bool | None = None
    quiet_from: Minutes | None = None
    quiet_to: Minutes | None = None
    zone: str | None = None


class NewChannel(Body, frozen=True):
    """One more way: of a browser the ``endpoint`` and keys of its subscription, as it gives them.

    Else the ``endpoint`` is the e-mail address, to which a link is sent first; the topic of ntfy, or nothing
    for one that is made up; or the address of a hook. ``label`` is what it is called in the list.
    """

    kind: ChannelKind
    endpoint: str = ""
    p256dh: str = ""
    auth: str = ""
    label: str = ""


class ChannelTested(Struct, frozen=True):
    """What became of a test."""

    result: TestResult


class ChangeChannel(Body, frozen=True):
    """Whether turns are told by a channel."""

    active: bool


class MailToken(Body, frozen=True):
    """What the link in a letter has in it that confirms an e-mail address."""

    token: str
