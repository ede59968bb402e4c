"""Messages as ntfy, Discord, Slack and other servers take them: JSON in a POST.

Names in them were chosen by people, so nothing in them may call others: Discord is told to look for no
mentions, what Slack would read as one is escaped, and elsewhere no name stands directly behind an at sign.
"""

from __future__ import annotations

from typing import Any

import msgspec

from bohn.server.alerts.message import Message
from bohn.server.alerts.outbound import Place

DISCORD = frozenset({"discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"})
SLACK = frozenset({"hooks.slack.com", "hooks.slack-gov.com"})

UNJOINED = "@\u200b"
"""An at sign behind which no name stands, though it looks so."""

URGENT = 4
"""The priority of a reminder at ntfy; 3 is the usual one."""

HEADERS = {"Content-Type": "application/json"}


def for_ntfy(topic: str, message: Message, url: str) -> bytes:
    """Return what is published at a topic (docs.ntfy.sh/publish, "Publish as JSON")."""
    said: dict[str, Any] = {"topic": topic, "title": message.title, "message": message.body, "click": url}
    if message.kind == "reminder":
        said["priority"] = URGENT
    return msgspec.json.encode(said)


def for_hook(place: Place, message: Message, url: str) -> bytes:
    """Return what is posted to a hook: as Discord or Slack wants it, else with everything in parts."""
    text = f"{message.title}\n{message.body}\n{url}"
    if place.host in DISCORD:
        return msgspec.json.encode({"content": text, "allowed_mentions": {"parse": []}})
    if place.host in SLACK:
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return msgspec.json.encode({"text": escaped})
    text = text.replace("@", UNJOINED)
    parts = {"kind": message.kind, "title": message.title, "body": message.body, "table": message.table}
    return msgspec.json.encode({"text": text, "content": text, **parts, "url": url, "count": message.count})
