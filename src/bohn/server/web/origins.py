"""Which hosts and origins belong to this server: protects against foreign pages and DNS rebinding."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from bohn.server.settings import Settings


class Origins:
    """The hosts and origins that one server accepts."""

    def __init__(self, settings: Settings) -> None:
        """Accept those of the settings and of invitations; IP addresses and localhost are always accepted."""
        configured = (*settings.origins, *((settings.share,) if settings.share else ()))
        self._origins = frozenset(origin.rstrip("/").lower() for origin in configured)
        self._with_tls = frozenset(origin[8:] for origin in self._origins if origin.startswith("https://"))
        hosts = {urlsplit(origin).hostname or "" for origin in self._origins}
        self._hosts = frozenset(name.lower() for name in (*settings.names, *hosts, settings.host) if name)

    def is_ours(self, host: str) -> bool:
        """Tell whether a ``Host`` header names this server; a name rebound by a foreign DNS does not."""
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

    def are_with_tls(self, host: str) -> bool:
        """Tell whether people reach this ``Host`` by TLS: an origin says so, whatever the proxy forwards."""
        return host.lower().removesuffix(":443") in self._with_tls

    def allows(self, origin: str, scheme: str, host: str) -> bool:
        """Tell whether a page of this origin may act here: our own pages, and those of configured origins."""
        asked = origin.lower()
        return asked == f"{scheme}://{host.lower()}" or asked in self._origins


def hostname(host: str) -> str | None:
    """Return the name in a ``Host`` header, in lower case and without its port; else ``None``."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        return None
    return parts.hostname.rstrip(".") if parts.hostname else None
