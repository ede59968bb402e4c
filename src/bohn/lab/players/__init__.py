"""The compiled players: their decisions as plain functions over rows, compiled where Numba is installed."""
