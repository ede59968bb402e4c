"""The tables of the policies: complete, and strict about what they do not have."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import replace

from bohn.lab.row import tables
from bohn.rules import policies
from bohn.rules.policies import Policy
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules

TABLES: dict[str, Policy[Any]] = {
    name: table for name, table in vars(policies).items() if isinstance(table, Policy)
}
VALUES = {name: get_args(kind) for name, kind in get_type_hints(Rules).items() if get_origin(kind) is Literal}
TWIN = ("reshuffle", "singles", "same_kind", "harvest", "coins_to", "end", "tie")


def test_every_policy_has_a_table() -> None:
    """What the rules name by a word is looked up somewhere."""
    assert {table.name for table in TABLES.values()} == set(VALUES)


@pytest.mark.parametrize("name", TABLES)
def test_table_has_every_value_of_its_policy(name: str) -> None:
    """No value is left to a default."""
    assert set(TABLES[name]) == set(VALUES[TABLES[name].name])


@pytest.mark.parametrize("name", TABLES)
def test_unknown_value_raises_where_it_is_read(name: str) -> None:
    """The message names the policy, the value and those there are."""
    table = TABLES[name]
    with pytest.raises(ValueError, match=f"there is no {table.name}='sideways'; expected one of: ") as raised:
        table["sideways"]

    assert all(value in str(raised.value) for value in table)


@pytest.mark.parametrize("name", TWIN)
def test_twin_refuses_a_policy_it_does_not_know(name: str) -> None:
    """It takes no default in silence."""
    rules = replace(resolve("full", 3), **{name: "sideways"})
    with pytest.raises(ValueError, match=f"the twin plays {name}=.*, not 'sideways'"):
        tables(rules)


@pytest.mark.parametrize("starter", ["", "1", "seat:", "seat:3", "left-of:0"])
def test_twin_refuses_a_starter_it_does_not_know(starter: str) -> None:
    """The starter is a seat at the table, or drawn."""
    with pytest.raises(ValueError, match="the twin plays starter=drawn and seat:0 to seat:2"):
        tables(replace(resolve("full", 3), starter=starter))
