"""What computer players say beside people: the kind they want most, and one that they can spare (TALK-1).

One kind of each at a time, said in the own trading and in that of a person, who can do something about it.
It is true when it is said: what is wanted grows on a row that can take more, and would be worth half a coin
as a gift, and what can be spared would be given for it; that is said of a kind for which a person has a
use. Whoever asks for one of it is given it, so a hard player, which gives nothing away, says only what it
wants. It stays said until it is found untrue in a trading, whoever's it is, or until an offer of the
player's own says otherwise; so nobody reads of every change of mind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from bohn.bots.bargaining import useful
from bohn.bots.farming import grown, hand, lying_before, seat
from bohn.play.seat import Choices
from bohn.rules.beans import BEANS, Bean
from bohn.rules.commands import SetWish
from bohn.rules.state import Wishes
from bohn.server.bots.common_sense import leads, rows_kept
from bohn.server.bots.haggling import Haggler, askable, partners_of
from bohn.views.knowledge import Knowledge, unseen
from bohn.views.view import OfferView, TradeView, View

WANTED = 0.5
"""Coins that a card must be worth as a gift before its player says that he wants it."""

STILL_WANTED = 0.25
"""Coins below which he takes that back."""

Worth = dict[Bean, float]
"""By kind, how much a player gains by an offer about it, in coins; 0 is as good as nothing."""

Side = tuple[Bean, tuple[Bean, ...], tuple[Bean, ...]]
"""The kind that an offer is about, what the partner gives, and what he gets."""


class Speaker:
    """What one player says; it thinks of other kinds once a turn."""

    def __init__(self, *, is_hard: bool = False) -> None:
        """Begin before the first turn."""
        self._turn = 0
        self._is_hard = is_hard

    def says(
        self,
        player: Haggler,
        view: View,
        choices: Choices,
        knowledge: Knowledge,
        people: Collection[int],
    ) -> SetWish | None:
        """Return the next thing to say, ``None`` where all is said; what is not true any more goes first.

        While the player may make no offer, it says nothing new.
        """
        own, phase, me = view.own, view.phase, view.viewer
        if own is None or me is None or not isinstance(phase, TradeView) or not knowledge.shown or not people:
            return None
        partners = askable(view, people)
        said = view.talk.wishes[me]
        speaks = bool(partners) and choices.tries > 0 and view.turn != self._turn
        if not speaks and not (said.want or said.spare):
            return None
        partner = partners[0] if partners else partners_of(view)[0]
        wanted = _worth_of(player, view, choices, knowledge, partner, _gifts(view, knowledge))
        best = max(wanted, key=lambda bean: (wanted[bean], -bean), default=None)
        given: Worth = {}
        if best is not None and not self._is_hard:
            given = _spared(player, view, choices, knowledge, partner, best)
        stale = next(_untrue(view, said, wanted, given), None)
        if stale is not None:
            return SetWish(me, stale, "none")
        if not speaks:
            return None
        offered, asked = _offered(view)
        if not said.want and best is not None and wanted[best] >= WANTED and best not in offered:
            return SetWish(me, best, "want")
        self._turn = view.turn
        free = {bean: gain for bean, gain in given.items() if bean not in asked}
        rivals = [partner for partner in partners if not leads(view, partner)]
        spared = None if said.spare else _most_useful(view, rivals, free)
        return None if spared is None else SetWish(me, spared, "spare")


def _untrue(view: View, said: Wishes, wanted: Worth, given: Worth) -> Iterator[Bean]:
    """Yield what the player has said that is not so any more, or that a standing offer of its own denies.

    What he wants for a row that may yet have to go he wants until it has gone: he trades to save it.
    """
    offered, asked = _offered(view)
    in_danger = _growing(view) - rows_kept(view, seat(view))
    for bean in said.want:
        if bean in offered or (bean not in in_danger and wanted.get(bean, 0.0) < STILL_WANTED):
            yield bean
    for bean in said.spare:
        if given.get(bean, 0.0) <= 0 or bean in asked:
            yield bean


def _offered(view: View) -> tuple[frozenset[Bean], frozenset[Bean]]:
    """Return the kinds that standing offers of the viewer give, and those that they ask for."""
    offers = view.phase.offers if isinstance(view.phase, TradeView) else ()
    own = [offer for offer in offers if offer.maker == view.viewer]
    give = frozenset(bean for offer in own for bean in offer.given)
    return give, frozenset(bean for offer in own for bean in offer.want)


def _worth_of(
    player: Haggler,
    view: View,
    choices: Choices,
    knowledge: Knowledge,
    partner: int,
    sides: Sequence[Side],
) -> Worth:
    """Return by kind what the player gains if a partner gives some beans for others."""
    offers = [OfferView(0, 0, partner, (seat(view),), give, (), want, open=False) for _, give, want in sides]
    gains = player.gains(view, choices, knowledge, offers)
    return {bean: gain for (bean, _, _), gain in zip(sides, gains, strict=True)}


def _gifts(view: View, knowledge: Knowledge) -> list[Side]:
    """Return each kind that the player grows, and will grow more of after planting, as a gift from a hand."""
    hidden, grows = unseen(view, knowledge), rows_kept(view, seat(view)) & _growing(view)
    return [(bean, (bean,), ()) for bean in BEANS if hidden[bean] > 0 and bean in grows]


def _growing(view: View) -> set[Bean]:
    """Return the kinds of the viewer's rows that can take more than what will join them in any case."""
    me = view.players[seat(view)]
    joins = Counter(me.set_aside + lying_before(view, seat(view)))
    return {
        field[-1]
        for field in me.fields
        if field and len(field) + joins[field[-1]] < view.rules.beanometers[field[-1]][-1][0]
    }


def _spared(
    player: Haggler, view: View, choices: Choices, knowledge: Knowledge, partner: int, best: Bean
) -> Worth:
    """Return which kinds of the hand the player would give for the one that it wants most."""
    grows = grown(view.players[seat(view)].fields)
    held = sorted({*hand(view)} - grows - {best})
    sides = [(bean, (best,), (bean,)) for bean in held]
    worth = _worth_of(player, view, choices, knowledge, partner, sides)
    return {bean: gain for bean, gain in worth.items() if gain > 0}


def _most_useful(view: View, people: Collection[int], given: Worth) -> Bean | None:
    """Return the kind that is missed least among those that one of these people has a use for, if any."""
    wished = [{*useful(view, person), *view.talk.wishes[person].want} for person in people]
    use = {bean for bean in given if any(bean in kinds for kinds in wished)}
    return max(use, key=lambda bean: (given[bean], -bean), default=None)
