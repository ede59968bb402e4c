"""How a bundle is written: JSON in a fixed order, short digests, files below one folder."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(order="deterministic")
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def encoded(value: Any) -> bytes:
    """Return a value as JSON; fields stand as declared, sets and dictionaries in order."""
    return _ENCODER.encode(value)


def plain(value: Any) -> str:
    """Return a value as JSON text."""
    return encoded(value).decode()


def short(data: bytes) -> str:
    """Return a digest that is long enough to tell two answers apart."""
    return sha256(data).hexdigest()[:16]


def readable(value: Any) -> str:
    """Return a value as JSON with one field a line, keys sorted."""
    raw = msgspec.json.decode(encoded(value))
    return msgspec.json.format(msgspec.json.encode(raw, order="sorted"), indent=1).decode() + "\n"


class Fields:
    """A digest for each field of many equal objects: it tells which field of them has changed."""

    def __init__(self) -> None:
        """Know no field yet."""
        self._digests: dict[str, Any] = {}

    def take(self, data: bytes) -> None:
        """Add an object, as JSON."""
        for name, value in _FIELDS.decode(data).items():
            if name not in self._digests:
                self._digests[name] = sha256()
            self._digests[name].update(bytes(value) + b"\n")

    def lines(self, what: str) -> Iterable[str]:
        """Return a line for each field."""
        return (f"{what}.{name} {found.hexdigest()[:16]}" for name, found in self._digests.items())


class Folder:
    """A folder of the bundle."""

    def __init__(self, path: Path) -> None:
        """Make it."""
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def below(self, name: str) -> Folder:
        """Return a folder in this one."""
        return Folder(self.path / name)

    def keep(self, name: str, data: bytes) -> None:
        """Write a file."""
        (self.path / name).write_bytes(data)

    def text(self, name: str, text: str) -> None:
        """Write a text."""
        self.keep(name, text.encode())

    def lines(self, name: str, lines: Iterable[str | bytes]) -> None:
        """Write a file of lines."""
        whole = (line.encode() if isinstance(line, str) else line for line in lines)
        self.keep(name, b"".join(line + b"\n" for line in whole))
