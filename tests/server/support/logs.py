"""Whole logs of tables, made without a server."""

from __future__ import annotations

from typing import Any

from bohn.bots import PLAYERS
from bohn.notation.deals import commitment, seed_of
from bohn.notation.records import Cause
from bohn.play import play_game
from bohn.protocol import room_commands as c
from bohn.protocol import room_events as e
from bohn.protocol.room import Options, Reveal
from bohn.rules import resolve
from bohn.rules.commands import EndTrading
from bohn.server.store.protocol import LogRow, SecretDeal
from tests.server.support.rooms import ANNA, BERT, OPENED

DEAL = SecretDeal(b"s" * 32, b"n" * 32)
SALTS = ("aa", "00ff", "", "")

CAUSES: tuple[Cause, ...] = ("player", "player", "bot", "clock")


class Log:
    """A log that grows by rows, ten seconds apart."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.rows: list[LogRow] = []

    def add(self, command: Any, *events: Any, cause: Cause = "player", actor: str = ANNA) -> None:
        """Append a batch."""
        seq = len(self.rows) + 1
        self.rows.append(
            LogRow(
                table=self.table,
                seq=seq,
                at=OPENED + 10_000 * seq,
                actor=actor,
                command_id=f"c{seq}",
                digest="00" * 32,
                cause=cause,
                command=command,
                events=events,
            )
        )


def whole_log(edition: str = "full", table: str = "t1", bot: str = "b3") -> tuple[LogRow, ...]:
    """Return the log of a finished table of four: Anna, Bert, two bots, and a little of everything between.

    Anna puts in the salt ``aa``, Bert ``00ff``.
    """
    log = Log(table)
    options = Options(edition, 4)
    log.add(None, e.TableOpened(table, ANNA, options, commitment(DEAL.secret, DEAL.nonce), OPENED))
    log.add(c.Sit(0, "aa"), e.Sat(0, ANNA, "aa", OPENED + 1))
    log.add(c.Sit(1), e.Sat(1, BERT, "", OPENED + 2), actor=BERT)
    log.add(c.GiveSalt("00ff"), e.SaltGiven(1, "00ff"), actor=BERT)
    seed = seed_of(DEAL.secret, SALTS)
    game = play_game(resolve(edition, 4), seed, [PLAYERS[bot](seat) for seat in range(4)], with_moves=True)
    seated = (e.BotSeated(2, "pk", ""), e.BotSeated(3, "b3", ""))
    log.add(c.Start("pk"), *seated, e.Started(), *game.opening, cause="host")
    for number, move in enumerate(game.moves[:-1]):
        _between(log, number)
        beside: tuple[e.AnyRoomEvent, ...] = ()
        if isinstance(move.command, EndTrading):
            log.add(move.command, e.LastCallBegan(number, 5), actor="bot:2", cause="bot")
        elif number == 7:
            beside = (e.ClockMissed(0), e.HandedOver(0, "pk"))
        log.add(move.command, *move.events, *beside, cause=CAUSES[number % 4])
    reveal = Reveal(DEAL.secret.hex(), DEAL.nonce.hex(), SALTS)
    last = game.moves[-1]
    log.add(last.command, *last.events, e.Finished(), e.DealRevealed(reveal), cause="bot", actor="bot:3")
    log.add(c.Rematch(), e.RematchMade("t2"))
    return tuple(log.rows)


def _between(log: Log, number: int) -> None:
    """Let something happen beside the game."""
    if number == 3:
        log.add(c.Pause(), e.Paused(1))
        log.add(c.Resume(), e.Resumed(2))
    elif number == 12:
        log.add(c.TakeBack(), e.TakenBack(0))
    elif number == 20:
        log.add(c.Stand(), e.HandedOver(1, "pk"), actor=BERT)
