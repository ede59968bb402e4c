"""Which clauses and policies hold in a game, for every edition, number of players and house rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bohn.rulebook import clauses, clauses_in_force, documents, documents_of, house_rule_choices, policies
from bohn.rulebook.documents import FOLLOWS
from bohn.rulebook.in_force import trades
from bohn.rules.commands import BuyField, Command, EndTrading, Harvest, MakeOffer, Plant, Reveal
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.editions import EDITIONS
from bohn.rules.errors import IllegalCommand
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.resolve import house_rules_for, resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, State, TradePhase

RULINGS = Path(__file__).parents[2] / "docs" / "rules" / "rulings.md"


def games() -> Iterator[Rules]:
    """Yield every game there is, each plain and with each of its house rules."""
    for edition, by_players in EDITIONS.items():
        for players, plain in by_players.items():
            yield plain
            yield from (resolve(edition, players, rule) for rule in house_rules_for(plain))


def named(rules: Rules) -> str:
    """Return a name for a game."""
    return f"{rules.edition}-{rules.players}-{','.join(rules.house_rules)}"


ALL = tuple(games())
PLAIN = tuple(rules for by_players in EDITIONS.values() for rules in by_players.values())

EITHER_OR = (
    {"HARVEST-4", "HARVEST-5"},
    {"TIE-1", "TIE-3"},
    {"HARVEST-1", "DUEL-2"},
    {"PLANT-2", "DD-3"},
)
"""Of these exactly one holds in every game."""

AT_MOST_ONE = (
    {"TRADE-11", "TRADE-12"},
    {"BUY-3", "BUY-4"},
    {"RESHUFFLE-2", "RESHUFFLE-3"},
    {"END-2", "END-4"},
    {"PLAYERS-1", "PLAYERS-2", "PLAYERS-3", "PLAYERS-4"},
    {"DUEL-1", "DD-1"},
)


def ids(rules: Rules) -> set[str]:
    """Return the ids of the clauses in force."""
    return {clause.id for clause in clauses_in_force(rules)}


@pytest.mark.parametrize("rules", PLAIN, ids=named)
def test_clauses_in_force_are_those_of_the_edition(rules: Rules) -> None:
    """Without house rules nothing holds that the edition does not print."""
    assert all(clause.belongs_to(rules.edition) for clause in clauses_in_force(rules))
    assert not any(name.startswith("HOUSE-") or name == "DD-23" for name in ids(rules))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_clause_of_an_edition_holds_for_some_players(edition: str) -> None:
    """House rules apart, no clause of an edition is forgotten."""
    found = set().union(*(ids(rules) for rules in EDITIONS[edition].values()))
    printed = {name for name, clause in clauses().items() if clause.belongs_to(edition)}
    left_out = {name for name in printed - found if not name.startswith("HOUSE-") and name != "DD-23"}
    unused = {"RESHUFFLE-1", "RESHUFFLE-2", "RESHUFFLE-4"} if edition.startswith("das-duell") else set()

    assert left_out == unused  # Das Duell ends with the first exhaustion, and nothing is shuffled


@pytest.mark.parametrize("rules", ALL, ids=named)
def test_clauses_that_exclude_one_another_do_not_stand_together(rules: Rules) -> None:
    """Whoever reads the rules of a game is not told two things."""
    found = ids(rules)

    assert [len(found & group) for group in EITHER_OR] == [1] * len(EITHER_OR)
    assert all(len(found & group) <= 1 for group in AT_MOST_ONE)
    assert bool(found & {"TRADE-11", "TRADE-12"}) == trades(rules)


@pytest.mark.parametrize(
    ("edition", "players", "rule", "gains", "loses"),
    [
        ("full", 4, "singles=all_single", {"HARVEST-5"}, {"HARVEST-4"}),
        ("full", 4, "field_price=2", {"HOUSE-2"}, set()),
        ("full", 5, "field_price=2", {"HOUSE-2"}, set()),
        ("full", 4, "closing=unanimous", {"TRADE-12"}, {"TRADE-11"}),
        ("full", 4, "end=at_once", {"HOUSE-3", "END-4"}, {"END-2"}),
        ("full", 6, "kinds=eight", {"HOUSE-5"}, set()),
        ("full", 3, "kinds=eight", {"HOUSE-5"}, set()),
        ("classic", 5, "fields=3", {"HOUSE-1"}, {"BUY-2", "BUY-3", "BUY-5", "BUY-6"}),
        ("full", 2, "field_price=2", {"HOUSE-2"}, set()),
        ("full", 3, "fields=2", {"HOUSE-1", "BUY-2", "BUY-3", "BUY-5", "BUY-6"}, set()),
        ("full", 2, "tie=shared", {"TIE-3"}, {"TIE-1", "TIE-2"}),
        ("full", 4, "starter=seat:1", {"HOUSE-6"}, set()),
        ("classic", 4, "exhaustions=1", {"HOUSE-4"}, {"RESHUFFLE-1", "RESHUFFLE-2", "RESHUFFLE-4"}),
        ("das-duell", 2, "bluff=continues", {"DD-23"}, set()),
        ("das-duell-ja", 2, "bluff=ends", {"DD-23"}, set()),
    ],
)
def test_house_rules_change_what_holds(
    edition: str, players: int, rule: str, gains: set[str], loses: set[str]
) -> None:
    """A house rule brings its clauses and takes those it replaces."""
    before, after = ids(resolve(edition, players)), ids(resolve(edition, players, rule))

    assert (after - before, before - after) == (gains, loses)


def test_trading_beside_the_gift_brings_the_clauses_of_trading() -> None:
    """Where the house trades in Das Duell too, it trades by the rules of the main game (DD-23)."""
    found = ids(resolve("das-duell", 2, "trading=also"))

    assert {"TRADE-1", "GIFT-1", "OFFER-1", "SETASIDE-1", "TRADE-11", "DD-6", "DD-23"} <= found
    assert not found & {"REVEAL-1", "DUEL-13", "PLAYERS-1"}


BORROWED = {
    "das-duell": {"BUY-7"},
    "das-duell-ja": {"BUY-7"},
    "classic-ja": {"TRADE-11"},
    "classic-sv": {"TRADE-11"},
}
"""What a refusal cites beside: no field is for sale, and only the active player could end the trading."""


@pytest.mark.parametrize("rules", PLAIN, ids=named)
def test_refusals_cite_clauses_in_force(rules: Rules) -> None:
    """Whatever is refused in a game is refused by a clause that its readers find."""
    found, rand = ids(rules) | BORROWED.get(rules.edition, set()), Random(1)
    state = fold(opening(rules, seed_from(named(rules))))
    cited: set[str] = set()
    for _ in range(300):
        if isinstance(state.phase, EndPhase):
            break
        for command in tried(rules, state, rand):
            try:
                events = decide(rules, state, command)
            except IllegalCommand as refusal:
                cited.add(refusal.clause)
            else:
                state = fold(events, state)
                break

    assert len(cited) > 3
    assert cited <= found


def tried(rules: Rules, state: State, rand: Random) -> list[Command]:
    """Return commands that are refused more often than not, and at the end one that is not."""
    player, field = rand.randrange(rules.players), rand.randrange(4)
    wild: list[Command] = [Plant(player, field), Reveal(player), Harvest(player, field), BuyField(player)]
    partner = (player + 1) % rules.players
    wild += [EndTrading(player), MakeOffer(player, (partner,), want=(rand.choice(rules.kinds),))]
    rand.shuffle(wild)
    legal: list[Command] = [
        command for seat in range(rules.players) for command in legal_commands(rules, state, seat)
    ]
    if isinstance(state.phase, TradePhase):
        legal = [command for command in legal if isinstance(command, EndTrading)] or legal
    return [*wild[:3], rand.choice(legal)] if legal else wild


# -- policies ----------------------------------------------------------------------------------------


def test_policies_are_those_that_decide_something() -> None:
    """In the bean duel nobody trades, nothing is shuffled, and its end is a rule of its own."""
    assert policies(resolve("full", 2)) == (
        "same_kind=may_split", "singles=while_another_has_two", "harvest=own_turn", "payment=topmost",
        "coins_to=box", "tie=most_hand_cards",
    )  # fmt: skip
    assert "payment=topmost" not in policies(resolve("full", 3))
    assert "closing=active" in policies(resolve("das-duell", 2, "trading=also"))
    assert "bluff=ends" in policies(resolve("das-duell", 2))


@pytest.mark.parametrize("rules", PLAIN, ids=named)
def test_choices_are_house_rules_that_change_something(rules: Rules) -> None:
    """Each may be chosen, and makes another game of it; what holds already is no choice."""
    for key, values in house_rule_choices(rules).items():
        for value in values:
            changed = resolve(rules.edition, rules.players, f"{key}={value}")
            assert getattr(changed, key) != getattr(rules, key) or key == "kinds"


def test_choices_know_what_was_chosen() -> None:
    """A rule that was chosen gives place to the one it replaced."""
    assert house_rule_choices(resolve("full", 4))["field_price"] == ("2",)
    assert house_rule_choices(resolve("full", 4, "field_price=2"))["field_price"] == ("3",)
    assert "kinds" not in house_rule_choices(resolve("full", 4, "kinds=eight"))
    assert "left-of:0" not in house_rule_choices(resolve("full", 3, "starter=seat:1"))["starter"]


# -- documents ---------------------------------------------------------------------------------------


def test_documents_have_what_they_print() -> None:
    """Title and language; a year only where one is printed."""
    known = documents()

    assert list(known) == ["RU", "IS", "IT", "JP", "SV"]
    assert (known["RU"].year, known["IS"].year, known["JP"].publisher) == ("2009", "", "")
    assert known["IS"].publisher == "AMIGO Spiel + Freizeit GmbH"


def test_editions_follow_the_documents_of_the_rulings() -> None:
    """The table of rulings.md says which, and first the one that the edition follows to the letter."""
    row = re.compile(r"^\| `([a-z-]+)` \| [^|]* \| [^|]* \| ([^|]*) \|$", re.MULTILINE)
    table = row.findall(RULINGS.read_text(encoding="utf-8"))
    id_ = re.compile(rf"\b({'|'.join(documents())})\b")
    followed = {edition: tuple(id_.findall(follows)) for edition, follows in table}

    assert followed.keys() == EDITIONS.keys()
    assert {edition: ids for edition, ids in followed.items() if ids} == FOLLOWS
    assert [one.id for one in documents_of("full")] == list(documents())
    assert [one.id for one in documents_of("full-is")] == ["IS", "RU", "IT"]
    assert [one.id for one in documents_of("das-duell")] == ["JP"]  # no other is about this game
