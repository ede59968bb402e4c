"""Markets of three as states for a page without a server; a test says what is offered and claimed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from playwright.sync_api import Page

from bohn.rules.beans import Bean
from bohn.rules.commands import Claim, Command, MakeOffer, Plant, Reveal
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copies, Copy, State, TradePhase
from tests.web.support.states import Still

PLAYERS = 3
SEED = 2


class Market:
    """The first trading of a game of three, in which the page's viewer sits in seat 0."""

    def __init__(
        self, starter: int, seed: int = SEED, *rules: str, revealed: bool = True, players: int = PLAYERS
    ) -> None:
        """Deal by house ``rules``; the starter plants and, if they are to be ``revealed``, turns two over."""
        self.rules = resolve("full", players, f"starter=seat:{starter}", *rules)
        self.told: list[tuple[Event, ...]] = [opening(self.rules, seed_from(seed))]
        self.state: State = fold(self.told[0], EMPTY)
        self.do(Plant(starter, 0))
        if revealed:
            self.do(Reveal(starter))
            assert isinstance(self.state.phase, TradePhase)

    def do(self, command: Command) -> None:
        """Do a command."""
        events = decide(self.rules, self.state, command)
        self.told.append(events)
        self.state = fold(events, self.state)

    def hand(self, seat: int) -> tuple[Bean, ...]:
        """Return the cards of a seat."""
        return self.state.players[seat].hand

    def copies(self, seat: int, *beans: Bean) -> Copies:
        """Return cards of these kinds in the hand of a seat, each another one."""
        places: list[Copy] = []
        for bean in beans:
            taken = {copy.place for copy in places}
            place = next(at for at, b in enumerate(self.hand(seat)) if b == bean and at not in taken)
            places.append(Copy(place, bean))
        return tuple(places)

    def offer(
        self,
        maker: int,
        to: Sequence[int],
        give: Sequence[Bean],
        want: Sequence[Bean],
        *,
        is_open: bool = False,
    ) -> int:
        """Make an offer of cards in hand; return its number."""
        copies, revision = self.copies(maker, *give), self.state.players[maker].hand_revision
        self.do(MakeOffer(maker, tuple(to), copies, (), tuple(want), open=is_open, hand_revision=revision))
        assert isinstance(self.state.phase, TradePhase)
        return self.state.phase.offers[-1].id

    def claim(self, seat: int, offer: int, *beans: Bean) -> None:
        """Claim an open offer with these cards."""
        revision = self.state.players[seat].hand_revision
        self.do(Claim(seat, offer, 1, self.copies(seat, *beans), revision))

    def lacked(self, seat: int) -> Bean:
        """Return a kind of which a seat has no card."""
        return next(bean for bean in Bean if self.rules.deck[bean] > 0 and bean not in self.hand(seat))

    def still(self, name: str = "market", *, last_call: bool = False) -> Still:
        """Return the market as it is now."""
        return Still(name, self.rules, self.state, 0, tuple(self.told[-6:]), last_call)

    def without_hand(self) -> Still:
        """Return the market as it is now, but for the viewer's cards, which are gone."""
        viewer, *others = self.state.players
        empty = replace(self.state, players=(replace(viewer, hand=()), *others))
        return Still("without hand", self.rules, empty, 0)


PLACES = """() => {
  const found = {};
  const kind = thing => thing.className.replace(/ ?\\b_\\w+/g, "");
  const fields = [...document.querySelectorAll(".plot")];
  for (const thing of document.querySelectorAll("button, .plot, [data-seat]")) {
    const { left, top, width } = thing.getBoundingClientRect();
    if (width === 0 || thing.closest(".closing, .hand")) continue;
    const name = thing.dataset.key ?? thing.dataset.pick ?? kind(thing);
    const ticket = thing.closest("[data-offer]")?.dataset.offer;
    const which = `${fields.indexOf(thing)} ${thing.getAttribute("aria-label") ?? ""}`;
    const id = ticket === undefined ? `${name} ${which}` : `${ticket}: ${name}`;
    found[id] = [Math.round(left), Math.round(top)];
  }
  return found;
}"""


def moved(before: dict[str, list[int]], after: dict[str, list[int]]) -> list[str]:
    """Return what lies elsewhere now, a line each; what has come or gone has not moved."""
    both = before.keys() & after.keys()
    return [
        f"{name}: {before[name]} -> {after[name]}" for name in sorted(both) if before[name] != after[name]
    ]


def places(page: Page) -> dict[str, list[int]]:
    """Return where the buttons and fields lie, in px, by what they do; the cards of the hand are left out."""
    found: dict[str, list[int]] = page.evaluate(PLACES)
    return found
