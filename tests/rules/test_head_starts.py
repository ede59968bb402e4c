"""Head starts: the deal, what nobody without one notices, and how its coins pay (HOUSE-7)."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bohn.lab.mirror import project
from bohn.lab.row import TOKEN
from bohn.notation.counting import cards_in
from bohn.notation.records import Record, entry_of, format_record, header_of, read_record, verify
from bohn.rules.beans import Bean
from bohn.rules.commands import BuyField
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.editions import EDITIONS
from bohn.rules.evolve import fold
from bohn.rules.legal import legal_commands
from bohn.rules.resolve import MOST_CARDS, MOST_TOKENS, head_start, resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import State
from bohn.views.view import view
from tests.effort import sample

GAMES = tuple((edition, players) for edition, by_players in EDITIONS.items() for players in by_players)
PAGE = Path(__file__).parents[2] / "web" / "src" / "lib" / "head-start.ts"


def dealt(rules: Rules) -> State:
    """Return the position after the deal."""
    return fold(opening(rules, seed_from(5)))


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_head_start_leaves_every_other_hand_and_the_deck_as_they_are(edition: str, players: int) -> None:
    """Its cards come behind all hands, and its coins from nowhere: every card is there once."""
    plain = dealt(resolve(edition, players))
    given = dealt(resolve(edition, players, head_start(1, 4, 2)))

    assert cards_in(given) == cards_in(plain)
    assert [player.hand for player in given.players if player != given.players[1]] == [
        player.hand for player in plain.players if player != plain.players[1]
    ]
    assert given.players[1].hand == plain.players[1].hand + plain.draw_pile[:-3:-1]
    assert [one.coins for one in given.players] == [
        one.coins + 4 * (seat == 1) for seat, one in enumerate(plain.players)
    ]


@pytest.mark.parametrize(("edition", "players"), sample(GAMES, 3))
def test_rules_and_states_without_a_head_start_are_written_as_before(edition: str, players: int) -> None:
    """No digest of an older record changes: the fields are absent where nobody has one."""
    rules = resolve(edition, players)
    events = opening(rules, seed_from(5))
    written = msgspec.json.encode((rules, events, fold(events), view(rules, fold(events), 0)))

    assert not re.search(rb'"(tokens|head_starts)"', written)


def test_record_of_a_game_with_a_head_start_is_verified() -> None:
    """House rules and rules of the header have it; a purchase with its coins is decided anew."""
    rules, seed = resolve("full", 4, head_start(0, 5, 1), "starter=seat:0"), seed_from(5)
    events = opening(rules, seed)
    state = fold(events)
    bought = decide(rules, state, BuyField(0))
    record = Record(
        header_of(rules, ("a", "b", "c", "d"), seed, "bohn"),
        (
            entry_of(0, "player", None, events, state),
            entry_of(1, "player", BuyField(0), bought, fold(bought, state)),
        ),
    )

    assert verify(read_record(format_record(record))).players[0].tokens_left == 5 - rules.field_price


def test_payer_who_chooses_may_let_tokens_make_up_the_rest() -> None:
    """Every number of cards from the price less the tokens up to the price; none named means the topmost."""
    rules = resolve("classic-sv", 4, head_start(0, 2, 0))
    state = dealt(rules)
    rich = msgspec.structs.replace(state.players[0], treasury=(Bean.SOY, Bean.RED))
    state = msgspec.structs.replace(state, players=(rich, *state.players[1:]))

    found = {command.coins for command in legal_commands(rules, state, 0) if isinstance(command, BuyField)}

    assert found == {(Bean.SOY,), (Bean.RED,), (Bean.RED, Bean.SOY)}


def test_views_tell_how_many_coins_of_a_head_start_are_left() -> None:
    """Everybody sees them, and counts them among the coins."""
    rules = resolve("full", 4, head_start(2, 4, 0))
    seen = view(rules, dealt(rules), None).players

    assert [(one.coins, one.tokens_left, one.treasury) for one in seen][1:3] == [(0, 0, ()), (4, 4, ())]


def test_twin_lays_tokens_below_all_coins() -> None:
    """It counts them as coins, and they are no cards."""
    rules = resolve("full", 4, head_start(2, 4, 0))
    row = project(rules, dealt(rules))[0]

    assert row["coins"][2] == 4
    assert np.all(row["treasury"][2, :4] == TOKEN)


def test_page_offers_head_starts_up_to_the_largest() -> None:
    """What can be chosen in the waiting room is what the rules allow."""
    found = re.search(r"MOST = \{ coins: (\d+), cards: (\d+) \}", PAGE.read_text(encoding="utf-8"))

    assert found is not None
    assert (int(found[1]), int(found[2])) == (MOST_TOKENS, MOST_CARDS)
