"""The bot of a lesson: it follows the story, and then plays as an easy ordinary one."""

from __future__ import annotations

from collections.abc import Iterator

from bohn.bots.api import (
    Choices,
    Command,
    Copies,
    Copy,
    Knowledge,
    OfferView,
    PlantTradedPhase,
    TradeView,
    View,
)
from bohn.bots.bargaining import Proposal
from bohn.bots.farming import hand, seat
from bohn.bots.students import Smart
from bohn.rules.beans import Bean
from bohn.rules.commands import SetWish
from bohn.server.lessons.story import Scripted, Story


class Tutor(Smart):
    """Farms as its kind does; trades as the story says while it lasts.

    Whatever the learner does, it makes only offers for which it has the cards, and answers every other as
    its kind would.
    """

    name = "tutor"

    def __init__(self, story: Story, seed: int = 0) -> None:
        """Learn a story; the seat is told by the view."""
        super().__init__(seed)
        self._story = story

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Return the next command; what it has wished for is taken back once its own trading is over."""
        wishes = view.talk.wishes[seat(view)]
        wished = (*wishes.want, *wishes.spare)
        if wished and _has_traded(view) and not isinstance(view.phase, TradeView):
            return SetWish(seat(view), wished[0], "none")
        return super().decide(view, choices, knowledge)

    def accepts(self, view: View, offer: OfferView) -> bool:
        """Take what the story says; what it does not speak of, as usual."""
        given, me = offer.given, seat(view)
        if view.turn <= self._story.turns:
            for taste in self._story.tastes:
                liked = bool(given) and set(given) <= set(taste.take) and set(offer.want) <= set(taste.give)
                if taste.by == me and liked and len(offer.want) <= len(given):
                    return True
        return super().accepts(view, offer)

    def trade(self, view: View, phase: TradeView, choices: Choices) -> Command | None:
        """Answer, or make the next offer of the story; one that stands is left to be answered."""
        if view.turn <= self._story.turns and _waits(view, phase):
            choices = Choices(choices.legal, choices.offers, tries=0)
        return super().trade(view, phase, choices)

    def proposals(self, view: View, phase: TradeView) -> Iterator[Proposal]:
        """Yield the offers of the story in this turn; behind it, what it usually offers."""
        if view.turn > self._story.turns:
            yield from super().proposals(view, phase)
            return
        for scripted in self._story.offers:
            if (scripted.turn, scripted.by) == (view.turn, seat(view)):
                proposal = _proposal(view, phase, scripted)
                if proposal is not None:
                    yield proposal


def _has_traded(view: View) -> bool:
    """Tell whether the trading of one's own first turn is over."""
    first = (seat(view) - view.starter) % len(view.players) + 1
    return view.turn > first or (view.turn == first and isinstance(view.phase, PlantTradedPhase))


def _waits(view: View, phase: TradeView) -> bool:
    """Tell whether somebody has not answered an own offer yet."""
    own = view.own.offers if view.own is not None else ()
    declined = {offer.id: set(offer.declined) for offer in own}
    mine = (offer for offer in phase.offers if offer.maker == seat(view))
    return any(set(offer.to) - declined.get(offer.id, set()) for offer in mine)


def _proposal(view: View, phase: TradeView, scripted: Scripted) -> Proposal | None:
    """Return an offer of the story, if the cards for it are there: face up first, then in the hand."""
    mine = seat(view) == view.active_player
    face_up, rest = _found(phase.face_up if mine else (), scripted.give)
    cards, missing = _found(hand(view), rest)
    to = tuple(place for place in scripted.to if mine or place == view.active_player)
    return None if missing or not to else Proposal(to, cards, face_up, scripted.want)


def _found(cards: tuple[Bean, ...], beans: tuple[Bean, ...]) -> tuple[Copies, tuple[Bean, ...]]:
    """Return the first copies of these beans among cards, and the beans that are not there."""
    left = list(beans)
    found: list[Copy] = []
    for place, bean in enumerate(cards):
        if bean in left:
            left.remove(bean)
            found.append(Copy(place, bean))
    return tuple(found), tuple(left)
