"""Why a computer player answers an offer as it does, where it has thought its answer over beside people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from bohn.bots.bargaining import own_useful
from bohn.bots.farming import fields, hand, lying_before, seat, worth
from bohn.bots.reasons import FITS, NO_FIELD, NONE, PRICE, TOO_DEAR, USELESS, Reason, why
from bohn.rules.beans import Bean
from bohn.rules.commands import AnyCommand, DeclineOffer
from bohn.server.bots.common_sense import burdens_of, enriches, leads, planted_after
from bohn.server.bots.levels import is_hard
from bohn.server.bots.messages import Question
from bohn.views.view import OfferView, TradeView, View


def why_after_all(
    question: Question, first: AnyCommand, command: AnyCommand | None, reason: Reason | None
) -> Reason | None:
    """Return why an offer is answered so: what the player says of its first answer need not hold any more.

    No bean fits fields from which it will have to go.
    """
    phase, number = question.view.phase, getattr(command, "offer", None)
    offers = phase.offers if isinstance(phase, TradeView) else ()
    offer = next((one for one in offers if one.id == number), None)
    if isinstance(command, DeclineOffer) and offer is not None:
        return _why_refused(question, offer, USELESS if command != first else reason)
    if command != first:
        reason = why(question.view, command)
    if reason is None or reason.key != FITS or offer is None:
        return reason
    growing = planted_after(question.view, offer.given, offer.want).growing
    return reason if reason.params["bean"] in growing else None


def _why_refused(question: Question, offer: OfferView, reason: Reason | None) -> Reason:
    """Return why an offer is refused.

    Who has not got what it is asked for says so (none speaks of another's hand). Nobody is told of a gain
    that all see to bring him no coin, nor of what he is about to be given for nothing. Who is offered nothing
    that finds a field says so; who has no reason that all see wants another price.
    """
    view = question.view
    missing = None if question.deputy else has_none_of(view, offer)
    if missing is not None:
        return Reason(NONE, {"bean": missing})
    if reason == TOO_DEAR and _gives_anyway(question, offer):
        reason = None if own_useful(view) & {*offer.given} else USELESS
    if reason == TOO_DEAR and not _earns(view, offer.maker, offer.want):
        reason = None
    reason = reason or (PRICE if offer.want else USELESS)
    if reason in (PRICE, USELESS) and offer.given and all(fields(view)):
        has = own_useful(view) | {*view.players[seat(view)].set_aside, *lying_before(view, seat(view))}
        return reason if has & {*offer.given} else Reason(NO_FIELD, {"bean": min(offer.given)})
    return reason


def _gives_anyway(question: Question, offer: OfferView) -> bool:
    """Tell whether what somebody asks for is given him for nothing: it would cost a row, or is spared."""
    view = question.view
    if is_hard(question.bot) or leads(view, offer.maker) or enriches(view, offer.maker, offer.want):
        return False
    burdens, spared = burdens_of(view, question.bot), Counter(view.talk.wishes[seat(view)].spare)
    return Counter(bean for bean in offer.want if bean not in burdens) <= spared


def has_none_of(view: View, offer: OfferView) -> Bean | None:
    """Return a kind that an offer wants and of which the viewer has none, if there is one."""
    own = {*hand(view), *lying_before(view, seat(view))}
    return min((bean for bean in offer.want if bean not in own), default=None)


def _earns(view: View, player: int, beans: Collection[Bean]) -> bool:
    """Tell whether some beans bring a row of somebody's its next coin, after all that he will plant on it."""
    rules, own, more = view.rules, view.players[player], Counter(beans)
    lies = Counter(own.set_aside + lying_before(view, player))
    rows = [bed + (bed[-1],) * lies[bed[-1]] for bed in own.fields if bed]
    return any(worth(rules, row + (row[-1],) * more[row[-1]]) > worth(rules, row) for row in rows)
