"""A second bookkeeping of the cards: every physical card has a number, and events move the numbers.

It shares no code with the folds of the core, so that both must be wrong in the same way to agree.
"""

from __future__ import annotations

from collections.abc import Iterable

from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.state import Copies, State

Numbers = list[int]


class CardLedger:
    """All cards of a game by number, and which of them each offer and claim names."""

    def __init__(self, dealt: e.Dealt) -> None:
        """Number every card of a deal."""
        self.beans: list[Bean] = []
        self.draw = self._new(dealt.draw_pile)
        self.box = self._new(dealt.box)
        self.discard: Numbers = []
        self.hands = [self._new(hand) for hand in dealt.hands]
        self.fields: list[list[Numbers]] = [[[] for _ in range(dealt.fields)] for _ in dealt.hands]
        self.treasury: list[Numbers] = [[] for _ in dealt.hands]
        self.set_aside: list[Numbers] = [[] for _ in dealt.hands]
        self.face_down = [self._new(coins) for coins in dealt.face_down] or [[] for _ in dealt.hands]
        self.lying: Numbers = []
        self.gift: Numbers = []
        self.removals = [0 for _ in dealt.hands]
        self.offers: dict[int, tuple[int, Numbers, Numbers]] = {}
        self.claims: dict[tuple[int, int], Numbers] = {}
        self.executed: list[int] = []

    def _new(self, beans: Iterable[Bean]) -> Numbers:
        first = len(self.beans)
        self.beans.extend(beans)
        return list(range(first, len(self.beans)))

    def names(self, numbers: Numbers) -> tuple[Bean, ...]:
        """Return the beans of some cards."""
        return tuple(self.beans[number] for number in numbers)

    # -- moving -------------------------------------------------------------------------------

    def play(self, events: Iterable[e.Event]) -> None:
        """Move cards as a batch of events tells."""
        for event in events:
            self._move(event)

    def _from_top(self, pile: Numbers, beans: tuple[Bean, ...]) -> Numbers:
        taken = [pile.pop() for _ in beans]
        assert self.names(taken) == beans
        return taken

    def _take(self, pile: Numbers, place: int, bean: Bean) -> int:
        number = pile.pop(place)
        assert self.beans[number] == bean
        return number

    def _take_copies(self, pile: Numbers, copies: Copies) -> Numbers:
        taken = [pile[copy.place] for copy in copies]
        assert self.names(taken) == tuple(copy.bean for copy in copies)
        pile[:] = [number for number in pile if number not in taken]
        return taken

    def _sorted(self, numbers: Numbers) -> Numbers:
        """Return cards from a hand as they are set aside: by kind, so that the order tells no places."""
        return sorted(numbers, key=lambda number: self.beans[number])

    def _from_hand(self, player: int, copies: Copies) -> Numbers:
        self.removals[player] += len(copies)
        return self._take_copies(self.hands[player], copies)

    def _move(self, event: e.Event) -> None:  # noqa: C901, PLR0912, PLR0915 - one case for each event that moves cards
        match event:
            case e.TurnedOver(beans=beans):
                self.lying += self._from_top(self.draw, beans)
            case e.Swept(beans=beans):
                self.lying += self._from_top(self.discard, beans)
            case e.Drew(player=player, beans=beans):
                self.hands[player] += self._from_top(self.draw, beans)
            case e.Reshuffled(order=order):
                assert not self.draw
                for bean in order:
                    at = next(i for i, number in enumerate(self.discard) if self.beans[number] == bean)
                    self.draw.append(self.discard.pop(at))
                assert not self.discard
            case e.Planted(player=player, field=field, bean=bean):
                self.fields[player][field].append(self._take(self.hands[player], 0, bean))
                self.removals[player] += 1
            case e.SetAsidePlanted(player=player, place=place, field=field, bean=bean):
                self.fields[player][field].append(self._take(self.set_aside[player], place, bean))
            case e.Harvested(player=player, field=field, coins=coins, discards=discards):
                sold = self.fields[player][field]
                assert self.names(sold) == coins + discards
                self.treasury[player] += sold[: len(coins)]
                self.discard += sold[len(coins) :]
                self.fields[player][field] = []
            case e.FieldBought(player=player, coins=coins, to=to):
                for coin in coins:
                    at = max(i for i, n in enumerate(self.treasury[player]) if self.beans[n] == coin)
                    (self.discard if to == "discard" else self.box).append(self.treasury[player].pop(at))
                self.fields[player].append([])
            case e.LeftoverPlanted(player=player, place=place, field=field, bean=bean):
                self.fields[player][field].append(self._take(self.lying, place, bean))
            case e.FaceUpPlanted(player=player, place=place, field=field, bean=bean):
                self.fields[player][field].append(self._take(self.lying, place, bean))
            case e.LeftoverDiscarded(place=place, bean=bean):
                self.discard.append(self._take(self.lying, place, bean))
            case e.HandDiscarded(player=player, place=place, bean=bean):
                self.discard.append(self._take(self.hands[player], place, bean))
                self.removals[player] += 1
            case e.RestLeft(beans=beans):
                assert self.names(self.lying) == beans
            case e.TurnBegan(leftovers=beans):
                assert self.names(self.lying) == beans
            case e.GiftTaken(giver=giver, bean=bean, source=source, place=place):
                self.gift = [
                    self._take(self.lying if source == "face-up" else self.hands[giver], place, bean)
                ]
                self.removals[giver] += source == "hand"
            case e.GiftPlanted(player=player, field=field, bean=bean):
                self.fields[player][field].append(self._take(self.gift, 0, bean))
            case e.BluffPaid(giver=giver, player=player, coin="treasury"):
                self.treasury[player].append(self.treasury[giver].pop())
            case e.BluffPaid(giver=giver, player=player, coin="face-down"):
                self.face_down[player].append(self.face_down[giver].pop())
            case _:
                self._bargain(event)

    def _bargain(self, event: e.Event) -> None:
        match event:
            case e.OfferMade(offer=offer) | e.OfferEdited(offer=offer):
                hand, lying = self.hands[offer.maker], self.lying
                named = (
                    [hand[copy.place] for copy in offer.hand],
                    [lying[copy.place] for copy in offer.face_up],
                )
                self.offers[offer.id] = (offer.maker, *named)
                self._forget_claims(offer.id)
            case e.OfferWithdrawn(offer=number) | e.OfferVoided(offer=number):
                del self.offers[number]
                self._forget_claims(number)
            case e.OfferClaimed(offer=number, player=player, hand=copies):
                self.claims[number, player] = [self.hands[player][copy.place] for copy in copies]
            case e.ClaimWithdrawn(offer=number, player=player) | e.ClaimVoided(offer=number, player=player):
                del self.claims[number, player]
            case e.Traded():
                self._trade(event)
            case e.TradingClosed(player=player):
                self.set_aside[player] += self.lying
                self.lying = []
                self._close()
            case e.HagglingBegan() | e.GameEnded():
                self._close()
            case _:
                pass

    def _trade(self, event: e.Traded) -> None:
        maker, partner = event.maker, event.partner
        if (event.offer, partner) in self.claims:
            assert self.claims[event.offer, partner] == [
                self.hands[partner][c.place] for c in event.partner_hand
            ]
        named = [self.hands[maker][c.place] for c in event.maker_hand]
        assert self.offers[event.offer] == (maker, named, [self.lying[c.place] for c in event.maker_face_up])
        lying = self._take_copies(self.lying, event.maker_face_up + event.partner_face_up)
        given = lying[: len(event.maker_face_up)] + self._sorted(self._from_hand(maker, event.maker_hand))
        taken = lying[len(event.maker_face_up) :] + self._sorted(self._from_hand(partner, event.partner_hand))
        self.set_aside[partner] += given
        self.set_aside[maker] += taken
        self.executed.append(event.offer)
        del self.offers[event.offer]
        self._forget_claims(event.offer)

    def _forget_claims(self, number: int) -> None:
        self.claims = {key: cards for key, cards in self.claims.items() if key[0] != number}

    def _close(self) -> None:
        self.offers, self.claims, self.executed = {}, {}, []

    # -- comparing ----------------------------------------------------------------------------

    def zones(self) -> tuple[object, ...]:
        """Return the beans of every zone, in order."""
        return (
            self.names(self.draw),
            self.names(self.discard),
            self.names(self.box),
            self.names(self.lying),
            self.names(self.gift),
            [self.names(hand) for hand in self.hands],
            [[self.names(field) for field in fields] for fields in self.fields],
            [self.names(pile) for pile in self.treasury],
            [self.names(pile) for pile in self.set_aside],
            [self.names(pile) for pile in self.face_down],
        )

    def named(self) -> tuple[dict[int, tuple[int, Numbers, Numbers]], dict[tuple[int, int], Numbers]]:
        """Return the physical cards that standing offers and claims named when they were made."""
        return self.offers, self.claims

    def aimed(
        self, state: State
    ) -> tuple[dict[int, tuple[int, Numbers, Numbers]], dict[tuple[int, int], Numbers]]:
        """Return the physical cards at which the places in a state's offers and claims point now."""
        offers, claims = {}, {}
        for offer in getattr(state.phase, "offers", ()):
            named = [self.hands[offer.maker][copy.place] for copy in offer.hand]
            offers[offer.id] = (offer.maker, named, [self.lying[copy.place] for copy in offer.face_up])
            for claim in offer.claims:
                claims[offer.id, claim.player] = [self.hands[claim.player][copy.place] for copy in claim.hand]
        return offers, claims


def zones_of(state: State) -> tuple[object, ...]:
    """Return the zones of a state in the order of :meth:`CardLedger.zones`."""
    phase, players = state.phase, state.players
    lying = getattr(phase, "face_up", ()) + getattr(phase, "leftovers", ()) + getattr(phase, "unscored", ())
    return (
        state.draw_pile,
        state.discard_pile,
        state.box,
        lying,
        getattr(phase, "gift", ()),
        [player.hand for player in players],
        [list(player.fields) for player in players],
        [player.treasury for player in players],
        [player.set_aside for player in players],
        [player.face_down for player in players],
    )
