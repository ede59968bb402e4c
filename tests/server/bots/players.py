"""Computer players that break their contract in every way, some curious ones, and the real ones."""

from __future__ import annotations

import os
import sys
import time

from bohn.bots import PLAYERS as REAL
from bohn.bots import Bot, BotFactory
from bohn.bots.api import Choices, Command, ComputerPlayer, Knowledge, TradeView, View
from bohn.bots.bargaining import Proposal, offer_command
from bohn.bots.farming import NoTrade, seat
from bohn.play.floor import NOTHING_LEARNT
from bohn.rules.beans import Bean
from bohn.rules.commands import AcceptOffer, Harvest, MakeOffer, Plant, Reveal, SetWish

WHERE = "tests.server.bots.players:PLAYERS"

WORDS = "the hand is red and blue"
"""What nobody may read."""


class Hanging(ComputerPlayer):
    """Never comes to a decision."""

    name = "hanging"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Wait for ever."""
        while True:
            time.sleep(3600)


class Crashing(ComputerPlayer):
    """Takes its process with it."""

    name = "crashing"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """End the process."""
        os._exit(7)


class Raising(ComputerPlayer):
    """Raises, with words that nobody may read."""

    name = "raising"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Raise."""
        raise ValueError(WORDS)


class WrongType(ComputerPlayer):
    """Returns what is no command."""

    name = "wrong-type"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return a text."""
        return "plant"  # type: ignore[return-value]  # - a mistake on purpose


class NoData(ComputerPlayer):
    """Returns a command that holds what cannot be sent."""

    name = "no-data"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return a command with an object in it."""
        return Plant(seat(view), object())  # type: ignore[arg-type]  # - a mistake on purpose


class WrongField(ComputerPlayer):
    """Returns a command with a text where a number belongs."""

    name = "wrong-field"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return a command that cannot be read."""
        return Plant(seat(view), "first")  # type: ignore[arg-type]  # - a mistake on purpose


class Foreign(Command, frozen=True, tag="foreign"):
    """A command that the rules do not know."""


class Inventor(ComputerPlayer):
    """Returns a command of its own making."""

    name = "inventor"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return it."""
        return Foreign(seat(view))


class OtherSeat(NoTrade):
    """Acts for its neighbour."""

    name = "other-seat"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Return a command of the next seat."""
        return Reveal((seat(view) + 1) % len(view.players))


class Illegal(ComputerPlayer):
    """Asks for what the rules refuse."""

    name = "illegal"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Harvest a field that is not there."""
        return Harvest(seat(view), 77)


class Passing(ComputerPlayer):
    """Passes always, also when the game waits for it."""

    name = "passing"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Pass."""
        return None


class Chatterbox(ComputerPlayer):
    """Says what it wants, and that it does not, and nothing else."""

    name = "chatterbox"
    off_turn = True

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Turn a wish over."""
        me = seat(view)
        bean = view.rules.kinds[0]
        return SetWish(me, bean, "none" if bean in view.talk.wishes[me].want else "want")


class Beggar(NoTrade):
    """Asks everybody for the same again and again, as often as it is let."""

    name = "beggar"
    trades = True

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Ask for a bean for nothing."""
        phase = view.phase
        if not isinstance(phase, TradeView):
            return super().decide(view, choices, knowledge)
        if choices.tries <= 0:
            return None
        to = tuple(other for other in choices.offers.partners)
        return offer_command(view, phase, Proposal(to, (), (), (view.rules.kinds[0],)))


class Importunate(Beggar):
    """Asks for something else each time, and heeds no limit."""

    name = "importunate"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Ask, one kind after the other."""
        if not isinstance(view.phase, TradeView):
            return super().decide(view, choices, knowledge)
        bean = self.rand.choice(view.rules.kinds)
        me = seat(view)
        others = tuple(other for other in range(len(view.players)) if other != me)
        to = others if me == view.active_player else (view.active_player,)
        return MakeOffer(me, to, (), (), (bean,))


class Watchful(NoTrade):
    """Looks whenever it may, and does nothing that it does not have to."""

    name = "watchful"
    trades = True
    off_turn = True

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Pass, unless the game waits."""
        must = view.viewer in view.waiting and not isinstance(view.phase, TradeView)
        return super().decide(view, choices, knowledge) if must else None


class Grateful(Watchful):
    """Takes every offer, and makes none."""

    name = "grateful"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Accept the first."""
        if isinstance(view.phase, TradeView):
            return next((c for c in choices.legal if isinstance(c, AcceptOffer)), None)
        return super().decide(view, choices, knowledge)


class Knowing(Watchful):
    """Breaks if it is not handed its knowledge."""

    name = "knowing"
    uses_knowledge = True

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Check the knowledge against the view, then play on."""
        if knowledge == NOTHING_LEARNT or knowledge.draw_pile != view.draw_pile:
            raise ValueError(WORDS)
        return super().decide(view, choices, knowledge)


def modest(seed: int) -> Bot:
    """Make a bot whose traits no class tells."""
    return Knowing(seed)


class Printing(NoTrade):
    """Prints, and reads what is typed."""

    name = "printing"

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:
        """Write and read where the server's pipes were."""
        print(WORDS, flush=True)  # noqa: T201 - that is what it does
        sys.stdin.read()
        return super().decide(view, choices, knowledge)


class Counting(ComputerPlayer):
    """Wishes for one kind after the other: how often it was asked can be read from it."""

    name = "counting"

    def __init__(self, seed: int = 0) -> None:
        """Begin at none."""
        super().__init__(seed)
        self.asked = 0

    def decide(self, view: View, choices: Choices, knowledge: Knowledge) -> Command | None:  # noqa: ARG002 - one signature
        """Count."""
        self.asked += 1
        return SetWish(seat(view), Bean(self.asked), "want")


KINDS = (
    Hanging, Crashing, Raising, WrongType, NoData, WrongField, Inventor, OtherSeat, Illegal, Passing,
    Chatterbox, Beggar, Importunate, Watchful, Grateful, Knowing, Printing, Counting,
)  # fmt: skip

PLAYERS: dict[str, BotFactory] = {**REAL, **{kind.name: kind for kind in KINDS}, "modest": modest}
