"""Responses that are the same for every client: files and JSON with gzip, an ETag and ``Cache-Control``.

Starlette's ``StaticFiles`` would not do: it serves no gzip made beforehand, has one ETag for both encodings,
makes it from a file's time (which differs between installations), and reads no files in an archive.
"""

from __future__ import annotations

import gzip
import re
from functools import cached_property
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.types import Scope

from bohn.protocol.endpoints import JSON
from bohn.server.web.responses import NOT_MODIFIED, Response

IMMUTABLE = "public, max-age=31536000, immutable"
"""``Cache-Control`` of files whose name changes with their content: cached for a year unasked."""

REVALIDATE = "no-cache"
"""``Cache-Control`` of everything else: cached, but checked by its ETag before each use."""

GZIP_FROM = 860
"""Bytes from which a body is compressed; smaller ones fit into one packet as they are."""

_TEXT = re.compile(r"text/|image/svg\+xml|application/(json|manifest\+json)")
_QUALITY_ZERO = re.compile(r";\s*q\s*=\s*0(\.0*)?\s*$")


class CacheableBody:
    """A response body with its media type, its ``Cache-Control`` and its ETag."""

    def __init__(
        self, body: bytes, media: str = JSON, control: str = REVALIDATE, gzipped: bytes | None = None
    ) -> None:
        """Compute the ETag; ``gzipped`` is the compressed body, if there is one already."""
        self.body = body
        self.media = media
        self._control = control
        self._gzipped = gzipped
        self._etag = sha256(body).hexdigest()[:24]

    @cached_property
    def gzipped(self) -> bytes | None:
        """The body as gzip; ``None`` if it is no text, too small, or gets no smaller."""
        if len(self.body) < GZIP_FROM or not _TEXT.match(self.media):
            return None
        smaller = self._gzipped or gzip.compress(self.body, 9, mtime=0)
        return smaller if len(smaller) < len(self.body) else None

    def response(self, scope: Scope) -> Response:
        """Return the body, as gzip if the client accepts it, or 304 if the client has it already."""
        small = self.gzipped if accepts_gzip(_header(scope, "accept-encoding")) else None
        body = self.body if small is None else small
        etag = f'"{self._etag}"' if small is None else f'"{self._etag}.gz"'
        headers = [("cache-control", self._control), ("etag", etag)]
        if self.gzipped is not None:
            headers.append(("vary", "accept-encoding"))
        if self._etag in _etags(_header(scope, "if-none-match")):
            return Response(NOT_MODIFIED, b"", self.media, tuple(headers))
        if small is not None:
            headers.append(("content-encoding", "gzip"))
        return Response(200, body, self.media, tuple(headers))


def accepts_gzip(accepted: str) -> bool:
    """Tell whether an ``Accept-Encoding`` header allows gzip."""
    choices = {
        part.partition(";")[0].strip().lower(): not _QUALITY_ZERO.search(part) for part in accepted.split(",")
    }
    return choices.get("gzip", choices.get("*", False))


def _etags(known: str) -> set[str]:
    """Return the ETags of an ``If-None-Match`` header, without the mark of the encoding."""
    return {tag.strip().removeprefix("W/").strip('"').removesuffix(".gz") for tag in known.split(",")}


def _header(scope: Scope, name: str) -> str:
    """Return a header; one that was sent in several lines becomes one, with commas."""
    return ",".join(Headers(scope=scope).getlist(name))
