"""The page of a table without a server: its files come from the built page, its states from the test."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Browser, Route, WebSocketRoute

from bohn.i18n import available
from bohn.protocol import api, frames
from bohn.server.people.chat import PHRASES
from bohn.server.tables.viewpoint import ENCODER
from bohn.server.web.page import Page as Files
from tests.web.support.people import STILL
from tests.web.support.states import ADA, TABLE, Still

HOST = "http://table.test"
"""No such host is ever asked: every request is answered by the test."""

ME = api.Me(ADA, "Ada", "en", bot=False, cookie=True, scopes=("read", "play"))
CATALOG = api.Catalog(
    protocol=frames.PROTOCOL, product="bohn", editions=(), clocks=(), bots=(), phrases=PHRASES,
    languages=available(),
)  # fmt: skip
STEP = 100
"""Between the log numbers of two states: batches shown with one are newer than the other."""

SETTLED = """async seq => {
  const frames = async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  };
  const end = performance.now() + 30_000;
  const inTime = what => { if (performance.now() > end) throw new Error(`${what} did not come`); };
  while (Number(document.documentElement.dataset.seq) !== seq) { inTime(`state ${seq}`); await frames(); }
  do { // letters are asked for when they are drawn first
    inTime("a font");
    await Promise.race([document.fonts.ready, new Promise(done => setTimeout(done, 1_000))]);
    await frames();
  } while (document.fonts.status !== "loaded");
}"""


class Unserved:
    """A page before which one state after the other is put; ``settings`` go over the usual ones."""

    def __init__(
        self,
        browser: Browser,
        *,
        settings: dict[str, Any] | None = None,
        answers: dict[str, object] | None = None,
        **context: Any,
    ) -> None:
        """Open nothing yet; ``answers`` are what further paths of the API answer."""
        self._answers = {"/api/me": ME, "/api/catalog": CATALOG, **(answers or {})}
        kept = json.dumps(json.dumps({**STILL, "name": "Ada", **(settings or {})}))
        self.context = browser.new_context(**{"locale": "en-US", "service_workers": "block", **context})
        self.context.add_init_script(f"localStorage['bohn.settings'] ??= {kept}")
        self.context.route("**/*", self._answer)
        self.page = self.context.new_page()
        self.page.route_web_socket(re.compile("/ws"), self._connected)
        self.errors: list[str] = []
        self.heard: list[dict[str, Any]] = []  # every frame of the page, first one first
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._files = Files()
        self._socket: WebSocketRoute | None = None
        self._shown: Still | None = None
        self._seq = STEP  # a page that was told nothing is at 0

    def show(self, still: Still) -> None:
        """Put a state before the page, and wait until it is drawn."""
        self._shown = still
        first = self._socket is None
        if first:
            self.page.goto(f"{HOST}/t/{TABLE}")
        else:
            self._seq += STEP
            self._send()
        if first and still.rules.game != "main":  # its words and its middle are loaded for it
            self.drawn()
        else:
            self.page.evaluate(SETTLED, self._seq)

    def hear(self, frame: frames.ServerFrame) -> None:
        """Let the page have one more frame, about what is shown."""
        assert self._socket is not None
        self._socket.send(ENCODER.encode(frame).decode())

    def drawn(self) -> None:
        """Wait until what was clicked is drawn, parts that are loaded for it included."""
        self.page.wait_for_load_state("networkidle")
        self.page.evaluate(SETTLED, self._seq)

    def close(self) -> None:
        """Leave; an error of the page fails the test."""
        self.context.close()
        assert not self.errors, self.errors

    def _connected(self, socket: WebSocketRoute) -> None:
        if self._socket is not None:
            socket.close()  # it asks for what happened before, which nobody stores here
            return
        self._socket = socket
        socket.on_message(self._said)
        self._send()

    def _send(self) -> None:
        assert self._shown is not None
        assert self._socket is not None
        for frame in self._shown.sent(self._seq, int(time.time() * 1000)):
            self._socket.send(frame.decode())

    def _said(self, frame: str | bytes) -> None:
        assert self._shown is not None
        self.heard.append(msgspec.json.decode(frame))
        answer = self._shown.answer(frame if isinstance(frame, bytes) else frame.encode())
        if answer is not None and self._socket is not None:
            self._socket.send(answer.decode())

    def _answer(self, route: Route) -> None:
        path = re.sub(r"^\w+://[^/]*", "", route.request.url).partition("?")[0]
        body: object = self._answers.get(path)
        if path.endswith("/chat"):
            body = {"lines": []}
        if body is not None:
            return route.fulfill(body=msgspec.json.encode(body), content_type="application/json")
        found = self._files.find(path)
        if found is None:
            return route.fulfill(status=404, body=b"{}", content_type="application/json")
        return route.fulfill(body=found.body, content_type=found.media)


Opening = Callable[..., Unserved]
"""How a test opens a page: by its window, and settings by their names."""
