"""The files of the page in the browser; where it was not built, one plain page that says what runs here."""

from __future__ import annotations

import mimetypes
from contextlib import suppress
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import bohn
from bohn.server.web.cacheable import IMMUTABLE, REVALIDATE, CacheableBody

PLAIN = {
    "/": ("text/html; charset=utf-8", "plain.html"),
    "/plain.css": ("text/css; charset=utf-8", "plain.css"),
}
"""Paths served where the page was not built: media type and file."""

NO_PAGES = ("api", "ws", "healthz", "readyz", "metrics")
"""First parts of paths that are never an address inside the page, so they get 404 instead of its index."""

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


def built_page() -> Traversable | None:
    """Return the folder of the built page, if there is one."""
    folder = files("bohn.server") / "static"
    return folder if (folder / "index.html").is_file() else None


class Page:
    """Finds the file for a path that is not part of the API, and caches what it has read."""

    def __init__(self, folder: Traversable | None = None) -> None:
        """Serve this folder; without one, the built page of the package as soon as there is one."""
        self._folder = folder
        self._cached: dict[str, tuple[object, CacheableBody]] = {}

    def find(self, path: str) -> CacheableBody | None:
        """Return the file for a path, or ``None`` if there is none."""
        folder = self._folder or built_page()
        if folder is None:
            return _plain(path)
        wanted = path.strip("/") or "index.html"
        found = self._file(folder, wanted)
        if found is None and "." not in wanted.rpartition("/")[2] and wanted.split("/")[0] not in NO_PAGES:
            return self._file(folder, "index.html")  # an address inside the page, such as /t/<table>
        return found

    def _file(self, folder: Traversable, path: str) -> CacheableBody | None:
        """Return a file of the folder; it is read again only after a change."""
        found = _inside(folder, path)
        if found is None:
            self._cached.pop(path, None)
            return None
        version = _version(found)
        cached = self._cached.get(path)
        if cached is None or cached[0] != version:
            cached = self._cached[path] = version, _read(folder, path, found)
        return cached[1]


def _plain(path: str) -> CacheableBody | None:
    """Return a file of the plain page."""
    return _plain_page(path) if path in PLAIN else None


@cache
def _plain_page(path: str) -> CacheableBody:
    media, name = PLAIN[path]
    text = (files("bohn.server.web") / "plain" / name).read_bytes()
    return CacheableBody(text.replace(b"{version}", bohn.__version__.encode()), media)


def _inside(folder: Traversable, path: str) -> Traversable | None:
    """Return a file of the folder; no path leads out of it, and ``.gz`` files cannot be asked for."""
    found = folder
    for part in path.split("/"):
        if not found.is_dir() or part not in {entry.name for entry in found.iterdir()}:
            return None
        found = found / part
    return found if found.is_file() and not path.endswith(".gz") else None


def _version(file: Traversable) -> object:
    """Return a value that differs after a file was changed; files in an archive never are."""
    if isinstance(file, Path):
        with suppress(OSError):
            status = file.stat()
            return status.st_mtime_ns, status.st_size
    return None


def _read(folder: Traversable, path: str, file: Traversable) -> CacheableBody:
    """Return a file with its media type; files with a digest in their name may be cached for ever."""
    suffix = "." + path.rpartition(".")[2]
    media = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    control = IMMUTABLE if path.startswith("assets/") else REVALIDATE
    body, gzipped = file.read_bytes(), folder.joinpath(*f"{path}.gz".split("/"))
    return CacheableBody(body, media, control, gzipped.read_bytes() if gzipped.is_file() else None)
