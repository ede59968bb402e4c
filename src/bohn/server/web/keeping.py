"""Answers that are the same for everybody: compressed once, tagged, and not sent again to who has them."""

from __future__ import annotations

import gzip
import re
from functools import cached_property
from hashlib import sha256

from starlette.types import Scope

from bohn.server.web.answers import JSON, NOT_MODIFIED, Answer

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

WORTH_IT = 860
"""Smaller bodies are sent as they are: they fit into one packet anyway."""

_TEXT = re.compile(r"text/|image/svg\+xml|application/(json|manifest\+json)")
_REFUSED = re.compile(r";\s*q\s*=\s*0(\.0*)?\s*$")


class Kept:
    """One body with its type, how long clients may keep it, and its tag."""

    def __init__(
        self, body: bytes, media: str = JSON, control: str = ASK_AGAIN, squeezed: bytes | None = None
    ) -> None:
        """Keep a body; ``squeezed`` is its gzip if whoever made it has that already."""
        self.body = body
        self.media = media
        self._control = control
        self._squeezed = squeezed
        self._tag = sha256(body).hexdigest()[:24]

    @cached_property
    def squeezed(self) -> bytes | None:
        """The body as gzip, if that is worth it."""
        if len(self.body) < WORTH_IT or not _TEXT.match(self.media):
            return None
        smaller = self._squeezed or gzip.compress(self.body, 9, mtime=0)
        return smaller if len(smaller) < len(self.body) else None

    def answer(self, scope: Scope) -> Answer:
        """Return the answer to a request: all of it, as gzip if the client takes that, or 304."""
        small = self.squeezed if takes_gzip(_header(scope, b"accept-encoding")) else None
        body = self.body if small is None else small
        etag = f'"{self._tag}"' if small is None else f'"{self._tag}.gz"'
        headers = [("cache-control", self._control), ("etag", etag)]
        if self.squeezed is not None:
            headers.append(("vary", "accept-encoding"))
        if self._tag in _tags(_header(scope, b"if-none-match")):
            return Answer(NOT_MODIFIED, b"", self.media, tuple(headers))
        if small is not None:
            headers.append(("content-encoding", "gzip"))
        return Answer(200, body, self.media, tuple(headers))


def takes_gzip(accepted: str) -> bool:
    """Tell whether an ``Accept-Encoding`` header allows gzip."""
    choices = {
        part.partition(";")[0].strip().lower(): not _REFUSED.search(part) for part in accepted.split(",")
    }
    return choices.get("gzip", choices.get("*", False))


def _tags(known: str) -> set[str]:
    """Return the tags of an ``If-None-Match`` header, those of both encodings as one."""
    return {tag.strip().removeprefix("W/").strip('"').removesuffix(".gz") for tag in known.split(",")}


def _header(scope: Scope, name: bytes) -> str:
    return ",".join(value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name)
