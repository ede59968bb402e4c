"""One game as an object: its rules, its position, and what a program may do with them."""

from __future__ import annotations

from msgspec import Struct

from bohn.rules.commands import Command
from bohn.rules.deal import opening
from bohn.rules.decide import decide, is_legal
from bohn.rules.editions import DEFAULT_EDITION
from bohn.rules.errors import Reason
from bohn.rules.events import Event
from bohn.rules.evolve import fold
from bohn.rules.legal import OfferSpace, legal_commands, may_act, offer_space, waiting
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import seed_from
from bohn.rules.state import EndPhase, Result, State
from bohn.views.view import View, view


class Game(Struct, frozen=True):
    """A position with its rules, which never changes: playing returns a new game.

    ``events`` is the batch that led to the position; it is empty if nothing did.
    """

    rules: Rules
    state: State
    events: tuple[Event, ...] = ()

    def play(self, command: Command) -> Game:
        """Return the game after a command; this one is not changed.

        Raises :class:`~bohn.rules.errors.IllegalCommand` with reason, clause and parameters.
        """
        events = decide(self.rules, self.state, command)
        return Game(self.rules, fold(events, self.state), events)

    def is_legal(self, command: Command) -> Reason | None:
        """Return ``None`` for a legal command, else the reason against it."""
        return is_legal(self.rules, self.state, command)

    def legal_commands(self, player: int) -> tuple[Command, ...]:
        """Return the commands that a player may give now; see :func:`bohn.rules.legal.legal_commands`."""
        return legal_commands(self.rules, self.state, player)

    def may_act(self) -> frozenset[int]:
        """Return the seats that have a command; see :func:`bohn.rules.legal.may_act`."""
        return may_act(self.rules, self.state)

    def waiting(self) -> tuple[int, ...]:
        """Return the seats the game waits for, in the order of play."""
        return waiting(self.rules, self.state)

    def offer_space(self, player: int) -> OfferSpace:
        """Return what a player's offers may be made of; see :func:`bohn.rules.legal.offer_space`."""
        return offer_space(self.rules, self.state, player)

    def view(self, player: int | None) -> View:
        """Return what a seat may see, and nothing else; ``None`` is a spectator.

        Raises ``ValueError`` for a seat that is not at the table.
        """
        return view(self.rules, self.state, player)

    @property
    def active_player(self) -> int:
        """The seat whose turn it is."""
        return self.state.active_player

    @property
    def result(self) -> Result | None:
        """The result, or ``None`` while the game goes on."""
        phase = self.state.phase
        return phase.result if isinstance(phase, EndPhase) else None

    def __str__(self) -> str:
        """Write the position in notation."""
        from bohn.notation.positions import format_position  # here, so that `import bohn` stays fast

        return format_position(self.rules, self.state)


def new_game(
    edition: str = DEFAULT_EDITION,
    players: int = 4,
    *,
    seed: bytes | str | int = 0,
    house_rules: tuple[str, ...] = (),
) -> Game:
    """Deal a game; the same seed deals the same game everywhere.

    ``seed`` is 32 bytes, or a text or number that is hashed to them; ``house_rules`` are texts ``key=value``.
    Raises :class:`~bohn.rules.errors.UnknownEdition`, which lists what exists.
    """
    rules = resolve(edition, players, *house_rules)
    events = opening(rules, seed_from(seed))
    return Game(rules, fold(events), events)
