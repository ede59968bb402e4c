"""Writes ``web/tests/table/offers/fallen.json``: offers that ended in played games, and why.

``python -m tests.views.fallen`` asks the core. The page must find the same reasons from
what a viewer was shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bohn.rules import events as e
from bohn.rules.beans import Bean
from bohn.rules.state import Copies, Offer, State, TradePhase
from bohn.views import view, visible
from tests.properties.strategies import Step, Walk

TARGET = Path(__file__).parents[2] / "web" / "tests" / "table" / "offers" / "fallen.json"
WALKS = (
    Walk("full", 4, seed=1, length=600, trading=0.85, noise=0, talk=0),
    Walk("classic-sv", 3, seed=2, length=600, trading=0.85, noise=0, talk=0),
    Walk("das-duell", 2, ("trading=also",), seed=3, length=600, trading=0.85, noise=0, talk=0),
)
MOST = 3
"""Cases of one kind written for a game: a reason, as shown to the maker or to somebody else."""


def gone(step: Step) -> tuple[Offer, ...]:
    """Return the offers that a step took from the market."""
    left = {offer.id for offer in standing_offers(step.after)}
    return tuple(offer for offer in standing_offers(step.before) if offer.id not in left)


def standing_offers(state: State) -> tuple[Offer, ...]:
    """Return the offers that stand."""
    return state.phase.offers if isinstance(state.phase, TradePhase) else ()


def reasons(offer: Offer, events: tuple[Any, ...]) -> list[str]:
    """Return what events, of the core or as somebody sees them, say of the end of an offer; the first is why.

    What ends an offer may end the trading as well, where all must pass (TRADE-12).
    """
    found = []
    for event in events:
        name = type(event).__struct_config__.tag
        if name in ("traded", "traded-shown") and event.offer == offer.id:
            found.append("traded")
        elif name == "offer-withdrawn" and event.offer == offer.id:
            found.append("withdrawn")
        elif name == "offer-voided" and event.offer == offer.id:
            found.append("card-gone")
        elif name in ("trading-closed", "haggling-began"):
            found.append("closed")
    return found


def missing(offer: Offer, events: tuple[e.Event, ...]) -> tuple[Bean, ...]:
    """Return the kinds of the cards by whose leaving an offer fell."""
    [traded] = [event for event in events if isinstance(event, e.Traded)]
    hands = {traded.maker: traded.maker_hand, traded.partner: traded.partner_hand}
    lying = traded.maker_face_up + traded.partner_face_up
    kinds = touched(offer.hand, hands.get(offer.maker, ())) | touched(offer.face_up, lying)
    return tuple(sorted(kinds))


def touched(copies: Copies, left: Copies) -> set[Bean]:
    """Return the kinds of the copies that have left."""
    places = {copy.place for copy in left}
    return {copy.bean for copy in copies if copy.place in places}


def cases(walk: Walk) -> Iterator[dict[str, Any]]:
    """Yield what viewers saw when an offer fell, and why it did."""
    cases_of: Counter[tuple[str, bool]] = Counter()
    for step in walk.steps():
        for offer in gone(step):
            why, *_ = reasons(offer, step.events)
            for viewer in (None, *range(walk.players)):
                kind = (why, viewer == offer.maker)
                if cases_of[kind] >= MOST:
                    continue
                cases_of[kind] += 1
                yield {
                    "viewer": viewer,
                    "was": seen(walk, step.before, viewer),
                    "now": seen(walk, step.after, viewer),
                    "events": [
                        shown for event in step.events if (shown := visible(event, viewer)) is not None
                    ],
                    "offer": offer.id,
                    "why": why,
                    "beans": missing(offer, step.events) if why == "card-gone" else (),
                }


def shown(events: tuple[e.Event, ...], viewer: int | None) -> tuple[Any, ...]:
    """Return events as a seat may see them."""
    found = (visible(event, viewer) for event in events)
    return tuple(event for event in found if event is not None)


def seen(walk: Walk, state: State, viewer: int | None) -> dict[str, Any]:
    """Return the parts of a view that trading changes."""
    whole = view(walk.rules, state, viewer)
    return {"viewer": viewer, "phase": whole.phase, "own": whole.own}


def text() -> str:
    """Return the file: a line a case."""
    lines = [msgspec.json.encode(case).decode() for walk in WALKS for case in cases(walk)]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    """Write it."""
    TARGET.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
