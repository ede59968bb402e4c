"""Why computer players do what they do: from public facts, in words of every language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bohn.bots import PLAYERS
from bohn.bots.named_traders import FairTrader, StrongTrader
from bohn.bots.reasons import TEXTS, Reason, reason_of, sayable, why, why_refused
from bohn.i18n import available, catalog
from bohn.play.floor import BRISK, play_game
from bohn.play.seat import Choices
from bohn.rules import resolve
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, BuyField, Command, DeclineOffer, EditOffer, Harvest, MakeOffer
from bohn.rules.deal import opening
from bohn.rules.events import SetAsidePlanted
from bohn.rules.evolve import fold
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copy
from bohn.views import know
from bohn.views import view as view_of
from bohn.views.view import OfferView, TradeView, View

RULES = resolve("full", 4)
RED, GARDEN, SOY, BLUE, WAX = Bean.RED, Bean.GARDEN, Bean.SOY, Bean.BLUE, Bean.WAX


def trading(
    *beds: Sequence[Bean], face_up: Sequence[Bean] = (), offer: OfferView | None = None, active: int = 0
) -> View:
    """Return a trading as seat 0 sees it, with these beans on its fields and on the table."""
    seen = view_of(RULES, fold(opening(RULES, seed_from("reasons"))), 0)
    fields = tuple(map(tuple, beds)) + ((),) * (2 - len(beds))
    players = (replace(seen.players[0], fields=fields), *seen.players[1:])
    phase = TradeView(tuple(face_up), () if offer is None else (offer,), ())
    return replace(seen, players=players, phase=phase, active_player=active)


def offered(hand: Sequence[Bean] = (), face_up: Sequence[Bean] = (), want: Sequence[Bean] = ()) -> MakeOffer:
    """Return an offer of seat 0 to all others."""
    cards = tuple(Copy(place, bean) for place, bean in enumerate(hand))
    lying = tuple(Copy(place, bean) for place, bean in enumerate(face_up))
    return MakeOffer(0, (1, 2, 3), cards, lying, tuple(want))


def to_me(hand: Sequence[Bean] = (), want: Sequence[Bean] = ()) -> OfferView:
    """Return an offer of seat 1 to seat 0."""
    return OfferView(1, 1, 1, (0,), tuple(hand), (), tuple(want), open=False)


def test_offer_names_the_coin_a_wanted_bean_earns() -> None:
    """Three blue beans become four: a coin more; the reason says so."""
    view = trading([BLUE] * 3)

    assert why(view, offered([SOY], want=[BLUE])) == Reason("says.coins", {"bean": BLUE, "coins": 1})


def test_offer_names_what_is_missing_to_the_next_coin() -> None:
    """One more blue bean earns nothing yet: the reason says how many are missing."""
    view = trading([BLUE])

    assert why(view, offered([SOY], want=[BLUE])) == Reason("says.need", {"bean": BLUE, "count": 3})


def test_offer_counts_what_is_set_aside_already() -> None:
    """A blue bean that was traded before counts as if it grew."""
    view = trading([BLUE])
    players = (replace(view.players[0], set_aside=(BLUE,)), *view.players[1:])

    said = why(replace(view, players=players), offered([SOY], want=[BLUE]))
    assert said == Reason("says.need", {"bean": BLUE, "count": 2})


def test_offer_counts_what_lies_before_the_seat() -> None:
    """In the own turn a face-up blue bean will be planted as well, and makes the coin; not in another's."""
    own, others = (trading([BLUE] * 3, face_up=[BLUE], active=active) for active in (0, 1))
    offer = offered([SOY], want=[BLUE])

    assert why(own, offer) == Reason("says.need", {"bean": BLUE, "count": 2})
    assert why(others, offer) == Reason("says.coins", {"bean": BLUE, "coins": 1})


def test_offer_names_what_must_be_planted_without_a_field() -> None:
    """A face-up bean that finds no field is a reason to give it away, before one that is far from a coin."""
    view = trading([BLUE], [SOY, SOY], face_up=[WAX])

    assert why(view, offered(face_up=[WAX], want=[BLUE])) == Reason("says.homeless", {"bean": WAX})


def test_offer_of_a_hand_card_does_not_say_that_it_finds_no_field() -> None:
    """When a hand card must be planted is nobody's business: it is only said that the kind does not grow."""
    view = trading([BLUE], [SOY, SOY])

    assert why(view, offered([WAX])) == Reason("says.spare", {"bean": WAX})


def test_offer_for_what_grows_nowhere_has_no_reason_of_its_own() -> None:
    """Why a bean is wanted that no field shows would tell of the hand."""
    view = trading([BLUE], [SOY])

    assert why(view, offered([BLUE], want=[RED])) is None


def test_acceptance_names_the_bean_that_fits() -> None:
    """What grows already fits."""
    view = trading([BLUE], offer=to_me([BLUE], [RED]), active=1)

    assert why(view, AcceptOffer(0, 1, 1)) == Reason("says.fits", {"bean": BLUE})


def test_acceptance_that_takes_a_homeless_bean_away_spares_a_harvest() -> None:
    """A player who is rid of a face-up bean without a field need not harvest for it."""
    view = trading([BLUE], [SOY], face_up=[WAX], offer=to_me((), [WAX]))

    assert why(view, AcceptOffer(0, 1, 1)) == Reason("says.saves")


def test_acceptance_that_brings_another_homeless_bean_spares_nothing() -> None:
    """Who takes a bean without a field for the one he gives has to harvest all the same; so of two."""
    swap = trading([BLUE], [SOY], face_up=[WAX], offer=to_me([RED], [WAX]))
    one_of_two = trading([BLUE], [SOY], face_up=[WAX, RED], offer=to_me((), [WAX]))

    assert why(swap, AcceptOffer(0, 1, 1)) is None
    assert why(one_of_two, AcceptOffer(0, 1, 1)) is None


def test_harvest_names_the_bean_that_is_planted_next() -> None:
    """A card of the hand, where nothing else is to be planted before."""
    assert why(trading([BLUE], [SOY]), Harvest(0, 0), RED) == Reason("says.room", {"bean": RED})


def test_harvest_names_no_bean_while_two_kinds_have_no_field() -> None:
    """The first may have to make way for the second: nobody would believe that it needed the field."""
    view = trading([BLUE], [SOY], face_up=[WAX, RED])

    assert why(view, Harvest(0, 0), RED) is None
    assert why(view, Harvest(0, 0)) is None
    assert why(trading([BLUE], [SOY], face_up=[RED, RED]), Harvest(0, 0)) == Reason(
        "says.room", {"bean": RED}
    )


def test_harvest_for_hardly_anything_names_what_needs_the_field() -> None:
    """A harvest that earns nothing is explained, one that earns well is not."""
    poor, rich = trading([BLUE], [SOY], face_up=[WAX]), trading([BLUE] * 10, [SOY], face_up=[WAX])

    assert why(poor, Harvest(0, 0)) == Reason("says.room", {"bean": WAX})
    assert why(rich, Harvest(0, 0)) is None


def test_purchase_says_that_it_pays() -> None:
    """A field is bought because it pays."""
    assert why(trading([BLUE]), BuyField(0)) == Reason("says.field")


@pytest.mark.parametrize(
    ("own", "other", "lead", "key"),
    [
        (-1.0, 0.5, 1.0, "says.useless"),
        (0.5, 1.5, 1.0, "says.too-dear"),
        (0.5, 0.9, 0.8, "says.ahead"),
        (0.5, 0.9, 0.2, None),
    ],
)
def test_refusal_follows_from_both_gains_and_the_lead(
    own: float, other: float, lead: float, key: str | None
) -> None:
    """First whether it helps at all, then whether it helps the other much more, then whether he leads."""
    found = why_refused(own, other, lead)

    assert (found and found.key) == key


class Telling(StrongTrader):
    """Notes each command with its reason, and what it would say with other cards."""

    def __init__(self, seed: int = 0) -> None:
        """Begin with nothing."""
        super().__init__(seed)
        self.told: list[tuple[Command, Reason | None, Reason | None]] = []

    def decide(self, view: View, choices: Choices, knowledge: Any) -> Command | None:
        """Decide as ever, and note why."""
        command = super().decide(view, choices, knowledge)
        if command is not None and view.own is not None:
            reason = self.reason()
            other = replace(view, own=replace(view.own, hand=tuple(reversed(view.own.hand[1:]))))
            self._last = other, knowledge, command
            self.told.append((command, reason, self.reason()))
        return command


def told() -> list[tuple[Command, Reason | None, Reason | None]]:
    """Return what one says in a whole game."""
    bot = Telling(0)
    play_game(RULES, 4, [bot, *(PLAYERS[name](1) for name in ("fair-1", "pk", "b4"))], BRISK)
    return bot.told


@pytest.mark.compiled(only=True)
def test_reason_does_not_depend_on_the_own_hand() -> None:
    """With other cards in hand a trader would give the same reason for the same command."""
    found = told()

    assert [one for one in found if one[1] != one[2]] == []
    kinds = {type(command) for command, reason, _ in found if reason is not None}
    assert {DeclineOffer, AcceptOffer} < kinds
    assert kinds & {MakeOffer, EditOffer}


@pytest.mark.compiled(only=True)
@pytest.mark.parametrize("name", ["gentle-1", "fair-1", "pk", "b6", "strong-1"])
def test_reason_of_a_player_is_one_there_is_a_text_for(name: str) -> None:
    """Whatever a trader does in a game, its reason has a text with just these parameters."""
    bots = [PLAYERS[name](0), PLAYERS["fair-1"](1), PLAYERS["pk"](2), PLAYERS["b4"](3)]
    found: list[Reason] = []

    def watch(before: object, command: Command, events: object, after: object) -> None:  # noqa: ARG001 - one signature
        reason: Reason | None = bots[0].reason() if command.player == 0 else None  # type: ignore[attr-defined]  # - those who trade have it
        if reason is not None:
            found.append(reason)

    play_game(RULES, 2, bots, BRISK, watch=watch)

    assert len(found) > 20
    assert all(map(sayable, found))


def test_reason_of_a_player_without_any_is_none() -> None:
    """A player who only farms gives no reasons, and neither does a trader before its first command."""
    assert reason_of(PLAYERS["no-trade"](0)) is None
    assert reason_of(PLAYERS["strong-1"](0)) is None


@pytest.mark.parametrize(
    "reason", [Reason("says.fits"), Reason("says.fits", {"bean": 99}), Reason("event.passed"), "thanks"]
)
def test_reason_that_is_none_is_not_told(reason: object) -> None:
    """A key that is no reason, a parameter too few, or a kind that is none is dropped."""

    class Talker:
        def reason(self) -> object:
            """Say it."""
            return reason

    assert reason_of(Talker()) is None


@pytest.mark.parametrize("lang", available())
def test_reasons_have_a_text_in_every_language(lang: str) -> None:
    """Each names the parameters that come with it, in any form, and no others; every key is said."""
    texts = catalog._patterns(lang)
    for key, names in TEXTS.items():
        known = set(names) | ({"beans"} if "count" in names else set())
        used = {name.partition("_")[0] for name in re.findall(r"\{(\w+)[,}]", texts[key])}
        assert used <= known, key
        assert used or not names, key

    assert {key for key in texts if key.startswith("says.")} == {
        key for key in TEXTS if key.startswith("says.")
    }


def test_refusal_is_the_same_without_the_cards_for_it() -> None:
    """A trader that cannot serve an offer gives the reason it would have given with the cards."""
    offer = to_me([BLUE], [GARDEN])
    view = trading([SOY], [RED], offer=offer, active=1)
    assert view.own is not None
    said = []
    for hand in ((GARDEN, GARDEN), (WAX, SOY)):
        seen = replace(view, own=replace(view.own, hand=hand))
        bot = FairTrader(0)
        command = bot.decide(seen, Choices((DeclineOffer(0, 1, 1),)), know(seen))
        assert command == DeclineOffer(0, 1, 1)
        said.append(bot.reason())

    assert said[0] == said[1] is not None


def test_refusal_never_calls_useless_what_grows_on_an_own_field() -> None:
    """Whatever the exchange costs: then nothing is said, and of another kind it is said all the same."""
    said = []
    for given in (SOY, BLUE):
        offer = to_me([given], [SOY, SOY, SOY])
        view = trading([SOY, SOY], [RED], offer=offer, active=1)
        bot = FairTrader(0)
        bot.decide(view, Choices((DeclineOffer(0, 1, 1),)), know(view))
        said.append(bot.reason())

    assert said == [None, Reason("says.useless")]


@pytest.mark.parametrize(("own_coins", "said"), [(0, Reason("says.ahead")), (5, None)])
def test_who_has_fewer_coins_is_not_said_to_be_ahead(own_coins: int, said: Reason | None) -> None:
    """Everybody sees the coins: the word is for who has more than anybody else."""
    view = trading([SOY, SOY, SOY], [RED], offer=to_me([SOY], [WAX]), active=1)
    mine = replace(view.players[0], treasury=(GARDEN,) * own_coins)
    maker = replace(view.players[1], treasury=(GARDEN,) * 4)
    seen = replace(view, players=(mine, maker, *view.players[2:]))
    bot = FairTrader(0)
    bot._last = seen, know(seen), DeclineOffer(0, 1, 1)

    assert bot.reason() == said


def test_field_is_said_to_be_needed_for_what_is_planted_next() -> None:
    """In whole games: the bean that a trader names is the one it then plants."""
    bots = [PLAYERS["gentle-2"](seat) for seat in range(3)]
    named: dict[int, int] = {}
    kept: list[bool] = []

    def watch(before: object, command: Command, events: Sequence[object], after: object) -> None:  # noqa: ARG001 - one signature
        said = reason_of(bots[command.player]) if isinstance(command, Harvest) else None
        if said is not None and said.key == "says.room":
            named[command.player] = said.params["bean"]
        planted = [event for event in events if isinstance(event, SetAsidePlanted) and event.player in named]
        kept.extend([named.pop(event.player) == event.bean for event in planted])

    play_game(resolve("full", 3), 3, bots, BRISK, watch=watch)

    assert len(kept) > 10
    assert all(kept)
