"""Network namespaces: one for each machine that is played here, joined by a switch in one more."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

PREFIX = "bohn-faults"
"""Every namespace begins with it; the process that made it comes behind."""

SUBNET = "10.77.0"
"""Addresses inside the namespaces; nothing outside them can be reached by these, nor reaches them."""

SWITCH = "switch"


class Missing(Exception):  # noqa: N818 - a fact
    """Something is not there that this needs; the message says what, in one line."""


def require_programs() -> None:
    """Raise :class:`Missing` unless namespaces can be made here."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise Missing("namespaces can only be made by root: run this as root, in a container for example")
    for name in ("ip", "nsenter"):
        if shutil.which(name) is None:
            raise Missing(f"the program {name!r} is not installed (Debian: iproute2 and util-linux)")


class Network:
    """Machines by name, each with an address of its own; :meth:`remove` takes everything away."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Note the names; nothing is made yet."""
        self.names = names
        self._prefix = f"{PREFIX}-{os.getpid()}"
        self._made: list[str] = []

    def address(self, name: str) -> str:
        """Return the address of a machine."""
        return f"{SUBNET}.{self.names.index(name) + 2}"

    def make(self) -> None:
        """Make all namespaces, and join them."""
        remove_left_behind()
        self._namespace(SWITCH)
        self._in(SWITCH, "link", "add", "br0", "type", "bridge")
        self._in(SWITCH, "link", "set", "br0", "up")
        for number, name in enumerate(self.names):
            self._namespace(name)
            port = f"port{number}"
            ends = ("type", "veth", "peer", "name", "eth0", "netns", self._full(name))
            self._in(SWITCH, "link", "add", "name", port, *ends)
            self._in(SWITCH, "link", "set", port, "master", "br0", "up")
            self._in(name, "address", "add", f"{self.address(name)}/24", "dev", "eth0")
            self._in(name, "link", "set", "eth0", "up")

    def command(self, name: str, *command: str, user: tuple[int, int] | None = None) -> tuple[str, ...]:
        """Return a command that runs on a machine, as a user by number if one is given."""
        who = () if user is None else ("-S", str(user[0]), "-G", str(user[1]))
        return ("nsenter", f"--net=/run/netns/{self._full(name)}", *who, "--", *command)

    def cut(self, here: str, there: str) -> None:
        """Lose all that one machine sends to another; what comes from there arrives."""
        self._in(here, "route", "replace", "blackhole", f"{self.address(there)}/32")

    def mend(self, here: str, there: str) -> None:
        """End :meth:`cut`."""
        with suppress(subprocess.CalledProcessError):
            self._in(here, "route", "del", "blackhole", f"{self.address(there)}/32")

    def remove(self) -> None:
        """Remove all that was made."""
        while self._made:
            _ip("netns", "del", self._made.pop(), check=False)

    def _full(self, name: str) -> str:
        return f"{self._prefix}-{name}"

    def _namespace(self, name: str) -> None:
        _ip("netns", "add", self._full(name))
        self._made.append(self._full(name))
        self._in(name, "link", "set", "lo", "up")

    def _in(self, name: str, *words: str) -> None:
        _ip("-n", self._full(name), *words)


def remove_left_behind() -> None:
    """Remove namespaces of a run that was killed and could not do it itself."""
    folder = Path("/run/netns")
    for one in folder.glob(f"{PREFIX}-*") if folder.is_dir() else ():
        pid = one.name.removeprefix(f"{PREFIX}-").partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            _ip("netns", "del", one.name, check=False)


def _ip(*words: str, check: bool = True) -> None:
    subprocess.run(("ip", *words), check=check, capture_output=True)  # noqa: S603, S607 - the system's own program
