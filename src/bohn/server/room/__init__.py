"""The room around a game: seats, host, pauses, clocks and the end; decided and folded as the game is."""
