"""Where a PostgreSQL database is: the address that is given, and the one that is shown."""

from __future__ import annotations

import os
from urllib.parse import SplitResult, urlsplit

from bohn.server.store.protocol import StoreUnavailable

SCHEMES = ("postgresql", "postgres")

VARIABLE = "BOHN_STORE"
"""The environment variable with the address, which may hold the password as well."""

PASSWORDS = f"the password comes from PGPASSFILE, PGPASSWORD or the address in {VARIABLE}"


def is_postgres(address: str) -> bool:
    """Tell whether this is the address of a PostgreSQL database, right or wrong."""
    return address.partition("://")[0] in SCHEMES


def parse(address: str) -> SplitResult:
    """Return the parts of an address; raises :class:`StoreUnavailable` with what was expected."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    if parts.scheme not in SCHEMES or not parts.path.strip("/"):
        shown = address.rpartition("@")[2]  # whatever stands before may be a password
        msg = f"{shown!r} is no address of a database; expected postgresql://USER@HOST:PORT/DATABASE"
        raise StoreUnavailable("failed", msg)
    return parts


def shown(address: str) -> str:
    """Return an address for people and logs: without password and options."""
    parts = parse(address)
    name = f"{parts.username}@" if parts.username else ""
    host = parts.netloc.rpartition("@")[2]
    return f"postgresql://{name}{host}{parts.path}"


def without_password(address: str) -> str:
    """Return an address of the command line; one with a password is refused, for everybody could read it."""
    if parse(address).password is not None:
        msg = f"{shown(address)}: a password on the command line is seen by everybody; {PASSWORDS}"
        raise StoreUnavailable("failed", msg)
    return address


def from_environment() -> str | None:
    """Return the address in the environment, or ``None``."""
    return os.environ.get(VARIABLE) or None
