"""Small facts about visible events, knowledge and previews."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bohn.rules import commands as c
from bohn.rules import events as e
from bohn.rules.beans import BEANS, Bean
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copy, Offer, State, TradePhase
from bohn.views import FieldPreview, Knowledge, OfferView, Preview, consequences, know, learn, view, visible
from bohn.views import visible as show
from bohn.views.view import OwnClaim, OwnOffer
from bohn.views.visible import BluffPaidShown, BonusRefillShown, BonusReshuffleShown, DealtShown, OfferShown

RED, BLUE, SOY, WAX = Bean.RED, Bean.BLUE, Bean.SOY, Bean.WAX


def dealt(edition: str, players: int) -> tuple[Rules, State]:
    """Return the rules and the dealt state of a game."""
    rules = resolve(edition, players, "starter=seat:0")
    return rules, fold(opening(rules, seed_from("pieces")))


def counted(counts: tuple[int, ...]) -> dict[Bean, int]:
    """Return the beans of a table of counts that are there at all."""
    return {bean: counts[bean] for bean in BEANS if counts[bean]}


# -- visible events -----------------------------------------------------------------------------------


def test_deals_show_only_the_own_hand() -> None:
    """Of the deal a seat sees its cards and the sizes; a spectator only sizes."""
    rules = resolve("das-duell", 2)
    (deal, _) = opening(rules, seed_from("pieces"))
    assert isinstance(deal, e.Dealt)
    own, nobody = visible(deal, 1), visible(deal, None)
    assert isinstance(own, DealtShown)
    assert isinstance(nobody, DealtShown)
    assert (own.hand, own.bonus_hand) == (deal.hands[1], deal.bonus_hands[1])
    assert (nobody.hand, nobody.bonus_hand) == ((), ())
    assert replace(own, hand=(), bonus_hand=()) == nobody


@pytest.mark.parametrize(("viewer", "shown"), [(0, True), (1, True), (2, False), (None, False)])
def test_bluffs_paid_into_a_hand_show_the_card_to_both(viewer: int | None, *, shown: bool) -> None:
    """A bonus card that goes from hand to hand is known to giver and receiver only."""
    paid = e.BluffPaid(0, 1, bonus=(5,), from_hand=True)
    assert show(paid, viewer) == (paid if shown else BluffPaidShown(0, 1))


@pytest.mark.parametrize(("viewer", "shown"), [(0, True), (1, False), (None, False)])
def test_bluffs_paid_onto_the_discards_show_the_card_to_the_giver(viewer: int | None, *, shown: bool) -> None:
    """A bonus card that is discarded because the other's hand is full is known to its owner only."""
    paid = e.BluffPaid(0, 1, bonus=(5,), from_hand=True, discarded=True)
    assert show(paid, viewer) == (paid if shown else BluffPaidShown(0, 1))


@pytest.mark.parametrize(
    "paid", [e.BluffPaid(0, 1, "treasury"), e.BluffPaid(0, 1, bonus=(5,)), e.BluffPaid(0, 1)]
)
def test_bluffs_paid_openly_are_public(paid: e.BluffPaid) -> None:
    """A coin, a claimed card or nothing is paid before everybody's eyes."""
    assert [show(paid, viewer) for viewer in (0, 1, None)] == [paid] * 3


def test_bonus_cards_drawn_are_shown_as_numbers() -> None:
    """Others see how many bonus cards were drawn or shuffled, their owner which he drew."""
    refilled, shuffled = e.BonusRefilled(0, (1, 2)), e.BonusReshuffled((3, 4, 5))
    assert show(refilled, 0) == refilled
    assert show(refilled, 1) == BonusRefillShown(0, 2)
    assert show(shuffled, 0) == show(shuffled, None) == BonusReshuffleShown(3)


def test_patterns_that_stand_are_noted_for_their_owner_only() -> None:
    """Nobody else learns that a bonus card could be claimed."""
    stood = e.BonusStood(0, 5)
    assert [show(stood, viewer) for viewer in (0, 1, None)] == [stood, None, None]


def test_declines_are_heard_by_the_maker_and_their_author() -> None:
    """A third player and a spectator do not see a refusal."""
    declined = e.OfferDeclined(1, 1, 0, 2)
    assert [show(declined, viewer) for viewer in (0, 1, 2, None)] == [declined, None, declined, None]


# -- views -------------------------------------------------------------------------------------------------


def test_own_places_are_shown_to_their_owner_only() -> None:
    """Maker and claimer see which cards they named, and who declined whom; others see kinds."""
    rules, state = dealt("full", 3)
    hands = [player.hand for player in state.players]
    offer = Offer(
        1, 1, 0, (1, 2), (Copy(2, hands[0][2]), Copy(1, hands[0][1])), (), (hands[1][0],), open=True
    )
    state = replace(state, phase=TradePhase((RED, BLUE), (offer,), 2))
    for command in (c.Claim(1, 1, 1, (Copy(0, hands[1][0]),)), c.DeclineOffer(2, 1, 1)):
        state = fold(decide(rules, state, command), state)
    own = [view(rules, state, viewer).own for viewer in range(3)]
    assert [seen.offers for seen in own if seen] == [(OwnOffer(1, offer.hand, (2,)),), (), ()]
    assert [seen.claims for seen in own if seen] == [(), (OwnClaim(1, (Copy(0, hands[1][0]),)),), ()]
    assert [seen.refused for seen in own if seen] == [(), (), (1,)]
    assert view(rules, state, None).own is None


# -- knowledge ----------------------------------------------------------------------------------------------


def knowledge_of(players: int = 3, viewer: int | None = 0) -> Knowledge:
    """Return the knowledge of a seat at a new table."""
    rules, state = dealt("full", players)
    return know(view(rules, state, viewer))


def offered(number: int, maker: int, hand: tuple[Bean, ...], want: tuple[Bean, ...] = ()) -> OfferShown:
    """Return the event of somebody's offer."""
    to = (0,) if maker else (1, 2)
    return OfferShown(OfferView(number, 1, maker, to, hand, (), want, open=False))


def test_knowledge_begins_anew_with_a_deal() -> None:
    """A deal empties the discard pile and fills the draw pile."""
    shown = visible(opening(resolve("full", 3), seed_from(1))[0], 0)
    assert shown is not None
    learned = learn(replace(knowledge_of(), discards=(1,) * len(BEANS), draw_pile=0), shown)
    assert counted(learned.discards) == {}
    assert learned.draw_pile == 135


def test_knowledge_starts_with_what_the_view_shows() -> None:
    """A seat that begins to watch knows the top discard and the kinds offered from hands."""
    rules, state = dealt("full", 3)
    hand = state.players[1].hand
    offer = Offer(1, 1, 1, (0,), (Copy(0, hand[0]),), (), (RED,))
    state = replace(state, discard_pile=(BLUE, SOY), phase=TradePhase((), (offer,), 2))
    known = know(view(rules, state, 0))
    assert counted(known.discards) == {SOY: 1}
    assert counted(known.shown[1]) == {hand[0]: 1}
    assert [one.id for one in known.open] == [1]


def test_knowledge_remembers_since_when_it_watches() -> None:
    """A seat that begins to watch in the seventh turn knows that it has seen nothing of the first six."""
    rules, state = dealt("full", 3)
    assert know(view(rules, state, 0)).since == 1
    late = know(view(rules, replace(state, turn=7), 0))
    assert learn(late, e.TurnBegan(1)).since == 7


def test_knowledge_counts_coins_that_go_to_the_discard_pile() -> None:
    """Coins paid for a field are discards, or go to the box unseen by the count."""
    known = knowledge_of()
    assert counted(learn(known, e.FieldBought(1, (RED, BLUE, BLUE))).discards) == {RED: 1, BLUE: 2}
    assert counted(learn(known, e.FieldBought(1, (RED,), "box")).discards) == {}


def test_knowledge_has_refusals_of_own_offers_only() -> None:
    """A maker remembers what was not given for his ask, and what gift was not taken; others nothing."""
    known = learn(learn(knowledge_of(), offered(1, 0, (RED,), (BLUE, SOY))), offered(2, 0, (WAX,)))
    known = learn(learn(known, e.OfferDeclined(1, 1, 0, 2)), e.OfferDeclined(2, 1, 0, 1))
    assert counted(known.refusals[2]) == {BLUE: 1, SOY: 1}
    assert counted(known.refused_gifts[1]) == {WAX: 1}
    other = learn(knowledge_of(viewer=2), offered(1, 0, (RED,), (BLUE,)))
    assert learn(other, e.OfferDeclined(1, 1, 0, 2)) == other


def test_knowledge_forgets_refusals_with_the_turn() -> None:
    """A new turn wipes refusals."""
    known = learn(learn(knowledge_of(), offered(1, 0, (), (BLUE,))), e.OfferDeclined(1, 1, 0, 2))
    assert counted(known.refusals[2]) == {BLUE: 1}
    assert counted(learn(known, e.TurnBegan(1)).refusals[2]) == {}


@pytest.mark.parametrize("closed", [e.TradingClosed(0), e.HagglingBegan(0)])
def test_knowledge_forgets_offers_with_the_trading(closed: e.Event) -> None:
    """The end of the trading wipes the offers that lay open."""
    known = learn(knowledge_of(), offered(1, 0, (), (BLUE,)))
    assert [offer.id for offer in known.open] == [1]
    assert learn(known, closed).open == ()


def test_knowledge_of_an_unknown_refusal_changes_nothing() -> None:
    """A refusal of an offer that is not remembered teaches nothing."""
    assert learn(knowledge_of(), e.OfferDeclined(9, 1, 0, 2)) == knowledge_of()


def test_knowledge_keeps_the_larger_of_two_sightings() -> None:
    """Two offers of a red bean may be the same card; an offer of two shows two."""
    known = learn(learn(knowledge_of(), offered(1, 1, (RED,))), offered(2, 1, (RED,)))
    assert counted(known.shown[1]) == {RED: 1}
    assert counted(learn(known, offered(3, 1, (RED, RED))).shown[1]) == {RED: 2}
    assert counted(learn(known, e.Planted(1, 0, RED)).shown[1]) == {}


# -- previews ------------------------------------------------------------------------------------------------


def previewed(
    viewer: int | None, fields: tuple[tuple[Bean, ...], ...], set_aside: tuple[Bean, ...] = ()
) -> Preview:
    """Return what an offer of two reds and a soy for a blue means, with these fields."""
    rules, state = dealt("full", 4)
    players = list(state.players)
    for index in (0, 1):
        players[index] = replace(players[index], fields=fields, set_aside=set_aside)
    state = replace(state, players=tuple(players), phase=TradePhase())
    offer = OfferView(1, 1, 0, (1,), (RED, RED), (Copy(0, SOY),), (BLUE,), open=False)
    return consequences(rules, view(rules, state, viewer), offer)


def test_preview_of_the_acceptor_grows_his_fields() -> None:
    """Beans join the field of their kind before an empty one, and what fits nowhere is named."""
    seen = previewed(1, ((RED, RED), (WAX,)))
    assert (seen.give, seen.get) == ((BLUE,), (RED, RED, SOY))
    assert seen.fields == (FieldPreview(0, RED, 2, 4, 1, 3),)
    assert seen.homeless == (SOY,)


def test_preview_of_the_maker_is_the_other_side() -> None:
    """The maker gives what the acceptor gets; an empty field earns nothing before."""
    seen = previewed(0, ((), (WAX,)))
    assert (seen.give, seen.get) == ((RED, RED, SOY), (BLUE,))
    assert seen.fields == (FieldPreview(0, BLUE, 0, 1, 0, 0),)


def test_preview_plants_what_lies_aside_first() -> None:
    """Beans already set aside take their fields before those of the offer."""
    assert previewed(0, ((), (WAX,)), set_aside=(RED,)).homeless == (BLUE,)


def test_preview_of_a_spectator_has_no_fields() -> None:
    """A spectator, who has no fields, is shown the two sides of an offer."""
    assert previewed(None, ((), ())) == Preview((BLUE,), (RED, RED, SOY), (), ())


@pytest.mark.parametrize("viewer", [-1, 3, 99])
def test_views_of_seats_that_do_not_exist_are_an_error(viewer: int) -> None:
    """Nobody sits there, so there is nothing to see; the message names the seats."""
    rules, state = dealt("full", 3)
    with pytest.raises(ValueError, match="a seat from 0 to 2, or None"):
        view(rules, state, viewer)
