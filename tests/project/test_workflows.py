"""The workflows test what pyproject.toml promises, and publish what `make release` has proved."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import release

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def jobs(name: str) -> dict[str, dict[str, Any]]:
    """Return the jobs of a workflow."""
    parsed = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = parsed["jobs"]
    return found


def commands(job: dict[str, Any]) -> str:
    """Return what a job runs by itself."""
    return "\n".join(step["run"] for step in job["steps"] if "run" in step)


def promised() -> set[str]:
    """Return the CPythons of the classifiers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {found[1] for each in project["classifiers"] if (found := re.search(r":: (3\.\d+)$", each))}


def test_every_promised_python_is_tested_on_three_systems() -> None:
    """The matrix is that of the classifiers."""
    matrix = jobs("test")["test"]["strategy"]["matrix"]

    assert set(matrix["python"]) == promised()
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


def test_release_is_tried_with_every_promised_python() -> None:
    """`make release` tries those at hand; the workflow has all of them at hand."""
    (setup,) = (step for step in jobs("release")["build"]["steps"] if "setup-python" in step.get("uses", ""))

    assert set(setup["with"]["python-version"].split()) == promised() == set(release.VERSIONS)


def test_workflow_tests_what_make_tests() -> None:
    """The same tests with the same options as `make test`, on systems without make too."""
    recipe = re.search(r"^test: .*\n\t\$\(PY\) -m (.*)$", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert recipe is not None
    expected = recipe[1].replace("$(DOCS)", "README.md CONTRIBUTING.md docs").replace(" $(ARGS)", "")

    assert f"python -m {expected}" in commands(jobs("test")["test"])


def test_release_publishes_what_make_release_has_built() -> None:
    """Only packages that were built twice and played with get to the index, and only those of the tag."""
    build, publish = (jobs("release")[name] for name in ("build", "publish"))

    assert commands(build) == 'make release ARGS="--tag $GITHUB_REF_NAME"'
    assert publish["needs"] == "build"
    assert commands(publish) == ""


def test_release_needs_no_stored_password() -> None:
    """Trusted publishing: an identity for the job that publishes, in an environment, with attestations."""
    publish = jobs("release")["publish"]

    assert publish["environment"] == "pypi"
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["steps"][-1]["with"]["attestations"] is True


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_may_write_nothing_unasked(path: Path) -> None:
    """Without a permission of its own a job has none; only the one that publishes may write anything."""
    parsed = yaml.safe_load(path.read_text(encoding="utf-8"))
    writing = [name for name, job in parsed["jobs"].items() if "write" in job["permissions"].values()]

    assert parsed["permissions"] == {}
    assert writing == (["publish"] if path.stem == "release" else [])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_action_is_pinned_to_a_commit(path: Path) -> None:
    """A tag can be moved; a commit cannot. The version stands beside it for whoever renews it."""
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))

    assert used
    assert [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", each)] == []
