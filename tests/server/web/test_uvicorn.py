"""The private parts of uvicorn that the server uses are still as the server expects them.

If uvicorn changes them, other tests fail in ways that are hard to read; these name what has changed.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import RequestResponseCycle
from uvicorn.server import ServerState

from bohn.server.web import uvicorn_protocols as protocols

PROTOCOLS = (protocols.LimitedHttpProtocol, protocols.LimitedWebSocketProtocol)
SOURCE = ast.parse(Path(protocols.__file__).read_text(encoding="utf-8"))
CHANGED = (
    f"uvicorn {version('uvicorn')} has changed what src/bohn/server/web/uvicorn_protocols.py is built upon: "
)


def body_of(kind: type) -> ast.ClassDef:
    """Return the source of one of the classes."""
    (found,) = (node for node in SOURCE.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__)
    return found


def used_of_self(kind: type) -> set[str]:
    """Return the names that a class reads or calls of itself and does not set anywhere itself."""
    own, used = set(vars(kind)) | set(kind.__annotations__), set()
    for node in ast.walk(body_of(kind)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            if isinstance(node.ctx, ast.Load):
                used.add(node.attr)
            elif node.attr.startswith("_"):
                own.add(node.attr)
    return used - own


def overridden(kind: type) -> Iterator[str]:
    """Yield the methods that call the one they stand for."""
    for node in body_of(kind).body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if f"super().{node.name}(" in ast.unparse(node):
            yield node.name


def made(kind: type[Any]) -> Any:
    """Return a protocol as uvicorn itself makes one."""
    loop = asyncio.new_event_loop()
    try:
        config = Config(lambda: None, log_config=None)
        return kind.__mro__[1](config=config, server_state=ServerState(), app_state={}, _loop=loop)
    finally:
        loop.close()


def test_uvicorn_is_bounded_to_the_version_that_was_built_upon() -> None:
    """A version with other inner parts is not installed, and the installed one is within the bound."""
    text = Path(__file__).parents[3].joinpath("pyproject.toml").read_text(encoding="utf-8")
    (wanted,) = (one for one in tomllib.loads(text)["project"]["dependencies"] if one.startswith("uvicorn"))
    low, high = wanted.removeprefix("uvicorn>=").split(",<")

    def parts(number: str) -> list[int]:
        return [int(part) for part in number.split(".")]

    assert parts(high) == [parts(low)[0], parts(low)[1] + 1]
    assert parts(low) <= parts(version("uvicorn")) < parts(high)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_uvicorn_has_every_method_that_is_overridden(kind: type) -> None:
    """Each is there, with the parameters it had."""
    base = kind.__mro__[1]
    for name in overridden(kind):
        theirs = getattr(base, name, None)
        assert theirs is not None, CHANGED + f"{base.__name__}.{name} is gone"
        told = [list(inspect.signature(one).parameters) for one in (theirs, getattr(kind, name))]
        assert told[0] == told[1], CHANGED + f"{base.__name__}.{name} takes {told[0]}"
        both = [inspect.iscoroutinefunction(one) for one in (theirs, getattr(kind, name))]
        assert both[0] == both[1], CHANGED + f"{base.__name__}.{name} is awaited, or no longer"


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_uvicorn_has_everything_that_is_used_of_it(kind: type) -> None:
    """Each attribute and method is there as soon as a protocol is made."""
    missing = used_of_self(kind) - set(dir(made(kind)))

    assert missing == set(), CHANGED + f"{kind.__mro__[1].__name__} lacks {sorted(missing)}"


def test_uvicorn_has_the_smaller_parts_that_are_used() -> None:
    """What is used of other objects: whether an answer is over, whom to trust, the events of a connection."""
    socket = made(protocols.LimitedWebSocketProtocol)

    assert "response_complete" in inspect.getsource(RequestResponseCycle.__init__), (
        CHANGED + "response_complete"
    )
    assert "127.0.0.1" in _TrustedHosts(["127.0.0.1"]), CHANGED + "_TrustedHosts"
    assert (socket.conn.events, socket.frames) == ([], []), CHANGED + "events, frames"
    assert socket.writable.is_set(), CHANGED + "writable"


def test_names_that_are_looked_for_are_found() -> None:
    """The tests above look for something: methods and attributes of both protocols."""
    assert {"handle_events", "connection_made"} <= set(overridden(protocols.LimitedHttpProtocol))
    assert {"cycle", "app_state", "transport", "loop"} <= used_of_self(protocols.LimitedHttpProtocol)
    assert {"receive", "send", "handle_ping", "handle_cont"} <= set(
        overridden(protocols.LimitedWebSocketProtocol)
    )
    assert {"conn", "frames", "writable", "close_sent", "read_paused"} <= used_of_self(
        protocols.LimitedWebSocketProtocol
    )
