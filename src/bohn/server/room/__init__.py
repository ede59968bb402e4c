"""Around the game: who sits where, who is host, pauses, clocks and the end; decided and folded like it."""
