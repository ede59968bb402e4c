"""The page: the built client if the package has it, else one quiet page that says what runs here."""

from __future__ import annotations

import mimetypes
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import bohn
from bohn.server.web.answers import Answer

PLAIN = {
    "/": ("text/html; charset=utf-8", "plain.html"),
    "/plain.css": ("text/css; charset=utf-8", "plain.css"),
}
"""The pages that are there without the client."""

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".ico": "image/x-icon",
}


def client() -> Traversable | None:
    """Return the folder of the built client, if there is one."""
    folder = files("bohn.server") / "static"
    return folder if (folder / "index.html").is_file() else None


def page(path: str, folder: Traversable | None) -> Answer | None:
    """Return the answer for a path outside the API, or ``None`` if there is no such page."""
    if folder is None:
        return _plain(path)
    wanted = path.strip("/") or "index.html"
    found = _file(folder, wanted)
    if found is None and "." not in wanted.rpartition("/")[2]:
        wanted = "index.html"  # an address inside the client, such as /t/<table>
        found = _file(folder, wanted)
    return None if found is None else _answer(wanted, found)


def _plain(path: str) -> Answer | None:
    """Return one of the pages that are there without the client."""
    if path not in PLAIN:
        return None
    media, name = PLAIN[path]
    text = _text(name).replace(b"{version}", bohn.__version__.encode())
    return Answer(200, text, media, (("cache-control", ASK_AGAIN),))


@cache
def _text(name: str) -> bytes:
    return (files("bohn.server.web") / "plain" / name).read_bytes()


def _file(folder: Traversable, path: str) -> bytes | None:
    """Return a file of the folder; no path leads out of it."""
    found = folder
    for part in path.split("/"):
        if not found.is_dir() or part not in {entry.name for entry in found.iterdir()}:
            return None
        found = found / part
    return found.read_bytes() if found.is_file() else None


def _answer(path: str, body: bytes) -> Answer:
    """Return a file with its type; what has its digest in its name is kept for ever."""
    suffix = "." + path.rpartition(".")[2]
    media = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    kept = FOR_EVER if path.startswith("assets/") else ASK_AGAIN
    return Answer(200, body, media, (("cache-control", kept),))
