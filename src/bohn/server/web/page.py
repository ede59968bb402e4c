"""The page: the built client if the package has it, else one quiet page that says what runs here."""

from __future__ import annotations

import mimetypes
from contextlib import suppress
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import bohn
from bohn.server.web.keeping import ASK_AGAIN, FOR_EVER, Kept

PLAIN = {
    "/": ("text/html; charset=utf-8", "plain.html"),
    "/plain.css": ("text/css; charset=utf-8", "plain.css"),
}
"""The pages that are there without the client."""

NO_PAGES = ("api", "ws", "healthz", "readyz", "metrics")
"""What no address inside the client begins with."""

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".ico": "image/x-icon",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}


def client() -> Traversable | None:
    """Return the folder of the built client, if there is one."""
    folder = files("bohn.server") / "static"
    return folder if (folder / "index.html").is_file() else None


class Page:
    """What is shown under all addresses but those of the API."""

    def __init__(self, folder: Traversable | None = None) -> None:
        """Show the client in this folder; without one, that of the package as soon as it is built."""
        self._folder = folder
        self._kept: dict[str, tuple[object, Kept]] = {}

    def find(self, path: str) -> Kept | None:
        """Return what is shown under a path, or ``None`` if there is no such page."""
        folder = self._folder or client()
        if folder is None:
            return _plain(path)
        wanted = path.strip("/") or "index.html"
        found = self._file(folder, wanted)
        if found is None and "." not in wanted.rpartition("/")[2] and wanted.split("/")[0] not in NO_PAGES:
            return self._file(folder, "index.html")  # an address inside the client, such as /t/<table>
        return found

    def _file(self, folder: Traversable, path: str) -> Kept | None:
        """Return a file of the folder, read again only if it was changed."""
        found = _inside(folder, path)
        if found is None:
            self._kept.pop(path, None)
            return None
        version = _version(found)
        known = self._kept.get(path)
        if known is None or known[0] != version:
            known = self._kept[path] = version, _read(folder, path, found)
        return known[1]


def _plain(path: str) -> Kept | None:
    """Return one of the pages that are there without the client."""
    return _plain_page(path) if path in PLAIN else None


@cache
def _plain_page(path: str) -> Kept:
    media, name = PLAIN[path]
    text = (files("bohn.server.web") / "plain" / name).read_bytes()
    return Kept(text.replace(b"{version}", bohn.__version__.encode()), media)


def _inside(folder: Traversable, path: str) -> Traversable | None:
    """Return a file of the folder; no path leads out of it, and what is precompressed has no address."""
    found = folder
    for part in path.split("/"):
        if not found.is_dir() or part not in {entry.name for entry in found.iterdir()}:
            return None
        found = found / part
    return found if found.is_file() and not path.endswith(".gz") else None


def _version(file: Traversable) -> object:
    """Return what tells whether a file was changed; what lies in an archive never is."""
    if isinstance(file, Path):
        with suppress(OSError):
            status = file.stat()
            return status.st_mtime_ns, status.st_size
    return None


def _read(folder: Traversable, path: str, file: Traversable) -> Kept:
    """Return a file with its type; what has its digest in its name is kept for ever."""
    suffix = "." + path.rpartition(".")[2]
    media = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    control = FOR_EVER if path.startswith("assets/") else ASK_AGAIN
    body, small = file.read_bytes(), folder.joinpath(*f"{path}.gz".split("/"))
    return Kept(body, media, control, small.read_bytes() if small.is_file() else None)
