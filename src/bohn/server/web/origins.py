"""Which hosts and origins are ours: against foreign pages, and names that are rebound to our address."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from bohn.server.settings import Settings


class Origins:
    """The hosts and origins of one server."""

    def __init__(self, settings: Settings) -> None:
        """Take the configured ones and that of invitations; IP addresses and localhost are always ours."""
        told = (*settings.origins, *((settings.share,) if settings.share else ()))
        self._origins = frozenset(origin.rstrip("/").lower() for origin in told)
        hosts = {urlsplit(origin).hostname or "" for origin in self._origins}
        self._hosts = frozenset(name.lower() for name in (*settings.names, *hosts, settings.host) if name)

    def is_ours(self, host: str) -> bool:
        """Tell whether a ``Host`` header names this server: a page of a rebound name does not."""
        name = hostname(host)
        if name is None:
            return False
        if name == "localhost" or name.endswith(".localhost") or name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def allows(self, origin: str, scheme: str, host: str) -> bool:
        """Tell whether a page of this origin may act here: our own pages, and those of configured origins."""
        asked = origin.lower()
        return asked == f"{scheme}://{host.lower()}" or asked in self._origins


def hostname(host: str) -> str | None:
    """Return the name in a ``Host`` header, in lower case and without its port; ``None`` for what is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        return None
    return parts.hostname.rstrip(".") if parts.hostname else None
