"""nginx and Caddy as processes of their own, set up by the files of deploy/ with other addresses."""

from __future__ import annotations

import asyncio
import getpass
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.server.support.serving import free_port

VARIABLE = "BOHN_TEST_PROXIES"
"""``require``: tests behind a proxy fail where it is not installed, and are not skipped."""

DEPLOY = Path(__file__).parents[3] / "deploy"
NAME = "bohn.example.org"
WORKERS = ("127.0.0.1:8001", "127.0.0.1:8002", "127.0.0.1:8003")
"""The workers that the files of deploy/ name."""

NGINX = """\
daemon off;
worker_processes 1;
user {user};
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 16384; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""

CADDY = "{\n\tadmin off\n\tauto_https off\n}\n"


def program(name: str) -> str:
    """Return the path of a proxy; skip the test that has none, or fail it where one is required."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        reason = f"{name} is not installed"
        if os.environ.get(VARIABLE) == "require":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def replaced(text: str, changes: dict[str, str]) -> str:
    """Return a text in which each of these is replaced; it must be there."""
    for old, new in changes.items():
        assert old in text, f"deploy/ says nothing of {old}"
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, workers: dict[str, str]) -> Sequence[str]:
    """Write what nginx reads, and return its command."""
    site = replaced(
        (DEPLOY / "nginx.conf").read_text(), {"listen 80;": f"listen 127.0.0.1:{port};", **workers}
    )
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=getpass.getuser()))
    return (
        program("nginx"),
        "-p",
        str(folder),
        "-e",
        str(folder / "error.log"),
        "-c",
        str(folder / "nginx.conf"),
    )


def caddy(folder: Path, port: int, workers: dict[str, str]) -> Sequence[str]:
    """Write what Caddy reads, and return its command."""
    name = {f"{{$BOHN_NAME:{NAME}}} {{": f"http://127.0.0.1:{port} {{"}
    site = replaced((DEPLOY / "Caddyfile").read_text(), {**name, **workers})
    (folder / "Caddyfile").write_text(CADDY + site)
    return (program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile"))


KINDS = {"nginx": nginx, "caddy": caddy}


@contextmanager
def proxy(kind: str, folder: Path, ports: Sequence[int]) -> Iterator[int]:
    """Run a proxy before three workers; yield its port."""
    folder.mkdir(parents=True)
    port = free_port()
    workers = {known: f"127.0.0.1:{port}" for known, port in zip(WORKERS, ports, strict=True)}
    command = KINDS[kind](folder, port, workers)
    kept = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - a program of the system, set up by our own file
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env={**os.environ, **kept}
        )
    try:
        asyncio.run(_listening(process, port, folder))
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


async def _listening(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    """Wait until a proxy takes connections; raises ``AssertionError`` with what it said if it ends."""
    async with asyncio.timeout(PATIENCE):
        while True:
            assert process.poll() is None, (folder / "said").read_text()
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1):
                    return
            except OSError:
                await asyncio.sleep(0.05)
