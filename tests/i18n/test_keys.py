"""The English catalog has every key that is used, none that is not, and the right parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import bohn
from bohn.cli.help import EXTRAS, FORMS
from bohn.i18n import FALLBACK, catalog
from bohn.narration import TABLE
from bohn.protocol.refusals import Problem
from bohn.rulebook import POLICIES, clauses
from bohn.rules.beans import BEANS
from bohn.rules.commands import AnyCommand
from bohn.rules.decide import tag
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import Reason
from bohn.rules.resolve import house_rules_for
from bohn.rules.ruleset import Rules
from bohn.rules.state import Phase
from tests.i18n.test_catalog import FORMED, plain
from tests.i18n.test_page_keys import used as used_by_page

SOURCE = Path(bohn.__file__).parent
KEYS = catalog._patterns(FALLBACK)
ALL_RULES = [rules for by_players in EDITIONS.values() for rules in by_players.values()]

FAMILIES: dict[str, set[str]] = {
    "reason": {reason.value for reason in Reason},
    "problem": {problem.value for problem in Problem},
    "event": {tag(kind) for kind, told in TABLE.items() if told is not None},
    "command": {tag(kind) for kind in get_args(AnyCommand)},
    "phase": {tag(kind) for kind in get_args(Phase)},
    "bean": {bean.name.lower() for bean in BEANS},
    "beans": {bean.name.lower() for bean in BEANS},
    "edition": set(EDITIONS),
    "extra": set(EXTRAS),
    "help": set(FORMS),
    "section": {clause.section for clause in clauses().values()},
}
"""Keys that are put together: for each prefix the endings there are."""


def parameters(pattern: str) -> set[str]:
    """Return the parameters of a pattern, plain ones inside plurals and choices too, without their forms."""
    return plain(set(re.findall(r"\{(\w+)[,}]", pattern))) - {"yes", "no"}


@cache
def nodes() -> tuple[ast.AST, ...]:
    """Return all nodes of the syntax trees of the package."""
    paths = sorted(SOURCE.rglob("*.py"))
    return tuple(node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def literals() -> set[str]:
    """Return every text constant of the package."""
    return {node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def calls() -> Iterator[tuple[str, set[str], bool]]:
    """Return every call with a catalog key: the key, its parameters, and whether there may be more."""
    for node in nodes():
        if (
            not isinstance(node, ast.Call)
            or not node.args
            or not isinstance(node.func, ast.Attribute | ast.Name)
        ):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        key = node.args[0]
        if name in ("say", "text") and isinstance(key, ast.Constant) and "." in str(key.value):
            known = {keyword.arg for keyword in node.keywords if keyword.arg}
            yield str(key.value), known, any(keyword.arg is None for keyword in node.keywords)


def prefixes() -> set[str]:
    """Return the beginnings of keys that are put together from parts, such as ``suggest.``."""
    return {
        node.values[0].value
        for node in nodes()
        if isinstance(node, ast.JoinedStr)
        and isinstance(node.values[0], ast.Constant)
        and isinstance(node.values[0].value, str)
        and re.fullmatch(r"[a-z]+\.", node.values[0].value)
    }


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_member_of_a_family_has_its_key(family: str) -> None:
    """Each reason, event, command, phase, bean, edition and help topic can be told."""
    missing = {ending for ending in FAMILIES[family] if f"{family}.{ending}" not in KEYS}

    assert missing == set()


@pytest.mark.parametrize("family", sorted(set(FAMILIES) - {"help"}))
def test_no_family_has_a_key_too_many(family: str) -> None:
    """A key for what no longer exists would be a forgotten one."""
    found = {key.partition(".")[2] for key in KEYS if key.startswith(f"{family}.")}
    forms = {end for end in found if f"{family}." in FORMED and end.rpartition("_")[0] in FAMILIES[family]}

    assert found - forms == FAMILIES[family]


def test_every_policy_value_in_use_has_its_key() -> None:
    """Each value that an edition has or a house rule sets is explained."""
    used = {f"policy.{policy}.{getattr(rules, policy)}" for rules in ALL_RULES for policy in POLICIES}
    used |= {
        f"policy.{key}.{value}" if key in POLICIES else f"house.{key}"
        for rules in ALL_RULES
        for key, _, value in (text.partition("=") for text in house_rules_for(rules))
    }

    assert used - KEYS.keys() == set()


def test_every_policy_key_is_a_policy() -> None:
    """The policies of the catalog are fields of the rules."""
    found = {key.split(".")[1] for key in KEYS if key.startswith("policy.")}

    assert found <= set(Rules.__struct_fields__)


def test_every_key_that_is_called_exists() -> None:
    """The program asks for no key that the catalog lacks."""
    assert sorted({key for key, _, _ in calls()} - KEYS.keys()) == []


def test_every_call_fills_in_all_parameters() -> None:
    """What a pattern names, the call hands over."""
    missing = {key: parameters(KEYS[key]) - known for key, known, more in calls() if not more and key in KEYS}

    assert {key: lacking for key, lacking in missing.items() if lacking} == {}


def test_no_key_is_unused() -> None:
    """Each key is a text constant of the program or the page, or is put together from a prefix."""
    used, begun = (
        literals() | used_by_page(),
        prefixes() | {"problem.", "why."},
    )  # clients tell the server's codes
    unused = [key for key in KEYS if key not in used and key.partition(".")[0] + "." not in begun]

    assert [key for key in unused if key != "language.name"] == []


def refusals() -> Iterator[tuple[str, set[str]]]:
    """Return every refusal in the core: the reason's code and the parameters it comes with."""
    for node in nodes():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "IllegalCommand"
        ):
            reason = node.args[0]
            known = {keyword.arg for keyword in node.keywords if keyword.arg}
            if isinstance(reason, ast.Attribute):
                yield Reason[reason.attr].value, known


def test_every_refusal_fills_in_all_parameters() -> None:
    """The text of a reason names only what each of its refusals brings."""
    lacking = {
        code: missing
        for code, known in refusals()
        if (
            missing := parameters(KEYS[f"reason.{code}"])
            - known
            - ({"count"} if "expected" in known else set())
        )
    }

    assert lacking == {}
