"""What e-mail says, in the language of its reader: no card, no offer, and no text that a stranger chose."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from urllib.parse import urlsplit

from bohn.i18n.catalog import Catalog
from bohn.server.mail import Letter

CONFIRM, STOP, COME_BACK = "confirm", "stop", "come-back"
"""What a link of a letter is for; what follows in its fragment no server is sent before somebody presses."""


def link(own: str, what: str, *secrets: str) -> str:
    """Return the address of the page that asks whether that is meant."""
    return f"{own}/mail#{'.'.join((what, *secrets))}"


def confirming(to: str, language: str, own: str, token: str) -> Letter:
    """Return the letter that asks whether an address belongs to who has named it."""
    texts = _texts(language)
    text = texts.text("mail.confirm", host=_host(own), url=link(own, CONFIRM, token))
    return Letter(to, texts.text("mail.confirm-subject"), text)


def turn(
    to: str, language: str, own: str, title: str, body: str, table: str, channel: str, key: str
) -> Letter:
    """Return the letter that a game waits; one without a table is a test."""
    texts = _texts(language)
    url = f"{own}/t/{table}" if table else own
    stop = link(own, STOP, channel, key)
    return Letter(
        to,
        title,
        texts.text("mail.turn", body=body, url=url, stop=stop),
        f"{own}/api/mail/stop/{channel}/{key}",
        f"table-{table}" if table else "",
    )


def coming_back(to: str, language: str, own: str, minutes: int, ways: Iterable[tuple[str, str]]) -> Letter:
    """Return the letter with a link into each account (its handle and the token) of an address."""
    texts = _texts(language)
    links = "\n".join(f"@{handle}: {link(own, COME_BACK, token)}" for handle, token in ways)
    text = texts.text("mail.back", host=_host(own), minutes=minutes, links=links)
    return Letter(to, texts.text("mail.back-subject"), text)


def session_label(language: str, device: str) -> str:
    """Return how a session is called that was begun by e-mail."""
    return _texts(language).text("mail.session", device=device)


def _host(own: str) -> str:
    return urlsplit(own).netloc


@cache
def _texts(language: str) -> Catalog:
    return Catalog.load(language)
