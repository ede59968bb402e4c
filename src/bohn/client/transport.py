"""HTTP requests to one server: with cookie or token, repeated where that is safe, refusals as exceptions."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from threading import Event
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import urllib3
from msgspec import Struct
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

import bohn
from bohn.client.errors import NotUnderstood, RefusedByTable, Unreachable
from bohn.protocol.api import Error
from bohn.protocol.refusals import Problem

T = TypeVar("T")

RANDOM = secrets.SystemRandom()

TEMPORARY = frozenset({Problem.NOT_SAVED, Problem.SERVER_STOPPING})
"""Temporary refusals: nothing was done, so any request may be sent again."""

GATEWAY = frozenset({502, 503, 504})
"""HTTP statuses of a proxy while there is no server behind it."""


class RetryPolicy(Struct, frozen=True):
    """Pauses between retries and timeouts, in seconds.

    The pause after the first failure is ``first``, then twice as long each time, up to ``longest``; of each a
    random part from half to all is waited, so that many clients do not come back at once. ``give_up`` is the
    time without any answer after which :class:`bohn.client.Unreachable` is raised; ``answer`` the timeout of
    one response, ``silence`` that of a stream without a line.
    """

    first: float = 0.25
    longest: float = 15.0
    give_up: float = 120.0
    answer: float = 20.0
    silence: float = 25.0


class Backoff:
    """The pauses after failures in a row."""

    def __init__(self, retries: RetryPolicy) -> None:
        """Begin without a failure."""
        self._retries = retries
        self._failures = 0
        self._since = monotonic()

    def reset(self) -> None:
        """Begin anew after the server has answered."""
        self._failures = 0
        self._since = monotonic()

    def pause(self, error: object, asked: float = 0.0) -> float:
        """Return the seconds to wait, ``asked`` and more; raises :class:`Unreachable` after too long."""
        retries = self._retries
        most = min(retries.longest, retries.first * 2.0 ** min(self._failures, 30))
        wait = asked + most * RANDOM.uniform(0.5, 1.0)
        if monotonic() + wait - self._since > retries.give_up:
            msg = f"no answer for {retries.give_up:g} s: {error}"
            raise Unreachable(msg)
        self._failures += 1
        return wait


class Transport:
    """The connections of one client; any number of threads may use it."""

    def __init__(self, base_url: str, token: str | None, retries: RetryPolicy) -> None:
        """Connect to nothing yet."""
        self.base_url = base_url.rstrip("/")
        self.token = token
        self.retries = retries
        self.closed = Event()
        self._cookies: dict[str, str] = {}
        timeout = urllib3.Timeout(connect=retries.answer, read=retries.answer)
        self._pool = urllib3.connection_from_url(self.base_url, maxsize=8, retries=False, timeout=timeout)
        self._prefix = urlsplit(self.base_url).path

    def close(self) -> None:
        """Close all connections, and end all waiting."""
        self.closed.set()
        self._pool.close()

    def headers(self, *, body: bool = False) -> dict[str, str]:
        """Return the headers of a request."""
        found = {"User-Agent": f"bohn-client/{bohn.__version__}", "Accept": "application/json"}
        if self.token is not None:
            found["Authorization"] = f"Bearer {self.token}"
        elif self._cookies:
            found["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if body:
            found["Content-Type"] = "application/json"
        return found

    def request(self, method: str, path: str, kind: type[T], body: Any = None, *, twice: bool = False) -> T:
        """Send a request and return its decoded answer.

        With ``twice`` it may be sent again if no answer came; otherwise only if it surely was not done.
        Raises :class:`RefusedByTable`, :class:`Unreachable`, :class:`NotUnderstood`.
        """
        answer = self.bytes_of(method, path, body, twice=twice or method == "GET")
        try:
            return msgspec.json.decode(answer, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            msg = f"{method} {path}: {error}"
            raise NotUnderstood(msg) from None

    def bytes_of(self, method: str, path: str, body: Any = None, *, twice: bool = True) -> bytes:
        """Send a request and return the body of its answer; as :meth:`request`."""
        data = None if body is None else msgspec.json.encode(body)
        backoff = Backoff(self.retries)
        while True:
            try:
                answer = self._pool.request(
                    method, self._prefix + path, body=data, headers=self.headers(body=data is not None),
                    redirect=False,
                )  # fmt: skip
            except HTTPError as error:
                if not twice and not isinstance(error, NewConnectionError | ConnectTimeoutError):
                    msg = f"{method} {path}: {error}"
                    raise Unreachable(msg) from None
                self.wait(backoff.pause(error))
                continue
            self._store_cookies(answer)
            if answer.status < 300:
                return answer.data
            refusal = refused(answer.status, answer.data)
            if refusal is None and (not twice or answer.status not in GATEWAY):
                msg = f"{method} {path}: {answer.status}"
                raise NotUnderstood(msg)
            asked = 0.0 if refusal is None else pause_of(refusal)
            self.wait(backoff.pause(refusal or answer.status, asked))

    def open_stream(self, path: str) -> urllib3.BaseHTTPResponse:
        """Return an answer that goes on, line by line.

        Raises ``HTTPError`` of urllib3 without an answer, :class:`RefusedByTable` for a refusal, and
        :class:`NotUnderstood` for anything else.
        """
        answer = self._pool.request(
            "GET", self._prefix + path, headers=self.headers(), preload_content=False, redirect=False,
            timeout=urllib3.Timeout(connect=self.retries.answer, read=self.retries.silence),
        )  # fmt: skip
        if answer.status == 200:
            return answer
        try:
            status, data = answer.status, answer.data
        finally:
            answer.close()
        if status in GATEWAY and _error_in(data) is None:
            msg = f"status {status}"
            raise HTTPError(msg)
        raise _error_of(status, data) or NotUnderstood(f"GET {path}: {status}")

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond the closing of the client."""
        if self.closed.wait(seconds):
            raise Unreachable("the client was closed")

    def _store_cookies(self, answer: urllib3.BaseHTTPResponse) -> None:
        for line in answer.headers.getlist("set-cookie"):
            try:
                found = SimpleCookie(line)
            except CookieError:
                continue
            for name, morsel in found.items():
                if morsel["max-age"] == "0" or not morsel.value:
                    self._cookies.pop(name, None)
                else:
                    self._cookies[name] = morsel.value


def _error_in(data: bytes) -> Error | None:
    """Return the refusal in a body, or ``None`` if it holds something else."""
    try:
        return msgspec.json.decode(data, type=Error)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _error_of(status: int, data: bytes) -> RefusedByTable | None:
    error = _error_in(data)
    return None if error is None else RefusedByTable(error.reason, error.clause, error.params, status)


def refused(status: int, data: bytes) -> RefusedByTable | None:
    """Return a temporary refusal, ``None`` if the body is no refusal; raises all other refusals."""
    refusal = _error_of(status, data)
    if refusal is not None and not is_temporary(refusal):
        raise refusal
    return refusal


def is_temporary(refusal: RefusedByTable) -> bool:
    """Tell whether the same request may succeed later: a rate limit names its time, other limits do not."""
    return refusal.reason in TEMPORARY or pause_of(refusal) > 0


def pause_of(refusal: RefusedByTable) -> float:
    """Return how many seconds the server asks to wait (it says ms)."""
    wait = refusal.params.get("retry_after", 0)
    return wait / 1000 if isinstance(wait, int | float) and wait > 0 else 0.0
