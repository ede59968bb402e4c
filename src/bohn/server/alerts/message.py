"""What somebody is told that a game waits for: in his language, with no card in it."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from bohn.i18n.catalog import Catalog
from bohn.protocol.frames import Person
from bohn.protocol.room import Room
from bohn.server.alerts.planning import What

MOST_NAMES = 3
"""Others at the table who are named."""


class Message(Struct, frozen=True):
    """What goes out: ``title`` and ``body`` are read, the rest is for the page; there is no table in a test.

    ``count`` is how many games wait for this person.
    """

    kind: str
    title: str
    body: str
    table: str = ""
    count: int = 0


def message_of(
    what: What,
    room: Room,
    phase: str,
    people: dict[str, Person],
    user: str,
    language: str,
    hours: int,
    count: int,
) -> Message:
    """Return the message for a user that his turn has begun, or that it ends in so many ``hours``."""
    texts = _texts(language)
    users = [seat.user for seat in room.seats if seat.user is not None and seat.user != user]
    names = [people[one].name for one in users if one in people]
    edition = texts.text(f"edition.{room.options.edition}")
    others = ", ".join(name for name in names[:MOST_NAMES] if name)
    where = texts.text("alert.with", edition=edition, names=others) if others else edition
    key = f"alert.do-{phase}"
    wanted = texts.text(key if key in texts else "alert.do-other")
    if what == "reminder":
        wanted = texts.text("alert.ends", hours=hours)
    return Message(what, texts.text(f"alert.{what}"), f"{where}\n{wanted}", room.id, count)


def sample_message(language: str) -> Message:
    """Return the message that shows that a channel works."""
    texts = _texts(language)
    return Message("test", texts.text("alert.test"), texts.text("alert.test-body"))


@cache
def _texts(language: str) -> Catalog:
    return Catalog.load(language)
