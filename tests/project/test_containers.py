"""The container files name what is there and keep what they promise: no root, nothing writable, a check."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from bohn.server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service["image"] == "bohn"]


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file: the word, and what follows on all its lines."""
    text = re.sub(
        r"^\s*#.*\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines if line]


def last_stage() -> dict[str, str]:
    """Return the instructions of the image that is run, by their words."""
    given = instructions()
    begun = max(at for at, (word, _) in enumerate(given) if word == "FROM")
    return dict(given[begun:])


def ignored(path: str) -> bool:
    """Tell whether a builder is not given a path: each line of .dockerignore overrules those before it."""
    kept = [
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line[:1] == "!"
    ]
    return not any(path == each or path.startswith(f"{each}/") for each in kept)


def test_every_copied_file_is_there_and_given_to_the_builder() -> None:
    """A renamed file is missed here, not by whoever builds the image."""
    copied = [
        shlex.split(rest)[:-1] for word, rest in instructions() if word == "COPY" and "--from" not in rest
    ]
    sources = [source for each in copied for source in each]

    assert {"src", "web", "requirements"} <= set(sources)
    assert [source for source in sources if not (ROOT / source).exists() or ignored(source)] == []


def test_every_lock_that_the_image_installs_is_there() -> None:
    """Nothing but locked packages, with their hashes, gets into it."""
    runs = " ".join(rest for word, rest in instructions() if word == "RUN")
    locks = re.findall(r"-r (\S+)", runs)

    assert "requirements/server.txt" in locks
    assert [lock for lock in locks if not (ROOT / lock).is_file()] == []
    assert runs.count("pip install") == runs.count("--require-hashes") + runs.count("--no-deps")


def test_image_is_run_by_nobody_who_is_root() -> None:
    """The user is a number, which whoever runs it can check."""
    assert last_stage()["USER"] == "10001:10001"


def test_image_keeps_its_data_in_a_volume_and_says_how_it_is() -> None:
    """A folder that outlives the container, the port, and a check that asks for readiness."""
    stage = last_stage()

    assert stage["VOLUME"] == json.loads(stage["CMD"])[-1] == "/data"
    assert "/readyz" in stage["HEALTHCHECK"]
    assert stage["EXPOSE"] == "8000"
    assert "HOME=/data" in stage["ENV"].split()  # a user without a name has no other


def test_profiles_are_the_three_ways() -> None:
    """Alone, behind TLS, several workers; and no service runs unasked."""
    profiles = [profile for service in SERVICES.values() for profile in service.get("profiles", ["always"])]

    assert set(profiles) == {"alone", "tls", "workers"}
    assert sum(name in {"one", "two", "three"} for name in OURS) == 3


@pytest.mark.parametrize("name", SERVICES)
def test_service_can_change_nothing_but_its_volumes(name: str) -> None:
    """A read-only file system, no rights of root but to listen, and none to be gained."""
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) in ([], ["NET_BIND_SERVICE"])
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", SERVICES)
def test_service_is_root_only_where_that_is_said(name: str) -> None:
    """All but Caddy, whose volumes are root's, name another user."""
    assert ("user" in SERVICES[name]) == (name not in {"caddy", "balancer"})


@pytest.mark.parametrize("name", SERVICES)
def test_service_has_a_health_check(name: str) -> None:
    """Its own, or that of the image; others wait for it."""
    assert name in OURS or "test" in SERVICES[name]["healthcheck"]


def test_every_mounted_file_and_volume_is_there() -> None:
    """Files beside compose.yaml, and volumes that it declares."""
    mounts = [mount.split(":")[0] for service in SERVICES.values() for mount in service["volumes"]]
    files = [mount for mount in mounts if mount.startswith(".")]

    assert [mount for mount in files if not (DEPLOY / mount).is_file()] == []
    assert set(mounts) - set(files) == set(COMPOSE["volumes"])


def test_only_caddy_is_believed_about_clients() -> None:
    """The address that the settings trust is Caddy's, in both profiles."""
    settings = msgspec.json.decode((DEPLOY / "container.json").read_bytes(), type=Settings)
    addresses = {SERVICES[name]["networks"]["proxied"]["ipv4_address"] for name in ("caddy", "balancer")}

    assert set(settings.proxies) == addresses


def test_caddy_is_given_every_worker() -> None:
    """The names in BOHN_WORKERS are the services of its profile."""
    for caddy, profile in (("caddy", "tls"), ("balancer", "workers")):
        given = {each.partition(":")[0] for each in SERVICES[caddy]["environment"]["BOHN_WORKERS"].split()}
        assert given == {name for name in OURS if SERVICES[name]["profiles"] == [profile]}


def test_worker_has_the_database_and_no_folder() -> None:
    """A folder on the command line stands in the place of the address in the environment."""
    workers = [SERVICES[name] for name in ("one", "two", "three")]

    assert all(worker["environment"]["BOHN_STORE"].startswith("postgresql://") for worker in workers)
    assert not any("--data" in word for worker in workers for word in worker["command"])


def test_database_is_reached_by_workers_only() -> None:
    """Its network leads nowhere else, and it has no port outside."""
    assert COMPOSE["networks"]["stored"]["internal"] is True
    assert "ports" not in SERVICES["database"]
    assert SERVICES["database"]["networks"] == ["stored"]
