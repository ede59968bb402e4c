"""What the strong players think with: plain functions over rows, compiled where Numba is installed."""
