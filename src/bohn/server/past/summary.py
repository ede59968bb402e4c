"""A game in numbers: coins over time, and what each player did."""

from __future__ import annotations

from bohn.notation.tally import Deeds, Tally, ranks
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.server.past.game import PastGame
from bohn.server.wire.replay import CoinsAt, HarvestInfo, PlayerSummary, Summary


def summary_of(game: PastGame) -> Summary:
    """Return a game in numbers."""
    seats, entries = game.seats, game.entries
    tally, state, coins = Tally(len(seats)), EMPTY, list[CoinsAt]()
    for entry in entries:
        tally.note(entry.events, entry.seq)
        state = fold(entry.events, state)
        now = tuple([player.coins for player in state.players])
        if not coins or now != coins[-1].coins:
            coins.append(CoinsAt(entry.seq, state.turn, now))
    result, header = game.result, game.record.header
    return Summary(
        table=game.table,
        record=game.kept,
        edition=header.edition,
        house_rules=header.house_rules,
        names=tuple(name for name, _ in seats),
        bots=tuple(bot for _, bot in seats),
        entries=len(entries),
        turns=tally.turns,
        began=game.at(0),
        ended=game.at(len(entries) - 1),
        result=result,
        ranks=() if result is None else ranks(result),
        coins=tuple(coins),
        players=tuple(map(_player, tally.players)),
    )


def _player(deeds: Deeds) -> PlayerSummary:
    best = deeds.best
    return PlayerSummary(
        trades=deeds.trades,
        gifts_given=deeds.gifts_given,
        gifts_received=deeds.gifts_received,
        beans_given=deeds.beans_given,
        beans_received=deeds.beans_received,
        offers_made=deeds.offers,
        offers_taken=deeds.taken,
        offers_accepted=deeds.accepted,
        offers_declined=deeds.declined,
        planted=deeds.planted,
        harvests=deeds.harvests,
        best=None if best is None else HarvestInfo(best.batch, best.bean, best.beans, best.coins),
        coins_by_bean=tuple(deeds.coins),
        fields_bought=deeds.bought,
    )
