"""What computer players say aloud, and how seldom."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from bohn.bots.reasons import THANKS, Reason
from bohn.bots.voices import Saying, Voices
from bohn.rules.beans import Bean
from bohn.rules.commands import (
    AcceptOffer,
    Command,
    DeclineOffer,
    EditOffer,
    Harvest,
    MakeOffer,
    Pick,
    WithdrawOffer,
)
from bohn.rules.events import (
    Event,
    Harvested,
    OfferDeclined,
    OfferEdited,
    OfferMade,
    OfferWithdrawn,
    Traded,
)
from bohn.rules.state import Copy, Offer

FITS = Reason("says.fits", {"bean": Bean.RED})
USELESS = Reason("says.useless")
PEOPLE = (0,)


def made(seat: int, *to: int, number: int = 1) -> tuple[Command, Event]:
    """Return an offer and what it brings about."""
    offer = Offer(number, 1, seat, to, (), (), (Bean.RED,))
    return MakeOffer(seat, to, want=offer.want), OfferMade(offer)


def traded(maker: int, partner: int, *, back: bool = True) -> Traded:
    """Return an exchange of a card for another, or for nothing."""
    got = (Copy(0, Bean.SOY),) if back else ()
    return Traded(1, maker, partner, (Copy(0, Bean.RED),), partner_hand=got)


def said(
    voices: Voices,
    command: Command,
    *events: Event,
    reason: Reason | None = FITS,
    turn: int = 1,
    people: Collection[int] = PEOPLE,
) -> list[Saying]:
    """Return what is said."""
    return list(voices.sayings(turn, command, events, reason, people))


def test_voices_explain_one_offer_a_turn_to_people() -> None:
    """The first offer that reaches a person is explained, no other in that turn, and one in the next."""
    voices = Voices()
    first, second, third = made(1, 0, 2), made(1, 0, number=2), made(1, 0, number=3)

    assert said(voices, *first) == [Saying(1, FITS, offer=1)]
    assert said(voices, *second) == []
    assert said(voices, *third, turn=2) == [Saying(1, FITS, offer=3)]


def test_voices_explain_an_edit_of_the_offer_they_explained() -> None:
    """What takes the place of an explained offer is explained too."""
    voices = Voices()
    said(voices, *made(1, 0))
    edited = OfferEdited(Offer(1, 2, 1, (0,), (), (), (Bean.SOY,)))

    assert said(voices, EditOffer(1, 1, 1, (0,), want=(Bean.SOY,)), edited) == [Saying(1, FITS, offer=1)]


@pytest.mark.parametrize("people", [(), (3,)])
def test_voices_are_silent_about_offers_among_bots(people: tuple[int, ...]) -> None:
    """An offer that reaches no person needs no words."""
    assert said(Voices(), *made(1, 0, 2), people=people) == []


def test_voices_tell_a_refusal_to_its_maker_alone() -> None:
    """Nobody else hears why."""
    command, event = DeclineOffer(1, 4, 1), OfferDeclined(4, 1, 0, 1)

    assert said(Voices(), command, event, reason=USELESS) == [Saying(1, USELESS, to=0)]


@pytest.mark.parametrize("event", [OfferDeclined(4, 2, 0, 1), OfferDeclined(5, 1, 0, 1)])
def test_voices_give_every_refusal_its_reason(event: OfferDeclined) -> None:
    """Another price, or another offer, is answered in words as the first was, though they are the same."""
    voices = Voices()
    said(voices, DeclineOffer(1, 4, 1), OfferDeclined(4, 1, 0, 1), reason=USELESS)
    command = DeclineOffer(1, event.offer, event.revision)

    assert said(voices, command, event, reason=USELESS) == [Saying(1, USELESS, to=0)]


def test_voices_refuse_bots_without_a_word() -> None:
    """What a bot refuses a bot is heard by nobody."""
    assert said(Voices(), DeclineOffer(1, 4, 1), OfferDeclined(4, 1, 2, 1), reason=USELESS) == []


def test_voices_explain_an_acceptance_or_thank_once_a_turn() -> None:
    """A player who accepts says why, else it thanks; one word a turn on exchanges with people."""
    voices, accepted = Voices(), AcceptOffer(1, 1, 1)

    assert said(voices, accepted, traded(0, 1)) == [Saying(1, FITS)]
    assert said(voices, AcceptOffer(0, 2, 1), traded(1, 0), reason=None) == []
    assert said(Voices(), AcceptOffer(0, 2, 1), traded(1, 0), reason=None) == [Saying(1, THANKS)]
    assert said(Voices(), Pick(0, 1, 1, 1), traded(0, 1), reason=None) == [Saying(1, THANKS)]


def test_voices_do_not_thank_for_nothing() -> None:
    """A player whose gift was taken has nothing to thank for, and bots do not thank each other."""
    assert said(Voices(), AcceptOffer(0, 1, 1), traded(1, 0, back=False), reason=None) == []
    assert said(Voices(), AcceptOffer(1, 1, 1), traded(2, 1)) == []


def test_voices_explain_one_harvest_a_turn() -> None:
    """Where people sit by, the first harvest with a reason is explained."""
    voices, harvest, event = Voices(), Harvest(1, 0), Harvested(1, 0, (), (Bean.RED,))

    assert said(voices, harvest, event) == [Saying(1, FITS)]
    assert said(voices, harvest, event) == []
    assert said(Voices(), harvest, event, people=()) == []


def test_voices_say_why_an_offer_is_taken_back() -> None:
    """Each time there is a reason for it, which there is where it was made to people."""
    voices, back = Voices(), (OfferWithdrawn(1), OfferWithdrawn(2))

    assert said(voices, WithdrawOffer(1, 1), back[0]) == [Saying(1, FITS)]
    assert said(voices, WithdrawOffer(1, 2), back[1]) == [Saying(1, FITS)]
    assert said(voices, WithdrawOffer(1, 2), back[1], turn=2, reason=None) == []
    assert said(voices, WithdrawOffer(0, 2), back[1], turn=3) == []  # a person does so himself
