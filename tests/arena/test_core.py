"""The core engine plays what the floor plays, in any pieces."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.arena.core import CoreEngine
from bohn.arena.plan import chance
from bohn.bots import PLAYERS
from bohn.play import play_game
from bohn.rules import resolve
from tests.arena.support import plan, whole


def test_core_engine_plays_the_games_of_the_floor() -> None:
    """A guarded table changes nothing for bots that keep their contract."""
    wanted = plan(("b6", "random-trader", "random-trader"), deals=1)
    chunk = whole(wanted)
    found = CoreEngine().play(chunk)

    for one in found.games:
        names = chunk.line_ups[one.arrangement]
        bots = [PLAYERS[name](chance("test/0", one.arrangement, seat)) for seat, name in enumerate(names)]
        result = play_game(resolve("full", 3), "test/0", bots)
        assert (one.shares, one.turns) == (result.shares, result.turns)
        assert one.coins == tuple(map(float, result.coins))
        assert (one.trades, one.gifts) == (result.stats.trades, result.stats.gifts)
        assert sum(one.offers) == result.stats.offers
        assert sum(one.acceptances) == result.stats.trades + result.stats.gifts
    assert found.faults == ()


def test_core_engine_goes_on_behind_what_is_skipped() -> None:
    """The rest of a chunk does not depend on whether its beginning was played in the same process."""
    chunk = whole(plan(deals=2))
    engine = CoreEngine()

    assert engine.play(replace(chunk, skip=4)).games == engine.play(chunk).games[4:]


def test_core_engine_takes_factories_of_its_user() -> None:
    """A maker that is handed over plays under its name."""
    chunk = replace(whole(plan(deals=1)), bots={"no-trade": "mine", "random": "random"})
    engine = CoreEngine({"mine": PLAYERS["no-trade"]})

    assert "mine" in engine.players()
    assert engine.play(chunk).games == CoreEngine().play(whole(plan(deals=1))).games


def test_das_duell_is_played_with_pennies() -> None:
    """Coins of the duel with bonus cards are fractions."""
    wanted = replace(plan(("no-trade", "random"), deals=2), edition="das-duell")
    games = CoreEngine().play(whole(wanted)).games

    assert len(games) == 4
    assert all(sum(one.shares) == 1 for one in games)


def test_chance_fits_a_signed_number() -> None:
    """Compiled engines keep seeds in 64 bits with a sign."""
    assert all(0 <= chance(str(deal), 0, 1) < 2**63 for deal in range(50))
