"""Events as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bohn.notation.events import format_event
from bohn.rules import Bean
from bohn.rules import events as e
from bohn.rules.decide import tag
from bohn.rules.state import Copy, Offer, Promise, Result, StandingClaim
from tests.notation.playing import GAMES, game

R, S, B, C = Bean.RED, Bean.SOY, Bean.BLUE, Bean.CHILI

EVENTS: list[tuple[e.Event, str]] = [
    (
        e.Dealt(bytes(32), 1, 2, ((R, R), (S,)), (R, S), (B,)),
        "dealt starter 1 fields 2 hands red*2 / soy draw-pile soy red box blue seed " + "00" * 32,
    ),
    (
        e.Dealt(bytes(32), 1, 2, ((R,), (S,)), (R, S), (), ((B, C), ()), ((1, 2), ()), (5, 4)),
        "dealt starter 1 fields 2 hands red / soy draw-pile soy red box - face-down chili blue / - "
        "bonus 1 2 / - bonus-pile 4 5 seed " + "00" * 32,
    ),
    (e.TurnBegan(1), "turn-began 1"),
    (e.TurnBegan(1, (S, R)), "turn-began 1 leftovers soy red"),
    (e.TurnedOver(0, (S, R)), "turned-over 0 soy red"),
    (e.Drew(0, ()), "drew 0 -"),
    (e.Exhausted(1), "exhausted 1"),
    (e.Reshuffled((R, S)), "reshuffled soy red"),
    (
        e.GameEnded(Result((3, 4), (0, 20), (5, 6), (1,))),
        "game-ended coins 3 4 winners 1 pennies 0 20 hand-cards 5 6",
    ),
    (e.Planted(0, 1, S), "planted 0 1 soy"),
    (e.SetAsidePlanted(0, 0, 1, S), "set-aside-planted 0 0 1 soy"),
    (e.Harvested(0, 1, (C,), (C, C)), "harvested 0 1 coins chili discards chili*2"),
    (e.FieldBought(0, (R, R, R)), "field-bought 0 coins red red red to discard"),
    (e.OfferMade(Offer(1, 1, 0, (2,), (Copy(1, S),), (), (R,))), "offer-made 1.1 0>2 hand:1=soy for red"),
    (
        e.OfferEdited(
            Offer(1, 2, 0, (2, 3), (), (Copy(0, S),), (R,), True, (StandingClaim(2, (Copy(1, R),)),), (3,))
        ),
        "offer-edited 1.2 0>2,3 face:0=soy for red open claims 2 hand:1=red declined 3",
    ),
    (e.OfferVoided(2), "offer-voided 2"),
    (e.ClaimVoided(3, 2), "claim-voided 3 2"),
    (e.OfferDeclined(1, 1, 0, 2), "offer-declined 1.1 2"),
    (e.OfferClaimed(1, 1, 2, (Copy(0, R),)), "offer-claimed 1.1 2 hand:0=red"),
    (
        e.Traded(1, 0, 2, (Copy(1, B),), (Copy(0, S),), (Copy(0, R),)),
        "traded 1 0>2 gives face:0=soy hand:1=blue takes hand:0=red",
    ),
    (e.Traded(1, 0, 2, (Copy(1, B),)), "traded 1 0>2 gives hand:1=blue takes -"),
    (e.Traded(1, 0, 2, (), (), (Copy(1, B),)), "traded 1 0>2 gives - takes hand:1=blue"),
    (e.GiftNamed(0, S, (Copy(1, S),)), "gift-named 0 soy hand:1=soy"),
    (e.GiftTaken(1, 0, S, "face-up", 2), "gift-taken 1 0 soy face-up 2"),
    (e.BluffPaid(0, 1), "bluff-paid 0 1"),
    (
        e.BluffPaid(0, 1, "treasury", (5,), from_hand=True, discarded=True),
        "bluff-paid 0 1 coin treasury bonus 5 from-hand discarded",
    ),
    (e.BonusBegan((0, 1), ()), "bonus-began discarding 0 1 refilling -"),
    (e.BonusRefilled(0, (5, 7)), "bonus-refilled 0 5 7"),
    (e.BonusReshuffled((5, 7)), "bonus-reshuffled 7 5"),
    (e.WishSet(0, R, "want"), "wish-set 0 red want"),
    (
        e.PromiseMade(Promise(1, 0, 2, (R,), (S,), "next-turn")),
        "promise-made 1: 0>2 give red for soy next-turn",
    ),
]


@pytest.mark.parametrize(("event", "text"), EVENTS)
def test_event_is_written(event: e.Event, text: str) -> None:
    """An event is its name and its fields in their order."""
    assert format_event(event) == text


@pytest.mark.parametrize(("edition", "players", "house_rules"), GAMES)
def test_event_begins_with_its_name(edition: str, players: int, house_rules: tuple[str, ...]) -> None:
    """Every event of a game can be written."""
    _, played = game(edition, players, house_rules)

    assert all(
        format_event(event).split()[0] == tag(type(event)) for _, events, _ in played for event in events
    )


def test_every_event_is_in_the_document() -> None:
    """docs/notation.md shows how each kind of event is written."""
    document = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^([a-z-]+) ", document, flags=re.MULTILINE))

    assert {tag(kind) for kind in e.AnyEvent.__args__} <= shown
