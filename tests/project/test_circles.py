"""No module stands in a circle of imports, and nobody reaches another room by a name or path in a string."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "bohn"

BY_NAME = {
    "bohn.arena.core": "a player of a run that its user names by module and attribute",
    "bohn.arena.engine": "its own engines, each loaded when it is asked for",
    "bohn.cli.main": "its own commands, each loaded when it is asked for",
    "bohn.lab.compile_cache": "whether Numba is installed",
    "bohn.server.accounts.ceremony": "whether what `bohn[accounts]` asks for is installed",
    "bohn.server.alerts.webpush": "whether what `bohn[accounts]` asks for is installed",
    "bohn.server.bots.messages": "the players a process is told to have",
}
"""The modules that may import another whose name is not written as an import, and which."""

BY_STRING = {
    "bohn.protocol.schemas": {"bohn.rulebook.documents"},  # hidden by a function of its package of that name
}
"""The modules that may name one of another package in a string, and which."""

BY_PATH = {
    "bohn.narration.typescript": "writes a file of the page, in a checkout",
    "bohn.protocol.typescript": "writes a file of the page, in a checkout",
    "bohn.rulebook.reading": "reads rule documents, which stand outside of the package in a checkout",
}
"""The modules that may go up from the folder of their own file, and why."""


def modules(root: Path) -> dict[str, Path]:
    """Return every module below a package's folder by its name."""
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """Return a file as a tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.AST, known: Mapping[str, Path], name: str) -> Iterator[str]:
    """Yield the known modules that a source imports anywhere: in functions and under TYPE_CHECKING too."""
    package = name if known[name].name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                one = f"{module}.{alias.name}"  # of a package one may ask for a module in it, and no more
                yield from (found for found in (one if one in known else module,) if found in known)


def named(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the known modules that a source names in strings, such as ``bohn.bots:PLAYERS``.

    The names of loggers are no names of modules.
    """
    loggers = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get_logger"
        for argument in node.args
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in loggers:
            module = node.value.partition(":")[0]
            if module in known:
                yield module


def graph(root: Path) -> dict[str, set[str]]:
    """Return for every module those it imports."""
    known = modules(root)
    return {name: set(imports(parsed(path), known, name)) - {name} for name, path in known.items()}


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the sets of modules that reach one another, each sorted."""
    reached: dict[str, set[str]] = {}
    for start in edges:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for one in edges[waiting.pop()] - seen:
                seen.add(one)
                waiting.append(one)
        reached[start] = seen
    rings = {
        tuple(sorted(other for other in reached[one] if one in reached[other]))
        for one in edges
        if one in reached[one]
    }
    return sorted(list(ring) for ring in rings)


def room(module: str) -> str:
    """Return the room of a module: a package of bohn, or of its server."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[:2] == ["bohn", "server"] else 2])


def test_no_module_stands_in_a_circle() -> None:
    """Every module can be read after those it names, whatever is imported late or for types alone."""
    assert circles(graph(SOURCE)) == []


@pytest.mark.parametrize(
    "back",
    [
        "from planted.one import One\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted.one import One\n",
        "def late() -> None:\n    import planted.one\n",
        "from planted import one\n",
        "from . import one\n",
        "from .one import One\n",
    ],
)
def test_circle_is_found(tmp_path: Path, back: str) -> None:
    """Two modules that name each other, however one of them does it."""
    folder = tmp_path / "planted"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "one.py").write_text("from planted.two import Two\n")
    (folder / "two.py").write_text(back)

    assert circles(graph(folder)) == [["planted.one", "planted.two"]]


def test_strings_name_modules_of_their_own_room() -> None:
    """A room is reached by imports, which the lint sees; strings name what is of one's own."""
    known = modules(SOURCE)
    strange = {}
    for name, path in known.items():
        tree = parsed(path)
        seen = {room(one) for one in imports(tree, known, name)} | {room(name), "bohn", "bohn.server"}
        if foreign := {one for one in named(tree, known) if room(one) not in seen}:
            strange[name] = foreign

    assert strange == BY_STRING


def test_string_that_names_a_module_is_found() -> None:
    """With or without the name of something in it, as long as it is the whole string."""
    source = (
        'WHERE = "bohn.bots:PLAYERS"\nMORE = ("-m", "bohn.play.floor", "bohn.nowhere", "see bohn.bots")\n'
    )

    assert list(named(ast.parse(source), modules(SOURCE))) == ["bohn.bots", "bohn.play.floor"]


def test_imports_by_name_stand_where_they_are_known() -> None:
    """Nobody else imports what cannot be read in the source."""
    calls = {"import_module", "__import__", "find_spec", "run_module", "run_path", "exec", "eval"}
    found = set()
    for name, path in modules(SOURCE).items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if called in calls:
                    found.add(name)

    assert found == set(BY_NAME)


def test_paths_stay_in_their_own_room() -> None:
    """From its own place a file goes to its folder; only who reads a checkout goes further up."""
    found = set()
    for name, path in modules(SOURCE).items():
        for node in ast.walk(parsed(path)):
            upwards = isinstance(node, ast.Attribute) and (
                node.attr == "parents"
                or (
                    node.attr == "parent"
                    and isinstance(node.value, ast.Attribute)
                    and node.value.attr == "parent"
                )
            )
            if upwards or (isinstance(node, ast.Constant) and node.value == ".."):
                found.add(name)

    assert found == set(BY_PATH)
