"""The page: quiet without the client, and the client's files where it was built."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from bohn.server.web import page as pages
from bohn.server.web.cacheable import GZIP_FROM, CacheableBody, accepts_gzip
from bohn.server.web.page import Page
from bohn.server.web.responses import Response
from tests.server.support.site import Place, live, visit

SCRIPT = b"export const beans = 11;\n" * 100
FONT = os.urandom(4_000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a built client."""
    inside = tmp_path / "static"
    (inside / "assets").mkdir(parents=True)
    (inside / "icons").mkdir()
    (inside / "index.html").write_text("<!doctype html><title>Bohn</title>")
    (inside / "assets" / "app-1a2b.js").write_bytes(SCRIPT)
    (inside / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT, 1))
    (inside / "assets" / "app-1a2b.css").write_text("a{}")
    (inside / "assets" / "hand-1a2b.woff2").write_bytes(FONT)
    (inside / "assets" / "plop-1a2b.mp3").write_bytes(b"ID3")
    (inside / "assets" / "plop-1a2b.ogg").write_bytes(b"OggS")
    (inside / "icons" / "favicon.svg").write_text("<svg/>")
    (inside / "manifest.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("secret")
    return inside


def asked(body: CacheableBody | None, **headers: str) -> Response:
    """Return the answer to a request with these headers."""
    assert body is not None
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {"headers": named}
    return body.response(scope)


# -- without the client --------------------------------------------------------------------------------------


@pytest.fixture
def unbuilt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package have no client."""
    monkeypatch.setattr(pages, "built_page", lambda: None)


@pytest.mark.usefixtures("unbuilt")
def test_page_says_what_runs_here() -> None:
    """Without the client a browser is told where it is and how to get the page, without any script."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("GET", "/")
        style = await place.stranger.ask("GET", "/plain.css")

        assert (answer.status, answer.header("content-type")) == (200, "text/html; charset=utf-8")
        assert b"/api/openapi.json" in answer.body
        assert b"make page" in answer.body
        assert b"{version}" not in answer.body
        assert b"<script" not in answer.body
        assert b"style=" not in answer.body
        assert (style.status, style.header("content-type")) == (200, "text/css; charset=utf-8")
        assert (await place.stranger.ask("GET", "/else")).status == 404

    visit(scenario)


def test_page_that_is_built_while_the_server_runs_is_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody need start the server again."""
    monkeypatch.setattr(pages, "built_page", lambda: None)
    page = Page()
    assert b"OpenAPI" in asked(page.find("/")).body

    monkeypatch.setattr(pages, "built_page", lambda: folder)

    assert b"<title>Bohn</title>" in asked(page.find("/")).body


def test_client_is_looked_for_in_the_package() -> None:
    """It is there if its first page is."""
    found = pages.built_page()

    assert found is None or (found / "index.html").is_file()


# -- the client ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "media", "control"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/index.html", "text/html; charset=utf-8", "no-cache"),
        ("/t/abc", "text/html; charset=utf-8", "no-cache"),
        ("/replay/abc", "text/html; charset=utf-8", "no-cache"),
        ("/rules/HARVEST-4", "text/html; charset=utf-8", "no-cache"),
        ("/icons/favicon.svg", "image/svg+xml", "no-cache"),
        ("/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/app-1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/hand-1a2b.woff2", "font/woff2", "public, max-age=31536000, immutable"),
        ("/assets/plop-1a2b.mp3", "audio/mpeg", "public, max-age=31536000, immutable"),
        ("/assets/plop-1a2b.ogg", "audio/ogg", "public, max-age=31536000, immutable"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
    ],
)
def test_client_is_served_with_types_and_caching(folder: Path, path: str, media: str, control: str) -> None:
    """Files with a digest in their name for ever; the page itself is asked for again."""
    answer = asked(Page(folder).find(path))

    assert answer.media == media
    assert dict(answer.headers)["cache-control"] == control


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/gone.js",
        "/gone.svg",
        "//secret.txt",
        "/assets\\app.js",
        "/a\0.js",
        "/assets/app-1a2b.js/x.js",
        "/assets/app-1a2b.js.gz",
        "/api",
        "/api/nowhere",
        "/ws",
        "/metrics/x",
    ],
)
def test_what_is_not_in_the_folder_is_not_there(folder: Path, path: str) -> None:
    """No path leads out of it, and what belongs to the server is no address of the client."""
    assert Page(folder).find(path) is None


def test_file_that_was_changed_is_read_again(folder: Path) -> None:
    """The page is built anew while the server runs; what has not changed is body."""
    page = Page(folder)
    before = page.find("/")
    assert page.find("/t/abc") is before

    (folder / "index.html").write_text("<!doctype html><title>Another</title>")
    assert b"Another" in asked(page.find("/")).body

    (folder / "icons" / "favicon.svg").unlink()
    assert page.find("/icons/favicon.svg") is None


def test_file_of_an_archive_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no time of change cannot change."""
    monkeypatch.setattr(pages, "_version", lambda _: None)
    page = Page(folder)
    before = page.find("/")
    (folder / "index.html").write_text("other")

    assert page.find("/") is before


# -- compression and tags ------------------------------------------------------------------------------------


def test_text_is_sent_as_gzip_to_who_takes_it(folder: Path) -> None:
    """The one the build has made, if it has; caches are told that it depends on what is accepted."""
    body = Page(folder).find("/assets/app-1a2b.js")
    plain, small = asked(body), asked(body, accept_encoding="br, gzip;q=0.5")

    assert plain.body == SCRIPT
    assert "content-encoding" not in dict(plain.headers)
    assert dict(small.headers)["content-encoding"] == "gzip"
    assert small.body == (folder / "assets" / "app-1a2b.js.gz").read_bytes()
    assert dict(plain.headers)["vary"] == dict(small.headers)["vary"] == "accept-encoding"


def test_text_without_a_gzip_beside_it_is_compressed_once() -> None:
    """And body."""
    body = CacheableBody(SCRIPT, "text/css")
    small = asked(body, accept_encoding="gzip")

    assert gzip.decompress(small.body) == SCRIPT
    assert asked(body, accept_encoding="gzip").body is small.body


@pytest.mark.parametrize(
    ("body", "media"),
    [(FONT, "font/woff2"), (b"x" * (GZIP_FROM - 1), "text/css"), (os.urandom(2_000), "text/plain")],
)
def test_what_gains_nothing_is_sent_as_it_is(body: bytes, media: str) -> None:
    """What is compressed already, what is short, and what does not get smaller."""
    answer = asked(CacheableBody(body, media), accept_encoding="gzip")

    assert answer.body == body
    assert {"content-encoding", "vary"}.isdisjoint(dict(answer.headers))


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("deflate, br", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, *", False),
        ("gzip;q=0.01", True),
        ("x-gzip-like", False),
    ],
)
def test_encodings_are_understood(accepted: str, *, taken: bool) -> None:
    """A weight of nothing refuses."""
    assert accepts_gzip(accepted) is taken


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_page_is_not_sent_to_who_has_it(folder: Path, encoding: str) -> None:
    """Its tag is that of what it says, whichever way it was sent; another page has another."""
    body = Page(folder).find("/assets/app-1a2b.js")
    tag = dict(asked(body, accept_encoding=encoding).headers)["etag"]
    again = asked(body, accept_encoding="gzip", if_none_match=f'"old", W/{tag}')

    assert (again.status, again.body) == (304, b"")
    assert dict(again.headers)["cache-control"] == "public, max-age=31536000, immutable"
    assert asked(body, if_none_match='"old"').status == 200
    assert (
        dict(asked(CacheableBody(b"1")).headers)["etag"] != dict(asked(CacheableBody(b"2")).headers)["etag"]
    )


def test_encodings_have_tags_of_their_own() -> None:
    """A cache between must not take one for the other."""
    body = CacheableBody(SCRIPT, "text/css")

    assert dict(asked(body).headers)["etag"] != dict(asked(body, accept_encoding="gzip").headers)["etag"]


# -- over the wire -------------------------------------------------------------------------------------------


def test_head_is_answered_like_get() -> None:
    """The server leaves the body out, and says how long it would be."""

    async def scenario(place: Place) -> None:
        for path in ("/", "/api/catalog", "/healthz", "/api/openapi.json", "/api/clauses"):
            assert (await place.stranger.ask("HEAD", path)).status == 200

    visit(scenario)


def test_answers_of_the_wire_are_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real connection: gzip, the length of a HEAD, a 304 without a body, and the connection goes on."""
    monkeypatch.setattr(pages, "built_page", lambda: folder)
    with live() as server:
        url = f"{server.origin}/assets/app-1a2b.js"
        first = server.http.request("GET", url, headers={"accept-encoding": "gzip"}, decode_content=False)
        head = server.http.request("HEAD", url)
        again = server.http.request("GET", url, headers={"if-none-match": first.headers["etag"]})
        index = server.http.request("GET", f"{server.origin}/t/abc")

    assert gzip.decompress(first.data) == SCRIPT
    assert (head.status, head.data, int(head.headers["content-length"])) == (200, b"", len(SCRIPT))
    assert (again.status, again.data) == (304, b"")
    assert "content-length" not in again.headers
    assert b"<title>Bohn" in index.data
    assert index.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")


def test_document_of_the_api_is_compressed() -> None:
    """It is long."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("GET", "/api/openapi.json", headers={"accept-encoding": "gzip"})

        assert answer.header("content-encoding") == "gzip"
        assert gzip.decompress(answer.body).startswith(b'{"openapi"')
        assert len(answer.body) < 60_000

    visit(scenario)
