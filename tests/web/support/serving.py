"""A `bohn serve` of one's own, as a process that can be killed and started again on the same data."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

QUICK: dict[str, Any] = {
    "times": {
        "bot_move": [0, 0],
        "bot_delay": [0, 0],
        "bot_chatter": [0, 0],
        "bot_beside_people": [0, 0],
        "bot_quiet": 0,
        "bot_first_market": 0,
        "bot_open": [0, 0],
        "last_call": 300,
        "collect": 60,
    },
    "limits": {
        "commands_at_once": 5000,
        "commands_a_second": 500,
        "requests_at_once": 5000,
        "requests_a_second": 500,
        "tables_an_address": 2000,
        "guests_at_once": 5000,
        "guests_a_second": 500,
        "sign_ins_at_once": 5000,
        "sign_ins_a_second": 500,
    },
}
"""Nobody waits for computer players in a test."""

STARTS = 60
"""Seconds until a server must be there; other tests share the machine."""


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Serving:
    """A server process; use it in a ``with`` statement. ``url`` is its address, and stays the same."""

    def __init__(self, folder: Path, settings: object = QUICK) -> None:
        """Serve the data in this folder."""
        self.folder = folder
        self.settings = folder / "settings.json"
        self.settings.write_text(json.dumps(settings), encoding="utf-8")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None
        self._log = (folder / "server.log").open("a", encoding="utf-8")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(signal.SIGTERM)
        self._log.close()

    def start(self) -> None:
        """Start, and wait until the address was told."""
        arguments = ["serve", "--port", str(self.port), "--data", str(self.folder / "data")]
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-m", "bohn", *arguments, "--settings", str(self.settings)],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdout is not None
        ends = time.monotonic() + STARTS
        for line in self._process.stdout:
            if re.search(re.escape(f":{self.port}"), line):
                return
            if time.monotonic() > ends:
                break
        msg = f"no server: {(self.folder / 'server.log').read_text(encoding='utf-8')[-2000:]}"
        raise RuntimeError(msg)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.stop(signal.SIGKILL)

    def stop(self, how: signal.Signals) -> None:
        """Send a signal and wait for the end."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(timeout=30)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
