"""Reasons: why a computer player did what it did, as data that every language has words for.

Nothing here looks at a hand, nor should what is handed in: a reason rests on what everybody at the table can
see, and on the cards that the offer itself shows. So what is said is true for all who hear it, and tells no
hidden card; nor does it differ with them, so that silence tells none either. A player that cannot serve an
offer says what it would have said with the cards. Beside people it says that it has none
(`bohn.server.bots.answer_reasons`), since whoever is told something else goes on asking: there another reason
tells that it has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from bohn.bots.api import Command, OfferView, TradeView, View
from bohn.bots.farming import fields, fitting, grown, lying_before, seat, worth
from bohn.rules.beans import Bean, coins_for
from bohn.rules.commands import AcceptOffer, BuyField, EditOffer, Harvest, MakeOffer

LITTLE = 0.1
"""An exchange that brings no more than this, in coins, helps nobody."""

MUCH = 2.0
"""Times the own gain from which on the other's gain is much more."""

AHEAD = 0.5
"""The lead (:func:`~bohn.lab.players.worth.compare_wealth`) from which on a seat is said to lead."""

HARDLY = 1
"""Coins up to which a harvest is early."""

TEXTS: dict[str, tuple[str, ...]] = {
    "says.coins": ("bean", "coins"),
    "says.need": ("bean", "count"),
    "says.spare": ("bean",),
    "says.homeless": ("bean",),
    "says.fits": ("bean",),
    "says.saves": (),
    "says.none": ("bean",),
    "says.no-field": ("bean",),
    "says.useless": (),
    "says.too-dear": (),
    "says.price": (),
    "says.ahead": (),
    "says.room": ("bean",),
    "says.field": (),
    "says.closer": (),
    "says.promised": (),
    "says.as-promised": (),
    "says.wished": ("bean",),
    "says.spared": ("bean",),
    "phrase.thanks": (),
}
"""What computer players may say: keys of the message catalogs with their parameters.

``bean`` is the number of a kind. A text may also name ``beans``: ``count`` of that kind.
"""


class Reason(Struct, frozen=True):
    """The key of a text and its parameters, one of :data:`TEXTS`."""

    key: str
    params: dict[str, int] = {}


THANKS = Reason("phrase.thanks")
NONE = "says.none"
"""The key of the reason of who has none of what he is asked for; its bean says of what."""
FITS = "says.fits"
"""The key of the reason of who takes a bean that he grows."""
NO_FIELD = "says.no-field"
"""The key of the reason of who would have to plough up a row for a bean that he is offered."""
USELESS = Reason("says.useless")
TOO_DEAR = Reason("says.too-dear")
PRICE = Reason("says.price")


def reason_of(bot: object) -> Reason | None:
    """Return the reason a bot gives for its last command, if it is one that bots may give."""
    tell = getattr(bot, "reason", None)
    reason = tell() if callable(tell) else None
    return reason if isinstance(reason, Reason) and sayable(reason) else None


def sayable(reason: Reason) -> bool:
    """Tell whether there is a text for a reason, with just its parameters."""
    names = TEXTS.get(reason.key)
    if names is None or reason.params.keys() != set(names):
        return False
    return 0 <= reason.params.get("bean", 0) < len(Bean)


def why(view: View, command: Command | None, next_bean: Bean | None = None) -> Reason | None:
    """Return why the own seat does this; refusals have :func:`why_refused`.

    ``next_bean`` is the one of what must be planted for which it harvests, if it knows that.
    """
    if isinstance(command, MakeOffer | EditOffer):
        return _why_offered(view, command)
    if isinstance(command, AcceptOffer) and isinstance(view.phase, TradeView):
        offer = next((offer for offer in view.phase.offers if offer.id == command.offer), None)
        return None if offer is None else _why_accepted(view, offer)
    if isinstance(command, Harvest):
        return _why_harvested(view, command, next_bean)
    return Reason("says.field") if isinstance(command, BuyField) else None


def why_refused(own: float, other: float, lead: float) -> Reason | None:
    """Return why an offer is refused: by what all must think it brings both sides, and the maker's lead."""
    if own <= LITTLE:
        return USELESS
    if other > MUCH * own:
        return TOO_DEAR
    return Reason("says.ahead") if lead >= AHEAD else None


def _why_offered(view: View, offer: MakeOffer | EditOffer) -> Reason | None:
    """Look first at what a wanted bean earns, then at what must go, then at what is only wished for."""
    needs = [_need(view, bean, offer.want.count(bean)) for bean in dict.fromkeys(offer.want)]
    earns = [need for need in needs if need is not None and need.key == "says.coins"]
    if earns:
        return max(earns, key=lambda need: need.params["coins"])
    homeless = _homeless(view, [copy.bean for copy in offer.face_up])
    if homeless is not None:
        return Reason("says.homeless", {"bean": homeless})
    wished = next((need for need in needs if need is not None), None)
    if wished is not None:
        return wished
    beds = grown(fields(view))
    spare = next((copy.bean for copy in offer.face_up + offer.hand if copy.bean not in beds), None)
    return None if spare is None else Reason("says.spare", {"bean": spare})


def _need(view: View, bean: Bean, count: int) -> Reason | None:
    """Return what some more beans of a kind do for the field on which it grows, after all that it will get.

    That is what is set aside, and what lies before the seat.
    """
    beds = [len(field) for field in fields(view) if field and field[-1] == bean]
    if not beds:
        return None
    me, meter = seat(view), view.rules.beanometers[bean]
    beans = max(beds) + (view.players[me].set_aside + lying_before(view, me)).count(bean)
    coins = coins_for(meter, beans + count) - coins_for(meter, beans)
    if coins > 0:
        return Reason("says.coins", {"bean": bean, "coins": coins})
    left = next((step - beans for step, _ in meter if step > beans), None)
    return None if left is None else Reason("says.need", {"bean": bean, "count": left})


def _why_accepted(view: View, offer: OfferView) -> Reason | None:
    beds = grown(fields(view))
    fits = next((bean for bean in offer.given if bean in beds), None)
    if fits is not None:
        return Reason(FITS, {"bean": fits})
    lying = lying_before(view, seat(view))
    left = Counter(lying) - Counter(offer.want)
    spared = _needs_room(view, lying) and not _needs_room(view, (*left.elements(), *offer.given))
    return Reason("says.saves") if spared else None


def _needs_room(view: View, coming: Iterable[Bean]) -> bool:
    """Tell whether a field must be had for what is set aside and these beans besides."""
    beds = fields(view)
    new = {*view.players[seat(view)].set_aside, *coming} - grown(beds)
    return len(new) > sum(not bed for bed in beds)


def _homeless(view: View, beans: Iterable[Bean]) -> Bean | None:
    """Return the first of these beans for which the own seat has no field."""
    return next((bean for bean in beans if not fitting(view.rules, fields(view), bean)), None)


def _why_harvested(view: View, command: Harvest, next_bean: Bean | None) -> Reason | None:
    """Explain only a harvest that others wonder at: of a field that earns hardly anything.

    While two kinds have no field, the first may have to make way for the second; so nothing is said of it.
    """
    me = seat(view)
    to_plant = view.players[me].set_aside + lying_before(view, me)
    homeless = _homeless(view, to_plant if next_bean is None else (next_bean,))
    if homeless is None or _homeless(view, [bean for bean in to_plant if bean != homeless]) is not None:
        return None
    if worth(view.rules, fields(view)[command.field]) > HARDLY:
        return None
    return Reason("says.room", {"bean": homeless})
