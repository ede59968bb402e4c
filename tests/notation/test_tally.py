"""What is counted of a game while its events are read."""

from __future__ import annotations

import pytest

from bohn.notation.tally import BestHarvest, Tally, ranks
from bohn.rules import Bean
from bohn.rules import events as e
from bohn.rules.state import Copy, Offer, Result
from tests.notation.playing import GAMES, finished

SOY, RED, BLUE = Bean.SOY, Bean.RED, Bean.BLUE


def told(*events: e.Event) -> Tally:
    """Return the tally of three seats after these events."""
    tally = Tally(3)
    tally.count(events)
    return tally


def traded(give: int = 0, face_up: int = 0, take: int = 0) -> e.Traded:
    """Return an exchange of numbers of cards: of seat 0, from hand and face up, and of seat 2."""
    mine = tuple(Copy(place, SOY) for place in range(give))
    lying = tuple(Copy(place, BLUE) for place in range(face_up))
    theirs = tuple(Copy(place, RED) for place in range(take))
    return e.Traded(1, 0, 2, mine, lying, theirs, ())


def test_trade_counts_for_both() -> None:
    """The maker has one offer taken, the partner has accepted one; beans are counted on both sides."""
    maker, _, partner = told(traded(give=1, face_up=1, take=1)).players

    assert (maker.trades, maker.taken, maker.accepted) == (1, 1, 0)
    assert (partner.trades, partner.taken, partner.accepted) == (1, 0, 1)
    assert (maker.beans_given, maker.beans_received) == (2, 1)
    assert (partner.beans_given, partner.beans_received) == (1, 2)
    assert (maker.gifts_given, partner.gifts_received) == (0, 0)


def test_gift_counts_for_giver_and_receiver() -> None:
    """Whoever of both made the offer."""
    given = told(traded(give=1)).players
    asked = told(traded(take=2)).players

    assert (given[0].gifts_given, given[2].gifts_received, given[0].trades) == (1, 1, 0)
    assert (asked[2].gifts_given, asked[0].gifts_received, asked[0].trades) == (1, 1, 0)
    assert (asked[2].beans_given, asked[0].beans_received) == (2, 2)


def test_gift_of_das_duell_is_a_gift() -> None:
    """One bean changes hands."""
    tally = told(e.GiftTaken(1, 0, SOY, "hand", 2))

    assert (tally.players[0].gifts_given, tally.players[0].beans_given) == (1, 1)
    assert (tally.players[1].gifts_received, tally.players[1].beans_received) == (1, 1)


def test_offers_are_counted_when_they_are_made_and_declined() -> None:
    """An edited offer is no new one."""
    offer = Offer(1, 1, 0, (2,), (), (), (SOY,), False)
    tally = told(e.OfferMade(offer), e.OfferEdited(offer), e.OfferDeclined(1, 1, 0, 2))

    assert (tally.players[0].offers, tally.players[2].declined) == (1, 1)


def test_best_harvest_is_the_first_of_the_dearest() -> None:
    """It is told with its batch; the newest bean prices the field; coins are counted by bean."""
    tally = Tally(3)
    tally.count([e.Harvested(1, 0, (RED,), (RED,))], 4)
    tally.count([e.Harvested(1, 1, (SOY, SOY), (SOY, BLUE))], 7)
    tally.count([e.Harvested(1, 0, (RED, RED), ())], 9)
    player = tally.players[1]

    assert player.best == BestHarvest(7, BLUE, 4, 2)
    assert (player.harvests, player.coins[RED], player.coins[BLUE], player.coins[SOY]) == (3, 3, 2, 0)


def test_harvest_without_coins_is_one_too() -> None:
    """It is the best of a player who has no other."""
    player = told(e.Harvested(0, 0, (), (SOY,))).players[0]

    assert (player.harvests, player.best) == (1, BestHarvest(0, SOY, 1, 0))


def test_planting_buying_and_turns_are_counted() -> None:
    """Wherever a planted bean came from."""
    tally = told(
        e.TurnBegan(0),
        e.Planted(0, 0, SOY),
        e.SetAsidePlanted(0, 0, 1, RED),
        e.LeftoverPlanted(0, 0, 1, RED),
        e.FaceUpPlanted(0, 0, 1, RED),
        e.GiftPlanted(0, 1, RED),
        e.FieldBought(0, (SOY, SOY, SOY)),
        e.TurnBegan(1),
        e.Drew(0, (SOY,)),
    )

    assert (tally.turns, tally.players[0].planted, tally.players[0].bought) == (2, 5, 1)


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_tally_of_a_game_agrees_with_itself(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """What one gives another receives, and nobody has more coins from harvests than were paid."""
    _, played = finished(edition, players, house_rules)
    tally = Tally(players)
    for number, (_, events, _) in enumerate(played):
        tally.count(events, number)

    assert sum(one.beans_given for one in tally.players) == sum(one.beans_received for one in tally.players)
    assert sum(one.gifts_given for one in tally.players) == sum(one.gifts_received for one in tally.players)
    assert sum(one.taken for one in tally.players) == sum(one.accepted for one in tally.players)
    assert tally.turns == played[-1][2].turn
    for one in tally.players:
        assert sum(one.coins) >= (one.best.coins if one.best else 0)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result((3, 9, 5), (0, 0, 0), (0, 0, 0), (1,)), (3, 1, 2)),
        (Result((5, 5, 5), (0, 0, 0), (2, 4, 2), (1,)), (2, 1, 2)),
        (Result((5, 5, 2), (0, 0, 0), (1, 3, 0), (0, 1)), (1, 1, 3)),
        (Result((7, 7), (20, 0), (0, 9), (0,)), (1, 2)),
    ],
)
def test_ranks_follow_the_result(result: Result, expected: tuple[int, ...]) -> None:
    """Winners have rank 1, whoever is equal the same rank, and the next one follows behind all of them."""
    assert ranks(result) == expected
