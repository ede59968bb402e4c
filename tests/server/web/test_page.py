"""The page: quiet without the client, and the client's files where it was built."""

from __future__ import annotations

from pathlib import Path

import pytest

from bohn.server.web.page import page
from tests.server.support.site import Place, visit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a built client."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Bohn</title>")
    (tmp_path / "assets" / "app-1a2b.js").write_text("1")
    (tmp_path / "assets" / "app-1a2b.css").write_text("a{}")
    (tmp_path / "bohn.webmanifest").write_text("{}")
    (tmp_path.parent / "secret.txt").write_text("secret")
    return tmp_path


def test_page_says_what_runs_here() -> None:
    """Without the client a browser is told where it is, without any script."""

    async def scenario(place: Place) -> None:
        answer = await place.stranger.ask("GET", "/")
        style = await place.stranger.ask("GET", "/plain.css")

        assert (answer.status, answer.header("content-type")) == (200, "text/html; charset=utf-8")
        assert b"/api/openapi.json" in answer.body
        assert b"{version}" not in answer.body
        assert b"<script" not in answer.body
        assert b"style=" not in answer.body
        assert (style.status, style.header("content-type")) == (200, "text/css; charset=utf-8")
        assert (await place.stranger.ask("GET", "/else")).status == 404

    visit(scenario)


def test_head_is_answered_like_get() -> None:
    """The server leaves the body out."""

    async def scenario(place: Place) -> None:
        for path in ("/", "/api/catalog", "/healthz"):
            assert (await place.stranger.ask("HEAD", path)).status == 200

    visit(scenario)


@pytest.mark.parametrize(
    ("path", "media", "kept"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/t/abc", "text/html; charset=utf-8", "no-cache"),
        ("/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/app-1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/bohn.webmanifest", "application/manifest+json", "no-cache"),
    ],
)
def test_client_is_served_with_types_and_caching(folder: Path, path: str, media: str, kept: str) -> None:
    """Files with a digest in their name for ever; the page itself is asked for again."""
    answer = page(path, folder)

    assert answer is not None
    assert answer.media == media
    assert dict(answer.headers)["cache-control"] == kept


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/gone.js",
        "//secret.txt",
        "/assets\\app.js",
        "/a\0.js",
        "/assets/app-1a2b.js/x.js",
    ],
)
def test_no_path_leads_out_of_the_folder(folder: Path, path: str) -> None:
    """What is not in it is not there."""
    assert page(path, folder) is None
