"""A game in numbers: coins over time, and what each player did."""

from __future__ import annotations

from bohn.notation.tally import PlayerTally, Tally, ranks
from bohn.protocol.replay import CoinsAt, HarvestInfo, PlayerSummary, Summary
from bohn.rules.evolve import fold
from bohn.rules.folds.course import EMPTY
from bohn.server.tables.past_game import PastGame


def summary_of(game: PastGame) -> Summary:
    """Return a game in numbers."""
    seats, entries = game.seats, game.entries
    tally, state, coins = Tally(len(seats)), EMPTY, list[CoinsAt]()
    for entry in entries:
        tally.count(entry.events, entry.seq)
        state = fold(entry.events, state)
        now = tuple([player.coins for player in state.players])
        if not coins or now != coins[-1].coins:
            coins.append(CoinsAt(entry.seq, state.turn, now))
    result, header = game.result, game.record.header
    return Summary(
        table=game.table,
        record=game.record_id,
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
        players=tuple(map(player_summary, tally.players)),
    )


def player_summary(tally: PlayerTally) -> PlayerSummary:
    """Return what one player did."""
    best = tally.best
    return PlayerSummary(
        trades=tally.trades,
        gifts_given=tally.gifts_given,
        gifts_received=tally.gifts_received,
        beans_given=tally.beans_given,
        beans_received=tally.beans_received,
        offers_made=tally.offers,
        offers_taken=tally.taken,
        offers_accepted=tally.accepted,
        offers_declined=tally.declined,
        planted=tally.planted,
        harvests=tally.harvests,
        best=None if best is None else HarvestInfo(best.batch, best.bean, best.beans, best.coins),
        coins_by_bean=tuple(tally.coins),
        fields_bought=tally.bought,
    )
