"""The shape of the code itself, read from its syntax tree."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from bohn.rules.editions import EDITIONS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bohn"
RULES = SOURCE / "rules"
CLAUSE = re.compile(r"\b(?!SHA-|UTF-|ISO-)([A-Z]{2,}-\d+)\b")

GAME_NAMES = {rules.game for by_number in EDITIONS.values() for rules in by_number.values()}
NAMES = {name for known in {*EDITIONS, *GAME_NAMES} for name in (known, known.replace("-", "_"))}
# parts of names that can mean nothing but a game
WORDS = {"duel", "duell", "classic"}

FILES = sorted(RULES.rglob("*.py"))
# what describes one game may name it; views, drivers and players ask the rules as well
GENERAL = [path for path in FILES if path.relative_to(RULES).parts[0] not in ("editions", "turns")]
# the twin is the rules of two games once more, and says so; so do its proof and the players that know both
TWIN = {
    *(f"lab/{name}.py" for name in ("row", "twin", "mirror", "mirrored")),
    *(f"lab/players/{name}.py" for name in ("bean_duel", "farm", "simple", "styles")),
    "bots/named_traders.py",
    "bots/traders.py",
    "bots/duelling/player.py",
}
GENERAL += [
    path
    for package in ("bots", "lab", "play", "views")
    for path in sorted((SOURCE / package).rglob("*.py"))
    if str(path.relative_to(SOURCE)) not in TWIN
]


def label(path: Path) -> str:
    """Return the name of a file in the list of tests."""
    return str(path.relative_to(SOURCE))


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings(module: ast.Module) -> set[ast.AST]:
    """Return the nodes that are docstrings, of attributes as well."""
    return {
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def mentions(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every identifier, imported name and literal text of a module with its line."""
    ignored = docstrings(module)
    for node in ast.walk(module):
        line = getattr(node, "lineno", 0)
        match node:
            case (
                ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name))
            ):
                yield line, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield line, name
            case ast.alias(name=name, asname=asname):
                yield line, name
                yield line, asname or ""
            case ast.ImportFrom(module=str(name)):
                yield line, name
            case ast.Constant(value=str(text)) if node not in ignored and not CLAUSE.fullmatch(text):
                yield line, text
            case _:
                pass


def names_a_game(text: str) -> bool:
    """Tell whether an identifier or a literal names an edition or a game."""
    words = re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", text).lower())
    return text.lower() in NAMES or not WORDS.isdisjoint(words)


@pytest.mark.parametrize("path", GENERAL, ids=label)
def test_general_code_names_no_edition_and_no_game(path: Path) -> None:
    """Outside editions/ and turns/ no identifier, import or literal names an edition or a game."""
    assert [(line, text) for line, text in mentions(tree(path)) if names_a_game(text)] == []


def is_number_of_players(node: ast.expr) -> bool:
    """Tell whether an expression is the number of players: ``players``, ``seats`` or the length of such."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ("players", "seats")
        case ast.Call(func=ast.Name(id="len"), args=[argument]):
            return is_number_of_players(argument)
        case _:
            return False


def is_number(node: ast.expr) -> bool:
    """Tell whether an expression is a literal number, or a collection of some."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(is_number(part) for part in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


@pytest.mark.parametrize("path", GENERAL, ids=label)
def test_general_code_compares_no_number_of_players(path: Path) -> None:
    """Outside editions/ and turns/ the number of players is compared with no literal number."""
    compared: list[int] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            compared += [
                node.lineno
                for one, two in pairwise(sides)
                if (is_number_of_players(one) and is_number(two))
                or (is_number(one) and is_number_of_players(two))
            ]
        if isinstance(node, ast.Match) and is_number_of_players(node.subject):
            compared.append(node.lineno)
    assert compared == []


def test_tree_guard_finds_what_it_looks_for() -> None:
    """The guards see names, words in names, literals, comparisons and membership."""
    module = ast.parse(
        'if rules.edition == "das-duell" or DUEL_TABLE or len(state.players) == 2: classic = 1'
    )
    assert {text for _, text in mentions(module) if names_a_game(text)} == {
        "classic",
        "DUEL_TABLE",
        "das-duell",
    }
    comparison = ast.parse("len(state.players) in (2, 3)", mode="eval").body
    assert isinstance(comparison, ast.Compare)
    assert is_number_of_players(comparison.left)
    assert is_number(comparison.comparators[0])


@pytest.mark.parametrize("path", FILES, ids=label)
def test_functions_of_the_rules_are_short(path: Path) -> None:
    """No function of the core has a body of more than 50 lines."""
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.body[0].lineno >= 50]
    assert long == []


@pytest.mark.parametrize("path", FILES, ids=label)
def test_files_of_the_rules_are_short(path: Path) -> None:
    """No file of the core has 500 lines or more."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 500


@pytest.mark.parametrize("path", FILES, ids=label)
def test_everything_public_in_the_rules_has_a_docstring(path: Path) -> None:
    """Every module, and every public class, function and method of the core says what it is."""
    module = tree(path)
    owners: list[ast.Module | ast.ClassDef] = [
        module,
        *(node for node in module.body if isinstance(node, ast.ClassDef)),
    ]
    public = [
        node
        for owner in owners
        for node in owner.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    assert ast.get_docstring(module)
    assert [node.name for node in public if not ast.get_docstring(node)] == []


@cache
def known_clauses() -> frozenset[str]:
    """Return the ids of all clauses."""
    text = (ROOT / "docs" / "rules" / "clauses.toml").read_text(encoding="utf-8")
    return frozenset(clause["id"] for clause in tomllib.loads(text)["clause"])


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=label)
def test_clauses_named_in_the_code_exist(path: Path) -> None:
    """Every clause id in a docstring, a refusal or a comment is one of docs/rules/clauses.toml."""
    named = set(CLAUSE.findall(path.read_text(encoding="utf-8")))
    assert named - known_clauses() == set()
