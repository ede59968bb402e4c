"""Many games fast: the twin of the core over rows of numbers, and the players that are compiled with it."""
