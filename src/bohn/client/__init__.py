"""A client for the table server: a program that plays, or watches, over HTTP.

A whole bot, which plays one game against three computer players::

    from bohn.bots import PLAYERS
    from bohn.client import Client

    with Client("http://127.0.0.1:8000") as client:
        client.guest("Ada")
        table = client.open_table(bots=("pk", "pk", "pk"), start=True)
        print(client.play(table, PLAYERS["pk"](1).decide))

A program that is to be shown as one has a token, made once and stored::

    made = client.bot_token("Beanie")
    bot = Client("http://127.0.0.1:8000", token=made.token)

The same by hand, step by step (``docs/protocol.md`` has the rest)::

    for frame in client.stream(table):        # reconnects by itself after any failure
        game.take(frame)                      # a Game: the merged view, what is legal, who is here
        if game.legal:
            client.do(table, game.legal[0])   # at most once, however often it is sent

A refusal is a :class:`RefusedByTable` with the code and the clause; a server that does not answer for
as long as :class:`RetryPolicy` allows raises :class:`Unreachable`.
"""

from bohn.client.client import Client
from bohn.client.errors import NotUnderstood, RefusedByTable, Unreachable
from bohn.client.game import Game, merge
from bohn.client.play import Decide, Pace
from bohn.client.stream import Stream
from bohn.client.transport import RetryPolicy
from bohn.protocol.room import Options

__all__ = [
    "Client",
    "Decide",
    "Game",
    "NotUnderstood",
    "Options",
    "Pace",
    "RefusedByTable",
    "RetryPolicy",
    "Stream",
    "Unreachable",
    "merge",
]
