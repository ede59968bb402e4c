"""The project's own files agree: locks, targets of make, versions, and reasons for lint exceptions."""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKS = ("build", "page", "play", "server", "docs", "dev")


@cache
def pyproject() -> dict[str, Any]:
    """Return the parsed pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def lock(name: str) -> str:
    """Return the text of one lock file."""
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> dict[str, str]:
    """Return the pinned version of each package of a lock file."""
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[.+?\])?==(\S+)", lock(name), flags=re.MULTILINE))


def normal(requirement: str) -> str:
    """Return the normalised package name of a requirement such as ``prompt_toolkit>=3``."""
    return re.split(r"[^\w.-]", requirement)[0].replace("_", "-").lower()


@pytest.mark.parametrize("name", LOCKS)
def test_lock_names_no_address(name: str) -> None:
    """Where packages come from is the reader's setting, never the lock's."""
    assert "://" not in lock(name)


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_only_pins_and_hashes(name: str) -> None:
    """A lock holds no option line; each line is a pinned package or one of its hashes."""
    line = re.compile(r"[a-z0-9-]+(\[[a-z0-9,-]+\])?==\S+( ; .+?)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    strange = [text for text in lock(name).splitlines() if not line.fullmatch(text)]

    assert strange == []


def test_play_lock_pins_every_runtime_dependency() -> None:
    """What pyproject.toml asks for at run time is in requirements/play.txt."""
    assert {normal(wanted) for wanted in pyproject()["project"]["dependencies"]} <= pins("play").keys()


def test_server_lock_pins_what_postgres_needs() -> None:
    """What the image of deploy/ installs: all that is needed to play, and the extra."""
    wanted = {normal(each) for each in pyproject()["project"]["optional-dependencies"]["postgres"]}

    assert pins("play").items() <= pins("server").items()
    assert wanted <= pins("server").keys()


def test_page_lock_pins_node() -> None:
    """The Node that builds the page is locked, and nobody needs it to play."""
    assert pins("page").keys() == {normal(wanted) for wanted in pyproject()["dependency-groups"]["page"]}
    assert pins("page").keys().isdisjoint(pins("play"))


def test_dev_lock_pins_every_tool() -> None:
    """What pyproject.toml asks for in its dev group is in requirements/dev.txt."""
    wanted = {normal(entry) for entry in pyproject()["dependency-groups"]["dev"] if isinstance(entry, str)}

    assert wanted <= pins("dev").keys()


def test_dev_lock_names_the_extras_that_its_packages_ask_for() -> None:
    """Where a lock leaves out an extra, older versions of pip refuse it once there is a newer version."""
    asked: set[str] = set()
    for package in pins("dev"):
        with suppress(metadata.PackageNotFoundError):  # it is for another system
            asked |= {
                normal(entry)
                for entry in metadata.requires(package) or ()
                if (wanted := Requirement(entry)).extras and (not wanted.marker or wanted.marker.evaluate())
            }
    locked = set(re.findall(r"^([a-z0-9-]+)\[.+?\]==", lock("dev"), flags=re.MULTILINE))

    assert asked <= locked


def test_dev_lock_contains_the_other_locks() -> None:
    """The versions that are played with are the versions that are tested."""
    assert (pins("build") | pins("page") | pins("play") | pins("server")).items() <= pins("dev").items()


def test_every_make_target_is_in_the_documents() -> None:
    """Whatever `make` can do, CONTRIBUTING.md mentions."""
    targets = re.findall(
        r"^([a-z0-9]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

    assert [target for target in targets if f"make {target}" not in said] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
def test_ci_script_is_executable() -> None:
    """A fresh clone can run .ci/run as it is."""
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_version_has_one_place() -> None:
    """Packages are built with the version that the package says."""
    assert "version" not in pyproject()["project"]
    assert WheelBuilder(str(ROOT)).metadata.version == importlib.import_module("bohn").__version__


def test_every_document_of_the_wheel_exists() -> None:
    """What the wheel should carry beside the package is in the tree."""
    carried = pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]

    assert [path for path in carried if not (ROOT / path).exists()] == []


def test_every_lint_rule_switched_off_has_its_reason() -> None:
    """An exception of ruff in pyproject.toml is explained on its line."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    entries = re.findall(r'^    "[A-Z]{1,4}\d{3,4}",.*$', text, flags=re.MULTILINE)

    assert [line for line in entries if not re.search(r"#.{10,}", line)] == []


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_every_exception_in_the_code_has_its_reason(folder: str) -> None:
    """A comment that silences ruff or mypy says why: code, dash, reason."""
    comment = re.compile(r"# (?:noqa|type: ignore|pragma: no)\b(?!.* - \w).*")
    unexplained = [
        f"{path.relative_to(ROOT)}: {found}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for found in comment.findall(path.read_text(encoding="utf-8"))
        if path != Path(__file__)
    ]

    assert unexplained == []
