"""The table of all sentences: for every kind of event the parameters of its text ``event.<tag>``.

The module does not import while an event is not in the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bohn.narration.parameters import (
    BeanKind,
    Beans,
    BonusCard,
    Called,
    DealKind,
    FieldNumber,
    First,
    Flag,
    Group,
    IsUser,
    IsYou,
    Length,
    Name,
    Number,
    Parameters,
    Place,
    Price,
    Seats,
    SentenceEntry,
    Side,
    Some,
    UserName,
    Word,
)
from bohn.protocol import room_events as r
from bohn.protocol.shown import NEVER_SHOWN, SHOWN
from bohn.rules import events as e
from bohn.views.visible import (
    BluffPaidShown,
    BonusDiscardShown,
    BonusRefillShown,
    BonusReshuffleShown,
    ClaimShown,
    DealtShown,
    DrewHidden,
    GiftShown,
    GiftTakenShown,
    HandDiscardShown,
    OfferShown,
    ReshuffledHidden,
    TradedShown,
)


def _who(seat: Place) -> Parameters:
    return {"you": IsYou(seat), "player": Name(seat)}


def _user(place: Place) -> Parameters:
    return {"you": IsUser(place), "player": UserName(place)}


def _deal(gives: Place, wants: Place) -> Parameters:
    return {"kind": DealKind(gives, wants), "gives": Beans(gives), "wants": Beans(wants)}


NOTHING = SentenceEntry()
SEAT = SentenceEntry(_who("seat"))
WHO = SentenceEntry(_who("player"))
BEAN = SentenceEntry(WHO.params | {"bean": BeanKind("bean")})
BEANS = SentenceEntry(WHO.params | {"beans": Beans("beans"), "count": Length("beans")})
PLANTED = SentenceEntry(BEAN.params | {"field": FieldNumber("field")})
COUNT = SentenceEntry({"count": Number("count")})
DRAWN = SentenceEntry(WHO.params | COUNT.params)
ORDER = SentenceEntry({"count": Length("order")})
GIVEN = SentenceEntry(BEAN.params | {"giver": Called("giver")})
BONUS = SentenceEntry(WHO.params | {"bonus": BonusCard("bonus")})
OFFER = SentenceEntry({"offer": Number("offer")})
CLAIM = SentenceEntry(WHO.params | OFFER.params)
OFFERED = SentenceEntry(
    _who("offer.maker")
    | _deal("offer.hand+offer.face_up", "offer.want")
    | {"to": Group("offer.to"), "offer": Number("offer.id")}
)
TRADED = SentenceEntry(
    _who("giver") | _deal("gives", "takes") | {"partner": Called("taker")},
    sides=(Side("maker", "maker_hand+maker_face_up"), Side("partner", "partner_hand+partner_face_up")),
)

GAME: dict[type[Any], SentenceEntry] = {
    e.Dealt: SentenceEntry(_who("starter")),
    DealtShown: SentenceEntry(_who("starter")),
    e.TurnBegan: SentenceEntry(WHO.params | {"beans": Beans("leftovers"), "count": Length("leftovers")}),
    e.TurnedOver: BEANS,
    e.Swept: BEANS,
    e.TradingBegan: WHO,
    e.FaceUpBegan: WHO,
    e.HagglingBegan: WHO,
    e.Drew: BEANS,
    DrewHidden: DRAWN,
    e.Exhausted: COUNT,
    e.Reshuffled: ORDER,
    ReshuffledHidden: COUNT,
    e.GameEnded: SentenceEntry({"winners": Seats("result.winners"), "count": Length("result.winners")}),
    e.Planted: PLANTED,
    e.SetAsidePlanted: PLANTED,
    e.Harvested: SentenceEntry(
        WHO.params
        | {"field": FieldNumber("field"), "beans": Beans("coins+discards"), "coins": Length("coins")}
    ),
    e.FieldBought: SentenceEntry(WHO.params | {"count": Price("coins", "tokens"), "to": Word("to")}),
    e.OfferMade: OFFERED,
    e.OfferEdited: OFFERED,
    OfferShown: SentenceEntry(OFFERED.params | {"edited": Flag("edited")}),
    e.OfferWithdrawn: OFFER,
    e.OfferDeclined: CLAIM,
    e.OfferClaimed: CLAIM,
    ClaimShown: CLAIM,
    e.ClaimWithdrawn: CLAIM,
    e.ClaimVoided: CLAIM,
    e.Traded: TRADED,
    TradedShown: TRADED,
    e.OfferVoided: OFFER,
    e.Passed: WHO,
    e.TradingClosed: WHO,
    e.LeftoverPlanted: PLANTED,
    e.LeftoverDiscarded: BEAN,
    e.LeftoversDone: WHO,
    e.HandDiscarded: BEAN,
    HandDiscardShown: BEAN,
    e.HandKept: WHO,
    e.FaceUpPlanted: PLANTED,
    e.RestLeft: BEANS,
    e.GiftNamed: BEAN,
    GiftShown: BEAN,
    e.GiftTaken: GIVEN,
    GiftTakenShown: GIVEN,
    e.BluffCaught: GIVEN,
    e.BluffPaid: SentenceEntry(_who("giver") | {"what": First("coin", "bonus")}),
    BluffPaidShown: SentenceEntry(_who("giver")),
    e.HagglingClosed: WHO,
    e.GiftPlanted: PLANTED,
    e.BonusBegan: NOTHING,
    e.BonusStood: BONUS,
    e.BonusClaimed: BONUS,
    e.BonusDiscarded: BONUS,
    BonusDiscardShown: WHO,
    e.BonusRefilled: SentenceEntry(WHO.params | {"count": Length("cards")}),
    BonusRefillShown: DRAWN,
    e.BonusReshuffled: ORDER,
    BonusReshuffleShown: COUNT,
    e.WishSet: SentenceEntry(BEAN.params | {"mark": Word("mark")}),
    e.PromiseMade: SentenceEntry(
        _who("promise.player")
        | _deal("promise.give", "promise.get")
        | {"to": Called("promise.to"), "due": Word("promise.due"), "promise": Number("promise.id")}
    ),
    e.PromiseWithdrawn: SentenceEntry({"promise": Number("promise")}),
}
"""The events of the game; all have a sentence."""

ROOM: dict[type[Any], SentenceEntry | None] = {
    r.TableOpened: None,
    r.OptionsChosen: NOTHING,
    r.Sat: SEAT,
    r.Stood: SEAT,
    r.SaltGiven: None,
    r.BotSeated: SEAT,
    r.BotRemoved: None,
    r.Kicked: SEAT,
    r.HostPassed: SentenceEntry(_user("user"), needs="user"),
    r.Started: None,
    r.Paused: NOTHING,
    r.Resumed: NOTHING,
    r.HandedOver: SEAT,
    r.TakenBack: SEAT,
    r.ClockMissed: SEAT,
    r.ClocksKept: None,
    r.ChoiceCalled: SentenceEntry(_user("user")),
    r.LastCallBegan: NOTHING,
    r.LastCallProlonged: None,
    r.Finished: None,
    r.Abandoned: SentenceEntry({"by": Word("ended_by")}),
    r.DealRevealed: None,
    r.RematchMade: NOTHING,
    r.DoneGiven: SEAT,
    r.DoneTakenBack: SEAT,
    r.OrdersLookedAt: None,
    r.PlayingTimesSet: None,
}
"""The events around the game; ``None`` is no news, or described by another event of its batch."""

TABLE: dict[type[Any], SentenceEntry | None] = {**GAME, **ROOM}
"""The sentence of every event."""

REMARK: Parameters = {
    "bean": BeanKind("bean"),
    "beans": Some("bean", "count"),
    "coins": Number("coins"),
    "count": Number("count"),
}
"""The parameters of the texts of :data:`bohn.bots.reasons.TEXTS`, which computer players say."""


class MissingEntry(LookupError):  # noqa: N818 - names what is missing
    """An event that is not in the table, or an entry for what is no event."""


def check(entries: Iterable[type], events: Iterable[type]) -> None:
    """Make sure that every event has its entry.

    Raises:
        Untold: one has none, or an entry has no event.
    """
    odd = sorted(kind.__name__ for kind in {*entries} ^ {*events})
    if odd:
        msg = f"bohn.narration.table and the events differ in {', '.join(odd)}"
        raise MissingEntry(msg)


check(TABLE, (*NEVER_SHOWN, *SHOWN))
