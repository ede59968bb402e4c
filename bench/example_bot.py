"""Let the example bot play 20 games over the network: ``python -m bench.example_bot --games 20``.

A server is started with bots that answer at once; the example sits at a table with three of the named
players. Printed are the coins of each game, and at the end the wins and the mean coins of both sides.
"""

from __future__ import annotations

import argparse
import asyncio
import runpy
import tempfile
from pathlib import Path
from time import perf_counter

from bohn.client import Client, Options, Pace
from bohn.server.settings import Settings, Times
from tests.server.support.serving import PLENTY, Serving

EXAMPLE = Path(__file__).parents[1] / "examples" / "bot.py"
PACE = Pace(think=(0.0, 0.0), answers=0.05, quiet=0.03, again=0.02)
TIMES = Times(
    collect=5, last_call=5, bot_move=(0, 1), bot_delay=(0, 1), bot_chatter=(0, 1), bot_beside_people=(0, 1),
    bot_quiet=10, bot_first_market=0, bot_open=(0, 1), poll=5,
)  # fmt: skip


def main() -> None:
    """Play, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--against", default="random", help="who sits in the other seats")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), Settings(limits=PLENTY, times=TIMES))
        asyncio.run(server.start())
        try:
            play(f"http://127.0.0.1:{server.port}", options)
        finally:
            asyncio.run(server.stop())


def play(url: str, options: argparse.Namespace) -> None:
    """Play all games, one after the other."""
    decide = runpy.run_path(str(EXAMPLE))["decide"]
    others = options.players - 1
    finished, wins, own, theirs = 0, 0.0, 0, 0.0
    for number in range(1, options.games + 1):
        begin = perf_counter()
        with Client(url) as client:
            client.guest("Beanie")
            table = client.open_table(
                Options(players=options.players), bots=(options.against,) * others, start=True
            )
            result = client.play(table, decide, pace=PACE)
        if result is None:
            print(f"{number:3}  no result")
            continue
        finished += 1
        wins += (0 in result.winners) / len(result.winners)
        own += result.coins[0]
        theirs += sum(result.coins[1:]) / others
        print(f"{number:3}  coins {result.coins}  winners {result.winners}  {perf_counter() - begin:.1f} s")
    print(f"finished {finished} of {options.games} games against {others} x {options.against}")
    fair = options.games / options.players
    print(f"wins {wins:g} (fair share {fair:g}), mean coins {own / finished:.2f} : {theirs / finished:.2f}")


if __name__ == "__main__":
    main()
